"""From what size on a rule holds: the rule with its limit, and what other documents say on the same subject.

Where two texts rule on one subject with other numbers, both are told with their verbs, the terms of a limit with their
definition, and what the texts say of their own standing; which of them counts is not decided (docs/answers.md, 9c).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial

from pincite.answer.asked.question import asked_thing, families_of, roots_of
from pincite.answer.material.case import Case
from pincite.answer.material.document import document_name, named_documents
from pincite.answer.material.limits import BEYOND
from pincite.answer.material.passages import Passaged
from pincite.answer.material.sentences import Sentence, sentences_of_chunk
from pincite.answer.plans.clauses import whole_of
from pincite.answer.plans.enough import HALF_OF_WORDS
from pincite.answer.said.statements import locator_and_text, stated, told
from pincite.answer.words.amounts import NUMBER
from pincite.answer.words.vocabulary import pattern_of
from pincite.records.answers import Statement
from pincite.records.chunks import ChunkRecord

LEAST_SUBJECT = 2
"""Words: a subject of one is spoken of in every document."""
MOST_SOURCES = 3
"""Other documents: more that rule on one subject are seldom in a folder. By eye, not measured."""

_MEASURE = r"(?:what|which|how (?:many|much|large|big|high|long|old))"
# "From how many berths", "Above what height", "What is the threshold".
_ASKS_LIMIT = re.compile(
    rf"^(?:from|above|over|beyond|below|under|up to|at) {_MEASURE}\b"
    rf"|\b(?:what|which) (?:is the )?(?:\w+ ){{0,2}}threshold\b|^{_MEASURE}\b.+\b(?:before|triggers?)\b",
    re.I,
)
# What is required, allowed or due: the name between the verb and that word.
_SUBJECT = re.compile(
    r"\b(?:is|are|can|could|may|must|should|shall|will|need|do|does)\s+(?:an?\s|the\s)?"
    r"(?P<name>[\w-]+(?:\s[\w-]+){0,3}?)\s+(?:not\s)?(?:be\s|have\sto\sbe\s|need\sto\sbe\s)?"
    r"(?:required|needed|necessary|sought|allowed|permitted|expected|apply|applied|due|exempt"
    r"|(?<=be\s)\w+(?:ed|en|pt|id))\b",
    re.I,
)
_AMOUNT = rf"(?:[$€£]\s?)?{NUMBER}"
# "12 berths or more", "more than 12", "a threshold is 12"; no share in percent and no number of a clause.
_LIMIT = re.compile(
    rf"\b{_AMOUNT}\s?(?:[^\W\d]+[²³23]?\s){{0,3}}(?<!one\s)(?:or|and)\s"
    r"(?:more|over|above|fewer|less|greater|larger)\b"
    rf"|\b(?:{BEYOND}|at least|up to|minimum of|maximum of|threshold is)\s(?:an? )?{_AMOUNT}"
    r"(?![\d.,]*\s?(?:%|per ?cent))(?![\w.-]*\))",
    re.I,
)
_RULES = re.compile(
    r"\b(?:shall|should|must|may|will|require[sd]?|need(?:s|ed)?|appl(?:y|ies|icable)|valid|permitted|recommended)\b",
    re.I,
)
# A capitalised term of two to five words, then a colon or "means".
_GLOSSED = re.compile(r"^(?P<term>[A-Z][\w’'-]*(?:\s[\w’'-]+){1,4}?)\s?\d{0,3}\s?(?::|\bmeans\b)\s", re.M)
_PRECEDENCE = pattern_of("planning", "precedence")
_SELF = pattern_of("planning", "itself")
_REFERS_BACK = re.compile(r"\b(?:them|they|their|these|those|it|its)\b", re.I)
_EARLIER = pattern_of("planning", "earlier")
_STANDING = pattern_of("planning", "interim")


@dataclass(frozen=True, slots=True)
class Rule:
    """A sentence that lays down a limit, as it reads with its items, what it stands on, how many words of the question
    it holds; `terms` are the sentences that define a term of it by a limit."""

    sentence: Sentence
    text: str
    cited: tuple[Passaged, ...]
    held: int
    terms: tuple[Sentence, ...]


def thresholded(case: Case) -> list[Statement]:
    """The rule whose limit is asked, what its document says of its standing, and the rules of other documents on the
    same subject with what is said of texts that were there before."""
    if not _ASKS_LIMIT.search(case.question.text):
        return []
    match = _SUBJECT.search(case.question.text)
    name = match["name"] if match else ""
    subject = families_of(name, case.retrieval.query.languages)
    documents = named_documents(case)
    found = _rules(case, case.sentences, subject, with_headings=True)
    thing = families_of(asked_thing(case.question.text), case.retrieval.query.languages)
    kept = [rule for rule in found if _speaks_of(rule, thing)]
    enough = [rule for rule in kept if rule.held >= HALF_OF_WORDS * len(case.question.words)]
    rule = max(enough, key=lambda rule: (rule.sentence.chunk.source_id in documents, rule.held), default=None)
    if rule is None:
        return []
    others = _others(case, rule, name, subject) if len(subject) >= LEAST_SUBJECT else []
    also = [statement for other in others for statement in _statements(other, "Also: ")]
    earlier = _earlier(case, [rule, *others]) if others else []
    return [*_statements(rule, ""), *also, *earlier, *_standing(rule)]


def _speaks_of(rule: Rule, thing: Sequence[frozenset[str]]) -> bool:
    """Whether a rule, its headings or the name of its document hold the thing that it is asked for."""
    chunk = rule.sentence.chunk
    held = roots_of(rule.text, chunk.language) | rule.sentence.context | roots_of(document_name(chunk), chunk.language)
    return all(not word.isdisjoint(held) for word in thing)


def _rules(
    case: Case, sentences: Sequence[Sentence], subject: Sequence[frozenset[str]], *, with_headings: bool
) -> Iterator[Rule]:
    """The sentences that lay down a limit on the subject, by a number or by a term that is defined by one."""
    glossary_of = cache(partial(_glossary, case))
    for sentence in sentences:
        text, cited = whole_of(case, sentence)
        if sentence.passage.kind in ("table", "caption") or not _RULES.search(text):
            continue
        said = roots_of(text, sentence.chunk.language)
        roots = said | sentence.context if with_headings else said
        if any(word.isdisjoint(roots) for word in subject):
            continue
        terms = tuple(s for term, s in glossary_of(sentence.chunk.source_id) if term.search(text))
        if terms or _LIMIT.search(text):
            held = sum(not word.isdisjoint(roots) for word in case.question.words)
            yield Rule(sentence, text, tuple(cited), held, terms)


def _glossary(case: Case, source_id: str) -> list[tuple[re.Pattern[str], Sentence]]:
    """The terms that a document defines by a limit, each with its definition."""
    found = []
    for chunk in case.around.document(source_id):
        if not _GLOSSED.search(chunk.content) or not _LIMIT.search(chunk.content):
            continue
        for sentence in sentences_of_chunk(chunk, None, 0):
            match = _GLOSSED.match(sentence.text)
            if match and _LIMIT.search(sentence.text):
                found.append((re.compile(rf"\b{re.escape(match['term'])}s?\b", re.I), sentence))
    return found


def _others(case: Case, rule: Rule, name: str, subject: Sequence[frozenset[str]]) -> list[Rule]:
    """The rule on this subject of each other document, the one that holds most words of the question."""
    near = case.around.named(name, without=rule.sentence.chunk.source_id)
    found = []
    for source in list(dict.fromkeys(chunk.source_id for chunk in near))[:MOST_SOURCES]:
        chunks = [chunk for chunk in case.around.document(source) if _holds(chunk, subject)]
        sentences = [sentence for chunk in chunks for sentence in sentences_of_chunk(chunk, None, 0)]
        rules = _rules(case, sentences, subject, with_headings=False)
        best = max(rules, key=lambda rule: rule.held, default=None)
        found += [] if best is None else [best]
    return found


def _holds(chunk: ChunkRecord, subject: Sequence[frozenset[str]]) -> bool:
    roots = roots_of(chunk.content, chunk.language)
    return all(not word.isdisjoint(roots) for word in subject)


def _statements(rule: Rule, opening: str) -> list[Statement]:
    """The rule, then the definitions of its terms."""
    locator, text = locator_and_text(rule.sentence.chunk.section_number, rule.text)
    made = stated(f"{opening}{text}", "value", rule.cited, locator=locator)
    return [made, *(told(term, "definition") for term in rule.terms)]


def _earlier(case: Case, rules: Sequence[Rule]) -> list[Statement]:
    """What the first of these documents that says so says of the standing of texts that were there before it."""
    for rule in rules:
        for chunk in case.around.document(rule.sentence.chunk.source_id):
            if not _PRECEDENCE.search(chunk.content):
                continue
            sentences = sentences_of_chunk(chunk, None, 0)
            for index, s in enumerate(sentences):
                if all(pattern.search(s.text) for pattern in (_PRECEDENCE, _EARLIER, _SELF)):
                    behind = [other for other in sentences[index + 1 : index + 2] if _REFERS_BACK.search(other.text)]
                    return [told(sentence, "fact") for sentence in (s, *behind)]
    return []


def _standing(rule: Rule) -> list[Statement]:
    """What the section of the rule says of its own standing ("This is an interim policy")."""
    sentences = sentences_of_chunk(rule.sentence.chunk, None, 0)
    return [told(sentence, "fact") for sentence in sentences if _STANDING.search(sentence.text)][:1]
