"""What is worth reading for triplets: sentences that name two things, or one and a number; and what a row of a table
says."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import NamedTuple

from pincite.graph.ontology import Ontology
from pincite.records.chunks import Mention
from pincite.records.pages import Document, Page, Span, Table, page_offsets
from pincite.records.triplets import Place, Triplet
from pincite.text.mend import Mended, mend, vocabulary_of
from pincite.text.sentences import goes_on, sentence_bounds

EXTRACTOR = "table rows"
VERSION = "2"
CONFIDENCE = 0.8
_ATOM = (
    r"(?:[%‰°ΩK$€£]|°[CF]|(?:US)?\$|USD|EUR|GBP|million|thousand|billion|[kMG]?Hz|[kMG]?Pa|[kM]?N|[kMGm]?W|[kMG]?Wh|[kM]?J"
    r"|[kcmµn]?m|[kmµ]?g|[mµn]?s|m?[lL]|[km]?V|m?A|m?mol|in|ft|yd|mi|lb|oz|t|bar|min|h|hr|hours|days|years|dB)"
)
_MEASURE = rf"{_ATOM}[²³23]?(?:\s?[/·*]?\s?{_ATOM}[²³23]?){{0,2}}"
_UNIT = re.compile(rf"^(?P<name>.*?[^\s,])(?:,|\s+in\s|\s*[\[(])\s*(?P<unit>{_MEASURE})\s*[\])]?$")
_NUMBER = re.compile(r"[-+±−]?\s*+\d[\d\s.,]*+(?:(?:[-–]|to)\s*+\d[\d\s.,]*+)?")
_NO_LETTER = re.compile(r"\W+")
_LETTER = re.compile(r"[^\W\d_]")
_EMPTY = frozenset(("", "-", "–", "—", "n/a", "N/A", "..."))


def row_values(headers: Sequence[str], cells: Sequence[str]) -> Iterator[tuple[int, str, str]]:
    """Column (from 0), predicate and value of each cell behind the first that has a value and a column header.

    A unit that stands in the header ("Width (mm)", "Width [mm]", "Width, mm") goes to values that are bare numbers.
    """
    if not cells or _folded(cells[0]) in _EMPTY:
        return
    for column, (header, cell) in enumerate(zip(headers, cells, strict=False)):
        called, unit = _called(_folded(header))
        value = _folded(cell)
        name = _NO_LETTER.sub("_", called.lower()).strip("_")
        if column and name and value not in _EMPTY:
            yield column, name, f"{value} {unit}" if unit and _NUMBER.fullmatch(value) else value


def table_triplets(document: Document, ontology: Ontology) -> Iterator[Triplet]:
    """The triplets of all rows of a document's tables; the first line of a table names its columns, and rows have a
    first cell with a letter. Cells are divided by tabs, or else as the reader marked them."""
    for page in document.pages:
        for block in page.blocks:
            if block.kind == "table":
                yield from _of_rows(page, _tabbed_rows(page, block.span), ontology)
        for table in page.tables:
            if "\t" not in page.text_of(table.span):
                yield from _of_rows(page, _marked_rows(table), ontology)


def _tabbed_rows(page: Page, span: Span) -> Iterator[list[Place]]:
    begin = span.start
    for line in page.text_of(span).split("\n"):
        cells = line.split("\t")
        starts = accumulate((len(cell) + 1 for cell in cells), initial=begin)
        if line.strip():
            yield [(start, start + len(cell)) for start, cell in zip(starts, cells, strict=False)]
        begin += len(line) + 1


def _marked_rows(table: Table) -> Iterator[list[Place]]:
    """The cells of each row, one that is empty as an empty place at its end."""
    for _, cells in groupby(table.cells, key=lambda cell: cell.row):
        places = {cell.column: (cell.span.start, cell.span.end) for cell in cells}
        end = max(end for _, end in places.values())
        yield [places.get(column, (end, end)) for column in range(max(places) + 1)]


def _of_rows(page: Page, rows: Iterable[Sequence[Place]], ontology: Ontology) -> Iterator[Triplet]:
    headers: list[str] = []
    for row in rows:
        cells = [page.text[start:end] for start, end in row]
        for column, name, value in row_values(headers, cells) if _LETTER.search(cells[0]) else ():
            yield Triplet(
                page=page.number,
                start=row[0][0],
                end=row[-1][1],
                subject=_folded(cells[0]),
                predicate=_folded(headers[column]),
                name=ontology.name(name),
                object=value,
                subject_place=row[0],
                object_place=row[column],
                confidence=CONFIDENCE,
                extractor=EXTRACTOR,
                version=VERSION,
            )
        headers = headers or cells


def _called(header: str) -> tuple[str, str]:
    match = _UNIT.match(header)
    if match is None:
        return header, ""
    return match.group("name"), match.group("unit")


def _folded(text: str) -> str:
    return " ".join(text.split())


CANDIDATES_VERSION = "2"
LONGEST = 700
_READ = frozenset(("paragraph", "list_item", "caption", "footnote"))
_DIGIT = re.compile(r"\d")


class _Block(NamedTuple):
    """A block of a page: its span, its text, and where it begins in the joined text of the document."""

    span: Span
    text: str
    offset: int


class _Run:
    """Consecutive blocks of continuous text."""

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
class CandidateSentence:
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


def candidate_sentences(document: Document, mentions: Sequence[Mention]) -> Iterator[CandidateSentence]:
    """The telling sentences of a document in reading order, of at most 700 characters, which is what can be quoted."""
    names = _Names(mentions)
    for run in _runs(document):
        for start, end in sentence_bounds(run.view.text):
            text = run.view.text[start:end]
            if len(text) <= LONGEST:
                named = {mention.full or mention.name for mention in names.within(run.spans(start, end))}
                if len(named) > 1 or (named and _DIGIT.search(text)):
                    yield CandidateSentence(text, run, start, names)


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
    for page_start, page in zip(page_offsets(document.pages), document.pages, strict=False):
        for block in page.blocks:
            if block.kind in _READ:
                yield _Block(block.span, page.text_of(block.span), page_start + block.span.start)
