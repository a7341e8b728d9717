"""What the page begins with: the store at a glance, and questions that its documents suggest and answer."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from itertools import chain, islice, zip_longest
from threading import Event
from typing import Annotated

from fastapi import Response
from pydantic import Field

from pincite.deadline import Deadline
from pincite.engine.engine import Session
from pincite.records.answers import MEDIUM
from pincite.rendering import Plain
from pincite.serve.access_tokens import allows
from pincite.serve.asked import Search, StageListener, Task
from pincite.serve.guard import guarded_router, returns
from pincite.serve.pool import Pool
from pincite.serve.replies import encoded
from pincite.serve.service import Call, Called, json_response
from pincite.serve.shapes import Start, Suggestions
from pincite.settings import Settings
from pincite.threads import LastUsed

WRITER = "writer"
KEPT = 100
"""Sets of documents whose questions are kept. By eye, not measured, like what follows."""
WAITING = 32
PATIENCE = 60.0
SECONDS = 30.0
router = guarded_router()


class Suggesting(Search):
    """Stands in the place of a question: which ones do the documents suggest?"""

    question: Annotated[str, Field(max_length=0)] = ""

    def found_in(self, session: Session, settings: Settings, gone: Event, _: StageListener | None = None) -> bytes:
        """The JSON of the questions."""
        deadline = self.deadline(settings, gone)
        return encoded({"questions": suggested_questions(session, deadline)})


class Suggested:
    """The suggested questions for each generation and each set of visible documents. One thread looks for them, so that
    real questions wait for one of these at most."""

    def __init__(self) -> None:
        self.pool = Pool("suggesting", threads=1, queue=WAITING, patience=PATIENCE)
        self._kept = LastUsed[str, bytes](KEPT)

    def of(self, call: Call) -> bytes:
        """The JSON of the questions for this asker, found now if they are not yet known."""
        seen = sorted(state.source.source_id for state in call.session.documents.sources())
        if not seen:
            return encoded({"questions": []})
        key = sha256(encoded([call.session.generation(), seen])).hexdigest()
        found = self._kept.get(key)
        if found is None:
            task = Task(Suggesting(timeout=SECONDS), call.caller.principals, call.caller.name)
            found = call.service.askers.answer(task, Event())
            self._kept.keep(key, found)
        return found


@router.get("/api/start", summary="the store at a glance", responses=returns(Start))
async def start(call: Called) -> Response:
    """What the store is called, how many documents and pages it holds, of which types and tags, and when it changed
    last."""

    def seen(session: Session) -> Plain:
        counts, (name, changed) = session.documents.counts(), session.overview()
        sources = [state.source for state in session.documents.sources() if state.status != "refused"]
        return {
            "name": name,
            "documents": counts["sources"],
            "pages": counts["pages"],
            "changed": changed,
            "types": dict(sorted(Counter(source.source_type for source in sources).items())),
            "tags": dict(sorted(Counter(tag for source in sources for tag in source.tags).items())),
            "dated": any(source.date for source in sources),
            "may_put_in": allows(WRITER, call.caller.role),
        }

    return await call.read(seen)


@router.get("/api/start/questions", summary="questions that the documents answer", responses=returns(Suggestions))
async def questions(call: Called) -> Response:
    """Up to three questions that headings, definitions and names suggest. The first time it takes as long as answering
    them; until the documents change they are kept."""
    suggested: Suggested = call.request.app.state.suggested
    return json_response(await suggested.pool.run(partial(suggested.of, call)))


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
    for triplet in sorted(session.graph.triplets(source_id), key=lambda item: -round(item.confidence, 6)):
        form = ASKED_OF.get(triplet.name)
        if form is None or triplet.confidence < LEAST_CONFIDENCE:
            continue
        ends = {"subject": " ".join(triplet.subject.split()), "object": " ".join(triplet.object.split())}
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
