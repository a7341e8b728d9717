"""A value that two documents give together: the table of one, whose column a clause of the other names by a term.

"In the fire situation, which fraction of the snow load ...?": the document on fire says that the quasi-permanent value
counts, the one on snow has a table with a column for it (docs/answers.md, 5b).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from pincite.answer.asked.question import roots_of
from pincite.answer.material.case import Case
from pincite.answer.material.columns import Column, columns_of
from pincite.answer.material.document import document_name
from pincite.answer.material.limits import admits
from pincite.answer.material.rows import CAPTION, TableRow, rows_of
from pincite.answer.material.sentences import Sentence, sentences_of_chunk
from pincite.answer.plans.clauses import distinct
from pincite.answer.plans.enough import READ_WHOLE
from pincite.answer.plans.tables import RECOMMENDED, cell
from pincite.answer.said.statements import locator_and_text, stated, told
from pincite.answer.words.facts import folded_name
from pincite.records.answers import Statement
from pincite.records.chunks import ChunkRecord

LEAST_COLUMNS = 2
"""With one column there is nothing to choose."""
MOST_ON_TOPIC = 2
"""Sentences: enough to show that the other document speaks of the subject. By eye, not measured."""

_CHOOSES = re.compile(r"\b(?:shall|should|must|may|recommended|applies|taken|used)\b", re.I)
_NUMBER_BEHIND = re.compile(r"\s\d+$")
_OTHERS = re.compile(r"\b(?:other|others|elsewhere|all)\b", re.I)


@dataclass(frozen=True, slots=True)
class Bridge:
    """The row for what the question gives, its column, and the clause of another document that names the column."""

    row: TableRow
    column: Column
    clause: Sentence


def bridged(case: Case) -> list[Statement]:
    """The cell, the clause that chose its column, how the two documents and the places of the question belong together,
    and what the other document says of the subject of the table."""
    if case.question.expected not in ("number", "value"):
        return []
    bridge = next(_bridges(case), None)
    if bridge is None:
        return []
    behind = distinct([*_joining(case, bridge), *_places(case, bridge), *_on_topic(case, bridge)], bridge.clause)
    return [cell(bridge.row, bridge.column), _clause(bridge), *(told(sentence, "fact") for sentence in behind)]


def _bridges(case: Case) -> Iterator[Bridge]:
    """For each table of the best chunks that has one row for the question: the clause that names one of its columns."""
    for item in case.retrieval.evidence[:READ_WHOLE]:
        if not CAPTION.search(item.chunk.content):
            continue
        rows = [row for row in rows_of(item.chunk, case.around.preceding(item.chunk)) if row.above]
        for _, table in groupby(rows, key=lambda row: row.above[0][0].spans):
            row = _the_row(case, list(table))
            columns = columns_of(row) if row is not None else []
            if row is None or len(columns) < LEAST_COLUMNS:
                continue
            clauses = list(_clauses(case, row, columns))
            if clauses:
                clause, column = max(clauses, key=lambda found: _shared(case, row, found[0].chunk))
                yield Bridge(row, column, clause)


def _the_row(case: Case, table: Sequence[TableRow]) -> TableRow | None:
    """The one row that names what the question names; else the one for all others; else the one whose limits hold what
    the question gives."""
    left = [row for row in table if admits(case.question.text, row.label) is not False]
    names = list(map(folded_name, _names(case)))
    named = [row for row in left if any(f" {name} " in f" {folded_name(row.label)} " for name in names)]
    others = [row for row in left if _OTHERS.search(row.label)]
    within = [row for row in left if admits(case.question.text, row.label)]
    found = next(filter(None, (named, others, within)), [])
    return found[0] if len(found) == 1 else None


def _names(case: Case) -> list[str]:
    """The names of the question, without the number of what is measured behind them ("in Denmark 50 m above ...")."""
    return [_NUMBER_BEHIND.sub("", name) for name in case.question.names]


def _clauses(case: Case, row: TableRow, columns: Sequence[Column]) -> Iterator[tuple[Sentence, Column]]:
    """The sentences of documents on what else the question names that choose a column: the first that they name."""
    heads = {folded_name(column.head): column for column in columns}
    for head in heads:
        for chunk in case.around.named(head, without=row.chunk.source_id):
            if not _shared(case, row, chunk):
                continue
            for sentence in sentences_of_chunk(chunk, None, 0):
                said = folded_name(sentence.text)
                first = min((said.find(other), other) for other in heads if other in said) if head in said else None
                if first and sentence.passage.kind not in ("table", "caption") and _CHOOSES.search(sentence.text):
                    yield sentence, heads[first[1]]


def _shared(case: Case, row: TableRow, chunk: ChunkRecord) -> int:
    """How many words of the question, none of the row, its table and their document, the title of another holds."""
    own = [row.label, document_name(row.chunk), *row.chunk.section, *(line.text for line, _ in row.above)]
    left = case.question.roots - roots_of(" ".join(own), row.chunk.language)
    return len(left & roots_of(document_name(chunk), chunk.language))


def _clause(bridge: Bridge) -> Statement:
    """The clause with what stands behind it of the same choice."""
    clause = bridge.clause
    behind = sentences_of_chunk(clause.chunk, None, 0)[clause.position + 1 :]
    head = folded_name(bridge.column.head)
    said = [clause, *(s for s in behind if head in folded_name(s.text) or RECOMMENDED.search(s.text))]
    locator, text = locator_and_text(clause.chunk.section_number, " ".join(sentence.text for sentence in said))
    return stated(text, "fact", [(s.passage, s.chunk) for s in said], locator=locator)


def _joining(case: Case, bridge: Bridge) -> list[Sentence]:
    """The sentence on the scope of the clause's document that refers to the document of the table."""
    for chunk in case.around.scope(bridge.clause.chunk.source_id):
        for reference, target in case.around.targets(chunk):
            if target.source_id == bridge.row.chunk.source_id:
                return [s for s in sentences_of_chunk(chunk, None, 0) if reference.text in s.text][:1]
    return []


def _places(case: Case, bridge: Bridge) -> list[Sentence]:
    """For each name of the question that the row lacks, the sentence of the table's document that holds it and most
    words of the row ("the member states are ...")."""
    row, found = bridge.row, []
    said, words = folded_name(row.label), roots_of(row.label, row.chunk.language)
    for name in (name for name in _names(case) if folded_name(name) not in said):
        holding = [chunk for chunk in case.around.document(row.chunk.source_id) if name in chunk.content]
        sentences = [s for chunk in holding for s in sentences_of_chunk(chunk, None, 0) if name in s.text]
        found += [max(sentences, key=lambda s: len(s.roots & words))] if sentences else []
    return found


def _on_topic(case: Case, bridge: Bridge) -> list[Sentence]:
    """What the clause's document says of the subject of the table's document."""
    topic = case.question.roots & roots_of(document_name(bridge.row.chunk), bridge.row.chunk.language)
    chunks = case.around.document(bridge.clause.chunk.source_id)
    sentences = (s for chunk in chunks for s in sentences_of_chunk(chunk, None, 0))
    plain = (s for s in sentences if s.passage.kind not in ("table", "caption") and _CHOOSES.search(s.text))
    return [s for s in plain if topic <= s.roots][:MOST_ON_TOPIC] if topic else []
