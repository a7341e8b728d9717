"""Units: the smallest pieces of a document that can be read, and said, by themselves.

One to three sentences of a paragraph, a list or some of its items with their lead-in, a row of a table with its caption
and the heads of its columns. This is the one place that makes them, for every format.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import PurePosixPath

from pincite.answer.asked.noun_phrases import stands_in
from pincite.answer.asked.question import roots_of
from pincite.answer.material.headed_rows import HeadedRow, rows_by_line
from pincite.answer.material.passages import LONGEST_QUOTE, Passage, Passaged, Place, block_starts, start_of
from pincite.answer.material.sentences import Sentence
from pincite.ports import Readable
from pincite.records.chunks import ChunkRecord

LONGEST_UNIT = 450
"""Characters of a unit: what the reader reads of a text behind its path."""
MOST_SENTENCES = 3
"""Of a paragraph: as many as a quote may hold."""
LEAST_PARAGRAPH = 80
"""Characters: a shorter paragraph that ends no sentence is read with the one behind it. By eye, not measured."""
LONGEST_PATH = 160
"""Characters of headings."""

_ENDS = re.compile(r"[.!?][)\]\"'”’]*$")

ITEM_LABEL = re.compile(r"^(?:\(?(?P<label>[a-z]|[ivx]{1,5}|\d{1,2})[.)]|(?P<sign>[•●▪–—*-]))\s+", re.I)
"""What an item of a list begins with."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Consecutive sentences of one chunk; of a table's `row` the lines that it stands on."""

    sentences: tuple[Sentence, ...]
    row: HeadedRow | None = None

    @property
    def text(self) -> str:
        """As it reads."""
        return " ".join(sentence.text for sentence in self.sentences) if self.row is None else self.row.text

    @property
    def chunk(self) -> ChunkRecord:
        """The chunk that it stands in."""
        return self.sentences[0].chunk

    @property
    def kind(self) -> str:
        """The kind of block that it stands in."""
        return self.sentences[0].passage.kind

    @property
    def is_list(self) -> bool:
        """Whether it is a lead-in with items, not one with a command or a formula."""
        return self.row is None and _is_list(self.sentences) and any(map(_is_item, self.sentences[1:2]))

    def item_up_to(self, place: int) -> range:
        """The places of the sentences of a list's item up to one of them: what it says leans on those before it."""
        blocks = _block_numbers(self.chunk, self.sentences)
        opens = (
            at
            for at in range(place, 0, -1)
            if ITEM_LABEL.match(self.sentences[at].text) or blocks[at] != blocks[at - 1]
        )
        return range(next(opens, place), place + 1)

    def holds(self, code: str) -> bool:
        """Whether an identifier stands in its text or in the headings above it."""
        return stands_in(code, f"{self.readable.path}\n{self.text}")

    @property
    def readable(self) -> Readable:
        """What a reader is given: its sentences, or the caption and the cells of a row, below the path of headings."""
        parts = tuple(s.text for s in self.sentences) if self.row is None else self.row.parts
        return Readable(path_of(self.chunk, self.sentences[0].below), parts)

    @property
    def quoted(self) -> tuple[Passaged, ...]:
        """The passages that it stands on."""
        if self.row is not None:
            return self.row.passages
        return tuple((sentence.passage, sentence.chunk) for sentence in self.sentences)


def units_of(sentences: Sequence[Sentence]) -> list[Unit]:
    """All units of these sentences by rank of their chunks and position; of a chunk its footnotes last, which stand
    between the text of two pages and belong to neither. Of neighbours that share text no unit is kept that another
    holds whole."""
    ordered = sorted(sentences, key=lambda s: (s.rank, s.chunk.source_id, s.chunk.index, _is_footnote(s), s.position))
    texts = groupby(ordered, key=lambda s: (s.chunk.chunk_id, _is_footnote(s)))
    return _whole_ones([unit for _, members in texts for unit in _units(list(members))])


def _whole_ones(units: Sequence[Unit]) -> list[Unit]:
    """The units without those whose sentences all stand in another; of two alike the first is kept."""
    places = [frozenset((s.chunk.source_id, s.passage.spans) for s in unit.sentences) for unit in units]
    holders: dict[object, list[int]] = {}
    for index, own in enumerate(places):
        for place in own if units[index].row is None else ():
            holders.setdefault(place, []).append(index)

    def is_held(index: int) -> bool:
        own = places[index]
        others = (other for other in holders.get(next(iter(own)), ()) if other != index)
        return any(own < places[other] or (own == places[other] and other < index) for other in others)

    return [unit for index, unit in enumerate(units) if unit.row is not None or not is_held(index)]


def path_of(chunk: ChunkRecord, below: Passage | None = None) -> str:
    """The title of a chunk's document and the headings above it, or above what stands `below` one inside it, the
    innermost kept where it is too long."""
    title = chunk.title or PurePosixPath(chunk.filename).stem.replace("_", " ")
    path = " > ".join(dict.fromkeys([title, *chunk.section, *([below.text] if below else [])]))
    return path if len(path) <= LONGEST_PATH else f"… {path[-LONGEST_PATH:]}"


def _units(sentences: Sequence[Sentence]) -> Iterator[Unit]:
    chunk = sentences[0].chunk
    rows = rows_by_line(chunk) if any(sentence.passage.kind == "table" for sentence in sentences) else {}
    blocks = _block_numbers(chunk, sentences)
    lengths = Counter(blocks)
    held: list[Sentence] = []
    last = 0
    for sentence, block in zip(sentences, blocks, strict=True):
        if sentence.passage.kind == "table":
            yield from _closed(held)
            held = []
            yield from _of_row(sentence, rows, sentences)
            continue
        are_short = lengths[last] == lengths[block] == 1
        is_apart = bool(held) and sentence.below is not held[-1].below
        if held and (is_apart or not _goes_into(held, sentence, in_same_block=block == last, are_short=are_short)):
            yield from _closed(held)
            is_short = block != last and lengths[block] < MOST_SENTENCES
            held = _lead_in_of(held, sentence) if is_short and not is_apart else []
        held.append(sentence)
        last = block
    yield from _closed(held)


def _closed(held: Sequence[Sentence]) -> Iterator[Unit]:
    if held:
        yield Unit(tuple(held))


def _of_row(sentence: Sentence, rows: Mapping[Place, HeadedRow], sentences: Iterable[Sentence]) -> Iterator[Unit]:
    """The row that begins on a line; nothing for lines that only go on with it, and for heads."""
    row = rows.get(start_of(sentence.passage))
    if row is None:
        return
    lines = set(map(start_of, row.lines))
    heads = roots_of(" ".join([row.caption, row.group, *(head for head, _ in row.cells)]), sentence.chunk.language)
    own = tuple(replace(s, context=s.context | heads) for s in sentences if start_of(s.passage) in lines)
    yield from (Unit(own, part) for part in row.by_columns(LONGEST_UNIT))


def _block_numbers(chunk: ChunkRecord, sentences: Sequence[Sentence]) -> list[int]:
    """Which block of the chunk each sentence begins in."""
    starts = [(page, start) for page, start, _ in block_starts(chunk)]
    return [bisect_right(starts, start_of(sentence.passage)) for sentence in sentences]


def _goes_into(held: Sequence[Sentence], sentence: Sentence, *, in_same_block: bool, are_short: bool) -> bool:
    """Whether a unit still has room for the sentence behind it; of items of several sentences each is for itself."""
    length = sum(len(other.text) + 1 for other in held) + len(sentence.text)
    if _is_list(held) and (_is_item(sentence) or _is_item(held[-1]) or len(held) == 1):
        return length <= (LONGEST_QUOTE if len(held) == 1 else LONGEST_UNIT)
    if sentence.text.endswith(":") or length > LONGEST_UNIT:
        return False
    if _is_item(held[0]) and _is_item(sentence):
        return in_same_block or are_short
    if not in_same_block and (_ENDS.search(held[-1].text) or len(held[-1].text) > LEAST_PARAGRAPH):
        return False
    return len(held) < MOST_SENTENCES


def _lead_in_of(held: Sequence[Sentence], sentence: Sentence) -> list[Sentence]:
    """The lead-in of a list that goes on in the next unit; an item of many sentences is text of its own."""
    goes_on = _is_list(held) and len(held) > 1 and _is_item(sentence)
    return [held[0]] if goes_on and len(held[0].text) + len(sentence.text) <= LONGEST_QUOTE else []


def _is_list(held: Sequence[Sentence]) -> bool:
    return held[0].text.endswith(":")


def _is_footnote(sentence: Sentence) -> bool:
    return sentence.passage.kind == "footnote"


def _is_item(sentence: Sentence) -> bool:
    """Whether a sentence is an item of a list: it is one, has a label, or ends in the middle of one."""
    is_one = sentence.passage.kind == "list_item" or bool(ITEM_LABEL.match(sentence.text))
    return is_one or sentence.text.endswith((";", "; and", "; or", ","))
