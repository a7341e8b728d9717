"""Which value of a row is asked for: the columns of a table by years and periods, heads, symbols, or a list of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from pincite.answer.asked.question import Question, roots_of
from pincite.answer.material.headed_rows import Cell, HeadedRow
from pincite.answer.material.passages import Passage, Passaged, lines_of
from pincite.answer.material.rows import TableRow, is_blank, is_figure, is_prose, is_value, tabbed_cells
from pincite.answer.words.amounts import first_measure_asked, gives_measure
from pincite.answer.words.vocabulary import pattern_of
from pincite.records.chunks import ChunkRecord

LEAST_CELLS = 3
"""Cells of a row of which some can be left out: a label and one value belong together."""
LEAST_LEAD = 2.0
"""How much more evidence than any other a cell has to be, in logits: as much as units of one answer may lie apart."""
YEAR = re.compile(r"\b(?:19|20)\d\d\b")
PERIOD = pattern_of("accounts", "period")
"""What a head says of the length of a period."""
_UNIT = re.compile(r"\W*units?\W*", re.I)
_IN_BRACKETS = re.compile(r"\((?P<unit>[^()]{1,16})\)\s*$")
_HOURS = re.compile(r"\d{1,4}:[0-5]\d(?::[0-5]\d)?")
_ITEM = re.compile(r"(?:[-•–]\s*|\(?[a-z]\)\s*)?(?P<name>[^\W\d_][\w-]{2,}(?:\s[a-z][\w-]{2,})*)")


@dataclass(frozen=True, slots=True)
class Column:
    """The place of a value in its row, with the words of its head and the lines that hold them."""

    index: int
    head: str
    lines: tuple[Passaged, ...]


def asked_cells(question: Question, row: HeadedRow, evidence: Sequence[float] = ()) -> HeadedRow:
    """The row with its label, what the question names of it, and those cells whose heads hold most of the question's
    words, of those that give the asked measure where any does; else that which by far is the best `evidence` (of each
    cell, as a reader gives it), or the only number where a number is asked; beside a figure the words that stand with
    it (its unit, its condition). Else the whole row."""
    if len(row.cells) < LEAST_CELLS:
        return row
    asked, language = question.roots, row.whole[1].language
    told = [roots_of(content, language) for _, content in row.cells]
    is_named = [place == 0 or bool(words and words <= asked) for place, words in enumerate(told)]
    known = frozenset[str]().union(*(words for words, named in zip(told, is_named, strict=True) if named))
    scores = [
        (0, 0) if named else _fit(roots_of(head, language), asked - known)
        for (head, _), named in zip(row.cells, is_named, strict=True)
    ]
    measured = _giving_measure(question, row, is_named)
    if any(scores[place][0] for place in measured):
        scores = [score if place in measured else (0, 0) for place, score in enumerate(scores)]
    elif measured:
        scores = [(int(place in measured), 0) for place in range(len(scores))]
    best = max(scores)
    if not best[0]:
        place = _by_evidence(is_named, evidence)
        numbers = [place for place, (_, content) in enumerate(row.cells) if place and is_value(content)]
        if place is None and question.expected in ("number", "value") and len(numbers) == 1:
            place = numbers[0]
        if place is None:
            return row
        scores[place] = best = (1, 0)
    tied = [score[0] != best[0] for score in scores]
    likelier = _by_evidence(tied, evidence) if tied.count(False) > 1 else None
    best = best if likelier is None else scores[likelier]
    of_figures = any(is_figure(cell[1]) for cell, score in zip(row.cells, scores, strict=True) if score == best)
    kept = tuple(
        cell
        for cell, score, named in zip(row.cells, scores, is_named, strict=True)
        if named or score == best or _is_unit(cell) or (of_figures and not is_figure(cell[1]))
    )
    return replace(row, cells=_with_units(kept))


def _giving_measure(question: Question, row: HeadedRow, is_named: Sequence[bool]) -> set[int]:
    """The cells that give the measure that the question asks for first, or are blank below a head with its unit or with
    words of the question."""
    measures, asked, language = first_measure_asked(question.text), question.roots, row.whole[1].language
    free = [(place, *cell) for place, cell in enumerate(row.cells) if not is_named[place]]
    giving = {place for place, head, content in free if gives_measure(_with_unit(head, content), measures)}
    if not giving:
        return giving
    return giving | {place for place, head, content in free if is_blank(content) and roots_of(head, language) & asked}


def _with_unit(head: str, content: str) -> str:
    unit = _IN_BRACKETS.search(head)
    if unit is not None:
        return f"{1 if is_blank(content) else content} {unit['unit']}"
    return f"{content} h" if _HOURS.fullmatch(content) else content


def _by_evidence(is_named: Sequence[bool], evidence: Sequence[float]) -> int | None:
    """The cell that is evidence by far, of those that the question does not name."""
    if len(evidence) != len(is_named):
        return None
    ranked = sorted((-logit, place) for place, logit in enumerate(evidence) if not is_named[place])
    if not ranked or (len(ranked) > 1 and ranked[1][0] - ranked[0][0] < LEAST_LEAD):
        return None
    return ranked[0][1]


def _with_units(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """The cells of a row, the unit that has a column of its own put behind its figures."""
    unit = next((content for head, content in cells if _is_unit((head, content))), "")
    if not unit or not any(is_value(content) for _, content in cells):
        return tuple(cells)
    told = ((head, f"{content} {unit}" if is_value(content) else content) for head, content in cells)
    return tuple(cell for cell in told if not _is_unit(cell))


def _is_unit(cell: Cell) -> bool:
    """Whether a cell holds the unit of its row: not a number of units."""
    head, content = cell
    return bool(_UNIT.fullmatch(head)) and not is_blank(content) and not is_value(content)


def names_label(question: Question, row: HeadedRow) -> bool:
    """Whether the question holds all words of the label of a row."""
    words = roots_of(row.cells[0][1], row.whole[1].language)
    return bool(words) and words <= question.roots


def holds_of_label(question: Question, row: HeadedRow) -> bool:
    """Whether the question holds a word of the label of a row that stands in no head of its table nor above it."""
    chunk, label = row.whole[1], row.cells[0][1]
    around = " ".join([*(head for head, _ in row.cells), row.caption, row.group, *chunk.section, chunk.title or ""])
    return not question.roots.isdisjoint(roots_of(label, chunk.language) - roots_of(around, chunk.language))


def names_group(question: Question, row: HeadedRow) -> bool:
    """Whether the question holds all words of the label of the rows that a row belongs to."""
    words = roots_of(row.group, row.whole[1].language)
    return bool(words) and words <= question.roots


def names_cell(question: Question, row: HeadedRow) -> bool:
    """Whether the question holds all words of a cell in words behind the label, other than those of its head; none of
    a question for a verdict, which may ask whether a cell is so."""
    if question.yes_no:
        return False
    language = row.whole[1].language
    cells = [
        (roots_of(head, language), roots_of(text, language)) for head, text in row.cells[1:] if not is_figure(text)
    ]
    return any(bool(words) and words <= question.roots and not words <= head for head, words in cells)


def _fit(head: frozenset[str], asked: frozenset[str]) -> tuple[int, int]:
    """How many words of a head are asked for, and of how many it has besides that are not, negative."""
    return len(head & asked), -len(head - asked)


def column_of(question: Question, row: TableRow) -> Column | None:
    """The only value; the one under the asked year and period; the one under the head, or under the symbol, with most
    of the question's words; None where this is not certain."""
    if len(row.values) == 1:
        return Column(0, "", ())
    return _by_year(question, row) or _most_asked(question, columns_of(row)) or _by_symbol(question, row)


def columns_of(row: TableRow) -> list[Column]:
    """The columns of a row that have names: those of its heads, or of the list in front of its table."""
    return _headed(row) or _listed(row)


def _by_year(question: Question, row: TableRow) -> Column | None:
    asked = YEAR.findall(question.text)
    for line in reversed(row.above):
        years = YEAR.findall(line[0].text)
        if len(years) == len(row.values) and len(asked) == 1 and asked[0] in years:
            places = [index for index, year in enumerate(years) if year == asked[0]]
            if len(places) == 1:
                return Column(places[0], asked[0], (line,))
            return _by_period(question, row, line, places)
    return None


def _by_period(question: Question, row: TableRow, years: Passaged, places: Sequence[int]) -> Column | None:
    """Where the year stands more than once: the head above says which of them is the quarter and which the year."""
    wanted = asked_period(question)
    for line in row.above:
        found = list(PERIOD.finditer(line[0].text))
        if len(found) == len(places):
            fitting = [place for place, match in zip(places, found, strict=True) if match.lastgroup == wanted]
            if len(fitting) == 1:
                head = next(match.group() for match in found if match.lastgroup == wanted)
                return Column(fitting[0], f"{head}, {YEAR.findall(years[0].text)[fitting[0]]}", (line, years))
    return None


def asked_period(question: Question) -> str:
    """Whether a question asks for a quarter or for a year, as PERIOD names its groups."""
    return "quarter" if re.search(r"\bquarter\b|\bQ[1-4]\b", question.text) else "year"


def own_unit(row: TableRow) -> str:
    """The unit that a row has in a cell of its own, under a head that says so; empty where it has none."""
    cells = tabbed_cells(row.lines[0][0])
    heads = (tabbed_cells(line) for line, _ in reversed(row.above))
    head = next((found for found in heads if len(found) == len(cells) and any(map(_UNIT.fullmatch, found))), [])
    return next((cell for name, cell in zip(head, cells, strict=False) if _UNIT.fullmatch(name)), "")


def _headed(row: TableRow) -> list[Column]:
    """The columns by heads that stand in as many cells as the row has, or as it has values and one label; lines of one
    head are read downwards."""
    cells = tabbed_cells(row.lines[0][0])
    places = [place for place, text in enumerate(cells) if is_value(text)]
    if len(places) != len(row.values):
        cells, places = ["", *row.values], list(range(1, len(row.values) + 1))
    heads = [
        item
        for item in row.above
        if len(tabbed_cells(item[0])) == len(cells) and not any(map(is_value, tabbed_cells(item[0])))
    ]
    if not heads:
        return []
    names = [" ".join(tabbed_cells(line)[place] for line, _ in heads) for place in places]
    return [Column(index, name, tuple(heads)) for index, name in enumerate(names)]


def _listed(row: TableRow) -> list[Column]:
    """The columns by the list in front of the caption, where it has as many lines as the row has values: text
    recognition often loses a head of symbols, but not the list that introduces them."""
    caption = row.caption
    if caption is None:
        return []
    chunk = row.above[0][1]
    before = list(takewhile(lambda line: line.spans != caption.spans, lines_of(chunk)))
    opening = max((index for index, other in enumerate(before) if other.text.endswith(":")), default=len(before))
    items = list(takewhile(lambda item: not is_prose(item), before[opening + 1 :]))
    names = [match["name"] for item in items if (match := _ITEM.match(item.text))]
    if len(names) != len(items) or len(names) != len(row.values):
        return []
    return [Column(index, name, ((items[index], chunk),)) for index, name in enumerate(names)]


def _by_symbol(question: Question, row: TableRow) -> Column | None:
    """The column by a head of symbols, one for each value, where lines of the same chunk say what they stand for ("z is
    the height")."""
    for line in row.above:
        symbols = line[0].text.split()
        if len(symbols) != len(row.values) or any(map(is_value, symbols)):
            continue
        glosses = [_gloss(row.chunk, symbol) for symbol in symbols]
        told = [Column(i, gloss.text, ((gloss, row.chunk),)) for i, gloss in enumerate(glosses) if gloss]
        if asked := _most_asked(question, told):
            return Column(asked.index, symbols[asked.index], (line, *asked.lines))
    return None


def _gloss(chunk: ChunkRecord, symbol: str) -> Passage | None:
    """The line that says what a symbol stands for."""
    said = re.compile(rf"{re.escape(symbol)}\s(?:is\s)?(?:an?|the)\s", re.I)
    return next((line for line in lines_of(chunk) if said.match(line.text)), None)


def _most_asked(question: Question, columns: Sequence[Column]) -> Column | None:
    """The one column whose head has most of the question's words; None where two have as many."""
    asked = question.roots
    scores = [len(roots_of(column.head, "en") & asked) for column in columns]
    best = max(scores, default=0)
    return columns[scores.index(best)] if best and scores.count(best) == 1 else None
