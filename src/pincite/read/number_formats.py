"""The number formats of workbooks: a stored number as a format code such as `"BR-"0000` or `#,##0.00;(#,##0.00)` shows
it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from functools import lru_cache
from operator import eq, ge, gt, le, lt, ne

_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.)|_(?P<space>.)|\*(?P<filled>.)|\[(?P<bracket>[^\[\]]*+)\]|'
    r"(?P<general>General)|(?P<exponent>E[+-])|(?P<digit>[0#?])|(?P<point>\.)|(?P<comma>,)|(?P<percent>%)|(?P<text>@)|"
    r"(?P<between>;)|(?P<sign>.)",
    re.IGNORECASE | re.DOTALL,
)
_CONDITION = re.compile(r"(<=|>=|<>|=|<|>)(-?\d+(?:\.\d+)?)")
_TESTS: dict[str, Callable[[float, float], bool]] = {"<=": le, ">=": ge, "<>": ne, "=": eq, "<": lt, ">": gt}
_FRACTION = re.compile(r"[?#0]\s*/\s*[?#\d]")
COARSE = 0.01
"""Of a number: what is rounded by more is not the same number any more."""
MOST_PLACES = 30
LONGEST_CODE = 255
"""Characters, as Excel has it."""

Token = tuple[str, str]
"""Kind and text."""


class _Section:
    """A part of a code between semicolons, and the numbers that it is for where it says so."""

    def __init__(self, tokens: tuple[Token, ...]) -> None:
        self.tokens = tokens
        self.holds_for = _condition(tokens)
        self.kinds = [kind for kind, _ in tokens]
        self.percents, self.thousands = _scale(self.kinds)
        self.point = self._first("point")
        self.exponent = self._first("exponent")
        self.decimals = [text for kind, text in tokens[self.point : self.exponent] if kind == "digit"][:MOST_PLACES]
        self.zeros = sum(token == ("digit", "0") for token in tokens[: self.point])
        self.is_exact = self.has("exponent") or self.percents > 0
        self.places = [
            place for place, kind in enumerate(self.kinds[: min(self.point, self.exponent)]) if kind == "digit"
        ]
        last = self.places[-1] if self.places else 0
        self.is_grouped = bool(self.places) and "comma" in self.kinds[self.places[0] : last]
        between = self.kinds[self.places[0] : last + 1] if self.places else []
        self.is_simple = (
            self.exponent == len(tokens)
            and {*between} <= {"digit", "comma"}
            and "#" not in self.decimals
            and "?" not in self.decimals
        )
        self.before = "".join(map(_literal, tokens[: self.places[0] if self.places else self.point]))
        ahead = "".join(map(_literal, tokens[last + 1 : self.point])) if self.places else ""
        self.behind = (ahead, "".join(map(_literal, tokens[self.point :])))

    def has(self, kind: str) -> bool:
        return kind in self.kinds

    def _first(self, kind: str) -> int:
        return self.kinds.index(kind) if kind in self.kinds else len(self.kinds)


def plain(amount: float) -> str:
    """A number rounded to the 15 digits that Excel keeps."""
    return f"{amount:.15g}"


def shown_number(amount: float, code: str) -> str:
    """A number as a code shows it; where the code puts zeros in front, leaves thousands out or rounds coarsely, the
    number itself stands behind it in brackets. The code is not one of dates."""
    sections = _sections(code)
    place = _place_of(amount, sections)
    section = sections[place]
    if _FRACTION.search(code):
        return plain(amount)
    if section.has("general") or section.has("text") or not code:
        shown = (
            plain(amount) if kind in ("general", "text") else _literal((kind, own)) for kind, own in section.tokens
        )
        return "".join(shown) or plain(amount)
    signed = amount if place == 0 or section.holds_for else abs(amount)
    text = _digits(signed, section) if section.has("digit") else "".join(map(_literal, section.tokens))
    return f"{text} ({plain(amount)})" if section.has("digit") and _hides_value(amount, section) else text


def shown_text(text: str, code: str) -> str:
    """A text as a code shows it."""
    section = next((item for item in _sections(code) if item.has("text")), None)
    if section is None:
        return text
    return "".join(text if token[0] == "text" else _literal(token) for token in section.tokens)


@lru_cache(maxsize=1024)
def _sections(code: str) -> tuple[_Section, ...]:
    sections: list[list[Token]] = [[]]
    for match in _TOKEN.finditer(code[:LONGEST_CODE]):
        kind = match.lastgroup or ""
        if kind == "between":
            sections.append([])
        else:
            sections[-1].append((kind, match[kind]))
    return tuple(_Section(tuple(tokens)) for tokens in sections)


def _condition(tokens: Sequence[Token]) -> Callable[[float], bool] | None:
    for kind, text in tokens:
        if kind == "bracket" and (match := _CONDITION.fullmatch(text.strip())):
            test, limit = _TESTS[match[1]], float(match[2])
            return lambda amount: test(amount, limit)
    return None


def _place_of(amount: float, sections: Sequence[_Section]) -> int:
    """Which section a number is shown by: the first is for positive ones, the second for negative ones, the third for
    zero, or those are that state a condition."""
    if any(section.holds_for for section in sections):
        known = enumerate(sections)
        return next((at for at, item in known if item.holds_for is None or item.holds_for(amount)), len(sections) - 1)
    numbers = len(sections) - (len(sections) > 1 and sections[-1].has("text"))
    if amount < 0 and numbers > 1:
        return 1
    return 2 if amount == 0 and numbers > 2 else 0


def _hides_value(amount: float, section: _Section) -> bool:
    """Whether zeros stand in front of a number, its thousands are left out, or it is rounded to a whole one."""
    if section.is_exact:
        return False
    if section.thousands or (section.zeros > 1 and abs(amount) < 10 ** (section.zeros - 1)):
        return True
    return not section.decimals and abs(amount - round(amount)) > COARSE * abs(amount)


def _scale(kinds: Sequence[str]) -> tuple[int, int]:
    """How many percent signs there are, and how many commas behind the last place for a digit."""
    commas = 0
    is_behind = False
    for kind in kinds:
        if kind == "digit":
            commas, is_behind = 0, True
        elif kind == "comma" and is_behind:
            commas += 1
        elif kind == "point":
            is_behind = False
    return kinds.count("percent"), commas


def _digits(amount: float, section: _Section) -> str:
    text = _simple_digits(amount, section) if section.is_simple else None
    return text if text is not None else _any_digits(amount, section)


def _simple_digits(amount: float, section: _Section) -> str | None:
    """Digits with nothing between them, the quick way; None where their rounding needs care."""
    count = len(section.decimals)
    exact = plain(abs(amount) * 100**section.percents / 1000**section.thousands)
    whole, _, rest = exact.partition(".")
    if "e" in exact or rest[count:] == "5":
        return None
    if len(rest) > count:
        whole, _, rest = f"{float(exact):.{count}f}".partition(".")
    is_zero = not whole.strip("0") and not rest.strip("0")
    least = len(section.places) - _optional(section)
    whole = ("" if whole == "0" else whole).rjust(least, "0")
    if section.is_grouped and len(whole) > 3:
        whole = f"{int(whole):,}".rjust(len(whole), "0")
    ahead, behind = section.behind
    sign = "-" if amount < 0 and not is_zero else ""
    return f"{sign}{section.before}{whole}{ahead}{'.' + rest.ljust(count, '0') if count else ''}{behind}"


def _optional(section: _Section) -> int:
    """Places in front of the point that stay free where the number has no digit for them."""
    places = section.places
    return next((at for at, place in enumerate(places) if section.tokens[place][1] == "0"), len(places))


def _any_digits(amount: float, section: _Section) -> str:
    tokens, end = section.tokens, section.exponent
    decimals = section.decimals
    try:
        value = abs(Decimal(plain(amount)).scaleb(2 * section.percents - 3 * section.thousands))
        power = max(value.adjusted(), -400) if end < len(tokens) and value else 0
        value = value.scaleb(-power).quantize(Decimal(1).scaleb(-len(decimals)), ROUND_HALF_UP)
    except InvalidOperation:
        return plain(amount)
    whole, _, rest = f"{value:f}".partition(".")
    least = next((place + 1 for place in reversed(range(len(decimals))) if decimals[place] == "0"), 0)
    rest = rest[:least] + rest[least:].rstrip("0")
    text = (
        _with_whole(whole, section) + ("." + rest if rest else "") + "".join(map(_literal, tokens[section.point : end]))
    )
    if end < len(tokens):
        text += f"E{power:+03d}" + "".join(map(_literal, tokens[end:]))
    return f"-{text}" if amount < 0 and value else text


def _with_whole(whole: str, section: _Section) -> str:
    """The digits in front of the point in their places, from the right; what is left stands in the first place."""
    digits = ("" if whole == "0" else whole).rjust(len(section.places) - _optional(section), "0")
    if section.is_grouped:
        digits = re.sub(r"(?<=\d)(?=(?:\d{3})+$)", ",", digits)
    pieces: list[str] = []
    for place in reversed(range(min(section.point, section.exponent))):
        if section.kinds[place] != "digit":
            pieces.append(_literal(section.tokens[place]))
        elif section.is_grouped or place == section.places[0]:
            pieces.append(digits if place == section.places[0] else "")
        else:
            pieces.append(digits[-1:])
            digits = digits[:-1]
    return "".join(reversed(pieces))


def _literal(token: Token) -> str:
    """What a token shows whatever the number is."""
    kind, text = token
    match kind:
        case "quoted" | "escaped" | "sign":
            return text
        case "percent":
            return "%"
        case "space":
            return " " if text == " " else ""
        case "bracket" if text.startswith("$"):
            return text[1:].partition("-")[0]
        case _:
            return ""
