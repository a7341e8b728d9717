"""What was closed stays closed until somebody opens it in so many words, whichever run of indexing comes next."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Iterator, Sequence
from email.message import EmailMessage
from pathlib import Path

import pytest

from pincite.engine.engine import Engine
from pincite.records.questions import Filter
from pincite.wiring import open_engine
from tests.e2e.conftest import Run
from tests.support.documents import document, source
from tests.support.engines import hashing_engine
from tests.support.promises import SETTINGS, files

HERONS = "# Herons\n\nThe herons nest above the weir.\n"
WALL = "# Wall\n\nThe wall of the orchard leans.\n"
CLOSED, OPENED = ["wardens"], list[str]()


def listed(folder: Path, name: str, *entries: dict[str, object]) -> Path:
    """A manifest beside the folder of the documents, whose entries name files in it."""
    stated = [{**entry, "path": f"docs/{entry['path']}"} for entry in entries]
    manifest = folder.parent / name
    manifest.write_text(json.dumps({"sources": stated}))
    return manifest


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "docs"
    made.mkdir()
    return files(made, {"herons.md": HERONS, "wall.md": WALL})


@pytest.fixture
def engine(folder: Path) -> Iterator[Engine]:
    """A store whose herons.md only the wardens may see."""
    with open_engine(SETTINGS, folder / ".pincite", create=True) as made:
        made.index([folder], manifest=listed(folder, "list.json", {"path": "herons.md", "acl": CLOSED}))
        yield made


def seen(engine: Engine, *principals: str) -> set[str]:
    """What an asker finds who looks for all that the documents say."""
    found = engine.search("herons weir orchard wall eggs", filter=Filter(principals=principals), receipt=False)
    return {item.chunk.source_id for item in found.evidence}


def names(engine: Engine, *principals: str) -> set[str]:
    return {state.source.source_id for state in engine.session(principals).documents.sources()}


@pytest.mark.promise
@pytest.mark.parametrize("mode", ["incremental", "full"])
@pytest.mark.parametrize("changed", [False, True])
def test_a_run_without_the_manifest_keeps_a_closed_document_closed_and_says_so(
    engine: Engine, folder: Path, mode: str, *, changed: bool
) -> None:
    if changed:
        files(folder, {"herons.md": HERONS + "\nThey lay four eggs.\n"})
    report = engine.index([folder], mode=mode)
    assert report.kept_closed == ("herons.md",)
    assert seen(engine) == names(engine) == {"wall.md"}
    assert seen(engine, "wardens") == {"herons.md", "wall.md"}


@pytest.mark.parametrize(
    "entries",
    [
        [{"path": "wall.md"}],
        [{"path": "herons.md"}],
        [{"path": "herons.md", "tags": ["birds"], "date": "2024"}],
    ],
)
def test_a_manifest_that_does_not_say_who_may_see_it_opens_nothing(
    engine: Engine, folder: Path, entries: Sequence[dict[str, object]]
) -> None:
    report = engine.index([folder], manifest=listed(folder, "other.json", *entries))
    assert report.kept_closed == ("herons.md",)
    assert seen(engine) == {"wall.md"}


def test_an_entry_that_says_who_may_see_a_document_is_obeyed(engine: Engine, folder: Path) -> None:
    report = engine.index(manifest=listed(folder, "list.json", {"path": "herons.md", "acl": ["ringers"]}))
    assert report.kept_closed == ()
    assert seen(engine, "wardens") == {"wall.md"}
    assert seen(engine, "ringers") == {"herons.md", "wall.md"}
    engine.index(manifest=listed(folder, "list.json", {"path": "herons.md", "acl": OPENED}))
    assert seen(engine) == {"herons.md", "wall.md"}


def test_a_document_that_went_and_came_back_is_as_closed_as_it_was(engine: Engine, folder: Path) -> None:
    (folder / "herons.md").unlink()
    engine.index([folder], prune=True)
    files(folder, {"herons.md": HERONS})
    engine.index([folder])
    assert seen(engine) == names(engine) == {"wall.md"}
    engine.remove("herons.md")
    engine.index([folder], mode="full")
    assert seen(engine) == names(engine) == {"wall.md"}


def test_a_document_that_could_not_be_read_for_a_while_is_as_closed_as_it_was(engine: Engine, folder: Path) -> None:
    herons = folder / "herons.md"
    herons.unlink()
    os.mkfifo(herons)
    engine.index([folder])
    assert names(engine) == {"wall.md"}
    herons.unlink()
    herons.write_bytes(b"\x00\xff" * 40)
    engine.index([folder])
    assert names(engine) == {"wall.md"}
    files(folder, {"herons.md": HERONS})
    engine.index([folder])
    assert seen(engine) == names(engine) == {"wall.md"}


def test_what_lies_in_a_closed_archive_or_mail_is_as_closed_as_that(tmp_path: Path) -> None:
    folder = files(tmp_path / "docs", {"wall.md": WALL})

    def pack(*members: str) -> None:
        with zipfile.ZipFile(folder / "birds.zip", "w") as archive:
            for name in members:
                archive.writestr(name, HERONS)
        message = EmailMessage()
        message["Subject"] = "Count"
        message.set_content("The herons are counted.")
        message.add_attachment(HERONS.encode(), maintype="application", subtype="octet-stream", filename="count.md")
        (folder / "birds.eml").write_bytes(message.as_bytes() + len(members) * b"\n")

    pack("herons.md")
    entries: list[dict[str, object]] = [{"path": "birds.zip", "acl": CLOSED}, {"path": "birds.eml", "acl": CLOSED}]
    with open_engine(SETTINGS, folder / ".pincite", create=True) as engine:
        engine.index([folder], manifest=listed(folder, "list.json", *entries))
        assert names(engine) == {"wall.md"}
        closed = names(engine, "wardens")
        assert {"birds.zip!/herons.md", "birds.eml!/count.md"} < closed
        engine.index([folder], mode="full")
        assert seen(engine) == names(engine) == {"wall.md"}
        pack("herons.md", "weir.md", "unknown.zzz")
        report = engine.index([folder])
        assert seen(engine) == names(engine) == {"wall.md"}
        assert names(engine, "wardens") == closed | {"birds.zip!/weir.md", "birds.zip!/unknown.zzz"}
        assert report.kept_closed == ("birds.eml", "birds.zip")
        opened = [{**entry, "acl": OPENED} for entry in entries]
        engine.index([folder], manifest=listed(folder, "list.json", *opened))
        assert names(engine) == names(engine, "wardens")


def test_what_is_refused_is_as_closed_as_an_entry_says(tmp_path: Path) -> None:
    folder = files(tmp_path / "docs", {"wall.md": WALL, "plan.zzz": "?"})
    manifest = listed(folder, "list.json", {"path": "plan.zzz", "acl": CLOSED})
    with open_engine(SETTINGS, folder / ".pincite", create=True) as engine:
        engine.index([folder], manifest=manifest)
        engine.index([folder], mode="full")
        assert names(engine) == {"wall.md"}
        assert names(engine, "wardens") == {"wall.md", "plan.zzz"}


def test_documents_that_were_read_elsewhere_stay_closed_too(tmp_path: Path) -> None:
    with hashing_engine(tmp_path) as engine:
        engine.index_documents([(source("herons.md", acl=("wardens",)), document(HERONS))])
        report = engine.index_documents([(source("herons.md"), document(HERONS, "They lay four eggs."))])
        assert report.kept_closed == ("herons.md",)
        assert names(engine) == set()
        engine.index_documents([(source("herons.md", acl=("ringers",)), document(HERONS))])
        assert names(engine, "ringers") == {"herons.md"}


def test_the_command_says_in_one_line_what_to_type(command: Run, folder: Path, engine: Engine) -> None:
    engine.close()
    (told,) = (line for line in command("index", folder).stderr.splitlines() if "closed" in line)
    assert told.startswith("pincite: herons.md stays closed")
    assert '"acl": []' in told
