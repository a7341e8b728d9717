"""Mode `agentic`: many small questions to a small language model (spec/agentic_rag.md).

Plan, search, map each passage to facts, drop what is not relevant, reduce the facts to an answer, check it. Nothing is
believed: a fact that its passage does not bear out is none, and neither is a sentence of the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pincite.answer.compose import OpenCase
from pincite.answer.material.case import case_of
from pincite.answer.material.surroundings import Surroundings
from pincite.answer.modes.claims import claims_of, says_nothing_found
from pincite.answer.modes.generate import asked_model, generated, said_of, with_calls
from pincite.answer.modes.given import Given, fitted, given_of
from pincite.answer.modes.pins import Pinned, pinned
from pincite.answer.modes.prompts import (
    MAP_SCHEMA,
    PLAN_SCHEMA,
    map_prompt,
    plan_prompt,
    reduce_prompt,
)
from pincite.answer.modes.talk import Talk
from pincite.answer.reading.reads import CaseRead, writes_beside_the_point
from pincite.errors import ServiceError
from pincite.records.answers import Answer, Statement
from pincite.records.evidence import Decision, Retrieval
from pincite.records.prompts import Completion
from pincite.records.questions import RetrievalPolicy
from pincite.retrieve.search import search_plain
from pincite.text.salvage import salvaged
from pincite.text.tokens import tokenise

AGENTIC = "agentic"
MOST_MAPPED = 5
"""Passages that are read one by one, as spec/agentic_rag.md sets it."""
MOST_OF_UNREAD = 3
"""Lines of a passage of which the model says nothing that can be read: as many as a unit has."""
LEAST_OVERLAP = 0.2
"""The share of an answer's tokens in its facts, below which it is flagged, as spec/agentic_rag.md sets it."""
NO_FACTS = "the stages of mode agentic found no facts: mode generate answered"
OUTDONE = "a passage answers the question better than the facts of mode agentic: mode generate answered"
LOW_CONFIDENCE = "low confidence: few words of the answer stand in the facts that it was made of"


@dataclass(frozen=True, slots=True)
class _Fact:
    """What a passage says on the question, borne out by it, and the part of a passage that says so."""

    statement: Statement
    part: Given

    @property
    def line(self) -> str:
        """As the model is shown it."""
        return f"{self.statement.text} {self.part.label}"


def agentic_answer(retrieval: Retrieval, policy: RetrievalPolicy, around: Surroundings) -> Answer:
    """The answer of the stages; that of mode `generate` where they come to nothing."""
    talk, decisions = Talk(asked_model(around), around.deadline, around.space.watch.steps), list[Decision]()
    opened = OpenCase(case_of(_searched(talk, retrieval, policy, around, decisions), around))
    facts = _facts(talk, opened.read, decisions)
    answer = _checked(_reduced(talk, opened, policy, facts, decisions), facts) if facts else None
    if answer is None or writes_beside_the_point(opened.read, answer.statements):
        reason = NO_FACTS if answer is None else OUTDONE
        answer = generated(talk, opened, policy)
        answer = replace(answer, degraded=(*answer.degraded, reason))
    trace = replace(answer.trace, decisions=(*decisions, *answer.trace.decisions))
    return with_calls(replace(answer, mode=AGENTIC, trace=trace), talk)


def _searched(
    talk: Talk, retrieval: Retrieval, policy: RetrievalPolicy, around: Surroundings, decisions: list[Decision]
) -> Retrieval:
    """What is found for the question with the planner's words, in the files that it names where there are any; what was
    found before where nothing is, or the planner does not answer."""
    question = retrieval.query.text
    try:
        planned = salvaged(talk.ask("plan", plan_prompt(question)).text, PLAN_SCHEMA)
    except ServiceError as error:
        decisions.append(_failed("plan", error))
        return retrieval
    decisions.append(Decision(f"plan ({planned.how})", kept=planned.how != "default", reason=str(planned.value)))
    asked, given = retrieval.query.search_text, retrieval.query.filter
    new = [word for word in planned.value["keywords"] if word.casefold() not in asked.casefold()]
    hint, ending = _plain(planned.value["source_hint"]), _plain(planned.value["file_filter"]).lstrip(".")
    told = {"*{}*": hint, "*.{}": ending}
    wanted = [
        pattern.format(_in_any_case(part))
        for pattern, part in told.items()
        if part.strip(".") and part.strip(".").casefold() in question.casefold()
    ]
    filters = [replace(given, sources=tuple(wanted)), given] if wanted and not given.sources else [given]
    for narrowed in filters:
        found = search_plain(around.space, " ".join([asked, *new]), policy, narrowed)
        if found.evidence:
            return replace(found, query=retrieval.query)
    return retrieval


def _plain(pattern: str) -> str:
    """A part of a file name without signs that would mean more than themselves in a filter."""
    return "".join(char for char in pattern if char.isalnum() or char in "._- ").strip()


def _in_any_case(name: str) -> str:
    """A pattern for a part of a file name, whose letters may be small or capital."""
    return "".join(f"[{char.lower()}{char.upper()}]" if char.isalpha() else char for char in name)


def _facts(talk: Talk, read: CaseRead, decisions: list[Decision]) -> list[_Fact]:
    """What the best passages say on the question, each fact borne out by its passage."""
    question = read.case.question.text
    room = talk.room_beside(map_prompt(question, Given("", "", ())))
    parts = [cut for part in given_of(read)[:MOST_MAPPED] for cut in fitted([part], room, talk.model.count_tokens)]
    completions = talk.ask_all("map", [map_prompt(question, part) for part in parts])
    return [
        fact
        for part, completion in zip(parts, completions, strict=True)
        for fact in _facts_of(part, completion, decisions)
    ]


def _facts_of(part: Given, completion: Completion | None, decisions: list[Decision]) -> list[_Fact]:
    if completion is None:
        decisions.append(Decision("map", kept=False, reason=f"{part.label} no answer"))
        return []
    read = salvaged(completion.text, MAP_SCHEMA)
    said = list(read.value["facts"]) if read.value["relevant"] else []
    if read.how == "default" or (read.value["relevant"] and not said):
        said = [passage.text for passage, _ in part.lines[part.best :][:MOST_OF_UNREAD]]
    claims = [claim for fact in said for claim in claims_of(fact, {part.label}, cut_off=False)]
    found = pinned(claims, [part])
    told = f"{part.label} {_counted(found, len(said))}"
    decisions.append(Decision(f"map ({read.how})", kept=bool(found.statements), reason=told))
    return [_Fact(statement, part) for statement in found.statements]


def _counted(found: Pinned, said: int) -> str:
    return f"{len(found.statements)} of {said} facts stand in the passage" if said else "not relevant"


def _reduced(
    talk: Talk, opened: OpenCase, policy: RetrievalPolicy, facts: Sequence[_Fact], decisions: list[Decision]
) -> Answer:
    """The answer that is made of the facts; the facts themselves where none holds that is."""
    question = opened.case.question.text
    parts = list({id(fact.part): fact.part for fact in facts}.values())
    plain = Pinned([fact.statement for fact in facts])
    try:
        completion = talk.ask("reduce", reduce_prompt(question, [fact.line for fact in facts]))
    except ServiceError as error:
        decisions.append(_failed("reduce", error))
        return said_of(opened, plain, policy)
    claims = claims_of(completion.text, {part.label for part in parts}, cut_off=completion.ended == "length")
    if says_nothing_found(claims):
        return said_of(opened, Pinned(), policy)
    found = pinned(claims, parts)
    return said_of(opened, found if found.statements else replace(found, statements=plain.statements), policy)


def _checked(answer: Answer, facts: Sequence[_Fact]) -> Answer:
    """The answer, flagged where few of its words stand in the facts."""
    said = {token for s in answer.statements if s.kind != "missing" for token in tokenise(s.text, "en")}
    known = {token for fact in facts for token in tokenise(fact.statement.text, "en")}
    if said and len(said & known) < LEAST_OVERLAP * len(said):
        return replace(answer, degraded=(*answer.degraded, LOW_CONFIDENCE))
    return answer


def _failed(stage: str, error: ServiceError) -> Decision:
    return Decision(stage, kept=False, reason=str(error))
