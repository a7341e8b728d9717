"""What the fields of HTML forms and its pictures show in place of text."""

from __future__ import annotations

from pincite.read.markup import Element, attribute, descendants, local
from pincite.text.boxes import TICKED, UNTICKED

_WITHOUT_TEXT = frozenset({"hidden", "password", "submit", "button", "image", "reset", "file", "color"})
LEAST_WORDS = 3
"""Of what is said of a picture: fewer name a sign or a logo."""


def shown_field(element: Element) -> str:
    """A box, ticked or not, what was filled in or chosen; empty for what shows none of these."""
    if "hidden" in element.attrib:
        return ""
    match local(element):
        case "input":
            kind = attribute(element, "type", "text").lower()
            if kind in ("checkbox", "radio"):
                return TICKED if "checked" in element.attrib else UNTICKED
            return "" if kind in _WITHOUT_TEXT else attribute(element, "value")
        case "select":
            chosen = (item for item in descendants(element, "option") if "selected" in item.attrib)
            return ", ".join(filter(None, (" ".join("".join(item.itertext()).split()) for item in chosen)))
    return ""


def picture_text(element: Element) -> str:
    """What is said of a picture for those who cannot see it, where no caption says it."""
    if local(element) != "img":
        return ""
    words = attribute(element, "alt").split()
    figure = next((item for item in element.iterancestors() if local(item) == "figure"), None)
    has_caption = figure is not None and next(descendants(figure, "figcaption"), None) is not None
    return " ".join(words) if len(words) >= LEAST_WORDS and not has_caption else ""
