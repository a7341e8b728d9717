"""What a cell of a workbook shows: texts, numbers, percentages, dates; and its place in letters."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from pincite.read.markup import Element, attribute, child, descendants, local, number

MAX_COLUMN = 16_384
_LETTERS = re.compile(r"\$?([A-Za-z]{1,3})\$?\d*")
_BUILT_IN_DATES = frozenset({*range(14, 18), 22, *range(27, 37), *range(50, 59)})
_BUILT_IN_TIMES = frozenset({18, 19, 20, 21, 45, 46, 47})
_BUILT_IN_PERCENT = {9: 0, 10: 2}
_NOT_CODE = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\[\]]*+\]', re.IGNORECASE)
_LAST_SERIAL = 2_958_466


class Formats:
    """The number formats of a workbook: which cells show a date, a time or a percentage."""

    def __init__(self, codes: Mapping[int, str], styles: Iterable[int], *, since_1904: bool) -> None:
        """`codes`: the formats by their number; `styles`: the number of the format of each style."""
        self._epoch = datetime(1904, 1, 1) if since_1904 else datetime(1899, 12, 30)
        self._codes = codes
        self._styles = [self._kind(item) for item in styles]

    def show(self, value: str, style: int) -> str:
        """A stored number as its format shows it, rounded to the 15 digits that Excel keeps."""
        try:
            amount = float(value)
        except ValueError:
            return value
        if not math.isfinite(amount):
            return value
        kind, decimals = self._styles[style] if 0 <= style < len(self._styles) else ("number", 0)
        if kind == "percent":
            return f"{amount * 100:.{decimals}f}%"
        if kind in ("date", "time") and 0 <= amount < _LAST_SERIAL:
            return self._moment(amount, kind)
        return f"{amount:.15g}"

    def _moment(self, serial: float, kind: str) -> str:
        """ISO date and time. Before March 1900 Excel's count is off by one day."""
        early = self._epoch.year < 1900 and 1 <= serial < 60
        moment = self._epoch + timedelta(days=int(serial) + early, seconds=round(serial % 1 * 86_400))
        if kind == "time" and serial < 1:
            return moment.strftime("%H:%M:%S")
        return moment.date().isoformat() if moment.time() == datetime.min.time() else moment.isoformat(" ")

    def _kind(self, format_id: int) -> tuple[str, int]:
        """("date" | "time" | "percent" | "number", decimals)."""
        if format_id in _BUILT_IN_PERCENT:
            return "percent", _BUILT_IN_PERCENT[format_id]
        if format_id in _BUILT_IN_DATES or format_id in _BUILT_IN_TIMES:
            return ("date" if format_id in _BUILT_IN_DATES else "time"), 0
        code = _NOT_CODE.sub("", self._codes.get(format_id, "")).split(";")[0].lower().replace("general", "")
        if "%" in code:
            return "percent", len(code.partition(".")[2].rstrip("% "))
        if any(letter in code for letter in "yd"):
            return "date", 0
        return ("time" if any(letter in code for letter in "hs") else "date" if "m" in code else "number"), 0


def formats_of(root: Element | None, *, since_1904: bool) -> Formats:
    """The formats that a part of styles states."""
    if root is None:
        return Formats({}, (), since_1904=since_1904)
    codes = {number(attribute(item, "numFmtId")): attribute(item, "formatCode") for item in descendants(root, "numFmt")}
    styles = child(root, "cellXfs")
    used = [number(attribute(item, "numFmtId")) for item in (styles if styles is not None else ())]
    return Formats(codes, used, since_1904=since_1904)


def cell_value(cell: Element, strings: Sequence[str], formats: Formats) -> tuple[str, bool]:
    """What a cell shows, and whether it is a text. A formula without a stored result shows nothing."""
    kind = attribute(cell, "t", "n")
    if kind == "inlineStr":
        return "".join(item.text or "" for item in descendants(cell, "t")), True
    stored = next((item.text or "" for item in cell if local(item) == "v"), "")
    if kind == "s":
        index = number(stored, -1)
        return (strings[index] if 0 <= index < len(strings) else ""), True
    if kind == "b":
        return ("TRUE" if stored == "1" else "FALSE" if stored else ""), False
    if kind in ("str", "e", "d"):
        return stored, kind == "str"
    return formats.show(stored, number(attribute(cell, "s"))), False


def column_of(reference: str) -> int:
    """The column of a reference such as "B4", counted from 1; 0 where it names none."""
    match = _LETTERS.match(reference)
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
