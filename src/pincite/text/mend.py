"""A readable view of extracted text, with a map back: line ends, hyphenation, ligatures and invisible characters."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Container, Iterable
from dataclasses import dataclass

_INVISIBLE = r"\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff"
_LIGATURES = r"\ufb00-\ufb06"
# Begins with all characters that may begin a match, since such a set is searched for fast; each kind looks back at it.
# A space in front of a word needs no repair.
_REPAIR = re.compile(
    rf"[\s\u2010{_INVISIBLE}{_LIGATURES}-](?!(?<= )\S)(?:"
    r"(?P<hyphen>(?<=[^\W\d_][\u00ad\u2010-])\s*\n\s*(?=[^\W\d_]))"
    r"|(?P<number>(?<=[^\W_][\u2010-])\s*\n\s*(?=\d))"
    rf"|(?P<invisible>(?<=[{_INVISIBLE}])[{_INVISIBLE}]*)"
    r"|(?P<space>(?<=\n)\s*|(?<=\s)\s*\n\s*|(?<=\s)\s+|(?<=[\t\u00a0\u2007\u202f]))"
    rf"|(?P<ligature>(?<=[{_LIGATURES}])))"
)
_WORD_BEFORE = re.compile(r"(?<![^\W\d_])[^\W\d_]++$")
_WORD_AFTER = re.compile(r"[^\W\d_]+")
CUT_WORD = re.compile(r"[\u2010-]\s*\n")
"""A hyphen at a line end."""
_CUT_IN_TWO = re.compile(r"(?<![^\W\d_])[^\W\d_]++[\u2010-]\s{0,40}\n\s{0,40}[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]+(?:[-\u2010][^\W\d_]+)*")
_SEARCH_BACK = 40
LEAST_PART = 4
"""Letters of a word that another may be compounded with."""
_FORM_OF_VERB = re.compile(r"(?P<stem>[^\W\d_]{3,})(?:ing|ed)$")
_CLOSED = frozenset(
    "after back down fore half hand head inter life micro mind multi news over photo side some stake super tele"
    " time trans under upper view water wide with work".split()
)
"""First parts of words that are written without a hyphen as a rule,"""
_CLOSED_BUT_BEFORE_VERBS = frozenset("half hand life mind time water wide work".split())
"""these but in front of the form of a verb ("water-based")."""
_OPEN = frozenset(
    "self three four five seven eight nine eleven twelve twenty thirty forty fifty sixty seventy eighty ninety".split()
)
"""First parts that are written with one, but before these ends of words ("selfish", "fourteenth", "eighty")."""
_END_OF_WORD = re.compile(r"ish|less|hood|same$|t?een|t?y$|t?ie|t?hs?$|fold|some$|pence|scores?$")


@dataclass(frozen=True, slots=True)
class Mended:
    """`text` is the view; `raw_offset` leads back to the text that it was made from."""

    text: str
    _view: tuple[int, ...]
    _raw: tuple[int, ...]

    def raw_offset(self, offset: int) -> int:
        """Where in the raw text the character at `offset` of the view stands."""
        index = bisect_right(self._view, offset) - 1
        following = self._raw[index + 1] if index + 1 < len(self._raw) else None
        raw = self._raw[index] + offset - self._view[index]
        return raw if following is None else min(raw, max(following - 1, self._raw[index]))

    def raw_span(self, start: int, end: int) -> tuple[int, int]:
        """The raw bounds of the view's `[start, end)`, which must not be empty."""
        return self.raw_offset(start), self.raw_offset(end - 1) + 1


def mend(raw: str, vocabulary: Container[str] = frozenset()) -> Mended:
    """Join lines with a space and words cut by a hyphen at a line end; unfold ligatures; drop invisible characters. The
    hyphen stays where the second part starts with a capital, and where `vocabulary` (lower case) has the hyphenated
    word, or neither it nor the joined one, but the parts ("price-determining")."""
    pieces: list[str] = []
    view, raws = [0], [0]
    length = position = 0
    for match in _REPAIR.finditer(raw):
        kept, repaired = raw[position : match.start()], _repair(match, raw, vocabulary)
        pieces += [kept, repaired]
        length += len(kept)
        view += [length, length + len(repaired)]
        raws += [match.start(), match.end()]
        length += len(repaired)
        position = match.end()
    pieces.append(raw[position:])
    return Mended("".join(pieces), tuple(view), tuple(raws))


def vocabulary_of(texts: Iterable[str]) -> frozenset[str]:
    """The words of a document's pages in lower case, for `mend`, but for those that a line end cuts; none where no line
    ends in a hyphen."""
    texts = list(texts)
    if not any(map(CUT_WORD.search, texts)):
        return frozenset()
    return frozenset(word.group().lower() for text in texts for word in _WORD.finditer(_CUT_IN_TWO.sub(" ", text)))


def _repair(match: re.Match[str], raw: str, vocabulary: Container[str]) -> str:
    if match.lastgroup == "hyphen":
        return _join(match, raw, vocabulary)
    if match.lastgroup == "ligature":
        return unicodedata.normalize("NFKC", match.group())
    if match.lastgroup == "number":
        return match.group()[0]
    return " " if match.lastgroup == "space" else ""


def _join(match: re.Match[str], raw: str, vocabulary: Container[str]) -> str:
    if match.group()[0] == "\u00ad":
        return ""
    before = _WORD_BEFORE.search(raw, max(0, match.start() - _SEARCH_BACK), match.start())
    after = _WORD_AFTER.match(raw, match.end())
    first, second = (found.group() if found else "" for found in (before, after))
    if second[:1].isupper():
        return "-"
    first, second = first.lower(), second.lower()
    if f"{first}-{second}" in vocabulary:
        return "-"
    return "-" if first + second not in vocabulary and _are_words(first, second, vocabulary) else ""


def _are_words(first: str, second: str, vocabulary: Container[str]) -> bool:
    """Whether the parts are words on their own, by what the document says besides or as a rule."""
    if first in _OPEN:
        return not _END_OF_WORD.match(second)
    verb = _FORM_OF_VERB.match(second)
    is_closed = first in _CLOSED and not (verb and first in _CLOSED_BUT_BEFORE_VERBS)
    if len(first) < LEAST_PART or is_closed or not (first in vocabulary or f"{first}s" in vocabulary):
        return False
    if len(second) >= LEAST_PART and second in vocabulary:
        return True
    stem = verb["stem"] if verb else ""
    return bool(verb) and any(base in vocabulary for base in (stem, f"{stem}e", stem[:-1]))
