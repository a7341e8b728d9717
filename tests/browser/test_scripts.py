"""Somebody put more than a thousand scripts into documents: each is shown as the text that it is, and none runs.

The policy of the page is switched off: what it would have stopped runs here, if the page makes markup of any text. The
headings are looked at as they are served, too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from tests.browser.conftest import Opened, Screen
from tests.browser.test_documents import to_documents
from tests.browser.test_page import STREAM, answer_of, answered
from tests.browser.test_uploads import drop, forgive
from tests.e2e.conftest import Run
from tests.e2e.test_serve import serving
from tests.support import scripted_documents as documents
from tests.support.promises import SETTINGS
from tests.support.script_pages import Seen, made_of, passage_of
from tests.support.script_payloads import PAYLOADS, Payload
from tests.support.served import on_a_port

from pincite.serve.access import Access
from pincite.serve.access_tokens import Tokens
from pincite.serve.app import build_app

SHARE = 150
"""Payloads that stand in each kind of place, or more."""
TITLES = 60
"""Fewer, since an answer has no more than twelve results."""
MADE = documents.ONE_LINE[::7]
OPEN_ROWS = "() => document.querySelectorAll('.opener').forEach((found) => found.click())"
BUSY = 503
"""Told where the neighbours of twelve rows are asked for at once, on a machine that is busy with something else."""
CHOOSE = "(part) => part.dispatchEvent(new MouseEvent('click'))"
IS_ANSWERED = "() => /^(Answered|Nearest passages|Not found)/.test(document.getElementById('progress').textContent)"
IS_DRAWN = "(name) => document.querySelector('svg title')?.textContent === name"
ARE_THERE = """() => Array.from(document.querySelectorAll(".opened .passage")).every(
  ({ nextElementSibling }) => nextElementSibling.matches(".nearby"),
)"""
IS_TURNED = "(told) => document.querySelector('#listed .pager').innerText !== told"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The service on documents with scripts in their titles, headings, sentences and names."""
    folder = tmp_path_factory.mktemp("scripts") / ".pincite"
    with documents.scripted_engine(folder) as engine:
        app = build_app(engine, SETTINGS, Access(Tokens(folder), is_local=True))
        with on_a_port(app) as found:
            yield found


@pytest.fixture(scope="module")
def files_address(pincite: Run, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The service on files with scripts as names."""
    folder = tmp_path_factory.mktemp("named by scripts")
    documents.write_files(folder, documents.IN_FOLDER, documents.IN_ARCHIVE)
    done = pincite("index", folder, "--embedder", "none")
    assert done.returncode == 1, done.stderr
    with serving(folder / ".pincite") as (found, _):
        yield found


def go(screen: Screen, view: str, *names: str) -> None:
    """Go to a view, as one who follows a link of the page."""
    asked = urlencode([("name", name) for name in names])
    screen.page.evaluate("(hash) => { location.hash = hash; }", f"#{view}?{asked}")


def ask(screen: Screen, question: str) -> None:
    """Ask, and wait for an answer or a refusal."""
    screen.page.fill("#question", question)
    screen.page.press("#question", "Enter")
    screen.page.wait_for_function(IS_ANSWERED)
    screen.page.evaluate("document.activeElement.blur()")


def asked_together(payloads: Sequence[Payload], count: int = 10) -> list[str]:
    """The names that these go by, so many at a time."""
    names = [documents.called(payload) for payload in payloads]
    return [", ".join(names[at : at + count]) for at in range(0, len(names), count)]


def asked_in(route: Any, name: str) -> str:
    """What an address asks for by this name."""
    return parse_qs(urlsplit(route.request.url).query)[name][0]


def fewest(seen: Seen) -> int:
    """In the place that shows fewest."""
    return min(seen.counts().values())


def test_every_script_in_a_text_is_shown_as_text(address: str, opened: Opened) -> None:
    screen = opened(address, bypass_csp=True)
    seen = Seen(screen.page, "#viewer .passage")
    go(screen, "sections", documents.TEXTS)
    screen.page.wait_for_selector(".tree")
    for part in screen.page.locator(".tree .citation").all():
        part.click()
        screen.page.wait_for_selector("#viewer[aria-busy=false] .passage")
        seen.look()
    assert fewest(seen) == len(PAYLOADS) > 1000


@pytest.mark.parametrize("bypass_csp", [False, True], ids=["as-served", "without-policy"])
def test_headings_are_words(address: str, opened: Opened, bypass_csp: bool) -> None:
    screen = opened(address, bypass_csp=bypass_csp)
    tree, paths = Seen(screen.page, ".tree .citation"), Seen(screen.page, ".opened .path")
    for source in documents.with_headings():
        go(screen, "sections", source)
        screen.page.wait_for_selector(f"#sections h2:has-text('{source}') ~ .tree")
        tree.look()
    for names in asked_together(documents.ONE_LINE[::6]):
        ask(screen, f"What do the gauges of {names} read?")
        screen.page.evaluate(OPEN_ROWS)
        paths.look()
    forgive(screen, BUSY)
    assert fewest(tree) > 1000
    assert fewest(paths) >= SHARE


def test_titles_and_sentences_of_answers_are_words(address: str, opened: Opened) -> None:
    screen = opened(address, bypass_csp=True)
    seen = Seen(screen.page, ".statement", "#trail", ".passage")
    titles = Seen(screen.page, ".citation, .card-head")
    for names in asked_together(documents.TITLED, 4):
        ask(screen, f"{names} calibrated in May 2024")
        screen.page.evaluate(OPEN_ROWS)
        screen.press("t")
        screen.page.wait_for_selector("#trail .said")
        screen.press("j")
        seen.look()
        titles.look()
    screen.page.emulate_media(media="print")
    seen.look()
    forgive(screen, BUSY)
    assert fewest(seen) >= SHARE
    assert fewest(titles) >= TITLES


def test_questions_are_words_in_the_box_and_among_the_last(address: str, opened: Opened) -> None:
    screen = opened(address, bypass_csp=True)
    seen = Seen(screen.page, "#question", "#recent")
    for at in range(0, 200, 20):
        told = " ".join(payload.text for payload in documents.ONE_LINE[at : at + 20])
        ask(screen, f"What is the price of cheese on the moon, {told}")
        seen.look()
    screen.page.reload()
    seen.look()
    assert fewest(seen) >= SHARE


def test_names_in_a_graph_and_its_sentences_are_words(address: str, opened: Opened) -> None:
    screen = opened(address, bypass_csp=True)
    seen, walked = Seen(screen.page, "svg title", "#said"), Seen(screen.page, "svg title, #of-entity, .walk")
    for house in documents.houses():
        go(screen, "graph", house)
        screen.page.wait_for_selector(f"svg[aria-label='Graph of {house}']")
        screen.page.locator("svg .point").first.evaluate(CHOOSE)
        seen.look()
    for at in range(0, len(PAYLOADS), 30):
        first = documents.TITLED[at % len(documents.TITLED)].text
        go(screen, "graph", first, *(payload.text for payload in PAYLOADS[at : at + 4]))
        screen.page.wait_for_function(IS_DRAWN, arg=first)
        walked.look()
    assert min(fewest(seen), fewest(walked)) >= SHARE


def test_names_in_addresses_and_in_what_went_wrong_are_words(address: str, opened: Opened) -> None:
    screen = opened(address, bypass_csp=True)
    seen = Seen(screen.page, "#sections h2", "#progress")
    for at in range(0, 240, 12):
        go(screen, "sections", " ".join(payload.text for payload in PAYLOADS[at : at + 12]))
        screen.page.wait_for_selector("#sections [role=alert]")
        seen.look()
    forgive(screen, 404)
    problem = {"error": {"kind": "usage", "message": " ".join(payload.text for payload in PAYLOADS)}}
    screen.page.route(STREAM, lambda route: route.fulfill(body=f"event: error\ndata: {json.dumps(problem)}\n\n"))
    screen.page.fill("#question", "Who?")
    screen.press("Enter")
    screen.page.wait_for_function("() => document.getElementById('progress').textContent.length > 1000")
    seen.look()
    assert fewest(seen) >= SHARE


def test_an_answer_of_nothing_but_scripts_is_words(address: str, opened: Opened) -> None:
    screen = opened(address, bypass_csp=True)
    answered(screen, made_of(MADE, answer_of(address, "What does House Aalder own?")))
    screen.page.route("**/passage?*", lambda route: route.fulfill(json=passage_of(asked_in(route, "chunk"))))
    places = Seen(screen.page, "#answer h2", ".statement", ".sources .name", ".missing", "#trail", "#banner")
    rows = Seen(
        screen.page,
        "td.snippet",
        "td.filename",
        "td.methods",
        ".path",
        ".opened .aside",
        ".opened dt",
        ".triplets",
        ".nearby",
    )
    ask(screen, "Who?")
    screen.page.evaluate("document.getElementById('trail').open = true")
    screen.page.wait_for_selector("#trail li li li >> nth=300")
    places.look()
    screen.as_table()
    more = screen.page.locator("#evidence button:text-is('Show more evidence')")
    for _ in range(2 * len(MADE) // 12 + 1):
        screen.page.evaluate(OPEN_ROWS)
        screen.page.wait_for_function(ARE_THERE)
        rows.look()
        if more.is_enabled():
            more.click()
    assert min(fewest(places), fewest(rows)) >= SHARE


def test_names_of_files_are_words(files_address: str, opened: Opened) -> None:
    screen = opened(files_address, bypass_csp=True)
    listed, asked = Seen(screen.page, "#listed .name"), Seen(screen.page, "#taking h2", "#sections h2")
    to_documents(screen)
    listed.look()
    more = screen.page.locator("#listed .pager button:text-is('More')")
    while more.is_enabled():
        told = screen.page.inner_text("#listed .pager")
        more.click()
        screen.page.wait_for_function(IS_TURNED, arg=told)
        listed.look()
    for payload in documents.IN_FOLDER[::20]:
        go(screen, "sections", f"{payload.text}.txt")
        screen.page.click("#sections .take-out")
        asked.look()
        screen.press("Escape")
    for payloads in (documents.IN_FOLDER, documents.IN_ARCHIVE):
        names = [replace(payload, text=payload.text.rpartition("/")[2]) for payload in payloads]
        (count,) = listed.counts(names).values()
        assert count >= SHARE
    assert fewest(asked) >= len(documents.IN_FOLDER) // 20


def test_names_of_files_that_are_put_in_are_words(files_address: str, opened: Opened) -> None:
    screen = opened(files_address, bypass_csp=True)
    seen = Seen(screen.page, "#sent .name")
    to_documents(screen)
    drop(screen, *((f"{payload.text}.txt", f"Wave {payload.number}.") for payload in documents.UPLOADED))
    count = len(documents.UPLOADED)
    screen.page.wait_for_selector(f"#sent-note:has-text('{count} of {count} files done')", timeout=120_000)
    seen.look()
    assert screen.page.locator("#sent .refused").count() == 0
    assert fewest(seen) >= SHARE
