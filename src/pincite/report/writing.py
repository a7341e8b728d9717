"""Which writer makes which file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pincite.errors import UsageError
from pincite.report.as_docx import write_docx
from pincite.report.as_html import write_html
from pincite.report.as_markdown import write_markdown
from pincite.report.as_xlsx import write_xlsx
from pincite.report.replies import Report

Writer = Callable[[Report, Path], None]

WRITERS: dict[str, Writer] = {
    ".xlsx": write_xlsx,
    ".docx": write_docx,
    ".md": write_markdown,
    ".html": write_html,
}


def writer_for(path: Path) -> Writer:
    """The writer for the suffix of a report; UsageError where there is none, or where it has no folder to stand in."""
    writer = WRITERS.get(path.suffix.lower())
    if writer is None:
        raise UsageError(f"{path} has no kind of report: give it one of the suffixes {', '.join(WRITERS)}")
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise UsageError(f"{path} cannot be written: give a file in a folder that exists")
    return writer


def write_report(report: Report, path: Path) -> None:
    """Write a report: the file is there as a whole or not at all."""
    writer = writer_for(path)
    write_whole(path, lambda aside: writer(report, aside))


def write_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Write a file aside and move it to its place; UsageError where that cannot be done, with nothing left behind."""
    aside = path.with_name(f".{path.stem}.part{path.suffix}")
    try:
        write(aside)
        aside.replace(path)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}") from error
    finally:
        aside.unlink(missing_ok=True)
