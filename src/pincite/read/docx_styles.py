"""What Word's styles and numbering make of a paragraph and its runs: kind, level, shown number; raised, lowered,
struck out."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from pincite.read.linked import PLAIN, Look
from pincite.read.markup import Element, attribute, child, children, descendants, inherited, local, number
from pincite.records.pages import BlockKind

_HEADING_NAME = re.compile(r"heading ([1-9])\b", re.IGNORECASE)
_CONTENTS_NAME = re.compile(r"(?:toc (?:[1-9]|heading)|table of figures)\b", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"%([1-9])")
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"))
_ROMAN_SMALL = ((50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))


@dataclass(frozen=True, slots=True)
class Style:
    """What a paragraph is. `list_id` names its list (empty: none), `list_level` counts from 0."""

    kind: BlockKind = "paragraph"
    level: int | None = None
    list_id: str = ""
    list_level: int = 0
    bold: bool = False
    is_title: bool = False


class Styles:
    """The paragraph styles of a document, with what they inherit."""

    def __init__(self, root: Element | None) -> None:
        self._elements = {attribute(item, "styleId"): item for item in descendants(root, "style")}
        self._known: dict[str, Style] = {}

    def of_paragraph(self, paragraph: Element) -> Style:
        """The style of a paragraph with its own settings on top."""
        settings = child(paragraph, "pPr")
        style = _with_settings(self._named(attribute(child(settings, "pStyle"), "val")), settings)
        return replace(style, bold=style.bold or _all_bold(paragraph))

    def _named(self, name: str) -> Style:
        if name not in self._known:
            self._known[name] = self._resolve(name)
        return self._known[name]

    def _resolve(self, name: str) -> Style:
        """Styles from the base down, each setting what it states."""
        style = Style()
        for element in inherited(self._elements, name, _base):
            style = _with_settings(_with_name(style, element), child(element, "pPr"))
            weight = child(element, "rPr", "b")
            style = style if weight is None else replace(style, bold=is_on(weight))
        return style


class Numbering:
    """The running numbers of a document's lists; `label` must be asked for every paragraph, in order."""

    def __init__(self, root: Element | None) -> None:
        self._levels: dict[str, dict[int, Element]] = {}
        self._shared: dict[str, str] = {}
        self._starts: dict[str, dict[int, int]] = {}
        self._counters: dict[str, dict[int, int]] = {}
        if root is not None:
            self._read(root)

    def label(self, list_id: str, level: int) -> str:
        """The number shown before the next paragraph of a list ("5.2", "a)"), empty for bullets and no list."""
        levels = self._levels.get(list_id, {})
        if level not in levels:
            return ""
        counters = self._counters.setdefault(self._shared[list_id], {})
        self._restart(list_id, counters)
        for upper in range(level):
            counters.setdefault(upper, _start(levels.get(upper)))
        counters[level] = counters[level] + 1 if level in counters else _start(levels[level])
        for lower in [item for item in counters if item > level]:
            del counters[lower]
        return _label_text(levels, level, counters)

    def _restart(self, list_id: str, counters: dict[int, int]) -> None:
        """Apply the start values of a list instance the first time that it is used."""
        for level, start in self._starts.pop(list_id, {}).items():
            counters[level] = start - 1
            for lower in [item for item in counters if item > level]:
                del counters[lower]

    def _read(self, root: Element) -> None:
        abstract = {attribute(item, "abstractNumId"): item for item in root if local(item) == "abstractNum"}
        by_style = {
            attribute(link, "val"): key
            for key, item in abstract.items()
            if (link := child(item, "styleLink")) is not None
        }
        for item in root:
            link = child(item, "abstractNumId") if local(item) == "num" else None
            if link is None:
                continue
            list_id, key = attribute(item, "numId"), attribute(link, "val")
            indirect = child(abstract.get(key), "numStyleLink")
            key = key if indirect is None else by_style.get(attribute(indirect, "val"), key)
            self._shared[list_id] = key
            self._levels[list_id] = _levels(abstract.get(key))
            self._override(list_id, item)

    def _override(self, list_id: str, item: Element) -> None:
        for override in (entry for entry in item if local(entry) == "lvlOverride"):
            level = number(attribute(override, "ilvl"))
            start, changed = child(override, "startOverride"), child(override, "lvl")
            if changed is not None:
                self._levels[list_id] = {**self._levels[list_id], level: changed}
            if start is not None:
                self._starts.setdefault(list_id, {})[level] = number(attribute(start, "val"), 1)


def format_number(value: int, style: str) -> str:
    """A list number as Word shows it in one of its formats; unknown formats count in decimals."""
    if style in ("lowerRoman", "upperRoman"):
        text = _roman(value)
        return text.upper() if style == "upperRoman" else text
    if style in ("lowerLetter", "upperLetter"):
        letter = chr(ord("a") + (value - 1) % 26) * min((value - 1) // 26 + 1, 10)
        return letter.upper() if style == "upperLetter" else letter
    if style in ("none", "bullet"):
        return ""
    return f"{value:02d}" if style == "decimalZero" else str(value)


def _with_name(style: Style, element: Element) -> Style:
    """What the built-in names of Word mean."""
    name = attribute(child(element, "name"), "val")
    heading = _HEADING_NAME.match(name)
    if heading:
        return replace(style, kind="heading", level=int(heading[1]))
    if name.lower() == "title":
        return replace(style, kind="heading", level=1, is_title=True)
    if _CONTENTS_NAME.match(name):
        return replace(style, kind="furniture", level=None)
    if name.lower() == "caption":
        return replace(style, kind="caption", level=None)
    return style


def _with_settings(style: Style, settings: Element | None) -> Style:
    outline, lists = child(settings, "outlineLvl"), child(settings, "numPr")
    if outline is not None and style.kind in ("paragraph", "heading") and not style.is_title:
        level = number(attribute(outline, "val"), 9) + 1
        style = (
            replace(style, kind="heading", level=level) if level <= 9 else replace(style, kind="paragraph", level=None)
        )
    if lists is not None:
        list_id, level_mark = child(lists, "numId"), child(lists, "ilvl")
        name = style.list_id if list_id is None else attribute(list_id, "val")
        level = style.list_level if level_mark is None else number(attribute(level_mark, "val"))
        style = replace(style, list_id="" if name == "0" else name, list_level=level)
    return style


def _levels(abstract: Element | None) -> dict[int, Element]:
    return {number(attribute(item, "ilvl")): item for item in children(abstract) if local(item) == "lvl"}


def _start(level: Element | None) -> int:
    return number(attribute(child(level, "start"), "val"), 1)


def _label_text(levels: dict[int, Element], level: int, counters: dict[int, int]) -> str:
    shape = child(levels[level], "lvlText")
    if shape is None or _format_of(levels[level]) == "bullet":
        return ""
    legal = child(levels[level], "isLgl") is not None

    def value(match: re.Match[str]) -> str:
        place = int(match[1]) - 1
        style = "decimal" if legal else _format_of(levels.get(place))
        return format_number(counters.get(place, 1), style)

    return _PLACEHOLDER.sub(value, attribute(shape, "val")).strip()


def _format_of(level: Element | None) -> str:
    return attribute(child(level, "numFmt"), "val", "decimal")


def _base(style: Element) -> str:
    return attribute(child(style, "basedOn"), "val")


def _roman(value: int) -> str:
    if not 0 < value < 4000:
        return str(value)
    text = ""
    for amount, letters in (*_ROMAN, *_ROMAN_SMALL):
        text += letters * (value // amount)
        value %= amount
    return text


def _all_bold(paragraph: Element) -> bool:
    """Every run with text is set in bold by itself."""
    runs = [
        run for run in descendants(paragraph, "r") if any((item.text or "").strip() for item in descendants(run, "t"))
    ]
    return bool(runs) and all((weight := child(run, "rPr", "b")) is not None and is_on(weight) for run in runs)


def is_on(switch: Element) -> bool:
    """Whether a switch of Word's, which is there, is on."""
    return attribute(switch, "val", "1") not in ("0", "false", "off")


_DECIDING = frozenset({"rStyle", "strike", "dstrike", "vertAlign"})


class RunLooks:
    """The looks that the styles of a document give to runs."""

    def __init__(self, styles: Element | None = None) -> None:
        self._elements = {attribute(item, "styleId"): item for item in descendants(styles, "style")}
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
        name = attribute(mark, "val")
        if name not in self._known:
            look = PLAIN
            for element in inherited(self._elements, name, _base):
                look = _with(look, child(element, "rPr"))
            self._known[name] = look
        return self._known[name]


def _with(look: Look, settings: Element | None) -> Look:
    """The look with what these settings state; the very same where they state nothing."""
    raised, lowered, is_struck = look.raised, look.lowered, look.struck
    for item in children(settings):
        name = local(item)
        if name in ("strike", "dstrike"):
            is_struck = is_on(item)
        elif name == "vertAlign":
            place = attribute(item, "val")
            raised, lowered = place == "superscript", place == "subscript"
    found = Look(raised, lowered, is_struck)
    return look if found == look else PLAIN if found == PLAIN else found
