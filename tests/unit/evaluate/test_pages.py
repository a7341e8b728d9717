"""1. A folder is indexed without its questions and readme, asked and scored. 2. Each folder that a question names is a
store of its own. 3. Section titles are asked where there are no questions. 4. A wrong quote is counted and named."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from reportlab.pdfgen.canvas import Canvas

from pincite.errors import UsageError
from pincite.evaluate.pages import Findings, ask_all, evaluate_pages, stage
from pincite.evaluate.questions import PageQuestion
from pincite.evaluate.quotes import QuoteChecker
from pincite.evaluate.report import Evaluation, Tally, as_table, invalid_quotes
from pincite.records.answers import Answer, Statement
from pincite.records.citations import Citation
from pincite.records.evidence import Retrieval, Trace
from pincite.records.pages import Span
from pincite.records.questions import Query, RetrievalPolicy
from pincite.records.sources import IndexReport
from pincite.settings import Settings

BY_WORDS = Settings(embedder="none", workers=1)
SNOW = "The exposure coefficient for a windswept site should be taken as 0.8, as these rules require."
ALTITUDE = "Sites at altitudes above 1500 m require values that the national annex of each country specifies."


def write_pdf(path: Path, pages: Sequence[Sequence[str]]) -> None:
    """One page for each list: its heading, which the outline names too, and its lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    canvas = Canvas(str(path), pagesize=(595, 400), invariant=1)
    for heading, *lines in pages:
        canvas.setFont("Helvetica-Bold", 16)
        canvas.drawString(50, 340, heading)
        canvas.bookmarkPage(heading)
        canvas.addOutlineEntry(heading, heading)
        canvas.setFont("Helvetica", 11)
        for number, line in enumerate(lines):
            canvas.drawString(50, 300 - 20 * number, line)
        canvas.showPage()
    canvas.save()


def write_rows(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    documents = tmp_path / "codes"
    write_pdf(documents / "snow.pdf", [["1 Altitudes", ALTITUDE], ["2 Exposure coefficient", SNOW]])
    write_pdf(
        documents / "sub" / "fire.pdf",
        [["1 Fire doors", "Rules on fire doors require that doors stay closed at night in all buildings."]],
    )
    (documents / "README.md").write_text("Windswept readme windswept", encoding="utf-8")
    write_rows(
        documents / "questions.jsonl",
        [
            {
                "id": "s1",
                "question": "Which exposure coefficient should be taken for a windswept site?",
                "file": "snow.pdf",
                "pages": [2],
                "facts": [["0,8", "0.8"], ["windswept"]],
                "must_not": ["1.2"],
            },
            {"id": "n1", "question": "Who brews zythum?", "file": None, "pages": []},
        ],
    )
    return documents


def test_questions_of_a_folder_are_scored(folder: Path) -> None:
    evaluation = evaluate_pages(folder, settings=BY_WORDS)
    results = evaluation.results["extract"]
    assert results["page_hit@1"] == results["cited_page"] == results["right_file"] == results["facts"] == 1.0
    assert results["must_not"] == results["refused_answerable"] == 0.0
    assert results["refused"] == results["quote_validity"] == 1.0
    assert evaluation.counts["documents indexed"] == 2
    assert evaluation.counts["questions"] == 2
    assert evaluation.counts["quotes valid"] >= 1
    first = evaluation.per_query[0]
    assert first["ranked"]["extract"][0] == ["snow.pdf", 2]
    assert ["snow.pdf", 2] in first["answer"]["cited"]
    assert 0 < results["summary_chars_p50"] <= results["summary_chars_p90"]
    assert "cited_page" in as_table(evaluation)


def test_each_folder_that_a_question_names_is_a_store_of_its_own(folder: Path, tmp_path: Path) -> None:
    asked = tmp_path / "asked.jsonl"
    question = {"question": "Which doors stay closed at night?", "must_cite": [["fire.pdf", 1]]}
    write_rows(asked, [{**question, "folder": "sub"}, {**question, "folder": "codes"}])
    evaluation = evaluate_pages(folder, settings=BY_WORDS, questions=asked)
    assert evaluation.results["extract"]["cited_page"] == 1.0
    assert evaluation.counts["documents"] == 3
    assert evaluation.set == "codes/asked.jsonl"
    write_rows(asked, [{**question, "folder": "nowhere"}])
    with pytest.raises(UsageError, match="nowhere is not a folder"):
        evaluate_pages(folder, settings=BY_WORDS, questions=asked)


def test_sections_are_asked_where_there_are_no_questions(folder: Path) -> None:
    (folder / "questions.jsonl").unlink()
    with pytest.raises(UsageError, match="--ask-sections"):
        evaluate_pages(folder, settings=BY_WORDS)
    evaluation = evaluate_pages(folder, settings=BY_WORDS, ask_sections=2, seed=1)
    assert [row["id"] for row in evaluation.per_query] == ["section-1", "section-2"]
    assert evaluation.set == "codes (sections)"
    assert evaluation.counts["statements"] >= 2
    assert evaluation.results["extract"]["quote_validity"] == 1.0
    assert "cited_page" not in evaluation.results["extract"]


def test_only_documents_are_laid_out(folder: Path, tmp_path: Path) -> None:
    (folder / "a.truth.jsonl.gz").write_bytes(b"")
    (folder / ".pincite").mkdir()
    (folder / ".pincite" / "record.sqlite").write_bytes(b"")
    for _ in range(2):
        stage(folder, tmp_path / "laid out")
        files = [path for path in (tmp_path / "laid out").rglob("*") if path.is_file()]
        assert sorted(path.name for path in files) == ["fire.pdf", "snow.pdf"]


def test_a_document_that_is_gone_is_not_found_in_a_kept_store(folder: Path, tmp_path: Path) -> None:
    first = evaluate_pages(folder, settings=BY_WORDS, store=tmp_path / "stores")
    (folder / "snow.pdf").unlink()
    again = evaluate_pages(folder, settings=BY_WORDS, store=tmp_path / "stores")
    assert first.results["extract"]["cited_page"] == 1.0
    assert again.results["extract"]["cited_page"] == 0.0
    assert again.counts["documents unchanged"] == 1


class Misquoting:
    """An engine that always cites the same words, from a page that does not hold them."""

    def index(self, paths: Sequence[Path], *, prune: bool) -> IndexReport:
        return IndexReport((), {}, 0.0, "")

    def search(self, question: str, *, policy: RetrievalPolicy, receipt: bool) -> Retrieval:
        return Retrieval(Query(question, question, ()), (), Trace())

    def ask(self, question: str, *, receipt: bool) -> Answer:
        citation = Citation("snow.pdf", "snow.pdf", 1, None, None, "c", Span(1, 0, 9), "Nobody wrote this here.")
        statements = (Statement("Nobody wrote this.", "quote", (citation,)),)
        return Answer(question, "extract", "", statements, (), (), policy=RetrievalPolicy(), generation="g")


def test_a_wrong_quote_is_counted_and_named(folder: Path) -> None:
    findings = Findings()
    ask_all(Misquoting(), [PageQuestion("q1", "Who wrote it?")], QuoteChecker(folder, lambda _: ()), findings)
    assert findings.tally.means()["quote_validity"] == 0.0
    evaluation = Evaluation("eval pages", "x", {}, {}, {}, {}, findings.per_query, {}, {})
    assert invalid_quotes(evaluation) == ["not found on snow.pdf, p.1 (question q1): 'Nobody wrote this here.'"]


def test_a_measure_without_values_has_no_mean() -> None:
    tally = Tally()
    tally.add("seen", 1.0)
    tally.add("seen", 0.0)
    assert tally.means() == {"seen": 0.5}
    assert set(tally.intervals()) == {"seen"}
