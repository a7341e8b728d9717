"""What is not found: how it is told, where was looked, and what else to try."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from textwrap import shorten

from pincite.answer.asked.bounds import asked_bounds
from pincite.answer.asked.noun_phrases import identifiers_in, quoted_in, stands_in
from pincite.answer.asked.question import families_of, roots_of
from pincite.answer.material.case import Case, stands_nowhere
from pincite.answer.material.document import topic_of
from pincite.answer.material.limits import admits
from pincite.answer.material.ranges import lies_in
from pincite.answer.material.sentences import Sentence
from pincite.answer.said.gate import CELLS
from pincite.answer.said.statements import stated
from pincite.answer.words.facts import dates_in
from pincite.answer.words.vocabulary import ASKING_WORDS, REFERRING_WORDS, SECTION_WORDS
from pincite.printing import printed_name
from pincite.records.answers import Missing, Statement
from pincite.records.questions import Filter
from pincite.retrieve.search import place_of

PARTS = ("fraction", "share", "percentage")
"""What part of another a quantity is need not be said where its value stands."""
LOOKED_IN = 5
"""Passages that are named as looked in: as many as fit a line or two."""
SUGGESTED = 3
"""Nearest headings that are suggested."""
MOST_DANGLING = 4
"""Documents that are named as absent."""
LONGEST_LINE = 200
"""Characters of a running line that are shown."""
LEAST_ALIKE = 0.75
"""Of the letters of a word, for another to be suggested for it: one slip in four letters."""

_WORD = re.compile(r"[^\W\d_]{3,}")
_NAMED = re.compile(r"[^\W\d_a-z]|\d|\w_\w")
_INITIALS = re.compile(r"(?<!\w)[A-Z]{2,6}(?!\w)")
_BETWEEN = "(?:of|the|and|for)"
_HOW_MUCH = re.compile(r"\bhow\s+(?:wide|high|tall|long|deep|thick|large|big|old|far|fast|heavy|often|soon)\b", re.I)


def missing_words(case: Case, opening: Sequence[Statement], *, by_meaning: bool) -> list[Missing]:
    """The words of the question that stand in no document at all, but for those of parts ("fraction"), those that
    ask what a section says, and a number that lies within a limit of the answer's opening. Where units were read
    `by_meaning`, plain words may be said in others: then names, numbers and identifiers alone are missed."""
    looked_in = tuple(place_of(item.chunk) for item in case.retrieval.evidence[:LOOKED_IN])
    is_within = any(_lies_within(case.question.text, statement.text) for statement in opening)
    bounds = asked_bounds(case.question.text)
    asked_days = [word for moment in dates_in(case.question.text) for word in moment.text.split()]
    free = {
        *PARTS,
        *(asked_days if bounds and bounds.days else ()),
        *(SECTION_WORDS | REFERRING_WORDS if case.retrieval.trace.places else ()),
    }
    words = [word for word in words_nowhere(case) if word not in free and not (is_within and word[:1].isdigit())]
    first = case.retrieval.query.search_text.split(" ", 1)[0]
    missed = [word for word in words if not by_meaning or (_NAMED.search(word) and word != first)]
    return [Missing(word, looked_in) for word in missed]


def _lies_within(question: str, said: str) -> bool:
    """Whether a number of the question lies within a limit, or in a range that is a cell of a row that is said."""
    cells = (cell.rpartition(": ") for cell in said.split(CELLS))
    return bool(admits(question, said)) or any(lies_in(question, content, head) for head, _, content in cells)


def missing_names(case: Case, statements: Sequence[Statement], known: Sequence[Missing]) -> list[Missing]:
    """The identifiers, codes and quoted words of a question that stand nowhere near what is cited; none that is `known`
    to be missing. Proper names are missed where no document has them: what is cited of them may say "it"."""
    question = case.question.text
    for place in case.retrieval.trace.places:
        question = question.replace(place, " ")
    identifiers, quoted = identifiers_in(question), quoted_in(question)
    if not identifiers and not quoted:
        return []
    cited = case.around.chunks(list(dict.fromkeys(c.chunk_id for s in statements for c in s.citations)))
    near = " ".join(" ".join((c.content, *c.section, c.title or "", c.filename)) for c in cited)
    looked_in = tuple(place_of(chunk) for chunk in cited[:LOOKED_IN])
    languages = case.retrieval.query.languages
    held = frozenset[str]().union(*families_of(near, languages))
    missed = [name for name in identifiers if not stands_in(name, near)]
    missed += [name for name in quoted if any(word.isdisjoint(held) for word in families_of(name, languages))]
    told = " ".join(item.aspect for item in known)
    return [
        Missing(name, looked_in) for name in dict.fromkeys(missed) if not any(word in told for word in name.split())
    ]


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


def missing_question(case: Case) -> Missing:
    """The question as a whole, with what else to try."""
    query, around = case.retrieval.query, case.around
    is_filtered = replace(query.filter, principals=()) != Filter()
    if is_filtered and not around.visible_sources():
        return Missing(query.search_text, suggestions=("no document fits the filter: search without it",))
    words = words_nowhere(case)
    at_edges = _at_edges(case, words) if words else {}
    suggestions = [_other_word(case, word, at_edges.get(word.casefold(), "")) for word in words]
    if is_filtered:
        suggestions.append("search without the filter")
    if names := not_in_store(case, case.sentences[:LOOKED_IN]):
        suggestions.append(f"referred to nearby, but not in this folder: {'; '.join(names)}")
    if pages := around.unreadable(query.filter):
        suggestions.append(f"{len(pages)} pages have no readable text, the first is {pages[0][0]}, p.{pages[0][1]}")
    headings = dict.fromkeys(item.chunk.section[-1] for item in case.retrieval.evidence if item.chunk.section)
    suggestions += [f"nearest heading: {heading}" for heading in list(headings)[:SUGGESTED]]
    looked_in = tuple(place_of(item.chunk) for item in case.retrieval.evidence[:LOOKED_IN])
    return Missing(query.search_text, looked_in, tuple(suggestions))


def not_in_store(case: Case, sentences: Sequence[Sentence]) -> list[str]:
    """What the documents of these sentences, and that of the topic, refer to and the store does not hold."""
    topic = topic_of(case)
    sources = dict.fromkeys([*(topic or ())[:1], *(sentence.chunk.source_id for sentence in sentences)])
    names = [name for source in sources for name in case.around.absent(source)]
    return list(dict.fromkeys(names))[:MOST_DANGLING]


def _other_word(case: Case, word: str, edge: str) -> str:
    """What to try for a word that stands nowhere but, maybe, at the edge of a page: the word of the evidence that is
    spelled most like it."""
    if edge:
        return f"“{word}” stands in no text but a line at the edge of {edge}"
    words = {match.casefold(): match for s in case.sentences for match in _WORD.findall(f"{s.text} {s.heading}")}
    alike = get_close_matches(word.casefold(), sorted(words), 1, LEAST_ALIKE)
    instead = f"did you mean “{words[alike[0]]}”?" if alike else "try another"
    return f"no document holds the word “{word}”: {instead}"


def _at_edges(case: Case, words: Sequence[str]) -> dict[str, str]:
    """Those of these words, which stand in no passage, that a page of the documents that were looked in holds all the
    same: in a running line; each with the first such page and that line."""
    found = dict[str, str]()
    spelled = sorted({word.casefold() for word in words}, key=lambda word: (-len(word), word))
    missed = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, spelled))})(?!\w)", re.I)
    evidence = [item.chunk for item in case.retrieval.evidence[:LOOKED_IN] if item.chunk.paged]
    for source_id, filename in dict.fromkeys((chunk.source_id, chunk.filename) for chunk in evidence):
        for page in case.around.record.pages(source_id):
            for match in missed.finditer(page.text):
                place = f"{printed_name(filename)}, p.{page.number}"
                found.setdefault(match.group().casefold(), f"{place}: “{_line_around(page.text, match)}”")
    return found


def _line_around(text: str, match: re.Match[str]) -> str:
    """The line that a match stands in, no longer than can be read at a glance."""
    begin = text.rfind("\n", 0, match.start()) + 1
    end = text.find("\n", match.end())
    return shorten(text[begin : len(text) if end < 0 else end], LONGEST_LINE, placeholder=" …")


def words_nowhere(case: Case) -> list[str]:
    """The words of the question, as they were typed, no form of which stands anywhere, be it in a file's name; how much
    of something is asked ("how wide") is told by its unit."""
    query = case.retrieval.query
    text = _HOW_MUCH.sub(" ", query.search_text)
    for place in case.retrieval.trace.places:
        text = text.replace(place, " ")
    typed = [word.strip("?!.,;:()\"'“”") for word in text.split()]
    shortened = _shortened(text, " ".join(sentence.text for sentence in case.sentences))
    words = [word for word in typed if word.casefold() not in ASKING_WORDS and word not in shortened]
    files = " ".join(dict.fromkeys(re.sub(r"[\W_]+", " ", s.chunk.filename) for s in case.sentences))
    said = roots_of(files, "en").union(*(sentence.roots | sentence.context for sentence in case.sentences))
    return [word for word in dict.fromkeys(words) if stands_nowhere(case, word) and not _is_form_of(case, word, said)]


def _shortened(question: str, said: str) -> set[str]:
    """The words of names of the question that stand in what is said by their initials, and initials whose name does: UK
    and United Kingdom."""
    found = {word for word in _INITIALS.findall(question) if re.search(_spelled_out(word), said)}
    for initials in set(_INITIALS.findall(said)):
        found.update(word for name in re.findall(_spelled_out(initials), question) for word in name.split())
    return found


def _spelled_out(initials: str) -> str:
    """A pattern for a name with these initials."""
    words = rf"[^\W\d_]+\s+(?:{_BETWEEN}\s+){{0,2}}".join(initials)
    return rf"(?<!\w){words}[^\W\d_]+"


def _is_form_of(case: Case, word: str, said: frozenset[str]) -> bool:
    return any(not family.isdisjoint(said) for family in families_of(word, case.retrieval.query.languages))
