"""A statement as it stands in a sentence: who, what, and with what else; by the places of words."""

from __future__ import annotations

from dataclasses import dataclass

from pincite.graph.clauses import Piece

Words = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """`kind`: the pattern that found it; `anchor`: the verb or noun that says it; `bond`: how the subject was found.

    `relation` holds words of the sentence, by place, and words that only follow from it ("is", "has"). `arguments`
    are the object and what is said besides, at least one.
    """

    kind: str
    anchor: int
    bond: str
    subject: Words
    relation: tuple[Piece, ...]
    arguments: tuple[Words, ...]
