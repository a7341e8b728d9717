"""A locked database, a clock that jumps: who asks is answered, or told what is wrong, and nobody waits for ever."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.support.promises import SETTINGS
from tests.support.served import CLOSED, Served, made_store

from pincite.audit import chain, receipts
from pincite.engine import asking
from pincite.errors import PinciteError
from pincite.store import rows
from pincite.wiring import open_engine

QUESTION = {"query": "Who clears the snow?"}
MOST_SECONDS = 60.0
DATABASES = ("record.sqlite", "audit.sqlite", "cache.sqlite")


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Nobody else may write into the database, as while another program copies or mends it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@pytest.mark.parametrize("name", DATABASES)
def test_who_asks_is_answered_while_a_database_is_locked(fresh: Served, name: str) -> None:
    fresh.client.get("/qa", params={"query": "Where does wind act?"})
    with locked(fresh.folder / ".pincite" / name):
        started = time.monotonic()
        found = fresh.client.get("/qa", params=QUESTION)
        assert time.monotonic() - started < MOST_SECONDS
        assert found.status_code in (200, 503), found.text
        if found.status_code == 200:
            assert "clears the snow" in found.text
    assert "clears the snow" in fresh.client.get("/qa", params=QUESTION).text


@pytest.mark.parametrize("years", [-30, 30])
def test_a_clock_that_jumps_changes_no_answer_and_breaks_no_chain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, years: int
) -> None:
    class Jumped(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return datetime.now(tz or UTC) + timedelta(days=365 * years)

    with open_engine(SETTINGS, made_store(tmp_path / "docs")) as engine:
        session = engine.session()
        before = session.ask(QUESTION["query"])
        for module in (asking, chain, receipts, rows):
            monkeypatch.setattr(module, "datetime", Jumped)
        during = session.ask("Where does wind act?")
        again = session.ask(QUESTION["query"])
        monkeypatch.undo()
        after = session.ask(QUESTION["query"])
        assert [item.text for item in again.statements] == [item.text for item in before.statements]
        assert [item.text for item in after.statements] == [item.text for item in before.statements]
        assert {run.run_id for run in session.audit.runs()} >= {before.trace_id, during.trace_id}
        assert engine.check_chain().problems == ()
        assert session.audit.replay(during.trace_id).same
        with pytest.raises(PinciteError):
            session.documents.source(CLOSED)
