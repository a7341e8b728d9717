"""Mode `generate`: a language model writes from the best passages, and nothing that it writes is believed unproved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pincite.answer.compose import compose_answer
from pincite.answer.judge.judgement import Judgement, evidence_of, judge
from pincite.answer.judge.missing import missing_question, missing_text
from pincite.answer.material.case import case_of
from pincite.answer.material.surroundings import Surroundings
from pincite.answer.modes.claims import claims_of, says_nothing_found
from pincite.answer.modes.given import Given, fitted, given_of
from pincite.answer.modes.pins import Pinned, pinned
from pincite.answer.modes.prompts import ANSWER_TOKENS, generate_prompt
from pincite.answer.modes.talk import Talk
from pincite.answer.relations.paths import find_paths
from pincite.answer.relations.support import supporting_triplets
from pincite.answer.said.citations import printed_summary
from pincite.errors import PromptTooLongError, ServiceError
from pincite.language_records import Completion
from pincite.ports import LanguageModel
from pincite.records import Answer, Decision, Retrieval, RetrievalPolicy, Statement

GENERATE = "generate"
LEAST_ROOM = 200
"""Tokens of a context in which no passage fits any more. By eye, not measured."""
SMALLER = 0.6
"""What is left of the passages where a service says that they were too many: its tokens are smaller than they were
counted. By eye, not measured."""


def generated_answer(retrieval: Retrieval, policy: RetrievalPolicy, around: Surroundings) -> Answer:
    """The answer that a language model writes, each statement pinned to lines that it was given; by rules alone, with a
    word on it, where the model does not answer or nothing that it says is borne out."""
    talk = Talk(asked_model(around), around.deadline)
    judgement = judge(case_of(retrieval, around))
    try:
        given, completion = _written(talk, judgement)
    except ServiceError as error:
        return by_rules(retrieval, policy, around, talk, reason=str(error))
    claims = claims_of(completion.text, {part.label for part in given}, cut_off=completion.ended == "length")
    if says_nothing_found(claims):
        return answered([], Pinned(), judgement, policy, talk)
    found = pinned(claims, given)
    if not found.statements:
        return by_rules(retrieval, policy, around, talk, reason="nothing that it wrote stands in the passages")
    return answered(found.statements, found, judgement, policy, talk)


def auto_answer(retrieval: Retrieval, policy: RetrievalPolicy, around: Surroundings) -> Answer:
    """That of mode `generate` where there is a language model, else that of mode `extract`; its mode says which."""
    make = compose_answer if around.language_model is None else generated_answer
    return make(retrieval, policy, around)


def asked_model(around: Surroundings) -> LanguageModel:
    """The language model that answers; ServiceError where there is none."""
    if around.language_model is None:
        raise ServiceError(
            "no language model is configured: set language_model (README.md says how), or ask with --mode extract"
        )
    return around.language_model


def _written(talk: Talk, judgement: Judgement) -> tuple[list[Given], Completion]:
    """What the model was given at last, and what it wrote of it."""
    question, parts = judgement.case.question.text, given_of(judgement)
    room = (
        talk.model.context_size
        - ANSWER_TOKENS
        - sum(talk.model.count_tokens(message.content) for message in generate_prompt(question, ()).messages)
    )
    while room >= LEAST_ROOM:
        given = fitted(parts, room, talk.model.count_tokens)
        try:
            return given, talk.ask(GENERATE, generate_prompt(question, given))
        except PromptTooLongError:
            room = int(room * SMALLER)
    raise PromptTooLongError(
        f"no passage fits into the context of {talk.model.name} ({talk.model.context_size} tokens)"
    )


def answered(
    statements: Sequence[Statement], found: Pinned, judgement: Judgement, policy: RetrievalPolicy, talk: Talk
) -> Answer:
    """The answer of these statements; without any, that nothing was found."""
    case = judgement.case
    missing = [] if statements else [missing_question(case)]
    said = [*statements, *(Statement(missing_text(item), "missing", (), confidence=0.0) for item in missing)]
    decisions = [Decision(GENERATE, kept=True, text=statement.text) for statement in statements]
    decisions += [
        Decision(GENERATE, kept=False, text=text, reason=f"not in its sources: {why}") for text, why in found.fallen
    ]
    if found.refused_sources:
        decisions.append(
            Decision(GENERATE, kept=False, reason=f"{found.refused_sources} sources named that were not given")
        )
    return Answer(
        query=case.retrieval.query.text,
        mode=GENERATE,
        summary=printed_summary(said),
        statements=tuple(said),
        evidence=evidence_of(case.retrieval, said, judgement),
        missing=tuple(missing),
        policy=policy,
        generation=case.around.generation,
        paths=find_paths(case) if "graph" in policy.channels else (),
        triplets=supporting_triplets(case, said),
        degraded=case.retrieval.trace.degraded,
        trace=replace(case.retrieval.trace, decisions=tuple(decisions)),
        beyond=case.retrieval.beyond,
        model=talk.model.name,
        calls=tuple(talk.calls),
    )


def by_rules(retrieval: Retrieval, policy: RetrievalPolicy, around: Surroundings, talk: Talk, *, reason: str) -> Answer:
    """What rules alone say, with why the language model does not say it."""
    answer = compose_answer(retrieval, policy, around)
    degraded = f"{talk.model.name} wrote no answer that holds, rules made it: {reason}"
    calls = tuple(talk.calls)
    return replace(answer, mode=GENERATE, degraded=(*answer.degraded, degraded), model=talk.model.name, calls=calls)
