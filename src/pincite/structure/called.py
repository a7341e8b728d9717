"""A section by what a person calls it: "5.2", "Annex B", "snow loads"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.errors import NotThereError, UsageError
from pincite.records.outlines import Outline, Section
from pincite.structure.units import UNIT_OF
from pincite.structure.works import Works, sections_called
from pincite.text.names import listed_names, nearest_names

_UNIT = re.compile(r"^(section|clause|annex|appendix|chapter|rule|paragraph|part|article)\s+(?=\S)", re.IGNORECASE)


def section_called(sections: Sequence[Section], asked: str) -> Section:
    """The first section of this number, else of this title; case, spaces and the word before a number do not count.

    NotThereError names the nearest numbers where there is none.
    """
    wanted = {_folded(asked), _folded(_bare(asked))} - {""}
    numbered = (section for section in sections if _folded(section.number or "") in wanted)
    titled = (section for section in sections if _folded(section.title) in wanted)
    found = next(numbered, None) or next(titled, None)
    if found is None:
        numbers = [section.number for section in sections if section.number]
        raise NotThereError(f"there is no section {asked!r}: {nearest_names(_bare(asked), numbers)}")
    return found


def section_in_works(outlines: Sequence[Outline], asked: str, source_id: str | None = None) -> tuple[str, Section]:
    """The document and its section of this number, among all documents or those of the work of one; NotThereError where
    there is none, UsageError where several documents have one."""
    within = outlines if source_id is None else _work(outlines, source_id)
    word = _UNIT.match(asked)
    units = (UNIT_OF[word[1].lower()],) if word else ("section", "chapter")
    named = (sections_called(within, unit, _bare(asked).strip()) for unit in units)
    found = next(filter(None, named), {})
    if not found:
        raise NotThereError(f"no document has a section {asked!r}")
    if len(found) > 1:
        raise UsageError(f"{asked!r} may be in {listed_names(list(found))}: name the document, too")
    return next(iter(found.items()))


def _work(outlines: Sequence[Outline], source_id: str) -> list[Outline]:
    files = frozenset(Works(outlines).of(source_id))
    return [item for item in outlines if item.source_id in files]


def _bare(asked: str) -> str:
    """ "5.2" of "Section 5.2"."""
    return _UNIT.sub("", asked)


def _folded(text: str) -> str:
    """Without spaces, case and the stop at the end."""
    return "".join(text.split()).casefold().rstrip(".")
