"""What does a sentence say of what? From each clause and noun phrase: a subject, a relation and its arguments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from pincite.graph.clauses import Clause, Oblique, Piece, find_clauses
from pincite.graph.nominals import find_nominals, find_roles
from pincite.graph.phrases import is_verb, joined_phrase, members, noun_phrase, preposition_phrase
from pincite.graph.statement import Statement, Words
from pincite.graph.trees import Tree

MOST_STATEMENTS = 200
_DESCRIBING = frozenset(("acl",))


def find_statements(tree: Tree) -> list[Statement]:
    """The statements of a sentence: of its clauses, then of its noun phrases; the first 200 of either."""
    spoken = (statement for clause in find_clauses(tree) for statement in _of_clause(tree, clause))
    return [*islice(spoken, MOST_STATEMENTS), *islice(find_nominals(tree), MOST_STATEMENTS)]


def _of_clause(tree: Tree, clause: Clause) -> Iterator[Statement]:
    subjects = _subjects(tree, clause)
    for kind, relation, arguments in _predications(tree, clause):
        for subject in subjects:
            if not set(subject) & set(arguments[0]):
                yield Statement(kind, clause.verb, clause.subject.bond, subject, relation, tuple(arguments))
    for attribute in clause.attributes:
        yield from _roles(tree, clause, attribute, subjects)


def _roles(tree: Tree, clause: Clause, attribute: int, subjects: Sequence[Words]) -> Iterator[Statement]:
    """ "Ann is the founder of X" and "X's founder is Ann" say the same."""
    subject = clause.subject.head
    if tree.tags[attribute] == "NNP" and tree.tags[subject] in ("NN", "NNS"):
        for member in members(tree, attribute):
            yield from find_roles(tree, subject, noun_phrase(tree, member))
    else:
        for words in subjects:
            yield from find_roles(tree, attribute, words)


def _subjects(tree: Tree, clause: Clause) -> list[Words]:
    """The members of the subject; where the verb describes it ("a film directed by"), the words before that."""
    head = clause.subject.head
    joined = members(tree, head)
    phrases = [noun_phrase(tree, member) for member in joined] if len(joined) > 1 else [joined_phrase(tree, head)]
    if any(clause.verb in words for words in phrases):
        return [noun_phrase(tree, member, _DESCRIBING) for member in joined]
    return phrases


Predication = tuple[str, tuple[Piece, ...], list[Words]]


def _predications(tree: Tree, clause: Clause) -> Iterator[Predication]:
    """What is said of the subject, by the kind of clause: the first of these that it has."""
    adverbials = [tree.phrase(word) for word in clause.adverbials]
    around = [*(preposition_phrase(tree, oblique.preposition) for oblique in clause.obliques), *adverbials]
    if clause.objects:
        yield from _with_core(tree, clause, "object", clause.objects, [*_purposes(tree, clause), *around])
    elif clause.attributes:
        yield from _with_core(tree, clause, "attribute", clause.attributes, around)
    elif clause.adjectives:
        yield from _with_core(tree, clause, "adjective", clause.adjectives, around)
    elif clause.contents:
        yield "content", clause.relation, [tree.phrase(clause.contents[0]), *around]
    elif clause.obliques:
        yield from _with_obliques(tree, clause, adverbials)
    elif adverbials:
        yield "adverbial", clause.relation, adverbials
    elif clause.circumstances:
        yield "circumstance", clause.relation, [tree.phrase(clause.circumstances[0])]


def _with_core(
    tree: Tree, clause: Clause, kind: str, core: Sequence[int], around: list[Words]
) -> Iterator[Predication]:
    for head in core:
        if head == tree.heads[clause.verb]:
            yield kind, clause.relation, [noun_phrase(tree, head), *around]
        else:
            for member in members(tree, head):
                yield kind, clause.relation, [noun_phrase(tree, member), *around]


def _with_obliques(tree: Tree, clause: Clause, adverbials: list[Words]) -> Iterator[Predication]:
    """ "was born in", with the other phrases as further arguments; the first preposition is the surest."""
    for number, oblique in enumerate(clause.obliques):
        others = [preposition_phrase(tree, other.preposition) for other in clause.obliques if other is not oblique]
        for noun in _nouns(tree, oblique):
            kind = "oblique" if number == 0 else "further oblique"
            yield kind, (*clause.relation, *oblique.words), [noun, *others, *adverbials]


def _nouns(tree: Tree, oblique: Oblique) -> list[Words]:
    return [
        tree.phrase(member) if is_verb(tree, member) else noun_phrase(tree, member)
        for member in members(tree, oblique.noun)
    ]


def _purposes(tree: Tree, clause: Clause) -> list[Words]:
    """ "to travel to Japan" of "enlists his friends to travel to Japan"."""
    return [
        tree.phrase(word)
        for word in tree.dependents(clause.last, ("xcomp",))
        if word > clause.last and is_verb(tree, word)
    ]
