"""What the page begins with: the store at a glance, and questions that its documents suggest and answer."""

from __future__ import annotations

from collections import Counter, OrderedDict
from functools import partial
from hashlib import sha256
from threading import Event
from typing import Annotated

from fastapi import Response
from pydantic import Field

from pincite.engine.engine import Session
from pincite.rendering import Plain
from pincite.serve.access_tokens import allows
from pincite.serve.asked import Heard, Search, Task
from pincite.serve.guard import guarded_router, told
from pincite.serve.pool import Pool
from pincite.serve.replies import encoded
from pincite.serve.service import Call, Called, json_response
from pincite.serve.shapes import Start, Suggestions
from pincite.settings import Settings
from pincite.suggested import suggested_questions

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

    def found_in(self, session: Session, settings: Settings, gone: Event, _: Heard | None = None) -> bytes:
        """The JSON of the questions."""
        deadline = self.deadline(settings, gone)
        return encoded({"questions": suggested_questions(session, deadline)})


class Suggested:
    """The questions that were found, for each generation and each set of documents that somebody sees. One thread looks
    for them, so that questions that people ask wait for no more than one of these."""

    def __init__(self) -> None:
        self.pool = Pool("suggesting", threads=1, queue=WAITING, patience=PATIENCE)
        self._kept: OrderedDict[str, bytes] = OrderedDict()

    def of(self, call: Call) -> bytes:
        """The JSON of the questions for who asks, which are looked for where that was not done yet."""
        seen = sorted(state.source.source_id for state in call.session.documents.sources())
        if not seen:
            return encoded({"questions": []})
        key = sha256(encoded([call.session.generation(), seen])).hexdigest()
        found = self._kept.get(key)
        if found is None:
            task = Task(Suggesting(timeout=SECONDS), call.caller.principals, call.caller.name)
            found = self._kept[key] = call.service.askers.answer(task, Event())
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return found


@router.get("/api/start", summary="the store at a glance", responses=told(Start))
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


@router.get("/api/start/questions", summary="questions that the documents answer", responses=told(Suggestions))
async def questions(call: Called) -> Response:
    """Up to three questions that headings, definitions and names suggest. The first time it takes as long as answering
    them; until the documents change they are kept."""
    suggested: Suggested = call.request.app.state.suggested
    return json_response(await suggested.pool.run(partial(suggested.of, call)))
