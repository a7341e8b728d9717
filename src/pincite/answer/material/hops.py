"""Following names: what the best sentences name stands described under its own heading, perhaps in another document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice

from pincite.answer.material.sentences import Sentence, heading_of
from pincite.answer.words.facts import folded_name, names_in, without_aside
from pincite.records.chunks import ChunkRecord

MOST_NAMES = 12
"""Names are looked up all at once; the best sentences have fewer. By eye, not measured."""
MOST_FOLLOWED = 6
"""Chunks that come in beside the evidence without crowding it. By eye, not measured."""

Lookup = Callable[[Sequence[str]], Sequence[Sequence[ChunkRecord]]]


def follow_names(
    asked: str, best: Sequence[Sentence], known_sentences: Sequence[Sentence], lookup: Lookup
) -> list[ChunkRecord]:
    """The chunks that stand under a heading which the best sentences name, and the question does not, in their order;
    without those of the known sentences. `lookup` finds chunks by the words of each name.
    """
    known = {sentence.chunk.chunk_id for sentence in known_sentences}
    headings = {folded_name(without_aside(sentence.heading)) for sentence in known_sentences}
    names = [name for name in _new_names(asked, best) if folded_name(name) not in headings]
    found: dict[str, ChunkRecord] = {}
    for name, chunks in zip(names, lookup(names), strict=True):
        about = (chunk for chunk in chunks if chunk.chunk_id not in known and is_about(chunk, name))
        found |= {chunk.chunk_id: chunk for chunk in islice(about, 1)}
    return list(found.values())[:MOST_FOLLOWED]


def is_about(chunk: ChunkRecord, name: str) -> bool:
    """Whether a chunk stands under this name: the same words, those in brackets left aside. One word alone names a
    document, never a section of one ("General")."""
    is_opening = " " in name or chunk.index == 0
    return is_opening and folded_name(without_aside(heading_of(chunk))) == folded_name(name)


def _new_names(asked: str, sentences: Iterable[Sentence]) -> list[str]:
    """Names that the question does not hold, each once."""
    lower = folded_name(asked)
    names = (name for sentence in sentences for name in names_in(sentence.text))
    fresh = (name for name in names if folded_name(name) not in lower)
    return list(dict.fromkeys(fresh))[:MOST_NAMES]
