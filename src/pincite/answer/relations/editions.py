"""What two editions of a document say alike but for their numbers: the newest says it, the others are pointed to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import PurePosixPath

from pincite.answer.asked.question import years_in
from pincite.answer.material.case import Case
from pincite.answer.material.sentences import Sentence
from pincite.records.answers import Statement

EARLIER = "Earlier edition: "
"""In front of what an older edition says, where the question asks for that."""
DIFFERS, DIFFER = "An earlier edition says otherwise.", "Earlier editions say otherwise."
"""What points to it where the question does not."""
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_EDITION = re.compile(
    r"(?<![^\W_])(?:(?P<year>(?:19|20)\d\d)(?!\d)|(?P<ordinal>\d{1,3})(?:st|nd|rd|th)(?![^\W_])"
    r"|(?:v|ver|version|rev|revision|ed|edn|edition|issue|release)[\W_]?(?:(?P<number>\d{1,4}(?:\.\d{1,4})*)"
    r"|(?P<letter>[a-z]))(?![^\W_]))",
    re.I,
)
_ASKS_EARLIER = re.compile(
    r"\b(?:earlier|previous(?:ly)?|former(?:ly)?|old(?:er)?|used to|histor\w+|chang\w+|differ\w*|compar\w+|both|all"
    r"|editions|versions|revisions|raised|lowered|increased?|reduced)\b",
    re.I,
)


@dataclass(frozen=True, slots=True, order=True)
class Edition:
    """One of a series of files whose names differ in a year, a number or a letter alone."""

    series: str
    place: tuple[int, ...]


def edition_of(source_id: str) -> Edition | None:
    """Which edition a file is by its name: "tariff-2024.pdf", "recipes-4th-edition.pdf", "manual_rev-c.docx"."""
    path = PurePosixPath(source_id)
    matches = list(_EDITION.finditer(path.stem))
    if not matches:
        return None
    last = matches[-1]
    series = f"{path.parent}/{path.stem[: last.start()]}*{path.stem[last.end() :]}".casefold()
    if last["letter"]:
        return Edition(series, (ord(last["letter"].casefold()),))
    return Edition(series, tuple(map(int, (last["year"] or last["ordinal"] or last["number"]).split("."))))


def are_editions(one: str, other: str) -> bool:
    """Whether two source ids are editions of one document."""
    editions = edition_of(one), edition_of(other)
    return bool(editions[0] and editions[1] and editions[0].series == editions[1].series and one != other)


def newest_edition(case: Case, sentence: Sentence) -> Sentence | None:
    """What the newest edition says in the same words but for their numbers, where a sentence is of an older one and the
    question names no year."""
    own = edition_of(sentence.chunk.source_id)
    if own is None or years_in(case.question.text):
        return None
    words = _without_numbers(sentence.text)
    newer = [
        (edition, other)
        for other in case.sentences
        if (edition := edition_of(other.chunk.source_id)) and edition.series == own.series and edition > own
        if other.text != sentence.text and _without_numbers(other.text) == words
    ]
    return max(newer, key=lambda item: item[0], default=(own, None))[1]


def with_editions(question: str, statements: Sequence[Statement]) -> list[Statement]:
    """The statements; of those of several editions that differ in their numbers alone that of the newest, with a
    pointer to the others, or with what they say where that is asked for; where the question names years, those of the
    editions of these years."""
    years = {(int(year),) for year in years_in(question)}
    series: dict[object, list[Statement]] = {}
    for place, statement in enumerate(statements if years else map(_citing_newest, statements)):
        edition = _edition(statement)
        key = place if edition is None else (edition.series, _without_numbers(statement.text))
        series.setdefault(key, []).append(statement)
    if years:
        of_years = ([s for s in editions if _place(s) in years] or editions for editions in series.values())
        return list(chain.from_iterable(of_years))
    tells = bool(_ASKS_EARLIER.search(question))
    return [said for editions in series.values() for said in _newest_first(editions, tells=tells)]


def _newest_first(statements: Sequence[Statement], *, tells: bool) -> list[Statement]:
    newest, *others = sorted(statements, key=_place, reverse=True)
    beside = [other for other in others if _place(other) == _place(newest)]
    older = [other for other in others if _place(other) < _place(newest)]
    if tells:
        return [newest, *beside, *(replace(other, text=f"{EARLIER}{other.text}") for other in older)]
    if not older:
        return [newest, *beside]
    cited = tuple(citation for other in older for citation in other.citations)
    text = DIFFERS if len({citation.source_id for citation in cited}) == 1 else DIFFER
    return [newest, *beside, replace(older[0], text=text, citations=cited, also=())]


def _citing_newest(statement: Statement) -> Statement:
    """A statement that editions share, cited from the newest of them first."""
    own = _edition(statement)
    others = [(edition, c) for c in statement.also if (edition := edition_of(c.source_id))]
    newer = [edition for edition, _ in others if own and edition.series == own.series and edition > own]
    if not newer:
        return statement
    first = tuple(citation for edition, citation in others if edition == max(newer))
    rest = (citation for citation in statement.also if citation not in first)
    return replace(statement, citations=first, also=(*statement.citations, *rest))


def _edition(statement: Statement) -> Edition | None:
    is_said = statement.kind != "missing" and statement.citations
    return edition_of(statement.citations[0].source_id) if is_said else None


def _place(statement: Statement) -> tuple[int, ...]:
    edition = _edition(statement)
    return () if edition is None else edition.place


def _without_numbers(text: str) -> str:
    return _NUMBER.sub("", text).casefold()
