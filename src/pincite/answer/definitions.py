"""The definition of a term first: the text under the very term, or the sentence that opens with it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pincite.answer.case import Case
from pincite.answer.facts import folded_name
from pincite.answer.passages import headings_of
from pincite.answer.sentences import Sentence, heading_of, sentences_of_chunk
from pincite.answer.statements import locator_and_text, stated
from pincite.records import Statement

OPENING_WORDS = 12
MOST_SENTENCES = 2

_LEADING_LABEL = re.compile(r"^(?:[\d.()]+P?|[•●▪–—-])\s+")
_PREPOSITION = re.compile(r"\s+(?:of|in|on|for|under|within|at|according to)\s+", re.IGNORECASE)


def defined(case: Case) -> list[Statement]:
    """The definition of the term that the question asks for, the whole term before its first words."""
    for term in _terms(case.question.term):
        for sentence in _candidates(case, term):
            return [_statement(sentence)]
    return []


def _terms(term: str | None) -> Iterator[str]:
    """The term, then what stands before each of its prepositions, the longest first."""
    if term is None:
        return
    yield term
    cuts = [match.start() for match in _PREPOSITION.finditer(term)]
    yield from (term[:cut] for cut in reversed(cuts))


def _candidates(case: Case, term: str) -> list[Sentence]:
    """The sentences that define the term, the surest first; of the evidence, else of chunks that hold its words."""
    found = [sentence for sentence in case.sentences if _defines(sentence, term)]
    if not found:
        chunks = case.around.named(term)
        rank = len(case.retrieval.evidence) + 1
        found = [s for chunk in chunks for s in sentences_of_chunk(chunk, None, rank) if _defines(s, term)]
    return sorted(found, key=lambda s: (not _stands_under(s, term), s.rank, s.position))


def _defines(sentence: Sentence, term: str) -> bool:
    """Whether the sentence opens with the term and goes on to say what it is, or opens the text under it as heading."""
    opening = folded_name(_LEADING_LABEL.sub("", sentence.text))
    wanted = folded_name(term)
    if not wanted or sentence.passage.kind == "table":
        return False
    if opening.startswith(f"{wanted} "):
        return _says_what(_LEADING_LABEL.sub("", sentence.text), wanted)
    return _stands_under(sentence, term) and sentence.position == 0


def _says_what(text: str, wanted: str) -> bool:
    """Behind the term stands a colon, a line of its own or "is", "means", "refers to"."""
    rest = re.sub(r"^\W+", "", text[len(wanted) :]) if len(text) > len(wanted) else ""
    behind = text[len(wanted) : len(wanted) + 1]
    sign = bool(re.match(r"\s*(?:\([^()]*\))?\s*[:–—]", text[len(wanted) :]))
    verb = bool(re.match(r"(?:\([^()]*\)\s*)?(?:is|are|means|refers to|describes)\b", rest, re.IGNORECASE))
    return sign or verb or (behind.isspace() and rest[:1].islower() and not verb and len(rest.split()) > MOST_SENTENCES)


def _stands_under(sentence: Sentence, term: str) -> bool:
    """Whether the innermost heading, or the last line of headings above the text, is the term itself."""
    lines = [_LEADING_LABEL.sub("", passage.text) for passage in headings_of(sentence.chunk)[-1:]]
    return folded_name(term) in map(folded_name, (heading_of(sentence.chunk), *lines))


def _statement(sentence: Sentence) -> Statement:
    locator, text = locator_and_text(sentence.chunk.section_number, sentence.text)
    return stated(text, "definition", [(sentence.passage, sentence.chunk)], locator=locator)
