"""Rows of the statements of companies' accounts: what a line is called, on which page it stands, its value by year."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from pincite.answer.material.case import Case
from pincite.answer.material.columns import PERIOD, YEAR, asked_period
from pincite.answer.material.passages import Passaged, lines_of
from pincite.answer.material.rows import cells_of
from pincite.answer.plans.tables import UNIT
from pincite.answer.words.vocabulary import lexicon as shipped
from pincite.answer.words.vocabulary import pattern_of

MOST_PAGES = 4
"""Pages of one kind: a statement, its earlier year, its summary and its restatement."""
LEAST_LINES = 2
"""Rows of a page under the title of a statement: one line alone may be a sentence."""
LEAST_UNTITLED = 4
"""The same without its title: a statement has more, a note fewer. By eye, not measured."""
IN_ANY_TABLE = "any"
TITLE_WORTH = 3
"""Rows that a title counts as (0501)."""
LONGEST_TITLE = 90
"""Characters: longer lines are sentences. By eye, not measured."""

_WHOLE_YEAR = pattern_of("accounts", "whole_year")


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure that questions name, and the names of the lines that it is made of."""

    names: re.Pattern[str]
    lines: tuple[str, ...]
    broad: bool


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The statements by the pattern of their titles, the lines by statement and labels, those of them that are deducted
    and may stand in brackets for it, the measures."""

    titles: Mapping[str, re.Pattern[str]]
    statement_of: Mapping[str, str]
    labels: Mapping[str, tuple[re.Pattern[str], ...]]
    deductions: frozenset[str]
    measures: tuple[Measure, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A row of a statement with its values by year (none where its columns are not certain) and their unit; `period` is
    the head of their columns where the row has other periods, too."""

    line: Passaged
    label: str
    values: Mapping[int, str]
    heads: tuple[Passaged, ...]
    unit: Passaged | None
    period: str = ""


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The lexicon that is shipped with the package."""
    found = shipped("accounts")
    lines = found["lines"]
    return Lexicon(
        titles={name: re.compile(pattern, re.I) for name, pattern in found["statements"].items()},
        statement_of={name: line["statement"] for name, line in lines.items()},
        labels={name: tuple(re.compile(label, re.I) for label in line["labels"]) for name, line in lines.items()},
        deductions=frozenset(name for name, line in lines.items() if line.get("deduction", False)),
        measures=tuple(
            Measure(re.compile(item["names"], re.I), tuple(item["lines"]), item.get("broad", False))
            for item in found["measures"]
        ),
    )


class Accounts:
    """The pages of one document on which its statements stand."""

    def __init__(self, case: Case, source_id: str) -> None:
        self._chunks = case.around.document(source_id)
        self._period = asked_period(case.question)
        self._pages: dict[str, list[list[Passaged]]] = {}

    def figure(self, name: str, years: Sequence[int]) -> Figure | None:
        """The row of this line on the best page that has one with an asked year, else on the best that has one."""
        statement = lexicon().statement_of[name]
        if statement not in self._pages:
            self._pages[statement] = self._pages_of(statement)
        found = [figure for page in self._pages[statement] if (figure := _figure(page, name, self._period)) is not None]
        return next((figure for figure in found if set(years) & set(figure.values)), next(iter(found), None))

    def _pages_of(self, statement: str) -> list[list[Passaged]]:
        """The lines of the pages that hold rows of this statement: those with most rows first, a title counting as some
        rows more."""
        names = [name for name, owner in lexicon().statement_of.items() if owner == statement]
        rough = re.compile("|".join(p.pattern for name in names for p in lexicon().labels[name]), re.I)
        least, least_untitled = (1, 1) if statement == IN_ANY_TABLE else (LEAST_LINES, LEAST_UNTITLED)
        pages: dict[int, dict[tuple[int, int], Passaged]] = defaultdict(dict)
        for chunk in self._chunks:
            if sum(bool(rough.match(line)) for line in chunk.content.split("\n")) < least:
                continue
            for line in lines_of(chunk):
                span = line.spans[0]
                pages[span.page].setdefault((span.start, span.end), (line, chunk))
        scored = []
        for number, lines in sorted(pages.items()):
            ordered = [lines[place] for place in sorted(lines)]
            cells = [cells_of(line) for line, _ in ordered]
            rows = sum(_row(cells, name) is not None for name in names)
            titled = any(map(lexicon().titles[statement].search, _titles(ordered)))
            if rows >= (least if titled else least_untitled):
                scored.append((-rows - TITLE_WORTH * titled, number, ordered))
        return [lines for _, _, lines in sorted(scored, key=lambda item: item[:2])[:MOST_PAGES]]


def _titles(lines: Sequence[Passaged]) -> Iterator[str]:
    """The short lines of a page and the headings above it, without spaces and signs."""
    texts = [line.text for line, _ in lines if len(line.text) <= LONGEST_TITLE]
    for text in (*texts, *(title for _, chunk in lines[:1] for title in chunk.section[-1:])):
        yield re.sub(r"[\W\d_]", "", text)


def _row(cells: Sequence[tuple[str, tuple[str, ...]]], name: str) -> tuple[int, str, tuple[str, ...]] | None:
    """Index, label and values of the first row that is called like this line of a statement."""
    for pattern in lexicon().labels[name]:
        for index, (label, values) in enumerate(cells):
            if values and pattern.fullmatch(label.rstrip(" :*").strip()):
                return index, label, values
    return None


def _figure(lines: Sequence[Passaged], name: str, period: str) -> Figure | None:
    found = _row([cells_of(line) for line, _ in lines], name)
    if found is None:
        return None
    index, label, values = found
    above = lines[:index]
    unit = next((item for item in reversed(above) if UNIT.search(item[0].text)), None)
    bare = Figure(lines[index], label, {}, (), unit)
    amounts = tuple(value for value in values if "%" not in value)
    for cells in dict.fromkeys((values, amounts)):
        if figure := _by_years(bare, cells, above, period):
            return figure
    return _of_whole_year(bare, amounts, above) or bare


def _by_years(bare: Figure, values: Sequence[str], above: Sequence[Passaged], period: str) -> Figure | None:
    """The values under the nearest head with as many years; where a year stands twice, those of the asked period."""
    head = next((item for item in reversed(above) if len(YEAR.findall(item[0].text)) == len(values)), None)
    if head is None:
        return None
    years = [int(year) for year in YEAR.findall(head[0].text)]
    if len(set(years)) == len(values):
        return replace(bare, values=dict(zip(years, values, strict=True)), heads=(head,))
    for item in reversed(above):
        periods = list(PERIOD.finditer(item[0].text))
        kinds = [found.lastgroup for found in periods]
        if len(kinds) > 1 and len(values) % len(kinds) == 0 and kinds.count(period) == 1:
            place, size = kinds.index(period), len(values) // len(kinds)
            own = dict(list(zip(years, values, strict=True))[place * size : (place + 1) * size])
            return replace(bare, values=own, heads=(item, head), period=periods[place].group())
    return None


def _of_whole_year(bare: Figure, amounts: Sequence[str], above: Sequence[Passaged]) -> Figure | None:
    """The figure under the one head that says "full year", where amounts and percents take turns under one year."""
    year = next((item for item in reversed(above) if len(set(YEAR.findall(item[0].text))) == 1), None)
    for item in reversed(above):
        heads = [cell.strip() for cell in item[0].quotes[0].split("\t") if cell.strip()]
        whole = [index for index, head in enumerate(heads) if _WHOLE_YEAR.search(head)]
        if year is not None and len(heads) == len(amounts) and len(whole) == 1:
            values = {int(YEAR.findall(year[0].text)[0]): amounts[whole[0]]}
            return replace(bare, values=values, heads=(year, item))
    return None
