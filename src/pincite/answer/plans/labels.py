"""Whether a question names the label of a row: as it stands, by the key of its class, in letters that look alike."""

from __future__ import annotations

import re
from functools import lru_cache

from pincite.answer.asked.question import Question
from pincite.answer.material.rows import TableRow
from pincite.answer.words.lexicon import pattern_of, phrases_of
from pincite.answer.words.misreadings import shape
from pincite.answer.words.vocabulary import MONTHS
from pincite.records.chunks import ChunkRecord

LEAST_LETTERS = 2
"""Fewer are a sign or a note."""
LEAST_ALIKE = 4
"""Characters: in shorter words letters that look alike tell words apart ("lnilk" has enough). By eye, not measured."""
LEAST_NAME = 6
"""Characters: shorter labels stand in any question. By eye, not measured."""
LONGEST_LABEL = 16
"""Words of a label that a question could repeat; a bound, so that a long question has no square of runs."""

_CLASS = re.compile(rf"\b(?P<kind>{phrases_of('standards', 'classes')})\s(?P<key>[A-Z0-9]\w{{0,2}})\b", re.I)
_BESIDE = pattern_of("accounts", "beside")
# What a line of a table opens with, up to its first value.
_LABEL = re.compile(r"[^\t\d$]+(?=[\t\d$])")
_LETTER = re.compile(r"[^\W\d_]")
_MONTH = re.compile(rf"\b(?:{'|'.join(MONTHS[0])})\b", re.I)


def opens_with(line: str, asked: frozenset[str], chunk: ChunkRecord) -> bool:
    """Whether a line of a table opens with a label that the question names."""
    label = _LABEL.match(line)
    name = squeezed(label.group()) if label else ""
    return len(name) >= LEAST_NAME and name in asked and name not in squeezed(chunk.filename)


def is_other_class(question: Question, label: str) -> bool:
    """Whether a row is of another class than the one that the question names ("category A", "zone 2")."""
    asked = {match["kind"].casefold(): match["key"] for match in _CLASS.finditer(question.text)}
    return any(asked.get(match["kind"].casefold(), match["key"]) != match["key"] for match in _CLASS.finditer(label))


def has_words(label: str) -> bool:
    """Whether a label has letters that are no date."""
    return len(_LETTER.findall(_MONTH.sub("", label))) >= LEAST_LETTERS


def is_label_named(question: Question, label: str, row: TableRow) -> bool:
    """Whether the question names a label as it stands, by its key, or with letters that look alike; the name of the
    document is no label."""
    name = squeezed(_BESIDE.sub("", label))
    if name in squeezed(row.chunk.filename):
        return False
    if name in runs_of(question.text) or _is_key(question, label, row):
        return True
    return len(name) >= LEAST_ALIKE and shape(name) in map(shape, re.findall(r"\w+", question.text))


def _is_key(question: Question, label: str, row: TableRow) -> bool:
    """Whether a label opens with the key of the class that the question names ("category III"), in a table of its
    kind."""
    asked = _CLASS.search(question.text)
    if asked is None or label.split(maxsplit=1)[0] != asked["key"]:
        return False
    return any(asked["kind"].casefold() in line.text.casefold() for line, _ in row.above)


@lru_cache(maxsize=4)
def runs_of(question: str) -> frozenset[str]:
    """All runs of words of a question, squeezed: what it may name, however that is parted ("FL 4", "FL4")."""
    words = [squeezed(word) for word in re.findall(r"\w+", question)]
    return frozenset(
        "".join(words[start:end])
        for start in range(len(words))
        for end in range(start + 1, min(len(words), start + LONGEST_LABEL) + 1)
    )


def squeezed(text: str) -> str:
    """A text without signs and spaces, in small letters."""
    return re.sub(r"\W", "", text).casefold()
