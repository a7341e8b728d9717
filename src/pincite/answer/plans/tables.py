"""A value from a table: the row whose label the question names, the column whose head it names, with its unit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from pincite.answer.asked.question import Question, asked_quantity, families_of, roots_of
from pincite.answer.material.case import Case
from pincite.answer.material.columns import LEAST_CELLS, YEAR, Column, asked_cells, column_of, own_unit
from pincite.answer.material.document import named_documents
from pincite.answer.material.headed_rows import HeadedRow, rows_by_line
from pincite.answer.material.limits import admits
from pincite.answer.material.passages import Passaged, start_of
from pincite.answer.material.rows import TableRow, rows_of, table_label
from pincite.answer.material.sentences import heading_of
from pincite.answer.plans.enough import HALF_OF_WORDS, LOOKED_AT
from pincite.answer.said.statements import stated
from pincite.answer.words.amounts import amounts_in, as_printed, gives_measure, measures_asked, shape
from pincite.answer.words.facts import folded_name
from pincite.answer.words.vocabulary import MONTHS, pattern_of, phrases_of
from pincite.records.answers import Statement
from pincite.records.chunks import ChunkRecord

LEAST_LETTERS = 2
"""Fewer are a sign or a note."""
LEAST_ALIKE = 4
"""Characters: in shorter words letters that look alike tell words apart ("lnilk" has enough). By eye, not measured."""
LEAST_NAME = 6
"""Characters: shorter labels stand in any question. By eye, not measured."""
LONGEST_LABEL = 16
"""Words of a label that a question could repeat; a bound, so that a long question has no square of runs."""
_CLASS = re.compile(rf"\b(?P<kind>{phrases_of('standards', 'classes')})\s(?P<key>[A-Z0-9]\w{{0,2}})\b", re.I)
_BESIDE = pattern_of("accounts", "beside")


# What a line of a table opens with, up to its first value.
_LABEL = re.compile(r"[^\t\d$]+(?=[\t\d$])")


_LETTER = re.compile(r"[^\W\d_]")
_MONTH = re.compile(rf"\b(?:{'|'.join(MONTHS[0])})\b", re.I)


def opens_with(line: str, asked: frozenset[str], chunk: ChunkRecord) -> bool:
    """Whether a line of a table opens with a label that the question names."""
    label = _LABEL.match(line)
    name = squeezed(label.group()) if label else ""
    return len(name) >= LEAST_NAME and name in asked and name not in squeezed(chunk.filename)


def is_other_class(question: Question, label: str) -> bool:
    """Whether a row is of another class than the one that the question names ("category A", "zone 2")."""
    asked = {match["kind"].casefold(): match["key"] for match in _CLASS.finditer(question.text)}
    return any(asked.get(match["kind"].casefold(), match["key"]) != match["key"] for match in _CLASS.finditer(label))


def has_words(label: str) -> bool:
    """Whether a label has letters that are no date."""
    return len(_LETTER.findall(_MONTH.sub("", label))) >= LEAST_LETTERS


def is_label_named(question: Question, label: str, row: TableRow) -> bool:
    """Whether the question names a label as it stands, by its key, or with letters that look alike; the name of the
    document is no label."""
    name = squeezed(_BESIDE.sub("", label))
    if name in squeezed(row.chunk.filename):
        return False
    if name in runs_of(question.text) or _is_key(question, label, row):
        return True
    return len(name) >= LEAST_ALIKE and shape(name) in map(shape, re.findall(r"\w+", question.text))


def _is_key(question: Question, label: str, row: TableRow) -> bool:
    """Whether a label opens with the key of the class that the question names ("category III"), in a table of its
    kind."""
    asked = _CLASS.search(question.text)
    if asked is None or label.split(maxsplit=1)[0] != asked["key"]:
        return False
    return any(asked["kind"].casefold() in line.text.casefold() for line, _ in row.above)


@lru_cache(maxsize=4)
def runs_of(question: str) -> frozenset[str]:
    """All runs of words of a question, squeezed: what it may name, however that is parted ("FL 4", "FL4")."""
    words = [squeezed(word) for word in re.findall(r"\w+", question)]
    return frozenset(
        "".join(words[start:end])
        for start in range(len(words))
        for end in range(start + 1, min(len(words), start + LONGEST_LABEL) + 1)
    )


def squeezed(text: str) -> str:
    """A text without signs and spaces, in small letters."""
    return re.sub(r"\W", "", text).casefold()


MOST_SOURCES = 2
"""Documents that are read whole: two years are two documents of one company."""
LEAST_PRECISION = 0.5
"""Of the words of a label: with less, another row has as many. By eye, not measured."""
QUANTITY_WORTH = 0.5
"""As much as half the question's words, since a label may stand in tables of two quantities. By eye, not measured."""
NUMBER_WORTH = 0.3
"""A number in label and question: less than the quantity, more than a word. By eye, not measured."""
PERIOD_COST = 0.5
"""As much as the quantity is worth: what there is comes before what flowed (0505). By eye, not measured."""
HIT_WORTH = 0.2
"""Of each word: between two rows that fit as well, the one that is named by more of them. By eye, not measured."""
RECOMMENDED = re.compile(r"\brecommended\b", re.I)


# A label that swallowed the beginning of a range ("category C 2,0 to").
_LOST = re.compile(r"\d\s+to\S*$")


# A unit with a stroke in brackets: "[kN/m2]", "(kg/h)".
_BRACKETED_UNIT = re.compile(r"[\[(][^\[\]()\d]{0,6}[^\W\d_]/[^\[\]()]{1,6}[\])]")


# "What is the QUANTITY of a thing".
_OF_SOMETHING = re.compile(
    r"^what (?:is|are|was|were) (?:the )?(?P<quantity>[\w'% -]+?) (?:of|for) (?:an? |the )?\w", re.I
)


_DATED = re.compile(rf"\bended\b|\b(?:{'|'.join(MONTHS[0])}) \d", re.I)
_MOMENT = pattern_of("accounts", "moment")
_CASH_FLOW = pattern_of("accounts", "cash_flow")
_STATEMENT = pattern_of("accounts", "statement_title")
_FLOW = pattern_of("accounts", "flow")
UNIT = pattern_of("accounts", "scale")
_DIGITS = re.compile(r"\d+(?:[.,]\d+)?")


def looked_up(case: Case) -> list[Statement]:
    """The cell that the question asks for; where its column is not certain, the row as it stands, if the question
    names it."""
    quantity = _quantity(case.question)
    if quantity is None:
        return []
    found = [(fit, row) for row in _rows(case) if (fit := _fit(case, row, quantity)) is not None]
    best = max(found, key=lambda item: round(item[0], 6), default=None)
    return [] if best is None else _row_or_cell(case.question, best[1])


def _quantity(question: Question) -> str | None:
    """The quantity whose value is asked; empty where a value is asked without its name, None where none is."""
    if question.expected in ("number", "value"):
        return asked_quantity(question) or ""
    if YEAR.search(question.text):
        return ""
    match = _OF_SOMETHING.match(question.text)
    return match["quantity"] if match else None


def _rows(case: Case) -> Iterator[TableRow]:
    """The rows of the best chunks, and of those of a named document that hold a line which the question names."""
    sources, asked = named_documents(case), runs_of(case.question.text)
    best = [item.chunk for item in case.retrieval.evidence[:LOOKED_AT]]
    near = [chunk for chunk in best if not sources or chunk.source_id in sources]
    whole = [chunk for source in sources[:MOST_SOURCES] for chunk in case.around.document(source)]
    naming = [chunk for chunk in whole if any(opens_with(line, asked, chunk) for line in chunk.content.split("\n"))]
    for chunk in {chunk.chunk_id: chunk for chunk in (*near, *naming)}.values():
        for row in rows_of(chunk, case.around.preceding(chunk)):
            is_other = is_other_class(case.question, row.label) or admits(case.question.text, row.label) is False
            if not is_other and not _LOST.search(row.label):
                yield row


def _fit(case: Case, row: TableRow, quantity: str) -> float | None:
    """How well a row fits: the words of its label, or of one part of it, stand in the question, and the question's in
    it and above it. Where nothing but the form of the question asks for a value, a whole part of the label and the
    name of the quantity have to stand there."""
    question, languages = case.question, case.retrieval.query.languages
    labels = [label for label in dict.fromkeys((*row.labels, row.label)) if has_words(label)]
    named = any(is_label_named(question, label, row) for label in labels)
    words = families_of(row.label, languages)
    is_named = row.chunk.source_id in case.retrieval.trace.documents
    own = _document_name(question.text, row.chunk.filename) if is_named else frozenset()
    asked = question.roots if all(word <= own for word in words) else question.roots - own
    precisions = [_precision(families_of(label, languages), asked) for label in labels]
    if not named and case.names_something_unknown:
        return None
    precision = 1.0 if named else max(precisions, default=0.0)
    hits = sum(not word.isdisjoint(asked) for word in words) + named
    if (
        hits == 0
        or precision < LEAST_PRECISION
        or _is_of_other_measure(question, row)
        or (coverage := _coverage(case, row)) < HALF_OF_WORDS
    ):
        return None
    if question.expected not in ("number", "value") and quantity and not (named and _speaks_of(row, quantity)):
        return None
    numbers = set(_DIGITS.findall(row.label)) & set(_DIGITS.findall(question.text))
    heads_quantity = bool(quantity) and any(folded_name(quantity) in folded_name(line.text) for line, _ in row.above)
    worth = QUANTITY_WORTH * heads_quantity - PERIOD_COST * _is_flow(question, row)
    return worth + coverage + precision + HIT_WORTH * hits + named + NUMBER_WORTH * len(numbers)


@lru_cache(maxsize=8)
def _document_name(question: str, filename: str) -> frozenset[str]:
    """The words by which a question names a document ("Boeing"): a row of it that holds them among others ("Boeing
    Capital") is not the asked one for that."""
    name = squeezed(filename)
    return roots_of(" ".join(word for word in question.split() if squeezed(word) in name), "en")


def _coverage(case: Case, row: TableRow) -> float:
    """The share of the question's words that a row, the lines above it, its headings and its document's name hold."""
    chunk, words = row.chunk, case.question.words
    texts = [row.label, heading_of(chunk), chunk.title or "", chunk.filename, *(line.text for line, _ in row.above)]
    around = re.sub(r"[_.]", " ", " ".join(texts))
    held = frozenset().union(*families_of(around, case.retrieval.query.languages))
    return sum(not word.isdisjoint(held) for word in words) / max(1, len(words))


def _is_flow(question: Question, row: TableRow) -> bool:
    """Whether a row says what flowed in a period and the question asks what there was: it names a day, or speaks of no
    change where the row is one of cash flows. The nearest title and the nearest date above the row tell which it is."""
    above = [*(line.text for line, _ in reversed(row.above)), *row.chunk.section[-1:]]
    titled = next((text for text in above if _STATEMENT.search(text)), "")
    dated = next((text for text in above if _DATED.search(text)), "")
    of_cash = bool(_CASH_FLOW.search(titled))
    is_of_period = bool(re.search(r"\bended\b", dated, re.I))
    return (is_of_period and bool(_MOMENT.search(question.text))) or (of_cash and not _FLOW.search(question.text))


def _is_of_other_measure(question: Question, row: TableRow) -> bool:
    """Whether the values of a row have units of their own, and those of another measure than the asked one ("5 m" where
    a weight is asked)."""
    asked = measures_asked(question.text)
    units = [amount.unit for value in row.values for amount in amounts_in(value)]
    return bool(asked and units and all(units)) and not gives_measure(" ".join(row.values), asked)


def _speaks_of(row: TableRow, quantity: str) -> bool:
    """Whether the name of a quantity stands above a row or anywhere in its chunk."""
    return folded_name(quantity) in folded_name(" ".join([row.chunk.content, *(line.text for line, _ in row.above)]))


def _precision(words: Sequence[frozenset[str]], asked: frozenset[str]) -> float:
    """The share of the words of a label that is asked, numbers left aside."""
    plain = [word for word in words if not any(c.isdigit() for form in word for c in form)]
    return sum(not word.isdisjoint(asked) for word in plain) / max(1, len(plain))


def _row_or_cell(question: Question, row: TableRow) -> list[Statement]:
    is_named = any(is_label_named(question, label, row) for label in (*row.labels, row.label))
    headed = rows_by_line(row.chunk).get(start_of(row.lines[0][0]))
    if headed is not None and headed.has_heads:
        told = asked_cells(question, headed)
        return [_headed_cells(row, told)] if is_named or len(told.cells) < max(len(headed.cells), LEAST_CELLS) else []
    is_unsure = headed is not None and headed.lost_cells and len(row.values) == 1
    column = None if is_unsure else column_of(question, row)
    if column is not None:
        return [cell(row, column)]
    whole = " ".join(line.text for line, _ in row.lines)
    return [stated(whole, "value", row.lines, locator=table_label(row.caption))] if is_named else []


def _headed_cells(row: TableRow, told: HeadedRow) -> Statement:
    """Cells with their heads and the unit of their table."""
    said, unit = _unit_of(row)
    text = f"{_opening_of(row)}{told.text}{said}"
    return stated(text, "value", [*unit, *told.passages])


def cell(row: TableRow, column: Column) -> Statement:
    """A value with its row, its column, its unit, its table, and the word that it is no more than recommended."""
    own = own_unit(row)
    said, unit = _unit_of(row)
    label = as_printed(" ".join(part for part in row.labels if part != own))
    text = f"{_opening_of(row)}{label}{column.head and ', '}{column.head}: {row.values[column.index]}"
    text += f" {own}" if own else said
    above = [*(row.above[:1] if row.caption else ()), *unit]
    return stated(text, "value", [*above, *column.lines, *row.lines], locator=table_label(row.caption))


def _opening_of(row: TableRow) -> str:
    return "Recommended: " if row.caption and RECOMMENDED.search(row.caption.text) else ""


def _unit_of(row: TableRow) -> tuple[str, list[Passaged]]:
    """What the nearest head says of the unit of a row, in brackets, and where."""
    unit = next((item for item in reversed(row.above) if _unit_in(row, item[0].text)), None)
    match = _unit_in(row, unit[0].text) if unit else None
    return (f" ({match.group().strip('()[] ')})", [unit]) if match and unit else ("", [])


def _unit_in(row: TableRow, head: str) -> re.Match[str] | None:
    """What a head says of the unit of a row: "in millions"; "[kN/m]" where the row has one value, and no percent."""
    is_plain = len(row.values) == 1 and "%" not in row.values[0]
    return UNIT.search(head) or (_BRACKETED_UNIT.search(head) if is_plain else None)
