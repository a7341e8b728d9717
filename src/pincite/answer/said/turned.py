"""Whether a sentence turns round what its quotes say: its pieces are aligned with theirs by their words, then compared
number by number, negation by negation, role by role."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product
from operator import attrgetter

from pincite.answer.said.deeds import Deed, Filler
from pincite.answer.said.pieces import Number, Piece

MOST_COMBINED = 64
"""Ways to fill the roles of a verb by what is joined with "and" that are looked at: a bound for what a model may write.
Of 142 sentences of the tests as many fall with 1, 8 and all."""


def turned(said: Sequence[Piece], quoted: Sequence[Piece]) -> Iterator[str]:
    """What the pieces of a sentence say otherwise than those of its quotes."""
    known = frozenset[str]().union(*(piece.all_words for piece in quoted))
    deeds = [deed for piece in quoted for deed in (*piece.deeds, *piece.possible)]
    for piece in said:
        yield from _other_numbers(piece, quoted)
        yield from _other_operators(piece, quoted)
        for deed in filter(attrgetter("verb"), piece.deeds):
            yield from _other_roles(deed, deeds, known)


def _likeness(piece: Piece, other: Piece) -> tuple[int, int, int]:
    """How many of its own words a piece shares with another; those that the other has of its own, and those that the
    piece takes over, decide between equals."""
    shared = piece.words & other.all_words
    return len(shared), len(shared & other.words), len(piece.taken_over & other.all_words)


def _other_numbers(piece: Piece, quoted: Sequence[Piece]) -> Iterator[str]:
    """Numbers that the quotes give with other words, where what they say with these words is another number."""
    if not piece.words:
        return
    likeness = [_likeness(piece, other) for other in quoted]
    for number in sorted(piece.numbers):
        having = [score for score, other in zip(likeness, quoted, strict=True) if _has(other, number)]
        best = max(likeness, default=(0, 0, 0))
        if not having or max(having) >= best:
            continue
        rivals = [other for score, other in zip(likeness, quoted, strict=True) if score == best]
        if all(_has_rival(other, number, piece) for other in rivals):
            yield number[0]


def _has(piece: Piece, number: Number) -> bool:
    return any(other[0] == number[0] for other in piece.numbers)


def _has_rival(piece: Piece, number: Number, said: Piece) -> bool:
    """Whether a piece has another number of this kind, which is not said."""
    return any(other[1] == number[1] and not _has(said, other) for other in piece.numbers)


def _other_operators(piece: Piece, quoted: Sequence[Piece]) -> Iterator[str]:
    """The negations, modal verbs and the like that are lost or gained."""
    likeness = [len(piece.words & other.all_words) for other in quoted]
    best = max(likeness, default=0)
    if not best:
        return
    odd = [piece.operators ^ other.operators for score, other in zip(likeness, quoted, strict=True) if score == best]
    yield from min(map(sorted, odd), key=lambda words: (len(words), words))


def _other_roles(deed: Deed, others: Sequence[Deed], known: frozenset[str]) -> Iterator[str]:
    """Who does something, or has it done to them, in place of who does in the quotes."""
    same = [other for other in others if other.verb == deed.verb]
    roles = [(role, [filler for filler in found if filler.head in known]) for role, found in deed.roles.items()]
    told = [[(role, filler) for filler in found] for role, found in roles if found]
    for filled in islice(product(*told), MOST_COMBINED if same else 0):
        denied = [[part for part in filled if _denies(other, *part, known)] for other in same]
        if all(denied):
            yield from (f"{filler.written} as {role} of {deed.written}" for role, filler in min(denied, key=len))


def _denies(deed: Deed, role: str, filler: Filler, known: frozenset[str]) -> bool:
    """Whether a deed has something else in a role, or this in another role."""
    there = deed.roles.get(role, ())
    if any(_names(filler, other, known) for other in there):
        return False
    if any(filler.head == other.head for found in deed.roles.values() for other in found):
        return True
    return any(other.is_proper or not filler.is_proper for other in there)


def _names(filler: Filler, other: Filler, known: frozenset[str]) -> bool:
    """Whether two fillers may name one thing: not the east wing and the west wing."""
    is_apart = bool((filler.words - other.words) & known) and bool(other.words - filler.words)
    return not is_apart and (filler.head in other.words or other.head in filler.words)
