"""Words that are written in one, "Mondumlauf": their parts, as far as they are known."""

from __future__ import annotations

from collections.abc import Callable

COMPOUNDING = frozenset({"da", "de", "fi", "nl", "no", "sv"})
LEAST_LETTERS = 3
_LINKS = ("", "s", "es", "n", "en", "er", "e")


def compound_parts(word: str, known: Callable[[str], str | None]) -> tuple[str, ...]:
    """The tokens of the two parts of a word, letters that link them left out; else of its end alone; else none.

    `known` gives the token of a part that is known, None for others. The longest end is tried first.
    """
    for cut in range(LEAST_LETTERS, len(word) - LEAST_LETTERS + 1):
        end = known(word[cut:])
        if end is not None:
            beginning = _beginning(word[:cut], known)
            return (end,) if beginning is None else (beginning, end)
    return ()


def _beginning(part: str, known: Callable[[str], str | None]) -> str | None:
    for link in _LINKS:
        bare = part.removesuffix(link) if link else part
        token = known(bare) if len(bare) >= LEAST_LETTERS else None
        if token is not None:
            return token
    return None
