"""Somebody walks through the names of the documents: a click shows the sentences, and a sentence its page."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlencode

import httpx
from tests.browser.conftest import IMAGE, SCRIPT, Opened, Screen
from tests.browser.test_page import QUESTION
from tests.e2e.conftest import Run
from tests.e2e.test_serve import serving

DRAWN = 24
WALKED = "#graph svg .walked[aria-label='Rivian']"
SIDES = """() => {
  const picture = document.querySelector("#graph .drawing");
  return { scrolled: picture.scrollLeft, left: picture.scrollWidth - picture.clientWidth - picture.scrollLeft };
}"""


def to_graph(screen: Screen, *names: str) -> None:
    screen.page.goto(f"{screen.address}/#graph?{urlencode([('name', name) for name in names])}")
    screen.page.wait_for_selector("#graph svg")


def test_a_name_is_drawn_with_its_neighbours(address: str, opened: Opened) -> None:
    screen = opened(address)
    screen.page.click("nav a:text-is('Graph')")
    screen.page.fill("#of-entity", "Rivian")
    screen.press("Enter")
    screen.page.wait_for_selector(WALKED)
    drawing = httpx.get(f"{address}/api/entity/graph", params={"name": "Rivian"}).json()
    points = screen.page.locator("svg .point")
    assert [points.nth(n).get_attribute("aria-label") for n in range(points.count())] == [
        node["name"] for node in drawing["nodes"]
    ]
    assert screen.page.locator("svg .edge").count() == len(drawing["edges"])


def test_a_line_shows_its_sentences_and_a_sentence_its_page(address: str, opened: Opened) -> None:
    screen = opened(address)
    to_graph(screen, "Rivian")
    screen.page.locator("svg .edge[aria-label='Rivian has founder RJ Scaringe'] text").click()
    assert screen.page.inner_text("#said h3") == "Rivian has founder RJ Scaringe"
    assert "Rivian · has founder · RJ Scaringe" in screen.page.inner_text("#said")
    screen.page.click("#said .citation >> nth=0")
    screen.page.wait_for_selector("#viewer img[alt*='Rivian was founded']")
    screen.press("j")
    assert screen.texts(".citation[aria-current]") == screen.texts("#said .citation")[1:2]


def test_from_a_name_one_goes_on_and_back(address: str, opened: Opened) -> None:
    screen = opened(address)
    to_graph(screen, "Rivian")
    screen.page.focus("svg .point[aria-label='RJ Scaringe']")
    screen.press("Enter")
    screen.page.click("#said a:text-is('Expand from here')")
    screen.page.wait_for_selector(".walk")
    screen.page.wait_for_selector("svg .walked[aria-label='RJ Scaringe']")
    assert screen.texts(".walk a") == ["Rivian", "RJ Scaringe"]
    assert "patents related to Rivian EV batteries" in screen.page.text_content("svg")
    screen.page.go_back()
    screen.page.wait_for_selector("svg .point:not(.walked)[aria-label='RJ Scaringe']")


def test_a_path_of_an_answer_is_drawn(address: str, opened: Opened) -> None:
    screen = opened(address)
    screen.ask(QUESTION)
    screen.page.click(".pager button:text-is('Show more evidence')")
    screen.page.click(".opener:has-text('→') >> nth=0")
    screen.page.click("a:has-text('Draw this path')")
    screen.page.wait_for_selector("svg .walked >> nth=1")
    assert screen.texts(".walk a") == ["Rivian", "RJ Scaringe"]


def test_a_name_that_nothing_has_is_told(address: str, opened: Opened) -> None:
    screen = opened(address)
    screen.page.goto(f"{address}/#graph?name=Zinc")
    told = screen.page.wait_for_selector("#graph [role=alert]").inner_text()
    assert told.startswith("no document names 'Zinc'")
    screen.faults.clear()


def test_names_in_a_drawing_are_words(hostile_store: Path, opened: Opened, pincite: Run) -> None:
    with serving(hostile_store) as (address, _):
        screen = opened(address)
        for name in ("Alder Works", SCRIPT, IMAGE):
            screen.page.goto(f"{address}/#graph?{urlencode({'name': name})}")
            screen.page.wait_for_selector("#graph svg, #graph [role=alert]")
            for point in screen.page.locator("svg .point").all():
                point.click()
        assert screen.page.locator("img, main script").count() == 0
        screen.faults[:] = [fault for fault in screen.faults if "404" not in fault]


def test_the_most_named_are_there_to_begin_with(address: str, opened: Opened) -> None:
    screen = opened(address)
    screen.page.click("nav a:text-is('Graph')")
    screen.page.wait_for_selector(".named a >> nth=0")
    assert screen.texts(".named h3") == ["Names", "Terms"]
    screen.page.click(".named bdi:text-is('Rivian')")
    screen.page.wait_for_selector(WALKED)


def test_the_most_named_are_a_picture_that_shows_sentences_with_their_pages(address: str, opened: Opened) -> None:
    told = httpx.get(f"{address}/api/entities").json()
    names = [entity["name"] for entity in told["entities"]]
    one, other, count = next(pair for pair in told["together"] if max(pair[:2]) < DRAWN)
    screen = opened(address)
    screen.page.goto(f"{address}/#graph")
    screen.page.click(f"svg.overview .point[aria-label^='{names[one]}, in ']")
    screen.page.wait_for_selector(f"#said h3:has-text('{names[one]}')")
    line = f"{names[one]} and {names[other]}, together in {count} "
    screen.page.focus(f"svg.overview .edge[aria-label^='{line}']")
    screen.press("Enter")
    screen.page.wait_for_selector(f"#said h3:has-text('{names[one]} and {names[other]}')")
    for sentence in screen.texts("#said li"):
        assert names[one].lower() in sentence.lower()
        assert names[other].lower() in sentence.lower()
    screen.page.click("#said .citation >> nth=0")
    screen.page.wait_for_selector("#viewer .marks .current", state="attached")
    screen.page.click("#said a")
    screen.page.wait_for_selector(f"#graph .walk a:has-text('{names[other]}')")


def test_on_a_phone_the_picture_begins_in_its_middle(address: str, opened: Opened) -> None:
    screen = opened(address, width=390)
    screen.page.goto(f"{address}/#graph")
    screen.page.wait_for_selector("svg.overview")
    sides = screen.page.evaluate(SIDES)
    assert sides["scrolled"] > 0
    assert abs(sides["scrolled"] - sides["left"]) < 2


def test_no_number_stands_alone_in_a_drawing(address: str) -> None:
    for entity in httpx.get(f"{address}/api/entities").json()["entities"]:
        drawing = httpx.get(f"{address}/api/entity/graph", params={"name": entity["name"]}).json()
        assert all(any(map(str.isalpha, node["name"])) for node in drawing["nodes"])
