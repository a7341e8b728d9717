"""Telephone numbers: those that say so by their form, and those that stand where a number is announced."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pincite.text.checked_numbers import only_digits

LEAST_DIGITS, MOST_DIGITS = 6, 15
"""An announced number in a village has six; fifteen is the most of ITU-T E.164."""
LEAST_INTERNATIONAL = 9
"""Digits with the country's code: fewer after a plus are an amount or a difference."""
_COUNTRY = re.compile(
    r"1|7|2(?:[07]|[1-689][0-9])|3(?:[0-469]|[578][0-9])|4(?:[013-9]|2[0-9])|5(?:[1-8]|[09][0-9])|6(?:[0-6]|[7-9][0-9])"
    r"|8(?:[1246]|[0578][0-9])|9(?:[0-58]|[679][0-9])"
)
WHOLE = 7
"""Digits: what has as many may end with its line, what has fewer goes on in the next one."""
_GROUP = re.compile(r"[ \u00a0.\-–‑/()]{0,3}+(?>(?:(?<=([ \-–‑)/]))(\n) ?)?)([0-9]{1,15})(?![0-9])")
_START = re.compile(r"(?<![\w+])(?<![0-9][.,\-–‑/])(?>(?:\+[ (]{0,2}|\([ +]{0,2})?)(?=[0-9])")
_NORTH_AMERICAN = re.compile(
    r"(?<![\w+])(?<![0-9][ .-])"
    r"(?:\+?1[-–‑. ])?(?:\([2-9][0-9]{2}\)[ -]{0,2}\n?[0-9]{3}[-–‑. ]"
    r"|[2-9][0-9]{2}[-–‑] ?\n?[0-9]{3}[-–‑]) ?\n?[0-9]{4}"
    r"(?![\w-]|\.[0-9])"
)
_LABEL = (
    r"(?<![^\W_])(?:tele?phone|telefone?|telefono|teléfono|téléphone|tel|tél|tlf|phone|fon|mobile?|mobil(?:telefon|funk)"
    r"|móvil|cell ?phone|cell(?= ?[:#])|(?:tele)?fax|hotline|handy|gsm|whatsapp|(?:ruf|durchwahl)nummer|durchwahl"
    r"|contact number|portable(?= ?[:#])|call (?:us |me |him |her |them )?(?:at|on|under))"
    r"(?:[ _-]?(?:numbers?|nummer|no|nr|num)|s)?(?![^\W_])"
)
_BETWEEN = (
    r"[^\w\n+(]{0,6}+(?>(?:(?:no|nr|numbers?|nummer|is|at|on|under|unter|office|work|home|private|privat|direct|phone|fax)"
    r"(?![^\W_])[^\w\n+(]{0,4}+){0,3})(\n?+)[ \t]{0,3}+"
)
_ANNOUNCED = re.compile(_LABEL + _BETWEEN + r"(?=[+(]{0,2}\+?[0-9])", re.IGNORECASE)
_HEAD = re.compile(_LABEL, re.IGNORECASE)
_ANOTHER = re.compile(r" ?(?:[,;/]|or|oder|and|und|&) ?(?=[+(]{0,2}\+?[0-9])")
_DATE = re.compile(r"[0-9]{1,4}[./-][0-9]{1,2}[./-][0-9]{1,4}")


def phones(text: str, head: str = "") -> Iterator[tuple[int, int]]:
    """Where telephone numbers stand. `head` is what stands above the text in its table."""
    announced = {match.end(): bool(match[1]) for match in _ANNOUNCED.finditer(text)}
    is_headed = bool(_HEAD.search(head))
    formed = {match.start(): match.end() for match in _NORTH_AMERICAN.finditer(text)}
    done = 0
    for match in _START.finditer(text):
        start = match.start()
        if start < done:
            continue
        end = formed.get(start) or formed.get(match.end()) or _international_end(text, start, match.end())
        if end is None and (start in announced or is_headed):
            end = _announced_end(text, start, match.end(), below=announced.get(start, False))
        if end is not None:
            yield start, end
            done = end
            if another := _ANOTHER.match(text, end):
                announced[another.end()] = True


def phone_values(written: str) -> set[str]:
    """The digits of a number as others may write it: with and without the code of its country."""
    digits = only_digits(written)
    values = {digits.lstrip("0")}
    if written.lstrip("( ").startswith(("+", "00")) and (country := _COUNTRY.match(digits.lstrip("0"))):
        own = digits.lstrip("0")[country.end() :].lstrip("0")
        values |= {own, country[0] + own}
    return {value for value in values if len(value) > LEAST_DIGITS}


def _ends(text: str, place: int) -> Iterator[int]:
    """Where the groups of digits end that may belong to one number."""
    count = 0
    while group := _GROUP.match(text, place):
        if group[2] and count >= WHOLE and group[1] not in "-–‑":
            return
        count += len(group[3])
        if count > MOST_DIGITS:
            return
        place = group.end()
        yield place


def _international_end(text: str, start: int, place: int) -> int | None:
    """Where a number ends that begins with a plus and the code of a country."""
    if "+" not in text[start:place]:
        return None
    found = [end for end in _ends(text, place) if _is_international(text[start:end])]
    return found[-1] if found and _is_ended(text, found[-1]) else None


def _is_international(written: str) -> bool:
    digits = only_digits(written)
    country = _COUNTRY.match(digits)
    if country is None or len(digits) < LEAST_INTERNATIONAL or (written.count(".") == 1 and " " not in written):
        return False
    if country[0] in "17":
        return len(digits) == 11 and digits[1] not in "01"
    return digits[country.end()] != "0" or "(0)" in written


def _announced_end(text: str, start: int, place: int, *, below: bool) -> int | None:
    """Where an announced number ends; on the line below its label it has to look like one."""
    found = list(_ends(text, place))
    if not found or not _is_ended(text, found[-1]):
        return None
    written = text[start : found[-1]]
    looks = written.startswith(("0", "+", "(")) or not below
    is_date = _DATE.fullmatch(written) is not None
    return found[-1] if looks and not is_date and len(only_digits(written)) >= LEAST_DIGITS else None


def _is_ended(text: str, end: int) -> bool:
    return not re.match(r"[^\W_]|[.,][0-9]|[ \u00a0]?%", text[end : end + 2])
