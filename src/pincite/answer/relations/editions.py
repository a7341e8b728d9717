"""What two editions of a document say alike but for their numbers: the newer one first, the other marked as earlier."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from pincite.answer.asked.question import years_in
from pincite.records.answers import Statement

EARLIER = "Earlier edition: "
"""In front of what an older edition says."""
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def with_editions(question: str, statements: Sequence[Statement]) -> list[Statement]:
    """The statements, of those that differ in their numbers alone and stand in files whose names differ in the year
    alone the newest first and the others behind it as what an earlier edition says; as they are where the question
    names a year."""
    if years_in(question):
        return [*statements]
    series: dict[object, list[Statement]] = {}
    for place, statement in enumerate(statements):
        series.setdefault(_series_of(statement) or place, []).append(statement)
    return [said for editions in series.values() for said in _newest_first(editions)]


def _newest_first(editions: Sequence[Statement]) -> Iterator[Statement]:
    newest, *others = sorted(editions, key=_year, reverse=True)
    yield newest
    for other in others:
        is_older = _year(other) < _year(newest)
        yield replace(other, text=f"{EARLIER}{other.text}") if is_older else other


def _series_of(statement: Statement) -> tuple[str, str] | None:
    """What editions of one statement have in common: their file's name but its year, and their words."""
    if statement.kind == "missing" or not statement.citations:
        return None
    stem = PurePosixPath(statement.citations[0].source_id).stem
    if not _YEAR.search(stem):
        return None
    return _YEAR.sub("", stem), _NUMBER.sub("", statement.text).casefold()


def _year(statement: Statement) -> int:
    found = _YEAR.findall(PurePosixPath(statement.citations[0].source_id).stem) if statement.citations else []
    return int(found[-1]) if found else 0
