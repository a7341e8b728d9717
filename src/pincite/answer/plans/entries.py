"""The entry of a thing: the text under the heading that is its name, as manuals have one for each command, or the
row of a table that opens with it ("What does exit status 2 mean?")."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pincite.answer.asked.question import asks_meaning, families_of
from pincite.answer.material.case import Case
from pincite.answer.material.passages import Passage, headings_of, lines_of
from pincite.answer.material.rows import is_value, tabbed_cells
from pincite.answer.material.sentences import heading_of
from pincite.answer.plans.enough import HALF_OF_WORDS, LOOKED_AT
from pincite.answer.plans.sections import opening_of
from pincite.answer.said.statements import stated, told
from pincite.answer.words.facts import folded_name
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


_ASKS_USE = re.compile(
    r"what (?:does|do) (?P<does>.+?) do\W*|what (?:is|are) (?P<used>.+?) (?:(?:used|good|there|meant) )?for\W*",
    re.IGNORECASE,
)
_BETWEEN_NAMES = re.compile(r"[,;:]\s+|\s+(?:and|or|[–—-])\s+")
_BESIDE_NAME = frozenset(
    "the a an action actions class clause command directive environment field file flag form function keyword macro "
    "method mode module object option parameter program property section setting statement switch tool type utility "
    "variable".split()
)
"""Words for what kind of thing something is: they stand beside its name in a question or in a heading, or do not."""


def entered(case: Case) -> list[Statement]:
    """What the section opens with whose heading is the thing that the question asks the use of ("What does the option
    --quiet do?")."""
    asked = _ASKS_USE.fullmatch(case.question.text)
    name = _name(asked["does"] or asked["used"]) if asked else ""
    if not name:
        return []
    chunks = [*(item.chunk for item in case.retrieval.evidence), *case.around.named(name)]
    entry = next((chunk for names in (_whole, _parts) for chunk in chunks if name in names(chunk)), None)
    return [] if entry is None else [told(sentence, "fact") for sentence in opening_of(case, entry)]


def _whole(chunk: ChunkRecord) -> list[str]:
    """The name that the heading is with which a chunk opens; none where it opens with text."""
    return [_name(heading_of(chunk))] if headings_of(chunk) else []


def _parts(chunk: ChunkRecord) -> list[str]:
    """The names in such a heading that is about several things, or says what a thing is ("Massif: a heap profiler")."""
    return list(map(_name, _BETWEEN_NAMES.split(heading_of(chunk)))) if headings_of(chunk) else []


def _name(text: str) -> str:
    """The words of a name, without those that say what kind of thing has it; all where they are no others."""
    words = folded_name(text).split()
    return " ".join([word for word in words if word not in _BESIDE_NAME] or words)
