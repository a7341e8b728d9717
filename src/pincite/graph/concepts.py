"""Which entities does a question name? Its words, longest first, are looked up among the names of the network."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import accumulate

from pincite.graph.names import MOST_WORDS, is_small, normal_name, without_article
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

    A name begins and ends with a capital, a number or a word that says something; one of one word has to be written
    with a capital or a number, and not as the question's first word.
    """
    words = [(match.start(), match.end()) for match in _WORD.finditer(question)]
    texts = [question[start:end] for start, end in words]
    normal = [normal_name(text) for text in texts]
    tells = [not is_small(text) for text in texts]
    capital = [text[0].isupper() or text[0].isdigit() for text in texts]
    marked = [0, *accumulate(told and high for told, high in zip(tells, capital, strict=True))]
    spans = [
        (first, first + length)
        for length in range(min(MOST_WORDS, len(words)), 0, -1)
        for first in range(len(words) - length + 1)
        if marked[first + length] > marked[first]
        and (tells[first] or capital[first])
        and tells[first + length - 1]
        and first + length > 1
    ]
    found: list[Concept] = []
    taken = [False] * len(words)
    named = network.find([without_article([word for word in normal[first:end] if word]) for first, end in spans])
    for (first, end), entity in zip(spans, named.tolist(), strict=True):
        if entity >= 0 and not any(taken[first:end]):
            taken[first:end] = [True] * (end - first)
            found.append(Concept(entity, words[first][0], words[end - 1][1]))
    return sorted(found, key=lambda concept: concept.start)
