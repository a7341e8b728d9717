"""A section by what a person calls it: "5.2", "Annex B", "snow loads"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.records import Section

_UNIT = re.compile(r"^(section|clause|annex|appendix|chapter|rule|paragraph|part|article)\s+(?=\S)", re.IGNORECASE)


def section_called(sections: Sequence[Section], asked: str) -> Section | None:
    """The first section of this number, else of this title; case, spaces and the word before a number do not count."""
    wanted = {folded(asked), folded(bare_number(asked))} - {""}
    numbered = (section for section in sections if folded(section.number or "") in wanted)
    titled = (section for section in sections if folded(section.title) in wanted)
    return next(numbered, None) or next(titled, None)


def bare_number(asked: str) -> str:
    """ "5.2" of "Section 5.2"."""
    return _UNIT.sub("", asked)


def folded(text: str) -> str:
    """Without spaces, case and the stop at the end."""
    return "".join(text.split()).casefold().rstrip(".")
