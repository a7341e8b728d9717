"""Somebody looks at what the store holds: which documents, in which state, and why one was refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.browser.conftest import HOSTILE_NAME, IMAGE, Opened, Screen
from tests.e2e.conftest import Run
from tests.e2e.test_serve import serving

NOTES = 120
ROWS = 50


@pytest.fixture(scope="module")
def address(pincite: Run, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The service on many notes, and a file that cannot be read."""
    folder = tmp_path_factory.mktemp("many notes")
    for number in range(NOTES):
        (folder / f"note {number:03}.md").write_text(
            f"# Note {number}\n\nIt snowed {number} times.\n", encoding="utf-8"
        )
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 and nothing more")
    done = pincite("index", folder, "--embedder", "none")
    assert done.returncode == 1, done.stderr
    with serving(folder / ".pincite") as (found, _):
        yield found


def to_documents(screen: Screen) -> None:
    screen.page.click("nav a:text-is('Documents')")
    screen.page.wait_for_selector("#listed table")


def rows(screen: Screen) -> list[str]:
    return screen.texts("td.document")


def test_documents_are_listed_with_their_state_some_at_a_time(address: str, opened: Opened) -> None:
    screen = opened(address)
    to_documents(screen)
    assert screen.texts("#states button") == [f"All {NOTES + 1}", f"Indexed {NOTES}", "Refused 1"]
    assert len(rows(screen)) == ROWS
    assert rows(screen)[1] == "note 000.md"
    assert screen.texts("td.state")[:2] == ["refused", "indexed"]
    screen.page.click("#listed button:text-is('More')")
    screen.page.wait_for_selector(".pager:has-text('51 to 100 of 121')")
    assert rows(screen)[0] == "note 049.md"
    screen.page.click("#listed button:text-is('More')")
    screen.page.wait_for_selector(".pager:has-text('101 to 121 of 121')")
    assert screen.page.is_disabled("#listed button:text-is('More')")


def test_why_a_document_was_refused_stands_beside_it(address: str, opened: Opened) -> None:
    screen = opened(address)
    to_documents(screen)
    screen.page.click("#states button:has-text('Refused')")
    screen.page.wait_for_selector("#states [aria-pressed=true]:has-text('Refused')")
    (row,) = rows(screen)
    assert row.split("\n")[0] == "broken.pdf"
    assert "is not a PDF that can be opened" in row


def test_a_document_is_found_by_a_part_of_its_name(address: str, opened: Opened) -> None:
    screen = opened(address)
    screen.press("Escape")
    screen.page.evaluate("document.activeElement.blur()")
    screen.press("d")
    screen.page.wait_for_selector("#listed table")
    screen.page.fill("#of-name", "NOTE 07")
    screen.page.wait_for_selector("#states button:text-is('All 10')")
    assert rows(screen) == [f"note 07{number}.md" for number in range(10)]
    screen.page.click("a:has-text('note 073.md')")
    screen.page.wait_for_selector(".tree")
    screen.page.go_back()
    screen.page.wait_for_selector("#listed table")
    assert len(rows(screen)) == 10
    screen.page.fill("#of-name", "nothing")
    screen.page.wait_for_selector("#listed:has-text('No document has such a name.')")


def test_a_section_of_a_text_without_pages_is_shown(address: str, opened: Opened) -> None:
    screen = opened(address)
    screen.page.goto(f"{address}/#sections?name=note 007.md")
    screen.page.click(".tree .citation >> nth=0")
    screen.page.wait_for_selector("#viewer .passage:has-text('It snowed 7 times.')")


def test_the_name_of_a_document_is_words(hostile_store: Path, opened: Opened) -> None:
    with serving(hostile_store) as (found, _):
        screen = opened(found)
        to_documents(screen)
        assert rows(screen) == [HOSTILE_NAME]
        screen.page.click("td.document a")
        screen.page.wait_for_selector(".tree")
        assert IMAGE in screen.page.inner_text("#sections h2")
        assert screen.page.locator("img, main script").count() == 0


def test_questions_are_asked_of_one_document_alone(address: str, opened: Opened) -> None:
    screen = opened(address)
    to_documents(screen)
    screen.page.click("tr:has-text('note 003.md') summary")
    screen.page.click("tr:has-text('note 003.md') button:text-is('Ask only this')")
    assert screen.page.inner_text("#only").startswith("Asking only note 003.md")
    screen.ask("How many times did it snow?")
    assert set(screen.texts(".card .name")) == {"note 003.md"}
    screen.page.click("text=Ask all documents")
    assert screen.page.is_hidden("#only")


def test_questions_are_asked_of_files_of_one_name_or_type(
    opened: Opened, pincite: Run, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("mixed")
    (folder / "Boats.md").write_text("# Boats\n\nThe harbour has 12 boats.\n", encoding="utf-8")
    (folder / "ships.txt").write_text("The harbour has 3 ships and 40 boats.\n", encoding="utf-8")
    pincite("index", folder)
    with serving(folder / ".pincite") as (found, _):
        screen = opened(found)
        screen.page.wait_for_selector("#choices fieldset")
        screen.page.fill("#filter-name", "boats")
        screen.page.press("#filter-name", "Tab")
        assert screen.page.inner_text("#only").startswith("Asking only files named “boats”")
        screen.ask("How many boats does the harbour have?")
        assert set(screen.texts(".card .name")) == {"Boats.md"}
        screen.page.click("text=Ask all documents")
        screen.page.check("#choices label:has-text('TXT') input")
        screen.page.reload()
        assert screen.page.inner_text("#filters summary") == "Filters (1)"
        screen.ask("How many boats does the harbour have?")
        assert set(screen.texts(".card .name")) == {"ships.txt"}


def test_a_document_is_deleted_after_being_asked_once_more(address: str, opened: Opened) -> None:
    screen = opened(address)
    to_documents(screen)
    screen.page.click("tr:has-text('note 005.md') summary")
    screen.page.click("tr:has-text('note 005.md') button:text-is('Delete')")
    assert screen.page.inner_text("#taking h2") == "Delete note 005.md?"
    screen.page.click("#taking button:text-is('Cancel')")
    assert screen.page.is_visible("td.document:has-text('note 005.md')")


def test_the_folder_of_a_document_stands_beside_its_short_name(
    opened: Opened, pincite: Run, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("folders")
    name = "a very long name of a report that nobody can read in one line 2024.md"
    (folder / "north").mkdir()
    (folder / "north" / name).write_text("# Snow\n\nIt snowed.\n", encoding="utf-8")
    pincite("index", folder, "--embedder", "none")
    with serving(folder / ".pincite") as (found, _):
        screen = opened(found)
        to_documents(screen)
        assert rows(screen) == [f"{name} north"]
        assert screen.page.get_attribute("td.document .name", "title") == name
        assert screen.page.locator("td.document .name > span").bounding_box()["width"] < 300  # type: ignore[index]
