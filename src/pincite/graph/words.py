"""Where words begin and end, cut as treebanks cut them: "didn't" is "did" and "n't", "Tesla's" is "Tesla" and "'s"."""

from __future__ import annotations

import re
from typing import NamedTuple

_CLITIC = r"(?:s|re|ve|ll|d|m)\b"
_TITLES = (
    "Mr Mrs Ms Dr Prof St Sen Rep Gov Gen Col Lt Sgt Capt Rev Hon Jr Sr Inc Corp Co Ltd Bros Cos Jan Feb Mar Apr Jun "
    "Jul Aug Sep Sept Oct Nov Dec No Fig Eq vs etc approx ca al Vol Mt Ft"
).replace(" ", "|")
_WORD = re.compile(
    r"[^\W\d_]+(?=[\s,])"
    r"|-[LR][RSC]B-|``|''"
    r"|(?:[^\W\d_]\.){2,}|(?-i:[A-Z]\.(?=\s+[A-Z]))"
    rf"|\b(?:{_TITLES})\.(?=\s+\S)"
    r"|[^\W\d_]+(?=n['’]t\b)|n['’]t\b"
    rf"|['’]{_CLITIC}"
    r"|\.?\d+(?:[.,:/]\d+)*(?:-?[^\W\d_]+)*"
    rf"|[^\W_]+(?:[-–.&/_][^\W_]+|['’](?!{_CLITIC})[^\W\d_]+)*"
    r"|\.\.+|--+|\S",
    re.IGNORECASE,
)
_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
_PLAIN = _BRACKETS | {"``": '"', "''": '"', "“": '"', "”": '"', "’": "'", "‘": "'", "’s": "'s", "n’t": "n't"}


class Word(NamedTuple):
    """A word as read (quotes and brackets in their plain form) and its `[start, end)` in the sentence."""

    text: str
    start: int
    end: int


def words_of(sentence: str) -> list[Word]:
    """The words and marks of a sentence, in order; all that is not white space is in one of them."""
    return [Word(_PLAIN.get(text := match.group(), text), *match.span()) for match in _WORD.finditer(sentence)]
