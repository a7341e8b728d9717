"""What a code or a sign stands for: the row of a drawn table that opens with it ("What does exit status 2 mean?")."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pincite.answer.asked.question import asks_meaning, families_of
from pincite.answer.material.case import Case
from pincite.answer.material.passages import Passage, lines_of
from pincite.answer.material.rows import is_value, tabbed_cells
from pincite.answer.material.sentences import heading_of
from pincite.answer.plans.enough import HALF_OF_WORDS, LOOKED_AT
from pincite.answer.said.statements import stated
from pincite.records.answers import Statement
from pincite.records.chunks import ChunkRecord

LEAST_WORDS = 2
"""A code alone is a word like any other: its kind has to be asked, too."""

# A code: a number, capitals, or what has a digit or opens with a stroke; other words are asked by their meaning alone.
_CODE = re.compile(r"\d+|[A-Z][A-Z\d-]*|-{1,2}\w[\w-]*|[\w-]*\d[\w-]*")
# The number of a part of a document is no code.
_PART = re.compile(r"\b(?:table|figure|section|clause|chapter|part|annex|appendix|paragraph|page|article|step)\b", re.I)


def keyed(case: Case) -> list[Statement]:
    """The row of the best table that opens with the asked code, where the table or its heading names its kind."""
    words = [word.strip("“”\"'‘’") for word in (case.question.term or "").split()]
    means = asks_meaning(case.question.text)
    if len(words) < LEAST_WORDS or _PART.search(case.question.term or ""):
        return []
    keys = {word.casefold(): words[:at] + words[at + 1 :] for at, word in enumerate(words) if means or _is_code(word)}
    for item in case.retrieval.evidence[:LOOKED_AT]:
        for title, head, line in _rows(item.chunk):
            code, *rest = tabbed_cells(line)
            kind = families_of(" ".join(keys.get(code.casefold(), ())), case.retrieval.query.languages)
            around = f"{heading_of(item.chunk)} {item.chunk.title or ''} {title} {head.text}"
            held = frozenset().union(*families_of(around, (item.chunk.language,)))
            if kind and sum(not word.isdisjoint(held) for word in kind) >= HALF_OF_WORDS * len(kind):
                text = f"{code}: {'; '.join(cell for cell in rest if cell)}"
                return [stated(text, "definition", [(head, item.chunk), (line, item.chunk)])]
    return []


def _is_code(word: str) -> bool:
    return bool(_CODE.fullmatch(word))


def _rows(chunk: ChunkRecord) -> Iterator[tuple[str, Passage, Passage]]:
    """The rows of drawn tables that have words behind their first cell, each with what stands just above its table and
    the first line of it."""
    title, head = "", None
    for line in lines_of(chunk):
        if line.kind != "table":
            title, head = line.text, None
            continue
        head = head or line
        if any(cell and not is_value(cell) for cell in tabbed_cells(line)[1:]):
            yield title, head, line
