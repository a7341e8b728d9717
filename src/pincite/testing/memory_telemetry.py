"""A Telemetry that keeps what it is told."""

from __future__ import annotations

from pincite.telemetry_records import QuestionCost, QuestionFailure


class MemoryTelemetry:
    """Keeps `costs` and `failures` in the order in which they come."""

    def __init__(self) -> None:
        self.costs: list[QuestionCost] = []
        self.failures: list[QuestionFailure] = []

    def answered(self, cost: QuestionCost) -> None:
        """Keep what a question cost."""
        self.costs.append(cost)

    def failed(self, failure: QuestionFailure) -> None:
        """Keep how a question failed."""
        self.failures.append(failure)

    def close(self) -> None:
        """Nothing is left to be done."""
