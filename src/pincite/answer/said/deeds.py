"""Who does what to whom: the verbs of a clause with what fills their roles, passive turned round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pincite.answer.words.forms import base_tokens
from pincite.graph.clauses import Clause, find_clauses
from pincite.graph.phrases import is_noun, members, noun_phrase
from pincite.graph.trees import Tree

_TOWARDS = frozenset(("to", "than", "from"))
_FINITE = frozenset(("VBD", "VBZ", "VBP"))
_PRONOUNS = frozenset(("PRP", "WP", "WDT", "EX", "DT"))


@dataclass(frozen=True, slots=True)
class Filler:
    """What fills a role: its words, and the one that names it."""

    head: str
    words: frozenset[str]
    is_proper: bool


@dataclass(frozen=True, slots=True)
class Deed:
    """A verb, or what is said of a subject with "is", with the fillers of its roles; a role that a pronoun fills,
    or nothing, is open."""

    verb: str
    roles: Mapping[str, tuple[Filler, ...]]


def deeds_of(tree: Tree, verb: int | None) -> tuple[Deed, ...]:
    """The deeds of a piece of a sentence; where the parser sees no clause around its verb, by the order of words."""
    found = tuple(_deed(tree, clause) for clause in find_clauses(tree))
    if found or verb is None or tree.tags[verb] not in _FINITE:
        return found
    before = [word for word in range(verb) if is_noun(tree, word)][-1:]
    roles = {"subject": _fillers(tree, before), "object": _fillers(tree, _right_behind(tree, verb))}
    return (Deed(_verb(tree, verb), {role: fillers for role, fillers in roles.items() if fillers}),)


def continued(tree: Tree, own: tuple[Deed, ...], before: tuple[Deed, ...]) -> tuple[Deed, ...]:
    """What may be done in a piece without a subject, behind others: whoever acted before may act in it; where it has no
    verb either, its words may be in any role of the verb before."""
    if not before:
        return ()
    if not own:
        here = _whole(tree)
        roles = {role: (*before[-1].roles.get(role, ()), *here) for role in ("subject", "object", "dative")}
        return (Deed(before[-1].verb, roles if here else {}),)
    subjects = tuple(filler for deed in before for filler in deed.roles.get("subject", ()))
    return tuple(Deed(deed.verb, {"subject": subjects, **deed.roles} if subjects else deed.roles) for deed in own)


def _whole(tree: Tree) -> tuple[Filler, ...]:
    """All of a piece as one filler."""
    words = base_tokens(" ".join(word.text for word in tree.words), "en")
    return (Filler(words[0], frozenset(words), is_proper=False),) if words else ()


def _right_behind(tree: Tree, verb: int) -> list[int]:
    """The last of the nouns that stand behind a verb with no preposition between."""
    noun: list[int] = []
    for word in range(verb + 1, len(tree.words)):
        if is_noun(tree, word):
            noun = [word]
        elif tree.tags[word] not in ("DT", "JJ", "CD", "PRP$", "POS"):
            break
    return noun


def _deed(tree: Tree, clause: Clause) -> Deed:
    subject, objects = clause.subject.head, list(clause.objects)
    roles: dict[str, list[int]] = {}
    is_passive = tree.dependent(clause.last, ("auxpass",)) is not None or (
        clause.subject.bond == "acl" and tree.tags[clause.verb] == "VBN"
    )
    if is_passive:
        roles["dative" if objects else "object"] = [subject]
        if objects:
            roles["object"] = objects
    else:
        roles = {"subject": [subject], "object": objects[-1:]}
        if len(objects) > 1:
            roles["dative"] = objects[:1]
    for oblique in clause.obliques:
        name = tree.lower(oblique.preposition)
        if oblique.preposition == oblique.noun or name == "to":
            roles.setdefault("dative", []).append(oblique.noun)
        elif is_passive and name == "by":
            roles["subject"] = [oblique.noun]
        elif name in _TOWARDS:
            roles.setdefault(name, []).append(oblique.noun)
    said = next(iter(() if objects else (*clause.adjectives, *clause.attributes)), None)
    if said is not None:
        for preposition in tree.dependents(said, ("prep",)):
            noun = tree.dependent(preposition, ("pobj",))
            if noun is not None and tree.lower(preposition) in _TOWARDS:
                roles.setdefault(tree.lower(preposition), []).append(noun)
    filled = {role: _fillers(tree, heads) for role, heads in roles.items()}
    return Deed(
        _verb(tree, clause.last if said is None else said), {role: found for role, found in filled.items() if found}
    )


def _verb(tree: Tree, word: int) -> str:
    return "".join(base_tokens(tree.lower(word), "en"))


def _fillers(tree: Tree, heads: Sequence[int]) -> tuple[Filler, ...]:
    """The members of what fills a role; none where one of them is a pronoun."""
    everyone = [member for head in heads for member in members(tree, head)]
    if any(tree.tags[word] in _PRONOUNS for word in everyone):
        return ()
    return tuple(filler for word in everyone if (filler := _filler(tree, word)) is not None)


def _filler(tree: Tree, word: int) -> Filler | None:
    phrase = " ".join(tree.words[part].text for part in noun_phrase(tree, word))
    head = base_tokens(tree.words[word].text, "en")
    if not head:
        return None
    return Filler(head[0], frozenset(base_tokens(phrase, "en")), tree.tags[word].startswith("NNP"))
