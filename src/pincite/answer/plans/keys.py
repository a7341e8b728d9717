"""What a code stands for: the row of a drawn table that opens with it ("What does exit status 2 mean?")."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pincite.answer.asked.question import families_of
from pincite.answer.material.case import Case
from pincite.answer.material.passages import Passage, lines_of
from pincite.answer.material.rows import is_value, tabbed_cells
from pincite.answer.material.sentences import heading_of
from pincite.answer.plans.enough import HALF_OF_WORDS, LOOKED_AT
from pincite.answer.said.statements import stated
from pincite.records import ChunkRecord, Statement

# The code at the end of what is asked: a number, capitals, or what has a digit or opens with a stroke.
_KEYED = re.compile(r"(?P<kind>.*\w)\s[“\"'‘]?(?P<key>\d+|[A-Z][A-Z\d-]*|-{1,2}\w[\w-]*|[\w-]*\d[\w-]*)[”\"'’]?$")
# The number of a part of a document is no code.
_PART = re.compile(r"\b(?:table|figure|section|clause|chapter|part|annex|appendix|paragraph|page|article|step)$", re.I)


def keyed(case: Case) -> list[Statement]:
    """The row of the best table that opens with the asked code, where the table or its heading names its kind."""
    match = _KEYED.fullmatch((case.question.term or "").strip())
    if match is None or _PART.search(match["kind"]):
        return []
    kind = families_of(match["kind"], case.retrieval.query.languages)
    for item in case.retrieval.evidence[:LOOKED_AT]:
        for title, head, line in _rows(item.chunk, match["key"]):
            around = f"{heading_of(item.chunk)} {item.chunk.title or ''} {title} {head.text}"
            held = frozenset().union(*families_of(around, (item.chunk.language,)))
            if sum(not word.isdisjoint(held) for word in kind) >= HALF_OF_WORDS * len(kind):
                code, *rest = tabbed_cells(line)
                text = f"{code}: {'; '.join(cell for cell in rest if cell)}"
                return [stated(text, "definition", [(head, item.chunk), (line, item.chunk)])]
    return []


def _rows(chunk: ChunkRecord, key: str) -> Iterator[tuple[str, Passage, Passage]]:
    """The rows of drawn tables that open with a code and have words behind it, each with what stands just above its
    table and the first line of it."""
    title, head = "", None
    for line in lines_of(chunk):
        if line.kind != "table":
            title, head = line.text, None
            continue
        head = head or line
        code, *rest = tabbed_cells(line)
        if code == key and any(cell and not is_value(cell) for cell in rest):
            yield title, head, line
