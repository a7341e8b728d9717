"""Mode `generate`: a language model writes from the best passages, and nothing that it writes is believed unproved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from pincite.answer.compose import Draft, OpenCase, compose_answer, drafted, given_as_answer
from pincite.answer.material.case import case_of
from pincite.answer.material.surroundings import Surroundings
from pincite.answer.modes.claims import claims_of, says_nothing_found
from pincite.answer.modes.given import Given, fitted, given_of
from pincite.answer.modes.pins import Pinned, pinned
from pincite.answer.modes.prompts import generate_prompt
from pincite.answer.modes.talk import Talk
from pincite.answer.reading.reads import writes_beside_the_point
from pincite.errors import PromptTooLongError, ServiceError
from pincite.ports import LanguageModel
from pincite.records.answers import Answer
from pincite.records.evidence import Decision, Retrieval
from pincite.records.prompts import Completion, Prompt
from pincite.records.questions import RetrievalPolicy

GENERATE = "generate"
LEAST_ROOM = 200
"""Tokens of a context in which no passage fits any more. By eye, not measured."""
SMALLER = 0.6
"""What is left of the passages where a service says that they were too many: its tokens are smaller than they were
counted. By eye, not measured."""


def generated_answer(retrieval: Retrieval, policy: RetrievalPolicy, around: Surroundings) -> Answer:
    """The answer that a language model writes, each statement pinned to lines that it was given; by rules alone, with a
    word on it, where the model does not answer or nothing that it says is borne out."""
    talk = Talk(asked_model(around), around.deadline, around.space.watch.steps)
    return with_calls(generated(talk, OpenCase(case_of(retrieval, around)), policy), talk)


def generated(talk: Talk, opened: OpenCase, policy: RetrievalPolicy) -> Answer:
    """The same, of a case, in a conversation that may have begun; by rules, too, where a unit is far likelier to
    answer than what the model says."""
    found = written_of(talk, opened.case.question.text, given_of(opened.read))
    if not isinstance(found, str) and writes_beside_the_point(opened.read, found.statements):
        found = f"a passage answers the question better than what {talk.model.name} wrote"
    if isinstance(found, str):
        return made_by_rules(given_as_answer(drafted(opened), policy, GENERATE), found)
    return said_of(opened, found, policy)


def auto_answer(retrieval: Retrieval, policy: RetrievalPolicy, around: Surroundings) -> Answer:
    """That of mode `generate` where there is a language model, else that of mode `extract`; its mode says which."""
    make = compose_answer if around.language_model is None else generated_answer
    return make(retrieval, policy, around)


def written_of(talk: Talk, question: str, parts: Sequence[Given]) -> Pinned | str:
    """What the model writes of these passages, each sentence on its proof, none where it says that they do not answer;
    why there is nothing of it where it does not answer itself, or nothing holds."""
    try:
        given, completion = asked_of(talk, GENERATE, partial(generate_prompt, question), parts)
    except ServiceError as error:
        return f"{talk.model.name} wrote nothing: {error}"
    claims = claims_of(completion.text, {part.label for part in given}, cut_off=completion.ended == "length")
    if says_nothing_found(claims):
        return Pinned()
    found = pinned(claims, given)
    return found if found.statements else f"nothing that {talk.model.name} wrote stands in the passages"


def asked_of(
    talk: Talk, stage: str, prompt_of: Callable[[Sequence[Given]], Prompt], parts: Sequence[Given]
) -> tuple[list[Given], Completion]:
    """As many of these passages, the first before the others, as the model takes in one prompt, and what it says of
    them; ServiceError where it does not answer, or not one of them fits."""
    room = talk.room_beside(prompt_of(()))
    while room >= LEAST_ROOM:
        given = fitted(parts, room, talk.model.count_tokens)
        try:
            return given, talk.ask(stage, prompt_of(given))
        except PromptTooLongError:
            room = int(room * SMALLER)
    raise PromptTooLongError(
        f"no passage fits into the context of {talk.model.name} ({talk.model.context_size} tokens)"
    )


def asked_model(around: Surroundings) -> LanguageModel:
    """The language model that answers; ServiceError where there is none."""
    if around.language_model is None:
        raise ServiceError(
            "no language model is configured: set language_model (docs/models.md says how), or ask with --mode extract"
        )
    return around.language_model


def with_calls(answer: Answer, talk: Talk) -> Answer:
    """The answer with what the language model was asked for it."""
    return replace(answer, model=talk.model.name, calls=tuple(talk.calls))


def said_of(opened: OpenCase, found: Pinned, policy: RetrievalPolicy) -> Answer:
    """The answer of what is borne out; without any of it, that nothing was found."""
    decisions = [Decision(GENERATE, kept=True, text=statement.text) for statement in found.statements]
    decisions += [
        Decision(GENERATE, kept=False, text=text, reason=f"not in its sources: {why}") for text, why in found.fallen
    ]
    if found.refused_sources:
        told = f"{found.refused_sources} sources named that were not given"
        decisions.append(Decision(GENERATE, kept=False, reason=told))
    return given_as_answer(Draft(opened, tuple(found.statements), tuple(decisions)), policy, GENERATE)


def made_by_rules(answer: Answer, reason: str) -> Answer:
    """What rules alone say, with why the language model does not say it."""
    return replace(answer, degraded=(*answer.degraded, f"rules made the answer: {reason}"))
