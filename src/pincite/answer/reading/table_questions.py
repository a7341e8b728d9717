"""What a question asks of all rows of a table: how many or how much there are together, the latest, the largest, the
most frequent, what went up or down between two columns; of the rows alone that are about what the question names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from pathlib import PurePosixPath

from pincite.answer.asked.bounds import Bounds, Change, Days, asked_bounds, days_of
from pincite.answer.asked.noun_phrases import codes_in
from pincite.answer.asked.question import asked_kind, asks_meaning, families_of, roots_of, years_in
from pincite.answer.material.columns import asked_cells
from pincite.answer.material.headed_rows import HeadedRow, rows_by_line
from pincite.answer.material.rows import is_blank
from pincite.answer.reading.chances import UnitRead
from pincite.answer.reading.missing import missing_question, missing_text
from pincite.answer.reading.reads import CaseRead
from pincite.answer.said.statements import citations_of, stated
from pincite.answer.words.amounts import amounts_in
from pincite.answer.words.facts import dates_in
from pincite.answer.words.vocabulary import lexicon
from pincite.models.nearness import nearness
from pincite.records.answers import Statement

MOST_CHUNKS = 200
"""Of a document whose tables are looked at as a whole; of a part of a table nothing can be computed."""
MOST_ROWS = 6
"""That are said, and that are cited beside one that was chosen."""
MOST_ADDED = 12
"""Numbers of a sum that are shown."""
FIRST_YEAR = 1700
"""What is less and stands alone is a number of something else."""
RIGHT = 0.95
"""Of 22 answers of whole tables to blind questions 21 were right; the reader gave 16 of them a chance below .3."""
SAME_MEANING = 0.5
"""The cosine of two words: .77 for cost and price, .61 accidents and incidents; .48 doctor and patient, .44 car and
house."""
LEAST_COVERED = 0.5
"""Of the words of a question in a table and the headings above it, for one that the reader does not find near."""

_OPERATION = re.compile(
    r"\b(?:in total|total(?:s|led)?|in all|over all|all|altogether|together|combined|sum|number|most|least|often|more"
    r"|less|fewer|than|frequently|times?|between|since|before|after|during|until|has|have|had|which|what|whose|who)\b",
    re.I,
)
_TOTAL = re.compile(r"(?:(?:grand |sub-?)?totals?\b.*|sum|all|altogether|average|mean)", re.I)
_MOST = re.compile(r"\bmost\b", re.I)
_WHOSE = re.compile(r"^whose (\w+)", re.I)
_OPENS_WITH_NUMBER = re.compile(r"\W{0,3}(?:[A-Z]{2,3}\s?)?\d")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


@dataclass(frozen=True)
class Table:
    """The rows of one document below the same heads, those of totals left out; `likeliest`: the chance of its likeliest
    unit; `words`: those of the question; `codes`: its identifiers."""

    rows: tuple[HeadedRow, ...]
    likeliest: float
    words: Mapping[str, frozenset[str]]
    codes: frozenset[str]

    @cached_property
    def asked(self) -> frozenset[str]:
        """The word families of the question."""
        return frozenset[str]().union(*self.words.values())

    @cached_property
    def covered(self) -> float:
        """The share of the words of the question that stand in its heads, above it, or in a cell of its own, or mean
        what stands there; 1 where the identifiers stand in cells."""
        if self.codes and self.codes <= {cell for row in self.rows for _, cell in row.cells}:
            return 1.0
        held = self.about.union(*(self.roots(cell) for row in self.named for _, cell in row.cells))
        count = sum(not words.isdisjoint(held) or self.means(typed) for typed, words in self.words.items())
        return count / max(1, len(self.words))

    @property
    def chance(self) -> float:
        """That it answers: what a column says needs no reader to find it."""
        return max(self.likeliest, RIGHT * self.covered)

    @cached_property
    def heads(self) -> tuple[str, ...]:
        """Of its columns."""
        return tuple(head for head, _ in self.rows[0].cells)

    @cached_property
    def told(self) -> list[str]:
        """Its heads and captions, the headings above it and its document's name."""
        chunk = self.rows[0].whole[1]
        captions = dict.fromkeys(row.caption for row in self.rows)
        told = [*self.heads, *captions, *chunk.section, chunk.title or "", PurePosixPath(chunk.filename).stem]
        return [re.sub(r"[\W_]+", " ", text).strip() for text in told]

    @cached_property
    def about(self) -> frozenset[str]:
        """The word families of these."""
        return self.roots(" ".join(self.told))

    def means(self, word: str) -> bool:
        """Whether one of these, or a word of it, means about the same as a word of the question, one in English."""
        return word.isascii() and bool(
            (nearness(word, [*self.told, *" ".join(self.told).split()]) >= SAME_MEANING).any()
        )

    @cached_property
    def named(self) -> list[HeadedRow]:
        """The rows whose cells the question names, of each column of which it names any; all where it names none."""
        rows = list(self.rows)
        for place, head in enumerate(self.heads):
            own = self.roots(head)
            rows = [row for row in rows if self._is_named(row, place, own)] or rows
        groups = {group: self.roots(group) for group in {row.group for row in rows}}
        return [row for row in rows if groups[row.group] and groups[row.group] <= self.asked] or rows

    def _is_named(self, row: HeadedRow, place: int, head: frozenset[str]) -> bool:
        words = self.roots(row.cells[place][1]) if place < len(row.cells) else frozenset()
        return bool(words) and words <= self.asked and not words <= head

    def roots(self, text: str) -> frozenset[str]:
        """The word families of a text of it."""
        return roots_of(text.replace("_", " "), self.rows[0].whole[1].language)


def tables_of(read: CaseRead, units: Sequence[UnitRead]) -> list[Table]:
    """The tables that rows among these units stand in, each whole, in the order of the units. A row that two chunks
    share counts once."""
    words, codes = asked_words(read), frozenset(codes_in(read.case.question.text))
    found: dict[tuple[str, tuple[str, ...]], Table] = {}
    for unit in units:
        row, source = unit.unit.row, unit.unit.chunk.source_id
        if row is None:
            continue
        whole = rows_by_line(unit.unit.chunk).values()
        heads = next((_heads(other) for other in whole if other.lines == row.lines), _heads(row))
        if (source, heads) in found or read.case.around.size(source) > MOST_CHUNKS:
            continue
        by_place = {
            place: other
            for chunk in read.case.around.document(source)
            for place, other in rows_by_line(chunk).items()
            if _heads(other) == heads and not _TOTAL.fullmatch(other.cells[0][1])
        }
        if by_place and any(heads):
            found[source, heads] = Table(tuple(by_place.values()), unit.chance, words, codes)
    return list(found.values())


def told_of_table(read: CaseRead, bounds: Bounds, table: Table) -> list[Statement] | None:
    """What is asked of the rows of a table that are about what the question names and lie in its time; that there are
    none, where none of those lies in it; None where the table does not tell."""
    named = table.named
    in_time = _in_time(read, bounds, table, named)
    rows = named if in_time is None else in_time
    if not rows:
        is_about_some = len(named) < len(table.rows)
        return [stated(missing_text(missing_question(read.case)), "missing", ())] if is_about_some else None
    asked = _Asked(read, bounds, table, rows)
    if bounds.change and (pair := asked.compared_columns()):
        return asked.changed(bounds.change, *pair)
    if bounds.extreme in ("most often", "least often"):
        return asked.frequent()
    if bounds.extreme:
        return asked.extreme()
    if bounds.sums:
        return asked.added()
    if bounds.counts:
        return asked.counted() if len(rows) < len(table.rows) else None
    return asked.listed() if in_time is not None and len(rows) < len(table.rows) else None


def told_of_named_row(read: CaseRead) -> list[Statement]:
    """The one row that the question names, with the cell below the head that it names, of a table in which every word
    of the question stands; nothing where there is none, or where a meaning is asked. Of several such tables the one
    whose head holds most words of the question."""
    found: list[tuple[int, HeadedRow, Table]] = []
    for table in () if asks_meaning(read.case.question.text) else tables_of(read, read.units):
        if len(table.named) > 1 or len(table.rows) < 2 or table.covered < 1:
            continue
        row = table.named[0]
        shown = asked_cells(read.case.question, row)
        free = table.asked - table.roots(" ".join(content for _, content in row.cells))
        held = max((len(table.roots(head) & free) for head, _ in shown.cells[1:]), default=0)
        if held and (len(row.cells) == 2 or len(shown.cells) < len(row.cells)):
            found.append((held, shown, table))
    if not found:
        return []
    _, shown, table = max(found, key=lambda item: item[0])
    return [said_row(table, shown)]


def said_row(table: Table, row: HeadedRow, opening: str = "", beside: Sequence[HeadedRow] = ()) -> Statement:
    """A row of a table, or some of its cells, behind what was computed of it and of those `beside` it."""
    passages = [*row.passages, *(other.whole for other in beside)]
    return replace(stated(f"{opening}{row.text}", "value", passages), confidence=round(table.chance, 4))


@dataclass(frozen=True)
class _Asked:
    """What is asked of some rows of a table."""

    read: CaseRead
    bounds: Bounds
    table: Table
    rows: Sequence[HeadedRow]

    def listed(self) -> list[Statement]:
        """The rows themselves, by their days; of one thing that is asked for in other words than the table has the
        likeliest ("Which ship ran aground in 2023?")."""
        column, kind = _column_of_days(self.read, self.table), asked_kind(self.read.case.question)[:1]
        if kind and not kind[0].endswith("s") and self.table.covered < 1:
            rows = {row.lines: row for row in self.rows}
            read = (item.unit.row.lines for item in self.read.units if item.unit.row is not None)
            likeliest = next((rows[lines] for lines in read if lines in rows), None)
            return [self._row(likeliest, column)] if likeliest else []
        return [self._row(row, column) for row in self._in_order()[:MOST_ROWS]]

    def counted(self) -> list[Statement] | None:
        """How many rows there are, or what they have together of what a column counts; None where the question names
        the row, or other things than the table has."""
        kind, asked = asked_kind(self.read.case.question)[:1], self.read.case.question.roots
        noun = self._asked_noun()
        is_of_table = not noun.isdisjoint(self.table.about) or any(map(self.table.means, kind))
        if not is_of_table or any(self.table.roots(row.cells[0][1]) <= asked for row in self.rows):
            return None
        if any(not self.table.roots(head).isdisjoint(noun) for head in self.table.heads[1:]):
            return self.added()
        return self._chosen(str(len(self.rows)), self._in_order(), self.table.rows)

    def _asked_noun(self) -> frozenset[str]:
        """The word families of what is asked for ("which mills", "whose rating")."""
        kind = asked_kind(self.read.case.question)[:1] or tuple(_WHOSE.findall(self.read.case.question.text))
        return frozenset[str]().union(*map(self.table.roots, kind))

    def _in_order(self) -> list[HeadedRow]:
        column = _column_of_days(self.read, self.table)
        return sorted(self.rows, key=lambda row: days_in(row, column))

    def frequent(self) -> list[Statement] | None:
        """The value of the asked column that most rows have, or fewest; the largest number where a column counts."""
        numbers = self._most_asked(self._columns_of_numbers(), least=1)
        if numbers is not None:
            is_most = self.bounds.extreme == "most often"
            return self._extreme_of(numbers, "largest" if is_most else "smallest")
        asked = self.read.case.question.roots
        column = next((place for place, head in enumerate(self.table.heads) if self.table.roots(head) & asked), None)
        if column is None:
            return None
        counts = Counter(row.cells[column][1] for row in self.rows if len(row.cells) > column)
        ends = max(counts.values()) if self.bounds.extreme == "most often" else min(counts.values())
        if len(set(counts.values())) < 2:
            return None
        found = []
        for value in [value for value, count in counts.items() if count == ends][:MOST_ROWS]:
            holding = [row for row in self.rows if row.cells[column][1] == value]
            opening = f"Computed, {self.bounds.extreme}, {ends} of {len(self.rows)}: "
            shown = replace(holding[0], cells=(holding[0].cells[column],))
            found.append(said_row(self.table, shown, opening, beside=holding[1:]))
        return found

    def extreme(self) -> list[Statement] | None:
        """The rows with the latest or earliest day, or with the largest or smallest number."""
        is_of_time = self.bounds.extreme in ("latest", "earliest")
        dimension = _dimension(self.bounds.word)
        column = _column_of_days(self.read, self.table) if is_of_time else None
        if column is not None:
            days = {place: days_in(row, column) for place, row in enumerate(self.rows)}
            known = {place: found[0] for place, found in days.items() if found}
            ends = (max if self.bounds.extreme == "latest" else min)(known.values(), default=None)
            chosen = [self.rows[place] for place, day in known.items() if day == ends]
            is_told = len(set(known.values())) > 1 or len(self.rows) == 1
            return self._chosen(str(self.bounds.extreme), chosen, self.rows, column) if is_told and chosen else None
        if is_of_time and not dimension:
            return None
        numbers = self._most_asked(self._columns_of_numbers(), dimension)
        is_small = self.bounds.extreme in ("smallest", "latest")
        return None if numbers is None else self._extreme_of(numbers, "smallest" if is_small else "largest")

    def added(self) -> list[Statement] | None:
        """The sum of a column; None where the question does not name one."""
        column = self._most_asked(self._columns_of_numbers())
        if column is None:
            return None
        values = {place: number for place, row in enumerate(self.rows) if (number := _number(row, column)) is not None}
        if len(values) < 2:
            return None
        rows = [self.rows[place] for place in values]
        shown = " + ".join(row.cells[column][1] for row in rows[:MOST_ADDED]) + (
            " + …" if len(rows) > MOST_ADDED else ""
        )
        total = f"{sum(values.values()):,}"
        said = replace(rows[0], cells=((self.table.heads[column], shown),))
        return [said_row(self.table, said, f"Computed, sum {total} of {len(rows)}: ", beside=rows[1:MOST_ADDED])]

    def changed(self, change: Change, before: int, after: int) -> list[Statement] | None:
        """The rows whose number grew or fell between two columns, that by most where the most is asked for; None where
        the question asks for other things than the table has."""
        if self._asked_noun().isdisjoint(self.table.about):
            return None
        sign = 1 if change == "rise" else -1
        changes = [
            (sign * (last - first), row)
            for row in self.rows
            if (first := _number(row, before)) is not None and (last := _number(row, after)) is not None
        ]
        grown = [(step, row) for step, row in changes if step > 0]
        if not grown:
            return None
        if _MOST.search(self.read.case.question.text):
            most = max(step for step, _ in grown)
            chosen = [row for step, row in grown if step == most]
            return self._chosen(f"largest {change}", chosen, self.rows, before, after)
        return self._chosen(str(len(grown)), [row for _, row in grown], self.rows, before, after)

    def compared_columns(self) -> tuple[int, int] | None:
        """The columns of the two years that the question names, in their order."""
        by_year = {
            int(years[0]): place
            for place, head in enumerate(self.table.heads)
            if len(years := _YEAR.findall(head)) == 1 and place in self._columns_of_numbers()
        }
        asked = [year for year in years_in(self.read.case.question.text) if year in by_year]
        if len(asked) != 2:
            return None
        return by_year[min(asked)], by_year[max(asked)]

    def _columns_of_numbers(self) -> list[int]:
        """Where at least half of the cells that hold anything hold one number in one unit, not all of them a year."""
        found = []
        for place in range(1, len(self.table.heads)):
            filled = [row for row in self.rows if len(row.cells) > place and not is_blank(row.cells[place][1])]
            numbers = [row for row in filled if _number(row, place) is not None]
            years = [row for row in numbers if _YEAR.fullmatch(row.cells[place][1])]
            units = {(a.unit, a.currency) for row in numbers for a in amounts_in(row.cells[place][1])}
            is_alike = len(units) == 1 and len(years) < len(numbers)
            if is_alike and 2 * len(numbers) >= len(filled):
                found.append(place)
        return found

    def _most_asked(
        self, columns: Sequence[int], dimension: frozenset[str] = frozenset(), least: int = 0
    ) -> int | None:
        """The one of these columns whose head holds most words of the question, of those of a dimension where some have
        it; None where two hold as many."""
        asked = self.read.case.question.roots
        heads = {place: self.table.roots(self.table.heads[place]) for place in columns}
        fitting = {place: head for place, head in heads.items() if head & dimension} or heads
        scores = {place: (len(head & asked), -len(head - asked)) for place, head in fitting.items()}
        best = max(scores.values(), default=(0, 0))
        chosen = [place for place, score in scores.items() if score == best]
        is_meant = best[0] >= least and (best[0] > 0 or len(fitting) == 1)
        return chosen[0] if is_meant and len(chosen) == 1 else None

    def _extreme_of(self, column: int, which: str) -> list[Statement] | None:
        sign = 1 if which == "largest" else -1
        values = {place: number for place, row in enumerate(self.rows) if (number := _number(row, column)) is not None}
        if len(set(values.values())) < 2:
            return None
        most = max(sign * number for number in values.values())
        chosen = [self.rows[place] for place, number in values.items() if sign * number == most]
        return self._chosen(which, chosen, [self.rows[place] for place in values], column)

    def _chosen(
        self, what: str, chosen: Sequence[HeadedRow], of: Sequence[HeadedRow], *columns: int
    ) -> list[Statement]:
        """The chosen rows, the first with what was computed and with what it was compared with."""
        others = [row for row in of if row not in chosen][:MOST_ROWS]
        opening = f"Computed, {what} of {len(of)}: " if len(of) > 1 else ""
        first, *rest = chosen[:MOST_ROWS]
        told = self._row(first, *columns)
        beside = tuple(citation for row in others for citation in citations_of(*row.whole))
        made = replace(told, text=f"{opening}{told.text}", citations=(*told.citations, *beside))
        return [made, *(self._row(row, *columns) for row in rest)]

    def _row(self, row: HeadedRow, *columns: int | None) -> Statement:
        """A row with the cells that are asked for, those of these columns among them."""
        noun = self._asked_noun()
        meant = (place for place, head in enumerate(self.table.heads) if self.table.roots(head) & noun)
        kept = {0, *meant, *(column for column in columns if column is not None)}
        asked = asked_cells(self.read.case.question, row)
        shown = [
            cell
            for place, cell in enumerate(row.cells)
            if place in kept or (cell in asked.cells and len(asked.cells) < len(row.cells))
        ]
        if self.read.case.question.expected == "person":
            return said_row(self.table, row)
        return said_row(self.table, replace(row, cells=tuple(shown) if len(kept) > 1 else asked.cells))


def _heads(row: HeadedRow) -> tuple[str, ...]:
    return tuple(head for head, _ in row.cells)


def asked_words(read: CaseRead) -> Mapping[str, frozenset[str]]:
    """The words of the question, each with its families, but those of its dates and of what is to be computed."""
    text = read.case.question.text
    bounds = asked_bounds(text)
    for word in (*(moment.text for moment in dates_in(text)), bounds.word if bounds else ""):
        text = text.replace(word, " ") if word else text
    words = [word.strip("?!.,;:()\"'“”") for word in _OPERATION.sub(" ", text).split()]
    languages = read.case.retrieval.query.languages
    families = {word: frozenset[str]().union(*families_of(word, languages)) for word in dict.fromkeys(words)}
    return {word: found for word, found in families.items() if found}


def _in_time(read: CaseRead, bounds: Bounds, table: Table, rows: Sequence[HeadedRow]) -> Sequence[HeadedRow] | None:
    """Those of the asked days; None where the question asks for none or names heads by them, or no row has a date."""
    column = _column_of_days(read, table)
    heads = {int(year) for head in table.heads for year in _YEAR.findall(head)}
    if bounds.days is None or column is None or not heads.isdisjoint(years_in(read.case.question.text)):
        return None
    begin, end = bounds.days
    return [row for row in rows if any(first <= end and begin <= last for first, last in days_in(row, column))]


def _column_of_days(read: CaseRead, table: Table) -> int | None:
    """The column of dates that the question names, else the first of them."""
    columns = [
        place
        for place in range(len(table.heads))
        if 2 * sum(bool(days_in(row, place)) for row in table.rows) > len(table.rows)
    ]
    asked = read.case.question.roots
    return max(columns, key=lambda place: len(table.roots(table.heads[place]) & asked), default=None)


def days_in(row: HeadedRow, column: int | None) -> list[Days]:
    """The days of a cell's dates."""
    if column is None or column >= len(row.cells):
        return []
    return [days_of(moment) for moment in dates_in(row.cells[column][1]) if moment.month or moment.year >= FIRST_YEAR]


def _number(row: HeadedRow, column: int) -> Decimal | None:
    """The one number of a cell that opens with it, None where it has none or several."""
    text = row.cells[column][1] if column < len(row.cells) else ""
    amounts = list(amounts_in(text)) if _OPENS_WITH_NUMBER.match(text) else []
    if len(amounts) != 1 or amounts[0].number.count(".") > 1:
        return None
    return Decimal(f"{amounts[0].minus}{amounts[0].number}")


def _dimension(word: str) -> frozenset[str]:
    """What a superlative compares, as the words of heads ("oldest": "age", "built")."""
    found = (kind for kind in lexicon("dimensions")["kinds"] if word.casefold() in kind["superlatives"].split())
    return roots_of(next(found, {"heads": ""})["heads"], "en")
