"""What a language model counts: how many tokens a text has at most, and text that can be sent to one."""

from __future__ import annotations

import re

_PIECE = re.compile(r"[A-Z]?[a-z]{1,3}|[A-Z]{1,2}|[^\sA-Za-z]|\s{2,8}|[^\S ]")
"""Three letters, two capitals, a digit, a sign, or space that is no single blank."""


def most_tokens(text: str) -> int:
    """How many tokens a text has at most, whichever tokenizer counts them.

    Words in use are one token or two, so that three letters for one are more than enough; digits and signs are one
    each; a single blank belongs to the word behind it. A character that is not ASCII is one token, and one more for
    each two bytes of UTF-8 behind its first, as tokenizers that do not know it spell its bytes. For prose that is about
    one and a half times what is counted in fact.
    """
    further_bytes = len(text.encode("utf-8", "surrogatepass")) - len(text)
    return sum(1 for _ in _PIECE.finditer(text)) + (further_bytes + 1) // 2


def whole_characters(text: str) -> str:
    """The text with halves of surrogate pairs put together, and U+FFFD for a half that stands alone: such a text can be
    sent and stored."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
