"""Which entities does a question name? Its words, longest first, are looked up among the names of the network; a name
that stands nowhere may be misspelt."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from pincite.graph.names import LEAST_LETTERS, MOST_WORDS, is_small, nearest_words, normal_name, without_article
from pincite.graph.network import EntityNetwork
from pincite.text.tokens import tokenise_for

LONGEST_MISSPELT = 3
MOST_STRANGE = 3

_WORD = re.compile(r"[^\W_]+(?:['’\-–][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Concept:
    """An entity that the question names at `[start, end)`, in a word that is perhaps `misspelt`."""

    entity: int
    start: int
    end: int
    misspelt: bool = False


def find_concepts(network: EntityNetwork, question: str, languages: Sequence[str | None] = ()) -> list[Concept]:
    """The entities that a question names, in its order, rightly written or not. A capitalised word that stands in no
    chunk, in any of the store's `languages`, is taken for the name nearest to it."""
    asked = _read(question)
    words = asked.words
    found, taken = _named(network, asked)
    strange = [index for index, word in enumerate(words) if not taken[index] and _is_strange(network, word, languages)]
    for index in strange[:MOST_STRANGE]:
        found = _with_misspelt(network, words, index, found)
    return sorted(found, key=lambda concept: concept.start)


def named_concepts(network: EntityNetwork, question: str) -> list[Concept]:
    """The entities whose names occur in a question, spelt as in the documents."""
    return _named(network, _read(question))[0]


class _Word(NamedTuple):
    """A word of the question and its normal form; whether it says something, and has a capital or a number in front."""

    start: int
    end: int
    normal: str
    tells: bool
    is_marked: bool


class _Asked(NamedTuple):
    """The words of a question, the runs of them that can be names, the longest first, and the normal names of these."""

    words: Sequence[_Word]
    spans: Sequence[tuple[int, int]]
    names: Sequence[str]


@lru_cache(maxsize=16)
def _read(question: str) -> _Asked:
    """Kept, since names are looked for when a question is mended, walked from, and answered."""
    words = _words_of(question)
    spans = _spans(words)
    runs = ([word.normal for word in words[first:end] if word.normal] for first, end in spans)
    return _Asked(words, spans, [without_article(run) for run in runs])


def _words_of(question: str) -> list[_Word]:
    found = []
    for match in _WORD.finditer(question):
        text = match.group()
        is_marked = text[0].isupper() or text[0].isdigit()
        found.append(_Word(*match.span(), normal_name(text), not is_small(text), is_marked))
    return found


def _named(network: EntityNetwork, asked: _Asked) -> tuple[list[Concept], list[bool]]:
    """The names in a question, and the words that belong to one. Longer names come first, and take their words away. A
    name begins and ends with a capital, a number or a content word; a single word needs a capital or a number, and must
    not be the question's first."""
    found: list[Concept] = []
    words, taken = asked.words, [False] * len(asked.words)
    named = network.find(asked.names)
    for (first, end), entity in zip(asked.spans, named.tolist(), strict=True):
        if entity >= 0 and not any(taken[first:end]):
            taken[first:end] = [True] * (end - first)
            found.append(Concept(entity, words[first].start, words[end - 1].end))
    return found, taken


def _spans(words: Sequence[_Word]) -> list[tuple[int, int]]:
    """The runs of words that can be names, the longest first."""
    marked = [0, *accumulate(word.tells and word.is_marked for word in words)]
    return [
        (first, first + length)
        for length in range(min(MOST_WORDS, len(words)), 0, -1)
        for first in range(len(words) - length + 1)
        if marked[first + length] > marked[first]
        and (words[first].tells or words[first].is_marked)
        and words[first + length - 1].tells
        and first + length > 1
    ]


def _is_strange(network: EntityNetwork, word: _Word, languages: Sequence[str | None]) -> bool:
    """A capitalised word of letters that stands in no chunk."""
    if not (word.is_marked and word.tells and word.normal.isalpha() and len(word.normal) >= LEAST_LETTERS):
        return False
    tokens = tokenise_for(word.normal, languages)
    return bool(tokens) and not network.has_tokens(tokens)


def _with_misspelt(
    network: EntityNetwork, words: Sequence[_Word], index: int, found: Sequence[Concept]
) -> list[Concept]:
    """The concepts with the one that the strange word at `index` is part of, which takes the words of shorter ones."""
    for others in nearest_words(network.words, network.word_offsets, words[index].normal).values():
        for first, end in _around(words, index):
            before, after = (
                " ".join(word.normal for word in part) for part in (words[first:index], words[index + 1 : end])
            )
            names = [f"{before} {other} {after}".strip() for other in others]
            entities = [entity for entity in network.find(names).tolist() if entity >= 0]
            if entities:
                if len(entities) > 1:
                    return list(found)
                start, stop = words[first].start, words[end - 1].end
                kept = [concept for concept in found if concept.end <= start or stop <= concept.start]
                return [*kept, Concept(entities[0], start, stop, misspelt=True)]
    return list(found)


def _joined(words: Sequence[_Word]) -> str:
    return " ".join(word.normal for word in words)


def _around(words: Sequence[_Word], index: int) -> Iterator[tuple[int, int]]:
    """The runs of up to LONGEST_MISSPELT words around a word that can be names, the longest first."""
    for length in range(LONGEST_MISSPELT, 0, -1):
        for first in range(max(index - length + 1, 0), min(index, len(words) - length) + 1):
            if first + length > 1 and words[first].tells and words[first + length - 1].tells:
                yield first, first + length
