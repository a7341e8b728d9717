"""1. Whatever fails on one document, that one is refused and the others are indexed. 2. It is tried again by the next
run. 3. What is no fault of a document ends the run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.support.documents import document, source
from tests.support.engines import RULES, hashing_engine
from tests.support.promises import files

from pincite.build import copies, editions, publish
from pincite.build.faults import DocumentError, all_together, each_alone
from pincite.cli.main import main
from pincite.deadline import Deadline
from pincite.engine.engine import Engine
from pincite.errors import ServiceError
from pincite.records.sources import IndexReport
from pincite.records.triplets import RawTriplet
from pincite.store.sql_record import SqlRecord
from pincite_testing.hashing_embedder import HashingEmbedder

FAULTY = "b.pdf"
TEXTS = {
    "a.pdf": "Anna Berg founded Rivian in Vienna. Snow lies on the roof.",
    FAULTY: "Elon Musk founded Tesla in a cursed year. Wind acts on the wall.",
    "c.pdf": "Karl Marx founded a harbour in Bremen. The harbour is deep.",
}
STAGES: dict[str, tuple[Any, str]] = {
    "structuring": (editions, "find_references"),
    "cutting it into chunks": (editions, "cut_chunks"),
    "finding names": (editions, "find_mentions"),
    "storing": (SqlRecord, "put_edition"),
    "comparing it with others": (copies, "newer_revisions"),
    "linking": (publish, "link_references"),
    "indexing its words": (publish, "tokenise"),
    "embedding": (HashingEmbedder, "embed"),
}


class CursedExtractor:
    """Rules that break on one word."""

    name, version = "cursed", "1"

    def extract(
        self, sentences: Sequence[str], language: str | None, *, deadline: Deadline = Deadline.never()
    ) -> list[list[RawTriplet]]:
        if any("cursed" in sentence for sentence in sentences):
            raise IndexError("list index out of range")
        return RULES.extract(sentences, language, deadline=deadline)


def breaking(work: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, but that it breaks wherever the faulty document is among what it is given."""

    def broken(*arguments: Any, **options: Any) -> Any:
        given = [list(item) if isinstance(item, Iterator) else item for item in arguments]
        if "cursed" in repr(given) or f"source_id={FAULTY!r}" in repr(given):
            raise IndexError("list index out of range")
        return work(*given, **options)

    return broken


def put(engine: Engine) -> IndexReport:
    return engine.index_documents([(source(name), document(text, title=name)) for name, text in TEXTS.items()])


def assert_the_others_are_there(engine: Engine, report: IndexReport, stage: str) -> None:
    reason = f"internal error while {stage}: please report it; --debug shows where"
    ended = [(item.source, item.status, item.reason) for item in report.documents]
    assert ended == [("a.pdf", "indexed", None), (FAULTY, "refused", reason), ("c.pdf", "indexed", None)]
    assert report.counts["refused"] == 1
    assert [state.status for state in engine.session().documents.sources()] == ["indexed", "refused", "indexed"]
    found = [item.chunk.source_id for item in engine.search("Who founded what?").evidence]
    assert sorted(found) == ["a.pdf", "c.pdf"]
    assert engine.verify() == []


@pytest.mark.parametrize("stage", STAGES)
def test_whatever_fails_on_one_document_the_others_are_indexed(
    stage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    holder, name = STAGES[stage]
    with monkeypatch.context() as planted, hashing_engine(tmp_path) as engine:
        planted.setattr(holder, name, breaking(getattr(holder, name)))
        assert_the_others_are_there(engine, put(engine), stage)
        assert_the_others_are_there(engine, put_again(engine), stage)
    with hashing_engine(tmp_path) as engine:
        assert [item.status for item in put(engine).documents] == ["unchanged", "indexed", "unchanged"]


def put_again(engine: Engine) -> IndexReport:
    report = put(engine)
    assert [item.status for item in report.documents] == ["unchanged", "refused", "unchanged"]
    for name in ("a.pdf", "c.pdf"):
        engine.remove(name)
    return put(engine)


def test_a_sentence_that_breaks_the_extractor_refuses_its_document_alone(tmp_path: Path) -> None:
    with hashing_engine(tmp_path, extractor=CursedExtractor()) as engine:
        assert_the_others_are_there(engine, put(engine), "finding triplets")
        assert engine.session().graph.triplets("a.pdf")


def test_an_earlier_edition_of_a_document_that_fails_is_no_longer_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hashing_engine(tmp_path) as engine:
        put(engine)
        monkeypatch.setattr(publish, "link_references", breaking(publish.link_references))
        engine.index_documents([(source("d.pdf"), document("The sea is calm."))])
        assert {state.source.source_id: state.status for state in engine.session().documents.sources()} == {
            **dict.fromkeys(("a.pdf", "c.pdf", "d.pdf"), "indexed"),
            FAULTY: "refused",
        }


def test_a_missing_service_and_an_interruption_end_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for error in (ServiceError("the model does not answer"), KeyboardInterrupt()):

        def fail(*_: Any, cause: BaseException = error) -> None:
            raise cause

        monkeypatch.setattr(editions, "find_mentions", fail)
        with hashing_engine(tmp_path) as engine, pytest.raises(type(error)):
            put(engine)


def test_an_interruption_that_a_library_tells_in_its_own_way_ends_the_run() -> None:
    def interrupted(_: Sequence[str]) -> list[str]:
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as error:
            raise ImportError("half loaded") from error

    with pytest.raises(ImportError, match="half loaded"):
        each_alone(interrupted, ["a"])


def test_of_a_set_the_item_with_which_it_begins_to_fail_is_named() -> None:
    def work(items: Sequence[str]) -> str:
        if "m" in items and "b" in items:
            raise ValueError("b and m do not go together")
        return "".join(items)

    assert all_together(work, "abcdefghijkl", str, "joining") == "abcdefghijkl"
    with pytest.raises(DocumentError, match="internal error while joining") as found:
        all_together(work, "abcdefghijklmnopq", str, "joining")
    assert list(found.value.errors) == ["m"]


def test_the_command_ends_with_one_and_shows_where_if_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = files(tmp_path, {"a.md": "Snow lies on the roof.", "b.md": "This is a cursed year."})
    monkeypatch.setattr(editions, "find_mentions", breaking(editions.find_mentions))
    command = ["index", str(folder), "--embedder", "none", "--workers", "1"]
    assert main(command) == 1
    shown = capsys.readouterr()
    assert "refused   b.md: internal error while finding names: please report it; --debug shows where" in shown.out
    assert "1 indexed, 1 refused" in shown.out
    assert shown.err == ""
    assert main([*command, "--debug"]) == 1
    assert "IndexError: list index out of range" in capsys.readouterr().err
