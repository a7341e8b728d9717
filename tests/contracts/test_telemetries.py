"""What is told of questions is taken by the log, by the memory, by the metrics and by traces alike."""

from __future__ import annotations

from pincite.serve.traffic import PrometheusTelemetry
from pincite.telemetry.cost import FanOut
from pincite.telemetry.log import LogTelemetry
from pincite.telemetry.otlp import OtlpTelemetry
from pincite_testing.memory_telemetry import MemoryTelemetry
from pincite_testing.telemetry_contract import TelemetryContract


class TestLogTelemetry(TelemetryContract):
    def make(self) -> LogTelemetry:
        return LogTelemetry(shows_questions=True)


class TestMemoryTelemetry(TelemetryContract):
    def make(self) -> MemoryTelemetry:
        return MemoryTelemetry()


class TestPrometheusTelemetry(TelemetryContract):
    def make(self) -> PrometheusTelemetry:
        return PrometheusTelemetry()


class TestOtlpTelemetry(TelemetryContract):
    def make(self) -> OtlpTelemetry:
        return OtlpTelemetry(lambda _: None, shows_questions=True)


class TestSeveral(TelemetryContract):
    def make(self) -> FanOut:
        return FanOut(MemoryTelemetry(), LogTelemetry())
