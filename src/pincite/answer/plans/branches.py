"""A value that branches on a key which another table gives ("in case of fast fire growth rate ... see Table E.5").

The clause has the values, the table to which it points has the key for what the question asks of (docs/answers.md, 5).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from pincite.answer.asked.question import roots_of
from pincite.answer.material.case import Case
from pincite.answer.material.passages import Passage, lines_of
from pincite.answer.material.sentences import Sentence, sentences_of_chunk
from pincite.answer.plans.enough import LOOKED_AT, MOST_CONDITIONS
from pincite.answer.said.statements import stated, told
from pincite.answer.words.facts import has_value
from pincite.answer.words.vocabulary import pattern_of
from pincite.records.answers import Statement
from pincite.records.chunks import ChunkRecord

LEAST_BRANCHES = 2
"""One branch is no choice."""

_OPENS = r"\b(?:in (?:the )?case of|for)\s+"
# "in case of KEY NOUN, VALUE", up to the next of its kind.
_BRANCH = re.compile(
    rf"{_OPENS}(?:an? )?(?P<key>[\w-]+)\s+(?P<noun>[\w -]{{3,40}}?)\s*[,:]\s*(?P<value>.+?)"
    rf"(?=\s*(?:[;,]?\s*(?:and\s+|or\s+)?{_OPENS}|[.;]?\s*$))",
    re.I,
)
_TABLE = re.compile(r"\bTable\s+[\w.]+\d", re.I)
_VALID = pattern_of("standards", "valid_for")


@dataclass(frozen=True, slots=True)
class Branch:
    """One case of a clause: `text` as it is written, and the key that chooses it."""

    text: str
    key: str


@dataclass(frozen=True, slots=True)
class Key:
    """The row of a table that gives the key for a thing that the question names."""

    word: str
    line: Passage
    chunk: ChunkRecord
    table: str


def branched(case: Case) -> list[Statement]:
    """The branch that the table chooses, with the conditions of both places."""
    if case.question.expected not in ("number", "value"):
        return []
    for sentence in chain(case.sentences[:LOOKED_AT], _referred(case)):
        branches = _branches(sentence)
        key = _key(case, sentence, branches) if branches else None
        if key is not None:
            chosen = next(branch for branch in branches if branch.key.casefold() == key.word.casefold())
            return [_statement(sentence, chosen, key), *_conditions(case, sentence, key)]
    return []


def _referred(case: Case) -> Iterator[Sentence]:
    """The sentences of the places to which the best evidence refers ("is given by (10)")."""
    seen: set[str] = set()
    for item in case.retrieval.evidence[:LOOKED_AT]:
        for _, target in case.around.targets(item.chunk):
            if target.chunk_id not in seen:
                seen.add(target.chunk_id)
                yield from sentences_of_chunk(target, None, 0)


def _branches(sentence: Sentence) -> list[Branch]:
    """The cases of a sentence, where two or more are told apart by one noun."""
    found = [match for match in _BRANCH.finditer(sentence.text) if has_value(match["value"])]
    nouns = {match["noun"].casefold() for match in found}
    branches = [Branch(match.group(), match["key"]) for match in found]
    return branches if len(branches) >= LEAST_BRANCHES and len(nouns) == 1 else []


def _key(case: Case, sentence: Sentence, branches: Sequence[Branch]) -> Key | None:
    """The first row of a table behind the clause's references that begins with a word of the question and holds one of
    the keys."""
    keys = {branch.key.casefold() for branch in branches}
    asked = case.question.roots - sentence.roots
    for reference, target in case.around.targets(sentence.chunk):
        if not _TABLE.match(reference.text):
            continue
        for line in lines_of(target):
            words = line.text.split()
            found = [word for word in words[1:] if word.casefold() in keys]
            if len(found) == 1 and words and not roots_of(words[0], target.language).isdisjoint(asked):
                return Key(found[0], line, target, reference.text)
    return None


def _statement(sentence: Sentence, branch: Branch, key: Key) -> Statement:
    number = sentence.chunk.section_number
    locator = f"{number} with {key.table}" if number else key.table
    thing = key.line.text.split()[0]
    return stated(
        f"{thing}: {key.word}; {branch.text}",
        "value",
        [(sentence.passage, sentence.chunk), (key.line, key.chunk)],
        locator=locator,
    )


def _conditions(case: Case, sentence: Sentence, key: Key) -> list[Statement]:
    """What the parts of the document that hold the clause and the table say they are valid for."""
    made = []
    parts = {
        (chunk.source_id, chunk.section[: max(1, len(chunk.section) - 1)]) for chunk in (sentence.chunk, key.chunk)
    }
    for source_id, part in sorted(parts):
        chunks = [chunk for chunk in case.around.document(source_id) if chunk.section[: len(part)] == part]
        valid = [s for chunk in chunks for s in sentences_of_chunk(chunk, None, 0) if _VALID.search(s.text)]
        for found in [s for s in valid if s.passage.kind not in ("table", "caption")][:MOST_CONDITIONS]:
            made.append(told(found, "fact"))
    return made
