"""What leaves the page, or is opened beside it, holds the same scripts: copies, answers of the service opened straight,
the documents themselves. And a page that takes text for markup runs most of them: the tests of scripts can fail."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

import httpx
import pytest
from markdown_it import MarkdownIt
from tests.browser.conftest import Opened
from tests.browser.test_page import answer_of, answered
from tests.e2e.conftest import Run
from tests.e2e.test_serve import serving
from tests.support import scripted_documents as documents
from tests.support.script_pages import Seen, made_of, ran_carelessly
from tests.support.script_payloads import PAYLOADS

from pincite.rendering import plain_text

if TYPE_CHECKING:
    from playwright.sync_api import Browser

MOST = 0.9
"""Of the payloads: Chromium 156 runs 93 %; the others are for browsers of long ago and for libraries."""
NAMED = documents.IN_FOLDER[::10]
BLOCKS = ("- x", "+ x", "1. x", "2) x", "# x", "> x", "= x", "--- x", "| x |", "{: x}")
"""What begins a block of Markdown."""
WITHIN = re.compile(r"(?<=[^\W_])\\_(?=[^\W_])")
"""A sign that marks nothing within a word."""
WORDS = {"text", "text_special", "softbreak"}
HEADING = ["heading_open", "inline", "heading_close"]
ROW = ["list_item_open", "paragraph_open", "inline", "paragraph_close", "list_item_close"]
COPIED = """async (texts) => {
  const { markdownOf } = await import("/web/markdown.js");
  const cited = { numbers: new Map(), pages: new Map() };
  return texts.map((text) => markdownOf({ query: text, statements: [{ text, citations: [] }] }, cited, String));
}"""
SHOWS = "Array.from(document.querySelectorAll('*'), ({ localName }) => localName)"
OF_A_TEXT = {"html", "head", "meta", "body", "pre", "div", "style"}
"""What browsers make of JSON."""


@pytest.fixture(scope="module")
def address(pincite: Run, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The service on files with scripts in them."""
    folder = tmp_path_factory.mktemp("scripts in files")
    documents.write_files(folder, NAMED)
    done = pincite("index", folder, "--embedder", "none")
    assert done.returncode == 1, done.stderr
    with serving(folder / ".pincite") as (found, _):
        yield found


def is_words(text: str, rows: int, address: str = "") -> bool:
    """Whether a renderer takes nothing in this Markdown for markup but one heading, the rows of one list, and behind it
    those of a numbered one, with links to this address alone."""
    renderer = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    blocks = renderer.parse(text)
    inner = [token for block in blocks for token in block.children or ()]
    types = [block.type for block in blocks]
    shape = [*HEADING, "bullet_list_open", *ROW * rows, "bullet_list_close"]
    rest = types[len(shape) :]
    sources = ["ordered_list_open", *ROW * rest.count("list_item_open"), "ordered_list_close"] if address else []
    links = {token.attrs["href"] for token in inner if token.type == "link_open"}
    is_own = all(str(link).startswith(f"{address}/q/") for link in links) and (bool(address) or not links)
    words = WORDS | {"link_open", "link_close"}
    return {token.type for token in inner} <= words and is_own and types == shape + sources


def test_most_of_them_run_in_a_page_that_takes_text_for_markup(browser: Browser) -> None:
    assert len(ran_carelessly(browser)) > MOST * len(PAYLOADS)


def test_one_that_runs_in_the_page_is_noticed(address: str, opened: Opened) -> None:
    screen = opened(address, bypass_csp=True)
    screen.page.evaluate("document.body.insertAdjacentHTML('beforeend', '<b onclick=pwned(1)>x</b>')")
    screen.page.click("b")
    assert screen.faults == ["console: pwned 1"]
    screen.faults.clear()
    with pytest.raises(AssertionError):
        Seen(screen.page).look()


def test_no_two_are_the_same() -> None:
    assert len({payload.text for payload in PAYLOADS}) == len(PAYLOADS) > 1000


def test_in_copied_markdown_they_are_words(address: str, opened: Opened) -> None:
    screen = opened(address)
    texts = [*(payload.text.replace("\n", " ") for payload in PAYLOADS), *BLOCKS, *(f" {text}" for text in BLOCKS)]
    copied = screen.page.evaluate(COPIED, texts)
    printed = [f"# {text}\n\n- {text}\n" for text in map(plain_text, texts)]
    assert [text for text in (*copied, *printed) if not is_words(text, 1)] == []
    for text, copy, said in zip(texts, copied, printed, strict=True):
        assert copy == WITHIN.sub("_", said) or not text.isprintable()


def test_a_copied_answer_is_words(address: str, opened: Opened) -> None:
    screen = opened(address)
    screen.page.context.grant_permissions(["clipboard-read"])
    answered(screen, made_of(documents.ONE_LINE, answer_of(address, "Which buoy is red?")))
    screen.ask("Which buoy is red?")
    screen.page.click("text=Copy as Markdown")
    copied = screen.page.evaluate("() => navigator.clipboard.readText()")
    assert is_words(copied, len(documents.ONE_LINE), address)


@pytest.mark.parametrize("bypass_csp", [False, True])
def test_what_the_service_answers_is_text_where_it_is_opened_straight(
    address: str, opened: Opened, bypass_csp: bool
) -> None:
    screen = opened(address, bypass_csp=bypass_csp)
    told = " ".join(payload.text for payload in PAYLOADS[::40])
    for path in (
        "/api/documents",
        f"/qa?{urlencode({'query': 'Which buoy is red?'})}",
        f"/api/document/sections?{urlencode({'source': 'gauges.html'})}",
        f"/api/document?{urlencode({'source': told})}",
        f"/api/entity/graph?{urlencode({'name': told})}",
        f"/web/{quote(told, safe='')}",
        f"/{quote(told, safe='')}",
    ):
        response = screen.page.goto(f"{address}{path}")
        assert response is not None
        assert response.headers["content-type"] == "application/json"
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"
        assert set(screen.page.evaluate(SHOWS)) <= OF_A_TEXT
    screen.faults[:] = [
        fault for fault in screen.faults if "status of 4" not in fault and not fault.startswith("request")
    ]


def test_documents_are_saved_and_never_opened_on_the_page_of_the_service(address: str, opened: Opened) -> None:
    screen = opened(address)
    names = [f"{payload.text}.txt" for payload in NAMED]
    for source in ("gauges.html", "gauges.docx", *names):
        url = f"{address}/api/document/file?{urlencode({'source': source})}"
        answer = httpx.get(url)
        assert answer.headers["content-type"] == "application/octet-stream"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["content-security-policy"].startswith("sandbox;")
        assert answer.headers["content-disposition"].startswith("attachment; filename*=UTF-8''")
    with screen.page.expect_download() as saved:
        screen.page.evaluate("(url) => { location.href = url; }", f"{address}/api/document/file?source=gauges.html")
    assert Path(saved.value.path()).read_bytes().startswith(b"<title>")


def test_the_picture_of_the_page_is_shut_where_it_is_opened_as_a_document(address: str, opened: Opened) -> None:
    screen = opened(address)
    response = screen.page.goto(f"{address}/web/icon.svg")
    assert response is not None
    assert response.headers["content-type"] == "image/svg+xml"
    assert "script-src 'self'" in response.headers["content-security-policy"]
    assert not {"script", "foreignObject", "a", "image"} & set(screen.page.evaluate(SHOWS))
