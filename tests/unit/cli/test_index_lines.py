"""What is said of a source fits two lines of a terminal, and what can be read is said once."""

from __future__ import annotations

from pincite.cli.index import LONGEST, advice_on, line_of, lines_of
from pincite.engine.engine import readable_suffixes
from pincite.records.sources import SourceReport


def test_no_warning_is_longer_than_two_lines_and_the_rest_is_counted() -> None:
    warnings = tuple(f"chapter {number} could not be read: it has no part" for number in range(40))
    line = line_of(SourceReport("book.epub", "warned", warnings=warnings)) or ""
    assert line.startswith("warning   book.epub: chapter 0 could not be read: it has no part; chapter 1 could")
    assert line.endswith("; 38 more (--json)")
    assert len(line) <= LONGEST


def test_one_long_warning_is_cut_and_a_long_name_leaves_room_for_it() -> None:
    cut = line_of(SourceReport("book.epub", "warned", warnings=("very " * 60,))) or ""
    assert (len(cut), cut[-1]) == (LONGEST, "…")
    named = line_of(SourceReport("a" * 300, "warned", warnings=("very " * 60, "second"))) or ""
    assert "very very" in named
    assert named.endswith("; 1 more (--json)")


def test_warnings_that_fit_are_all_shown() -> None:
    assert line_of(SourceReport("a.pdf", "warned", warnings=("one", "two"))) == "warning   a.pdf: one; two"


def test_what_can_be_read_is_said_once_and_only_to_those_who_need_it() -> None:
    unknown = SourceReport("a.xyz", "refused", "has no reader for .xyz: convert it to PDF, DOCX or text")
    assert list(advice_on([unknown, unknown])) == [f"can be read: {readable_suffixes()}"]
    assert not list(advice_on([SourceReport("a.pdf", "refused", "is empty (0 bytes)")]))


def test_many_files_that_are_refused_for_one_reason_share_a_line() -> None:
    pictures = [SourceReport(f"{number}.gif", "refused", "has no reader for .gif") for number in range(61)]
    empty = [SourceReport(f"{number}.md", "refused", "is empty (0 bytes)") for number in range(3)]
    lines = list(lines_of([*pictures[:2], *empty, SourceReport("a.pdf", "indexed"), *pictures[2:]]))
    assert lines == [
        "refused   61 files: has no reader for .gif (0.gif, 1.gif, 2.gif, ...; pincite status lists them)",
        *(f"refused   {number}.md: is empty (0 bytes)" for number in range(3)),
    ]
