"""A store whose record and receipts a server keeps: the same answers, one writer, and clear words when it is away."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import URL, event
from sqlalchemy.pool import Pool
from tests.support.documents import document, source
from tests.support.engines import hashing_engine
from tests.support.postgres import running_server

from pincite.engine.engine import Engine, move_record
from pincite.errors import PinciteError, SettingsError, StoreError
from pincite.records.answers import Answer
from pincite.records.questions import Filter
from pincite.settings import Settings, without_password
from pincite.store.copying import copy_store, places_of
from pincite.store.postgres import PostgresDatabase, name_of, url_of
from pincite.store.sql_receipts import SqlReceipts
from pincite.store.sql_record import SqlRecord
from pincite_testing.samples import sample_edition

QUESTIONS = ("Where does snow lie?", "What acts on the wall?", "See 2 in b.pdf?")


def fill(engine: Engine) -> None:
    engine.index_documents(
        [
            (source("a.pdf"), document("Snow lies on the roof. Wind acts on the gate.")),
            (source("b.pdf"), document("Wind acts on the wall of the quay.")),
        ]
    )
    engine.index_documents([(source("a.pdf"), document("Snow lies on the shed."))])
    engine.set_access({"b.pdf": ["board"]})


def said(answer: Answer) -> object:
    return answer.to_dict(stable=True, explain=True)


def test_the_same_documents_give_the_same_generation_answers_and_past(tmp_path: Path, postgres_url: URL) -> None:
    files, server = hashing_engine(tmp_path / "files"), hashing_engine(tmp_path / "server", place=postgres_url)
    with files, server:
        for engine in (files, server):
            fill(engine)
        assert server.session().generation() == files.session().generation()
        assert server.session().revision() == files.session().revision()
        for question in QUESTIONS:
            for asked in (Filter(), Filter(as_of="1"), Filter(as_of="2")):
                for seen in ((), ("board",)):
                    first, second = (each.session(seen).ask(question, filter=asked) for each in (files, server))
                    assert said(first) == said(second)
        assert server.verify() == []
        assert server.check_chain().problems == ()
        assert "VACUUM FULL" in server.left_by_purge()
        assert files.left_by_purge() == ""
        server.remove("b.pdf", purge=True)
        assert server.check_chain().problems == ()


def test_texts_are_ordered_by_their_bytes_whatever_the_database_orders_by(postgres_url: URL) -> None:
    record = SqlRecord(postgres_url)
    names = ["b.pdf", "B.pdf", "a.pdf", "ä.pdf", "_.pdf", "A.pdf", "a-b.pdf", "ab.pdf"]
    for name in names:
        record.put_edition(sample_edition(name, [f"text of {name}"]))
    assert [chunk.source_id for chunk in record.live_chunks()] == sorted(names)
    record.close()


def test_one_process_writes_at_a_time_and_is_named(postgres_url: URL) -> None:
    first, second = SqlRecord(postgres_url), SqlRecord(postgres_url)
    with first.writer_lock(), pytest.raises(StoreError, match=r"process \d+ on ."), second.writer_lock():
        pass
    with second.writer_lock():
        second.put_edition(sample_edition("a.pdf", ["text"]))
    first.close()
    second.close()


def test_the_next_writer_need_not_wait_until_the_server_has_ended_the_session_of_the_last(postgres_url: URL) -> None:
    stopped: list[int] = []

    def stop(connection: Any, _: object) -> None:
        stopped.append(connection.info.backend_pid)
        os.kill(stopped[-1], signal.SIGSTOP)

    database = PostgresDatabase(postgres_url)
    event.listen(Pool, "close", stop)
    try:
        with database.writer_lock():
            pass
        with database.writer_lock():
            pass
    finally:
        event.remove(Pool, "close", stop)
        for process in stopped:
            os.kill(process, signal.SIGCONT)
        database.close()
    assert len(stopped) == 2


def test_a_writer_whose_session_was_ended_writes_no_more(postgres_url: URL) -> None:
    record, other = SqlRecord(postgres_url), PostgresDatabase(postgres_url)
    with record.writer_lock(), pytest.raises(StoreError, match="held the writer lock"):
        with other.reading() as connection:
            connection.exec_driver_sql(
                "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity "
                "WHERE application_name LIKE 'pincite, process %%' AND datname = current_database()"
            )
        record.put_edition(sample_edition("a.pdf", ["text"]))
    assert record.sources() == []
    record.close()
    other.close()


def test_several_begin_the_same_database_at_one_moment(postgres_url: URL) -> None:
    def begin(_: int) -> str | None:
        record = SqlRecord(postgres_url)
        version = record.setting("schema_version")
        record.close()
        return version

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(begin, range(4)))) == 1


def test_whoever_reads_is_told_of_every_change_and_of_no_receipt(postgres_url: URL) -> None:
    writer, reader, receipts = SqlRecord(postgres_url), SqlRecord(postgres_url), SqlReceipts(postgres_url)
    writer.put_edition(sample_edition("a.pdf", ["text"]))
    before = reader.stamp()
    receipts.purge(["0" * 64])
    assert reader.stamp() == before
    (state,) = reader.sources()
    writer.update_source(replace(state.source, acl=("board",)))
    assert reader.stamp() != before
    for store in (writer, reader, receipts):
        store.close()


def test_a_server_that_is_killed_loses_nothing(tmp_path: Path) -> None:
    with running_server() as server:
        url = server.new_database()
        record = SqlRecord(url)
        record.put_edition(sample_edition("a.pdf", ["first", "second"]))
        before = record.sources()
        server.kill()
        with pytest.raises(StoreError, match=r"postgresql://pincite@127\.0\.0\.1") as failure:
            record.sources()
        assert "\n" not in str(failure.value)
        server.start()
        with pytest.raises(StoreError):
            record.put_edition(sample_edition("b.pdf", ["third"]))
        record.put_edition(sample_edition("b.pdf", ["third"]))
        assert record.sources()[0] == before[0]
        assert len(record.sources()) == 2
        record.close()


def test_a_store_goes_to_the_server_and_back(tmp_path: Path, postgres_url: URL) -> None:
    folder = tmp_path / "store"
    with hashing_engine(folder) as engine:
        fill(engine)
        answer = engine.ask(QUESTIONS[0])
        generation = engine.session().generation()
    url, told = postgres_url.render_as_string().replace("+psycopg", ""), []
    there, name = move_record(Settings(), folder, to=url, source=None, told=lambda *row: told.append(row))
    assert ("source", 2) in told
    assert name == name_of(postgres_url)
    assert (folder / "record.sqlite.moved").is_file()
    with pytest.raises(StoreError, match="set record_url to it"):
        places_of(Settings(), folder)
    with hashing_engine(folder, place=postgres_url) as engine:
        assert engine.verify() == []
        assert engine.session().generation() == generation
        assert engine.session().audit.restored(engine.session().audit.receipt(answer.trace_id)) == answer
        assert engine.check_chain().problems == ()
    with pytest.raises(StoreError, match="holds a store already"):
        copy_store(
            (folder / "record.sqlite.moved", folder / "audit.sqlite.moved"), (postgres_url,) * 2, lambda *_: None
        )
    back, _ = move_record(Settings(), folder, to=None, source=url, told=lambda *_: None)
    assert back == there
    with hashing_engine(folder) as engine:
        assert engine.verify() == []
        assert engine.session().generation() == generation


def test_nobody_is_there(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="does not answer") as failure:
        SqlRecord(url_of("postgresql://ada:hush@127.0.0.1:9/pincite"))
    assert "hush" not in str(failure.value)


@pytest.mark.parametrize("written", ["mysql://host/db", "postgresql://host", "postgresql+pg8000://host/db", "no url"])
def test_what_is_no_url_of_a_database_is_refused_without_showing_it(written: str) -> None:
    with pytest.raises(SettingsError, match="postgresql://user@host/database"):
        url_of(written)


def test_passwords_are_not_shown() -> None:
    for written in (
        "postgresql://ada:hu@sh@host/db",
        "postgresql://host/db?user=a&password=hu@sh",
        "postgresql://:hu@sh@h/d",
    ):
        assert "hu@sh" not in without_password(written)
        assert "hu@sh" not in str(Settings(record_url=written, record_password="hu@sh").shown())
    assert without_password("postgresql://ada@host/db") == "postgresql://ada@host/db"


def test_a_store_says_where_its_record_is(tmp_path: Path) -> None:
    (tmp_path / "record.sqlite").touch()
    with pytest.raises(PinciteError, match="pincite migrate --to"):
        places_of(Settings(record_url="postgresql://host/db"), tmp_path)
