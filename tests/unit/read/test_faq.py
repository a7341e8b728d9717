"""A question above its answer is the heading of it, in every kind of file without pages."""

from __future__ import annotations

from pathlib import Path

import pytest
from docx import Document as WordDocument
from hypothesis import given
from hypothesis import strategies as st
from tests.support.promises import SETTINGS

from pincite.ports import ReadOptions
from pincite.read.faq import with_questions
from pincite.read.registry import reader_for
from pincite.records.pages import Block, Document, Page, Span
from pincite.wiring import open_engine

PLAIN = """Q: May I park at the pier
   over night?

A: Yes, in summer, if a place
   is free.

Q: Who tows a boat away?
A: The harbour master does.
   Nobody else may.
"""
MARKDOWN = """# Questions

**Q: May I park at the pier over night?**

A: Yes, in summer, if a place is free.

**Question 2:** Who tows a boat away?

**Answer 2:** The harbour master does. Nobody else may.
"""
HTML = """<h2>Questions</h2>
<p><b>Q.</b> May I park at the pier over night?</p><p><b>A.</b> Yes, in summer, if a place is free.</p>
<dl><dt>Q. Who tows a boat away?</dt><dd>A. The harbour master does. Nobody else may.</dd></dl>"""
QUESTIONS = ["May I park at the pier over night?", "Who tows a boat away?"]
ANSWERS = ["Yes, in summer, if a place is free.", "The harbour master does. Nobody else may."]


def written(folder: Path, kind: str) -> Path:
    path = folder / f"a.{kind}"
    if kind == "docx":
        made = WordDocument()
        for text in (f"Q: {QUESTIONS[0]}", f"A: {ANSWERS[0]}", f"Q: {QUESTIONS[1]}", f"A: {ANSWERS[1]}"):
            made.add_paragraph(text)
        made.save(str(path))
    else:
        path.write_text({"txt": PLAIN, "md": MARKDOWN, "html": HTML}[kind], encoding="utf-8")
    return path


def texts(document: Document, kind: str) -> list[str]:
    """What the blocks of a kind say, without marks and breaks of lines."""
    (page,) = document.pages
    found = [page.text[block.span.start : block.span.end] for block in page.blocks if block.kind == kind]
    return [" ".join(text.replace("*", "").split()) for text in found]


@pytest.mark.parametrize("kind", ["txt", "md", "html", "docx"])
def test_a_question_is_the_heading_of_its_answer(tmp_path: Path, kind: str) -> None:
    path = written(tmp_path, kind)
    document = reader_for(path).read(path, ReadOptions())
    assert [text for text in texts(document, "heading") if text != "Questions"] == QUESTIONS
    said = [*texts(document, "paragraph"), *texts(document, "list_item")]
    assert said == ANSWERS


@pytest.mark.parametrize("kind", ["txt", "md"])
def test_what_is_asked_is_answered_by_the_answer(tmp_path: Path, kind: str) -> None:
    (tmp_path / "docs").mkdir()
    written(tmp_path / "docs", kind)
    with open_engine(SETTINGS, tmp_path / "store", create=True) as engine:
        engine.index([tmp_path / "docs"])
        first = engine.ask("May we park at the pier?", receipt=False).statements[0]
        assert "Yes, in summer" in first.text
        titles = engine.session().documents.section_titles()
    assert set(QUESTIONS) <= {title.replace("*", "") for title in titles}


@pytest.mark.parametrize(
    "text",
    [
        "Q: a question that nobody answers?\n\nThe next paragraph is of something else.\n",
        "Quarterly figures: 12\n\nA: a letter in front of a line is no answer.\n",
        "Q1: 12\n\nQ2: 14\n\nQ3: 9\n",
        "A. The tenant pays the rent.\n\nB. The landlord mends the roof.\n",
    ],
)
def test_what_is_no_question_with_an_answer_stays_a_paragraph(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.txt"
    path.write_text(text, encoding="utf-8")
    document = reader_for(path).read(path, ReadOptions())
    assert texts(document, "paragraph") == [" ".join(part.split()) for part in text.split("\n\n")]
    assert texts(document, "heading") == []


@given(st.lists(st.sampled_from(["Q: ", "A: ", "x", "y z", "\n", "?", "**"]), max_size=30))
def test_spans_stay_in_order_and_inside_and_nothing_but_marks_is_lost(pieces: list[str]) -> None:
    text = "".join(pieces).strip() or "x"
    whole = Block("paragraph", Span(1, 0, len(text)))
    document = Document((Page(1, text, (whole,)),), title=None, paged=False, locators="line")
    blocks = with_questions(document).pages[0].blocks
    bounds = [bound for block in blocks for bound in (block.span.start, block.span.end)]
    assert bounds == sorted(bounds)
    assert bounds[-1] == len(text)
    assert all(block.span.start < block.span.end for block in blocks)
    kept = "".join(text[block.span.start : block.span.end] for block in blocks)
    assert sorted(set("xyz") & set(kept)) == sorted(set("xyz") & set(text))
