"""A sentence as a tree: each word with its part of speech, the word that it depends on, and how."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from pincite.graph.words import Word

_OPENING, _CLOSING = frozenset("(["), frozenset(")]")
_MARKS_BEFORE = frozenset(",;:-–—)].")
_MARKS_AFTER = frozenset([*",;:-–—([.?!", "--", "..."])


@dataclass(frozen=True, slots=True)
class Tree:
    """The words of a sentence with Penn tags, heads (a root is its own head) and ClearNLP relations to the head.

    `labels` say what words name: "B-person" opens a name, "I-person" goes on, "O" names nothing.
    """

    words: Sequence[Word]
    tags: Sequence[str]
    heads: Sequence[int]
    relations: Sequence[str]
    labels: Sequence[str] = ()
    children: tuple[tuple[int, ...], ...] = field(init=False, repr=False)
    _has_brackets: bool = field(init=False, repr=False)

    def __post_init__(self) -> None:
        below: list[list[int]] = [[] for _ in self.words]
        for word, head in enumerate(self.heads):
            if head != word:
                below[head].append(word)
        object.__setattr__(self, "children", tuple(map(tuple, below)))
        object.__setattr__(self, "_has_brackets", any(word.text in _OPENING for word in self.words))

    def dependents(self, head: int, relations: Collection[str]) -> list[int]:
        """The words that depend on `head` by one of these relations, in order."""
        return [word for word in self.children[head] if self.relations[word] in relations]

    def dependent(self, head: int, relations: Collection[str]) -> int | None:
        """The first of them."""
        return next((word for word in self.children[head] if self.relations[word] in relations), None)

    def phrase(self, head: int, without: Collection[str] = (), nowhere: Collection[str] = ()) -> tuple[int, ...]:
        """`head` and the words below it, in order, brackets around others and marks at either end left out.

        Branches by a relation of `without` are left out at `head`, those of `nowhere` below it.
        """
        found = [head]
        pending = [word for word in self.children[head] if self.relations[word] not in without]
        while pending:
            word = pending.pop()
            found.append(word)
            pending.extend(child for child in self.children[word] if self.relations[child] not in nowhere)
        return self._trimmed(sorted(found), head)

    def lower(self, word: int) -> str:
        """The word in lower case."""
        return self.words[word].text.lower()

    def _trimmed(self, words: list[int], head: int) -> tuple[int, ...]:
        if self._has_brackets:
            words = self._without_brackets(words, head)
        first, last = 0, len(words)
        while first < last - 1 and self.words[words[first]].text in _MARKS_BEFORE:
            first += 1
        while first < last - 1 and self.words[words[last - 1]].text in _MARKS_AFTER:
            last -= 1
        return tuple(words[first:last])

    def _without_brackets(self, words: list[int], head: int) -> list[int]:
        """The words less what stands in brackets, where the head stands outside of them."""
        depth, outside = 0, list[int]()
        for word in words:
            depth += self.words[word].text in _OPENING
            if depth <= 0:
                outside.append(word)
            depth -= self.words[word].text in _CLOSING and depth > 0
        return outside if head in outside else words
