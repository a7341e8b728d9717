"""What do noun phrases say by themselves? Appositions, possessives, roles, titles and what prepositions link."""

from __future__ import annotations

from collections.abc import Iterator

from pincite.graph.clauses import Piece
from pincite.graph.phrases import is_noun, joined_phrase, members, noun_phrase
from pincite.graph.statement import Statement, Words
from pincite.graph.trees import Tree

_TITLES = frozenset(
    "president secretary chairman minister king queen senator director judge general governor professor chief prince "
    "princess emperor pope bishop mayor captain colonel".split()
)
_COUNTED = ("-date", "-quantity")
_PREPOSITIONS = frozenset(("prep",))
_BARE = frozenset(("prep", "det", "poss", "acl"))


def find_nominals(tree: Tree) -> Iterator[Statement]:
    """The statements of noun phrases, in order of the word that gives rise to each."""
    for word, relation in enumerate(tree.relations):
        head = tree.heads[word]
        if head == word or not is_noun(tree, head):
            continue
        if relation == "appos" and is_noun(tree, word):
            yield from _apposition(tree, word, head)
        elif relation == "poss":
            yield _possessive(tree, word, head)
        elif relation == "prep":
            yield from _link(tree, word, head)
        elif relation == "compound" and tree.lower(word) in _TITLES and tree.tags[head] == "NNP":
            name = tuple(place for place in noun_phrase(tree, head, _PREPOSITIONS) if place != word)
            yield Statement("title", word, "own", name, ("is",), ((word,),))


def find_roles(tree: Tree, noun: int, holder: Words) -> Iterator[Statement]:
    """ "co-founder of Tesla" or "Tesla's co-founder", said of `holder`: what the holder is, and of whom."""
    role = noun_phrase(tree, noun, _BARE)
    for word in tree.dependents(noun, ("poss",)):
        if is_noun(tree, word):
            yield Statement("role", noun, "own", holder, ("is", *role, "of"), (tree.phrase(word, ("case",)),))
    for preposition in tree.dependents(noun, ("prep",)):
        owner = tree.dependent(preposition, ("pobj",))
        if owner is not None and tree.lower(preposition) == "of":
            for member in members(tree, owner):
                relation: tuple[Piece, ...] = ("is", *role, preposition)
                yield Statement("role", noun, "own", holder, relation, (noun_phrase(tree, member),))


def _apposition(tree: Tree, word: int, head: int) -> Iterator[Statement]:
    """ "Orkem, the chemical group" says what Orkem is; in "the founder, Ann Lee" the name holds the role.

    One place after another says where the first is ("Brooks, Alberta"); a date or a quantity says what nothing is.
    """
    if tree.labels[word].endswith(_COUNTED) or tree.labels[head].endswith(_COUNTED):
        return
    if tree.labels[word].endswith("-place") and tree.labels[head].endswith("-place") and word > head:
        yield Statement("location", word, "own", noun_phrase(tree, head), ("is", "in"), (noun_phrase(tree, word),))
        return
    named_last = tree.tags[word] == "NNP" and not tree.tags[head].startswith("NNP")
    holder, role = (word, head) if named_last else (head, word)
    yield Statement("apposition", word, "own", noun_phrase(tree, head), (_is(tree, word),), (noun_phrase(tree, word),))
    yield from find_roles(tree, role, noun_phrase(tree, holder))


def _possessive(tree: Tree, word: int, head: int) -> Statement:
    """ "the company's directors" says that the company has directors."""
    thing = tuple(place for place in noun_phrase(tree, head, frozenset(("poss",))) if place != word)
    kind = "possessive pronoun" if tree.tags[word] == "PRP$" else "possessive"
    return Statement(kind, word, "own", tree.phrase(word, ("case",)), (_has(tree, word),), (thing,))


def _link(tree: Tree, word: int, head: int) -> Iterator[Statement]:
    """ "the explosion at Aberdare" says that the explosion is at Aberdare."""
    noun = tree.dependent(word, ("pobj",))
    if noun is not None and is_noun(tree, noun):
        kind = "of" if tree.lower(word) == "of" else "link"
        subject = noun_phrase(tree, head, _PREPOSITIONS)
        yield Statement(kind, word, "own", subject, (_is(tree, head), word), (joined_phrase(tree, noun),))


def _is(tree: Tree, word: int) -> str:
    plural = tree.tags[word] in ("NNS", "NNPS")
    return ("were" if "VBD" in tree.tags else "are") if plural else "is"


def _has(tree: Tree, word: int) -> str:
    if "VBD" in tree.tags:
        return "had"
    return "have" if tree.tags[word] in ("NNS", "NNPS") else "has"
