"""Several telemetries as one."""

from __future__ import annotations

from functools import partial

from pincite.ports import Telemetry
from pincite.records.costs import QuestionCost, QuestionFailure
from pincite.telemetry.told import tell


class Several:
    """Tells each of these telemetries, whatever becomes of the others."""

    def __init__(self, *telemetries: Telemetry) -> None:
        self._telemetries = telemetries

    def answered(self, cost: QuestionCost) -> None:
        """Tell them what a question cost."""
        for telemetry in self._telemetries:
            tell(partial(telemetry.answered, cost))

    def failed(self, failure: QuestionFailure) -> None:
        """Tell them how a question failed."""
        for telemetry in self._telemetries:
            tell(partial(telemetry.failed, failure))

    def rests(self, service: str, seconds: float) -> None:
        """Tell them which service is left alone, and for how long."""
        for telemetry in self._telemetries:
            tell(partial(telemetry.rests, service, seconds))

    def close(self) -> None:
        """Tell them that nothing more is told."""
        for telemetry in self._telemetries:
            tell(telemetry.close)
