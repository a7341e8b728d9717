"""Numbers that a state gives to a person: by a form with its check, or where one is announced."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from pincite.text.checked_numbers import has_luhn_digit, only_digits

LEAST_DIGITS = 5
"""Of an announced number: fewer are a page, a year or a clause."""
LEAST_BELOW = 7
"""Digits of one on the line below: fewer are a row of a list."""
_LABEL = (
    r"(?<![^\W_])(?:ssn|social security|soc\. sec\.?|national insurance|nino"
    r"|steuer-?id(?:entifikationsnummer)?|id-?nr\.?"
    r"|steuerliche identifikationsnummer|tax(?:payer)? id(?:entification)?|burgerservicenummer|bsn|pesel|dni|nif"
    r"|cpf|cpr|personnummer|aadhaar|passport|reisepass|passeport|pasaporte|personalausweis|ausweis"
    r"|identity card|id card"
    r"|national id|sozialversicherung|rentenversicherung|codice fiscale|sécurité sociale)"
    r"(?:[ _-]{0,2}(?:numbers?|s?nummer|no|nr|num|id)\.?)?(?![^\W_])"
)
_HEAD = re.compile(_LABEL, re.IGNORECASE)
_VALUE = r"[A-Z]{0,3}+[ -]?[0-9](?>(?:[ \-./]?[0-9]|[A-Z](?![A-Za-z]{2})){4,17})(?![^\W_])"
_ANNOUNCED = re.compile(rf"(?i:{_LABEL}[^\w\n]{{0,6}}+(?:is(?![^\W_])[^\w\n]{{0,3}}+)?(\n?+))({_VALUE})")
_HEADED = re.compile(rf"(?<![^\W_]){_VALUE}")
_DAY = r"(?:0[1-9]|[12][0-9]|3[01])"
_MONTH = r"(?:0[1-9]|1[0-2])"
_ODD = dict(
    zip("0123456789", (1, 0, 5, 7, 9, 13, 15, 17, 19, 21), strict=True),
    **dict(
        zip(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
            (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23),
            strict=True,
        )
    ),
)
"""What a sign at an odd place counts for in the check letter of a codice fiscale."""


def national_ids(text: str, head: str = "") -> Iterator[tuple[int, int]]:
    """Where such numbers stand. `head` is what stands above the text in its table."""
    for pattern, is_right in _CHECKED:
        yield from (match.span() for match in pattern.finditer(text) if is_right(match[0]))
    for match in _ANNOUNCED.finditer(text):
        if len(only_digits(match[2])) >= (LEAST_BELOW if match[1] else LEAST_DIGITS):
            yield match.span(2)
    if _HEAD.search(head):
        yield from (match.span() for match in _HEADED.finditer(text) if _has_digits(match[0]))


def _has_digits(written: str) -> bool:
    return len(only_digits(written)) >= LEAST_DIGITS


def _is_french(written: str) -> bool:
    digits = written.replace(" ", "").replace("2A", "19").replace("2B", "18")
    return 97 - int(digits[:13]) % 97 == int(digits[13:])


def _is_italian(written: str) -> bool:
    odd = sum(_ODD[sign] for sign in written[:15:2])
    even = sum(int(sign) if sign.isdigit() else ord(sign) - ord("A") for sign in written[1:15:2])
    return chr(ord("A") + (odd + even) % 26) == written[15]


def _is_finnish(written: str) -> bool:
    return "0123456789ABCDEFHJKLMNPRSTUVWXY"[int(written[:6] + written[7:10]) % 31] == written[10]


def _is_swiss(written: str) -> bool:
    digits = only_digits(written)
    return sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(digits)) % 10 == 0


def _is_belgian(written: str) -> bool:
    digits = only_digits(written)
    return any(97 - int(century + digits[:9]) % 97 == int(digits[9:]) for century in ("", "2"))


def _is_brazilian(written: str) -> bool:
    digits = [int(digit) for digit in only_digits(written)]
    if len(set(digits)) == 1:
        return False
    for count in (9, 10):
        total = sum(digit * (count + 1 - place) for place, digit in enumerate(digits[:count]))
        if total * 10 % 11 % 10 != digits[count]:
            return False
    return True


def _is_swedish(written: str) -> bool:
    return has_luhn_digit(only_digits(written))


def _is_american(written: str) -> bool:
    area, group, serial = written.split("-")
    is_given = area not in ("000", "666") and area < "900" and group != "00" and serial != "0000"
    return is_given and not re.match(r"19|20", serial)


_CHECKED: tuple[tuple[re.Pattern[str], Callable[[str], bool]], ...] = (
    (
        re.compile(
            rf"(?<![\w.-])[12] ?[0-9]{{2}} ?{_MONTH} ?(?:[0-9]{{2}}|2[AB]) ?[0-9]{{3}} ?[0-9]{{3}}"
            r" ?[0-9]{2}(?![\w.-])"
        ),
        _is_french,
    ),
    (re.compile(r"(?<!\w)[A-Z]{6}[0-9]{2}[A-EHLMPRST][0-7][0-9][A-Z][0-9]{3}[A-Z](?!\w)"), _is_italian),
    (re.compile(rf"(?<!\w){_DAY}{_MONTH}[0-9]{{2}}[-+A][0-9]{{3}}[0-9A-Y](?![\w-])"), _is_finnish),
    (re.compile(r"(?<![\w.])756\.[0-9]{4}\.[0-9]{4}\.[0-9]{2}(?![\w.])"), _is_swiss),
    (re.compile(rf"(?<![\w.])[0-9]{{2}}\.{_MONTH}\.{_DAY}-[0-9]{{3}}\.[0-9]{{2}}(?!\w)"), _is_belgian),
    (re.compile(r"(?<![\w.])[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}(?!\w)"), _is_brazilian),
    (re.compile(rf"(?<![\w.+-])[0-9]{{2}}{_MONTH}{_DAY}[-+][0-9]{{4}}(?![\w-])"), _is_swedish),
    (
        re.compile(r"(?<![\w.-])(?<![A-Z]{2} )[0-9]{3}-[0-9]{2}-[0-9]{4}(?![\w-]|\.[0-9])"),
        _is_american,
    ),
    (
        re.compile(r"(?<!\w)(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z]{2} [0-9]{2} [0-9]{2} [0-9]{2} [A-D](?!\w)"),
        bool,
    ),
)
"""Forms that are hardly anything else, each with its check: France, Italy, Finland, Switzerland, Belgium, Brazil,
Sweden, the United States, the United Kingdom."""
