"""What text recognition makes of what is printed."""

from __future__ import annotations

import re
from functools import lru_cache

from pincite.answer.words.lexicon import lexicon


def as_printed(text: str) -> str:
    """A text with what is always misread as it is printed ("classi fied", "classi'fied")."""
    for slip in lexicon("ocr")["slips"]:
        text = text.replace(slip["read"], slip["stands_for"])
    for slip in lexicon("ocr")["patterns"]:
        text = re.sub(slip["read"], slip["stands_for"], text)
    return text


@lru_cache(maxsize=4096)
def shape(word: str) -> str:
    """What words have in common that text recognition may take for each other: one spelling of letters that look
    alike."""
    shaped = word.casefold()
    for alike in lexicon("ocr")["alike"]:
        letters = (*alike["read"], alike["stands_for"])
        shaped = re.sub("|".join(map(re.escape, letters)), alike["stands_for"], shaped)
    return shaped
