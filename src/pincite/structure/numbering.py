"""Numbers of headings: from what is printed ("5.3.2", "Annex B", "CHAPTER TWO") to something that can be compared."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pincite.structure.places import DIGIT_FOR, HEADED, LETTERS_FOR

MAX_PART = 400
_POLICY_LANE = "policy "
ROMAN = re.compile(r"(?=[IVXLC])(?:C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")

_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
NUMBER_WORDS = dict(
    zip(
        (
            *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
            *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
        ),
        range(1, 21),
        strict=True,
    )
)
"""Numbers up to twenty, by their English words."""
_PLAIN = frozenset({"section", "chapter", "clause", "rule"})
_LANES = {word: "" if unit in _PLAIN else unit for word, unit in HEADED.items()}
_KEYWORDS = "|".join(sorted(map(re.escape, _LANES), key=len, reverse=True))
_KEYWORD = re.compile(
    rf"(?P<key>{_KEYWORDS})\s*(?P<id>\d{{1,3}}[A-Z]?(?:\.\d{{1,3}}[A-Z]?)*|[A-Z]\d?|[IVXLC]{{1,7}}|"
    rf"{'|'.join(NUMBER_WORDS)})(?=[\s.:)\u2013\u2014-]|$)[.:)]*\s*",
    re.IGNORECASE,
)
_POLICY = re.compile(
    r"(?:strategic\s|core\s|local\s)?policy\s+"
    r"(?:(?:(?P<code>[A-Z]{1,5}\d?)\s?[-\u2013/.]?\s?)?(?P<value>\d{1,3})(?P<suffix>[A-Z]?)|(?P<letter>[A-Z]))"
    r"(?=[\s.:)\u2013\u2014-]|$)[.:)]*\s*",
    re.IGNORECASE,
)
# The look ahead ends where the seven longest parts would: without a bound, a search takes quadratic time.
_DOTTED = re.compile(
    r"(?P<first>\d{1,3}[A-H]|[A-Z]|[0-9lIOSB]{1,3})(?P<rest>(?=[.lIOS]{0,27}\d)(?:\.[0-9lIOS]{1,3}){1,7})(?P<suffix>[A-Z]?)"
    r"\.?(?=\s|$|[A-Z][a-z])"
)
_LETTER_DIGIT = re.compile(r"(?P<first>[A-Z])(?P<rest>\d{1,2}(?:\.\d{1,3}){0,6})\.?(?=\s|$)")
_SINGLE = re.compile(r"(?P<number>\d{1,3})(?P<suffix>[A-H]?)[.):]?(?=\s)")
_SINGLE_ROMAN = re.compile(rf"(?P<number>{ROMAN.pattern})[.):](?=\s)")
_CLAUSE = re.compile(r"\(\s?(?P<number>\d{1,2}|[lI])\s?\)\s?(?P<principle>P?)(?=\s|$)")
_MAY_START = re.compile(
    rf"[A-Z§]?\s?\d|[A-ZlI]\.|[IVXLC]{{2,}}[.):]|(?:{_KEYWORDS})[\s\dA-Z]|(?:\w{{4,9}}\s)?policy\s", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Number:
    """A heading number. `parts`: value and suffix of each level; `lane`: "" for plain numbers, else "annex", "part",
    "policy CSP" ...

    `text` is how it is named: "5.3.2", "A.1", "Part 2".
    """

    lane: str
    parts: tuple[tuple[int, str], ...]
    text: str

    @property
    def depth(self) -> int:
        """Levels: 3 for "5.3.2"."""
        return len(self.parts)

    def is_ones_from(self, depth: int) -> bool:
        """All levels below the first `depth` ones count 1."""
        return all(value == 1 and not suffix for value, suffix in self.parts[depth:])


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read the start of a line: its number, where the title starts, and what speaks for it.

    `worded`: a word such as "Annex" stands before it; `repaired`: characters were exchanged (B for 8).
    """

    number: Number
    end: int
    worded: bool = False
    repaired: bool = False
    roman: bool = False


def may_start_with_number(line: str) -> bool:
    """A quick look: False where `read_number` would find nothing."""
    return bool(_MAY_START.match(line))


def read_number(line: str) -> list[Reading]:
    """All ways to read the number at the start of a line, the plain one first; none where there is no number."""
    if not _MAY_START.match(line):
        return []
    for pattern, read in (
        (_POLICY, _policy),
        (_KEYWORD, _worded),
        (_DOTTED, _dotted),
        (_LETTER_DIGIT, _lettered),
        (_SINGLE, _single),
        (_SINGLE_ROMAN, _roman),
    ):
        if match := pattern.match(line):
            return read(match)
    return []


def is_policy(number: Number) -> bool:
    """It counts policies, which stand in chapters without counting with them."""
    return number.lane.startswith(_POLICY_LANE)


def read_clause(line: str) -> tuple[int, str, int] | None:
    """A clause mark "(3)P" at the start of a line: its value, its text, and where the clause's words start."""
    match = _CLAUSE.match(line)
    if match is None:
        return None
    value = int(match["number"].translate(DIGIT_FOR))
    return value, f"({value}){match['principle']}", match.end()


def roman_value(text: str) -> int:
    """The value of a Roman number, 0 where it is none."""
    letters = text.upper()
    if not ROMAN.fullmatch(letters):
        return 0
    values = [_ROMAN_VALUES[letter] for letter in letters]
    return sum(
        -value if any(later > value for later in values[index + 1 : index + 2]) else value
        for index, value in enumerate(values)
    )


def _worded(match: re.Match[str]) -> list[Reading]:
    key, mark = match["key"].lower(), match["id"]
    lane = _LANES[key]
    plain = mark.lower() in NUMBER_WORDS or mark[0].isdigit()
    if plain:
        parts = [(NUMBER_WORDS[mark.lower()], "")] if mark.lower() in NUMBER_WORDS else _values(mark)
        name = ".".join(f"{value}{suffix}" for value, suffix in parts)
        text = name if lane == "" else f"{match['key'].capitalize()} {name}"
        repaired = [_lettered_annex(letter, match) for letter in LETTERS_FOR.get(mark, "")] if lane == "annex" else []
        return [Reading(Number(lane, tuple(parts), text), match.end(), worded=True), *repaired]
    if lane == "annex" and len(mark) == 1:
        return [_lettered_annex(mark.upper(), match, repaired=False)]
    if lane == "annex" and mark[1:].isdigit():
        number = Number("annex", ((_letter(mark[0].upper())[0], mark[1:]),), mark.upper())
        return [Reading(number, match.end(), worded=True)]
    value = roman_value(mark) if mark.isupper() or lane != "" else 0
    if value:
        text = f"{match['key'].capitalize()} {mark.upper()}"
        return [Reading(Number(lane, ((value, ""),), text), match.end(), worded=True)]
    return []


def _policy(match: re.Match[str]) -> list[Reading]:
    """Policies of each code ("CSP 4", "H2") are counted by themselves, as are lettered ones ("Policy B")."""
    if match["letter"]:
        letter = match["letter"].upper()
        return [Reading(Number(_POLICY_LANE, (_letter(letter),), f"Policy {letter}"), match.end(), worded=True)]
    code, value, suffix = (match["code"] or "").upper(), match["value"], match["suffix"].upper()
    gap = " " if code and match[0][: match.start("value")].endswith(" ") else ""
    name = f"Policy {code}{gap}{value}{suffix}"
    return [Reading(Number(f"{_POLICY_LANE}{code}", ((int(value), suffix),), name), match.end(), worded=True)]


def _lettered_annex(letter: str, match: re.Match[str], *, repaired: bool = True) -> Reading:
    return Reading(Number("annex", (_letter(letter),), letter), match.end(), worded=True, repaired=repaired)


def _dotted(match: re.Match[str]) -> list[Reading]:
    first, suffix = match["first"], match["suffix"]
    rest = _values(match["rest"][1:].translate(DIGIT_FOR) + suffix)
    tail = match["rest"].translate(DIGIT_FOR) + suffix
    digits = first if first[:-1].isdigit() and first[-1].isalpha() else first.translate(DIGIT_FOR)
    repaired = tail != match["rest"] + suffix
    found: list[Reading] = []
    if first.isalpha() and first.isupper():
        lettered = _reading("annex", [_letter(first), *rest], first + tail, match.end())
        found += [Reading(item.number, item.end, repaired=repaired) for item in lettered]
    if digits[0].isdigit():
        plain = _reading("", [*_values(digits), *rest], digits + tail, match.end())
        found += [Reading(item.number, item.end, repaired=repaired or digits != first) for item in plain]
    for letter in LETTERS_FOR.get(first, ""):
        lettered = _reading("annex", [_letter(letter), *rest], letter + tail, match.end())
        found += [Reading(item.number, item.end, repaired=True) for item in lettered]
    return found


def _lettered(match: re.Match[str]) -> list[Reading]:
    """ "B1" is the first section of Annex B, "A1.2" the second of Annex A1."""
    first, rest = match["first"], match["rest"]
    name = first + rest
    found = _reading("annex", [_letter(first), *_values(rest)], name, match.end())
    head, *below = rest.split(".")
    if below:
        found += _reading("annex", [(_letter(first)[0], head), *_values(".".join(below))], name, match.end())
    return found


def _single(match: re.Match[str]) -> list[Reading]:
    """ "83" may be a misread "B3"."""
    number, suffix, rest = match["number"], match["suffix"], match["number"][1:]
    letters = LETTERS_FOR.get(number[0], "") if rest and rest[0] != "0" and not suffix else ""
    return [
        *_reading("", [(int(number), suffix)], number + suffix, match.end()),
        *(
            Reading(Number("annex", (_letter(letter), (int(rest), "")), letter + rest), match.end(), repaired=True)
            for letter in letters
        ),
    ]


def _roman(match: re.Match[str]) -> list[Reading]:
    found = _reading("", [(roman_value(match["number"]), "")], match["number"], match.end())
    return [Reading(item.number, item.end, roman=True) for item in found]


def _reading(lane: str, parts: list[tuple[int, str]], text: str, end: int) -> list[Reading]:
    if any(value > MAX_PART for value, _ in parts) or parts[0][0] == 0:
        return []
    return [Reading(Number(lane, tuple(parts), text), end)]


def _values(text: str) -> list[tuple[int, str]]:
    """Values and suffixes of "4.13A.2"."""
    pieces = [re.fullmatch(r"(\d+)([A-Z]?)", piece, re.IGNORECASE) for piece in text.split(".")]
    return [(int(piece[1]), piece[2].upper()) for piece in pieces if piece]


def _letter(letter: str) -> tuple[int, str]:
    return ord(letter) - ord("A") + 1, ""
