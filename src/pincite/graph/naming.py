"""One name for a predicate: "has been investing in" and "invests in" are both `invested_in`."""

from __future__ import annotations

import re

from pincite.graph.clauses import Piece
from pincite.graph.ontology import Ontology
from pincite.graph.phrases import is_verb
from pincite.graph.statement import Statement, Words
from pincite.graph.trees import Tree
from pincite.graph.verbs import past_tense

_BE = frozenset("be is are am was were been being 's 're 'm".split())
_HAVE = frozenset(("has", "have", "had"))
_SILENT = frozenset(("aux", "auxpass", "advmod", "det", "punct", "poss"))
_NO_LETTER = re.compile(r"[^\w]+")


def predicate_name(tree: Tree, statement: Statement, ontology: Ontology) -> str:
    """The name by the ontology: verbs in the past tense, passives as participle, with particle and preposition."""
    parts = [part for piece in statement.relation if (part := _part(tree, statement, piece))]
    if parts[0] == "is" and len(parts) > 1:
        parts = parts[1:]
    return ontology.name(_NO_LETTER.sub("_", "_".join(parts)).strip("_"), _head(tree, statement.arguments[0]))


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
    if tree.tags[verb] == "VBN" and _is_passive(tree, statement, verb):
        return word
    follows_to = verb != statement.anchor and tree.tags[verb] == "VB"
    return word if follows_to else past_tense(word, tree.tags[verb])


def _is_passive(tree: Tree, statement: Statement, verb: int) -> bool:
    borrowed = isinstance(statement.relation[0], str)
    auxiliaries = [piece for piece in statement.relation if isinstance(piece, int)]
    return borrowed or any(tree.relations[piece] == "auxpass" and piece < verb for piece in auxiliaries)


def _head(tree: Tree, words: Words) -> str:
    """The word on which the others of a phrase depend, in lower case."""
    return next((tree.lower(word) for word in words if tree.heads[word] not in words or tree.heads[word] == word), "")
