"""Figures of companies' accounts: the rows of the statement that a measure is made of, for the years that are asked.

"Gross margin" stands on no line of a statement of income, but net sales and cost of sales do. Nothing is computed but
which of two figures is the greater (docs/answers.md, 6 and 9b).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from pincite.answer.asked.question import families_of, sentences_in, years_in
from pincite.answer.material.case import Case
from pincite.answer.material.document import named_documents
from pincite.answer.material.passages import Passaged, lines_of
from pincite.answer.material.sentences import sentences_of_chunk
from pincite.answer.plans.figures import Accounts, Figure, Measure, lexicon
from pincite.answer.plans.tables import UNIT
from pincite.answer.said.statements import stated
from pincite.answer.words.vocabulary import pattern_of, words_of
from pincite.records.answers import Statement

MOST_DOCUMENTS = 4
"""Documents: two years of two companies; more are no comparison that is read."""
MOST_LINES = 6
"""Rows that are shown: the longest measures of the lexicon, the cash conversion cycle among them, have five."""
MOST_OTHER_WORDS = 2
"""Beside a broad measure; with more, the question is on something else that earns or costs. By eye, not measured."""

_BASIS = pattern_of("accounts", "basis")
_RATIO = pattern_of("accounts", "ratio")
_GREW = pattern_of("accounts", "grew")
_FELL = pattern_of("accounts", "fell")
_ASIDE = re.compile(r"\([^()]*\)")
# The part of a sentence that asks, without what it leads in with ("According to the report, what ...").
_ASKING = re.compile(
    r"(?:^|,\s)(?P<asking>(?:what|which|how|who|when|did|do|does|has|have|is|are|was|were|by)\b.*)", re.I
)


def accounted(case: Case) -> list[Statement]:
    """The figures of the measures that the question names, of the documents that it names."""
    names = _asked_lines(case)
    if not names:
        return []
    years = years_in(case.question.text)
    evidence = [item.chunk.source_id for item in case.retrieval.evidence]
    sources = named_documents(case)[:MOST_DOCUMENTS] or evidence[:1]
    statements = [Accounts(case, source) for source in sources]
    found = [[row for pages in statements if (row := pages.figure(name, years)) is not None] for name in names]
    figures = {name: rows for name, rows in zip(names, found, strict=True) if rows}
    own = [name for name in figures if _is_called(name, case.question.text)]
    shown = own if len(own) == 1 else list(figures)[:MOST_LINES]
    if len(shown) == 1 and len(years) == 2 and (compared := _compared(case, shown[0], figures[shown[0]], years)):
        return [compared]
    if (beyond := _beyond(sources, [figures[name] for name in shown], years)) is not None:
        return [beyond]
    return [statement for name in shown for statement in _stated_rows(case, figures[name], years)]


def _is_called(name: str, question: str) -> bool:
    """Whether the question names this very line, not a ratio that it is part of."""
    said = [match.group() for measure in lexicon().measures for match in measure.names.finditer(question)]
    lines = [text for text in said if not _RATIO.search(text)]
    return len(lines) == len(said) and any(label.fullmatch(text) for label in lexicon().labels[name] for text in lines)


def _beyond(sources: Sequence[str], figures: Sequence[Sequence[Figure]], years: Sequence[int]) -> Statement | None:
    """What to say where every asked year lies before or behind all that the documents give, in name and columns."""
    rows = [figure for found in figures for figure in found]
    known = {year for figure in rows for year in figure.values}
    named = any(str(year) in source for year in years for source in sources)
    if not (years and known) or named or not all(figure.values for figure in rows):
        return None
    if any(min(known) <= year <= max(known) for year in years):
        return None
    said = f"No information found on {rows[0].label} of {', '.join(map(str, years))}"
    said += f" (years found: {', '.join(map(str, sorted(known)))})"
    return stated(said, "missing", [item for figure in rows for item in _cited(figure)])


def named_measures(text: str) -> list[Measure]:
    """The measures of accounts that a text names."""
    return [measure for measure in lexicon().measures if measure.names.search(text)]


def _asked_lines(case: Case) -> list[str]:
    text = case.question.text
    matched = named_measures(text)
    if any(not measure.broad for measure in matched):
        matched = [measure for measure in matched if not measure.broad]
    elif matched and (_other_words(case, matched) > MOST_OTHER_WORDS or _is_part(matched, text)):
        return []
    return list(dict.fromkeys(name for measure in matched for name in measure.lines))


def _is_part(measures: Sequence[Measure], text: str) -> bool:
    """Whether a word just before each of the measures makes another line of it ("unearned revenue")."""
    found = [match for measure in measures for match in measure.names.finditer(text)]
    before = [re.search(r"(?:^|\s)([a-z]+)\s$", text[: match.start()]) for match in found]
    words = [families_of(word[1], ("en",)) if word else () for word in before]
    return all(word and all(family.isdisjoint(_plain()) for family in word) for word in words)


def _other_words(case: Case, measures: Sequence[Measure]) -> int:
    """How many words of the asking sentence are neither of the measure, nor a name, a year or a plain word."""
    sentences = sentences_in(case.question.text)
    text = " ".join(part for part in sentences if any(measure.names.search(part) for measure in measures))
    for measure in measures:
        text = measure.names.sub(" ", text)
    asking = _ASKING.search(_ASIDE.sub(" ", text))
    typed = families_of(asking["asking"] if asking else text, ("en",))
    words = [word for word in typed if word.isdisjoint(_plain() | case.question.name_roots)]
    return sum(not any(form.isdigit() or form.startswith("fy") for form in word) for word in words)


@lru_cache(maxsize=1)
def _plain() -> frozenset[str]:
    """The families of words that questions on figures say beside the measure, the company and the year."""
    return frozenset().union(*families_of(" ".join(sorted(words_of("accounts", "plain"))), ("en",)))


def _stated_rows(case: Case, figures: Sequence[Figure], years: Sequence[int]) -> list[Statement]:
    """Each asked year from the first document that has it; where another has another figure for it, both, and on which
    basis it stands."""
    chosen: dict[int, Figure] = {}
    others: list[Figure] = []
    for figure in figures:
        for year in (year for year in years if year in figure.values):
            first = chosen.setdefault(year, figure)
            if _number(first.values[year]) != _number(figure.values[year]):
                others.append(figure)
    if not chosen:
        return [stated(figures[0].line[0].text, "value", [figures[0].line])]
    made = [_stated(figure, [y for y in years if chosen.get(y) is figure]) for figure in _distinct(chosen.values())]
    if not others:
        return made
    said = [replace(made[0], text=f"Two figures on two bases. {made[0].text}", kind="conflict")]
    said += [replace(_stated(figure, [y for y in years if y in figure.values]), kind="conflict") for figure in others]
    return [*said, *made[1:], *_bases(case, others)]


def _distinct(figures: Iterable[Figure]) -> list[Figure]:
    return list({id(figure): figure for figure in figures}.values())


def _bases(case: Case, figures: Sequence[Figure]) -> list[Statement]:
    """What each of these documents says first of its figures being stated anew: a sentence, or a line of a heading."""
    made = []
    for source_id in dict.fromkeys(figure.line[1].source_id for figure in figures):
        chunks = [chunk for chunk in case.around.document(source_id) if _BASIS.search(chunk.content)]
        sentences = [(s.passage, s.chunk) for chunk in chunks for s in sentences_of_chunk(chunk, None, 0)]
        lines = [(line, chunk) for chunk in chunks for line in lines_of(chunk)]
        told = next((item for item in (*sentences, *lines) if _BASIS.search(item[0].text)), None)
        made += [] if told is None else [stated(told[0].text, "fact", [told])]
    return made


def _stated(figure: Figure, years: Sequence[int]) -> Statement:
    parts = [f"{year}: {figure.values[year]}" for year in years]
    period = f", {figure.period}" if figure.period else ""
    return stated(f"{figure.label}{period}, {'; '.join(parts)}{_unit(figure)}", "value", _cited(figure))


def _unit(figure: Figure) -> str:
    match = UNIT.search(figure.unit[0].text) if figure.unit else None
    return f" ({match.group().strip('() ')})" if match else ""


def _cited(figure: Figure) -> list[Passaged]:
    return [item for item in (figure.unit, *figure.heads, figure.line) if item is not None]


def _compared(case: Case, name: str, figures: Sequence[Figure], years: Sequence[int]) -> Statement | None:
    """Whether the figure of the later year is the greater, as the question asks; both are cited. What is deducted is
    compared by its amount."""
    text = case.question.text
    rises = bool(_GREW.search(text))
    if not case.question.yes_no or rises == bool(_FELL.search(text)):
        return None
    early, late = sorted(years)
    found = [next((figure for figure in figures if year in figure.values), None) for year in (late, early)]
    if found[0] is None or found[1] is None or _unit(found[0]) != _unit(found[1]):
        return None
    after, before = found[0].values[late], found[1].values[early]
    read = (lambda value: abs(_number(value))) if name in lexicon().deductions else _number
    verdict = "Yes" if (read(after) > read(before)) == rises and read(after) != read(before) else "No"
    said = f"{verdict}: {found[0].label}, {late}: {after}, against {before} in {early}{_unit(found[0])}"
    return stated(said, "verdict", [*_cited(found[0]), *_cited(found[1])])


def _number(value: str) -> float:
    """The number that a cell holds; brackets make it negative."""
    digits = re.sub(r"[^\d.]", "", value)
    return (-1 if "(" in value else 1) * float(digits.rstrip(".") or 0)
