"""Somebody walks from the statements of an answer to the pages that these hang on, and through the sections of a
document."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from tests.browser.conftest import Opened, Screen
from tests.browser.test_page import MARKED, QUESTION, answer_of, answered, current

HANDBOOK = "roof_access_handbook.pdf"
ON_ANCHORS = "What must each anchor carry in every direction?"


def opened_trail(screen: Screen, question: str = ON_ANCHORS) -> None:
    """Ask, and open what the answer rests on."""
    screen.ask(question)
    screen.press("t")
    screen.page.wait_for_selector("#trail li li")


def test_the_trail_tells_on_what_pages_each_statement_rests_and_what_these_refer_to(
    address: str, opened: Opened
) -> None:
    screen = opened(address)
    opened_trail(screen)
    said = [statement["text"] for statement in answer_of(address, ON_ANCHORS)["statements"]]
    assert screen.texts("#trail .said") == said
    screen.page.wait_for_selector("#trail li li li:has-text('5.2(1)P refers to Table 5.1, p.11')")
    assert screen.texts("#trail > ol > li > ul > li > .citation") == [f"{HANDBOOK} p.11 (“8”)"] * len(said)


def test_a_step_opens_its_page_with_its_words_marked_and_goes_on_from_there(address: str, opened: Opened) -> None:
    screen = opened(address)
    opened_trail(screen)
    with screen.page.expect_request(MARKED) as asked:
        screen.page.click("#trail .citation:has-text('Table 5.1')")
    mark, *_ = parse_qs(urlsplit(asked.value.url).query)["mark"]
    text = screen.page.request.get(f"{address}/api/document/pages/11?source={HANDBOOK}").json()["pages"][0]["text"]
    assert text[slice(*map(int, mark.split("-")))].startswith("Table 5.1")
    screen.page.wait_for_selector("#viewer img[alt*='Table 5.1']")


def test_keys_walk_the_trail_into_what_a_step_refers_to_in_turn(address: str, opened: Opened) -> None:
    screen = opened(address)
    opened_trail(screen, "Where can a person be connected to an anchor instead of a guardrail?")
    screen.page.click("#trail .citation:has-text('1.2(3), p.4')")
    screen.page.wait_for_selector("#trail li:has-text('1.2(3) refers to section 5, p.11')")
    screen.press("j")
    assert current(screen) == ["section 5, p.11 (“8”)"]
    screen.page.wait_for_selector("#viewer img[alt*='5 Anchors']")
    screen.press("k")
    assert current(screen) == ["1.2(3), p.4 (“1”)"]
    assert screen.texts("#trail .citation").count("section 5, p.11 (“8”)") == 1


def test_what_was_followed_while_answering_leads_to_its_pages(address: str, opened: Opened) -> None:
    screen = opened(address)
    answer = answer_of(address, ON_ANCHORS)
    hop = {"text": "5.2(1)P refers to Table 5.1 -> p.11", "source_id": HANDBOOK}
    answer["meta"]["explanation"] = {"hops": [hop, {"text": "1 refers to a note -> notes.md", "source_id": "notes.md"}]}
    answered(screen, answer)
    opened_trail(screen)
    assert screen.texts("#trail > ol > li:last-child li") == [
        "5.2(1)P refers to Table 5.1, p.11",
        "1 refers to a note -> notes.md",
    ]
    screen.page.click("#trail > ol > li:last-child .citation")
    screen.page.wait_for_selector(f"#viewer h2:has-text('{HANDBOOK} p.11')")


def test_sections_are_a_tree_in_which_a_click_opens_a_page(address: str, opened: Opened) -> None:
    screen = opened(address)
    screen.page.goto(f"{address}/#sections?name={HANDBOOK}")
    screen.page.wait_for_selector(".tree")
    assert "5 Anchors" in screen.texts(".tree .citation")
    assert "5.2 Loads" not in screen.texts(".tree .citation")
    screen.page.click("[aria-label='Below 5 Anchors']")
    screen.page.click("[aria-label='Below 5.2 Loads']")
    assert "5.2(2)" in screen.texts(".tree .citation")
    screen.page.click(".tree .citation:text-is('5.2 Loads')")
    screen.page.wait_for_selector("#viewer img")
    assert screen.page.inner_text("#viewer h2") == f"{HANDBOOK} p.11 (“8”)"
    screen.press("j")
    assert current(screen) == ["5.2(1)P"]
    screen.page.click("[aria-label='Below 5 Anchors']")
    assert not screen.page.is_visible(".tree .citation:text-is('5.2 Loads')")


def test_from_a_page_one_gets_to_where_it_stands_in_its_document_and_back(address: str, opened: Opened) -> None:
    screen = opened(address)
    screen.ask(ON_ANCHORS)
    screen.press("j")
    screen.page.click("#viewer a:text-is('Sections')")
    screen.page.wait_for_selector(".tree [aria-current]")
    assert screen.texts(".tree [aria-current]") == ["5.4(2)"]
    assert screen.page.is_hidden("#answer")
    screen.page.go_back()
    assert screen.page.is_visible("#answer .statement >> nth=0")
    screen.page.go_forward()
    screen.ask(QUESTION)
    assert screen.page.is_hidden("#sections")


def test_a_document_that_is_not_there_is_told(address: str, opened: Opened) -> None:
    screen = opened(address)
    screen.page.goto(f"{address}/#sections?name=nothing.pdf")
    assert "nothing.pdf" in screen.page.wait_for_selector("#sections [role=alert]").inner_text()
    screen.faults.clear()
