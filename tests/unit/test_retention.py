"""How long a store remembers: `gc` with `retention_days` forgets older answers and what documents said before."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.support.documents import document, source
from tests.support.engines import hashing_engine

from pincite.cli.main import main
from pincite.engine.engine import Engine
from pincite.errors import SettingsError, StoreError
from pincite.records.answers import Answer
from pincite.records.audit import Forgotten
from pincite.records.questions import Filter
from pincite.settings import Settings, load_settings
from pincite.wiring import open_engine

QUESTION = "Where does snow lie?"
OLD = "Snow lies on the roof. It shall be cleared by the owner."
NEW = "Snow lies on the wall. The wall carries 0.4 kN."
LATER = datetime.now(UTC) + timedelta(days=1)
EARLIER = datetime.now(UTC) - timedelta(days=1)


def put(engine: Engine, text: str) -> None:
    engine.index_documents([(source("a.pdf"), document(text, title="a.pdf"))])


def asked(engine: Engine, as_of: str | None = None) -> Answer:
    return engine.ask(QUESTION, filter=Filter(as_of=as_of), receipt=False)


def rows(folder: Path, table: str) -> int:
    with closing(sqlite3.connect(folder / "record.sqlite")) as record:
        return int(record.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with hashing_engine(tmp_path) as made:
        put(made, OLD)
        put(made, NEW)
        made.collect()
        yield made


def test_what_a_document_said_before_is_forgotten_with_its_chunks_and_vectors(engine: Engine, tmp_path: Path) -> None:
    before, held = asked(engine).to_dict(stable=True), {table: rows(tmp_path, table) for table in ("chunk", "vector")}
    assert engine.forget(LATER) == Forgotten(receipts=0, editions=1)
    assert {table: rows(tmp_path, table) for table in held} == {table: count // 2 for table, count in held.items()}
    assert asked(engine).to_dict(stable=True) == before
    assert engine.verify() == []
    assert engine.forget(LATER) == Forgotten()


def test_a_past_that_is_forgotten_is_refused_with_the_first_revision_that_is_kept(engine: Engine) -> None:
    engine.forget(LATER)
    with pytest.raises(StoreError, match=r"revision 1 was removed \(retention_days\): ask as of revision 2 or a later"):
        asked(engine, "1")
    assert "wall" in asked(engine, "2").evidence[0].chunk.content


def test_nothing_younger_is_forgotten(engine: Engine) -> None:
    engine.ask(QUESTION)
    assert engine.forget(EARLIER) == Forgotten()
    assert "roof" in asked(engine, "1").summary


def test_what_a_young_receipt_was_asked_of_stays_and_is_replayed(engine: Engine, tmp_path: Path) -> None:
    answer = engine.ask(QUESTION, filter=Filter(as_of="1"))
    engine.collect()
    with closing(sqlite3.connect(tmp_path / "record.sqlite")) as record:
        record.execute("UPDATE revision SET created_utc = '2024-05-01T00:00:00+00:00'")
        record.commit()
    assert engine.forget(EARLIER) == Forgotten()
    assert engine.session().audit.replay(answer.trace_id).same


def test_what_a_reader_holds_stays(tmp_path: Path) -> None:
    with hashing_engine(tmp_path) as engine:
        put(engine, OLD)
        asked(engine)
        with hashing_engine(tmp_path) as writer:
            put(writer, NEW)
            writer.collect()
            assert writer.forget(LATER).editions == 0


def test_an_old_receipt_is_forgotten_and_the_chain_stays_whole(engine: Engine) -> None:
    answer = engine.ask(QUESTION)
    assert engine.forget(LATER).receipts == 1
    assert engine.session().audit.restored(engine.session().audit.receipt(answer.trace_id)) is None
    report = engine.check_chain()
    assert (report.runs, report.problems) == (1, ())
    with pytest.raises(StoreError, match="was purged"):
        engine.session().audit.replay(answer.trace_id)
    assert engine.forget(LATER).receipts == 0


def test_a_document_that_is_as_it_was_before_is_taken_in_again(engine: Engine) -> None:
    engine.forget(LATER)
    put(engine, OLD)
    assert "roof" in asked(engine).summary
    assert engine.verify() == []


def test_gc_forgets_only_where_the_setting_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    store, file = tmp_path / ".pincite", tmp_path / "a.txt"
    with open_engine(Settings(embedder="none"), store, create=True) as engine:
        for text in (OLD, NEW):
            file.write_text(text, encoding="utf-8")
            engine.index([file])
    with closing(sqlite3.connect(store / "record.sqlite")) as record:
        record.execute("UPDATE revision SET created_utc = '2024-05-01T00:00:00+00:00'")
        record.commit()
    assert main(["gc", "--store", str(store)]) == 0
    assert "editions" not in capsys.readouterr().out
    monkeypatch.setenv("PINCITE_RETENTION_DAYS", "30")
    assert main(["gc", "--store", str(store)]) == 0
    assert "0 old receipts and 1 old editions of documents removed" in capsys.readouterr().out


def test_days_below_zero_are_refused() -> None:
    with pytest.raises(SettingsError, match="retention_days must be 0 or more"):
        load_settings(environment={}, options={"retention_days": -1})
