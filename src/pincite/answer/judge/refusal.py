"""When the evidence does not answer: where was looked, what comes nearest, what is referred to but not in the store."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches

from pincite.answer.asked.question import asked_quantity, families_of
from pincite.answer.judge.answerable import answer_signals, is_unlikely
from pincite.answer.judge.judgement import Judgement
from pincite.answer.material.case import Case, asked_sections
from pincite.answer.material.document import topic_of
from pincite.answer.material.limits import admits
from pincite.answer.material.sentences import Sentence, coverage_of, sentences_of_chunk
from pincite.answer.said.statements import stated
from pincite.answer.words.facts import folded_name, has_value, without_aside
from pincite.answer.words.vocabulary import ASKING_WORDS
from pincite.records import Filter, Missing, Statement
from pincite.retrieve.named import named_sources
from pincite.retrieve.search import place_of
from pincite.text.names import printed_name
from pincite.text.tokens import tokenise_for

LEAST_COVERED = 0.35
PARTS = ("fraction", "share", "percentage")
MOST_UNKNOWN = 0.5
MOST_WORDS = 8
LOOKED_IN = 5
SUGGESTED = 3
MOST_MENTIONS = 2
MOST_DANGLING = 4
WINDOW = 1
SAID_SHARE = 0.75
LEAST_ALIKE = 0.75

_WORD = re.compile(r"[^\W\d_]{3,}")
_HOW_MUCH = re.compile(r"\bhow\s+(?:wide|high|tall|long|deep|thick|large|big|old|far|fast|heavy|often|soon)\b", re.I)


def refusal(judgement: Judgement) -> list[Statement]:
    """Nothing where the evidence is likely to answer; else what to say instead of an answer, with the nearest passage
    shown as what it is."""
    case = judgement.case
    if not _is_refused(judgement):
        return []
    quantity = asked_quantity(case.question)
    if quantity and not _has_value(case, quantity):
        return [_no_value(case, quantity), *_pointers(case, quantity)]
    return [stated(missing_text(_nothing_found(case)), "missing", ()), *_nearest(judgement)]


def signals_of_refusal(judgement: Judgement) -> tuple[float, ...]:
    """What is known of whether the evidence answers: `answerable.SIGNALS`."""
    case = judgement.case
    quantity = asked_quantity(case.question)
    unknown = len(_words_nowhere(case)) / max(1, len(case.question.words))
    lacks_value = bool(quantity) and not _has_value(case, quantity or "")
    return answer_signals(judgement, unknown=unknown, quantity_lacks_value=lacks_value)


def _is_refused(judgement: Judgement) -> bool:
    """Whether no window is likely to answer. Without vectors, and so without a sense of what is meant, whether too few
    words of the question stand together anywhere."""
    case = judgement.case
    if not judgement.windows:
        return True
    if all(item.scores.vec is None for item in case.retrieval.evidence):
        return _is_far(case)
    return not _is_anchored(case) and is_unlikely(judgement, signals_of_refusal(judgement))


def _nearest(judgement: Judgement) -> list[Statement]:
    """The likeliest window as the nearest passage, under its heading."""
    for item in judgement.windows[:1]:
        first = item.window.sentences[0]
        text = f"Nearest, not the answer: {first.heading or first.text}"
        return [stated(text, "missing", [(first.passage, first.chunk)])]
    return []


def is_unknown_quantity(case: Case) -> bool:
    """Whether a word of the name of the asked quantity stands in no document: then no plan can find its value. What
    part of another it is ("fraction", "share") need not be said."""
    quantity = (asked_quantity(case.question) or "").split(" of ")[0]
    return any(_stands_nowhere(case, word) for word in quantity.split() if word not in PARTS)


def missing_words(case: Case, opening: Sequence[Statement]) -> list[Missing]:
    """The words of the question that stand in no document at all, but for those of parts ("fraction") and a number
    that lies within a limit of the answer's opening."""
    looked_in = tuple(place_of(item.chunk) for item in case.retrieval.evidence[:LOOKED_IN])
    is_within = any(admits(case.question.text, statement.text) for statement in opening)
    words = [word for word in _words_nowhere(case) if word not in PARTS and not (is_within and word[:1].isdigit())]
    return [Missing(word, looked_in) for word in words]


def missing_question(case: Case) -> Missing:
    """The question as a whole, with what else to try."""
    return _nothing_found(case)


def not_found(case: Case) -> Statement:
    """That nothing was found on a part of a question, with the passages that were looked at."""
    near = {sentence.chunk.chunk_id: sentence for sentence in reversed(case.sentences[:LOOKED_IN])}
    text = f"No information found on “{case.question.text}”"
    return stated(text, "missing", [(sentence.passage, sentence.chunk) for sentence in reversed(near.values())])


def missing_text(missing: Missing) -> str:
    """As it is printed: what was not found, and where was looked; a filename that two documents have as their path."""
    names = {place.source_id: place.filename for place in missing.looked_in}
    shared = {name for name, count in Counter(names.values()).items() if count > 1}
    places = dict.fromkeys(
        (place.source_id if place.filename in shared else place.filename, place.page) for place in missing.looked_in
    )
    printed = (f"{printed_name(name)}, p.{page}" if page else printed_name(name) for name, page in places)
    looked_in = f" (looked in: {'; '.join(printed)})" if places else ""
    return f"No information found on “{missing.aspect}”{looked_in}"


def _is_far(case: Case) -> bool:
    """Whether too few words of the question stand together in any chunk, no sentence holds most of them, and no heading
    is named in it."""
    count = len(case.question.words)
    unknown = len(_words_nowhere(case)) / max(1, count)
    if unknown >= MOST_UNKNOWN:
        return True
    covered = max(coverage_of(case.question, case.sentences, _by_chunk(case.sentences)), default=0.0) - unknown
    is_near = count > MOST_WORDS or covered >= LEAST_COVERED
    return not is_near and not _is_said(case) and not _is_anchored(case) and not _has_followed(case)


def _is_said(case: Case) -> bool:
    """Whether one sentence holds most words of the question, those of its names among them."""
    words, names = case.question.words, case.question.name_roots
    named = [word for word in words if word & names]
    return len(words) > 1 and any(
        sum(not word.isdisjoint(s.roots) for word in words) >= SAID_SHARE * len(words)
        and all(not word.isdisjoint(s.roots) for word in named)
        for s in case.sentences
    )


def _by_chunk(sentences: Sequence[Sentence]) -> list[list[Sentence]]:
    groups: dict[str, list[Sentence]] = {}
    for sentence in sentences:
        groups.setdefault(sentence.chunk.chunk_id, []).append(sentence)
    return list(groups.values())


def _has_followed(case: Case) -> bool:
    """Whether names of the evidence led to chunks about them: a question of several steps has far words."""
    return any(sentence.evidence is None for sentence in case.sentences[:LOOKED_IN])


def _is_anchored(case: Case) -> bool:
    """Whether the question names a section or a document of the evidence, or, with a capital, a heading."""
    if asked_sections(case.retrieval) or named_sources(
        case.question.text, {item.chunk.source_id for item in case.retrieval.evidence}
    ):
        return True
    names = " | ".join(folded_name(name) for name in case.question.names)
    headings = {folded_name(without_aside(sentence.heading)) for sentence in case.sentences}
    return any(heading and f" {heading} " in f" {names} " for heading in sorted(headings))


def _has_value(case: Case, quantity: str) -> bool:
    """Whether the words of the quantity and a value stand together, at most one sentence apart."""
    words = families_of(quantity, case.retrieval.query.languages)
    ordered = sorted(case.sentences, key=lambda s: (s.rank, s.position))
    for index, sentence in enumerate(ordered):
        around = [
            other
            for other in ordered[max(0, index - WINDOW) : index + WINDOW + 1]
            if other.chunk.chunk_id == sentence.chunk.chunk_id
        ]
        held = frozenset().union(*(other.roots for other in around)) | sentence.context
        if all(not word.isdisjoint(held) for word in words) and any(has_value(other.text) for other in around):
            return True
    return False


def _mentions(case: Case, quantity: str) -> list[Sentence]:
    """The sentences of the whole store that hold all words of the quantity, one a document."""
    words = families_of(quantity, case.retrieval.query.languages)
    rank = len(case.retrieval.evidence) + 1
    named = [s for chunk in case.around.named(quantity) for s in sentences_of_chunk(chunk, None, rank)]
    found = [s for s in (*case.sentences, *named) if all(not word.isdisjoint(s.roots) for word in words)]
    by_source = {sentence.chunk.source_id: sentence for sentence in reversed(found)}
    return sorted(by_source.values(), key=lambda s: s.rank)[:MOST_MENTIONS]


def _no_value(case: Case, quantity: str) -> Statement:
    found = _mentions(case, quantity)
    said = f"No information found: no value of “{quantity}” stands in the evidence"
    if found:
        said = f"No information found: no value of “{quantity}”; the words stand on {len(found)} pages"
    return stated(said, "missing", [(s.passage, s.chunk) for s in found])


def _pointers(case: Case, quantity: str) -> list[Statement]:
    """Where the words do stand, what is referred to there but is not in the store, and the nearest passage."""
    found = _mentions(case, quantity)
    made = [stated(f"The words stand here: {s.text}", "missing", [(s.passage, s.chunk)]) for s in found]
    near = [*found, *case.sentences][: MOST_MENTIONS + 2]
    if names := _not_in_store(case, near):
        cited = [(s.passage, s.chunk) for s in near[:1]]
        made.append(stated(f"Referred to, but not in this folder: {'; '.join(names)}", "missing", cited))
    nearest = next((s for s in case.sentences if s not in found), None)
    if nearest is not None and nearest.heading:
        made.append(
            stated(f"Nearest, not the answer: {nearest.heading}", "missing", [(nearest.passage, nearest.chunk)])
        )
    return made


def _not_in_store(case: Case, sentences: Sequence[Sentence]) -> list[str]:
    topic = topic_of(case)
    sources = dict.fromkeys([*(topic or ())[:1], *(sentence.chunk.source_id for sentence in sentences)])
    names = [name for source in sources for name in case.around.absent(source)]
    return list(dict.fromkeys(names))[:MOST_DANGLING]


def _nothing_found(case: Case) -> Missing:
    query, around = case.retrieval.query, case.around
    is_filtered = replace(query.filter, principals=()) != Filter()
    if is_filtered and not around.visible_sources():
        return Missing(query.search_text, suggestions=("no document fits the filter: search without it",))
    suggestions = [_other_word(case, word) for word in _words_nowhere(case)]
    if is_filtered:
        suggestions.append("search without the filter")
    if names := _not_in_store(case, case.sentences[:LOOKED_IN]):
        suggestions.append(f"referred to nearby, but not in this folder: {'; '.join(names)}")
    if pages := around.unreadable(query.filter):
        suggestions.append(f"{len(pages)} pages have no readable text, the first is {pages[0][0]}, p.{pages[0][1]}")
    headings = dict.fromkeys(item.chunk.section[-1] for item in case.retrieval.evidence if item.chunk.section)
    suggestions += [f"nearest heading: {heading}" for heading in list(headings)[:SUGGESTED]]
    looked_in = tuple(place_of(item.chunk) for item in case.retrieval.evidence[:LOOKED_IN])
    return Missing(query.search_text, looked_in, tuple(suggestions))


def _other_word(case: Case, word: str) -> str:
    """What to try for a word that stands nowhere: the word of the evidence that is spelled most like it."""
    words = {match.casefold(): match for s in case.sentences for match in _WORD.findall(f"{s.text} {s.heading}")}
    alike = get_close_matches(word.casefold(), sorted(words), 1, LEAST_ALIKE)
    instead = f"did you mean “{words[alike[0]]}”?" if alike else "try another"
    return f"no document holds the word “{word}”: {instead}"


def _words_nowhere(case: Case) -> list[str]:
    """The words of the question, as they were typed, no form of which stands anywhere; how much of something is asked
    ("how wide") is told by its unit."""
    query = case.retrieval.query
    text = _HOW_MUCH.sub(" ", query.search_text)
    for place in case.retrieval.trace.places:
        text = text.replace(place, " ")
    typed = [word.strip("?!.,;:()\"'“”") for word in text.split()]
    words = [word for word in typed if word.casefold() not in ASKING_WORDS]
    said = frozenset[str]().union(*(sentence.roots | sentence.context for sentence in case.sentences))
    return [word for word in dict.fromkeys(words) if _stands_nowhere(case, word) and not _is_form_of(case, word, said)]


def _is_form_of(case: Case, word: str, said: frozenset[str]) -> bool:
    return any(not family.isdisjoint(said) for family in families_of(word, case.retrieval.query.languages))


def _stands_nowhere(case: Case, word: str) -> bool:
    tokens = tokenise_for(word, case.retrieval.query.languages)
    return bool(tokens) and not any(map(case.around.is_known, tokens))
