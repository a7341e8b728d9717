"""A service that does not answer is not waited for again and again."""

from __future__ import annotations

from threading import Event

import pytest

from pincite.deadline import Deadline
from pincite.errors import PromptTooLongError, ServiceError
from pincite.models.breaker import MOST_FAILURES, REST, SLOW_FAILURE, Breaker


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


class Service:
    """Answers or fails as it is told, in so many seconds of the clock."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.rests: list[float] = []
        self.breaker = Breaker("the service", self.rests.append, self.clock)
        self.asked = 0

    def outcome(
        self,
        answer: str | Exception,
        seconds: float = 0.0,
        deadline: Deadline = Deadline.never(),
        cancelled: Event | None = None,
    ) -> str:
        def ask() -> str:
            self.asked += 1
            self.clock.now += seconds
            if isinstance(answer, Exception):
                raise answer
            return answer

        try:
            return self.breaker.call(ask, deadline, cancelled)
        except ServiceError as error:
            return str(error)


DOWN = ServiceError("down")
RESTS = "the service has not answered lately: it is asked again in 30 s"


@pytest.fixture
def service() -> Service:
    return Service()


def test_after_some_quick_failures_in_a_row_it_is_left_alone_and_then_tried_again(service: Service) -> None:
    assert [service.outcome(DOWN) for _ in range(MOST_FAILURES)] == ["down"] * MOST_FAILURES
    assert service.outcome("On the roof.") == RESTS
    assert service.asked == MOST_FAILURES
    service.clock.now += REST
    assert service.outcome("On the roof.") == "On the roof."


def test_one_failure_that_was_waited_for_is_enough(service: Service) -> None:
    assert service.outcome(DOWN, seconds=SLOW_FAILURE) == "down"
    assert service.outcome("On the roof.") == RESTS
    assert service.rests == [REST]


def test_where_it_still_fails_after_its_rest_it_rests_again_at_once(service: Service) -> None:
    service.outcome(DOWN, seconds=SLOW_FAILURE)
    service.clock.now += REST
    assert service.outcome(DOWN) == "down"
    assert service.outcome("On the roof.") == RESTS
    assert service.rests == [REST, REST]


def test_a_failure_now_and_then_stops_nothing(service: Service) -> None:
    said = [service.outcome(item) for item in (DOWN, "Here.", DOWN, DOWN, "There.")]
    assert said == ["down", "Here.", "down", "down", "There."]


def test_a_prompt_that_is_too_long_is_no_failure_of_the_service(service: Service) -> None:
    for _ in range(5):
        assert service.outcome(PromptTooLongError("too long"), seconds=SLOW_FAILURE) == "too long"
    assert service.outcome("Here.") == "Here."


def test_who_gives_a_service_no_time_does_not_have_it_left_alone_for_others(service: Service) -> None:
    for _ in range(5):
        assert service.outcome(DOWN, seconds=0.1, deadline=Deadline.after(0.05, service.clock)) == "down"
    assert service.outcome("Here.") == "Here."


def test_a_question_that_waits_less_than_a_slow_service_needs_counts_once(service: Service) -> None:
    def hurried() -> str:
        return service.outcome(DOWN, seconds=5, deadline=Deadline.after(2, service.clock))

    assert [hurried(), hurried(), service.outcome("Here.")] == ["down", "down", "Here."]
    assert [hurried() for _ in range(MOST_FAILURES)] == ["down"] * MOST_FAILURES
    assert service.outcome("Here.") == RESTS


def test_a_question_that_is_given_up_says_nothing_about_the_service(service: Service) -> None:
    gone = Event()
    gone.set()
    for _ in range(5):
        service.outcome(DOWN, seconds=5, deadline=Deadline.unless_gone(60, gone))
        service.outcome(DOWN, seconds=5, cancelled=gone)
    assert service.outcome("Here.") == "Here."
