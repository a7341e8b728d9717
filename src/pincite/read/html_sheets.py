"""The style sheets that stand in an HTML page, as far as they say what is hidden, struck out, raised or lowered."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from pincite.read.markup import Element, attribute, descendants

MOST_RULES = 1000
"""Of a page, of those that say something that readers know."""
_MEDIA = frozenset({"", "all", "screen"})
_SAID = re.compile(r"\b(?:display|visibility|text-decoration(?:-line)?|vertical-align|list-style(?:-type)?)\s*:", re.I)
"""What readers know of a style."""
_CELLS = frozenset({"td", "th"})
"""Where a text is aligned in a cell does not raise it."""
_HIDES = frozenset({"display", "visibility"})
_SELECTOR = re.compile(r"(?P<element>(?:[a-zA-Z][\w-]*)?)(?P<marks>(?:[.#][\w-]+)*)")
_MARK = re.compile(r"[.#][\w-]+")
_BRACE = re.compile(r"([{}])")
_WHITE_VALUE = r"\s*(?:#fff(?:fff)?|white|rgb\(\s*255\s*,\s*255\s*,\s*255\s*\))(?!\w)"
_WHITE = re.compile(rf"(?<![\w-])color\s*:{_WHITE_VALUE}", re.IGNORECASE)
_GROUND = re.compile(rf"background(?:-color|-image)?\s?:(?!{_WHITE_VALUE}|\s*none|\s*transparent)", re.IGNORECASE)


class Rule(NamedTuple):
    """The element (empty: any), classes (".off") and id ("#old") that a rule is for, and what it says by property."""

    element: str
    marks: frozenset[str]
    said: dict[str, str]


def apply_sheets(root: Element) -> None:
    """Write into the style of each element what the sheets of its page say, where the style itself does not say it.
    Only selectors of one element count ("td.off", "#old"). A script may show what a sheet hides: that stays."""
    sheets = (style for style in descendants(root, "style") if attribute(style, "media").lower() in _MEDIA)
    rules = list(islice((rule for sheet in sheets for rule in _rules("".join(sheet.itertext()))), MOST_RULES))
    if not rules:
        return
    has_scripts = any("json" not in attribute(script, "type") for script in descendants(root, "script"))
    may_be_shown = _HIDES if has_scripts else frozenset[str]()
    by_key = defaultdict[str, list[Rule]](list)
    for rule in rules:
        by_key[min(rule.marks, default=rule.element)].append(rule)
    for element in root.iter():
        if not isinstance(element.tag, str):
            continue
        name = element.tag.lower()
        marks = {*(f".{item}" for item in attribute(element, "class").split()), f"#{attribute(element, 'id')}"}
        said: dict[str, str] = {}
        for key in (name, *sorted(marks)):
            for rule in by_key.get(key, ()):
                if rule.marks <= marks and rule.element in ("", name):
                    said |= rule.said
        left_out = may_be_shown | ({"vertical-align"} if name in _CELLS else set())
        if said := {key: value for key, value in said.items() if key not in left_out}:
            said |= _declarations(attribute(element, "style"))
            element.set("style", "; ".join(f"{key}: {value}" for key, value in said.items()))


def hide_white_text(root: Element) -> None:
    """Write into the style of each white element that stands on the white of the page that it is not shown. Nothing in
    a page whose sheets may give it another ground."""
    if any("background" in "".join(style.itertext()) for style in descendants(root, "style")):
        return
    if next(descendants(root, "link"), None) is not None:
        return
    on_ground = set[Element]()
    for element in root.iter():
        style = attribute(element, "style")
        has_ground = bool(_GROUND.search(style) or attribute(element, "bgcolor") or attribute(element, "background"))
        if has_ground or element.getparent() in on_ground:
            on_ground.add(element)
        elif _WHITE.search(style):
            element.set("style", f"{style}; display: none")


def _rules(sheet: str) -> Iterator[Rule]:
    """The rules outside of at-rules that say something that readers know."""
    first, *others = sheet.replace("<!--", " ").replace("-->", " ").split("/*")
    text = first + " ".join(part.partition("*/")[2] for part in others)
    depth, selectors = 0, ""
    for piece in _BRACE.split(text):
        if piece == "{":
            depth += 1
        elif piece == "}":
            depth = max(depth - 1, 0)
        elif depth == 0:
            selectors = piece.rpartition(";")[2].strip()
        elif depth == 1 and not selectors.startswith("@") and _SAID.search(piece):
            said = _declarations(piece)
            for selector in map(_SELECTOR.fullmatch, map(str.strip, selectors.split(","))):
                if selector and selector[0]:
                    yield Rule(selector["element"].lower(), frozenset(_MARK.findall(selector["marks"])), said)


def _declarations(style: str) -> dict[str, str]:
    """What a style says, by property."""
    pairs = (part.partition(":") for part in style.split(";"))
    return {name.strip().lower(): value.strip() for name, _, value in pairs if name.strip() and value.strip()}
