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
    if not text.isascii() and len(UNKNOWN.findall(text)) > 0.3 * visible:
        return True
    lengths = [len(word) for word in WORD.findall(text) if word[0] < "\u0250"]
    return len(lengths) >= MIN_WORDS and lengths.count(1) > 0.65 * len(lengths)
