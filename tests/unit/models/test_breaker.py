"""A language model that does not answer is not waited for again and again."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pincite.errors import PromptTooLongError, ServiceError
from pincite.language_records import Message, Prompt
from pincite.models.breaker import MOST_FAILURES, REST, Breaker
from pincite.testing.scripted_language_model import ScriptedLanguageModel

PROMPT = Prompt((Message("user", "Where does snow lie?"),), "test 1", 20)


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def saying(
    *said: str | Exception, told: Callable[[float], None] = lambda _: None
) -> tuple[Breaker, Clock, ScriptedLanguageModel]:
    """A breaker before a model that says these, or fails so, one after the other."""
    coming, clock = iter(said), Clock()

    def say(_: Prompt) -> str:
        item = next(coming)
        if isinstance(item, Exception):
            raise item
        return item

    model = ScriptedLanguageModel(say)
    return Breaker(model, told, clock), clock, model


def test_after_some_failures_in_a_row_it_rests_and_is_tried_again() -> None:
    breaker, clock, model = saying(*[ServiceError("down")] * MOST_FAILURES, "On the roof.")
    for _ in range(MOST_FAILURES):
        with pytest.raises(ServiceError, match="down"):
            breaker.complete(PROMPT)
    with pytest.raises(ServiceError, match="did not answer 3 times in a row: it is asked again in 30 s"):
        breaker.complete(PROMPT)
    assert len(model.prompts) == MOST_FAILURES
    clock.now += REST
    assert breaker.complete(PROMPT).text == "On the roof."


def test_a_failure_now_and_then_stops_nothing() -> None:
    breaker, _, _ = saying(*[ServiceError("busy"), "Here.", ServiceError("busy"), ServiceError("busy"), "There."])
    heard = []
    for _ in range(5):
        try:
            heard.append(breaker.complete(PROMPT).text)
        except ServiceError as error:
            heard.append(str(error))
    assert heard == ["busy", "Here.", "busy", "busy", "There."]


def test_a_prompt_that_is_too_long_is_no_failure_of_the_service() -> None:
    breaker, _, _ = saying(*[PromptTooLongError("too long")] * 5, "Here.")
    for _ in range(5):
        with pytest.raises(PromptTooLongError):
            breaker.complete(PROMPT)
    assert breaker.complete(PROMPT).text == "Here."


def test_whenever_it_begins_to_rest_that_is_told() -> None:
    told: list[float] = []
    breaker, clock, _ = saying(*[ServiceError("down")] * 7, told=told.append)
    for _ in range(MOST_FAILURES + 2):
        with pytest.raises(ServiceError):
            breaker.complete(PROMPT)
    assert told == [REST]
    clock.now += REST
    for _ in range(MOST_FAILURES):
        with pytest.raises(ServiceError, match="down"):
            breaker.complete(PROMPT)
    assert told == [REST, REST]
