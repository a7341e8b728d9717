"""A sentence as a tree: words cut as treebanks cut them, each with its part of speech and the word that it depends
on."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

_CLITIC = r"(?:s|re|ve|ll|d|m)\b"
_TITLES = (
    "Mr Mrs Ms Dr Prof St Sen Rep Gov Gen Col Lt Sgt Capt Rev Hon Jr Sr Inc Corp Co Ltd Bros Cos Jan Feb Mar Apr Jun "
    "Jul Aug Sep Sept Oct Nov Dec No Fig Eq vs etc approx ca al Vol Mt Ft"
).replace(" ", "|")
_WORD = re.compile(
    r"[^\W\d_]+(?=[\s,])"
    r"|-[LR][RSC]B-|``|''"
    r"|(?:[^\W\d_]\.){2,}|(?-i:[A-Z]\.(?=\s+[A-Z]))"
    rf"|\b(?:{_TITLES})\.(?=\s+\S)"
    r"|[^\W\d_]+(?=n['’]t\b)|n['’]t\b"
    rf"|['’]{_CLITIC}"
    r"|\.?\d+(?:[.,:/]\d+)*(?:-?[^\W\d_]+)*"
    rf"|[^\W_]+(?:[-–.&/_][^\W_]+|['’](?!{_CLITIC})[^\W\d_]+)*"
    r"|\.\.+|--+|\S",
    re.IGNORECASE,
)
_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
_PLAIN = _BRACKETS | {"``": '"', "''": '"', "“": '"', "”": '"', "’": "'", "‘": "'", "’s": "'s", "n’t": "n't"}


class Word(NamedTuple):
    """A word as read (quotes and brackets in their plain form) and its `[start, end)` in the sentence."""

    text: str
    start: int
    end: int


def words_of(sentence: str) -> list[Word]:
    """The words and marks of a sentence, in order; all that is not white space is in one of them."""
    return [Word(_PLAIN.get(text := match.group(), text), *match.span()) for match in _WORD.finditer(sentence)]


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


FINITE_AND_OTHER_VERBS = frozenset("VB VBD VBG VBN VBP VBZ MD".split())
_JOINED = frozenset(("cc", "conj", "preconj"))
_ASIDES = frozenset(("relcl", "appos", "advcl"))
_RELATIVE = frozenset(("relcl",))


def is_verb(tree: Tree, word: int) -> bool:
    """Its tag is one of a verb."""
    return tree.tags[word] in FINITE_AND_OTHER_VERBS


def is_noun(tree: Tree, word: int) -> bool:
    """Its tag is one of a common or proper noun."""
    return tree.tags[word].startswith("NN")


def members(tree: Tree, head: int) -> list[int]:
    """The head and what is joined to it: verbs to verbs, and to other words what is no verb."""
    found = [head]
    for joined in tree.dependents(head, ("conj",)):
        if is_verb(tree, head) or not is_verb(tree, joined):
            found.extend(members(tree, joined))
    return found


def noun_phrase(tree: Tree, head: int, without: frozenset[str] = frozenset()) -> tuple[int, ...]:
    """The words of one member: no relative clause, no apposition, nothing that is joined to it."""
    return tree.phrase(head, _ASIDES | _JOINED | {"punct"} | without, _RELATIVE)


def joined_phrase(tree: Tree, head: int) -> tuple[int, ...]:
    """The words of a noun with all that is joined to it, without relative clauses and appositions."""
    return tree.phrase(head, _ASIDES, _RELATIVE)


def preposition_phrase(tree: Tree, preposition: int) -> tuple[int, ...]:
    """A preposition with its noun, without relative clauses."""
    return tree.phrase(preposition, _JOINED, _RELATIVE)


def head_of(tree: Tree, words: Sequence[int]) -> int:
    """The first of the words that depends on none of them."""
    inside = set(words)
    return next((word for word in words if tree.heads[word] == word or tree.heads[word] not in inside), words[0])
