"""Somebody opens the page: they see what is here, questions to try, what they asked before, and where to drop files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.browser.conftest import Opened
from tests.browser.test_page import QUESTION, UNANSWERED
from tests.browser.test_uploads import DROP, ended
from tests.e2e.conftest import Run
from tests.e2e.test_serve import serving

SUGGESTED = ".suggestion >> nth=2"


@pytest.fixture(scope="module")
def empty_address(pincite: Run, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The service on a store without documents."""
    folder = tmp_path_factory.mktemp("empty")
    pincite("index", folder, "--embedder", "none")
    with serving(folder / ".pincite") as (found, _):
        yield found


def test_it_says_what_is_here(address: str, opened: Opened, demo_store: Path) -> None:
    screen = opened(address)
    screen.page.wait_for_selector("#start h2")
    assert screen.page.inner_text("#start h2") == demo_store.parent.name
    assert screen.page.inner_text("#start .aside >> nth=0").startswith("6 documents, 53 pages, last changed ")


def test_what_is_here_is_asked_for_once(address: str, opened: Opened) -> None:
    screen = opened(address)
    asked: list[str] = []
    screen.page.on("request", lambda request: asked.append(request.url))
    screen.page.reload()
    screen.page.wait_for_selector(SUGGESTED)
    screen.page.wait_for_selector("#choices input")
    assert asked.count(f"{address}/api/start") == 1


def test_each_question_to_try_is_answered(address: str, opened: Opened) -> None:
    screen = opened(address)
    screen.page.wait_for_selector(SUGGESTED)
    for question in screen.texts(".suggestion"):
        screen.page.goto(f"{address}/")
        screen.page.click(f".suggestion:text-is({question!r})")
        screen.page.wait_for_selector("#answer .state.answered")
        assert screen.page.is_hidden("#start")
        assert screen.page.input_value("#question") == question


def test_the_same_questions_are_suggested_again_at_once(address: str) -> None:
    first = httpx.get(f"{address}/api/start/questions", timeout=60)
    again = httpx.get(f"{address}/api/start/questions", timeout=60)
    assert first.json() == again.json()
    assert again.elapsed.total_seconds() < 0.5


def test_what_was_asked_before_stands_there_with_what_came_of_it(address: str, opened: Opened) -> None:
    screen = opened(address)
    for question in (QUESTION, UNANSWERED):
        screen.ask(question)
    screen.page.click("h1 a")
    screen.page.wait_for_selector("#recent li")
    assert screen.texts("#recent li") == [f"{UNANSWERED} not found", f"{QUESTION} answered"]


def test_an_empty_store_says_how_to_fill_it(empty_address: str, opened: Opened) -> None:
    screen = opened(empty_address)
    screen.page.wait_for_selector("#start :text('There are no documents here yet.')")
    screen.page.evaluate(DROP, [screen.page.query_selector("#start"), [["rain.txt", "Rain falls on the harbour."]]])
    ended(screen, "rain.txt", "indexed")
    screen.page.wait_for_selector("td.document:has-text('rain.txt')")
    screen.page.click("h1 a")
    screen.page.wait_for_selector("#start :text('1 document, ')")
