"""Questions that the documents themselves suggest and answer: by what they say of names, what they define, and their
headings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice, zip_longest
from typing import TYPE_CHECKING

from pincite.deadline import Deadline
from pincite.records.answers import MEDIUM

if TYPE_CHECKING:
    from pincite.engine.session import Session

WANTED = 3
MOST_ASKED = 8
"""Candidates that are tried: each costs an answer. By eye, not measured, like what follows."""
LOOKED_AT = 12
"""Documents, spread over all of them."""
OF_EACH = 3
"""Candidates of one kind that a document gives."""
LEAST_CONFIDENCE = 0.6
MOST_WORDS = 6
LEAST_CHANCE = 0.25
ASKED_OF: Mapping[str, str] = {
    "founded": "Who founded {object}?",
    "founded_by": "Who founded {subject}?",
    "has_founder": "Who founded {subject}?",
    "invested_in": "Who invested in {object}?",
    "acquired": "Who acquired {object}?",
    "acquired_by": "Who acquired {subject}?",
    "led_by": "Who leads {subject}?",
    "leads": "Who leads {object}?",
    "owned": "Who owns {object}?",
    "owned_by": "Who owns {subject}?",
    "wrote": "Who wrote {object}?",
    "written_by": "Who wrote {subject}?",
    "directed": "Who directed {object}?",
    "directed_by": "Who directed {subject}?",
    "born_in": "Where was {subject} born?",
}
"""What is asked of the two things of a triplet, by its predicate in `graph/ontology.toml`."""
_WORD = re.compile(r"[^\W\d_][^\W\d_’'&-]*[^\W_]")
_DULL = re.compile(
    r"about|aims?|annex|appendix|contents?|foreword|general|how|index|introduction|notes?|overview|part|preface|"
    r"purpose|references?|scope|section|summary|table|terms|what|who|why",
    re.IGNORECASE,
)
"""How headings begin that say little of what stands below them."""


def suggested_questions(session: Session, deadline: Deadline) -> list[str]:
    """Up to three questions that this asker's documents answer, the surest first: the same ones for the same
    documents, where the deadline is far enough away."""
    good, fair = list[str](), list[str]()
    for question in islice(_in_turn(_candidates(session)), MOST_ASKED):
        if len(good) == WANTED or deadline.passed:
            break
        answer = session.ask(question, mode="extract", receipt=False, deadline=deadline)
        chance = answer.chance if answer.state == "answered" else 0.0
        if chance >= LEAST_CHANCE:
            (good if chance >= MEDIUM else fair).append(question)
    return [*good, *fair][:WANTED]


def _candidates(session: Session) -> list[list[str]]:
    """The candidates of each kind, the best of every document first."""
    read = [state.source.source_id for state in session.documents.sources() if state.status != "refused"]
    chosen = read[:: max(1, len(read) // LOOKED_AT)][:LOOKED_AT]
    return [_in_turn([[*islice(of(session, source), OF_EACH)] for source in chosen]) for of in KINDS]


def _in_turn(lists: Sequence[Sequence[str]]) -> list[str]:
    """The first of every list, then the second, and so on; the same question once."""
    found = dict[str, str]()
    for question in filter(None, chain.from_iterable(zip_longest(*lists))):
        found.setdefault(question.casefold(), question)
    return list(found.values())


def _of_names(session: Session, source_id: str) -> Iterator[str]:
    """What sentences say of two names, the surest first."""
    for told in sorted(session.graph.triplets(source_id), key=lambda triplet: -round(triplet.confidence, 6)):
        form = ASKED_OF.get(told.name)
        if form is None or told.confidence < LEAST_CONFIDENCE:
            continue
        ends = {"subject": " ".join(told.subject.split()), "object": " ".join(told.object.split())}
        if all(map(_is_name, ends.values())):
            yield form.format(**ends)


def _of_definitions(session: Session, source_id: str) -> Iterator[str]:
    for anchor in session.documents.anchors(source_id):
        if anchor.kind == "definition" and _is_wordy(anchor.title, least=1):
            yield f"What does “{' '.join(anchor.title.split())}” mean?"


def _of_headings(session: Session, source_id: str) -> Iterator[str]:
    """Of the headings that say what stands below them, those of middling length first."""
    titles = {" ".join(section.title.split()): None for section in session.documents.sections(source_id)}
    telling = [title for title in titles if _is_wordy(title, least=2) and not _DULL.match(title)]
    for title in sorted(telling, key=lambda title: abs(3 - len(title.split()))):
        yield f"What do the documents say about “{title}”?"


def _is_name(text: str) -> bool:
    words = text.split()
    return 1 <= len(words) <= 4 and all(_WORD.fullmatch(word) and word[0].isupper() for word in words)


def _is_wordy(text: str, *, least: int) -> bool:
    words = text.split()
    return least <= len(words) <= MOST_WORDS and all(_WORD.fullmatch(word) for word in words)


KINDS = _of_names, _of_definitions, _of_headings
