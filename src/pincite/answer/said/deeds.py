"""Who does what to whom: the verbs of a clause with what fills their roles, passives turned round, all words in
their base form."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pincite.graph.clauses import Clause, base_of, find_clauses
from pincite.graph.trees import Tree, is_noun, members, noun_phrase
from pincite.structure.numbering import NUMBER_WORDS
from pincite.text.tokens import tokenise

_DIGITS = {word: str(number) for word, number in NUMBER_WORDS.items() if number > 1}
_NUMBER = re.compile(rf"\b(?:{'|'.join(_DIGITS)})\b(?!-)", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")


def base_tokens(text: str, language: str | None) -> list[str]:
    """The tokens of a text whose verbs and small numbers have one form: "sold" is "sell", and "two" is "2"."""
    return tokenise(_WORD.sub(lambda match: base_of(match.group().lower()), with_digits(text)), language)


def with_digits(text: str) -> str:
    """A text with the small numbers in it as digits; "one" is left, which is a pronoun too."""
    return _NUMBER.sub(lambda match: _DIGITS[match.group().lower()], text)


_TOWARDS = frozenset(("to", "than", "from"))
_FINITE = frozenset(("VBD", "VBZ", "VBP"))
_PRONOUNS = frozenset(("PRP", "WP", "WDT", "EX", "DT"))


@dataclass(frozen=True, slots=True)
class Filler:
    """What fills a role: the word that names it, as a token and as written, and the tokens of all its words."""

    head: str
    written: str
    words: frozenset[str]
    is_proper: bool = False


@dataclass(frozen=True, slots=True)
class Deed:
    """A verb, or what is said of a subject with "is", as a token and as written, with the fillers of its roles; a role
    that a pronoun fills, or nothing, is open."""

    verb: str
    written: str
    roles: Mapping[str, tuple[Filler, ...]]


def deeds_of(tree: Tree, verb: int | None) -> tuple[Deed, ...]:
    """The deeds of a piece of a sentence; where the parser sees no clause around its verb, by the order of words."""
    found = tuple(_of_clause(tree, clause) for clause in find_clauses(tree))
    if found or verb is None or tree.tags[verb] not in _FINITE:
        return found
    before = [word for word in range(verb) if is_noun(tree, word)][-1:]
    return (_deed(tree, verb, {"subject": before, "object": _right_behind(tree, verb)}),)


def continued(tree: Tree, own: tuple[Deed, ...], before: tuple[Deed, ...]) -> tuple[Deed, ...]:
    """What may be done in a piece without a subject, behind others: whoever acted before may act in it; where it has no
    verb either, its words may be in any role of the verb before."""
    if not before:
        return ()
    if not own:
        here = _whole(tree)
        roles = {role: (*before[-1].roles.get(role, ()), *here) for role in ("subject", "object", "dative")}
        return (replace(before[-1], roles=roles if here else {}),)
    subjects = tuple(filler for deed in before for filler in deed.roles.get("subject", ()))
    return tuple(replace(deed, roles={"subject": subjects, **deed.roles}) if subjects else deed for deed in own)


def _whole(tree: Tree) -> tuple[Filler, ...]:
    """All of a piece as one filler."""
    words = base_tokens(" ".join(word.text for word in tree.words), "en")
    return (Filler(words[0], tree.words[0].text, frozenset(words)),) if words else ()


def _right_behind(tree: Tree, verb: int) -> list[int]:
    """The last of the nouns that stand behind a verb with no preposition between."""
    noun: list[int] = []
    for word in range(verb + 1, len(tree.words)):
        if is_noun(tree, word):
            noun = [word]
        elif tree.tags[word] not in ("DT", "JJ", "CD", "PRP$", "POS"):
            break
    return noun


def _of_clause(tree: Tree, clause: Clause) -> Deed:
    auxiliary = tree.dependent(clause.last, ("auxpass",))
    is_passive = auxiliary is not None or (clause.subject.bond == "acl" and tree.tags[clause.verb] == "VBN")
    roles = _core(clause, is_passive=is_passive)
    for oblique in clause.obliques:
        name = tree.lower(oblique.preposition)
        if oblique.preposition == oblique.noun or name == "to":
            roles.setdefault("dative", []).append(oblique.noun)
        elif is_passive and name == "by":
            roles["subject"] = [oblique.noun]
        elif name in _TOWARDS:
            roles.setdefault(name, []).append(oblique.noun)
    said = next(iter(() if clause.objects else (*clause.adjectives, *clause.attributes)), None)
    if said is None:
        return _deed(tree, clause.last, roles)
    for preposition in tree.dependents(said, ("prep",)):
        noun = tree.dependent(preposition, ("pobj",))
        if noun is not None and tree.lower(preposition) in _TOWARDS:
            roles.setdefault(tree.lower(preposition), []).append(noun)
    return _deed(tree, said, roles)


def _core(clause: Clause, *, is_passive: bool) -> dict[str, list[int]]:
    """Subject and objects of a clause as if it were active: of two objects the first is whom something is given."""
    subject, objects = clause.subject.head, list(clause.objects)
    if is_passive:
        return {"dative": [subject], "object": objects} if objects else {"object": [subject]}
    return {"subject": [subject], "object": objects[-1:]} | ({"dative": objects[:1]} if len(objects) > 1 else {})


def _deed(tree: Tree, verb: int, roles: Mapping[str, Sequence[int]]) -> Deed:
    filled = {role: _fillers(tree, heads) for role, heads in roles.items()}
    token = "".join(base_tokens(tree.lower(verb), "en"))
    return Deed(token, tree.lower(verb), {role: found for role, found in filled.items() if found})


def _fillers(tree: Tree, heads: Sequence[int]) -> tuple[Filler, ...]:
    """The members of what fills a role; none where one of them is a pronoun."""
    everyone = [member for head in heads for member in members(tree, head)]
    if any(tree.tags[word] in _PRONOUNS for word in everyone):
        return ()
    return tuple(filler for word in everyone if (filler := _filler(tree, word)) is not None)


def _filler(tree: Tree, word: int) -> Filler | None:
    written = tree.words[word].text
    phrase = " ".join(tree.words[part].text for part in noun_phrase(tree, word))
    head = base_tokens(written, "en")
    is_proper = tree.tags[word].startswith("NNP")
    return Filler(head[0], written, frozenset(base_tokens(phrase, "en")), is_proper) if head else None
