"""The words that belong to a noun, and the nouns that are joined to it by "and", "or" or a comma."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.graph.trees import Tree

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
