"""Is the text layer of a page worth anything? Missing letters, single letters and shifted alphabets are not."""

from __future__ import annotations

import re

from pincite.read.glyphs import UNMAPPED

WORD = re.compile(r"[^\W\d_]+")
UNKNOWN = re.compile(f"[{UNMAPPED}\ue000-\uf8ff]")
MIN_WORDS = 25
VOWELS = frozenset("aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüýœąęăőű")


def is_worthless(text: str) -> bool:
    """Most letters unknown, or most words single letters, or most Latin words without a vowel."""
    visible = sum(map(len, text.split()))
    if visible < 8:
        return False
    if len(UNKNOWN.findall(text)) > 0.3 * visible:
        return True
    words = [word for word in WORD.findall(text) if word.isascii() or word[0] < "\u0250"]
    if len(words) < MIN_WORDS:
        return False
    single = sum(len(word) == 1 for word in words)
    if single > 0.65 * len(words):
        return True
    long = [word.lower() for word in words if len(word) >= 4]
    mute = sum(VOWELS.isdisjoint(word) for word in long)
    return len(long) >= MIN_WORDS and mute > 0.6 * len(long)
