"""A sentence as a tree: each word with its part of speech, the word that it depends on, and how."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from pincite.graph.words import Word

_MARKS_BEFORE = frozenset(",;:-–—)].")
_MARKS_AFTER = frozenset([*",;:-–—([.?!", "--", "..."])


@dataclass(frozen=True, slots=True)
class Tree:
    """The words of a sentence with Penn tags, heads (a root is its own head) and ClearNLP relations to the head."""

    words: Sequence[Word]
    tags: Sequence[str]
    heads: Sequence[int]
    relations: Sequence[str]
    children: tuple[tuple[int, ...], ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        below: list[list[int]] = [[] for _ in self.words]
        for word, head in enumerate(self.heads):
            if head != word:
                below[head].append(word)
        object.__setattr__(self, "children", tuple(map(tuple, below)))

    def dependents(self, head: int, relations: Collection[str]) -> list[int]:
        """The words that depend on `head` by one of these relations, in order."""
        return [word for word in self.children[head] if self.relations[word] in relations]

    def dependent(self, head: int, relations: Collection[str]) -> int | None:
        """The first of them."""
        return next((word for word in self.children[head] if self.relations[word] in relations), None)

    def phrase(self, head: int, without: Collection[str] = (), nowhere: Collection[str] = ()) -> tuple[int, ...]:
        """`head` and the words below it, in order, marks at either end left out.

        Branches by a relation of `without` are left out at `head`, those of `nowhere` below it.
        """
        found = [head]
        pending = [word for word in self.children[head] if self.relations[word] not in without]
        while pending:
            word = pending.pop()
            found.append(word)
            pending.extend(child for child in self.children[word] if self.relations[child] not in nowhere)
        return self._trimmed(sorted(found))

    def lower(self, word: int) -> str:
        """The word in lower case."""
        return self.words[word].text.lower()

    def _trimmed(self, words: list[int]) -> tuple[int, ...]:
        first, last = 0, len(words)
        while first < last - 1 and self.words[words[first]].text in _MARKS_BEFORE:
            first += 1
        while first < last - 1 and self.words[words[last - 1]].text in _MARKS_AFTER:
            last -= 1
        return tuple(words[first:last])
