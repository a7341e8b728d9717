"""The web page in Debian's Chromium, on real services; its tests are skipped where one of them is missing."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urldefrag

import pytest
from tests.e2e.conftest import Run, demo_documents, demo_store, pincite
from tests.e2e.test_serve import serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page

__all__ = ["demo_documents", "demo_store", "pincite"]
OPTIONS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
SCRIPT = "<script>alert(1)</script>"
IMAGE = "<img src=x onerror=alert(2)>"
HOSTILE = f"""# Notes {SCRIPT}

## Gauges {IMAGE}

The anemometer {IMAGE} of Alder Works was calibrated on 3 May 2024 {SCRIPT}.
"""
HOSTILE_NAME = f"{IMAGE}.md"
PWNED = "window.pwned = (number) => console.error(`pwned ${number}`);"
"""What scripts in documents call, if they run."""
SUGGESTING = "/api/start"
PATIENCE = 120_000
"""Milliseconds: on a busy machine the first question opens its models for a minute."""
OWN_PATHS = ("/web/", "/api/", "/q/")


@dataclass
class Screen:
    """A tab of the browser, and what should not happen in it."""

    page: Page
    address: str
    faults: list[str] = field(default_factory=list)

    def watch(self) -> None:
        """Note errors of scripts, words on the console, dialogs, and requests that the page does not make."""
        self.page.on("console", self._note_said)
        self.page.on("pageerror", lambda error: self.faults.append(f"script: {error}"))
        self.page.on("dialog", lambda dialog: (self.faults.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        self.page.on("request", lambda request: self._note_outside(request.url))

    def ask(self, question: str) -> None:
        """Type a question, and wait for what is found."""
        self.page.fill("#question", question)
        self.page.press("#question", "Enter")
        self.page.wait_for_selector("#evidence .opener")
        self.page.evaluate("document.activeElement.blur()")

    def as_table(self) -> None:
        """Show the evidence as a table, now and for what is asked later."""
        self.page.click("#evidence button:text-is('Table')")
        self.page.wait_for_selector("#evidence table")

    def press(self, *keys: str) -> None:
        """Press these keys, one after another."""
        for key in keys:
            self.page.keyboard.press(key)

    def texts(self, selector: str) -> list[str]:
        """What all these elements say."""
        return self.page.locator(selector).all_inner_texts()

    def _note_said(self, said: ConsoleMessage) -> None:
        """What stands on the console; not that a service ended while it looked for questions to suggest."""
        if SUGGESTING not in said.location["url"]:
            self.faults.append(f"console: {said.text}")

    def _note_outside(self, url: str) -> None:
        own = [f"{self.address}{path}" for path in OWN_PATHS]
        if urldefrag(url).url != f"{self.address}/" and not url.startswith((*own, f"blob:{self.address}/")):
            self.faults.append(f"request: {url}")


Opened = Callable[..., Screen]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium. Not for the whole session: Playwright keeps an event loop running, beside which other tests
    could start none of their own."""
    api = pytest.importorskip(
        "playwright.sync_api", reason="the browser is driven by Playwright: pip install playwright"
    )
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("there is no Chromium: apt-get install chromium")
    with api.sync_playwright() as driver:
        yield driver.chromium.launch(executable_path=program, args=OPTIONS)


@pytest.fixture(scope="session")
def address(demo_store: Path) -> Iterator[str]:
    """The service on the demo documents."""
    with serving(demo_store) as (found, _):
        yield found


@pytest.fixture(scope="session")
def hostile_store(pincite: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of a document that is full of scripts, down to its name."""
    folder = tmp_path_factory.mktemp("hostile documents")
    (folder / HOSTILE_NAME).write_text(HOSTILE, encoding="utf-8")
    done = pincite("index", folder)
    assert done.returncode == 0, done.stderr
    return folder / ".pincite"


@pytest.fixture
def opened(browser: Browser) -> Iterator[Opened]:
    """Open the page of a service in a new tab; nothing that should not happen in it may have happened at the end."""
    screens: list[Screen] = []

    def open_page(address: str, *, width: int = 1280, scheme: Any = "light", bypass_csp: bool = False) -> Screen:
        size: Any = {"width": width, "height": 800}
        context = browser.new_context(viewport=size, color_scheme=scheme, bypass_csp=bypass_csp)
        context.add_init_script(PWNED)
        context.set_default_timeout(PATIENCE)
        screen = Screen(context.new_page(), address)
        screen.watch()
        screen.page.goto(f"{address}/")
        screens.append(screen)
        return screen

    yield open_page
    for screen in screens:
        screen.page.context.close()
    assert [screen.faults for screen in screens if screen.faults] == []
