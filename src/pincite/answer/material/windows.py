"""Windows of sentences: the smallest pieces that can be judged, and said, by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import PurePosixPath

from pincite.answer.material.passages import LONGEST_QUOTE
from pincite.answer.material.sentences import Sentence
from pincite.records import ChunkRecord

LONGEST_WINDOW = 450
"""Characters of a window, as DESIGN.md section 14 sets it; all that was measured had this length (0508)."""
MOST_SENTENCES = 3
"""Of a window: as many as a quote may hold (DESIGN.md section 7)."""
LONGEST_PATH = 160
"""Characters of headings: about a third of what is read of the text behind them. By eye, not measured."""

ITEM_LABEL = re.compile(r"^(?:\(?(?P<label>[a-z]|[ivx]{1,5}|\d{1,2})[.)]|(?P<sign>[•●▪–—*-]))\s+", re.I)
"""What an item of a list begins with."""


@dataclass(frozen=True, slots=True)
class Window:
    """Consecutive sentences of one chunk: up to three of at most 450 characters together, a line of a table, or a
    sentence that leads into a list with as many of its items as a quote may hold."""

    sentences: tuple[Sentence, ...]

    @property
    def text(self) -> str:
        """As it reads."""
        return " ".join(sentence.text for sentence in self.sentences)

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
        """Whether it is a lead-in with items."""
        return len(self.sentences) > 1 and self.sentences[0].text.endswith(":")

    @property
    def places(self) -> tuple[tuple[int, int], dict[int, tuple[int, int]]]:
        """Where in `reading` the headings stand, and each sentence by its position."""
        start = heading = len(path_of(self.chunk)) + len(": ")
        places = {}
        for sentence in self.sentences:
            places[sentence.position] = start, start + len(sentence.text)
            start += len(sentence.text) + 1
        return (0, heading), places

    @property
    def reading(self) -> str:
        """What a reranker reads: the text behind the path of its headings, both cut to what is read of them."""
        return f"{path_of(self.chunk)}: {self.text[:LONGEST_WINDOW]}"


def windows_of(sentences: Sequence[Sentence]) -> list[Window]:
    """All windows of these sentences, none of which stands in two, by rank of their chunks and position; of a chunk
    its footnotes last, which stand between the text of two pages and belong to neither."""
    ordered = sorted(sentences, key=lambda s: (s.rank, s.chunk.chunk_id, _is_footnote(s), s.position))
    texts = groupby(ordered, key=lambda s: (s.chunk.chunk_id, _is_footnote(s)))
    return [window for _, members in texts for window in _windows(list(members))]


def path_of(chunk: ChunkRecord) -> str:
    """The title of a chunk's document and the headings above it, the innermost kept where it is too long."""
    title = chunk.title or PurePosixPath(chunk.filename).stem.replace("_", " ")
    path = " > ".join(dict.fromkeys([title, *chunk.section]))
    return path if len(path) <= LONGEST_PATH else f"… {path[-LONGEST_PATH:]}"


def _windows(sentences: Sequence[Sentence]) -> Iterator[Window]:
    held: list[Sentence] = []
    for sentence in sentences:
        if held and not _goes_into(held, sentence):
            yield Window(tuple(held))
            held = []
        held.append(sentence)
    if held:
        yield Window(tuple(held))


def _goes_into(held: Sequence[Sentence], sentence: Sentence) -> bool:
    """Whether a window still has room for the sentence behind it."""
    if "table" in (held[0].passage.kind, sentence.passage.kind):
        return False
    length = sum(len(other.text) + 1 for other in held) + len(sentence.text)
    if held[0].text.endswith(":") and (_is_item(sentence) or _is_item(held[-1]) or len(held) == 1):
        return length <= LONGEST_QUOTE
    return not sentence.text.endswith(":") and len(held) < MOST_SENTENCES and length <= LONGEST_WINDOW


def _is_footnote(sentence: Sentence) -> bool:
    return sentence.passage.kind == "footnote"


def _is_item(sentence: Sentence) -> bool:
    """Whether a sentence is an item of a list: it has a label, or ends in the middle of one."""
    return bool(ITEM_LABEL.match(sentence.text)) or sentence.text.endswith((";", "; and", "; or", ","))
