"""Does a document apply, and what has to be done by it: the scope, the first duty, then the steps in its order.

Asked of a whole subject ("Do I need to apply snow loads to my structure? What steps ...?"), where no single clause is
the answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pincite.answer.case import Case
from pincite.answer.document import EXCLUDES, WholeDocument, first_in_each, topic_of, whole_document
from pincite.answer.facts import country_words, names_in
from pincite.answer.passages import LONGEST_QUOTE
from pincite.answer.plans.lists import with_items
from pincite.answer.question import families_of, roots_of, sentences_in
from pincite.answer.sentences import Sentence
from pincite.answer.statements import Passaged, locator_and_text, stated
from pincite.records import Statement, StatementKind

LEAST_GENERAL = 0.6
MOST_EXCLUSIONS = 4
MOST_WIDER = 3
MOST_STEPS = 8
MOST_SYMBOLS = 2

_PARTS_OF_ANSWER = ("Does it apply?", "Steps, in the order of the document", "What stays open")

_PARTS = re.compile(r"(?<=[?.!])\s+|,?\s+and\s+(?=(?:how|what|which|do|must|should|shall|need)\b)")
_ASKS_DUTY = re.compile(
    r"^(?:(?:so|and|but|then|hence)\s+)?(?:do|must|should|shall|need|is it|am)\s+(?:i|we|one|necessary|required)\b",
    re.I,
)
_ASKS_STEPS = re.compile(
    r"\b(?:what|which)\s+(?:are the\s+)?steps\b|\bhow (?:do|should|would|can|must) (?:i|we|one)\b", re.I
)
_ASKS_PART = re.compile(r"\b(?:what|which) (?:part|clause|section|chapter)s?\b", re.I)
_OBJECT = re.compile(
    r"\b(?:design\w*|build\w*|construct\w*|plan\w*|for|of|to|onto|on|in|with)\s+(?:a|an|my|our)\s+"
    r"(?P<name>[\w-]+(?:\s+(?!in|at|on|for|of|to|with|and|or|near|by|from|that|which|is|are)[\w-]+){0,2})",
    re.I,
)
_PLAIN_OBJECTS = frozenset(("structure", "construction", "project", "design", "work", "works", "scheme", "site"))
_BUILDINGS = frozenset(
    "warehouse house office school hospital hotel shop factory apartment library church garage theatre museum".split()
)
# Words of such a question that stand for no subject of their own.
_GENERAL = (
    "need apply consider potential issue regard check account take design step part code refer standard require use "
    "must necessary rule follow case make sure deal think worry determine calculate find "
    "work action load"
)
_ADMITS = re.compile(
    r"\b(?:applicable to|appl(?:y|ies) to|valid for|intended for|to be used for|gives? (?:\w+ ){0,6}(?:for|to)|covers"
    r"|deals? with|concerns)\b",
    re.I,
)
_FORMS = re.compile(r"\bnot specifically covered\b|\bunusual forms\b", re.I)
_NATIONAL = re.compile(r"\b(?:should|shall|must) (?:\w+ ){0,3}national annex\b", re.I)
_STANDING = re.compile(r"^(?:Annex|Appendix|Annexes|Appendices)\b.*\b(?:is|are) (?:normative|informative)\b", re.I)
_DOES = (
    r"determined|classified|used|taken|considered|calculated|assessed|checked|verified|applied|evaluated|estimated"
    r"|obtained|carried out|identified|documented|implemented|established|performed"
)
_DUTY = re.compile(
    rf"\b(?:shall|should|must)\b.*?\b(?:{_DOES})\b|\b(?:is|are) (?:classi\W?fied|to be (?:{_DOES}))\b",
    re.I,
)
_STRONG = re.compile(
    r"\bshall (?:be )?(?:determined|considered|taken|calculated|applied|included|checked|verified)\b", re.I
)
_MAIN = re.compile(r"\bas follows\b|\bby (?:expression|equation|formula)\b|:$", re.I)
_SUBORDINATE = re.compile(r"^(?:\(\w+\)P?\s+)?(?:when|where|if|for|to|in|on|provided|unless)\b", re.I)
_ITEM = re.compile(r"^\(?[a-z][.)]\s")
_SYMBOL = re.compile(
    r"^(?:\(\w+\)P?\s+)?The\s+(?:[\w-]+\s+){0,4}(?:coefficient|factor)s?\b.*\b(?:shall|should)\b", re.I
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What such a question asks for: a verdict, steps or both; `objects` are the things that it is asked for."""

    verdict: bool
    steps: bool
    objects: tuple[str, ...]


def duties(case: Case) -> list[Statement]:
    """The verdict with scope and exclusions, and the steps, for a question on a document's whole subject."""
    asked = _asked(case.question.text)
    found = topic_of(case) if asked.verdict or asked.steps else None
    if found is None or not _is_general(case, asked, found[1]):
        return []
    document = whole_document(case, *found)
    first = _first_duty(document)
    if first is None:
        return []
    verdict = _verdict(case, document, asked, first) if asked.verdict else []
    if not asked.steps:
        return verdict
    steps = _steps(case, document, verdict)
    parts = zip(_PARTS_OF_ANSWER, (verdict, steps, _open_points(case, document, [*verdict, *steps])), strict=True)
    return [replace(statement, part=heading) for heading, statements in parts for statement in statements]


def _asked(text: str) -> Asked:
    verdict = any(_ASKS_DUTY.match(part) for part in _PARTS.split(text))
    objects = dict.fromkeys(match.group("name").casefold() for match in _OBJECT.finditer(text))
    return Asked(verdict, bool(_ASKS_STEPS.search(text) or _ASKS_PART.search(text)), tuple(objects))


def _is_general(case: Case, asked: Asked, topic: Sequence[frozenset[str]]) -> bool:
    """Whether nearly all words of the asking sentences are the subject, the thing that it is asked for, or say
    nothing of their own."""
    languages = case.retrieval.query.languages
    parts = [part for part in sentences_in(case.question.text) if part.endswith("?")] or [case.question.text]
    free = frozenset().union(*topic, *families_of(" ".join((_GENERAL, *asked.objects)), languages))
    words = [word for part in parts for word in families_of(part, languages)]
    return bool(words) and sum(not word.isdisjoint(free) for word in words) / len(words) >= LEAST_GENERAL


def _first_duty(document: WholeDocument) -> Sentence | None:
    """The first clause behind the definitions whose subject is the topic and that says what shall be done."""
    body = [s for s in document.of("body") if _subject_is(document, s)]
    return next((s for s in body if _STRONG.search(s.text)), next(iter(body), None))


def _subject_is(document: WholeDocument, sentence: Sentence) -> bool:
    """Whether all words of the topic stand in front of the verb of the duty."""
    duty = _DUTY.search(sentence.text)
    if duty is None or sentence.passage.kind in ("table", "caption") or _ITEM.match(sentence.text):
        return False
    before = sentence.text[: duty.start()]
    before = before.rsplit(",", 1)[-1] if _SUBORDINATE.match(before) else before
    subject = roots_of(before, sentence.chunk.language)
    return all(not word.isdisjoint(subject) for word in document.topic)


# --- the verdict


def _verdict(case: Case, document: WholeDocument, asked: Asked, first: Sentence) -> list[Statement]:
    scope = document.of("scope")
    admits = next((s for s in scope if _ADMITS.search(s.text) and not EXCLUDES.search(s.text)), None)
    outside = [s for s in scope if EXCLUDES.search(s.text)]
    special = [name for name in asked.objects if name.split()[-1] not in _PLAIN_OBJECTS]
    if admits is None or not special or _naming(case, special, [admits]) is not None:
        facts = [s for s in (admits, *outside[:MOST_EXCLUSIONS]) if s is not None]
        return [_said(case, first, "Yes, where this document applies: "), *_facts(case, facts)]
    if (excluded := _naming(case, special, outside)) is not None:
        return [_said(case, excluded, "No: "), *_facts(case, _distinct([admits, *outside], excluded)[:MOST_EXCLUSIONS])]
    return _unsettled(case, document, special[0], admits, outside)


def _naming(case: Case, things: Sequence[str], sentences: Sequence[Sentence]) -> Sentence | None:
    """The first sentence that holds, itself or in its list, what one of these things is ("rope bridge": bridge)."""
    languages = case.retrieval.query.languages
    heads = [family for thing in things for family in families_of(_class_of(thing.split()[-1]), languages)]
    for sentence in sentences:
        held = roots_of(_whole(case, sentence)[0], sentence.chunk.language)
        if any(not head.isdisjoint(held) for head in heads):
            return sentence
    return None


def _class_of(thing: str) -> str:
    """A thing with the class that it belongs to."""
    return f"{thing} building" if thing in _BUILDINGS else thing


def _unsettled(
    case: Case, document: WholeDocument, thing: str, admits: Sentence, outside: Sequence[Sentence]
) -> list[Statement]:
    """Neither admitted nor left out: the scope as it is, what holds for all, and what stands nowhere."""
    front = document.of("front")
    asked = frozenset().union(*case.question.words)
    shared = [s for s in outside if not asked.isdisjoint(s.roots)][:MOST_EXCLUSIONS]
    duties_for_all = [s for s in document.of("body") if _DUTY.search(s.text) and not _ITEM.match(s.text)]
    wider = [s for s in duties_for_all if _shares(case, document, s)][:MOST_WIDER]
    forms = [s for s in front if _FORMS.search(s.text)][:1]
    places = sorted({country for _, country in country_words(case.question.text)})
    bound = [s for s in front if any(place in s.text for place in places)][:1]
    annex = [s for s in front if _NATIONAL.search(s.text)][:1] if places else []
    return [
        _said(case, admits, f"Not settled for {'an' if thing[0] in 'aeiou' else 'a'} {thing}: "),
        *_facts(case, _distinct([*shared, *wider, *forms, *bound, *annex], admits)),
        *_nowhere(case, document, thing, admits),
    ]


def _shares(case: Case, document: WholeDocument, sentence: Sentence) -> bool:
    """Whether a clause speaks of the topic and, beyond it, of a further word of the question."""
    others = [word for word in case.question.words if word not in document.topic]
    has_topic = all(not word.isdisjoint(sentence.roots) for word in document.topic)
    return has_topic and any(not word.isdisjoint(sentence.roots) for word in others)


def _nowhere(case: Case, document: WholeDocument, thing: str, admits: Sentence) -> list[Statement]:
    """The thing and the names of the question that stand on no page of the document."""
    languages = case.retrieval.query.languages
    names = [name for part in sentences_in(case.question.text) for name in names_in(part) if not part.startswith(name)]
    words = dict.fromkeys(word for name in (thing, *names) for word in name.split())
    absent = [word for word in words if any(not document.holds(family) for family in families_of(word, languages))]
    if not absent:
        return []
    listed = " or ".join(f"“{word}”" for word in absent)
    place = admits.chunk.section_number or admits.heading
    text = f"No information found on {listed} in {admits.chunk.filename} (looked first in {place})"
    return [stated(text, "missing", [(admits.passage, admits.chunk)])]


def _facts(case: Case, sentences: Sequence[Sentence]) -> list[Statement]:
    return [_said(case, sentence, "", "fact") for sentence in sentences]


def _said(case: Case, sentence: Sentence, opening: str, kind: StatementKind = "verdict") -> Statement:
    """A sentence, with its items where it leads into a list."""
    whole, cited = _whole(case, sentence)
    locator, text = locator_and_text(sentence.chunk.section_number, whole)
    return stated(f"{opening}{text}", kind, cited, locator=locator)


def _whole(case: Case, sentence: Sentence) -> tuple[str, list[Passaged]]:
    return with_items(case, sentence, LONGEST_QUOTE if sentence.text.endswith(":") else 0)


def _distinct(sentences: Sequence[Sentence], without: Sentence | None = None) -> list[Sentence]:
    """The sentences, each once, in their order."""
    found = {(s.chunk.chunk_id, s.position): s for s in sentences}
    if without is not None:
        found.pop((without.chunk.chunk_id, without.position), None)
    return list(found.values())


# --- the steps


def _steps(case: Case, document: WholeDocument, said: Sequence[Statement]) -> list[Statement]:
    """In each main section the first clause on the topic that says what to do, and the coefficients of the main one."""
    used = {citation.span for statement in said for citation in statement.citations}
    duties_left = [s for s in document.of("body") if _DUTY.search(s.text) and not used.intersection(s.passage.spans)]
    body = [s for s in duties_left if s.passage.kind != "table" and not _ITEM.match(s.text)]
    by_section = first_in_each(body, _main_section, lambda s: _subject_is(document, s))
    known = {_main_section(s) for s in by_section}
    others = [s for s in body if _main_section(s) not in known and _speaks_of_topic(document, s)]
    chosen = [*by_section, *first_in_each(others, _main_section, lambda _: True)]
    main = next((s for s in by_section if _MAIN.search(s.text)), None)
    if main is not None:
        chosen += _symbols(body, main)
    ordered = sorted(_distinct(chosen), key=lambda s: (s.chunk.index, s.position))
    return [_step(case, number, sentence) for number, sentence in enumerate(ordered[:MOST_STEPS], start=1)]


def _main_section(sentence: Sentence) -> str:
    return sentence.chunk.section[0]


def _speaks_of_topic(document: WholeDocument, sentence: Sentence) -> bool:
    return any(not word.isdisjoint(sentence.roots) for word in document.topic)


def _symbols(body: Sequence[Sentence], main: Sentence) -> list[Sentence]:
    """The clauses behind the main expression, in its section, that say what its coefficients are."""
    behind = [s for s in body if s.chunk.index > main.chunk.index and _main_section(s) == _main_section(main)]
    found = first_in_each(behind, lambda s: s.chunk.section_number or "", lambda s: bool(_SYMBOL.search(s.text)))
    return found[:MOST_SYMBOLS]


def _step(case: Case, number: int, sentence: Sentence) -> Statement:
    whole, cited = _whole(case, sentence)
    locator, text = locator_and_text(sentence.chunk.section_number, whole)
    return stated(text, "step", cited, locator=f"Step {number}, {locator}" if locator else f"Step {number}")


# --- what stays open


def _open_points(case: Case, document: WholeDocument, said: Sequence[Statement]) -> list[Statement]:
    """Which annexes bind, and what the cited clauses refer to that the store does not hold."""
    standing = [s for s in document.of("front") if _STANDING.search(s.text)][:1]
    cited = list(dict.fromkeys(citation.chunk_id for statement in said for citation in statement.citations))
    chunks = case.around.chunks(cited)
    absent = [(name, chunk) for chunk in chunks for name in case.around.absent(chunk.source_id, chunk)]
    names = dict.fromkeys(name for name, _ in absent)
    made = _facts(case, standing)
    if names:
        text = f"Referred to, but not in this folder: {'; '.join(names)}"
        holders = [s for s in document.sentences if s.chunk.chunk_id in {chunk.chunk_id for _, chunk in absent}]
        first = next((s for s in holders if any(name in s.text for name in names)), None)
        made += [stated(text, "missing", [(first.passage, first.chunk)] if first else ())]
    return made
