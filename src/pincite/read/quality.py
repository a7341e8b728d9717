"""Is the text layer of a page worth anything, or would OCR do better? Never judged by digits and codes."""

from __future__ import annotations

import re

from pincite.read.glyphs import UNMAPPED
from pincite.text.language import FUNCTION_WORDS

WORD = re.compile(r"(?<!\S)[(\"“‘']*([^\W\d_]+)[.,;:!?)\"”’']*(?!\S)")
TORN = re.compile(r"(?<!\S)[^\W\d_](?:[ \t][^\W\d_][.,;:]?){2,}(?!\S)")
UNKNOWN = re.compile(f"[{UNMAPPED}\ue000-\uf8ff]")
VOWELS = frozenset("aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüýœ")
LAST_LATIN = "\u0250"
MIN_VISIBLE = 8
MIN_WORDS = 25
MIN_KINDS = 8
"""Different letters: torn words have more of them than the columns of a table."""
USUAL_VOWELS = (0.15, 0.65)
"""Shares of vowels between which all languages in Latin letters stay, and their technical terms."""
LETTERS_OF_A_PAGE = 80
"""Of 600 by 800 points: what has fewer and lies on a picture is its heading, stamp or caption."""
USUAL_AREA = 600.0 * 800.0

_FUNCTION_WORDS = frozenset(word for words in FUNCTION_WORDS.values() for word in words if len(word) > 1)


def is_worthless(text: str) -> bool:
    """Most letters unknown, most words torn into letters, or no word of any language among many."""
    pieces = text.casefold().split()
    visible = sum(map(len, pieces))
    if visible < MIN_VISIBLE:
        return False
    if not text.isascii() and len(UNKNOWN.findall(text)) > 0.3 * visible:
        return True
    if _FUNCTION_WORDS.intersection(pieces) and sum(len(piece) == 1 for piece in pieces) < 0.3 * len(pieces):
        return False
    words = [word for word in WORD.findall(text) if word[0] < LAST_LATIN]
    return len(words) >= MIN_WORDS and (_is_torn(text, words) or _is_garbled(words))


def is_thin(text: str, width: float, height: float) -> bool:
    """Whether a page of this size has far fewer letters than one that is written on."""
    least = LETTERS_OF_A_PAGE * min(width * height / USUAL_AREA, 1.0)
    return len(text) < 8 * least and sum(map(str.isalpha, text)) < least


def _is_torn(text: str, words: list[str]) -> bool:
    """Most words are single letters that follow each other in lines, and together look like language."""
    letters = "".join(char for run in TORN.findall(text) for char in run if char.isalpha()).casefold()
    return len(letters) > 0.55 * len(words) and len(set(letters)) >= MIN_KINDS and _like_language(letters)


def _is_garbled(words: list[str]) -> bool:
    """Longer words without the vowels of a language, and none of the words that every text has."""
    longer = [word.casefold() for word in words if len(word) > 1]
    letters = "".join(longer)
    return len(longer) >= 2 * MIN_WORDS and not _like_language(letters) and not _FUNCTION_WORDS.intersection(longer)


def _like_language(letters: str) -> bool:
    least, most = USUAL_VOWELS
    return least <= sum(map(VOWELS.__contains__, letters)) / len(letters) <= most
