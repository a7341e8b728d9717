"""Which entities does a question name? Its words, longest first, are looked up among the names of the network."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pincite.graph.names import MOST_WORDS, is_small, normal_name
from pincite.graph.network import EntityNetwork

_WORD = re.compile(r"[^\W_]+(?:['’\-–][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Concept:
    """An entity that the question names at `[start, end)`."""

    entity: int
    start: int
    end: int


def find_concepts(network: EntityNetwork, question: str) -> list[Concept]:
    """The entities that a question names, in its order. Longer names come first, and take their words away.

    Names of one word have to be written with a capital or a number, and not as the question's first word.
    """
    words = [(match.start(), match.end()) for match in _WORD.finditer(question)]
    spans = [
        (first, last)
        for length in range(min(MOST_WORDS, len(words)), 0, -1)
        for first in range(len(words) - length + 1)
        for last in [first + length - 1]
        if _may_be_name(question, words[first : last + 1], first)
    ]
    texts = [question[words[first][0] : words[last][1]] for first, last in spans]
    found: list[Concept] = []
    taken = [False] * len(words)
    for (first, last), entity in zip(spans, network.find([normal_name(text) for text in texts]).tolist(), strict=True):
        if entity >= 0 and not any(taken[first : last + 1]):
            taken[first : last + 1] = [True] * (last + 1 - first)
            found.append(Concept(entity, words[first][0], words[last][1]))
    return sorted(found, key=lambda concept: concept.start)


def _may_be_name(question: str, words: list[tuple[int, int]], first: int) -> bool:
    texts = [question[start:end] for start, end in words]
    telling = [text for text in texts if not is_small(text)]
    return (first > 0 or len(texts) > 1) and any(text[0].isupper() or text[0].isdigit() for text in telling)
