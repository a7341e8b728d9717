"""What a word looks like, as rows of a table of weights: its letters, its ending, its beginning and its shape."""

from __future__ import annotations

import re
from functools import lru_cache
from zlib import crc32

WORD_ROWS, SUFFIX_ROWS, PREFIX_ROWS, SHAPE_ROWS = 8192, 2048, 512, 512
SUFFIXES = WORD_ROWS
PREFIXES = SUFFIXES + SUFFIX_ROWS
SHAPES = PREFIXES + PREFIX_ROWS
ROWS = SHAPES + SHAPE_ROWS
FEATURES = 5
_DIGIT = re.compile(r"\d")


@lru_cache(maxsize=1 << 16)
def word_rows(word: str) -> tuple[int, ...]:
    """The rows that stand for a word: two for itself in lower case with its digits as 0, so that words which share one
    row (Bloom 1970) seldom share both; one each for its last three letters, its first two and its shape."""
    folded = _DIGIT.sub("0", word.lower())
    spelled = _bytes(folded)
    return (
        crc32(spelled) % WORD_ROWS,
        crc32(spelled, 1) % WORD_ROWS,
        SUFFIXES + crc32(_bytes(folded[-3:])) % SUFFIX_ROWS,
        PREFIXES + crc32(_bytes(folded[:2])) % PREFIX_ROWS,
        SHAPES + crc32(_bytes(word_shape(word))) % SHAPE_ROWS,
    )


def word_shape(word: str) -> str:
    """ "McKay-27" -> "XxXxx-dd": capitals, small letters and digits by kind, no kind more than three times in a row."""
    kinds = "".join("X" if c.isupper() else "x" if c.islower() else "d" if c.isdigit() else c for c in word)
    return re.sub(r"(.)\1{3,}", r"\1\1\1", kinds)


def _bytes(text: str) -> bytes:
    """UTF-8, also of half a surrogate pair, which a broken file can hold."""
    return text.encode("utf-8", "surrogatepass")
