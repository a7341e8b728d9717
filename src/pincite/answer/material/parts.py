"""A question that asks several things of one ("When was Acme founded, and what does it make?"), part by part."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple

from pincite.answer.asked.comparisons import asked_of_two, compared_things
from pincite.answer.asked.question import understand
from pincite.answer.material.case import Case, long_documents
from pincite.answer.material.select import rank_sentences
from pincite.answer.words.facts import names_in

_WORD = r"(?:what|which|who|whom|whose|when|where|why|how)\b"
_BETWEEN = re.compile(rf"(?:,?\s+and|,)\s+(?={_WORD})", re.I)
_AND = re.compile(rf"\band\s+{_WORD}", re.I)
_ASKS = re.compile(_WORD, re.I)
_SOMEBODY = re.compile(r"\b(?:he|she|him|her|his|hers)\b", re.I)
_OF_IT = re.compile(r"\b(?:its|their)\b", re.I)
_IT = re.compile(r"\b(?:it|they)\b", re.I)


class Part(NamedTuple):
    """A part of a question as it is printed, as it is asked, and the one thing that it is about, where it is known."""

    typed: str
    asked: str
    thing: str = ""


def parts_of(question: str) -> list[Part]:
    """The parts of a question: those that each open with a question word,
    what is asked of two things one after the other, or what each of two things that are compared is. None where there
    is one part alone."""
    compared = compared_things(question)
    if compared:
        things = (compared.first, compared.second)
        return [Part(part, part, thing) for part, thing in zip(compared.parts, things, strict=True)]
    return [Part(part, part) for part in asked_of_two(question)] or _worded_parts(question)


def _worded_parts(question: str) -> list[Part]:
    """The parts of a question that each open with a question word: as they are typed, and with "it" in later ones as
    the name that the first has. None where there is one part alone, where one is its question word alone, or where one
    asks of somebody whom another asks for."""
    parts = [part.strip(" ?") for part in _BETWEEN.split(question.strip())] if _AND.search(question) else []
    if len(parts) < 2 or "?" in "".join(parts) or not all(map(_ASKS.match, parts)) or any(map(_SOMEBODY.search, parts)):
        return []
    if any(" " not in part for part in parts):
        return []
    names = names_in(parts[0].split(" ", 1)[-1])
    if not names and any(_IT.search(part) or _OF_IT.search(part) for part in parts[1:]):
        return []
    thing = _whole_name(parts[0], names[-1]) if names else ""
    later = [Part(part, _IT.sub(thing, _OF_IT.sub(f"{thing}’s", part))) for part in parts[1:]]
    return [Part(parts[0], parts[0]), *later]


def part_case(case: Case, part: str) -> Case:
    """The case of one part, on the evidence of the whole question."""
    query = replace(case.retrieval.query, search_text=part)
    question = understand(query)
    ranked = rank_sentences(question, case.sentences, long=long_documents(case.sentences, case.around))
    return Case(question, replace(case.retrieval, query=query), tuple(ranked), case.around, case.beyond)


def _whole_name(text: str, name: str) -> str:
    """A name with its article and the common noun that goes with it ("the Hardanger bridge")."""
    match = re.search(rf"\bthe\s+{re.escape(name)}(?:\s+(?!\w+ed\b)[a-z]+)?", text)
    return match.group() if match else name
