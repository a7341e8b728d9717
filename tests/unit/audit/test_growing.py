"""Receipts grow by artifacts: what is kept of a question later leaves the chains whole that were written before."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

import pytest
from sqlalchemy import Column, Integer, MetaData, String, Table
from tests.support.documents import document, source
from tests.support.engines import hashing_engine

from pincite.audit.chain import check_chain, digest_of, sealed
from pincite.audit.kept import packed
from pincite.audit.receipts import purge_receipts
from pincite.errors import StoreError
from pincite.records.audit import Run
from pincite.store.opening import open_versioned
from pincite_testing.memory_receipts import MemoryReceipts
from pincite_testing.receipt_store_contract import retrieval, run


@dataclass(frozen=True)
class LaterRun(Run):
    """A run of a later pincite, which tells more."""

    tokens: int = 7


def later(made: Run) -> LaterRun:
    return LaterRun(**{name: getattr(made, name) for name in Run.__dataclass_fields__})


def put(store: MemoryReceipts, contents: dict[str, bytes]) -> Run:
    """A run with these artifacts, behind the others."""
    number = len(store.runs()) + 1
    artifacts = {name: sha256(content).hexdigest() for name, content in contents.items()}
    made = replace(run(number), artifacts=artifacts)
    query = replace(retrieval(number), run_id=made.run_id)
    return store.put_run(lambda place, previous: sealed(made, place, previous), list(contents.values()), query, [])


def test_a_field_that_a_run_gets_later_changes_no_digest_of_before() -> None:
    made = sealed(run(1), 1, "")
    assert digest_of(later(made)) == made.digest


def test_the_digest_of_a_run_is_the_one_that_it_always_was() -> None:
    assert digest_of(run(1)) == "fc2ad5d40d17533a5115db63f62ad8749a600f1d5985db3edebdc8926e601bbb"


def test_a_purge_takes_out_every_artifact_that_may_tell_of_a_document() -> None:
    store = MemoryReceipts()
    mark = packed({"source_id": "a.pdf"})
    first = put(store, {"request": b"{}", "environment": b"{}", "answer": packed({"evidence": []}), "prompts": mark})
    second = put(store, {"request": b"{} ", "prompts": packed({"source_id": "b.pdf"})})
    purge_receipts(store, "a.pdf")
    held = {name: store.content(digest) is not None for name, digest in first.artifacts.items()}
    assert held == {"request": True, "environment": True, "answer": False, "prompts": False}
    assert all(store.content(digest) is not None for digest in second.artifacts.values())
    assert check_chain(store).problems == ()


def test_a_receipt_shows_artifacts_that_this_pincite_does_not_know(tmp_path: Path) -> None:
    with hashing_engine(tmp_path) as engine:
        engine.index_documents([(source("a.pdf"), document("Snow lies on the roof."))])
        answer = engine.ask("Where does snow lie?")
        content = packed({"tokens": 7})
        digest = sha256(content).hexdigest()
        store = engine._asker.receipts
        (known,) = store.runs()
        more = replace(known, run_id="later", artifacts={**known.artifacts, "usage": digest})
        query = replace(retrieval(7), run_id="later")
        store.put_run(lambda place, previous: sealed(more, place, previous), [content], query, [])
        assert engine.session().audit.receipt("later").others == {"usage": {"tokens": 7}}
        assert engine.session().audit.receipt(answer.trace_id).others == {}


# --- the file ----------------------------------------------------------------------------------------------

STEPS = {2: ("ALTER TABLE run ADD COLUMN tokens INTEGER NOT NULL DEFAULT 0",), 3: ("UPDATE run SET tokens = 7",)}


def tables(*columns: Column[int]) -> MetaData:
    made = MetaData()
    Table("run", made, Column("name", String(8), primary_key=True), *columns)
    return made


def test_a_file_of_an_older_version_gets_what_its_tables_lack_step_by_step(tmp_path: Path) -> None:
    path = tmp_path / "audit.sqlite"
    old = open_versioned(path, tables(), 1, {})
    with old.transaction() as connection:
        connection.exec_driver_sql("INSERT INTO run VALUES ('first')")
    old.close()

    for _ in range(2):
        database = open_versioned(path, tables(Column("tokens", Integer)), 3, STEPS)
        with database.transaction() as connection:
            assert connection.exec_driver_sql("SELECT name, tokens FROM run").all() == [("first", 7)]
            assert connection.exec_driver_sql("PRAGMA user_version").scalar() == 3
        database.close()


def test_a_file_of_the_first_version_that_does_not_say_its_number_takes_all_steps(tmp_path: Path) -> None:
    path = tmp_path / "audit.sqlite"
    open_versioned(path, tables(), 1, {}).close()
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA user_version = 0")
    database = open_versioned(path, tables(Column("tokens", Integer)), 3, STEPS)
    with database.transaction() as connection:
        assert [row[1] for row in connection.exec_driver_sql("PRAGMA table_info(run)")] == ["name", "tokens"]
    database.close()


def test_a_new_file_takes_no_steps(tmp_path: Path) -> None:
    path = tmp_path / "audit.sqlite"
    database = open_versioned(path, tables(Column("tokens", Integer)), 3, STEPS)
    with database.transaction() as connection:
        assert connection.exec_driver_sql("SELECT name, tokens FROM run").all() == []
    database.close()


def test_a_step_that_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "audit.sqlite"
    open_versioned(path, tables(), 1, {}).close()
    with pytest.raises(StoreError, match="cannot be used"):
        open_versioned(path, tables(), 2, {2: (*STEPS[2], "ALTER TABLE nothing ADD COLUMN tokens")})
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("PRAGMA user_version").fetchone() == (1,)
        assert [row[1] for row in file.execute("PRAGMA table_info(run)")] == ["name"]


def test_receipts_from_before_the_chain_grew_are_whole_and_asked_again(tmp_path: Path) -> None:
    with hashing_engine(tmp_path) as engine:
        engine.index_documents([(source("a.pdf"), document("Snow lies on the roof."))])
        answer = engine.ask("Where does snow lie?")
    with closing(sqlite3.connect(tmp_path / "audit.sqlite")) as file:
        file.executescript("ALTER TABLE run DROP COLUMN who; DROP TABLE event; PRAGMA user_version = 1")
        (artifacts,) = file.execute("SELECT artifacts_json FROM run").fetchone()
    assert set(json.loads(artifacts)) == {"request", "environment", "answer", "used", "output"}
    with hashing_engine(tmp_path) as engine:
        assert engine.check_chain().problems == ()
        assert engine.session().audit.replay(answer.trace_id).same
