"""What do words name: a person, an organisation, a place, a group, a work, a date, a quantity?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pincite.graph.parser import parse
from pincite.graph.trees import Tree, words_of

NONE = "O"
_NOT_BEFORE = frozenset(("DT", "POS", "-LRB-", ",", ":"))
_NOT_AFTER = frozenset(("POS", "IN", "DT", "CC", "-RRB-", "-LRB-", ",", ":"))


class NamedSpan(NamedTuple):
    """A name: its kind, and its words `[first, end)` in the sentence."""

    kind: str
    first: int
    end: int


def named_spans(tree: Tree) -> list[NamedSpan]:
    """The names of a sentence, in order. A word that goes on with another kind than the one before opens a name."""
    found: list[NamedSpan] = []
    for word, label in enumerate(tree.labels):
        place, _, kind = label.partition("-")
        if label == NONE:
            continue
        before = found[-1] if found and found[-1].end == word else None
        if place == "I" and before is not None and before.kind == kind:
            found[-1] = NamedSpan(kind, before.first, word + 1)
        else:
            found.append(NamedSpan(kind, word, word + 1))
    return [trimmed for name in found if (trimmed := _trimmed(tree, name)).first < trimmed.end]


def _trimmed(tree: Tree, name: NamedSpan) -> NamedSpan:
    """The name without articles before it, and without "'s", prepositions and marks after it."""
    first, end = name.first, name.end
    while first < end and tree.tags[first] in _NOT_BEFORE:
        first += 1
    while end > first and tree.tags[end - 1] in _NOT_AFTER:
        end -= 1
    return NamedSpan(name.kind, first, end)


class NamedPlace(NamedTuple):
    """A name: its kind, and its `[start, end)` in the sentence."""

    kind: str
    start: int
    end: int


def find_named(sentences: Sequence[str]) -> list[list[NamedPlace]]:
    """The names of each sentence, in order; none of one over 250 words."""
    trees = parse([words_of(sentence) for sentence in sentences])
    return [
        [
            NamedPlace(name.kind, tree.words[name.first].start, tree.words[name.end - 1].end)
            for name in named_spans(tree)
        ]
        for tree in trees
    ]
