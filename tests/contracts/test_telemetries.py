"""What is told of questions is taken by the log, by the memory and by the metrics alike."""

from __future__ import annotations

from pincite.serve.metrics import PrometheusTelemetry
from pincite.telemetry.log import LogTelemetry
from pincite.testing.memory_telemetry import MemoryTelemetry
from pincite.testing.telemetry_contract import TelemetryContract


class TestLogTelemetry(TelemetryContract):
    def make(self) -> LogTelemetry:
        return LogTelemetry(shows_questions=True)


class TestMemoryTelemetry(TelemetryContract):
    def make(self) -> MemoryTelemetry:
        return MemoryTelemetry()


class TestPrometheusTelemetry(TelemetryContract):
    def make(self) -> PrometheusTelemetry:
        return PrometheusTelemetry()
