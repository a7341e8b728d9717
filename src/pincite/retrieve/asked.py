"""Places that a question names itself: "Table 4.1", "section 5.3", "Annex B of EN 1991-1-3"."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pincite.records.outlines import Reference
from pincite.store.sql_record import SqlRecord
from pincite.structure.lookup import ANCHOR_KINDS
from pincite.structure.places import LANES, place_key
from pincite.structure.references import references_in
from pincite.structure.wording import Names

MOST_PLACES = 60
"""Chunks of one reference ("page 3"): what more documents have tells nothing. By eye, not measured."""


@dataclass(frozen=True, slots=True)
class SeenPlaces:
    """The places of those documents that an asker sees."""

    index: SqlRecord
    seen: Container[str]

    def chunks_of_sections(self, place: str) -> list[tuple[str, str]]:
        """The chunk that opens each section of this place."""
        return self._seen(self.index.chunks_of_sections(place))

    def chunks_of_anchors(self, kinds: Sequence[str], number: str) -> list[tuple[str, str]]:
        """The chunk in which each anchor of this number begins."""
        return self._seen(self.index.chunks_of_anchors(kinds, number))

    def document_names(self) -> list[tuple[str, str]]:
        """(source id, name) of these documents."""
        return self._seen(self.index.document_names())

    def _seen(self, found: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
        return [item for item in found if item[0] in self.seen]


def asked_places(question: str) -> tuple[str, ...]:
    """The places that the question names, as it writes them."""
    return tuple(item.text for item in _references(question))


def asked_chunks(
    question: str,
    index: SeenPlaces,
    ordinal_of: Callable[[str], int | None],
    chunks_of_page: Callable[[int], list[tuple[str, int]]],
) -> dict[int, float]:
    """The chunks of the places that the question names, each with 1 over the number of places that the words may mean.

    `ordinal_of`: the ordinal of a chunk id; `chunks_of_page`: (source id, ordinal) of all chunks on a physical page.
    Where a document is named too, its places alone count; what too many documents have is left out.
    """
    references = _references(question)
    if not references:
        return {}
    names = _names(index) if any(reference.document for reference in references) else Names(())
    asked: dict[int, float] = {}
    for reference in references:
        if reference.unit == "page":
            number = reference.number or ""
            found = chunks_of_page(int(number)) if number.isdecimal() else []
        else:
            placed = ((source_id, ordinal_of(chunk_id)) for source_id, chunk_id in _places(reference, index))
            found = [(source_id, ordinal) for source_id, ordinal in placed if ordinal is not None]
        named = names.find(reference.document) if reference.document else None
        ordinals = sorted({ordinal for source_id, ordinal in found if named in (None, source_id)})
        for ordinal in ordinals if len(ordinals) <= MOST_PLACES else ():
            asked[ordinal] = max(asked.get(ordinal, 0.0), 1 / len(ordinals))
    return asked


@lru_cache(maxsize=16)
def _references(question: str) -> tuple[Reference, ...]:
    return tuple(item for item in references_in(question) if item.number is not None)


def _names(index: SeenPlaces) -> Names:
    by_source: dict[str, list[str]] = {}
    for source_id, name in index.document_names():
        by_source.setdefault(source_id, []).append(name)
    return Names(by_source.items())


def _places(reference: Reference, index: SeenPlaces) -> list[tuple[str, str]]:
    """Sections or anchors of the number, brackets at its end left out one by one until there are some."""
    number = reference.number or ""
    if reference.unit in ANCHOR_KINDS:
        return index.chunks_of_anchors(ANCHOR_KINDS[reference.unit], number.strip("()").lower())
    keys = [place_key(number)]
    if reference.unit in LANES and "." not in number:
        keys.insert(0, f"{reference.unit} {number.lower()}")
    while keys[-1].rpartition(" ")[2].startswith("(") and " " in keys[-1]:
        keys.append(keys[-1].rpartition(" ")[0])
    return next((found for key in keys if key and (found := index.chunks_of_sections(key))), [])
