"""The page is right, or it is not given."""

from __future__ import annotations

from pathlib import Path

import pikepdf
import pytest

from tests.e2e.conftest import Run
from tests.support.made_pdfs import change
from tests.support.office_files import docx, paragraph, xlsx
from tests.support.promises import citations, files, pages, pages_found, store_of

FILLER = "Every bridge that carries a public road needs an inspection before winter."
ROWS = '<sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>The levy is paid in April.</t></is></c></row></sheetData>'


def test_the_page_is_the_physical_one_for_first_last_and_only_pages_and_after_blank_ones(tmp_path: Path) -> None:
    texts = ["The mason repairs the granite.", FILLER, "", "", FILLER, "The warden paints the parapet."]
    pages(tmp_path / "long.pdf", *texts)
    pages(tmp_path / "one page.pdf", "The farmer clears the culvert.")
    pages(tmp_path / "other.pdf", FILLER, "The keeper rakes the gravel.")
    with store_of(tmp_path) as engine:
        assert pages_found(engine, "Who repairs the granite?") == [("long.pdf", 1)]
        assert pages_found(engine, "Who paints the parapet?") == [("long.pdf", 6)]
        assert pages_found(engine, "Who clears the culvert?") == [("one page.pdf", 1)]
        assert pages_found(engine, "Who rakes the gravel?") == [("other.pdf", 2)]


def test_a_passage_over_a_page_break_cites_the_page_of_the_words_that_are_quoted(tmp_path: Path) -> None:
    pages(
        tmp_path / "a.pdf", f"1 Bridges\n{FILLER}\nThe keeper greases the bearings.", "The bailiff counts the sluices."
    )
    with store_of(tmp_path) as engine:
        (chunk, *_) = engine.search("sluices bearings", receipt=False).evidence
        assert chunk.chunk.pages == (1, 2)
        assert pages_found(engine, "Who counts the sluices?") == [("a.pdf", 2)]
        assert pages_found(engine, "Who greases the bearings?") == [("a.pdf", 1)]


def test_a_sentence_over_a_page_break_is_cited_and_marked_on_both_pages(tmp_path: Path) -> None:
    halves = (
        "The keeper of the upper lock rakes the gravel and greases",
        "the bearings of both gates in the month of May.",
    )
    pages(tmp_path / "a.pdf", f"1 Rota\n{FILLER}\n{halves[0]}", f"{halves[1]}\nThe bailiff counts the sluices.")
    with store_of(tmp_path) as engine:
        cited = [item for item in citations(engine, "Who rakes the gravel?") if item.quote in halves]
        boxes = [engine.session().files.boxes(item) for item in cited]
    assert [(item.page, item.quote) for item in cited] == [(1, halves[0]), (2, halves[1])]
    assert [len(found) for found in boxes] == [1, 1]


def test_the_printed_number_stands_beside_the_page_where_it_differs(command: Run, tmp_path: Path) -> None:
    def labelled(pdf: pikepdf.Pdf) -> None:
        numbers = [0, pikepdf.Dictionary(S=pikepdf.Name.r), 2, pikepdf.Dictionary(S=pikepdf.Name.D)]
        pdf.Root.PageLabels = pikepdf.Dictionary(Nums=pikepdf.Array(numbers))

    change(pages(tmp_path / "a.pdf", "A preface.", "A foreword.", FILLER, "The keeper closes the weir."), labelled)
    with store_of(tmp_path) as engine:
        (cited,) = (item for item in citations(engine, "Who closes the weir?") if "weir" in item.quote)
        assert (cited.page, cited.label) == (4, "2")
    assert "a.pdf  p.1-4 (printed i-2)  " in command("search", "weir", cwd=tmp_path).stdout
    assert "p.4 (2)\n" in command("show", "a.pdf", "--page", "4", cwd=tmp_path).stdout


def test_an_outline_whose_numbers_restart_in_every_part_shifts_nothing(tmp_path: Path) -> None:
    def outlined(pdf: pikepdf.Pdf) -> None:
        with pdf.open_outline() as outline:
            for title, page in (("1 Weirs", 0), ("2 Locks", 1), ("1 Gates", 2), ("2 Sluices", 3)):
                outline.root.append(pikepdf.OutlineItem(title, page))

    texts = [
        "1 Weirs\nThe weir is oak.",
        "2 Locks\nThe lock is ash.",
        "1 Gates\nThe keeper oils the gate.",
        "2 Sluices\nIt is fir.",
    ]
    change(pages(tmp_path / "a.pdf", *texts), outlined)
    with store_of(tmp_path) as engine:
        assert [section.first_page for section in engine.session().documents.sections("a.pdf") if section.title] == [
            1,
            2,
            3,
            4,
        ]
        assert pages_found(engine, "Who oils the gate?") == [("a.pdf", 3)]


@pytest.mark.parametrize(("name", "locator"), [("a.md", "line"), ("a.docx", "par."), ("a.xlsx", "Sheet1!A1")])
def test_what_has_no_pages_gets_no_page(tmp_path: Path, name: str, locator: str) -> None:
    if name == "a.md":
        files(tmp_path, {name: "# Levies\n\nThe levy is paid in April.\n"})
    elif name == "a.docx":
        docx(tmp_path / name, paragraph("Levies are a burden.") + paragraph("The levy is paid in April."))
    else:
        xlsx(tmp_path / name, {"Sheet1": ROWS})
    with store_of(tmp_path) as engine:
        (cited, *_) = [item for item in citations(engine, "When is the levy paid?") if "April" in item.quote]
        assert cited.page is None
        assert cited.locator is not None
        assert locator in cited.locator
        assert ", p." not in engine.ask("When is the levy paid?", receipt=False).summary


def test_a_quote_is_its_sentence_and_its_highlight_covers_those_words(tmp_path: Path) -> None:
    lines = [f"{FILLER}", "The keeper rakes the gravel.", f"{FILLER}"]
    pages(tmp_path / "a.pdf", "\n".join(lines))
    with store_of(tmp_path) as engine:
        (cited,) = (item for item in citations(engine, "Who rakes the gravel?") if "gravel" in item.quote)
        assert cited.quote == lines[1]
        (box,) = engine.session().files.boxes(cited)
    assert 60 <= box.top < box.bottom <= 77
    assert 38 <= box.left < box.right < 180


def test_every_quote_is_a_slice_of_its_page_and_of_a_passage_that_was_found(tmp_path: Path) -> None:
    names = ("Alder", "Birch", "Cedar", "Damson", "Elder")
    for name in names:
        pages(
            tmp_path / f"{name}.pdf",
            FILLER,
            f"{name} bridge was built in 19{len(name)}0. It carries 4{len(name)} lorries.",
        )
    with store_of(tmp_path) as engine:
        answer = engine.ask("When were Alder bridge and Damson bridge built?", receipt=False)
        found = {item.chunk.chunk_id for item in answer.evidence}
        texts = {
            (f"{name}.pdf", page.number): page.text
            for name in names
            for page in engine.session().documents.pages(f"{name}.pdf")
        }
    quoted = [item for statement in answer.statements for item in statement.citations]
    assert quoted
    for item in quoted:
        assert item.chunk_id in found
        assert texts[item.source_id, item.span.page][item.span.start : item.span.end] == item.quote


def test_no_statement_is_put_together_from_two_places_as_if_it_were_one_quote(tmp_path: Path) -> None:
    pages(
        tmp_path / "a.pdf", "Alder bridge carries 40 lorries.", "Alder bridge was built of oak. It is painted in May."
    )
    pages(tmp_path / "b.pdf", "Cedar bridge carries 65 lorries. It was built of stone.")
    with store_of(tmp_path) as engine:
        asked = ("What is said of Alder bridge?", "How many lorries do Alder bridge and Cedar bridge carry?")
        said = [statement for question in asked for statement in engine.ask(question, receipt=False).statements]
    quoted = [statement for statement in said if statement.kind == "quote"]
    assert quoted
    for statement in quoted:
        for part in statement.text.split(" […] "):
            assert any(part in " ".join(citation.quote.split()) for citation in statement.citations)


def test_no_number_stands_in_an_answer_that_does_not_stand_in_its_quotes(tmp_path: Path) -> None:
    pages(tmp_path / "a.pdf", "Alder bridge carries 40 lorries.", "Cedar bridge carries 65 lorries.")
    with store_of(tmp_path) as engine:
        answer = engine.ask("How many lorries does Alder bridge carry?", receipt=False)
    for statement in answer.statements:
        if statement.kind != "missing":
            quotes = " ".join(item.quote for item in statement.citations)
            assert {word for word in statement.text.split() if word.isdigit()} <= set(quotes.split())
