"""A value from a table: the row whose label the question names, the column whose head it names, with its unit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pincite.answer.case import Case
from pincite.answer.facts import folded_name
from pincite.answer.passages import Passage, lines_of
from pincite.answer.question import Question, asked_quantity, families_of
from pincite.answer.sentences import heading_of
from pincite.answer.statements import stated
from pincite.records import ChunkRecord, Statement

LOOKED_AT = 8
HEAD_LINES = 14
NEIGHBOURS = 2
LEAST_PRECISION = 0.5
LEAST_COVERAGE = 0.5
LEAST_LETTERS = 2
QUANTITY_WORTH = 0.5
NUMBER_WORTH = 0.3

CAPTION = re.compile(r"^(?P<label>(?:Table|Tabelle|Tableau|Tab\.)\s+[A-Z]?\.?\d+(?:[.\-]\d+)*[a-z]?)", re.I)

_VALUE = re.compile(r"\(?[-–]?(?:[$€£]\s?)?\(?\d[\d.,]*(?:\s(?:to|–|-)\s\d[\d.,]*)?\)?\s?%?\*{0,3}")
_LOOSE_ROW = re.compile(
    r"(?P<label>(?:[^\W\d_][\w-]*,?\s){1,6}(?<!\bto\s))(?P<value>\d+[.,]\d+(?:\s(?:to|–|-)\s\d+[.,]\d+)?)"
)
_LOST = re.compile(r"\d\s+to$")
_CLASS = re.compile(r"\b(?P<kind>category|class|zone|type|group|grade|level)\s(?P<key>[A-Z0-9]\w{0,2})\b", re.I)
_BRACKETED_UNIT = re.compile(r"[\[(][^\[\]()\d]{0,6}[^\W\d_]/[^\[\]()]{1,6}[\])]")
YEAR = re.compile(r"\b(?:19|20)\d\d\b")
UNIT = re.compile(r"\(?[^()\n]{0,40}\b(?:thousands|millions|billions)\b[^()\n]{0,60}\)?", re.IGNORECASE)
PERIOD = re.compile(
    r"\b(?P<quarter>(?:three|3) months|(?:thirteen|fourteen|1[34]) weeks|quarter)\b"
    r"|\b(?P<part>(?:six|nine|[69]) months|(?:twenty-six|thirty-nine|26|39) weeks)\b"
    r"|\b(?P<year>(?:twelve|12) months|(?:fifty-two|fifty-three|5[23]) weeks|(?:fiscal |full )?years?)\b",
    re.I,
)
"""What a head says of the length of a period."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
_LETTERS = re.compile(r"[^\W\d_]")
_SPLIT = re.compile(r"\t|(?<=[\d)%]) (?=[$(\d–—-])")


@dataclass(frozen=True, slots=True)
class Row:
    """A line with a label and values, with the lines above it; `fit` says how well it is what the question names."""

    line: Passage
    chunk: ChunkRecord
    label: str
    values: tuple[str, ...]
    above: tuple[Passage, ...]
    fit: float


@dataclass(frozen=True, slots=True)
class Column:
    """The place of a value in its row, with the words of its head and the lines that hold them."""

    index: int
    head: str
    lines: tuple[Passage, ...]


def looked_up(case: Case) -> list[Statement]:
    """The cell that the question asks for; where its column is not certain, the row as it stands."""
    if case.question.expected not in ("number", "value") and not YEAR.search(case.question.text):
        return []
    rows = sorted(_rows(case), key=lambda row: -round(row.fit, 6))
    return [_statement(case.question, rows[0])] if rows else []


def _rows(case: Case) -> Iterator[Row]:
    """The rows of the best chunks that fit the question."""
    for item in case.retrieval.evidence[:LOOKED_AT]:
        lines = lines_of(item.chunk)
        for index, line in enumerate(lines):
            label, values = cells_of(line) if line.kind == "table" else _loose_cells(lines, index)
            if not values or not label or _LOST.search(label) or _is_other_class(case.question, label):
                continue
            above = _of_one_table(lines[max(0, index - HEAD_LINES) : index])
            fit = _fit(case, label, item.chunk, above)
            if fit is not None:
                yield Row(line, item.chunk, label, values, above, fit)


def _of_one_table(above: Sequence[Passage]) -> tuple[Passage, ...]:
    """The lines from the last caption on, where there is one."""
    captions = [index for index, line in enumerate(above) if CAPTION.match(line.text)]
    return tuple(above[captions[-1] :] if captions else above)


def cells_of(line: Passage) -> tuple[str, tuple[str, ...]]:
    """The label of a table's line and the values behind it."""
    cells = [cell.strip() for cell in _SPLIT.split(line.quotes[0]) if cell.strip(" $")]
    values = tuple(cell for cell in cells[1:] if _VALUE.fullmatch(cell))
    return " ".join(cell for cell in cells if not _VALUE.fullmatch(cell)), values


def _loose_cells(lines: Sequence[Passage], index: int) -> tuple[str, tuple[str, ...]]:
    """The label and the value of a line outside any table with more of its kind about it, as scanned tables have."""
    around = lines[max(0, index - NEIGHBOURS) : index + NEIGHBOURS + 1]
    rows = [_LOOSE_ROW.fullmatch(" ".join(line.text.split())) for line in around]
    match = _LOOSE_ROW.fullmatch(" ".join(lines[index].text.split()))
    return (match["label"].strip(), (match["value"],)) if match and sum(map(bool, rows)) > NEIGHBOURS else ("", ())


def _is_other_class(question: Question, label: str) -> bool:
    """Whether a row is of another class than the one that the question names ("category A", "zone 2")."""
    asked = {match["kind"].casefold(): match["key"] for match in _CLASS.finditer(question.text)}
    return any(asked.get(match["kind"].casefold(), match["key"]) != match["key"] for match in _CLASS.finditer(label))


def _fit(case: Case, label: str, chunk: ChunkRecord, above: Sequence[Passage]) -> float | None:
    """How well a row fits: the words of its label stand in the question, and the question's in it and above it."""
    question, languages = case.question, case.retrieval.query.languages
    words = [word for word in families_of(label, languages) if not any(c.isdigit() for form in word for c in form)]
    if len(_LETTERS.findall(label)) < LEAST_LETTERS:
        return None
    asked = frozenset().union(*question.words)
    named = _squeezed(label) in _squeezed(question.text)
    precision = 1.0 if named else sum(not word.isdisjoint(asked) for word in words) / max(1, len(words))
    hits = sum(not word.isdisjoint(asked) for word in words) + named
    around = " ".join([label, heading_of(chunk), chunk.title or "", chunk.filename, *(line.text for line in above)])
    held = frozenset().union(*families_of(re.sub(r"[_.]", " ", around), languages))
    coverage = sum(not word.isdisjoint(held) for word in question.words) / max(1, len(question.words))
    if hits == 0 or precision < LEAST_PRECISION or coverage < LEAST_COVERAGE:
        return None
    numbers = set(_NUMBER.findall(label)) & set(_NUMBER.findall(question.text))
    worth = QUANTITY_WORTH * _heads_quantity(question, above) + NUMBER_WORTH * len(numbers)
    return coverage + precision + 0.2 * hits + named + worth


def _heads_quantity(question: Question, above: Sequence[Passage]) -> bool:
    """Whether the caption or a head names the very quantity that is asked ("axle load", not "axle width", "load")."""
    quantity = folded_name(asked_quantity(question) or "")
    return bool(quantity) and any(quantity in folded_name(line.text) for line in above)


def _squeezed(text: str) -> str:
    return re.sub(r"\W", "", text).casefold()


def _statement(question: Question, row: Row) -> Statement:
    column = _column(question, row)
    if column is None:
        return stated(row.line.text, "value", [(row.line, row.chunk)])
    unit = next((line for line in reversed(row.above) if _unit_in(row, line.text)), None)
    match = _unit_in(row, unit.text) if unit else None
    said = f"{row.label}{column.head and ', '}{column.head}: {row.values[column.index]}"
    said += f" ({match.group().strip('()[] ')})" if match else ""
    cited = [*((line, row.chunk) for line in column.lines), (row.line, row.chunk)]
    return stated(said, "value", [(unit, row.chunk), *cited] if unit and match else cited)


def _unit_in(row: Row, head: str) -> re.Match[str] | None:
    """What a head says of the unit of a row: "in millions"; "[kN/m]" where the row has one value, and no percent."""
    is_plain = len(row.values) == 1 and "%" not in row.values[0]
    return UNIT.search(head) or (_BRACKETED_UNIT.search(head) if is_plain else None)


def _column(question: Question, row: Row) -> Column | None:
    """The only value; the one under the asked year and period; the one under the head with most of the question's
    words; None where this is not certain."""
    if len(row.values) == 1:
        return Column(0, "", ())
    return _by_year(question, row) or _by_head(question, row)


def _by_year(question: Question, row: Row) -> Column | None:
    asked = YEAR.findall(question.text)
    for line in reversed(row.above):
        years = YEAR.findall(line.text)
        if len(years) == len(row.values) and len(asked) == 1 and asked[0] in years:
            places = [index for index, year in enumerate(years) if year == asked[0]]
            if len(places) == 1:
                return Column(places[0], asked[0], (line,))
            return _by_period(question, row, line, places)
    return None


def _by_period(question: Question, row: Row, years: Passage, places: Sequence[int]) -> Column | None:
    """Where the year stands more than once: the head above says which of them is the quarter and which the year."""
    wanted = asked_period(question)
    for line in row.above:
        found = list(PERIOD.finditer(line.text))
        if len(found) == len(places):
            fitting = [place for place, match in zip(places, found, strict=True) if match.lastgroup == wanted]
            if len(fitting) == 1:
                head = next(match.group() for match in found if match.lastgroup == wanted)
                return Column(fitting[0], f"{head}, {YEAR.findall(years.text)[fitting[0]]}", (line, years))
    return None


def asked_period(question: Question) -> str:
    """Whether a question asks for a quarter or for a year, as PERIOD names its groups."""
    return "quarter" if re.search(r"\bquarter\b|\bQ[1-4]\b", question.text) else "year"


def _by_head(question: Question, row: Row) -> Column | None:
    """The column by heads that stand in as many cells as the row has; lines of one head are read downwards."""
    count = len(row.values) + 1
    heads = [line for line in row.above if len(line.quotes[0].split("\t")) == count and not _has_values(line)]
    if not heads:
        return None
    columns = [" ".join(line.quotes[0].split("\t")[index].strip() for line in heads) for index in range(1, count)]
    asked = frozenset().union(*question.words)
    scores = [sum(not word.isdisjoint(asked) for word in families_of(head, ("en",))) for head in columns]
    best = max(scores)
    if best == 0 or scores.count(best) > 1:
        return None
    index = scores.index(best)
    return Column(index, columns[index], tuple(heads))


def _has_values(line: Passage) -> bool:
    return any(_VALUE.fullmatch(cell.strip()) for cell in line.quotes[0].split("\t"))
