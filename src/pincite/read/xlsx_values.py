"""What a cell of a workbook shows: a stored number as a format code such as `"BR-"0000` or `#,##0.00;(#,##0.00)` shows
it, texts, dates, durations; and its place in letters."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from functools import lru_cache
from operator import eq, ge, gt, le, lt, ne

from pincite.read.linked import PLAIN, LinkedPieces, Look
from pincite.read.markup import Element, attribute, child, children, descendants, local, number, text_of

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
    """A part of a number format between semicolons, and the numbers that it applies to where it states them."""

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
    known = [font_look(item) for item in children(root, "fonts")]
    used = list(children(root, "cellXfs"))
    looks = (known[font] if 0 <= (font := number(attribute(item, "fontId"))) < len(known) else PLAIN for item in used)
    return Formats(codes, (number(attribute(item, "numFmtId")) for item in used), looks, since_1904=since_1904)


def font_look(font: Element | None) -> Look:
    """How a font sets a text."""
    found = {local(item): attribute(item, "val", "1") for item in children(font)}
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
            pieces.add(text_of(child(part, "t")), look if settings is None else font_look(settings))
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
    text, is_text = _shown(kind, text_of(child(cell, "v")), style, strings, formats)
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
