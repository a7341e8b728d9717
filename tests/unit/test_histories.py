"""A store that saw many changes equals one that was made from the final documents alone.

`make bench` runs the property with a thousand histories (bench/promises.py)."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.documents import document, source
from tests.support.engines import hashing_engine, passing_folder

from pincite.engine.engine import Engine
from pincite.records.pages import Document

NAMES = ("a.pdf", "b.pdf", "c.pdf")
TEXTS = (
    "Snow lies on the roof. It shall be cleared by the owner.",
    "Wind acts on the wall. The wall carries 0.4 kN.",
    "Fire is an accidental action. Snow is a variable action.",
    "Wind acts on the wall. The wall carries 0.4 kN. It should be checked.",
    "Snow is cleared as EN 1990 says. Ada Alder founded Alder Works.",
)
TITLES = {"a.pdf": "EN 1990", "b.pdf": "Guide to roofs", "c.pdf": "Guide to walls"}
QUESTION = "Which action is snow on the roof?"
changes = st.sampled_from([None, *NAMES, *TEXTS])
"""A document is taken out, gets another name, or gets this text."""
steps = st.lists(st.tuples(st.sampled_from(NAMES), changes), min_size=1, max_size=8)


def put(engine: Engine, documents: dict[str, str]) -> None:
    items: list[tuple[str, Document]] = [(name, document(text, title=TITLES[name])) for name, text in documents.items()]
    engine.index_documents([(source(name), made) for name, made in items])


def seen(engine: Engine) -> dict[str, object]:
    answer = engine.ask(QUESTION, receipt=False).to_dict(stable=True)
    hits = [(r["id"], r["scores"], r["also"]) for r in answer["results"] if r["type"] == "chunk"]
    names = [state.source.source_id for state in engine.session().documents.sources()]
    return {
        "hits": hits,
        "summary": answer["summary"],
        "generation": answer["meta"]["generation"],
        "counts": engine.session().documents.counts(),
        "references": [engine.session().documents.references(name) for name in names],
        "triplets": [engine.session().graph.triplets(name) for name in names],
    }


@given(steps)
@pytest.mark.promise
def test_any_history_ends_where_a_fresh_start_ends(history: list[tuple[str, str | None]]) -> None:
    final: dict[str, str] = {}
    with passing_folder() as folder, hashing_engine(folder / "history") as engine:
        put(engine, {})
        for name, text in history:
            if text in TEXTS:
                final[name] = text
                put(engine, {name: text})
                continue
            taken = final.pop(name, None)
            if taken is not None:
                engine.remove(name)
            if taken is not None and text is not None:
                final[text] = taken
                put(engine, {text: taken})
        with hashing_engine(folder / "fresh") as fresh:
            put(fresh, dict(reversed(final.items())))
            assert seen(engine) == seen(fresh)
        assert engine.verify() == []


def test_a_source_that_is_removed_takes_only_its_own_away(tmp_path: Path) -> None:
    with hashing_engine(tmp_path) as engine:
        put(engine, {"a.pdf": TEXTS[0], "b.pdf": TEXTS[0]})
        assert engine.session().documents.counts()["sources"] == 2
        engine.remove("a.pdf")
        found = engine.search("snow", receipt=False).evidence
        assert [item.chunk.source_id for item in found] == ["b.pdf"]
        assert found[0].also == ()


@pytest.mark.promise
def test_the_same_text_under_two_names_is_embedded_once_and_one_result_that_cites_both(tmp_path: Path) -> None:
    with hashing_engine(tmp_path) as engine:
        put(engine, {"a.pdf": TEXTS[0], "b.pdf": TEXTS[0]})
        answer = engine.ask("Who clears the snow from the roof?", receipt=False)
        assert len(answer.evidence) == 1
        assert {place.source_id for place in answer.evidence[0].also} in ({"a.pdf"}, {"b.pdf"})
        cited = {c.source_id for c in answer.statements[0].citations} | {c.source_id for c in answer.statements[0].also}
        assert cited == {"a.pdf", "b.pdf"}
        assert "(also: " in answer.summary
    with closing(sqlite3.connect(tmp_path / "record.sqlite")) as record:
        assert record.execute("SELECT count(*) FROM vector").fetchone() == (1,)


def test_asking_changes_nothing_in_the_store(tmp_path: Path) -> None:
    with hashing_engine(tmp_path) as engine:
        put(engine, {"a.pdf": TEXTS[0]})
        before = (tmp_path / "record.sqlite").read_bytes(), engine.session().generation()
        engine.ask("snow")
        assert ((tmp_path / "record.sqlite").read_bytes(), engine.session().generation()) == before


def test_an_answer_is_given_where_the_receipt_cannot_be_stored(tmp_path: Path) -> None:
    with hashing_engine(tmp_path) as engine:
        put(engine, {"a.pdf": TEXTS[0]})
        (tmp_path / "audit.sqlite").mkdir()
        answer = engine.ask("Where does snow lie?")
        assert not answer.refused
        assert answer.notices == ("receipt not stored",)


@pytest.mark.promise
def test_a_reader_sees_a_new_generation_without_being_opened_again(tmp_path: Path) -> None:
    with hashing_engine(tmp_path) as reader, hashing_engine(tmp_path) as writer:
        put(writer, {"a.pdf": TEXTS[0]})
        assert len(reader.search("wall", receipt=False).evidence) == 1
        put(writer, {"b.pdf": TEXTS[1]})
        assert reader.search("wall", receipt=False).evidence[0].chunk.source_id == "b.pdf"


@pytest.mark.parametrize("question", ["snow", "the of and", "?!", "防火"])
def test_every_question_gets_an_answer_or_a_refusal(tmp_path: Path, question: str) -> None:
    with hashing_engine(tmp_path) as engine:
        put(engine, {"a.pdf": TEXTS[0]})
        answer = engine.ask(question, receipt=False)
        assert answer.statements
        cited = [statement.citations for statement in answer.statements if statement.kind != "missing"]
        assert answer.refused or all(cited)
