"""1. A gold answer counts where it stands as whole words within the first 700 characters. 2. A set is asked and
scored, with every quote checked against the page that was handed in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pincite.evaluate.answer_sets import contains, evaluate_answers
from pincite.settings import Settings


@pytest.mark.parametrize(
    ("text", "answer", "right"),
    [
        ("He was born in New York City.", "new york", True),
        ("The Prairie King, of 1927", "Prairie King", True),
        ("It opened in 1935", "35", False),
        ("No: Swedish, against Italian", "no", True),
        ("Norway", "no", False),
    ],
)
def test_whole_words_without_articles_and_signs(text: str, answer: str, right: bool) -> None:
    assert contains(text, [answer]) is right


def test_a_set_is_asked_and_scored(tmp_path: Path) -> None:
    corpus = [
        {"_id": "d1", "title": "Blue Lake", "text": "Blue Lake is a film of 1950 directed by Anna Berg."},
        {"_id": "d2", "title": "Anna Berg", "text": "Anna Berg (born 3 May 1901) was a Swedish director."},
    ]
    queries = [
        {"_id": "q1", "text": "Who directed Blue Lake?", "metadata": {"answer": "Anna Berg"}},
        {"_id": "q2", "text": "Are Blue Lake and Anna Berg from the same country?", "metadata": {"answer": "yes"}},
    ]
    (tmp_path / "qrels").mkdir()
    (tmp_path / "corpus.jsonl").write_text("\n".join(map(json.dumps, corpus)), encoding="utf-8")
    (tmp_path / "queries.jsonl").write_text("\n".join(map(json.dumps, queries)), encoding="utf-8")
    (tmp_path / "qrels" / "dev.tsv").write_text("q1\td1\t1\nq2\td2\t1", encoding="utf-8")
    evaluation = evaluate_answers(tmp_path, settings=Settings(embedder="none"))
    found = evaluation.results["extract"]
    assert found["contain_accuracy"] == 0.5
    assert found["yes_no"] == 0
    assert found["quote_validity"] == 1
    assert evaluation.counts["questions"] == 2
    assert [row["answer"]["contains"] for row in evaluation.per_query] == [True, False]
