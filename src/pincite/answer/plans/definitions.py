"""The definition of a term first: the text under the very term, or the sentence that opens with it; then the symbol
that stands for it, and the first duty that points back to it (EXAMPLES.md, 4)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pincite.answer.case import Case
from pincite.answer.facts import folded_name
from pincite.answer.passages import headings_of, lines_of
from pincite.answer.sentences import Sentence, heading_of, sentences_of_chunk
from pincite.answer.statements import locator_and_text, stated
from pincite.records import Statement

OPENING_WORDS = 12
MOST_SENTENCES = 2

_LEADING_LABEL = re.compile(r"^(?:[\d.()]+P?|[•●▪–—-])\s+")
_SYMBOLS = re.compile(r"^[\d.\s]*(?:list of )?(?:symbols|notations?|abbreviations)\b", re.I)
_SYMBOL_ROW = re.compile(r"(?P<symbol>\S{1,8})\s+(?P<gloss>[^\[\]]+?)\s*(?:\[[^\[\]]*\])?")
_DUTY = re.compile(r"\b(?:shall|must|should)\b")
_PREPOSITION = re.compile(r"\s+(?:of|in|on|for|under|within|at|according to)\s+", re.IGNORECASE)


def defined(case: Case) -> list[Statement]:
    """The definition of the term that the question asks for, the whole term before its first words."""
    for term in _terms(case.question.term):
        for sentence in _candidates(case, term):
            return [_statement(sentence, term), *_symbol(case, sentence, term), *_use(case, sentence)]
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


def _statement(sentence: Sentence, term: str) -> Statement:
    """The definition, with a colon behind the term where it runs on without any sign."""
    locator, text = locator_and_text(sentence.chunk.section_number, sentence.text)
    behind = text[len(term) :]
    if text[: len(term)].casefold() == term.casefold() and re.match(r"\s+(?!is\b|are\b|means\b)[a-z]", behind):
        text = f"{text[0].upper()}{text[1 : len(term)]}:{behind}"
    return stated(text, "definition", [(sentence.passage, sentence.chunk)], locator=locator)


def _symbol(case: Case, definition: Sentence, term: str) -> list[Statement]:
    """The row of the document's symbols whose gloss is the term or its longest tail, with its unit."""
    number, tails = definition.chunk.section_number, _tails(folded_name(term))
    if number is None or not tails:
        return []
    found: dict[str, Statement] = {}
    for chunk in case.around.document(definition.chunk.source_id):
        if not any(map(_SYMBOLS.match, chunk.section)):
            continue
        for line in lines_of(chunk):
            row = _SYMBOL_ROW.fullmatch(" ".join(line.text.split()))
            if row is not None and folded_name(row["gloss"]) in tails:
                locator, _ = locator_and_text(chunk.section_number, line.text)
                made = stated(line.text, "definition", [(line, chunk)], locator=locator)
                found.setdefault(folded_name(row["gloss"]), made)
    return [found[tail] for tail in tails if tail in found][:1]


def _tails(term: str) -> list[str]:
    """The term and what is left of it without its first words, the longest first, of at least two words."""
    words = term.split()
    return [" ".join(words[start:]) for start in range(len(words) - 1)]


def _use(case: Case, definition: Sentence) -> list[Statement]:
    """The first sentence with a duty that points back to the definition by its number."""
    number = definition.chunk.section_number
    if number is None:
        return []
    pointed = re.compile(rf"\bsee (?:also )?(?:\w+ )?{re.escape(number)}(?![.\d])")
    for chunk in case.around.document(definition.chunk.source_id):
        if not pointed.search(chunk.content):
            continue
        sentences = sentences_of_chunk(chunk, None, 0)
        duty = next((s for s in sentences if _DUTY.search(s.text)), None)
        pointing = next((s for s in sentences if pointed.search(s.text)), None)
        if duty is not None and pointing is not None:
            told = [duty] if duty is pointing else [duty, pointing]
            locator, text = locator_and_text(chunk.section_number, " ".join(s.text for s in told))
            return [stated(text, "fact", [(s.passage, chunk) for s in told], locator=locator)]
    return []
