"""What the entry of a thing opens with: the text under the heading that is its name, as manuals have one for each
command or option."""

from __future__ import annotations

import re

from pincite.answer.material.case import Case
from pincite.answer.material.passages import headings_of
from pincite.answer.material.sentences import heading_of
from pincite.answer.plans.sections import opening_of
from pincite.answer.said.statements import told
from pincite.answer.words.facts import folded_name
from pincite.records.answers import Statement
from pincite.records.chunks import ChunkRecord

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
