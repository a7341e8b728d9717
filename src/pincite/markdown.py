"""What an answer says as Markdown (CommonMark), in which nothing of a document is markup."""

from __future__ import annotations

import re

from pincite.answer.said.citations import ambiguous_filenames, printed_statement
from pincite.printed import searched_text
from pincite.records.answers import Answer
from pincite.text.names import printable

_MARKS = re.compile(r"([\\`*_{\[\]<>|~&$#])")
_OPENS_A_LIST = re.compile(r"^(\d*)([-+=.)])")


def statement_blocks(answer: Answer) -> list[str]:
    """Each statement as a list item with its citations, below the heading of its part where one begins."""
    names = ambiguous_filenames(c for statement in answer.statements for c in (*statement.citations, *statement.also))
    blocks, part = [], None
    for statement in answer.statements:
        heading = "" if statement.part in (None, part) else f"## {plain_text(str(statement.part))}\n\n"
        part = statement.part
        blocks.append(f"{heading}- {plain_text(printed_statement(statement, names))}")
    return blocks


def advice_items(answer: Answer) -> list[str]:
    """Where an answer found nothing, as list items: how much was searched, and what else to try."""
    if not answer.refused:
        return []
    tried = (f"- try: {plain_text(text)}" for missing in answer.missing for text in missing.suggestions)
    return [f"- searched: {searched_text(answer)}", *tried]


def plain_text(text: str) -> str:
    """A text in one line, in which nothing is markup."""
    return escaped(" ".join(printable(text).split()))


def escaped(text: str) -> str:
    """The text with a backslash before whatever Markdown could take for markup."""
    return _OPENS_A_LIST.sub(r"\1\\\2", _MARKS.sub(r"\\\1", text))
