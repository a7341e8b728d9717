"""How the runs of a Word document are set: raised, lowered, struck out; by themselves or by their styles."""

from __future__ import annotations

from pincite.read.docx_styles import is_on
from pincite.read.linked import PLAIN, Look
from pincite.read.markup import Element, attribute, child, descendants, local

_MOST_INHERITED = 20
_DECIDING = frozenset({"rStyle", "strike", "dstrike", "vertAlign"})


class RunLooks:
    """The looks that the styles of a document give to runs."""

    def __init__(self, styles: Element | None = None) -> None:
        items = descendants(styles, "style") if styles is not None else ()
        self._elements = {attribute(item, "styleId"): item for item in items}
        self._known: dict[str, Look] = {"": PLAIN}

    def of_paragraph(self, paragraph: Element) -> Look:
        """The look that the style of a paragraph gives to its runs."""
        return self._named(child(paragraph, "pPr", "pStyle"))

    def of_settings(self, settings: Element | None, around: Look) -> Look:
        """The look of a run with these settings in a paragraph of the look `around`."""
        if settings is None:
            return around
        named = next((item for item in settings if local(item) in _DECIDING), None)
        if named is None:
            return around
        own = self._named(child(settings, "rStyle"))
        return _with(own if own is not PLAIN else around, settings)

    def _named(self, mark: Element | None) -> Look:
        name = attribute(mark, "val") if mark is not None else ""
        if name not in self._known:
            chain: list[Element] = []
            key = name
            while key in self._elements and len(chain) < _MOST_INHERITED:
                chain.append(self._elements[key])
                base = child(chain[-1], "basedOn")
                key = attribute(base, "val") if base is not None else ""
            look = PLAIN
            for element in reversed(chain):
                look = _with(look, child(element, "rPr"))
            self._known[name] = look
        return self._known[name]


def _with(look: Look, settings: Element | None) -> Look:
    """The look with what these settings state; the very same where they state nothing."""
    raised, lowered, is_struck = look.raised, look.lowered, look.struck
    for item in settings if settings is not None else ():
        name = local(item)
        if name in ("strike", "dstrike"):
            is_struck = is_on(item)
        elif name == "vertAlign":
            place = attribute(item, "val")
            raised, lowered = place == "superscript", place == "subscript"
    found = Look(raised, lowered, is_struck)
    return look if found == look else PLAIN if found == PLAIN else found
