"""How the text of an OpenDocument file is set: raised, lowered, struck out; by its styles."""

from __future__ import annotations

from pincite.read.linked import PLAIN, Look
from pincite.read.markup import Element, attribute, child, descendants

_MOST_INHERITED = 20


class OdfLooks:
    """The looks that the styles of these parts give to text, the styles of a later one before those of an earlier."""

    def __init__(self, *roots: Element) -> None:
        styles = (style for root in roots for style in descendants(root, "style"))
        self._elements = {attribute(style, "name"): style for style in styles}
        self._known: dict[str, Look] = {"": PLAIN}

    def of(self, element: Element, around: Look = PLAIN) -> Look:
        """The look of an element's text in text of the look `around`."""
        name = attribute(element, "style-name")
        if name not in self._known:
            self._known[name] = self._resolved(name)
        own = self._known[name]
        return around if own is PLAIN else Look(own.raised, own.lowered, own.struck or around.struck)

    def _resolved(self, name: str) -> Look:
        chain: list[Element] = []
        while name in self._elements and len(chain) < _MOST_INHERITED:
            chain.append(self._elements[name])
            name = attribute(chain[-1], "parent-style-name")
        place = line = ""
        for style in reversed(chain):
            settings = child(style, "text-properties")
            if settings is not None:
                place = attribute(settings, "text-position") or place
                lines = (attribute(settings, f"text-line-through-{kind}") for kind in ("style", "type"))
                line = next(filter(None, lines), line)
        where = place.split(" ")[0].removesuffix("%")
        raised = where == "super" or (where.isdecimal() and where != "0")
        lowered = where == "sub" or (where.startswith("-") and where[1:].isdecimal())
        look = Look(raised, lowered, line not in ("", "none"))
        return PLAIN if look == PLAIN else look
