"""Menus, contents, indexes and heads of mails are no evidence, in whatever format; what is said stays."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.documents import document, source
from tests.support.office_files import read

from pincite.build.editions import edition_versions, make_edition
from pincite.records.chunks import ChunkPolicy
from pincite.records.pages import Document

PROSE = "The server forgets a client that has not answered for eight polls."
LEADERS = " . . . . . . . . . "


def evidence(made: Document) -> str:
    """What is cut into chunks."""
    edition = make_edition(source(), made, ChunkPolicy(), edition_versions("test 1", ChunkPolicy(), "g"))
    return "\n".join(chunk.content for chunk in edition.chunks)


def page_of(folder: Path, body: str) -> Document:
    path = folder / "a.html"
    path.write_text(f"<html><body><h1>Polling</h1>{body}</body></html>", encoding="utf-8")
    return read(path)


QUESTIONS = (
    '<dl><dt>5.1. <a href="b.html#a">How does the proxy find out which of the hosts are local?</a></dt>'
    '<dt>5.2. <a href="b.html#b">I dragged the folder to the trash and now nothing works any more.</a></dt>'
    '<dt>5.3. <a href="b.html#c">Why are there no colours?</a></dt></dl>'
)
MENU = '<ul><li><a href="b.html">Handbook</a></li><li><a href="c.html">Access control</a></li></ul>'


@pytest.mark.parametrize(
    ("body", "lost"),
    [
        (f"<h2>Related Links</h2>{MENU}<h2>Use</h2><p>{PROSE}</p>", ["Related Links", "Handbook", "Access control"]),
        (f"<p><b>Table of Contents</b></p>{MENU}<h2>Use</h2><p>{PROSE}</p>", ["Table of Contents", "Handbook"]),
        (f'<p>{PROSE}</p><p><a href="b.html">Prev</a> | <a href="c.html">Next</a></p>', ["Prev", "Next"]),
        (
            '<table><tr><th colspan="3">1.2. Clients</th></tr><tr><td><a href="b">Prev</a></td><td>Chapter 1</td>'
            f'<td><a href="c">Next</a></td></tr></table><p>{PROSE}</p>',
            ["Prev", "Chapter 1", "1.2. Clients"],
        ),
        (f"<h2>Contents</h2>{QUESTIONS}<h2>Use</h2><p>{PROSE}</p>", ["the hosts are local", "the trash", "colours"]),
        (f"<nav><h3>Pages</h3>{MENU}<p>Version 4</p></nav><p>{PROSE}</p>", ["Pages", "Handbook", "Version 4"]),
        (
            f'<div class="navheader"><table><tr><td>4.7. Shear</td><td>4.9</td></tr></table></div><p>{PROSE}</p>',
            ["4.7"],
        ),
    ],
)
def test_a_list_of_links_is_no_evidence(tmp_path: Path, body: str, lost: list[str]) -> None:
    found = evidence(page_of(tmp_path, body))
    assert PROSE in found
    assert [words for words in lost if words in found] == []


@pytest.mark.parametrize(
    "body",
    [
        '<p>Clients are listed in <a href="b.html">the table of associations</a> of each server.</p>',
        '<p><a href="b.html">A client may be told to go away</a>, which it should then do.</p>',
        '<ul><li>See <a href="b.html">the drivers</a> for what a clock sends.</li><li>Or measure it.</li></ul>',
        '<ul><li><a href="b">Small</a></li><li><a href="c">Fast</a></li><li>Free of charge</li></ul>',
        '<p><a href="mailto:a@example.com">Anne Cole</a>, <a href="mailto:b@example.com">Ben Dale</a></p>',
        '<ol><li><a href="b">Mills, D. Internet time synchronization: the protocol. 1991.</a></li>'
        '<li><a href="c">Cole, A. On the drift of cheap clocks in cold rooms. 1994.</a></li></ol>',
        '<table><tr><td><a href="b">burst</a></td><td>sends eight packets</td></tr>'
        '<tr><td><a href="c">iburst</a></td><td>the same at the start</td></tr></table>',
    ],
)
def test_what_is_said_with_a_link_in_it_is_evidence(tmp_path: Path, body: str) -> None:
    made = page_of(tmp_path, f"<h2>Use</h2>{body}<p>{PROSE}</p>")
    kept = evidence(made)
    for block in made.pages[0].blocks:
        text = made.pages[0].text[block.span.start : block.span.end]
        assert [line for line in text.split("\n") if " ".join(line.split()) not in " ".join(kept.split())] == []


@pytest.mark.parametrize("menu", [MENU, f"<nav>{MENU}</nav>"])
def test_a_map_of_a_site_is_not_empty(tmp_path: Path, menu: str) -> None:
    assert "Access control" in evidence(page_of(tmp_path, menu))


def test_a_section_of_links_leaves_the_sections_of_the_document_as_they_were(tmp_path: Path) -> None:
    made = page_of(tmp_path, f"<h2>Related Links</h2>{MENU}<h2>Use</h2><p>{PROSE}</p>")
    edition = make_edition(source("a.html"), made, ChunkPolicy(), edition_versions("test 1", ChunkPolicy(), "g"))
    assert [section.title for section in edition.outline.sections] == ["Polling", "Related Links", "Use"]
    assert {link.file for link in edition.outline.hyperlinks} == {"b.html", "c.html"}


def manual(*front: list[tuple[str, str]], back: list[tuple[str, str]] | None = None) -> Document:
    """Pages of a manual: front matter, three chapters of a page each, and what stands at the back."""
    chapters = [[("heading", f"{number} {title}"), ("paragraph", PROSE)] for number, title in enumerate(TITLES, 1)]
    return document(*front, *chapters, *([back] if back else []))  # type: ignore[arg-type]


TITLES = ("Choosing servers", "Keeping time", "Measuring drift")


@pytest.mark.parametrize("between", [LEADERS, " "])
def test_the_contents_of_a_manual_are_no_evidence(between: str) -> None:
    entries = [("heading", f"{number} {title}{between}{number}") for number, title in enumerate(TITLES, 1)]
    found = evidence(manual([("heading", "Contents"), *entries]))
    assert found.count("Keeping time") == 1
    assert "Contents" not in found
    assert found.count(PROSE) == 3


def test_contents_that_run_on_and_lists_of_figures_are_no_evidence() -> None:
    first = [("paragraph", "\n".join(f"{n}.{m} Part {m} of it{LEADERS}{n + m}" for n in (1, 2) for m in (1, 2, 3)))]
    listed = "\n".join(f"1.{n}\tClock {n} . . . . . .\t{n}" for n in range(5))
    figures = [("heading", "List of Figures"), ("table", listed)]
    found = evidence(manual(first, figures))
    assert "Part" not in found
    assert "Clock" not in found


def test_the_index_of_a_manual_is_no_evidence() -> None:
    words = ["access, 12", "burst, 3, 14-16", "clock, 3", "drift, 7, 9", "engine, 2", "frame, 4", "gap, 5", "hub, 6, 7"]
    columns = [("paragraph", "\n".join(words[:4])), ("paragraph", "E"), ("paragraph", "\n".join(words[4:]))]
    found = evidence(manual(back=[("heading", "Index"), *columns]))
    assert "burst" not in found
    assert "hub" not in found
    assert PROSE in found


@pytest.mark.parametrize(
    "rows",
    [
        [f"Clock {name}\t{number}" for number, name in enumerate("ABCDEFGHIJ", 1)],
        [f"{name} apples . . . . . . {price}" for name, price in (("Red", 3), ("Green", 2), ("Sour", 7), ("Old", 1))],
        [f"{name}, {age}" for name, age in (("Cole", 31), ("Ames", 45), ("Dale", 29), ("Bell", 52)) * 3],
        [f"b{code}\t{code}. . .{code + 1}" for code in range(1, 9)],
        ["Choosing servers 9", "Keeping time 4", "Measuring drift 7", "Sum 20"],
    ],
    ids=["counted", "prices", "ages", "codes", "hours"],
)
def test_rows_that_end_in_numbers_are_evidence(rows: list[str]) -> None:
    found = evidence(manual([("table", "\n".join(rows))]))
    assert all(" ".join(row.split()) in " ".join(found.split()) for row in rows)


def test_the_contents_of_a_text_are_no_evidence(tmp_path: Path) -> None:
    listed = "\n".join(f"   {number}. {title} ........ {number}" for number, title in enumerate(TITLES, 1))
    path = tmp_path / "a.txt"
    path.write_text(
        f"Table of Contents\n\n{listed}\n\n" + "\n\n".join(f"{n}. {t}\n\n{PROSE}" for n, t in enumerate(TITLES, 1)),
        encoding="utf-8",
    )
    found = evidence(read(path))
    assert "...." not in found
    assert found.count(PROSE) == 3


HEAD = "From: Anne Cole <anne@example.com>\nTo: ben@example.com\nDate: Fri, 9 Nov 2007 08:28:38 +0000\nSubject: Drift"


def test_the_head_of_a_mail_file_is_evidence_and_its_subject_is_the_title(tmp_path: Path) -> None:
    path = tmp_path / "a.eml"
    path.write_text(f"{HEAD}\n\n{PROSE}\n", encoding="utf-8")
    made = read(path)
    assert "Subject: Drift" in evidence(made)
    assert PROSE in evidence(made)
    assert made.title == "Drift"


def test_the_heads_of_a_mailbox_and_of_quoted_mails_are_no_evidence(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    second = f"From anne@example.com Fri Nov  9 08:28:38 2007\n{HEAD}\nMessage-ID: <1@example.com>\nX-Mailer: none"
    path.write_text(f"{second}\n\n{PROSE}\n\n{second}\n\nNo, for nine.\n\n{HEAD}\n\nTen.\n", encoding="utf-8")
    assert evidence(read(path)).split() == f"{PROSE} No, for nine. Ten.".split()


@pytest.mark.parametrize(
    "text",
    [
        f"A mail begins so:\n\n{HEAD}\n\n{PROSE}\n",
        f"To: All staff\nFrom: The director\nSubject: Parking\n\n{PROSE}\n",
        f"From: Anne <a@example.com>\nSubject: Drift\nAbstract: Clocks drift when cold.\n\n{PROSE}\n",
        f"{HEAD}\n",
    ],
    ids=["example", "memo", "abstract", "nothing else"],
)
def test_what_only_looks_like_the_head_of_a_mail_is_evidence(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.txt"
    path.write_text(text, encoding="utf-8")
    assert "Subject: " in evidence(read(path))


def printed(pages: int, break_mark: str, length: int = 50) -> str:
    """Text as it was printed into a file: a head, lines, and a foot on each page."""
    text = []
    for number in range(1, pages + 1):
        body = [f"Clause {number * number} asks the keeper for oil.", "", f"Page {9 - number} is torn out.", ""]
        lines = [
            "RFC 9      Locks and Gates     May 1990",
            "",
            *body,
            *[""] * length,
            f"Lee      [Page {number}]",
            "",
        ]
        text.append("\n".join(lines))
    return break_mark.join(text)


@pytest.mark.parametrize("break_mark", ["\f\n", "\n"])
def test_the_heads_and_feet_of_printed_text_are_no_evidence(tmp_path: Path, break_mark: str) -> None:
    path = tmp_path / "rfc9.txt"
    path.write_text(printed(5, break_mark))
    found = evidence(read(path))
    assert "RFC 9" not in found
    assert "[Page" not in found
    assert "Clause 9 asks" in found
    assert "Page 4 is torn" in found


def test_numbered_lines_of_a_text_are_evidence(tmp_path: Path) -> None:
    path = tmp_path / "steps.txt"
    path.write_text("\n\n".join(f"Step {number}\n\nOil lock {number} in spring." for number in range(1, 9)))
    found = evidence(read(path))
    assert "Step 4" in found
