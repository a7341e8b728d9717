"""When is a section or anchor that was found the one that the gold names? By number, title and page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pincite.evaluate.texts import letters_and_digits

MAX_SLIPS = 0.1
SECTION = "section"
_WORDS = re.compile(
    r"(?:section|chapter|annex|appendix|part|policy|clause|rule|article|table|figure)\b\s*", re.IGNORECASE
)
_LETTER_DOT = re.compile(r"^([a-z])\.(?=\d)")
_LOOKALIKES = str.maketrans({"i": "1", "l": "1", "|": "1", "o": "0", "d": "0", "b": "8", "s": "5", "g": "6"})
_SAME_SHAPE = str.maketrans({"i": "1", "l": "1", "o": "0"})


@dataclass(frozen=True, slots=True)
class Entry:
    """A section or an anchor, of the gold or as found. `kind` is "section" or the kind of an anchor; `label` is how the
    gold says that the number is printed ("Annex A (normative)").
    """

    kind: str
    number: str
    title: str
    page: int
    level: int | None = None
    label: str = ""

    @property
    def named(self) -> bool:
        """It has a number or a title to be told by; a section needs a title, without it is a numbered paragraph."""
        return bool(self.title or (self.number and self.kind != SECTION))


def pair(gold: Sequence[Entry], found: Sequence[Entry]) -> list[tuple[int, int]]:
    """Indexes of what belongs together, each used once: of several that fit, the one on the nearest page."""
    free = dict(enumerate(found))
    pairs: list[tuple[int, int]] = []
    for index, wanted in enumerate(gold):
        fitting = [other for other, entry in free.items() if is_same(wanted, entry)]
        if fitting:
            nearest = min(fitting, key=lambda other: (abs(found[other].page - wanted.page), other))
            del free[nearest]
            pairs.append((index, nearest))
    return pairs


def is_same(gold: Entry, found: Entry) -> bool:
    """The same kind and number; sections, and what has no number, the same title too."""
    if gold.kind != found.kind:
        return False
    if gold.kind == SECTION and not found.number:
        return any(alike(name, found.title) for name in _names(gold))
    if gold.number and not same_number(gold.number, found.number):
        return False
    return bool(gold.number and gold.kind != SECTION) or alike(gold.title, found.title)


def is_optional(found: Entry, optional: Sequence[Entry]) -> bool:
    """One of the optional rows of this page names it, by number, by title, or by both."""
    rows = [row for row in optional if row.page == found.page and (row.kind == SECTION) == (found.kind == SECTION)]
    return any(alike(name, other) for row in rows for name in _names(row) for other in _names(found))


def alike(one: str, other: str) -> bool:
    """Two titles that differ in case, spaces, marks and at most a tenth of their characters."""
    first, second = _folded(one), _folded(other)
    if not first or not second:
        return False
    allowed = int(MAX_SLIPS * len(first))
    return abs(len(first) - len(second)) <= allowed and _distance(first, second) <= allowed


def same_number(one: str, other: str) -> bool:
    """Two numbers that differ in words, spaces, the dot behind a letter, and characters that OCR confuses."""
    return not _forms(one).isdisjoint(_forms(other))


def _forms(number: str) -> set[str]:
    text = _WORDS.sub("", number).casefold().replace(" ", "").rstrip(".:")
    return {text.translate(_LOOKALIKES), _LETTER_DOT.sub(r"\1", text).translate(_LOOKALIKES)}


def _names(entry: Entry) -> Iterator[str]:
    """What the entry may be called."""
    yield entry.title
    for mark in dict.fromkeys(filter(None, (entry.number, entry.label))):
        yield mark
        yield f"{mark} {entry.title}"


def _folded(title: str) -> str:
    return letters_and_digits(title).translate(_SAME_SHAPE)


def _distance(one: str, other: str) -> int:
    """How many characters have to be put in, left out or exchanged (Levenshtein)."""
    row = list(range(len(other) + 1))
    for count, first in enumerate(one, start=1):
        above, row[0] = row[0], count
        for index, second in enumerate(other, start=1):
            above, row[index] = row[index], min(row[index] + 1, row[index - 1] + 1, above + (first != second))
    return row[-1]
