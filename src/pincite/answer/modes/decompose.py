"""A question taken apart by a language model, and what is found for its parts (spec/reference_following.md, step 0).

A part is only searched with: nothing in it is read as a filter, and what the asker may not see stays closed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pincite.answer.modes.given import shown
from pincite.answer.modes.prompts import DECOMPOSE_SCHEMA, decompose_prompt
from pincite.answer.modes.talk import Talk
from pincite.errors import ServiceError
from pincite.records.evidence import Decision, Retrieval
from pincite.records.questions import Query, RetrievalPolicy
from pincite.retrieve.candidates import SearchSpace
from pincite.retrieve.search import search_plain
from pincite.text.salvage import salvaged

DECOMPOSE = "decompose"
LONGEST_PART = 300
"""Characters of a part: a longer one is no question. By eye, not measured."""


@dataclass(slots=True)
class Notes:
    """What was decided on the way to an answer, and what was left undone since the model did not answer."""

    decisions: list[Decision] = field(default_factory=list)
    undone: list[str] = field(default_factory=list)


def parts_asked(talk: Talk, question: str, notes: Notes) -> list[str]:
    """What the model takes a question apart into, the question itself left out; nothing where it does not answer."""
    try:
        completion = talk.ask(DECOMPOSE, decompose_prompt(question))
    except ServiceError as error:
        notes.undone.append(f"the question was not taken apart: {error}")
        return []
    read = salvaged(completion.text, DECOMPOSE_SCHEMA)
    parts = (" ".join(shown(part).split())[:LONGEST_PART] for part in read.value["questions"])
    known = " ".join(question.casefold().split())
    asked = list(dict.fromkeys(part for part in parts if any(map(str.isalnum, part)) and part.casefold() != known))
    notes.decisions.append(
        Decision(f"{DECOMPOSE} ({read.how})", kept=bool(asked), reason=" ".join(asked) or "asked as a whole")
    )
    return asked


def found_for(parts: Sequence[str], asked: Query, space: SearchSpace, policy: RetrievalPolicy) -> list[Retrieval]:
    """What is found for each part, through the filter of the question."""
    return [search_plain(space, part, policy, asked.filter) for part in parts]


def with_found(retrieval: Retrieval, found: Sequence[Retrieval]) -> Retrieval:
    """What was found for a question, and behind it what was found for its parts alone."""
    held = (*retrieval.evidence, *retrieval.beyond)
    known, last = {item.chunk.chunk_id for item in held}, max((item.rank for item in held), default=0)
    items = (item for one in found for item in one.evidence if item.chunk.chunk_id not in known)
    new = {item.chunk.chunk_id: item for item in items}.values()
    ranked = (replace(item, rank=rank) for rank, item in enumerate(new, start=last + 1))
    degraded = dict.fromkeys(name for one in (retrieval, *found) for name in one.trace.degraded)
    trace = replace(retrieval.trace, degraded=tuple(degraded))
    return replace(retrieval, beyond=(*retrieval.beyond, *ranked), trace=trace)
