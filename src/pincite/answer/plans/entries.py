"""The entry of a thing: the text under the heading that is its name, as manuals have one for each command, or the
row of a table that opens with it ("What does exit status 2 mean?")."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice, takewhile

from pincite.answer.asked.noun_phrases import identifiers_in
from pincite.answer.asked.question import asks_meaning, families_of
from pincite.answer.material.case import Case
from pincite.answer.material.passages import Passage, headings_of, lines_of
from pincite.answer.material.rows import is_value, tabbed_cells
from pincite.answer.material.sentences import heading_of, sentences_of_chunk
from pincite.answer.plans.enough import HALF_OF_WORDS, LOOKED_AT
from pincite.answer.plans.sections import MOST_SENTENCES, opening_of
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
    r"what (?:does|do) (?P<does>.+?) (?:do|mean|stand for)\W*"
    r"|what (?:is|are) (?P<used>.+?) (?:(?:used|good|there|meant) )?for\W*",
    re.IGNORECASE,
)
_TYPED = re.compile(r"-|\w*_")
_OPTION = re.compile(r"[-–]{1,2}[a-z]", re.IGNORECASE)
_BETWEEN_NAMES = re.compile(r"[,;:]\s+|\s+(?:and|or|[–—-])\s+")
_BESIDE_NAME = frozenset(
    "the a an action actions class clause command directive environment field file flag form function keyword macro "
    "method mode module object option parameter program property section setting statement switch tool type utility "
    "variable".split()
)
"""Words for what kind of thing something is: they stand beside its name in a question or in a heading, or do not."""


def entered(case: Case) -> list[Statement]:
    """What the section opens with whose heading is the thing that the question asks the use of ("What does the option
    --quiet do?"); of an option or a name with an underscore, else, what its text says that opens with it."""
    match = _ASKS_USE.fullmatch(case.question.text)
    asked = (match["does"] or match["used"] if match else None) or case.question.term or ""
    name = _name(asked)
    code = next((code for code in identifiers_in(asked) if folded_name(code) == name and _TYPED.match(code)), None)
    asks_use = match is not None and not asks_meaning(case.question.text)
    if not name or not (asks_use or code):
        return []
    chunks = [*(item.chunk for item in case.retrieval.evidence), *case.around.named(asked)]
    entries = (chunk for names in (_whole, _parts) for chunk in chunks if asks_use and name in names(chunk))
    if entry := next(entries, None):
        return [told(sentence, "fact") for sentence in opening_of(case, entry)]
    return [] if code is None else _opened_by(code, chunks)


def _opened_by(code: str, chunks: Iterable[ChunkRecord]) -> list[Statement]:
    """The sentences from one on that opens with a name as it is typed, to where another option is explained."""
    opening = re.compile(rf"{re.escape(code)}(?![\w-])\W*\w+\W+\w")
    for chunk in chunks:
        sentences = sentences_of_chunk(chunk, None, 0)
        start = next((at for at, sentence in enumerate(sentences) if opening.match(sentence.text)), None)
        if start is not None:
            rest = takewhile(lambda sentence: not _OPTION.match(sentence.text), sentences[start + 1 :])
            return [told(sentence, "definition") for sentence in (sentences[start], *islice(rest, MOST_SENTENCES - 1))]
    return []


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
