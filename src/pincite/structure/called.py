"""A section by what a person calls it: "5.2", "Annex B", "snow loads"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.errors import NotThereError
from pincite.records import Section
from pincite.text.names import nearest_names

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


def _bare(asked: str) -> str:
    """ "5.2" of "Section 5.2"."""
    return _UNIT.sub("", asked)


def _folded(text: str) -> str:
    """Without spaces, case and the stop at the end."""
    return "".join(text.split()).casefold().rstrip(".")
