"""Somebody reads the page beside an answer: its words can be selected, it can be larger, it goes when they leave."""

from __future__ import annotations

import pytest
from tests.browser.conftest import Opened, Screen
from tests.browser.test_page import QUESTION, answer_of
from tests.e2e.conftest import Run
from tests.e2e.test_serve import serving

SELECT = """() => {
  getSelection().selectAllChildren(document.querySelector('.words'));
  return getSelection().toString();
}"""


def with_a_page(screen: Screen) -> None:
    screen.ask(QUESTION)
    screen.press("j")
    screen.page.wait_for_selector("#viewer .words span >> nth=0", state="attached")


def test_the_words_of_a_page_can_be_selected_where_they_stand(address: str, opened: Opened) -> None:
    screen = opened(address)
    with_a_page(screen)
    quote = answer_of(address)["statements"][0]["citations"][0]["quote"]
    assert " ".join(quote.split()) in " ".join(screen.page.evaluate(SELECT).split())
    assert "page 1 of 7" in screen.page.inner_text("#viewer .head")


def test_a_page_can_be_larger_and_fits_again(address: str, opened: Opened) -> None:
    screen = opened(address)
    with_a_page(screen)
    width = "document.querySelector('#viewer img').clientWidth"
    fits = screen.page.evaluate(width)
    screen.page.click("#viewer button[title='Zoom in']")
    assert screen.page.evaluate(width) > 1.2 * fits
    screen.page.click("#viewer button:text-is('125 %')")
    assert abs(screen.page.evaluate(width) - fits) < 20


def test_a_page_goes_with_its_view_unless_it_is_pinned(address: str, opened: Opened) -> None:
    screen = opened(address)
    with_a_page(screen)
    screen.page.click("nav a:text-is('Documents')")
    screen.page.wait_for_selector("#viewer", state="hidden")
    screen.page.click("nav a:text-is('Ask')")
    screen.page.wait_for_selector("#evidence .opener")
    screen.press("j")
    screen.page.click("#viewer button:text-is('Pin')")
    screen.page.click("nav a:text-is('Documents')")
    screen.page.wait_for_selector("#listed table")
    assert screen.page.is_visible("#viewer")


def test_on_a_phone_a_page_is_a_sheet_from_below(address: str, opened: Opened) -> None:
    screen = opened(address, width=390)
    with_a_page(screen)
    sheet = screen.page.locator("#viewer").bounding_box()
    assert sheet is not None
    assert (sheet["x"], sheet["width"], sheet["y"] + sheet["height"]) == (0, 390, 800)
    assert sheet["y"] > 50
    screen.page.click("#viewer button[title='Zoom in']")
    screen.press("n")
    screen.page.wait_for_selector("#viewer .head :text('citation 2 of ')")
    screen.page.wait_for_selector("#viewer [aria-current=page] .marks .current", state="attached")
    mark = screen.page.locator("#viewer .marks .current >> nth=0").bounding_box()
    assert mark is not None
    assert 0 <= mark["x"] < 390


def test_the_line_between_answer_and_page_can_be_moved(address: str, opened: Opened) -> None:
    screen = opened(address)
    with_a_page(screen)
    width = "document.querySelector('#viewer').clientWidth"
    half = screen.page.evaluate(width)
    line = screen.page.locator("#split").bounding_box()
    assert line is not None
    screen.page.mouse.move(line["x"] + 3, 400)
    screen.page.mouse.down()
    screen.page.mouse.move(line["x"] - 200, 400)
    screen.page.mouse.up()
    assert screen.page.evaluate(width) > half + 150
    screen.page.focus("#split")
    screen.press("ArrowRight")
    assert half + 100 < screen.page.evaluate(width) < half + 150
    screen.press("Escape")
    assert screen.page.is_hidden("#split")


def test_words_are_found_in_the_open_document_one_place_after_another(address: str, opened: Opened) -> None:
    screen = opened(address)
    with_a_page(screen)
    screen.press("f")
    screen.page.keyboard.type("rivian")
    screen.press("Enter")
    screen.page.wait_for_selector("#viewer .find [role=status]:text-matches('^1 of [0-9]+$')")
    screen.press("Enter")
    screen.page.wait_for_selector("#viewer .find [role=status]:text-matches('^2 of [0-9]+$')")
    screen.page.wait_for_selector("#viewer img[alt$='where it says: rivian']")
    assert "Find" in screen.page.evaluate("document.activeElement.ariaLabel")
    screen.page.fill("#viewer .find input", "no such words")
    screen.press("Enter")
    screen.page.wait_for_selector("#viewer .find [role=status]:text-is('nowhere')")


def test_a_table_without_pages_is_shown_as_a_table_with_the_cited_row_marked(
    opened: Opened, pincite: Run, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("fees")
    rows = (("Harbour", "Berth fee", "Crane fee"), ("Alder", "40 marks", "25 marks"), ("Birch", "15 marks", "10 marks"))
    cells = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    page = f"<h1>Fees</h1><p>What boats pay.</p><table>{cells}</table><p>Fees are due in May.</p>"
    (folder / "fees.html").write_text(page, encoding="utf-8")
    pincite("index", folder)
    with serving(folder / ".pincite") as (found, _):
        screen = opened(found)
        screen.ask("What is the crane fee of Alder?")
        screen.press("j")
        screen.page.wait_for_selector("#viewer mark:text-is('25 marks')")
        assert screen.texts("#viewer tr:has(mark:text-is('25 marks')) td") == list(rows[1])
        assert screen.page.locator("#viewer mark:text-is('15 marks')").count() == 0
        assert "Fees are due in May." in screen.page.inner_text("#viewer .sheet")
