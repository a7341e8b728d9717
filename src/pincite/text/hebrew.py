"""Stems of Hebrew words, for which Snowball has no rules: light stemming, as is usual for retrieval."""

from __future__ import annotations

_PREFIXES = "ושהבכלמ"
_ENDINGS = ("יהם", "יות", "ותי", "ים", "ות", "ית", "יו", "יה", "ה", "ת", "י", "ו")
_LEAST_LETTERS = 3
_MOST_PREFIXES = 3
_FINAL = str.maketrans("ךםןףץ", "כמנפצ")


def stem_hebrew(word: str) -> str:
    """Without the letters in front that are words of their own ("and", "the", "in", "from"), and without its ending.

    At least three letters stay; final letters become plain ones.
    """
    for _ in range(_MOST_PREFIXES):
        if word[0] not in _PREFIXES or len(word) <= _LEAST_LETTERS:
            break
        word = word[1:]
    ending = next((item for item in _ENDINGS if word.endswith(item) and len(word) - len(item) >= _LEAST_LETTERS), "")
    return word.removesuffix(ending).translate(_FINAL)
