"""What a statement cannot be understood without: the block behind a colon, a command or code too; the question in front
of a "Yes" or "No"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pincite.answer.material.case import Case
from pincite.answer.material.passages import (
    LONGEST_QUOTE,
    Passage,
    blocks_of,
    headings_of,
    passages_of,
    slice_of,
    start_of,
)
from pincite.answer.said.statements import citations_of
from pincite.records.answers import Statement
from pincite.records.chunks import ChunkRecord
from pincite.records.pages import Span
from pincite.text.names import printed_lines

_LINE = re.compile(r"\d+")
_VERDICT = re.compile(r"(?:yes|no)\b\s*(?:[.,;:!–—-]|$)", re.I)


def with_what_follows(case: Case, statements: Sequence[Statement]) -> list[Statement]:
    """The statements, those that end in a colon with what stands behind it, unless the next statement tells that."""
    behind = [*statements[1:], None]
    return [_led(case, statement, after) for statement, after in zip(statements, behind, strict=False)]


def _led(case: Case, statement: Statement, after: Statement | None) -> Statement:
    is_told = after is not None and after.kind in ("step", "list")
    if not statement.text.endswith(":") or statement.kind in ("missing", "list") or not statement.citations or is_told:
        return statement
    last = statement.citations[-1]
    block = next((_block_behind(chunk, last.span) for chunk in case.around.chunks([last.chunk_id])), None)
    if block is None:
        return statement
    passage, chunk = block
    return replace(
        statement,
        text=f"{statement.text} {passage.text}",
        citations=(*statement.citations, *citations_of(passage, chunk)),
    )


def with_question(case: Case, statements: Sequence[Statement]) -> list[Statement]:
    """The statements, those that open with "Yes" or "No" behind the question that their text answers."""
    before = [None, *statements]
    return [_answering(case, statement, last) for statement, last in zip(statements, before, strict=False)]


def _answering(case: Case, statement: Statement, last: Statement | None) -> Statement:
    is_asked = last is not None and last.text.endswith("?")
    if is_asked or statement.kind != "quote" or statement.locator or not _VERDICT.match(statement.text):
        return statement
    cited = statement.citations[0]
    chunk = next(iter(case.around.chunks([cited.chunk_id])))
    earlier = [passage for passage in passages_of(chunk) if start_of(passage) < (cited.span.page, cited.span.start)]
    question = next(
        (passage for passage in (*earlier[-1:], *headings_of(chunk)[-1:]) if passage.text.endswith("?")), None
    )
    if question is None:
        return statement
    citations = (*statement.citations, *citations_of(question, chunk))
    return replace(statement, text=f"{question.text} {statement.text}", citations=citations)


def _block_behind(chunk: ChunkRecord, span: Span) -> tuple[Passage, ChunkRecord] | None:
    """The block that begins behind a span and is no footnote, as many of its lines as a quote may hold; None behind the
    last block, and in front of a heading."""
    place = (span.page, span.end)
    text = (block for block in blocks_of(chunk) if block and block[0].kind != "footnote")
    blocks = [block for block in text if start_of(block[0]) >= place]
    if not blocks or blocks[0][0].kind in ("heading", "caption"):
        return None
    lines: list[Passage] = []
    for line in blocks[0]:
        if sum(len(other.text) + 1 for other in (*lines, line)) > LONGEST_QUOTE:
            break
        lines.append(line)
    return (_joined(chunk, lines), chunk) if lines else None


def _joined(chunk: ChunkRecord, lines: Sequence[Passage]) -> Passage:
    """Lines of one block as one passage."""
    first, last = lines[0].spans[0], lines[-1].spans[-1]
    whole = Span(first.page, first.start, last.end)
    quote = slice_of(chunk, whole) or " ".join(line.quotes[0] for line in lines)
    return Passage(
        " ".join(line.text for line in lines),
        lines[0].kind,
        (whole,),
        (quote,),
        (_locator(lines[0].locators[0], lines[-1].locators[-1]),),
    )


def _locator(first: str | None, last: str | None) -> str | None:
    """Where a block stands by its first and its last line."""
    numbers = [int(number) for text in (first, last) for number in _LINE.findall(text or "")]
    is_lines = bool(first and first.startswith("line"))
    return printed_lines(numbers[0], numbers[-1]) if is_lines and numbers else first
