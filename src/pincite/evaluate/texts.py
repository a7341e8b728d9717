"""Comparing texts: what counts as the same to a measurement. Independent of the text tools that are measured."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

SHORT_ANSWER = 100
_SPACE = re.compile(r"\s+")


def fold(text: str) -> str:
    """NFKC, without case, white space runs as one space."""
    return _SPACE.sub(" ", unicodedata.normalize("NFKC", text)).strip().casefold()


def letters_and_digits(text: str) -> str:
    """The letters and digits alone as one run: NFKC, without case."""
    return "".join(char for char in unicodedata.normalize("NFKC", text).casefold() if char.isalnum())


def words(text: str) -> list[str]:
    """The words parted by white space, each as its letters and digits; what has none is left out."""
    return [word for word in map(letters_and_digits, text.split()) if word]


def holds_all(text: str, facts: Iterable[Sequence[str]]) -> bool:
    """Whether of each list of alternatives one string stands in the text."""
    folded = fold(text)
    return all(any(fold(alternative) in folded for alternative in alternatives) for alternatives in facts)


def holds_any(text: str, strings: Iterable[str]) -> bool:
    """Whether one of these strings stands in the text."""
    folded = fold(text)
    return any(fold(string) in folded for string in strings)


def holds_answer(texts: Iterable[str], answers: Iterable[str]) -> bool:
    """Whether one of the answers stands in one of the texts as whole words."""
    wanted = [f" {' '.join(words(answer))} " for answer in answers]
    return any(answer in f" {' '.join(words(text))} " for text in texts for answer in wanted)


def findable(answers: Iterable[str]) -> tuple[str, ...]:
    """Those answers that a passage can hold word for word: short ones, other than yes and no."""
    return tuple(
        answer
        for answer in answers
        if words(answer) and len(answer) <= SHORT_ANSWER and fold(answer) not in ("yes", "no")
    )
