"""Comparing what was found at the place of each gold reference with the gold."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from pincite.evaluate.beir import Place
from pincite.evaluate.reference_gold import GoldReference, JoinedText
from pincite.evaluate.texts import letters_and_digits
from pincite.records.outlines import Reference, ReferenceLink

Found = tuple[Reference, ReferenceLink]


class Linked(Protocol):
    """What this measurement asks of the documents of a store."""

    def references(self, source_id: str) -> Sequence[Found]:
        """The references of a document with what became of them; offsets are in the joined text."""
        ...


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found at the place of one gold row (None: nothing), where it led, and whether that is right."""

    gold: GoldReference
    found: Found | None
    led_to: tuple[Place, ...]
    right: bool

    @property
    def counts_as_found(self) -> bool:
        """An ambiguous reference counts as not found."""
        return self.found is not None and self.found[1].status != "ambiguous"

    @property
    def resolved(self) -> bool:
        """It leads somewhere."""
        return self.found is not None and self.found[1].status == "resolved"


class Judge:
    """Compares gold rows with the references of one store; `text_of` gives the joined text of a document."""

    def __init__(self, documents: Linked, text_of: Callable[[str], JoinedText]) -> None:
        self._references = cache(documents.references)
        self._text_of = text_of

    def judge(self, gold: GoldReference) -> Verdict:
        """The verdict on one row."""
        found = self._best(gold)
        led_to = () if found is None else self._places(found[1])
        return Verdict(gold, found, led_to, _is_right(gold, found, led_to))

    def unlisted(self, gold: Sequence[GoldReference]) -> Iterator[tuple[Place, Found, tuple[Place, ...]]]:
        """What leads somewhere on the pages of the gold and has no row there: the page, and where it leads."""
        for place in dict.fromkeys(row.place for row in gold):
            spans = [row.span for row in gold if row.place == place and row.span is not None]
            for found in self._on_page(place):
                if found[1].status == "resolved" and not any(_shared(found[0], span) for span in spans):
                    yield place, found, self._places(found[1])

    def _best(self, gold: GoldReference) -> Found | None:
        """Of the references at the row's place the inner one ("5.2" in "5.2 of Annex B"), then the one that shares most
        with it, then the shorter one; where the place is not known, one with the row's number."""
        here, span = self._on_page(gold.place), gold.span
        if span is None:
            return next((found for found in here if _has_number(found[0], gold.text)), None)
        near = [found for found in here if _shared(found[0], span)]
        outer = {reference.within for reference, _ in near}

        def rank(found: Found) -> tuple[bool, int, int]:
            reference = found[0]
            return reference.ordinal in outer, -_shared(reference, span), reference.end - reference.start

        return min(near, key=rank, default=None)

    def _on_page(self, place: Place) -> list[Found]:
        source_id, page = place
        text = self._text_of(source_id)
        return [found for found in self._references(source_id) if text.page_of(found[0].start) == page]

    def _places(self, link: ReferenceLink) -> tuple[Place, ...]:
        targets = [(target.source_id, self._text_of(target.source_id).page_of(target.start)) for target in link.targets]
        return tuple(dict.fromkeys(targets))


def _is_right(gold: GoldReference, found: Found | None, led_to: Sequence[Place]) -> bool:
    status = None if found is None else found[1].status
    if gold.status == "outside":
        return status in ("external", "dangling")
    if gold.status == "none":
        return status != "resolved"
    return status == "resolved" and not gold.targets.isdisjoint(led_to)


def _shared(reference: Reference, span: tuple[int, int]) -> int:
    return max(0, min(reference.end, span[1]) - max(reference.start, span[0]))


def _has_number(reference: Reference, text: str) -> bool:
    wanted = letters_and_digits(text)
    return wanted in map(letters_and_digits, (reference.number or "", reference.until or "", reference.text))
