"""Names as they are written: runs of capitalised words, the normal form in which two spellings are one, and words of
names that are a letter or two off."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pincite.text.language import FUNCTION_WORDS

LEAST_LETTERS = 5
LETTERS_FOR_TWO = 8
LONGEST = 60
BYTES_OF_LETTER = 2
Bytes = NDArray[np.uint8]
Offsets = NDArray[np.int64]


def arrange_words(names: Iterable[str]) -> tuple[Bytes, Offsets]:
    """The distinct words of normal names in UTF-8, those of one length together: the words of n bytes are
    `[offsets[n], offsets[n + 1])`. Words of other signs than letters, short and very long ones are left out."""
    words = {word for name in names for word in name.split() if len(word) >= LEAST_LETTERS - 1 and word.isalpha()}
    encoded = sorted((word.encode() for word in words), key=lambda word: (len(word), word))
    fitting = [word for word in encoded if len(word) <= LONGEST]
    lengths = np.bincount([len(word) for word in fitting], minlength=LONGEST + 1) * np.arange(LONGEST + 1)
    return np.frombuffer(b"".join(fitting), np.uint8), np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def nearest_words(words: Bytes, offsets: Offsets, word: str) -> dict[int, list[str]]:
    """The words that are one letter off, or two from eight letters on, by how many; letters that changed places count
    as one. They begin or end with the same two letters."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    if len(word) < LEAST_LETTERS:
        return {}
    most = 1 if len(word) < LETTERS_FOR_TWO else 2
    found: dict[int, list[str]] = {}
    alike = list(_alike(words, offsets, word, most))
    for other, distance, _ in process.extract(word, alike, scorer=OSA.distance, score_cutoff=most, limit=None):
        found.setdefault(int(distance), []).append(other)
    return {distance: sorted(found[distance]) for distance in sorted(found)}


def _alike(words: Bytes, offsets: Offsets, word: str, most: int) -> Iterator[str]:
    """The words that are about as long and begin or end with the same two letters."""
    wanted = word.encode()
    slack = most if word.isascii() else most * BYTES_OF_LETTER
    for length in range(max(len(wanted) - slack, 2), min(len(wanted) + slack, LONGEST) + 1):
        table = np.asarray(words[offsets[length] : offsets[length + 1]]).reshape(-1, length)
        begins = (table[:, 0] == wanted[0]) & (table[:, 1] == wanted[1])
        closes = (table[:, -1] == wanted[-1]) & (table[:, -2] == wanted[-2])
        found = table[begins | closes].tobytes()
        yield from (found[start : start + length].decode() for start in range(0, len(found), length))


MOST_WORDS = 12
MOST_CHARACTERS = 120
KEPT_NAMES = 16_384
"""Phrases whose names are kept: some 4 MB. A question meets a hundred, most of them in chunks that come again."""
_JOINING = (
    "of the de la von van der den and in for du des al bin le di da del dos das to on at with y e et und zu à"
).split()
_PARTING = frozenset("of in and for to on at with y e et und".split())
_TITLES = ("Mr", "Dr", "St", "Jr", "Sr", "Mrs", "Vol", "Mt", "Ft", "No")
_LAST_CAPITAL = 0x1E921
_WORD = re.compile(r"[^\W_]+(?:['’\-–][^\W_]+)*")
_POSSESSIVE = re.compile(r"['’]s?(?=\s|$)")
_IN_PARENTHESES = re.compile(r"(?:(?<!\s)\s++)?\([^()]*+\)\s*+$")
_NUMBERING = re.compile(r"^(?:(?:[A-Z]\.)?\d+(?:\.\d+)+[.)]?|\d+[.)]|[A-Z]\.\d+)\s+")
_OPENS = re.compile(r"(?:^|[.!?:;•|]|\n\s*\n)[\s\"'“‘«(\[]*$")
DATE_WORDS = frozenset(
    "january february march april may june july august september october november december jan feb mar apr jun jul "
    "aug sep sept oct nov dec januar februar märz mai juni juli oktober dezember janvier février mars avril juin "
    "juillet août septembre octobre novembre décembre enero febrero marzo abril mayo junio julio agosto septiembre "
    "octubre noviembre diciembre monday tuesday wednesday thursday friday saturday sunday".split()
)
_OPENING_WORDS = frozenset(
    "about above according additionally after all also although among another any as assuming at based because before "
    "below beside besides between beyond both but by call check choose click compare consequently conversely currently "
    "depending despite did do does during each either enter even eventually every except few finally following for "
    "further furthermore generally given had has have hence here how however if in including inside instead is it its "
    "just last like likewise many meanwhile moreover most much neither nevertheless next no none nor normally note "
    "notice now of on once only or other otherwise our outside over overall owing per perhaps please previously "
    "press rather recall recently run see select set several shall should similarly since so some sometimes specify "
    "still subsequently such then thereafter therefore these those though through throughout thus to today together "
    "toward towards type typically under unfortunately unless unlike until upon use using usually via was were what "
    "when whenever where whereas wherever whether which whichever while who whose why with within without yet "
    "your".split()
)
"""Words that open sentences of every kind: conjunctions, prepositions, adverbs, what a manual tells to do."""


@dataclass(frozen=True, slots=True)
class Name:
    """A run of capitalised words at `[start, end)`. `opens`: it is one word that opens a sentence, so that its
    capital may mean nothing. `first`: where the run begins with a word before it that opens a sentence ("Since")."""

    start: int
    end: int
    text: str
    opens: bool
    first: int


def find_names(text: str) -> Iterator[Name]:
    """The longest runs of capitalised words, small joining words inside ("Earl of Derby"), in order; dates alone are
    none, and leading articles and words that only open a sentence stay outside."""
    for match in _run().finditer(text):
        words = _words_of_name(match.group())
        if not words or len(words) > MOST_WORDS or all(_is_date_word(word.group()) for word in words):
            continue
        first, end = match.start() + words[0].start(), match.start() + words[-1].end()
        opens = _OPENS.search(text, max(0, match.start() - 12), first) is not None
        rest = _without_opening_word(words) if opens else words
        start = match.start() + rest[0].start()
        yield Name(start, end, text[start:end], opens and len(words) == 1, first)


@lru_cache(maxsize=KEPT_NAMES)
def names_in(text: str) -> tuple[str, ...]:
    """The normal names that a text may be taken for: that of all of it, and those that stand in it."""
    return tuple(dict.fromkeys((normal_name(text), *(normal_name(name.text) for name in find_names(text)))))


@lru_cache(maxsize=65536)
def normal_name(text: str) -> str:
    """The form under which spellings of one name meet: case, accents, possessives, punctuation and a leading article
    do not count ("Schrödinger's" and "schrodinger")."""
    if not text.isascii():
        text = "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))
    return without_article(_WORD.findall(_POSSESSIVE.sub("", text.casefold())))


def holds_name(text: str, name: str) -> bool:
    """Whether a normal name stands in a text."""
    words = filter(None, map(normal_name, text.split()))
    return f" {name} " in f" {' '.join(words)} "


def without_article(words: Sequence[str]) -> str:
    """The words of a normal name, a leading article left out where that leaves more than small words."""
    if len(words) > 1 and words[0] in ("the", "a", "an") and not all(map(is_small, words[1:])):
        words = words[1:]
    return " ".join(words)[:MOST_CHARACTERS]


@lru_cache(maxsize=65536)
def parts_of(name: str) -> tuple[str, ...]:
    """The shorter names inside a normal name that joining words part ("university of vienna": both)."""
    parts: list[list[str]] = [[]]
    for word in name.split():
        if word in _PARTING:
            parts.append([])
        else:
            parts[-1].append(word)
    if len(parts) == 1:
        return ()
    shorter = (" ".join(_without_small_ends(part)) for part in parts)
    return tuple(dict.fromkeys(part for part in shorter if part and not part.isdigit()))


def title_names(title: str) -> tuple[str, ...]:
    """The normal names that a title gives, its numbering left out ("6.3 SolarCity"): as it is, without what stands in
    parentheses at its end ("Big Eyes (film)"), and what stands before a comma, where that is more than one word."""
    title = _NUMBERING.sub("", title)
    bare = _IN_PARENTHESES.sub("", title)
    head = bare.split(",")[0]
    found = [title, bare, *([head] if len(head.split()) > 1 else [])]
    return tuple(dict.fromkeys(name for name in map(normal_name, found) if len(name) > 1))


def _words_of_name(run: str) -> list[re.Match[str]]:
    """The words of a run without small words and numbers in front, up to where a new sentence begins."""
    words = list(_WORD.finditer(run))
    while words and (is_small(words[0].group()) or words[0].group().isdigit()):
        words.pop(0)
    for index, (word, following) in enumerate(pairwise(words), start=1):
        if run[word.end()] == "." and is_small(following.group()):
            return words[:index]
    return words


def _without_opening_word(words: list[re.Match[str]]) -> list[re.Match[str]]:
    """The words behind one that opens sentences of every kind, where any of them makes a name."""
    rest = words[1:] if words[0].group().lower() in _OPENING_WORDS else words
    while rest and (is_small(rest[0].group()) or rest[0].group().isdigit()):
        rest = rest[1:]
    return words if all(_is_date_word(word.group()) for word in rest) else rest


def _without_small_ends(words: list[str]) -> list[str]:
    while words and words[0] in _JOINING:
        words = words[1:]
    while words and words[-1] in _JOINING:
        words = words[:-1]
    return words


def is_small(word: str) -> bool:
    """A function word, so that its capital only opens a sentence or heading; "I" and "A" are no names either."""
    lower = word.lower()
    return lower in FUNCTION_WORDS["en"] or lower in _JOINING or (len(word) == 1 and lower in "ai")


def may_only_open(word: str) -> bool:
    """Whether a word opens sentences of every kind ("Note", "Using"), so that its capital tells nothing."""
    return is_small(word) or word.lower() in _OPENING_WORDS


def _is_date_word(word: str) -> bool:
    return word.isdigit() or word.lower() in DATE_WORDS


@lru_cache(maxsize=1)
def _run() -> re.Pattern[str]:
    """A capitalised word, then more of them or numbers, with small words between."""
    capital = f"[{_capitals()}]"
    word = rf"{capital}[^\W_]*(?:['’\-–](?!s\b)[^\W_]+)*"
    after_initial = "|".join([rf"(?<=\b{capital})", *(rf"(?<=\b{title})" for title in _TITLES)])
    gap = rf"(?:[ ]?\n|[ ]{{1,2}}|(?:{after_initial})\.[ \n]?|[ ]&[ ])"
    joined = rf"(?:(?:{'|'.join(_JOINING)})[ \n]){{0,3}}"
    return re.compile(rf"\b{word}(?:{gap}(?:{joined}{word}|\d+(?:[-–]\d+)?\b))*")


def _capitals() -> str:
    """All capital letters as ranges of a character class."""
    ranges: list[list[int]] = []
    for code in range(_LAST_CAPITAL + 1):
        if unicodedata.category(chr(code)) in ("Lu", "Lt"):
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1][1] = code
            else:
                ranges.append([code, code])
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)
