"""Somebody puts documents in on the page, sees what becomes of them, asks about them, and takes one out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import FileChooser
from playwright.sync_api import TimeoutError as NotSeenError
from tests.browser.conftest import Opened, Screen
from tests.browser.test_documents import to_documents
from tests.e2e.conftest import Run
from tests.e2e.test_serve import serving

RAIN = "Rain falls on the harbour. The pilot counts the drops."
QUESTION = "Who counts the drops?"
HOSTILE_NAME = "<img src=x onerror=alert(1)>.txt"
SENDING = "**/api/documents?name=*"
BUSY = '{"error": {"kind": "busy", "message": "try again in a moment"}}'
NOTE_SENT = """() => {
  window.told = [];
  const note = document.getElementById("sent-note");
  new MutationObserver(() => told.push(note.textContent)).observe(note, { childList: true });
}"""
DROP = """([element, files]) => {
  const dataTransfer = new DataTransfer();
  for (const [name, text] of files) dataTransfer.items.add(new File([text], name));
  for (const kind of ["dragover", "drop"])
    element.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
}"""


@pytest.fixture(scope="module")
def store(pincite: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of one note."""
    folder = tmp_path_factory.mktemp("harbour")
    (folder / "snow.md").write_text("# Snow\n\nIt snowed twice.\n", encoding="utf-8")
    done = pincite("index", folder, "--embedder", "none")
    assert done.returncode == 0, done.stderr
    return folder / ".pincite"


@pytest.fixture(scope="module")
def address(store: Path) -> Iterator[str]:
    with serving(store) as (found, _):
        yield found


def drop(screen: Screen, *files: tuple[str, str]) -> None:
    """Drop files of these names and texts on the documents."""
    screen.page.evaluate(DROP, [screen.page.query_selector("#documents"), files])


def choose(screen: Screen, *files: tuple[str, str]) -> None:
    """Choose files by the button, with the keyboard."""
    given: Any = [{"name": name, "mimeType": "text/plain", "buffer": text.encode()} for name, text in files]
    chooser = chosen_by_key(screen) or chosen_by_key(screen)
    assert chooser is not None
    chooser.set_files(given)


def chosen_by_key(screen: Screen) -> FileChooser | None:
    """What the browser opens; None where it took no notice of the key, as one on a very busy machine does."""
    screen.page.focus("#documents .choose")
    try:
        with screen.page.expect_file_chooser(timeout=10_000) as chooser:
            screen.press("Enter")
    except NotSeenError:
        return None
    return chooser.value


def ended(screen: Screen, name: str, status: str) -> str:
    """What the line of a file says at its end."""
    line = screen.page.locator(f"#sent li.{status}").filter(has=screen.page.get_by_text(name, exact=True))
    line.wait_for()
    return line.inner_text()


def forgive(screen: Screen, status: int) -> None:
    """The browser itself notes on its console that a request was turned down."""
    screen.faults[:] = [fault for fault in screen.faults if f"status of {status}" not in fault]


@pytest.mark.promise
def test_a_file_that_is_dropped_is_asked_about_and_taken_out(address: str, opened: Opened) -> None:
    screen = opened(address)
    to_documents(screen)
    drop(screen, ("rain.txt", RAIN))
    assert ended(screen, "rain.txt", "indexed") == "rain.txt indexed"
    screen.page.wait_for_selector("td.document:has-text('rain.txt')")
    screen.ask(QUESTION)
    assert any("The pilot counts the drops." in said for said in screen.texts(".statement"))
    assert any("rain.txt" in source for source in screen.texts(".sources li"))
    screen.page.click("nav a:text-is('Documents')")
    screen.page.click("td.document a:has-text('rain.txt')")
    screen.page.focus("#sections .take-out")
    screen.press("Enter")
    assert "/rain.txt?" in screen.page.inner_text("#taking h2")
    screen.press("Enter")
    screen.page.wait_for_selector("#taking", state="hidden")
    screen.press("Enter", "Tab", "Enter")
    screen.page.wait_for_selector("#listed table")
    screen.page.wait_for_selector("td.document:has-text('rain.txt')", state="detached")
    assert screen.texts("#sent li") == []
    screen.page.fill("#question", QUESTION)
    screen.page.press("#question", "Enter")
    screen.page.wait_for_selector("#answer .state:is(.nearest, .not_found)")
    assert "rain.txt" not in screen.page.inner_text("#asked")


def test_files_are_chosen_by_the_keyboard_and_the_list_renews_itself(address: str, opened: Opened) -> None:
    screen = opened(address, width=390)
    to_documents(screen)
    files = [(f"tide {number}.txt", f"The tide rose {number} times.") for number in range(7)]
    choose(screen, *files)
    for name, _ in files:
        ended(screen, name, "indexed")
    screen.page.wait_for_selector("#sent-note:has-text('7 of 7 files done')")
    for name, _ in files:
        screen.page.wait_for_selector(f"td.document:has-text('{name}')")
    assert screen.page.evaluate("document.scrollingElement.scrollWidth") <= 390


def test_a_file_that_cannot_be_read_says_why(address: str, opened: Opened) -> None:
    screen = opened(address)
    to_documents(screen)
    drop(screen, ("song.mp3", "la\0la"), ("broken.pdf", "%PDF-1.4 and nothing more"))
    assert "'song.mp3': pincite" in ended(screen, "song.mp3", "refused")
    assert "is not a PDF that can be opened" in ended(screen, "broken.pdf", "refused")
    forgive(screen, 415)
    row = screen.page.locator("tr.refused:has-text('broken.pdf')")
    row.locator("summary").click()
    row.get_by_role("button", name="Delete").click()
    screen.page.click("#taking button:text-is('Delete')")
    row.wait_for(state="detached")


def test_the_name_of_a_file_is_words(address: str, opened: Opened) -> None:
    screen = opened(address)
    to_documents(screen)
    drop(screen, (HOSTILE_NAME, "The buoy is red."))
    assert ended(screen, HOSTILE_NAME, "indexed") == f"{HOSTILE_NAME} indexed"
    screen.page.locator("#listed a").filter(has_text=HOSTILE_NAME).click()
    screen.page.click("#sections .take-out")
    assert f"/{HOSTILE_NAME}?" in screen.page.inner_text("#taking h2")
    assert screen.page.locator("img, main script").count() == 0


def test_no_more_than_three_are_sent_at_once_and_a_busy_service_is_asked_again(address: str, opened: Opened) -> None:
    screen = opened(address)
    to_documents(screen)
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    screen.page.route(SENDING, hold)
    drop(screen, *((f"wave {number}.txt", f"Wave {number} broke.") for number in range(5)))
    screen.page.wait_for_timeout(500)
    assert len(held) == 3
    screen.page.route(SENDING, lambda route: route.continue_())
    held[0].fulfill(status=503, body=BUSY, headers={"Retry-After": "1"})
    for route in held[1:]:
        route.continue_()
    screen.page.wait_for_selector("#sent-note:has-text('5 of 5 files done')")
    assert screen.page.locator("#sent .indexed").count() == 5
    forgive(screen, 503)


def test_what_somebody_else_took_out_meanwhile_is_told(address: str, opened: Opened) -> None:
    screen = opened(address)
    to_documents(screen)
    nothing = 'event: state\ndata: {"stage": "", "problem": "", "uploads": []}\n\n'
    screen.page.route("**/api/indexing/stream", lambda route: route.fulfill(body=nothing))
    drop(screen, ("foam.txt", "Foam is white."))
    screen.page.wait_for_selector("#sent li:has-text('foam.txt deleted')")


def test_the_list_is_renewed_under_the_keys_of_who_stands_in_it(address: str, opened: Opened) -> None:
    screen = opened(address)
    to_documents(screen)
    screen.page.focus("td.document a:has-text('snow.md')")
    drop(screen, ("reef.txt", "The reef is long."))
    screen.page.wait_for_selector("td.document:has-text('reef.txt')")
    assert screen.page.evaluate("document.activeElement.textContent") == "snow.md"


def test_who_may_not_write_is_told_so_in_one_line(store: Path, pincite: Run, opened: Opened) -> None:
    token = pincite("token", "add", "ada", "--role", "reader", "--store", store).stdout.strip()
    try:
        with serving(store) as (found, _):
            screen = opened(found)
            screen.page.click("nav a:text-is('Documents')")
            screen.page.fill("#secret", token)
            screen.page.press("#secret", "Enter")
            screen.page.wait_for_selector("#listed table")
            drop(screen, *((f"gust {number}.txt", "It blew.") for number in range(5)))
            screen.page.wait_for_selector("#sent-note:has-text('this needs the role writer, and yours is reader')")
            assert screen.texts("#sent li") == []
            screen.page.click("td.document a:has-text('snow.md')")
            screen.page.click("#sections .take-out")
            screen.page.click("#taking button:text-is('Delete')")
            screen.page.wait_for_selector("#taking :text('this needs the role writer, and yours is reader')")
            forgive(screen, 401)
            forgive(screen, 403)
    finally:
        pincite("token", "remove", "ada", "--store", store)


def test_small_files_are_sent_first_under_a_bar_that_says_how_many_are_left(address: str, opened: Opened) -> None:
    screen = opened(address)
    to_documents(screen)
    sent: list[str] = []
    screen.page.route(SENDING, lambda route: (sent.append(route.request.url), route.continue_()))
    screen.page.evaluate(NOTE_SENT)
    long = "The lighthouse keeper writes a long letter. " * 200
    drop(
        screen,
        ("long.txt", long),
        ("short.txt", "Salt."),
        ("middle.txt", "Salt is white. " * 9),
        ("small.txt", "Sand."),
    )
    screen.page.wait_for_selector("#sent-note:has-text('4 of 4 files done')")
    assert "long.txt" in sent[-1]
    told = screen.page.evaluate("told")
    assert any(words.startswith("0 of 4 files") for words in told)
    assert any(" left" in words for words in told)
    assert screen.page.is_hidden("#sent-bar")
