"""Every view can be used by everybody, light on a wide screen and dark on a phone: axe-core finds nothing, and
nothing is wider than the screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.browser.conftest import Opened, Screen
from tests.browser.test_page import QUESTION, UNANSWERED
from tests.browser.test_trail import HANDBOOK, ON_ANCHORS
from tests.browser.test_uploads import drop, ended, forgive

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="pip install axe-playwright-python")


def refused(screen: Screen) -> None:
    screen.ask(UNANSWERED)


def answered(screen: Screen) -> None:
    screen.ask(QUESTION)
    screen.page.click(".opener >> nth=0")
    screen.page.wait_for_selector(".nearby")


def with_a_page(screen: Screen) -> None:
    screen.ask(QUESTION)
    screen.page.click(".citation >> nth=0")
    screen.page.wait_for_selector("#viewer img")


def with_its_trail(screen: Screen) -> None:
    screen.ask(ON_ANCHORS)
    screen.press("t")
    screen.page.wait_for_selector("#trail li li li")


def with_the_keys(screen: Screen) -> None:
    screen.page.evaluate("document.activeElement.blur()")
    screen.press("?")


def documents(screen: Screen) -> None:
    screen.page.click("nav a:text-is('Documents')")
    screen.page.wait_for_selector("#listed table")


def with_a_file_put_in(screen: Screen) -> None:
    documents(screen)
    drop(screen, ("song.mp3", "la\0la"))
    ended(screen, "song.mp3", "refused")
    forgive(screen, 415)


def about_to_take_out(screen: Screen) -> None:
    sections(screen)
    screen.page.click("#sections .take-out")


def sections(screen: Screen) -> None:
    screen.page.goto(f"{screen.address}/#sections?name={HANDBOOK}&page=11")
    screen.page.wait_for_selector(".tree [aria-current]")


def graph(screen: Screen) -> None:
    screen.page.goto(f"{screen.address}/#graph?name=Rivian&name=RJ+Scaringe")
    screen.page.click("svg .walked >> nth=1")
    screen.page.wait_for_selector("#said .citation")


VIEWS: list[Callable[[Screen], Any]] = [
    *(lambda screen: None, refused, answered, with_a_page, with_its_trail, with_the_keys),
    *(documents, with_a_file_put_in, sections, about_to_take_out, graph),
]


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_everybody_can_use_it(address: str, opened: Opened, width: int, scheme: str) -> None:
    for view in VIEWS:
        screen = opened(address, width=width, scheme=scheme)
        view(screen)
        found = axe.Axe().run(screen.page).response["violations"]
        assert [(item["id"], item["nodes"][0]["html"]) for item in found] == []
        assert screen.page.evaluate("document.scrollingElement.scrollWidth") <= width
        screen.page.close()
