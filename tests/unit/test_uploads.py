"""1. What was put in is a document of the store like others. 2. Indexing by hand drops none of it, and takes none of it
for something else. 3. Taking it out deletes it; a store moves and is backed up with it."""

from __future__ import annotations

import shutil
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.promises import SETTINGS, pages

from pincite.build.pipeline import Indexer, Progress
from pincite.build.sources import Found
from pincite.engine.engine import Engine, Session
from pincite.errors import NotThereError, UsageError
from pincite.read.sandbox import ReadOutcome
from pincite.records.sources import Source
from pincite.store.locks import writer_lock
from pincite.wiring import open_engine

MOST = 1_000_000
RAIN = b"Rain falls on the harbour. The pilot counts the drops."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    pages(tmp_path / "docs" / "rota.pdf", "The keeper rakes the gravel.")
    return tmp_path / "docs"


@pytest.fixture
def engine(folder: Path) -> Iterator[Engine]:
    with open_engine(SETTINGS, folder / ".pincite", create=True) as made:
        made.index([folder])
        yield made


def put(session: Session, name: str = "rain.txt", content: bytes = RAIN, **more: object) -> str:
    with session.uploads.incoming(name, MOST, **more) as coming:  # type: ignore[arg-type]
        coming.write(content)
        return coming.keep().source_id


def held(session: Session) -> dict[str, str]:
    return {state.source.filename: state.status for state in session.documents.sources()}


def test_what_was_put_in_is_asked_and_cited_under_its_own_name(engine: Engine) -> None:
    put(engine.session())
    assert engine.waiting_uploads() == [upload.source_id for upload, _ in engine.session().uploads.all()]
    report = engine.index_uploads()
    assert report is not None
    assert report.counts["indexed"] == 1
    answer = engine.ask("Who counts the drops?")
    assert "(rain.txt, line" in answer.summary
    assert engine.ask("Who rakes the gravel?").statements
    assert engine.index_uploads() is None
    assert engine.verify() == []


def test_indexing_by_hand_keeps_it_and_indexes_what_waits(engine: Engine, folder: Path) -> None:
    put(engine.session())
    engine.index_uploads()
    put(engine.session(), "late.txt", b"Late snow lies on the pier.")
    for options in ({}, {"prune": True}, {"mode": "full"}):
        report = engine.index([folder], **options)  # type: ignore[arg-type]
        assert "vanished" not in report.counts
        assert held(engine.session()) == {"rota.pdf": "indexed", "rain.txt": "indexed", "late.txt": "indexed"}
    (folder / "rota.pdf").unlink()
    engine.index([folder], prune=True)
    assert held(engine.session()) == {"rain.txt": "indexed", "late.txt": "indexed"}
    assert [(found.kind, found.source_id) for found in engine.session().audit.events()] == [("deleted", "rota.pdf")]


def test_its_file_is_indexed_under_no_other_name(engine: Engine, folder: Path) -> None:
    put(engine.session())
    with pytest.raises(UsageError, match="is a part of the store"):
        engine.index([folder / ".pincite" / "uploads"])
    engine.index([folder])
    assert sorted(held(engine.session())) == ["rain.txt", "rota.pdf"]


def test_a_store_outside_of_its_folder_keeps_it_too(folder: Path, tmp_path: Path) -> None:
    with open_engine(SETTINGS, tmp_path / "store", create=True) as engine:
        engine.index([folder])
        put(engine.session())
        engine.index_uploads()
        engine.index([folder], prune=True)
        assert held(engine.session()) == {"rota.pdf": "indexed", "rain.txt": "indexed"}


def test_a_store_that_was_moved_knows_its_file(engine: Engine, folder: Path, tmp_path: Path) -> None:
    source_id = put(engine.session())
    engine.index_uploads()
    engine.close()
    shutil.move(folder, tmp_path / "moved")
    with open_engine(SETTINGS, tmp_path / "moved" / ".pincite") as moved:
        path = moved.session().files.file_of(source_id)
        assert path is not None
        assert path.read_bytes() == RAIN
        assert not moved.ask("Who counts the drops?").notices


def test_a_backup_holds_it(engine: Engine, tmp_path: Path) -> None:
    source_id = put(engine.session())
    engine.index_uploads()
    engine.backup(tmp_path / "backup.tar")
    with tarfile.open(tmp_path / "backup.tar") as archive:
        archive.extractall(tmp_path / "again", filter="data")
    with open_engine(SETTINGS, tmp_path / "again") as again:
        path = again.session().files.file_of(source_id)
        assert path is not None
        assert path.read_bytes() == RAIN
        assert not again.ask("Who counts the drops?").notices


@pytest.mark.parametrize("purge", [False, True])
@pytest.mark.parametrize("indexed", [False, True])
def test_taking_it_out_deletes_its_file_and_it_does_not_come_back(
    engine: Engine, folder: Path, *, purge: bool, indexed: bool
) -> None:
    source_id = put(engine.session())
    if indexed:
        engine.index_uploads()
    engine.remove(source_id, purge=purge)
    assert engine.session().uploads.all() == []
    assert list((folder / ".pincite" / "uploads").iterdir()) == []
    engine.index([folder], prune=True)
    assert engine.index_uploads() is None
    assert held(engine.session()) == {"rota.pdf": "indexed"}
    put(engine.session())
    engine.index_uploads()
    assert held(engine.session()) == {"rota.pdf": "indexed", "rain.txt": "indexed"}


def test_one_that_cannot_be_read_is_refused_with_its_reason(engine: Engine) -> None:
    put(engine.session(), "broken.pdf", b"%PDF-1.4 and nothing more")
    engine.index_uploads()
    ((_, state),) = engine.session().uploads.all()
    assert state is not None
    assert state.status == "refused"
    assert state.reason
    assert engine.waiting_uploads() == []


def test_one_that_was_given_up_is_tried_again_in_the_next_run(engine: Engine) -> None:
    source_id = put(engine.session())
    source = Source(source_id, "txt", "")
    engine._parts.record.put_refusal(source, "embedding failed", {})
    assert engine.waiting_uploads() == [source_id]
    engine.index_uploads()
    assert held(engine.session())["rain.txt"] == "indexed"
    engine._parts.record.put_refusal(source, "embedding failed", {})
    engine.remove(source_id)
    assert held(engine.session()) == {"rota.pdf": "indexed"}
    assert engine.waiting_uploads() == []


def test_a_run_that_is_cut_off_is_taken_up_again(engine: Engine) -> None:
    for number in range(3):
        put(engine.session(), f"{number}.txt", f"Gull {number} nests on the mast.".encode())

    def cut_off(progress: Progress) -> None:
        if progress.stage == "reading":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        engine.index_uploads(progress=cut_off)
    assert engine.waiting_uploads()
    engine.index_uploads()
    assert len(held(engine.session())) == 4
    assert engine.verify() == []
    assert engine.ask("Where does gull 2 nest?").statements


def test_what_was_stored_by_a_run_that_did_not_publish_is_published_by_the_next(engine: Engine) -> None:
    put(engine.session())

    def cut_off(progress: Progress) -> None:
        if progress.stage == "publishing":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        engine.index_uploads(progress=cut_off)
    assert engine.waiting_uploads() == []
    assert engine.ask("Who counts the drops?").refused
    assert engine.index_uploads() is not None
    assert engine.ask("Who counts the drops?").statements[0].citations
    assert engine.index_uploads() is None


def fails_on(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Has every run fail that takes in a document of this name."""
    real = Indexer._take_in

    def take_in(indexer: Indexer, item: Found, outcome: ReadOutcome) -> None:
        if item.source_id.endswith(name):
            raise ZeroDivisionError(name)
        real(indexer, item, outcome)

    monkeypatch.setattr(Indexer, "_take_in", take_in)


def test_a_document_on_which_everything_fails_is_refused_and_the_others_are_indexed(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.txt", "cursed.txt", "z.txt"):
        put(engine.session(), name, f"Gull {name} nests on the mast.".encode())
    told: list[Progress] = []
    with monkeypatch.context() as planted:
        fails_on("cursed.txt", planted)
        engine.index_uploads(progress=told.append)
        assert held(engine.session()) == {
            **{"a.txt": "indexed", "cursed.txt": "refused"},
            **{"rota.pdf": "indexed", "z.txt": "indexed"},
        }
        assert [type(item.error) for item in told if item.stage == "failed"] == [ZeroDivisionError]
        refused = next(state for state in engine.session().documents.sources() if state.status == "refused")
        assert "internal error" in refused.reason
    assert engine.ask("Where does gull z.txt nest?").statements
    engine.index_uploads()
    assert held(engine.session())["cursed.txt"] == "indexed"
    assert engine.verify() == []


def test_what_fails_without_any_document_is_the_fault_of_none(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    put(engine.session())
    with monkeypatch.context() as planted:
        planted.setattr(Indexer, "index_files", lambda *_, **__: {}["planted"])
        with pytest.raises(KeyError, match="planted"):
            engine.index_uploads()
    engine.index_uploads()
    assert held(engine.session())["rain.txt"] == "indexed"


# --- who may see it ----------------------------------------------------------------------------------------


def test_it_is_closed_to_all_but_those_who_have_a_tag_of_its_sender(engine: Engine) -> None:
    board = engine.session(("audit", "board"), "ada")
    both, one = put(board), put(board, "plan.txt", b"The zebra is sold in May.", acl=["board"])
    assert engine.session().uploads.all() == []
    engine.index_uploads()
    assert [upload.acl for upload, _ in board.uploads.all()] == [
        acl for _, acl in sorted([(both, ("audit", "board")), (one, ("board",))])
    ]
    assert held(engine.session()) == {"rota.pdf": "indexed"}
    assert sorted(held(engine.session(("audit",)))) == ["rain.txt", "rota.pdf"]
    assert sorted(held(engine.session(("board",)))) == ["plan.txt", "rain.txt", "rota.pdf"]
    assert engine.ask("Who counts the drops?").refused
    engine.index([engine._parts.folder.parent], mode="full")
    assert held(engine.session()) == {"rota.pdf": "indexed"}
    with pytest.raises(NotThereError):
        engine.session().documents.source(one)


@pytest.mark.parametrize(
    ("principals", "acl"), [(("board",), []), (("board",), ["audit"]), (("board",), ["board", "audit"]), ((), ["x"])]
)
def test_nobody_opens_it_wider_than_to_themselves_or_closes_it_to_themselves(
    engine: Engine, principals: tuple[str, ...], acl: list[str]
) -> None:
    with pytest.raises(UsageError, match="cannot be added for"):
        put(engine.session(principals), acl=acl)
    assert engine.session(("audit", "board", "x")).uploads.all() == []


def test_who_sees_a_copy_learns_nothing_of_a_closed_one(engine: Engine) -> None:
    closed = put(engine.session(("board",)))
    opened = put(engine.session())
    assert closed != opened
    assert [upload.source_id for upload, _ in engine.session().uploads.all()] == [opened]


def test_where_nothing_waits_no_other_writer_is_in_the_way(engine: Engine, folder: Path) -> None:
    with writer_lock(folder / ".pincite" / "writer.lock"):
        assert engine.index_uploads() is None
