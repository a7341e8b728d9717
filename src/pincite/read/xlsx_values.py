"""What a cell of a workbook shows: texts, numbers, dates, durations; and its place in letters."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache

from pincite.read.linked import PLAIN, LinkedPieces, Look
from pincite.read.markup import Element, attribute, child, descendants, local, number
from pincite.read.number_formats import plain, shown_number, shown_text

MAX_COLUMN = 16_384
_LETTERS = re.compile(r"\$?([A-Za-z]{1,3})\$?\d*")
_BUILT_IN_DATES = frozenset({*range(14, 18), 22, *range(27, 37), *range(50, 59)})
_BUILT_IN_TIMES = frozenset({18, 19, 20, 21, 45, 47})
_BUILT_IN_CODES = {
    1: "0",
    2: "0.00",
    3: "#,##0",
    4: "#,##0.00",
    9: "0%",
    10: "0.00%",
    11: "0.00E+00",
    37: "#,##0;(#,##0)",
    38: "#,##0;(#,##0)",
    39: "#,##0.00;(#,##0.00)",
    40: "#,##0.00;(#,##0.00)",
    41: '#,##0;-#,##0;"-"',
    42: '#,##0;-#,##0;"-"',
    43: '#,##0.00;-#,##0.00;"-"',
    44: '#,##0.00;-#,##0.00;"-"',
    46: "[h]:mm:ss",
    48: "##0.0E+0",
}
_NOT_CODE = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\[\]]*+\]', re.IGNORECASE)
_ELAPSED = re.compile(r"\[(?:h+|m+|s+)\]")
_LAST_SERIAL = 2_958_466


class Formats:
    """The number formats of a workbook: how its cells show numbers, dates and texts."""

    def __init__(
        self, codes: Mapping[int, str], styles: Iterable[int], looks: Iterable[Look] = (), *, since_1904: bool
    ) -> None:
        """`codes`: the formats by their number; `styles`: the number of the format of each style, `looks` how it is
        set."""
        self._epoch = datetime(1904, 1, 1) if since_1904 else datetime(1899, 12, 30)
        self._styles = [_kind(codes.get(item, _BUILT_IN_CODES.get(item, "")), item) for item in styles]
        self._looks = list(looks)

    def look(self, style: int) -> Look:
        """How a style sets the text of a cell."""
        return self._looks[style] if 0 <= style < len(self._looks) else PLAIN

    def show(self, value: str, style: int) -> str:
        """A stored number as its format shows it, rounded to the 15 digits that Excel keeps; dates as ISO has them."""
        return _number(value, *self._of(style), self._epoch)

    def show_text(self, text: str, style: int) -> str:
        """A text as its format shows it."""
        kind, code = self._of(style)
        return shown_text(text, code) if kind == "number" and "@" in code else text

    def _of(self, style: int) -> tuple[str, str]:
        return self._styles[style] if 0 <= style < len(self._styles) else ("number", "")


def _kind(code: str, format_id: int) -> tuple[str, str]:
    """("date" | "time" | "duration" | "number", code)."""
    if format_id in _BUILT_IN_DATES or format_id in _BUILT_IN_TIMES:
        return ("date" if format_id in _BUILT_IN_DATES else "time"), ""
    bare = _NOT_CODE.sub("", code).split(";")[0].lower().replace("general", "")
    if _ELAPSED.search(bare):
        return "duration", bare
    if any(letter in bare for letter in "yd"):
        return "date", ""
    return ("time" if any(letter in bare for letter in "hs") else "date" if "m" in bare else "number"), code


@lru_cache(maxsize=4096)
def _number(value: str, kind: str, code: str, epoch: datetime) -> str:
    try:
        amount = float(value)
    except ValueError:
        return value
    if not math.isfinite(amount):
        return value
    if kind == "duration" and abs(amount) < _LAST_SERIAL:
        return _duration(amount, code)
    if kind in ("date", "time"):
        return _moment(amount, kind, epoch) if 0 <= amount < _LAST_SERIAL else plain(amount)
    return shown_number(amount, code) if code else plain(amount)


def _moment(serial: float, kind: str, epoch: datetime) -> str:
    """ISO date and time. Before March 1900 Excel's count is off by one day."""
    early = epoch.year < 1900 and 1 <= serial < 60
    moment = epoch + timedelta(days=int(serial) + early, seconds=round(serial % 1 * 86_400))
    if kind == "time" and serial < 1:
        return moment.strftime("%H:%M:%S")
    return moment.date().isoformat() if moment.time() == datetime.min.time() else moment.isoformat(" ")


def _duration(days: float, code: str) -> str:
    """Hours, minutes and seconds that passed, of which the first may be many: "37:30"."""
    seconds = round(abs(days) * 86_400)
    sign = "-" if days < 0 else ""
    if "[s" in code:
        return f"{sign}{seconds}"
    minutes, rest = divmod(seconds, 60)
    if "[m" in code:
        return f"{sign}{minutes}:{rest:02d}" if "s" in code else f"{sign}{minutes}"
    hours, minutes = divmod(minutes, 60)
    parts = f"{sign}{hours}:{minutes:02d}" if "m" in code else f"{sign}{hours}"
    return f"{parts}:{rest:02d}" if "s" in code else parts


def formats_of(root: Element | None, *, since_1904: bool) -> Formats:
    """The formats that a part of styles states."""
    if root is None:
        return Formats({}, (), since_1904=since_1904)
    codes = {number(attribute(item, "numFmtId")): attribute(item, "formatCode") for item in descendants(root, "numFmt")}
    fonts = child(root, "fonts")
    known = [font_look(item) for item in (fonts if fonts is not None else ())]
    styles = child(root, "cellXfs")
    used = list(styles) if styles is not None else []
    looks = (known[font] if 0 <= (font := number(attribute(item, "fontId"))) < len(known) else PLAIN for item in used)
    return Formats(codes, (number(attribute(item, "numFmtId")) for item in used), looks, since_1904=since_1904)


def font_look(font: Element | None) -> Look:
    """How a font sets a text."""
    found = {local(item): attribute(item, "val", "1") for item in (font if font is not None else ())}
    is_struck = found.get("strike", "0") not in ("0", "false")
    place = found.get("vertAlign")
    return Look(place == "superscript", place == "subscript", is_struck) if is_struck or place else PLAIN


def rich_text(item: Element, look: Look = PLAIN) -> str:
    """A text of runs, without the reading aids of Asian scripts; `look` is that of its cell."""
    pieces = LinkedPieces()
    for part in item:
        if local(part) == "t":
            pieces.add(part.text or "", look)
        elif local(part) == "r":
            settings = child(part, "rPr")
            text = child(part, "t")
            pieces.add((text.text or "") if text is not None else "", look if settings is None else font_look(settings))
    return pieces.take().text


def with_look(text: str, look: Look) -> str:
    """A text set like this, as it stands in a page."""
    pieces = LinkedPieces()
    pieces.add(text, look)
    return pieces.take().text


def cell_value(cell: Element, strings: Sequence[str], formats: Formats) -> tuple[str, bool]:
    """What a cell shows, and whether it is a text. A formula without a stored result shows nothing."""
    kind, style = cell.get("t", "n"), number(cell.get("s", ""))
    look = formats.look(style)
    if kind == "inlineStr":
        inside = child(cell, "is")
        return (rich_text(inside, look) if inside is not None else ""), True
    value = next(cell.iterchildren("{*}v"), None)
    stored = (value.text or "") if value is not None else ""
    text, is_text = _shown(kind, stored, style, strings, formats)
    return (text if look is PLAIN or "~~" in text else with_look(text, look)), is_text


def _shown(kind: str, stored: str, style: int, strings: Sequence[str], formats: Formats) -> tuple[str, bool]:
    if kind == "s":
        index = number(stored, -1)
        return formats.show_text(strings[index] if 0 <= index < len(strings) else "", style), True
    if kind == "b":
        return ("TRUE" if stored == "1" else "FALSE" if stored else ""), False
    if kind in ("str", "e", "d"):
        return (formats.show_text(stored, style) if kind == "str" else stored), kind == "str"
    return (formats.show(stored, style) if stored else ""), False


def column_of(reference: str) -> int:
    """The column of a reference such as "B4", counted from 1; 0 where it names none."""
    return _column(reference.rstrip("0123456789"))


@lru_cache(maxsize=MAX_COLUMN)
def _column(letters: str) -> int:
    match = _LETTERS.match(letters)
    column = 0
    for letter in match[1].upper() if match else "":
        column = column * 26 + ord(letter) - ord("A") + 1
    return column if column <= MAX_COLUMN else 0


def column_letters(column: int) -> str:
    """The letters of a column counted from 1: 1 is "A", 28 is "AB"."""
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
