"""Whether a sentence turns round what its quotes say: the words of its pieces are aligned with those of the quotes', then
what is said of them is compared, number by number, negation by negation, role by role."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pincite.answer.said.deeds import Deed, Filler
from pincite.answer.said.pieces import Number, Piece

LEAST_ALIGNED = 0.5
"""Of the words of a piece, for the piece of a quote that it is compared with. By eye, not measured."""


def turned(said: Sequence[Piece], quoted: Sequence[Piece]) -> Iterator[str]:
    """What the pieces of a sentence say otherwise than those of its quotes."""
    known = frozenset[str]().union(*(piece.all_words for piece in quoted))
    for piece in said:
        yield from _other_numbers(piece, quoted)
        yield from _other_operators(piece, quoted)
        for deed in piece.deeds:
            yield from _other_roles(deed, [other for own in quoted for other in own.deeds], known)


def _likeness(piece: Piece, other: Piece) -> tuple[int, int]:
    """How many words two pieces share, those that the other has of its own before those that it takes over."""
    shared = piece.all_words & other.all_words
    return len(shared), -len(shared - other.words)


def _other_numbers(piece: Piece, quoted: Sequence[Piece]) -> Iterator[str]:
    """Numbers that the quotes give with other words, where what they say with these words is another number."""
    if not piece.all_words:
        return
    likeness = [_likeness(piece, other) for other in quoted]
    for number in sorted(piece.numbers):
        having = [score for score, other in zip(likeness, quoted, strict=True) if _has(other, number)]
        best = max(likeness, default=(0, 0))
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
    likeness = [len(piece.all_words & other.all_words) for other in quoted]
    best = max(likeness, default=0)
    if not best or best < LEAST_ALIGNED * len(piece.all_words):
        return
    aligned = [other.operators for score, other in zip(likeness, quoted, strict=True) if score == best]
    if piece.operators not in aligned:
        yield from sorted(min((piece.operators ^ other for other in aligned), key=lambda odd: (len(odd), sorted(odd))))


def _other_roles(deed: Deed, others: Sequence[Deed], known: frozenset[str]) -> Iterator[str]:
    """Who does something, or has it done to them, in place of who does in the quotes."""
    same = [other for other in others if other.verb == deed.verb]
    for role, fillers in deed.roles.items():
        for filler in fillers:
            if filler.head in known and same and all(_denies(other, role, filler) for other in same):
                yield f"{filler.head} as {role} of {deed.verb}"


def _denies(deed: Deed, role: str, filler: Filler) -> bool:
    """Whether a deed has something else in a role, or this in another role."""
    there = deed.roles.get(role, ())
    if any(filler.head in other.words or other.head in filler.words for other in there):
        return False
    if any(filler.head == other.head for found in deed.roles.values() for other in found):
        return True
    return any(other.is_proper or not filler.is_proper for other in there)
