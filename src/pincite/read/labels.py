"""The label of each page: what the file states, else the number that is printed in the running lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

ARABIC = re.compile(r"(?<![\w.,/:–])(?<!\d-)[1-9]\d{0,5}(?![\w.,/:–]|-\d)")
ROMAN = re.compile(r"\b(?=[ivxlc])(?:c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})\b", re.IGNORECASE)
VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


def page_labels(stated: Sequence[str | None], running: Sequence[Sequence[str]]) -> list[str | None]:
    """A label for each page. `running`: the furniture lines of each page, in reading order.

    Stated labels that only count the physical pages say nothing, so printed numbers go before them.
    """
    counted = all(label is None or label == str(number) for number, label in enumerate(stated, 1))
    if any(stated) and not counted:
        return list(stated)
    printed = _printed(running)
    return printed if any(printed) else list(stated)


def _printed(running: Sequence[Sequence[str]]) -> list[str | None]:
    options = [_numbers(lines) for lines in running]
    labels: list[str | None] = [None] * len(options)
    for roman in (True, False):
        shifts = Counter(
            value - page for page, found in enumerate(options) for value, _, is_roman in found if is_roman == roman
        )
        for shift, count in sorted(shifts.items(), key=lambda item: (-item[1], abs(item[0]), item[0])):
            if count < 3 and not (count == 2 and len(options) <= 4):
                break
            _fill(labels, options, shift, roman=roman)
    return labels


def _fill(
    labels: list[str | None], options: Sequence[Sequence[tuple[int, str, bool]]], shift: int, *, roman: bool
) -> None:
    """Label the pages of runs of at least two neighbours (one page between them may lack its number)."""
    hits = {
        page: text
        for page, found in enumerate(options)
        for value, text, is_roman in found
        if is_roman == roman and value - page == shift and value > 0
    }
    for page, text in hits.items():
        if labels[page] is None and any(near in hits for near in (page - 2, page - 1, page + 1, page + 2)):
            labels[page] = text


def _numbers(lines: Sequence[str]) -> list[tuple[int, str, bool]]:
    found: dict[tuple[int, bool], str] = {}
    for line in lines:
        for match in ARABIC.finditer(line):
            found.setdefault((int(match[0]), False), match[0])
        for match in ROMAN.finditer(line.strip()):
            if match[0] and match[0] == line.strip().strip("-–— ."):
                found.setdefault((_roman_value(match[0]), True), match[0])
    return [(value, text, roman) for (value, roman), text in found.items()]


def _roman_value(text: str) -> int:
    values = [VALUES[char] for char in text.lower()]
    return sum(-value if value < after else value for value, after in zip(values, [*values[1:], 0], strict=True))
