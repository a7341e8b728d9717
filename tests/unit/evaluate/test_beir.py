"""1. Rows that share a document are its pages in file order; other rows are documents of their own. 2. Plain and
gzipped files load alike. 3. A malformed set is refused with the place."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from pincite.errors import UsageError
from pincite.evaluate.retrieval import load_set

CORPUS: Sequence[Mapping[str, Any]] = (
    {"_id": "r1", "title": "Rules (R)", "text": "INTRODUCTION", "metadata": {"document": "Rules (R)", "section": "1."}},
    {"_id": "s1", "title": "A city", "text": "It lies on a river.", "metadata": {}},
    {"_id": "r2", "title": "Rules (R)", "text": "Pay\nfees.", "metadata": {"document": "Rules (R)", "section": "1.1"}},
    {"_id": "s2", "title": "", "text": "Untitled text."},
    {"_id": "s3", "title": "Empty", "text": ""},
)
QUERIES: Sequence[Mapping[str, Any]] = (
    {"_id": "q1", "text": "What about fees?"},
    {"_id": "q2", "text": "Which river?", "metadata": {"answer": "Seine", "answer_aliases": ["La Seine"]}},
    {"_id": "q3", "text": "Not judged"},
)
JUDGED = "query-id\tcorpus-id\tscore\nq1\tr2\t2\nq1\tr1\t0\nq2\ts1\t1\n"


def lines(rows: Sequence[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def write_set(folder: Path, *, zipped: bool = False, judged: str = JUDGED) -> Path:
    (folder / "qrels").mkdir(parents=True)
    for name, text in (("corpus.jsonl", lines(CORPUS)), ("queries.jsonl", lines(QUERIES)), ("qrels/dev.tsv", judged)):
        data = text.encode()
        (folder / (name + ".gz" * zipped)).write_bytes(gzip.compress(data) if zipped else data)
    return folder


def test_rows_of_one_document_are_its_pages_in_file_order(tmp_path: Path) -> None:
    loaded = load_set(write_set(tmp_path / "small"))
    by_id = {source.source_id: document for source, document in loaded.documents}
    assert list(by_id) == ["Rules (R)", "s1", "s2", "s3"]
    rules = by_id["Rules (R)"]
    assert [(page.number, page.text, page.section) for page in rules.pages] == [
        (1, "INTRODUCTION", "1."),
        (2, "Pay\nfees.", "1.1"),
    ]
    assert rules.title == "Rules (R)"
    assert loaded.rows["Rules (R)", 2] == "r2"
    assert sorted(loaded.rows.values()) == ["r1", "r2", "s1", "s2", "s3"]


def test_a_row_of_a_document_without_a_number_is_a_section_all_the_same(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "x")
    rows = [{"_id": f"r{n}", "text": "words", "metadata": {"document": "Rules"}} for n in range(2)]
    (folder / "corpus.jsonl").write_text(lines(rows), encoding="utf-8")
    ((_, rules),) = load_set(folder).documents
    assert [page.section for page in rules.pages] == ["1", "2"]


def test_a_single_row_has_its_title_as_a_heading_above_its_text(tmp_path: Path) -> None:
    documents = {source.source_id: document for source, document in load_set(write_set(tmp_path / "x")).documents}
    (page,) = documents["s1"].pages
    assert [(block.kind, page.text[block.span.start : block.span.end]) for block in page.blocks] == [
        ("heading", "A city"),
        ("paragraph", "It lies on a river."),
    ]
    assert [document.title for document in documents.values()] == ["Rules (R)", "A city", "s2", "Empty"]
    assert [block.kind for block in documents["s3"].pages[0].blocks] == ["heading"]


def test_questions_come_with_their_gold_and_answers(tmp_path: Path) -> None:
    first, second = load_set(write_set(tmp_path / "x")).questions
    assert (first.id, dict(first.gold), first.answers) == ("q1", {"r2": 2.0}, ())
    assert (second.id, dict(second.gold), second.answers) == ("q2", {"s1": 1.0}, ("Seine", "La Seine"))


def test_gzipped_files_load_alike(tmp_path: Path) -> None:
    plain = load_set(write_set(tmp_path / "plain" / "set"))
    zipped = load_set(write_set(tmp_path / "zipped" / "set", zipped=True))
    assert zipped == plain
    assert (plain.name, plain.split) == ("set", "dev")


def test_of_several_splits_one_has_to_be_chosen(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "x")
    (folder / "qrels" / "test.tsv").write_text("q2\ts2\t1\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"dev, test.*--split"):
        load_set(folder)
    assert [question.id for question in load_set(folder, "test").questions] == ["q2"]
    with pytest.raises(UsageError, match=r"train\.tsv does not exist"):
        load_set(folder, "train")


@pytest.mark.parametrize("judged", ["q1\tr2\tmuch\n", "q1\n"])
def test_a_malformed_judgement_is_named_with_its_line(tmp_path: Path, judged: str) -> None:
    with pytest.raises(UsageError, match="line 2"):
        load_set(write_set(tmp_path / "x", judged="q1\tr1\t1\n" + judged))


@pytest.mark.parametrize("broken", ["{", "[1]"])
def test_a_malformed_row_is_named_with_its_line(tmp_path: Path, broken: str) -> None:
    folder = write_set(tmp_path / "x")
    (folder / "queries.jsonl").write_text(lines(QUERIES[:1]) + "\n" + broken, encoding="utf-8")
    with pytest.raises(UsageError, match="line 3"):
        load_set(folder)


def test_a_folder_without_a_corpus_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"corpus\.jsonl does not exist"):
        load_set(tmp_path)
