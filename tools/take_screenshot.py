"""The picture of the page in the README: python tools/take_screenshot.py STORE docs/images/page.png

Serves STORE, asks QUESTION in Chromium, opens the first citation, and keeps what is seen at 1280 by 800 pixels.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

QUESTION = (
    "Which founders of Tesla or Rivian have invested in solar energy startups, "
    "and what patents related to EV batteries do they hold?"
)
PINCITE = "import sys; from pincite.cli.main import main; sys.exit(main())"


def main(store: Path, target: Path) -> int:
    """Take it; the service ends with it."""
    command = [sys.executable, "-c", PINCITE, "serve", "--store", str(store), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as service:
        try:
            said = next(found for line in service.stdout or () if (found := re.search(r"http://[\d.:]+", line)))
            _take(said[0], target)
        finally:
            service.terminate()
    return 0


def _take(address: str, target: Path) -> None:
    with sync_playwright() as api:
        browser = api.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--headless", "--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(address)
        page.fill("#question", QUESTION)
        page.press("#question", "Enter")
        page.wait_for_selector("#evidence > *", timeout=90_000)
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("j")
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(1500)
        page.screenshot(path=target)
        browser.close()


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])))
