"""What a language model is shown: the best passages in parts of one place each, as many as its context holds."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from pincite.answer.material.passages import Passage, Passaged, headings_of, passages_of
from pincite.answer.material.rows import rows_of
from pincite.answer.material.surroundings import Surroundings
from pincite.answer.material.units import path_of
from pincite.answer.reading.reads import CaseRead
from pincite.answer.said.citations import ambiguous_filenames, printed_citation
from pincite.answer.said.statements import citations_of
from pincite.answer.words.vocabulary import pattern_of
from pincite.records.chunks import ChunkRecord

MOST_PASSAGES = 12
"""Passages that are shown, K of spec/llm_retrieval.md section 6."""
_UNSEEN = frozenset(("Cf", "Cc", "Co", "Cs", "Cn"))
_BLANKS = re.compile(r"[^\S\n]+")


@dataclass(frozen=True, slots=True)
class Given:
    """Lines of a passage that stand in one place: how that is cited, the path of headings above it, the lines
    (sentences, or lines of a table) each with its chunk, which of them is the `best`; the heads of a table that began
    before, and the headings that the passage opens with."""

    label: str
    path: str
    lines: tuple[Passaged, ...]
    best: int = 0
    heads: tuple[Passaged, ...] = ()
    headings: tuple[Passaged, ...] = ()

    @property
    def text(self) -> str:
        """As a model reads it: sentences run on, lines of a table and items of a list stand each on a line of its
        own; what nobody sees is left out."""
        parts = [shown(passage.text) for passage, _ in self.heads]
        runs = groupby(self.lines, key=lambda line: line[0].kind in ("table", "list_item"))
        for apart, run in runs:
            parts.append(("\n" if apart else " ").join(shown(passage.text) for passage, _ in run))
        return "\n".join(parts)


def shown(text: str) -> str:
    """A text without the characters that nobody sees."""
    if not text.isprintable():
        text = "".join(char for char in text if char in "\n\t" or unicodedata.category(char) not in _UNSEEN)
    return _BLANKS.sub(" ", text).strip()


def given_of(read: CaseRead) -> list[Given]:
    """The passages, the likeliest first, in parts of one place each."""
    return given_of_chunks(likeliest_chunks(read)[:MOST_PASSAGES], read)


def given_of_chunks(chunks: Sequence[ChunkRecord], read: CaseRead) -> list[Given]:
    """The passages of these chunks in parts of one place each; sentences that would tell a model what to do are left
    out."""
    likeliest = {item.unit.chunk.chunk_id: item.unit.text for item in reversed(read.units)}
    parts = ((chunk, part) for chunk in chunks for part in _parts(chunk, read.case.around))
    return labelled([replace(part, best=_best(part.lines, likeliest.get(chunk.chunk_id, ""))) for chunk, part in parts])


def likeliest_chunks(read: CaseRead) -> list[ChunkRecord]:
    """The chunks of what was found: those with units that were read by their likeliest, then the others in the order
    of their ranks."""
    retrieval = read.case.retrieval
    ordered = [
        *(item.unit.chunk for item in read.units if item.reading is not None),
        *(item.chunk for item in (*retrieval.evidence, *retrieval.beyond)),
    ]
    return list({chunk.chunk_id: chunk for chunk in ordered}.values())


def labelled(parts: Sequence[Given]) -> list[Given]:
    """These parts as they are cited beside each other: files of one name are told apart."""
    cited = [citations_of(*part.lines[0])[0] for part in parts]
    told_apart = ambiguous_filenames(cited)
    return [
        replace(part, label=printed_citation(citation, told_apart)) for part, citation in zip(parts, cited, strict=True)
    ]


def fitted(parts: Sequence[Given], room: int, count: Callable[[str], int]) -> list[Given]:
    """As many of these, the first before the others, as have together so many tokens; of one that does not fit the
    lines around its best one, and nothing behind it."""
    kept: list[Given] = []
    for part in parts:
        cost = count(written(part))
        if cost <= room:
            kept.append(part)
            room -= cost
            continue
        if cut := _cut(part, room, count):
            kept.append(cut)
        break
    return kept


def written(part: Given) -> str:
    """A part as it stands in a prompt."""
    return f"{shown(part.path)}\n{part.text}\nSource: {part.label}\n\n"


def _parts(chunk: ChunkRecord, around: Surroundings) -> Iterator[Given]:
    told = [passage for passage in passages_of(chunk) if not is_instruction(passage.text)]
    for place, members in groupby(told, key=lambda passage: _place(passage, chunk)):
        lines = tuple((passage, chunk) for passage in members)
        headings = tuple((passage, chunk) for passage in headings_of(chunk) if _place(passage, chunk) == place)
        yield Given("", path_of(chunk), lines, heads=_heads(lines, chunk, around), headings=headings)


def _best(lines: Sequence[Passaged], likeliest: str) -> int:
    """The first line of the likeliest unit, where it is among these."""
    return next((place for place, (passage, _) in enumerate(lines) if passage.text in likeliest), 0)


def _place(passage: Passage, chunk: ChunkRecord) -> int | None:
    """The page on which a passage begins; all of a chunk without pages is one place."""
    return passage.spans[0].page if chunk.paged else None


def _heads(lines: Sequence[Passaged], chunk: ChunkRecord, around: Surroundings) -> tuple[Passaged, ...]:
    """The lines above the first row of a table that stand before these lines."""
    rows = [passage for passage, _ in lines if passage.kind == "table"]
    if not rows:
        return ()
    here = {passage.spans for passage, _ in lines}
    for row in rows_of(chunk, around.preceding(chunk)):
        if row.lines and row.lines[0][0].spans in here:
            return tuple(line for line in row.above if line[0].spans not in here)
    return ()


def is_instruction(text: str) -> bool:
    """Whether a sentence tells a language model what to do, in place of telling people something."""
    return bool(pattern_of("models", "instruction").search(shown(text)))


def _cut(part: Given, room: int, count: Callable[[str], int]) -> Given | None:
    """The lines around the best one of a part that fit; None where that one alone does not."""
    first = last = part.best
    kept = replace(part, lines=part.lines[first : last + 1], best=0)
    if count(written(kept)) > room:
        return None
    while True:
        wider = [(f, e) for f, e in ((first, last + 1), (first - 1, last)) if f >= 0 and e < len(part.lines)]
        tried = ((f, e, replace(part, lines=part.lines[f : e + 1], best=part.best - f)) for f, e in wider)
        fitting = next(((f, e, made) for f, e, made in tried if count(written(made)) <= room), None)
        if fitting is None:
            return kept
        first, last, kept = fitting
