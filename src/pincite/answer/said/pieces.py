"""A sentence in the pieces that each say one thing, with the words that each has of its own and shares with another."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from pincite.answer.said.deeds import Deed, base_tokens, continued, deeds_of, with_digits
from pincite.answer.words.amounts import CONDITIONS, amounts_in, operators, operators_in
from pincite.answer.words.vocabulary import LIGHT_WORDS, MONTHS, TEMPLATE_WORDS
from pincite.graph.parser import parse
from pincite.graph.trees import Tree, is_verb, words_of
from pincite.text.tokens import tokenise

_CUT = re.compile(
    r"[,;:]\s+(?:(?:and|but|or|nor|yet)\s)?|\s(?:and|but|or|nor|yet)\s"
    r"|\s(?=(?:if|unless|when|because|although|while|whereas)\s)",
    re.IGNORECASE,
)
_JOINED = re.compile(r"^[\s,;:]*(?:and|but|or|nor|yet)\s+", re.IGNORECASE)
_DEPENDENT = re.compile(r"(?:only\s)?(?:if|unless)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_SUBJECTS = frozenset(("nsubj", "nsubjpass", "csubj"))
_YEAR = re.compile(r"(?:1\d|20)\d\d")
_MONTH = re.compile(rf"\b(?:{'|'.join(name.capitalize() for name in MONTHS[0])})\b")

Number = tuple[str, str]
"""A number in digits or the name of a month, and what kind it is of: a year, a month, money, a share, or any other."""


@dataclass(frozen=True, slots=True)
class Piece:
    """What a piece of a sentence says: its content words with what it takes over from the piece before, its numbers,
    the words that turn or narrow it, who does what in it, and who may do what where that is left out."""

    words: frozenset[str]
    taken_over: frozenset[str]
    numbers: frozenset[Number]
    operators: frozenset[str]
    deeds: tuple[Deed, ...] = ()
    possible: tuple[Deed, ...] = ()

    @property
    def all_words(self) -> frozenset[str]:
        """Its own words, and those that it takes over."""
        return self.words | self.taken_over


@lru_cache(maxsize=512)
def pieces_of(sentence: str, language: str | None) -> tuple[Piece, ...]:
    """The pieces of a sentence in order; one that leaves out its subject or its verb takes them over, and a condition
    narrows the piece that it belongs to."""
    parts = _parts(with_digits(unicodedata.normalize("NFKC", sentence)), language)
    trees = parse([words_of(_bare(part)) for part in parts])
    found: list[Piece] = []
    for tree, before in zip(trees, [None, *trees], strict=False):
        found.append(_piece(tree, found[-1] if found else None, before, language))
    for place, part in enumerate(parts):
        main = place + 1 if place == 0 or _JOINED.match(part) else place - 1
        if _DEPENDENT.match(_bare(part)) and main < len(found):
            conditions = found[place].operators & CONDITIONS
            found[main] = replace(found[main], operators=found[main].operators | conditions)
    return tuple(found)


def _text(tree: Tree, words: Sequence[int] | None = None) -> str:
    return " ".join(tree.words[word].text for word in (range(len(tree.words)) if words is None else words))


def _parts(sentence: str, language: str | None) -> list[str]:
    """The pieces as written: cut where words join clauses; what says nothing by itself stays with its neighbour."""
    places = [0, *(match.start() for match in _CUT.finditer(sentence)), len(sentence)]
    parts = [sentence[start:end] for start, end in pairwise(places)]
    verbs = [_verb(tree) is not None for tree in parse([words_of(_bare(part)) for part in parts])]
    kept: list[str] = []
    waiting, is_told = "", not any(verbs)
    for part, has_verb in zip(parts, verbs, strict=True):
        says_something = any(_numbers(part)) or operators_in(part)
        if has_verb or (is_told and says_something and content_words(part, language)):
            kept.append(waiting + part)
            waiting, is_told = "", True
        elif kept and not waiting and not says_something:
            kept[-1] += part
        else:
            waiting += part
    if waiting:
        kept[-1:] = ["".join([*kept[-1:], waiting])]
    return kept


def _bare(part: str) -> str:
    """A piece as a sentence of its own, for the parser."""
    without = _JOINED.sub("", part, count=1).strip(" .;:,")
    return f"{without}." if without else "."


def _verb(tree: Tree) -> int | None:
    """The first verb that may head a clause; a finite one always does, however the parser takes it."""
    none = ("amod", "compound", "aux", "auxpass")
    found = (word for word in range(len(tree.words)) if is_verb(tree, word) and tree.tags[word] != "MD")
    return next((word for word in found if tree.tags[word] == "VBZ" or tree.relations[word] not in none), None)


def _piece(tree: Tree, before: Piece | None, tree_before: Tree | None, language: str | None) -> Piece:
    text, verb = _text(tree), _verb(tree)
    deeds = deeds_of(tree, verb) if language in (None, "en") else ()
    own = Piece(content_words(text, language), frozenset(), frozenset(_numbers(text)), operators_in(text), deeds)
    has_subject = verb is not None and any(relation in _SUBJECTS for relation in tree.relations)
    if before is None or tree_before is None or has_subject:
        return own
    verb_before = _verb(tree_before)
    end = 0 if verb_before is None else verb_before + (verb is None)
    lead = _text(tree_before, range(end))
    return Piece(
        own.words,
        content_words(lead, language) | before.taken_over,
        own.numbers,
        own.operators | (operators_in(lead) if verb is None or tree.tags[verb] == "VB" else frozenset()),
        own.deeds,
        continued(tree, own.deeds, (*before.deeds, *before.possible)),
    )


def _numbers(text: str) -> Iterator[Number]:
    yield from ((month, "month") for month in _MONTH.findall(text))
    for amount in amounts_in(text):
        is_year = not amount.unit and not amount.currency and _YEAR.fullmatch(amount.number)
        yield amount.number, "year" if is_year else amount.currency or ("%" if amount.unit == "%" else "")


def content_words(text: str, language: str | None) -> frozenset[str]:
    """The words that say what a text is about: neither numbers nor units, nor what turns or narrows it; verbs by their
    base."""
    free, units = _free(language), {token for amount in amounts_in(text) for token in tokenise(amount.unit, language)}
    words = [word for word in _WORD.findall(text.casefold()) if word not in operators()]
    tokens = base_tokens(" ".join(words), language)
    return frozenset(token for token in tokens if token not in free and token not in units)


@lru_cache(maxsize=32)
def _free(language: str | None) -> frozenset[str]:
    return frozenset(tokenise(" ".join(TEMPLATE_WORDS | LIGHT_WORDS), language)) | {"a", "an", "s"}
