"""An edition is as closed as it was then, and as it is now: in questions to the past, receipts and passages."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.support.documents import document, source
from tests.support.engines import hashing_engine

from pincite.engine.engine import Engine
from pincite.errors import NotThereError, StoreError
from pincite.records.questions import Filter
from pincite.store.sql_record import SqlRecord
from pincite_testing.samples import sample_edition

QUESTION = "What does the orchard cost?"
FULL, REDACTED = "The orchard costs 700 acorns.", "The orchard costs what is not published."
BOARD, STAFF = ("board",), ("staff",)


def put(engine: Engine, text: str, acl: tuple[str, ...] = ()) -> None:
    engine.index_documents([(source("orchard.md", acl=acl), document(text))])


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with hashing_engine(tmp_path) as made:
        made.index_documents([(source("weir.md"), document("The weir is old."))])
        yield made


def told(engine: Engine, as_of: int | None, *principals: str) -> set[str]:
    """What somebody is told of the orchard, now or as of a revision."""
    when = None if as_of is None else str(as_of)
    found = engine.session(principals).search(QUESTION, filter=Filter(as_of=when), receipt=False)
    return {item.chunk.content for item in found.evidence if item.chunk.source_id == "orchard.md"}


@pytest.mark.promise
def test_a_redacted_edition_that_is_open_to_all_opens_none_before_it(engine: Engine) -> None:
    put(engine, FULL, BOARD)
    closed = engine.session().revision()
    put(engine, REDACTED, BOARD)
    engine.set_access({"orchard.md": ()})
    assert told(engine, None) == {REDACTED}
    assert told(engine, closed) == told(engine, closed, *STAFF) == set()
    assert told(engine, closed, *BOARD) == {FULL}
    assert told(engine, closed + 1) == set()


def test_what_is_closed_now_is_closed_as_of_then_too(engine: Engine) -> None:
    put(engine, FULL)
    revision = engine.session().revision()
    engine.set_access({"orchard.md": BOARD})
    assert told(engine, revision) == told(engine, None) == set()
    assert told(engine, revision, *BOARD) == told(engine, None, *BOARD) == {FULL}


def test_who_may_see_it_now_and_might_not_then_sees_what_is_now_alone(engine: Engine) -> None:
    put(engine, FULL, BOARD)
    revision = engine.session().revision()
    put(engine, REDACTED, STAFF)
    assert told(engine, None, *STAFF) == {REDACTED}
    assert told(engine, revision, *STAFF) == told(engine, revision, *BOARD) == set()
    assert told(engine, revision, *BOARD, *STAFF) == {FULL}


def test_an_edition_that_was_closed_after_a_while_stays_closed_behind_the_next(engine: Engine) -> None:
    put(engine, FULL)
    revision = engine.session().revision()
    engine.set_access({"orchard.md": BOARD})
    put(engine, REDACTED, BOARD)
    engine.set_access({"orchard.md": ()})
    assert told(engine, revision) == set()
    assert told(engine, revision, *BOARD) == {FULL}


def test_an_edition_that_was_never_closed_is_open_although_the_next_one_was_not(engine: Engine) -> None:
    put(engine, REDACTED)
    revision = engine.session().revision()
    put(engine, FULL, BOARD)
    engine.set_access({"orchard.md": ()})
    assert told(engine, revision) == {REDACTED}


def test_what_is_opened_unchanged_is_open_from_then_on(engine: Engine) -> None:
    put(engine, FULL, BOARD)
    revision = engine.session().revision()
    engine.set_access({"orchard.md": ()})
    assert told(engine, None) == told(engine, engine.session().revision()) == {FULL}
    assert told(engine, revision) == set()
    assert engine.verify() == []


@pytest.mark.parametrize("asked_by", [BOARD, ()])
def test_a_receipt_stays_closed_when_its_document_is_opened_behind_it(
    engine: Engine, asked_by: tuple[str, ...]
) -> None:
    put(engine, FULL, () if not asked_by else BOARD)
    run = engine.session(asked_by).ask(QUESTION).trace_id
    engine.set_access({"orchard.md": BOARD})
    put(engine, REDACTED, BOARD)
    engine.set_access({"orchard.md": ()})
    for principals in ((), STAFF):
        asker = engine.session(principals)
        assert [entry.run_id for entry in asker.audit.runs()] == []
        assert not any(entry.get("run_id") == run for entry in asker.audit.exported())
        for look in (asker.audit.receipt, asker.audit.replay):
            with pytest.raises(NotThereError):
                look(run)
    assert engine.session(BOARD).audit.receipt(run).output is not None
    own = engine.ask(QUESTION).trace_id
    assert [entry.run_id for entry in engine.session().audit.runs()] == [own]


def test_who_asked_is_compared_where_nothing_is_closed_too(engine: Engine) -> None:
    run = engine.session(BOARD).ask("Is the weir old?").trace_id
    own = engine.ask("Is the weir old, then?").trace_id
    assert (
        [entry.run_id for entry in engine.session().audit.runs()]
        == [entry.run_id for entry in engine.session().audit.runs(1)]
        == [own]
    )
    assert {entry.run_id for entry in engine.session(BOARD).audit.runs()} == {run, own}


@pytest.mark.parametrize(
    "look",
    [
        lambda session, chunk: session.documents.neighbours(chunk),
        lambda session, chunk: session.documents.resolve("see 2", chunk),
    ],
)
def test_a_passage_of_a_closed_edition_stays_closed(engine: Engine, look: Callable[..., object]) -> None:
    put(engine, FULL, BOARD)
    (chunk,) = engine.session(BOARD).documents.chunks_at("orchard.md", 0, 9)
    put(engine, REDACTED, BOARD)
    engine.set_access({"orchard.md": ()})
    with pytest.raises(StoreError, match="holds no chunk"):
        look(engine.session(), chunk.chunk_id)
    look(engine.session(BOARD), chunk.chunk_id)


def test_a_record_of_an_older_pincite_knows_what_was_closed(tmp_path: Path) -> None:
    path = tmp_path / "record.sqlite"
    record = SqlRecord(path)
    edition = sample_edition("a.pdf", ["Snow is a load."])
    record.put_edition(edition)
    record.close()
    with closing(sqlite3.connect(path)) as old, old:
        old.execute("DROP TABLE access")
        old.execute("UPDATE source SET acl_json = '[\"board\"]'")
        old.execute("UPDATE meta SET value = '6' WHERE name = 'schema_version'")
    record = SqlRecord(path)
    record.update_source(edition.source)
    past = record.past(1)
    assert [state.source.acl_then for state in past.sources()] == [(BOARD,)]
    past.close()
    record.close()
