"""Numbers that carry their own proof: cards (Luhn), IBAN (remainder of 97), and what both are made of."""

from __future__ import annotations

import re
from collections.abc import Iterator

IBAN_LENGTHS = {
    **{"AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BR": 29, "CH": 21},
    **{"CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "DO": 28, "EE": 20, "EG": 29, "ES": 24, "FI": 18, "FO": 18},
    **{"FR": 27, "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28, "HR": 21, "HU": 28, "IE": 22, "IL": 23},
    **{"IS": 26, "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LI": 21, "LT": 20, "LU": 20, "LV": 21, "MC": 27},
    **{"MD": 24, "ME": 22, "MK": 19, "MT": 31, "MU": 30, "NL": 18, "NO": 15, "PK": 24, "PL": 28, "PS": 29, "PT": 25},
    **{"QA": 29, "RO": 24, "RS": 22, "SA": 24, "SE": 24, "SI": 19, "SK": 24, "SM": 27, "TN": 24, "TR": 26, "UA": 29},
    **{"VA": 22, "VG": 24, "XK": 20},
}
"""Characters of an IBAN by country, as its registry states them."""
_IBAN_START = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}[0-9]{2}(?=[ \u00a0\n-]?[A-Za-z0-9])")
_IBAN_NEXT = re.compile(r"[ \u00a0\n-]?+([A-Za-z0-9])")
_SEPARATOR = r"[ \u00a0\n-]"
_CARD = re.compile(
    r"(?<![\w.,/+-])(?:"
    r"[2-6][0-9]{13,18}+"
    rf"|[2-6][0-9]{{3}}(?>(?:{_SEPARATOR}[0-9]{{4}}){{3}})(?>(?:{_SEPARATOR}[0-9]{{3}}(?![0-9]))?)"
    rf"|3[0-9]{{3}}{_SEPARATOR}[0-9]{{6}}{_SEPARATOR}[0-9]{{4,5}}+"
    r")(?![\w/-]|[.,][0-9])"
)
_EXPIRY = re.compile(r"[ \u00a0]{1,3}(?:exp\w{0,10}\.?:? ?)?[01]?[0-9] ?/ ?[0-9]{2}", re.IGNORECASE)
_GOES_ON = re.compile(r"[ \u00a0\n-][0-9]")
_WENT_BEFORE = re.compile(r"[0-9][ \u00a0\n-]\Z")
_ISSUED = (
    (re.compile(r"4|6011|64[4-9]|65|35[2-8]|62|50|5[6-8]|6[37]"), (16, 19)),
    (re.compile(r"5[1-5]|2[2-7]"), (16,)),
    (re.compile(r"3[47]"), (15,)),
    (re.compile(r"3[068]"), (14,)),
)
"""How the numbers of issuers begin (ISO/IEC 7812), and how many digits they have."""


def cards(text: str) -> Iterator[tuple[int, int]]:
    """Where numbers of payment cards stand: the beginning and length of an issuer, and Luhn's check. Four figures in a
    longer row of numbers are a row of a table."""
    for match in _CARD.finditer(text):
        digits = only_digits(match[0])
        is_grouped, end = len(digits) < len(match[0]), match.end()
        goes_on = _GOES_ON.match(text, end) and not _EXPIRY.match(text, end)
        if is_grouped and (goes_on or _WENT_BEFORE.search(text, max(0, match.start() - 2), match.start())):
            continue
        if match[0].count("\n") <= 1 and _is_issued(digits) and len(set(digits)) > 1 and has_luhn_digit(digits):
            yield match.span()


def ibans(text: str) -> Iterator[tuple[int, int]]:
    """Where account numbers stand whose length is that of their country and whose check digits are right."""
    for match in _IBAN_START.finditer(text):
        length = IBAN_LENGTHS.get(match[0][:2].upper())
        if length is None:
            continue
        compact, end = match[0], match.end()
        while len(compact) < length and (after := _IBAN_NEXT.match(text, end)):
            compact, end = compact + after[1], after.end()
        in_one_case = compact in (compact.upper(), compact.lower())
        ends = not text[end : end + 1].isalnum()
        if ends and len(compact) == length and in_one_case and _remainder_of_97(compact) == 1:
            yield match.start(), end


def only_digits(text: str) -> str:
    """The digits 0 to 9 of a text."""
    return "".join(character for character in text if "0" <= character <= "9")


def has_luhn_digit(digits: str) -> bool:
    """Whether the last digit is the one that Luhn's sum asks for."""
    doubled = (2 * int(digit) if place % 2 else int(digit) for place, digit in enumerate(reversed(digits)))
    return sum(value - 9 if value > 9 else value for value in doubled) % 10 == 0


def _is_issued(digits: str) -> bool:
    return any(prefix.match(digits) and len(digits) in lengths for prefix, lengths in _ISSUED)


def _remainder_of_97(compact: str) -> int:
    return int("".join(str(int(character, 36)) for character in compact[4:] + compact[:4])) % 97
