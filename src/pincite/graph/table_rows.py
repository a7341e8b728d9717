"""What does a row of a table say? Its header, what each column is called, and the value with its unit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from pincite.graph.ontology import Ontology, shipped_ontology
from pincite.graph_records import Triplet
from pincite.records import Document, Page

EXTRACTOR = "table rows"
VERSION = "1"
CONFIDENCE = 0.8
_ATOM = (
    r"(?:[%‰°ΩK$€£]|°[CF]|(?:US)?\$|USD|EUR|GBP|million|thousand|billion|[kMG]?Hz|[kMG]?Pa|[kM]?N|[kMGm]?W|[kMG]?Wh|[kM]?J"
    r"|[kcmµn]?m|[kmµ]?g|[mµn]?s|m?[lL]|[km]?V|m?A|m?mol|in|ft|yd|mi|lb|oz|t|bar|min|h|hr|hours|days|years|dB)"
)
_MEASURE = rf"{_ATOM}[²³23]?(?:\s?[/·*]?\s?{_ATOM}[²³23]?){{0,2}}"
_UNIT = re.compile(rf"^(?P<name>.*?[^\s,])(?:,|\s+in\s|\s*[\[(])\s*(?P<unit>{_MEASURE})\s*[\])]?$")
_NUMBER = re.compile(r"[-+±−]?\s*\d[\d\s.,]*(?:\s*(?:[-–]|to)\s*\d[\d\s.,]*)?")
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
    """The triplets of all rows of a document's tables, in reading order; the first line of a table calls its columns,
    and a row is one whose first cell has a letter."""
    for page in document.pages:
        for block in page.blocks:
            if block.kind == "table":
                yield from _of_table(page, block.span.start, block.span.end, ontology)


def _of_table(page: Page, start: int, end: int, ontology: Ontology) -> Iterator[Triplet]:
    headers: list[str] = []
    begin = start
    for line in page.text[start:end].split("\n"):
        cells = line.split("\t")
        starts = list(accumulate((len(cell) + 1 for cell in cells), initial=begin))
        for row in row_triplets(headers, cells, ontology) if _LETTER.search(cells[0]) else ():
            yield Triplet(
                page=page.number,
                start=begin,
                end=begin + len(line),
                subject=row.subject,
                predicate=_folded(headers[row.column]),
                name=row.name,
                object=row.object,
                subject_place=(begin, begin + len(cells[0])),
                object_place=(starts[row.column], starts[row.column] + len(cells[row.column])),
                confidence=row.confidence,
                extractor=EXTRACTOR,
                version=VERSION,
            )
        if line.strip():
            headers = headers or cells
        begin += len(line) + 1


def _called(header: str) -> tuple[str, str]:
    match = _UNIT.match(header)
    if match is None:
        return header, ""
    return match.group("name"), match.group("unit")


def _folded(text: str) -> str:
    return " ".join(text.split())
