"""What is looked for to be masked: numbers that a state or a bank gives, by a form with its check (Luhn, remainder of
97) or where one is announced; and regular expressions of a user's own, taken only where no text can make them slow."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

MOST_WAYS = 1_000
"""So many ways may a pattern go on from one place; each is a step of the matcher, and a text has millions of places."""
LONGEST = 500
"""Characters of a pattern."""
_TOKEN = re.compile(
    r"(?P<escape>\\[dwsbDWSB.\-+*?()\[\]{}|/^$@&#' ])"
    r"|(?P<set>\[\^?(?:\\[dwsDWS\\\]\[^.\-+/@]|[^\\\]\[])+\])"
    r"|(?P<open>\((?:\?:)?(?!\?))"
    r"|(?P<close>\))|(?P<other>\|)"
    r"|(?P<repeat>\?|\{(?P<least>[0-9]{1,3})(?:,(?P<most>[0-9]{1,3}))?\})"
    r"|(?P<plain>[^\\\[\](){}|*+?^$])"
)


class _Part(NamedTuple):
    """How many ways lead through a part of a pattern."""

    ways: int
    last: int = 1
    alternatives: int = 0

    def closed(self) -> int:
        """The ways of the whole."""
        return self.alternatives + self.ways * self.last


def checked_pattern(written: str) -> re.Pattern[str]:
    """The pattern, compiled; ValueError, with a reason, where it is none, may be slow, or matches where nothing stands.

    Letters, `.`, sets, `\\d \\w \\s \\b`, groups, `|`, `?` and `{m,n}` may stand in it, and `(?i)` before it. What
    repeats says how often; look-arounds and back-references are not taken.
    """
    if len(written) > LONGEST:
        raise ValueError(f"is longer than {LONGEST} characters")
    body = written.removeprefix("(?i)")
    ways = _ways(body)
    if ways > MOST_WAYS:
        raise ValueError(f"can go on in {ways:,} ways from one place, more than {MOST_WAYS:,}: repeat less")
    try:
        compiled = re.compile(body, re.IGNORECASE if written != body else 0)
    except re.error as error:
        raise ValueError(f"is no regular expression ({error.msg})") from None
    if compiled.search(""):
        raise ValueError("matches where nothing stands: name what it looks for")
    return compiled


def _ways(body: str) -> int:
    """How many ways a pattern can go on from one place, at most."""
    stack: list[_Part] = []
    part, place = _Part(1), 0
    while place < len(body):
        token = _TOKEN.match(body, place)
        if token is None:
            raise ValueError(f"has {body[place]!r} at place {place + 1}: say how often by {{m,n}} or ?, and no more")
        place = token.end()
        match token.lastgroup if token.lastgroup not in ("least", "most") else "repeat":
            case "open":
                stack.append(part)
                part = _Part(1)
            case "close":
                if not stack:
                    raise ValueError("closes a group that is not open")
                outer = stack.pop()
                part = _Part(outer.ways * outer.last, part.closed(), outer.alternatives)
            case "other":
                part = _Part(1, 1, part.closed())
            case "repeat":
                part = _Part(part.ways, _repeated(part.last, token), part.alternatives)
            case _:
                part = _Part(part.ways * part.last, 1, part.alternatives)
        if max(part.ways, part.last, part.alternatives) > MOST_WAYS**3:
            raise ValueError(f"can go on in more than {MOST_WAYS:,} ways from one place: repeat less")
    if stack:
        raise ValueError("opens a group and does not close it")
    return part.closed()


def _repeated(ways: int, token: re.Match[str]) -> int:
    """The ways through something that repeats."""
    if token["least"] is None:
        return ways + 1
    least = int(token["least"])
    most = int(token["most"] or least)
    if ways == 1:
        return max(1, most - least + 1)
    return (most - least + 1) * int(ways ** min(most, 64))


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
    """The places of account numbers with the length for their country and correct check digits."""
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
