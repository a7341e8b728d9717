"""Which sentences of a document are worth reading for triplets? Those that name two things, or one and a number."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from pincite.records.chunks import Mention
from pincite.records.pages import Document, Span
from pincite.records.triplets import Place
from pincite.text.mend import Mended, mend, vocabulary_of
from pincite.text.sentences import goes_on, sentence_bounds

TELLING_VERSION = "2"
LONGEST = 700
_READ = frozenset(("paragraph", "list_item", "caption", "footnote"))
_DIGIT = re.compile(r"\d")


class _Block(NamedTuple):
    """A block of a page: its span, its text, and where it begins in the joined text of the document."""

    span: Span
    text: str
    offset: int


class _Run:
    """Blocks whose text reads on from one to the next."""

    def __init__(self, blocks: Sequence[_Block], vocabulary: Container[str]) -> None:
        self._blocks = blocks
        self._starts = [0, *accumulate(len(block.text) + 1 for block in blocks)]
        self.view: Mended = mend("\n".join(block.text for block in blocks), vocabulary)

    def spans(self, start: int, end: int) -> list[tuple[_Block, Span]]:
        """The view's `[start, end)` as slices of the pages, each with its block."""
        first, last = self.view.raw_span(start, end)
        found = []
        for index in range(bisect_right(self._starts, first) - 1, len(self._blocks)):
            block, begin = self._blocks[index], self._starts[index]
            inside = max(first - begin, 0), min(last - begin, len(block.text))
            if inside[0] < inside[1]:
                at = block.span.start
                found.append((block, Span(block.span.page, at + inside[0], at + inside[1])))
        return found


class _Names:
    """The mentions in order of their places. A capital that opens a sentence counts where the document has the name
    elsewhere, too."""

    def __init__(self, mentions: Sequence[Mention]) -> None:
        sure = {mention.name for mention in mentions if mention.kind != "opening"}
        self._mentions = [m for m in mentions if m.kind != "opening" or m.full is not None or m.name in sure]
        self._starts = [mention.start for mention in self._mentions]

    def within(self, spans: Sequence[tuple[_Block, Span]]) -> list[Mention]:
        """The mentions that begin in these slices, none inside another."""
        found: list[Mention] = []
        for block, span in spans:
            shift = block.offset - block.span.start
            first, last = bisect_left(self._starts, span.start + shift), bisect_left(self._starts, span.end + shift)
            for mention in self._mentions[first:last]:
                if not found or mention.start >= found[-1].end:
                    found.append(mention)
        return found


@dataclass(frozen=True, slots=True)
class TellingSentence:
    """A sentence as it reads."""

    text: str
    _run: _Run
    _start: int
    _names: _Names

    def find(self, place: Place) -> tuple[Span, bool]:
        """Where `[start, end)` of the text stands, the first slice of it where a page or column break cuts it; and
        whether a name or term begins there."""
        found = self._run.spans(self._start + place[0], self._start + place[1])
        return found[0][1], bool(self._names.within(found))


def telling_sentences(document: Document, mentions: Sequence[Mention]) -> Iterator[TellingSentence]:
    """The telling sentences of a document in reading order, of at most 700 characters, which is what can be quoted."""
    names = _Names(mentions)
    for run in _runs(document):
        for start, end in sentence_bounds(run.view.text):
            text = run.view.text[start:end]
            if len(text) <= LONGEST:
                named = {mention.full or mention.name for mention in names.within(run.spans(start, end))}
                if len(named) > 1 or (named and _DIGIT.search(text)):
                    yield TellingSentence(text, run, start, names)


def _runs(document: Document) -> Iterator[_Run]:
    """The running text: neither headings nor tables, furniture, equations or pictures."""
    vocabulary = vocabulary_of(page.text for page in document.pages)
    run: list[_Block] = []
    for block in _blocks(document):
        if run and not goes_on(run[-1].text, block.text):
            yield _Run(run, vocabulary)
            run = []
        run.append(block)
    if run:
        yield _Run(run, vocabulary)


def _blocks(document: Document) -> Iterator[_Block]:
    page_start = 0
    for page in document.pages:
        for block in page.blocks:
            if block.kind in _READ:
                span = block.span
                yield _Block(span, page.text[span.start : span.end], page_start + span.start)
        page_start += len(page.text) + 1
