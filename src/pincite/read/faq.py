"""Questions with answers ("Q: May I park here?", "A: Only at night."): a question is the heading of its answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from pincite.records.pages import Block, Document, Page, Span
from pincite.text.sentences import trimmed

LEVEL = 9
"""Of such headings: below all others."""
MAX_QUESTION = 400
"""Characters."""
_NUMBER = r"[ ]?\d{0,3}[:.)][*_]{0,3}\s{1,9}(?=\S)"
_QUESTION = re.compile(rf"[*_]{{0,3}}Q(?:uestion)?{_NUMBER}")
_ANSWER = re.compile(rf"[*_]{{0,3}}A(?:nswer)?{_NUMBER}")
_ANSWER_BELOW = re.compile(rf"(?<=\n)[^\S\n]*{_ANSWER.pattern}")
_KINDS = ("paragraph", "list_item")


def with_questions(document: Document) -> Document:
    """The document with each question that an answer follows as a heading, without the letters in front of both. One
    that is printed on pages stays as it is: it shows by its look what is a heading."""
    if document.paged:
        return document
    pages = tuple(replace(page, blocks=tuple(_told_apart(page))) for page in document.pages)
    return replace(document, pages=pages)


def _told_apart(page: Page) -> Iterator[Block]:
    waiting: Block | None = None
    for part in _parts(page):
        text = _text(page, part)
        answer = _ANSWER.match(text) if waiting else None
        if waiting:
            yield _as_heading(page, waiting) if answer else waiting
        waiting = part if len(text) <= MAX_QUESTION and _QUESTION.match(text) else None
        if not waiting:
            yield _behind(part, answer.end()) if answer else part
    if waiting:
        yield waiting


def _as_heading(page: Page, question: Block) -> Block:
    mark = _QUESTION.match(_text(page, question))
    return replace(_behind(question, mark.end() if mark else 0), kind="heading", level=LEVEL)


def _parts(page: Page) -> Iterator[Block]:
    """The blocks, cut where an answer begins in a line below its question."""
    for block in page.blocks:
        text = _text(page, block)
        below = _ANSWER_BELOW.search(text, 0, MAX_QUESTION) if _QUESTION.match(text) else None
        if below is None:
            yield block
            continue
        start, end = block.span.start, block.span.end
        yield replace(block, span=Span(block.span.page, *trimmed(page.text, start, start + below.start())))
        yield replace(block, span=Span(block.span.page, *trimmed(page.text, start + below.start(), end)))


def _text(page: Page, block: Block) -> str:
    return page.text[block.span.start : block.span.end] if block.kind in _KINDS else ""


def _behind(block: Block, count: int) -> Block:
    return replace(block, span=replace(block.span, start=block.span.start + count))
