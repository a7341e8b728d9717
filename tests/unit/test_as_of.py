"""A question to the store as it was: answered from the documents of then, by those who may see them now."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.documents import document, source
from tests.support.engines import hashing_engine, passing_folder

from pincite.engine.engine import Engine
from pincite.errors import StoreError, UsageError
from pincite.records.answers import Answer
from pincite.records.questions import Filter

QUESTION = "Where does snow lie?"
NAMES = ("a.pdf", "b.pdf", "c.pdf")
TEXTS = (
    "Snow lies on the roof. It shall be cleared by the owner, see b.",
    "Snow lies on the wall. The wall carries 0.4 kN.",
    "Snow lies nowhere in summer.",
)
steps = st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(TEXTS)), min_size=1, max_size=5)


def put(engine: Engine, name: str, text: str) -> None:
    engine.index_documents([(source(name), document(text, title=name))])


def asked(engine: Engine, as_of: str | None = None) -> Answer:
    return engine.ask(QUESTION, filter=Filter(as_of=as_of), receipt=False)


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with hashing_engine(tmp_path) as made:
        put(made, "a.pdf", TEXTS[0])
        yield made


@pytest.mark.promise
@settings(max_examples=12)
@given(steps)
def test_every_revision_of_a_history_answers_as_it_did(history: list[tuple[str, str]]) -> None:
    with passing_folder() as folder, hashing_engine(folder) as engine:
        answered = {}
        for name, text in history:
            put(engine, name, text)
            answered[engine.session().revision()] = asked(engine).to_dict(stable=True)
        for revision, expected in reversed(answered.items()):
            assert asked(engine, str(revision)).to_dict(stable=True) == expected
        assert asked(engine).to_dict(stable=True) == answered[engine.session().revision()]


def test_asking_of_the_past_changes_nothing(engine: Engine, tmp_path: Path) -> None:
    put(engine, "a.pdf", TEXTS[1])
    before = (tmp_path / "record.sqlite").read_bytes(), engine.session().generation(), engine.session().revision()
    assert "roof" in asked(engine, "1").summary
    assert "wall" in asked(engine).evidence[0].chunk.content
    assert (
        (tmp_path / "record.sqlite").read_bytes(),
        engine.session().generation(),
        engine.session().revision(),
    ) == before
    assert engine.verify() == []


def test_a_generation_of_the_past_stays_until_it_is_collected(engine: Engine, tmp_path: Path) -> None:
    put(engine, "a.pdf", TEXTS[1])
    first = asked(engine, "1")
    kept = list((tmp_path / "past").glob("*/generations/*"))
    assert len(kept) == 1
    times = [path.stat().st_mtime_ns for path in sorted(kept[0].rglob("*")) if path.is_file()]
    assert asked(engine, "1").to_dict(stable=True) == first.to_dict(stable=True)
    assert [path.stat().st_mtime_ns for path in sorted(kept[0].rglob("*")) if path.is_file()] == times
    assert engine.collect() == [kept[0].name]
    assert not kept[0].exists()
    assert asked(engine, "1").to_dict(stable=True) == first.to_dict(stable=True)


def test_a_date_means_the_end_of_that_day(engine: Engine, tmp_path: Path) -> None:
    put(engine, "a.pdf", TEXTS[1])
    with closing(sqlite3.connect(tmp_path / "record.sqlite")) as record:
        record.execute("UPDATE revision SET created_utc = '2024-05-01T23:59:59+00:00' WHERE number = 1")
        record.commit()
    for moment in ("2024-05-01", "2024-05", "2024-05-01T23:59:59", "2025-01-01"):
        assert "roof" in asked(engine, moment).summary
    for moment in ("2024-04-30", "2024-04", "2024-05-01T23:59:58", "2024-05-01T22"):
        with pytest.raises(UsageError, match="the store held nothing on"):
            asked(engine, moment)


@pytest.mark.parametrize("unknown", ["0", "2", "99", "yesterday", "2024", "", "1; DROP TABLE source"])
def test_what_is_no_moment_of_the_store_is_refused_in_one_line(engine: Engine, unknown: str) -> None:
    with pytest.raises(UsageError, match=r"revision|is neither a date") as refused:
        asked(engine, unknown)
    assert "\n" not in str(refused.value)


def test_access_goes_by_the_tags_of_today_and_what_was_removed_stays_out(engine: Engine) -> None:
    put(engine, "b.pdf", TEXTS[1])
    put(engine, "c.pdf", TEXTS[2])
    (given_,) = (state.source for state in engine.session().documents.sources() if state.source.source_id == "b.pdf")
    engine._parts.record.update_source(replace(given_, acl=("board",)))
    engine.remove("a.pdf")
    seen = {item.chunk.source_id for item in asked(engine, "3").evidence}
    assert seen == {"c.pdf"}


def test_what_vanished_from_the_folder_is_still_to_be_seen_in_the_past(engine: Engine) -> None:
    put(engine, "b.pdf", TEXTS[1])
    engine._parts.record.remove_source("a.pdf", vanished=True)
    engine._indexer(None).publish()
    assert {item.chunk.source_id for item in asked(engine).evidence} == {"b.pdf"}
    assert {item.chunk.source_id for item in asked(engine, "2").evidence} == {"a.pdf", "b.pdf"}


def test_an_answer_of_the_past_says_that_its_pages_may_be_others_now(engine: Engine) -> None:
    assert asked(engine, "1").notices == ()
    put(engine, "b.pdf", TEXTS[1])
    assert asked(engine, "1").notices == ()
    put(engine, "a.pdf", TEXTS[1])
    assert asked(engine, "1").notices == ("a.pdf was indexed again or removed since: its pages may have changed",)
    assert asked(engine).notices == ()


def test_a_past_that_cannot_be_built_is_told_in_one_line(engine: Engine, tmp_path: Path) -> None:
    put(engine, "a.pdf", TEXTS[1])
    (tmp_path / "past").write_text("no folder", encoding="utf-8")
    with pytest.raises(StoreError, match="cannot be used"):
        asked(engine, "1")
