"""A value in running text: the clause in which the words of the question and a number with its unit stand together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pincite.answer.asked.names import holds_symbols, symbols_in
from pincite.answer.asked.question import asked_kind, asked_quantity, asked_thing, families_of, roots_of
from pincite.answer.material.case import Case
from pincite.answer.material.document import document_name
from pincite.answer.material.passages import LONGEST_QUOTE
from pincite.answer.material.sentences import Sentence, coverage_of, fits
from pincite.answer.plans.enough import MOST_WORDS
from pincite.answer.said.statements import locator_and_text, stated
from pincite.answer.words.measures import NUMBER, gives_measure, measures_asked, of_quantity
from pincite.records import Statement

LONGEST = 3
"""Sentences: a quote holds at most three (docs/design.md section 7)."""
PER_SENTENCE = 0.03
"""The shorter of two that hold as many words comes first; less than a word is worth. By eye, not measured."""
CHUNK_SHARE = 0.2
"""Of the chunk's score, to tell sentences apart that hold about as many words. By eye, not measured."""
EQUATION_WORTH = 0.15
"""A symbol with its value counts as a word or two more of an answer. By eye, not measured."""

_COUNT_OF = re.compile(r"\bhow many (?P<thing>[\w-]+)", re.I)
# A number with the three words behind it, among which stands what it counts.
_NUMBERED = re.compile(rf"{NUMBER}(?P<behind>(?:[\s-]+[^\W\d]+){{1,3}})")
_EQUATION = re.compile(r"\S{1,8} = \d")

Window = tuple[Sentence, ...]


def valued(case: Case) -> list[Statement]:
    """The shortest run of sentences of one chunk that holds most of the question's words, and a value."""
    if case.question.expected not in ("number", "value"):
        return []
    windows = list(_windows(case))
    if not windows:
        return []
    coverages = coverage_of(case.question, case.sentences, windows)
    scored = [
        (round(coverage + CHUNK_SHARE * _final(window) + _equation(window) - PER_SENTENCE * len(window), 6), -index)
        for index, (window, coverage) in enumerate(zip(windows, coverages, strict=True))
        if coverage >= MOST_WORDS
    ]
    return [_statement(_without_others(case, windows[-max(scored)[1]]))] if scored else []


def _without_others(case: Case, window: Window) -> Window:
    """The shortest part of a window that holds a value and as many words of the question as all of it."""
    words = frozenset().union(*case.question.words)
    held = _roots(window) & words
    parts = [window[a:b] for a in range(len(window)) for b in range(a + 1, len(window) + 1)]
    whole = [part for part in parts if _roots(part) & words == held and _gives(case, part[-1].text)]
    return min(whole, key=len, default=window)


def _roots(window: Window) -> frozenset[str]:
    return frozenset().union(*(sentence.roots for sentence in window))


def _gives(case: Case, text: str) -> bool:
    """Whether a text has a value of the measure that is asked; a count is asked only where no other measure is."""
    if counted := _COUNT_OF.search(case.question.text):
        return _counts(text, families_of(counted["thing"], case.retrieval.query.languages))
    asked = measures_asked(case.question.text)
    measures = tuple(measure for measure in asked if measure.name != "count") or asked
    return fits("value", text, case.question.text) and (not measures or gives_measure(text, measures))


def _windows(case: Case) -> Iterator[Window]:
    """Runs of up to three sentences that hold a value and the name of what is asked, where the question gives one."""
    named = asked_quantity(case.question) or " ".join(asked_kind(case.question))
    languages = case.retrieval.query.languages
    words, thing = families_of(named, languages), families_of(asked_thing(case.question.text), languages)
    typed = symbols_in(case.question.text)
    symbols = tuple(symbol for symbol in typed if any(holds_symbols(s.text, (symbol,)) for s in case.sentences))
    ordered = sorted((s for s in case.sentences if s.passage.kind != "table"), key=lambda s: (s.rank, s.position))
    for start in range(len(ordered)):
        for length in range(1, LONGEST + 1):
            window = tuple(ordered[start : start + length])
            if len(window) < length or window[-1].chunk.chunk_id != window[0].chunk.chunk_id:
                break
            if (
                _holds(window, words)
                and _speaks_of(window, thing)
                and _has_value(case, window, named)
                and holds_symbols(" ".join(sentence.text for sentence in window), symbols)
                and _fits_a_quote(window)
            ):
                yield window


def _holds(window: Window, words: Sequence[frozenset[str]]) -> bool:
    held = frozenset().union(*(sentence.roots for sentence in window)) | window[0].context
    return all(not word.isdisjoint(held) for word in words)


def _speaks_of(window: Window, thing: Sequence[frozenset[str]]) -> bool:
    """Whether a window, its headings or the name of its document hold the thing that a value is asked for."""
    chunk = window[0].chunk
    held = _roots(window) | window[0].context | roots_of(document_name(chunk), chunk.language)
    return all(not word.isdisjoint(held) for word in thing)


def _has_value(case: Case, window: Window, named: str) -> bool:
    """A window ends or begins with its value, in a unit of what is asked: else a shorter one says as much."""
    return any(_gives(case, of_quantity(sentence.text, named)) for sentence in (window[0], window[-1]))


def _counts(text: str, thing: Sequence[frozenset[str]]) -> bool:
    """Whether a number of this thing stands in a text ("five votes", "4 fresh eggs")."""
    behind = (match["behind"] for match in _NUMBERED.finditer(text))
    return any(not family.isdisjoint(roots_of(words, "en")) for words in behind for family in thing)


def _fits_a_quote(window: Window) -> bool:
    return sum(len(quote) for sentence in window for quote in sentence.passage.quotes) <= LONGEST_QUOTE


def _final(window: Window) -> float:
    return window[0].evidence.scores.final if window[0].evidence else 0.0


def _equation(window: Window) -> float:
    """More for a window that ends with a symbol and its value ("Ct = 1,0")."""
    return EQUATION_WORTH if _EQUATION.match(window[-1].text) else 0.0


def _statement(window: Window) -> Statement:
    locator, text = locator_and_text(window[0].chunk.section_number, " ".join(s.text for s in window))
    return stated(text, "value", [(s.passage, s.chunk) for s in window], locator=locator)
