"""A Telemetry that keeps what it is told."""

from __future__ import annotations

from pincite.records.prompts import QuestionCost, QuestionFailure


class MemoryTelemetry:
    """Keeps `costs`, `failures` and `resting` services in the order in which they come."""

    def __init__(self) -> None:
        self.costs: list[QuestionCost] = []
        self.failures: list[QuestionFailure] = []
        self.resting: list[tuple[str, float]] = []

    def answered(self, cost: QuestionCost) -> None:
        """Keep what a question cost."""
        self.costs.append(cost)

    def failed(self, failure: QuestionFailure) -> None:
        """Keep how a question failed."""
        self.failures.append(failure)

    def rests(self, service: str, seconds: float) -> None:
        """Keep which service is left alone, and for how long."""
        self.resting.append((service, seconds))

    def close(self) -> None:
        """Nothing is left to be done."""
