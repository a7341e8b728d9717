"""The questions of `pincite eval pages`: what is asked, and what would be right."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincite.errors import UsageError
from pincite.evaluate.files import json_rows

FilePage = tuple[str, int]
Alternatives = tuple[FilePage, ...]
QUESTIONS_FILE = "questions.jsonl"


@dataclass(frozen=True, slots=True)
class PageQuestion:
    """A question with its gold.

    Of each entry of `required` one page is enough; `accepted` holds these and all others that count as right.
    `answerable` is None where nothing is known. `facts` are lists of alternatives. `cites_in_missing`: citations of
    `missing` statements count as cited.
    """

    id: str
    text: str
    folder: str | None = None
    required: tuple[Alternatives, ...] = ()
    accepted: frozenset[FilePage] = frozenset()
    answerable: bool | None = None
    facts: tuple[tuple[str, ...], ...] = ()
    must_not: tuple[str, ...] = ()
    cites_in_missing: bool = False

    @property
    def files(self) -> frozenset[str]:
        """The files that hold gold pages."""
        return frozenset(file for file, _ in self.accepted)


def load_questions(path: Path) -> list[PageQuestion]:
    """All rows of a file of questions; UsageError names the row that has no question or malformed pages."""
    return [page_question(row, number, path) for number, row in enumerate(json_rows(path), start=1)]


def section_questions(titles: Iterable[str], count: int, seed: int) -> list[PageQuestion]:
    """ "What does TITLE require?" for a seeded sample of section titles, in the order drawn."""
    known = sorted({title.strip() for title in titles if any(char.isalpha() for char in title)})
    drawn = random.Random(seed).sample(known, min(count, len(known)))
    return [PageQuestion(f"section-{n}", f"What does {title} require?") for n, title in enumerate(drawn, start=1)]


def page_question(row: Mapping[str, Any], number: int, path: Path) -> PageQuestion:
    """One row, the `number`th of the file at `path`; UsageError where it is malformed."""
    try:
        required, others = _gold(row)
        return PageQuestion(
            id=str(row.get("id", number)),
            text=str(row["question"]),
            folder=row.get("folder"),
            required=required,
            accepted=frozenset(place for entry in required for place in entry) | others,
            answerable=bool(required),
            facts=tuple(tuple(fact) for fact in row.get("facts") or row.get("must_have") or ()),
            must_not=tuple(row.get("must_not") or ()),
            cites_in_missing="must_cite" in row,
        )
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(f"{path}, row {number} is malformed ({error!r}): see docs/evaluation.md") from error


def _gold(row: Mapping[str, Any]) -> tuple[tuple[Alternatives, ...], frozenset[FilePage]]:
    """What has to be found, and what counts as right besides."""
    if "must_cite" in row:
        return tuple(_alternatives(entry) for entry in row["must_cite"]), frozenset()
    file, pages = row.get("file"), row.get("pages") or row.get("gold_pages") or ()
    if file is None or not pages:
        return (), frozenset()
    gold = tuple((str(file), int(page)) for page in pages)
    also = tuple((str(file), int(page)) for page in row.get("also_on_pages") or ())
    required = tuple((place,) for place in gold) if row.get("pages_mode") == "all" else ((*gold, *also),)
    return required, frozenset(also)


def _alternatives(entry: Sequence[Any]) -> Alternatives:
    """One [file, page], or a list of which one is enough."""
    places = [entry] if isinstance(entry[0], str) else entry
    return tuple((str(file), int(page)) for file, page in places)
