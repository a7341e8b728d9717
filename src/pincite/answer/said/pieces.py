"""A sentence in the pieces that each say one thing, with the words that each has of its own and shares with another."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pincite.answer.said.deeds import Deed, deeds_of
from pincite.answer.words.amounts import amounts_in
from pincite.answer.words.forms import base_tokens, with_digits
from pincite.answer.words.lexicon import lexicon
from pincite.answer.words.vocabulary import LIGHT_WORDS, MODALS, TEMPLATE_WORDS
from pincite.graph.parser import parse
from pincite.graph.phrases import is_verb
from pincite.graph.trees import Tree
from pincite.graph.words import words_of
from pincite.text.tokens import tokenise

_CUT = re.compile(
    r"[,;:]\s+(?:(?:and|but|or|nor|yet)\s)?|\s(?:and|but|or|nor|yet)\s"
    r"|\s(?=(?:if|unless|when|because|although|while|whereas|which|who|whose|where)\s)",
    re.IGNORECASE,
)
_DEPENDENT = re.compile(r"(?:only\s)?(?:if|unless)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_SUBJECTS = frozenset(("nsubj", "nsubjpass", "csubj"))
_YEAR = re.compile(r"(?:1\d|20)\d\d")

Number = tuple[str, str]
"""A number in digits, and what kind it is of: its unit, its currency, a year."""


@dataclass(frozen=True, slots=True)
class Piece:
    """What a piece of a sentence says: its content words with what it takes over from the piece before, its numbers,
    the words that turn or narrow it, and who does what in it."""

    words: frozenset[str]
    taken_over: frozenset[str]
    numbers: frozenset[Number]
    operators: frozenset[str]
    deeds: tuple[Deed, ...]

    @property
    def all_words(self) -> frozenset[str]:
        """Its own words, and those that it takes over."""
        return self.words | self.taken_over


def pieces_of(sentence: str, language: str | None) -> list[Piece]:
    """The pieces of a sentence in order; one that leaves out its subject or its verb takes them over."""
    trees = _trees(sentence)
    found: list[Piece] = []
    for tree in trees:
        found.append(_piece(tree, found[-1] if found else None, trees[len(found) - 1] if found else None, language))
    return list(_with_conditions(found, trees))


def _text(tree: Tree, words: Sequence[int] | None = None) -> str:
    return " ".join(tree.words[word].text for word in (range(len(tree.words)) if words is None else words))


def _trees(sentence: str) -> list[Tree]:
    """The pieces, parsed: cut where words join clauses, what says nothing by itself put to its neighbour."""
    folded = with_digits(unicodedata.normalize("NFKC", sentence))
    places = [0, *(match.start() for match in _CUT.finditer(folded)), len(folded)]
    parts = [folded[start:end] for start, end in zip(places, places[1:], strict=False)]
    kept: list[str] = []
    waiting = ""
    seen_verb = False
    for part, tree in zip(parts, parse([words_of(_bare(part)) for part in parts]), strict=True):
        has_verb = _verb(tree) is not None
        if has_verb or (seen_verb and (any(map(str.isdigit, part)) or operators_in(part))):
            kept.append(waiting + part)
            waiting, seen_verb = "", seen_verb or has_verb
        elif seen_verb:
            kept[-1] += part
        else:
            waiting += part
    if waiting:
        kept.append(waiting)
    return parse([words_of(_bare(part)) for part in kept])


def _bare(part: str) -> str:
    """A piece as a sentence of its own, for the parser."""
    without = re.sub(r"^[\s,;:]*(?:(?:and|but|or|nor|yet)\s+)?", "", part).rstrip(" .;:,")
    return f"{without}." if without else "."


def _verb(tree: Tree) -> int | None:
    """The first verb that may head a clause."""
    none = ("amod", "compound", "aux", "auxpass")
    return next((w for w in range(len(tree.words)) if is_verb(tree, w) and tree.relations[w] not in none), None)


def _piece(tree: Tree, before: Piece | None, tree_before: Tree | None, language: str | None) -> Piece:
    text, verb = _text(tree), _verb(tree)
    taken, operators = frozenset[str](), operators_in(text)
    lead: str | None = None
    if before is not None and tree_before is not None:
        verb_before = _verb(tree_before)
        has_subject = any(relation in _SUBJECTS for relation in tree.relations)
        if verb is None and verb_before is not None:
            lead = _text(tree_before, range(verb_before + 1))
        elif verb is not None and not has_subject:
            lead = _text(tree_before, range(verb_before or 0))
        if lead is not None:
            taken = content_words(lead, language) | (before.taken_over if verb_before in (None, 0) else frozenset())
            operators |= operators_in(lead) if verb is None or tree.tags[verb] == "VB" else frozenset()
    deeds = tuple(deeds_of(tree, before.deeds if before and lead is not None else ()))
    return Piece(content_words(text, language), taken, frozenset(_numbers(text)), operators, deeds)


def _with_conditions(pieces: Sequence[Piece], trees: Sequence[Tree]) -> Iterator[Piece]:
    """The pieces, each narrowed by the condition behind it, the first by one in front of it too."""
    conditions = [
        piece.operators & _CONDITIONS if _DEPENDENT.match(_text(tree)) else frozenset[str]()
        for piece, tree in zip(pieces, trees, strict=True)
    ]
    for place, piece in enumerate(pieces):
        near = conditions[place + 1] if place + 1 < len(pieces) else frozenset[str]()
        if place == 1:
            near |= conditions[0]
        yield Piece(piece.words, piece.taken_over, piece.numbers, piece.operators | near, piece.deeds)


_CONDITIONS = frozenset(("unless", "if"))


def _numbers(text: str) -> Iterator[Number]:
    for amount in amounts_in(text):
        is_year = not amount.unit and not amount.currency and _YEAR.fullmatch(amount.number)
        yield amount.number, "year" if is_year else amount.unit or amount.currency


def operators_in(text: str) -> frozenset[str]:
    """The words of a text that turn or narrow it, each as the first of its group; modal verbs as they are."""
    known = _operators()
    words = (word.casefold() for word in _WORD.findall(text))
    return frozenset(name for word in words for name in known.get(word, ()))


@lru_cache(maxsize=1)
def _operators() -> dict[str, tuple[str, ...]]:
    groups = [group.split() for group in lexicon("models")["operators"]["groups"]]
    return {word: (group[0],) for group in groups for word in group} | {
        **{modal: (modal,) for modal in MODALS},
        "cannot": ("not", "can"),
    }


def content_words(text: str, language: str | None) -> frozenset[str]:
    """The words that say what a text is about: neither numbers nor units, nor what turns or narrows it; verbs by their
    base."""
    free, units = _free(language), {token for amount in amounts_in(text) for token in tokenise(amount.unit, language)}
    words = [word for word in _WORD.findall(text.casefold()) if word not in _operators()]
    tokens = base_tokens(" ".join(words), language)
    return frozenset(token for token in tokens if token not in free and token not in units)


@lru_cache(maxsize=32)
def _free(language: str | None) -> frozenset[str]:
    return frozenset(tokenise(" ".join(TEMPLATE_WORDS | LIGHT_WORDS), language)) | {"a", "an", "s"}
