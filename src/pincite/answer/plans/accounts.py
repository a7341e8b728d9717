"""Figures of companies' accounts: the rows of the statement that a measure is made of, for the years that are asked.

"Gross margin" stands on no line of a statement of income, but net sales and cost of sales do. Nothing is computed but
which of two figures is the greater (EXAMPLES.md, 6 and 9b).
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files

from pincite.answer.case import Case
from pincite.answer.document import named_documents
from pincite.answer.passages import lines_of
from pincite.answer.plans.tables import UNIT, YEAR, cells_of
from pincite.answer.question import families_of, sentences_in, years_in
from pincite.answer.sentences import sentences_of_chunk
from pincite.answer.statements import Passaged, stated
from pincite.records import Statement

MOST_DOCUMENTS = 4
MOST_LINES = 6
MOST_PAGES = 4
LEAST_LINES = 2
LEAST_UNTITLED = 4
IN_ANY_TABLE = "any"
TITLE_WORTH = 3
MOST_OTHER_WORDS = 2
LONGEST_TITLE = 90

_WHOLE_YEAR = re.compile(r"\b(?:full year|twelve months|12 months|year ended|annual)\b", re.I)
_BASIS = re.compile(r"\b(?:recast|restated|pro forma|reclassified)\b", re.I)
_GREW = re.compile(r"\b(?:gr[eo]w|increas|improv|more|higher|r[io]se|expand|gain)", re.I)
_FELL = re.compile(r"\b(?:declin|decreas|drop|less|fewer|lower|f[ae]ll|reduc|shr[iau]nk)", re.I)
# What questions on figures say beside the measure, the company and the year.
_PLAIN = (
    "amount million billion thousand usd dollar question answer response statement sheet balance income cash flow "
    "detail show year end fiscal change growth rate compare improve decline increase decrease between company "
    "metric useful base data profile assume public equity analyst primary use information follow calculate round "
    "decimal percent unit line item clear total net full quarter month how what did does was were much many spend "
    "spent generate report give rely respect perspective standpoint investment bank formerly know operate operation "
    "point place value drop grow more less over one two any there among"
)


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure that questions name, and the names of the lines that it is made of."""

    names: re.Pattern[str]
    lines: tuple[str, ...]
    broad: bool


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The statements by the pattern of their titles, the lines by statement and labels, the measures."""

    titles: Mapping[str, re.Pattern[str]]
    statement_of: Mapping[str, str]
    labels: Mapping[str, tuple[re.Pattern[str], ...]]
    measures: tuple[Measure, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A row of a statement with its values by year (none where its columns are not certain) and their unit."""

    line: Passaged
    label: str
    values: Mapping[int, str]
    heads: tuple[Passaged, ...]
    unit: Passaged | None


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The lexicon that is shipped with the package."""
    found = tomllib.loads(files("pincite.answer.plans").joinpath("accounts.toml").read_text(encoding="utf-8"))
    lines = found["lines"]
    return Lexicon(
        titles={name: re.compile(pattern, re.I) for name, pattern in found["statements"].items()},
        statement_of={name: line["statement"] for name, line in lines.items()},
        labels={name: tuple(re.compile(label, re.I) for label in line["labels"]) for name, line in lines.items()},
        measures=tuple(
            Measure(re.compile(item["names"], re.I), tuple(item["lines"]), item.get("broad", False))
            for item in found["measures"]
        ),
    )


def accounted(case: Case) -> list[Statement]:
    """The figures of the measures that the question names, of the documents that it names."""
    names = _asked_lines(case)
    if not names:
        return []
    years = years_in(case.question.text)
    evidence = [item.chunk.source_id for item in case.retrieval.evidence]
    sources = named_documents(case)[:MOST_DOCUMENTS] or evidence[:1]
    statements = [_Statements(case, source) for source in sources]
    found = [[row for pages in statements if (row := pages.figure(name, years)) is not None] for name in names]
    figures = [rows for rows in found if rows][:MOST_LINES]
    if len(names) == 1 and figures and len(years) == 2 and (compared := _compared(case, figures[0], years)):
        return [compared]
    return [statement for rows in figures for statement in _stated_rows(case, rows, years)]


def names_measure(question: str) -> bool:
    """Whether a question names a measure of accounts."""
    return any(measure.names.search(question) for measure in lexicon().measures)


def _asked_lines(case: Case) -> list[str]:
    text = case.question.text
    matched = [measure for measure in lexicon().measures if measure.names.search(text)]
    if any(not measure.broad for measure in matched):
        matched = [measure for measure in matched if not measure.broad]
    elif matched and _other_words(case, matched) > MOST_OTHER_WORDS:
        return []
    return list(dict.fromkeys(name for measure in matched for name in measure.lines))


def _other_words(case: Case, measures: Sequence[Measure]) -> int:
    """How many words of the asking sentence are neither of the measure, nor a name, a year or a plain word."""
    sentences = sentences_in(case.question.text)
    text = " ".join(part for part in sentences if any(measure.names.search(part) for measure in measures))
    for measure in measures:
        text = measure.names.sub(" ", text)
    plain = frozenset().union(*families_of(_PLAIN, ("en",)))
    words = [word for word in families_of(text, ("en",)) if word.isdisjoint(plain | case.question.name_roots)]
    return sum(not any(form.isdigit() or form.startswith("fy") for form in word) for word in words)


class _Statements:
    """The pages of one document on which its statements stand."""

    def __init__(self, case: Case, source_id: str) -> None:
        self._chunks = case.around.document(source_id)
        self._pages: dict[str, list[list[Passaged]]] = {}

    def figure(self, name: str, years: Sequence[int]) -> Figure | None:
        """The row of this line on the best page that has one with an asked year, else on the best that has one."""
        statement = lexicon().statement_of[name]
        if statement not in self._pages:
            self._pages[statement] = self._pages_of(statement)
        found = [figure for page in self._pages[statement] if (figure := _figure(page, name)) is not None]
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
            rows = sum(_row(ordered, name) is not None for name in names)
            titled = any(map(lexicon().titles[statement].search, _titles(ordered)))
            if rows >= (least if titled else least_untitled):
                scored.append((-rows - TITLE_WORTH * titled, number, ordered))
        return [lines for _, _, lines in sorted(scored, key=lambda item: item[:2])[:MOST_PAGES]]


def _titles(lines: Sequence[Passaged]) -> Iterator[str]:
    """The short lines of a page and the headings above it, without spaces and signs."""
    texts = [line.text for line, _ in lines if len(line.text) <= LONGEST_TITLE]
    for text in (*texts, *(title for _, chunk in lines[:1] for title in chunk.section[-1:])):
        yield re.sub(r"[\W\d_]", "", text)


def _row(lines: Sequence[Passaged], name: str) -> tuple[int, str, tuple[str, ...]] | None:
    """Index, label and values of the first row that is called like this line of a statement."""
    cells = [cells_of(line) for line, _ in lines]
    for pattern in lexicon().labels[name]:
        for index, (label, values) in enumerate(cells):
            if values and pattern.fullmatch(label.rstrip(" :*").strip()):
                return index, label, values
    return None


def _figure(lines: Sequence[Passaged], name: str) -> Figure | None:
    found = _row(lines, name)
    if found is None:
        return None
    index, label, values = found
    above = lines[:index]
    head = next((item for item in reversed(above) if len(YEAR.findall(item[0].text)) == len(values)), None)
    unit = next((item for item in reversed(above) if UNIT.search(item[0].text)), None)
    years = [int(year) for year in YEAR.findall(head[0].text)] if head else []
    if len(set(years)) == len(values):
        return Figure(lines[index], label, dict(zip(years, values, strict=True)), (head,) if head else (), unit)
    return _of_whole_year(lines[index], label, values, above, unit) or Figure(lines[index], label, {}, (), unit)


def _of_whole_year(
    line: Passaged, label: str, values: Sequence[str], above: Sequence[Passaged], unit: Passaged | None
) -> Figure | None:
    """The figure under the one head that says "full year", where amounts and percents take turns under one year."""
    amounts = [value for value in values if "%" not in value]
    year = next((item for item in reversed(above) if len(set(YEAR.findall(item[0].text))) == 1), None)
    for item in reversed(above):
        heads = [cell.strip() for cell in item[0].quotes[0].split("\t") if cell.strip()]
        whole = [index for index, head in enumerate(heads) if _WHOLE_YEAR.search(head)]
        if year is not None and len(heads) == len(amounts) and len(whole) == 1:
            values_by_year = {int(YEAR.findall(year[0].text)[0]): amounts[whole[0]]}
            return Figure(line, label, values_by_year, (year, item), unit)
    return None


def _stated_rows(case: Case, figures: Sequence[Figure], years: Sequence[int]) -> list[Statement]:
    """Each asked year from the first document that has it; where another has another figure for it, both, and on which
    basis it stands."""
    chosen: dict[int, Figure] = {}
    others: list[Figure] = []
    for figure in figures:
        for year in (year for year in years if year in figure.values):
            first = chosen.setdefault(year, figure)
            if _number(first.values[year]) != _number(figure.values[year]):
                others.append(figure)
    if not chosen:
        return [stated(figures[0].line[0].text, "value", [figures[0].line])]
    made = [_stated(figure, [y for y in years if chosen.get(y) is figure]) for figure in _distinct(chosen.values())]
    if not others:
        return made
    said = [replace(made[0], text=f"Two figures on two bases. {made[0].text}", kind="conflict")]
    said += [replace(_stated(figure, [y for y in years if y in figure.values]), kind="conflict") for figure in others]
    return [*said, *made[1:], *_bases(case, others)]


def _distinct(figures: Iterable[Figure]) -> list[Figure]:
    return list({id(figure): figure for figure in figures}.values())


def _bases(case: Case, figures: Sequence[Figure]) -> list[Statement]:
    """What each of these documents says first of its figures being stated anew: a sentence, or a line of a heading."""
    made = []
    for source_id in dict.fromkeys(figure.line[1].source_id for figure in figures):
        chunks = [chunk for chunk in case.around.document(source_id) if _BASIS.search(chunk.content)]
        sentences = [(s.passage, s.chunk) for chunk in chunks for s in sentences_of_chunk(chunk, None, 0)]
        lines = [(line, chunk) for chunk in chunks for line in lines_of(chunk)]
        told = next((item for item in (*sentences, *lines) if _BASIS.search(item[0].text)), None)
        made += [] if told is None else [stated(told[0].text, "fact", [told])]
    return made


def _stated(figure: Figure, years: Sequence[int]) -> Statement:
    parts = [f"{year}: {figure.values[year]}" for year in years]
    return stated(f"{figure.label}, {'; '.join(parts)}{_unit(figure)}", "value", _cited(figure))


def _unit(figure: Figure) -> str:
    match = UNIT.search(figure.unit[0].text) if figure.unit else None
    return f" ({match.group().strip('() ')})" if match else ""


def _cited(figure: Figure) -> list[Passaged]:
    return [item for item in (figure.unit, *figure.heads, figure.line) if item is not None]


def _compared(case: Case, figures: Sequence[Figure], years: Sequence[int]) -> Statement | None:
    """Whether the figure of the later year is the greater, as the question asks; both are cited."""
    text = case.question.text
    rises = bool(_GREW.search(text))
    if not case.question.yes_no or rises == bool(_FELL.search(text)):
        return None
    early, late = sorted(years)
    found = [next((figure for figure in figures if year in figure.values), None) for year in (late, early)]
    if found[0] is None or found[1] is None or _unit(found[0]) != _unit(found[1]):
        return None
    after, before = found[0].values[late], found[1].values[early]
    verdict = "Yes" if (_number(after) > _number(before)) == rises and _number(after) != _number(before) else "No"
    said = f"{verdict}: {found[0].label}, {late}: {after}, against {before} in {early}{_unit(found[0])}"
    return stated(said, "verdict", [*_cited(found[0]), *_cited(found[1])])


def _number(value: str) -> float:
    """The number that a cell holds; brackets make it negative."""
    digits = re.sub(r"[^\d.]", "", value)
    return (-1 if "(" in value else 1) * float(digits.rstrip(".") or 0)
