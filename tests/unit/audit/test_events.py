"""1. What is done beside questions stands in one chain with receipts, which tells of every edit, drop and reorder.
2. Who asked and who did stands there. 3. What is closed to somebody is told to them in no event."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.support.documents import document, source
from tests.support.engines import hashing_engine

from pincite.audit.chain import check_chain, digest_of, entries_of, sealed, store_event
from pincite.engine.engine import Engine
from pincite.errors import UsageError
from pincite.records.audit import AuditEvent, Run
from pincite_testing.memory_receipts import MemoryReceipts
from pincite_testing.receipt_store_contract import event, retrieval, run

QUESTION = "Where does snow lie?"


def chained() -> MemoryReceipts:
    """Events and receipts by turns: event 1, receipt 2, event 3, receipt 4."""
    store = MemoryReceipts()
    for number in (1, 3):
        store.put_event(lambda place, previous, number=number: sealed(event(number), place, previous))  # type: ignore[misc]
        made = replace(run(number + 1), artifacts={}, who="ada")
        query = replace(retrieval(number + 1), run_id=made.run_id)
        store.put_run(lambda place, previous, made=made: sealed(made, place, previous), [], query, [])  # type: ignore[misc]
    return store


def test_events_and_receipts_are_one_chain() -> None:
    report = check_chain(chained())
    assert (report.runs, report.events, report.problems) == (2, 2, ())
    assert report.head == entries_of(chained())[-1].digest


CHANGES: dict[str, Any] = {
    "created_utc": datetime(2027, 1, 1, tzinfo=UTC),
    "kind": "deleted",
    "who": "eve",
    "source_id": "other.pdf",
    "page": 7,
    "trace_id": "",
    "details": {"acl": ["board"], "bytes": 8},
}


@pytest.mark.parametrize("name", CHANGES)
def test_an_event_that_was_edited_is_told(name: str) -> None:
    store = chained()
    store._events[0] = replace(store._events[0], **{name: CHANGES[name]})
    assert check_chain(store).problems == (f"event {event(1).event_id}: it was changed",)


def test_an_event_that_was_made_up_anew_is_told_by_what_follows() -> None:
    store = chained()
    forged = replace(store._events[0], who="eve")
    store._events[0] = replace(forged, digest=digest_of(forged))
    assert check_chain(store).problems == (f"receipt {run(2).run_id}: what stood before it was changed",)


@pytest.mark.parametrize("kind", ["_events", "_runs"])
def test_an_entry_that_was_dropped_is_told(kind: str) -> None:
    store = chained()
    del getattr(store, kind)[0 if kind == "_runs" else 1]
    assert [line.partition(": ")[2] for line in check_chain(store).problems] == [
        "1 receipts or events before it are missing"
    ]


def test_entries_that_changed_places_are_told() -> None:
    store = chained()
    first, third = store._events
    store._events = [
        replace(third, number=first.number, previous=first.previous),
        replace(first, number=third.number, previous=third.previous),
    ]
    assert len(check_chain(store).problems) == 4


def test_an_end_that_was_cut_off_is_told_to_who_noted_the_last_digest() -> None:
    store = chained()
    noted = check_chain(store).head
    assert check_chain(store, noted).problems == ()
    store._runs.pop()
    assert check_chain(store).problems == ()
    assert check_chain(store, noted).problems == (
        f"no receipt or event has the SHA-256 {noted}: the end of the chain was cut off or changed",
    )


def test_who_asked_is_sealed_and_runs_of_before_keep_their_digests() -> None:
    store = chained()
    for who in ("", "eve"):
        store._runs[0] = replace(store._runs[0], who=who)
        assert check_chain(store).problems == (f"receipt {run(2).run_id}: it was changed",)
    assert digest_of(run(1)) == "fc2ad5d40d17533a5115db63f62ad8749a600f1d5985db3edebdc8926e601bbb"


# --- of a store --------------------------------------------------------------------------------------------


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with hashing_engine(tmp_path) as made:
        closed = replace(source("board.pdf"), acl=("board",))
        made.index_documents(
            [
                (source("a.pdf"), document("Snow lies on the roof.", title="a.pdf")),
                (closed, document("The zebra is paid.", title="board.pdf")),
            ]
        )
        yield made


def test_who_asked_stands_in_the_receipt_and_changes_no_replay(engine: Engine) -> None:
    asked = engine.session((), "ada").ask(QUESTION)
    again = engine.ask(QUESTION)
    assert [found.who for found in engine.session().audit.runs()] == ["", "ada"]
    assert asked.to_dict(stable=True) == again.to_dict(stable=True)
    assert engine.session().audit.replay(asked.trace_id).same
    assert engine.check_chain().problems == ()


def test_what_somebody_does_stands_in_the_chain_under_their_name(engine: Engine) -> None:
    ada = engine.session(("board",), "ada")
    assert ada.audit.record_event("page seen", "a.pdf", page=1)
    answer = ada.ask(QUESTION)
    assert ada.audit.record_event("clicked", "a.pdf", trace_id=answer.trace_id, details={"said": "useful"})
    engine.remove("a.pdf", who="ada")
    done = [
        (found.kind, found.who, found.source_id, found.page, found.number) for found in engine.session().audit.events()
    ]
    assert done == [
        ("deleted", "ada", "a.pdf", None, 4),
        ("clicked", "ada", "a.pdf", None, 3),
        ("page seen", "ada", "a.pdf", 1, 1),
    ]
    report = engine.check_chain()
    assert (report.runs, report.events, report.problems) == (1, 3, ())


def test_a_purge_is_told_as_one(engine: Engine) -> None:
    engine.remove("a.pdf", purge=True)
    assert [(found.kind, found.source_id) for found in engine.session().audit.events()] == [("purged", "a.pdf")]


def test_an_event_of_a_closed_document_is_shown_to_those_who_see_it(engine: Engine) -> None:
    board = engine.session(("board",), "ada")
    board.audit.record_event("page seen", "board.pdf", page=1)
    board.audit.record_event("uploaded", "not/yet/indexed.pdf", details={"acl": ["board"]})
    assert engine.session().audit.events() == engine.session(("others",)).audit.events() == []
    assert len(board.audit.events()) == 2
    assert list(engine.session().audit.exported()) == []
    assert [entry["source_id"] for entry in board.audit.exported()] == ["board.pdf", "not/yet/indexed.pdf"]
    engine.remove("board.pdf")
    assert engine.session().audit.events() == []


def test_closed_events_hide_no_open_one_behind_them(engine: Engine) -> None:
    board = engine.session(("board",))
    for number in range(1, 4):
        engine.session().audit.record_event("page seen", "a.pdf", page=number)
    for number in range(20):
        board.audit.record_event("page seen", "board.pdf", page=number)
    assert [found.page for found in engine.session().audit.events(2)] == [3, 2]
    assert [found.page for found in engine.session().audit.events(9)] == [3, 2, 1]
    assert len(board.audit.events(9)) == 9


def test_events_that_cannot_be_stored_stop_nothing(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "audit.sqlite").write_bytes(b"no database, but long enough to look like one" * 100)
    assert not engine.session().audit.record_event("page seen", "a.pdf", page=1)
    engine.remove("a.pdf")
    assert [state.source.source_id for state in engine.session(("board",)).documents.sources()] == ["board.pdf"]


def test_everything_is_exported_oldest_first_with_what_is_kept_of_it(engine: Engine) -> None:
    answer = engine.ask(QUESTION)
    engine.session().audit.record_event("clicked", "a.pdf", trace_id=answer.trace_id)
    first, second = json.loads(json.dumps(list(engine.session().audit.exported())))
    assert (first["entry"], first["run_id"], first["number"]) == ("receipt", answer.trace_id, 1)
    assert first["contents"]["output"] == answer.to_dict(stable=True)
    assert (second["entry"], second["kind"], second["previous"]) == ("event", "clicked", first["digest"])
    engine.remove("a.pdf", purge=True)
    assert next(iter(engine.session().audit.exported()))["contents"]["output"] is None


def test_a_time_of_it_alone_is_exported(engine: Engine, tmp_path: Path) -> None:
    for moment in ("2025-12-31T23:59:59+00:00", "2026-01-31T12:30:00.5+00:00", "2026-02-01T00:30:00+01:00"):
        made = AuditEvent(moment, datetime.fromisoformat(moment), "page seen")
        store_event(engine._asker.receipts, made)
    told = [
        [entry["number"] for entry in engine.session().audit.exported(since, until)]
        for since, until in (("2026-01", ""), ("", "2025"), ("2026-01-31", "2026-01-31"), ("2026-01-31T23", ""))
    ]
    assert told == [[2, 3], [1], [2, 3], [3]]
    for wrong in ("yesterday", "2026-1-1", "2026-01-31 12:00", "٢٠٢٦"):
        with pytest.raises(UsageError, match="is no moment"):
            engine.session().audit.exported(since=wrong)


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        ("UPDATE event SET source_id = 'b.pdf'", "it was changed"),
        ("UPDATE event SET details_json = 'no JSON'", "cannot be read"),
        ("DELETE FROM event WHERE number = 1", "1 receipts or events before it are missing"),
        ("UPDATE run SET who = 'eve'", "it was changed"),
        ("UPDATE run SET who = ''", "it was changed"),
        ("UPDATE event SET number = 9 WHERE number = 3", "receipts or events before it are missing"),
    ],
)
def test_whatever_is_done_to_the_file_is_told(engine: Engine, tmp_path: Path, damage: str, told: str) -> None:
    ada = engine.session((), "ada")
    ada.audit.record_event("page seen", "a.pdf", page=1)
    ada.ask(QUESTION)
    ada.audit.record_event("page seen", "a.pdf", page=2)
    with closing(sqlite3.connect(tmp_path / "audit.sqlite")) as audit:
        audit.execute(damage)
        audit.commit()
    try:
        lines = list(engine.check_chain().problems)
    except Exception as error:  # noqa: BLE001
        lines = [str(error)]
    assert any(told in line for line in lines)


def test_the_kinds_of_entries_are_told_apart() -> None:
    assert [type(entry) for entry in entries_of(chained())] == [AuditEvent, Run, AuditEvent, Run]
