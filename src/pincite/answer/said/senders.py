"""Who wrote what a statement says, where somebody is asked for and it stands in a mail."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pincite.answer.asked.question import SOMEBODY
from pincite.answer.material.case import Case
from pincite.answer.material.passages import Passaged, headings_of
from pincite.answer.said.statements import citations_of
from pincite.records.answers import Statement
from pincite.records.chunks import ChunkRecord

_ASKS_WHO = re.compile(SOMEBODY, re.IGNORECASE)
_FROM = ("From: ", "Von: ", "De: ", "Da: ", "Van: ", "Från: ")
_WROTE = re.compile(r"\b(?:wrote|schrieb|schreef|skrev|écrit|escribió|scritto)\b")
_ASKS_WHAT_WAS_SAID = re.compile(
    r"\b(?:did|does|has|have|had)\s+(?P<name>[^\W\d_a-z][\w.'’-]*(?:\s+[^\W\d_a-z][\w.'’-]*){0,4})\s+"
    r"(?:say|said|write|written|reply|replied|answer|answered|ask|asked|suggest|suggested|propose|proposed|offer|offered)\b"
)

_ACCORDING_TO = re.compile(
    r"\b(?i:according to|in the words of)\s+(?P<name>[^\W\d_a-z][\w.'’-]*(?:\s[^\W\d_a-z][\w'’-]*){0,3})"
)


def with_senders(case: Case, statements: Sequence[Statement]) -> list[Statement]:
    """The statements, those that a mail quotes behind the line that says who wrote them and when, all from a mail where
    somebody is asked for; where it is asked what somebody said, those that somebody else wrote are left out."""
    asked = _ASKS_WHAT_WAS_SAID.search(case.question.text) or _ACCORDING_TO.search(case.question.text)
    if asked:
        name = asked["name"].split()[-1]
        titles = [_title(_chunk(case, statement)) for statement in statements]
        if any(name in title for title in titles):
            return [
                statement for statement, title in zip(statements, titles, strict=True) if not title or name in title
            ]
    asks_who = bool(_ASKS_WHO.search(case.question.text))
    return [_with_sender(case, statement, even_unquoted=asks_who) for statement in statements]


def _title(chunk: ChunkRecord | None) -> str:
    """The line that says who wrote what a chunk holds, empty where none does."""
    title = chunk.section[-1] if chunk is not None and chunk.section else ""
    names_sender = title.startswith(_FROM) or (title.endswith(":") and _WROTE.search(title))
    return title if names_sender else ""


def _chunk(case: Case, statement: Statement) -> ChunkRecord | None:
    if statement.kind in ("missing", "verdict") or not statement.citations:
        return None
    return next(iter(case.around.chunks([statement.citations[0].chunk_id])), None)


def _with_sender(case: Case, statement: Statement, *, even_unquoted: bool) -> Statement:
    chunk = _chunk(case, statement)
    title = _title(chunk)
    is_told = bool(title) and (even_unquoted or title.endswith(":"))
    head = _heading(case, chunk, title) if chunk is not None and is_told else None
    if head is None or statement.text.startswith(head[0].text):
        return statement
    citations = (*citations_of(*head), *statement.citations)
    between = " " if head[0].text.endswith(":") else " | "
    return replace(statement, text=f"{head[0].text}{between}{statement.text}", citations=citations)


def _heading(case: Case, chunk: ChunkRecord, title: str) -> Passaged | None:
    """The heading of a chunk's section, in the chunk itself or in one of its section before it."""
    for other in (chunk, *case.around.document(chunk.source_id)):
        if other.section_ordinal == chunk.section_ordinal:
            for passage in headings_of(other):
                if passage.text == title:
                    return passage, other
    return None
