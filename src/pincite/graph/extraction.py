"""What does a sentence say of what? Clauses and noun phrases (appositions, possessives, roles, titles) give a subject,
a relation and its arguments, each with its place; predicates have one name ("has been investing in" and "invests in"
are both `invested_in`), and words a kind of thing that they name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from pincite.graph.clauses import Clause, Oblique, Piece, find_clauses, past_tense
from pincite.graph.ontology import Ontology
from pincite.graph.parser import parse
from pincite.graph.trees import (
    Tree,
    head_of,
    is_noun,
    is_verb,
    joined_phrase,
    members,
    noun_phrase,
    preposition_phrase,
    words_of,
)

Words = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """`kind`: the pattern that found it; `anchor`: the verb or noun that states it; `bond`: how the subject was found.
    `relation` has words of the sentence, by place, and words that are merely implied ("is", "has"); `arguments` are the
    object and any complements, at least one."""

    kind: str
    anchor: int
    bond: str
    subject: Words
    relation: tuple[Piece, ...]
    arguments: tuple[Words, ...]


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
    """The predications of the subject, by the kind of clause: the first of these that it has."""
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
