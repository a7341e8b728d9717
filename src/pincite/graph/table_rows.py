"""What does a row of a table say? Its header, what each column is called, and the value with its unit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby

from pincite.graph.ontology import Ontology, shipped_ontology
from pincite.records.pages import Document, Page, Span, Table
from pincite.records.triplets import Place, Triplet

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


@dataclass(frozen=True, slots=True)
class RowTriplet:
    """A value of a table: the row's header, the column's as a predicate, the value with its unit; `column` from 0."""

    subject: str
    name: str
    object: str
    column: int
    confidence: float = CONFIDENCE


def row_triplets(headers: Sequence[str], cells: Sequence[str], ontology: Ontology | None = None) -> list[RowTriplet]:
    """One triplet for each cell after the first that has a value and a column header; the first cell names the row.

    A unit that stands in the header ("Width (mm)", "Width [mm]", "Width, mm") goes to values that are bare numbers.
    """
    known = shipped_ontology() if ontology is None else ontology
    subject = _folded(cells[0]) if cells else ""
    if subject in _EMPTY:
        return []
    found: list[RowTriplet] = []
    for column, (header, cell) in enumerate(zip(headers, cells, strict=False)):
        called, unit = _called(_folded(header))
        value = _folded(cell)
        name = _NO_LETTER.sub("_", called.lower()).strip("_")
        if column and name and value not in _EMPTY:
            measured = f"{value} {unit}" if unit and _NUMBER.fullmatch(value) else value
            found.append(RowTriplet(subject, known.name(name), measured, column))
    return found


def table_triplets(document: Document, ontology: Ontology) -> Iterator[Triplet]:
    """The triplets of all rows of a document's tables; the first line of a table calls its columns, and a row is one
    whose first cell has a letter. Cells are parted by tabs, or else as the reader marked them."""
    for page in document.pages:
        for block in page.blocks:
            if block.kind == "table":
                yield from _of_rows(page, _tabbed_rows(page.text, block.span), ontology)
        for table in page.tables:
            if "\t" not in page.text[table.span.start : table.span.end]:
                yield from _of_rows(page, _marked_rows(table), ontology)


def _tabbed_rows(text: str, span: Span) -> Iterator[list[Place]]:
    begin = span.start
    for line in text[span.start : span.end].split("\n"):
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
        for found in row_triplets(headers, cells, ontology) if _LETTER.search(cells[0]) else ():
            yield Triplet(
                page=page.number,
                start=row[0][0],
                end=row[-1][1],
                subject=found.subject,
                predicate=_folded(headers[found.column]),
                name=found.name,
                object=found.object,
                subject_place=row[0],
                object_place=row[found.column],
                confidence=found.confidence,
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
