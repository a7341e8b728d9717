"""One name for a predicate ("has been investing in" and "invests in" are both `invested_in`), and what kind of
thing words name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from pincite.graph.clauses import Piece
from pincite.graph.extraction import Statement
from pincite.graph.ontology import Ontology
from pincite.graph.parser import parse
from pincite.graph.trees import Tree, head_of, is_verb, words_of
from pincite.graph.verbs import past_tense

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


_BE = frozenset("be is are am was were been being 's 're 'm".split())
_HAVE = frozenset(("has", "have", "had"))
_PERFECT = frozenset(("have", "has", "had", "having", "'ve"))
_SILENT = frozenset(("aux", "auxpass", "advmod", "det", "punct", "poss"))
_ARTICLES = frozenset(("a", "an", "the"))
_THIRD_PERSON = re.compile(r"[^s]s$")
_NO_LETTER = re.compile(r"[^\w]+")


def predicate_name(tree: Tree, statement: Statement, ontology: Ontology) -> str:
    """The name by the ontology: verbs in the past tense, passives as participle, with particle and preposition; empty
    where no word of the relation says anything."""
    parts = [part for piece in statement.relation if (part := _part(tree, statement, piece))]
    if statement.kind == "location":
        return ontology.name("located_in")
    if parts[:1] == ["is"] and parts[1:] not in ([], ["not"]):
        parts = parts[1:]
    return ontology.name(
        _NO_LETTER.sub("_", "_".join(parts)).strip("_"), tree.lower(head_of(tree, statement.arguments[0]))
    )


def written_name(predicate: str, ontology: Ontology) -> str:
    """The name of a predicate of which only the words are known ("is the founder of", "invests in")."""
    words = [word for word in re.findall(r"[^\W_]+", predicate.lower()) if word not in _ARTICLES]
    opening = 0
    while opening < len(words) - 1 and words[opening] in (_BE | _PERFECT):
        opening += 1
    bare = words[opening:]
    if bare and not opening:
        bare[0] = "is" if bare[0] in _BE else past_tense(bare[0], "VBZ" if _THIRD_PERSON.search(bare[0]) else "VBD")
    return ontology.name("_".join(bare))


def _part(tree: Tree, statement: Statement, piece: Piece) -> str:
    if isinstance(piece, str):
        return "is" if piece in _BE else "has" if piece in _HAVE else piece
    word = tree.lower(piece)
    relation = tree.relations[piece]
    if relation == "neg":
        return "not"
    if relation in _SILENT:
        return "to" if tree.tags[piece] == "TO" and piece > statement.anchor else ""
    if not is_verb(tree, piece):
        return word
    return _verb(tree, statement, piece, word)


def _verb(tree: Tree, statement: Statement, verb: int, word: str) -> str:
    if word in _BE:
        return "is"
    if tree.tags[verb] == "VBN" and _is_passive(tree, statement):
        return word
    follows_to = verb != statement.anchor and tree.tags[verb] == "VB"
    return word if follows_to else past_tense(word, tree.tags[verb])


def _is_passive(tree: Tree, statement: Statement) -> bool:
    """No form of "have" goes before the participle, or "been" does."""
    before = {tree.lower(piece) for piece in statement.relation if isinstance(piece, int) and piece < statement.anchor}
    return "been" in before or not before & _PERFECT
