"""1. Every form of gold is understood. 2. A malformed row is named. 3. Section titles are sampled by seed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pincite.errors import UsageError
from pincite.evaluate.questions import PageQuestion, load_questions, section_questions


def load(folder: Path, row: Mapping[str, Any]) -> PageQuestion:
    path = folder / "questions.jsonl"
    path.write_text(json.dumps({"question": "Why?", **row}), encoding="utf-8")
    (question,) = load_questions(path)
    return question


@pytest.mark.parametrize("name", ["pages", "gold_pages"])
def test_one_of_the_pages_is_enough_as_a_rule(tmp_path: Path, name: str) -> None:
    question = load(tmp_path, {"file": "a.pdf", name: [3, 4], "also_on_pages": [9]})
    assert question.required == ((("a.pdf", 3), ("a.pdf", 4), ("a.pdf", 9)),)
    assert question.accepted == {("a.pdf", 3), ("a.pdf", 4), ("a.pdf", 9)}
    assert (question.answerable, question.files, question.id) == (True, {"a.pdf"}, "1")


def test_all_pages_are_needed_where_the_row_says_so(tmp_path: Path) -> None:
    question = load(tmp_path, {"file": "a.pdf", "pages": [3, 4], "pages_mode": "all", "also_on_pages": [9]})
    assert question.required == ((("a.pdf", 3),), (("a.pdf", 4),))
    assert ("a.pdf", 9) in question.accepted


@pytest.mark.parametrize("row", [{"file": None, "pages": []}, {"file": None}, {}])
def test_without_gold_nothing_answers_it(tmp_path: Path, row: Mapping[str, Any]) -> None:
    question = load(tmp_path, row)
    assert (question.answerable, question.required) == (False, ())


def test_of_an_entry_that_must_be_cited_one_alternative_is_enough(tmp_path: Path) -> None:
    entries = [["a.pdf", 1], [["a.pdf", 2], ["b.pdf", 7]]]
    question = load(tmp_path, {"must_cite": entries, "folder": "codes", "must_have": [["x", "y"]], "must_not": ["z"]})
    assert question.required == ((("a.pdf", 1),), (("a.pdf", 2), ("b.pdf", 7)))
    assert question.files == {"a.pdf", "b.pdf"}
    assert (question.folder, question.facts, question.must_not) == ("codes", (("x", "y"),), ("z",))
    assert question.cites_in_missing


@pytest.mark.parametrize("row", [{"must_cite": [3]}, {"file": "a.pdf", "pages": ["iv"]}, {"must_cite": [["a.pdf"]]}])
def test_a_malformed_row_is_named(tmp_path: Path, row: Mapping[str, Any]) -> None:
    with pytest.raises(UsageError, match="row 1 is malformed"):
        load(tmp_path, row)


def test_section_titles_are_sampled_by_seed() -> None:
    titles = [f"Title {letter}" for letter in "abcdefgh"] + ["5.2", " ", "Title a"]
    drawn = section_questions(titles, 4, seed=1)
    assert drawn == section_questions(reversed(titles), 4, seed=1)
    assert len({question.text for question in drawn}) == 4
    assert drawn != section_questions(titles, 4, seed=2)
    assert len(section_questions(titles, 100, seed=1)) == 8
    assert all(question.text.startswith("What does Title ") for question in drawn)
    assert {question.answerable for question in drawn} == {None}
