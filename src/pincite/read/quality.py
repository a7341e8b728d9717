"""Is the text layer of a page worth anything? Unknown letters and torn words are not."""

from __future__ import annotations

import re

from pincite.read.glyphs import UNMAPPED

WORD = re.compile(r"[^\W\d_]+")
UNKNOWN = re.compile(f"[{UNMAPPED}\ue000-\uf8ff]")
MIN_WORDS = 25


def is_worthless(text: str) -> bool:
    """Most letters unknown, or most words of Latin letters single ones."""
    visible = sum(map(len, text.split()))
    if visible < 8:
        return False
    if len(UNKNOWN.findall(text)) > 0.3 * visible:
        return True
    words = [word for word in WORD.findall(text) if word.isascii() or word[0] < "\u0250"]
    if len(words) < MIN_WORDS:
        return False
    single = sum(len(word) == 1 for word in words)
    return single > 0.65 * len(words)
