"""One line of the log a question (spec/llm_retrieval.md section 12)."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator

from pincite.printing import printable
from pincite.records.prompts import QuestionCost, QuestionFailure
from pincite.telemetry.cost import ROUTE

LOGGER = logging.getLogger("pincite.asked")


class LogTelemetry:
    """Writes lines of `name=value` to the logger `pincite.asked`: the cost of a question at INFO, the ids of the cited
    chunks at DEBUG. Words of questions are logged only with `shows_questions`."""

    def __init__(self, *, shows_questions: bool = False) -> None:
        self._shows_questions = shows_questions

    def answered(self, cost: QuestionCost) -> None:
        """Write what it cost."""
        LOGGER.info("%s", _line(cost, self._shown(cost.question)))
        LOGGER.debug("trace_id=%s used_chunks: %s", cost.trace_id, json.dumps(cost.used_chunks))

    def failed(self, failure: QuestionFailure) -> None:
        """Write how it failed."""
        shown = self._shown(failure.question)
        LOGGER.info("mode=%s%s%s error=%s time=%.0fms", failure.mode, _route(), shown, failure.error, failure.time_ms)

    def rests(self, service: str, seconds: float) -> None:
        """Write for how long it is left alone."""
        LOGGER.info("service=%s rests=%.0fs", service, seconds)

    def close(self) -> None:
        """Nothing is left to be done."""

    def _shown(self, question: str) -> str:
        """The question in quotes, with escapes for whatever could end the line or the quotes."""
        return f" query={printable(json.dumps(question, ensure_ascii=False))}" if self._shows_questions else ""


def _line(cost: QuestionCost, shown: str) -> str:
    return f"trace_id={cost.trace_id}{_route()} mode={cost.mode}{shown} {' '.join(_spent(cost))}"


def _route() -> str:
    return f" route={json.dumps(ROUTE.get())}" if ROUTE.get() else ""


def _spent(cost: QuestionCost) -> Iterator[str]:
    for name in ("refused", "degraded", "cached"):
        yield f"{name}={str(getattr(cost, name)).lower()}"
    for name, milliseconds in cost.times_ms.items():
        yield f"{name.removesuffix('_ms')}={milliseconds:.0f}ms"
    for name, count in cost.hits.items():
        yield f"{name}={count}"
    yield f"merged={cost.merged} prefilter_topM={cost.prefilter} looked_at={cost.looked_at}"
    yield f"statements={cost.said} fallen={cost.fallen} tokens={cost.tokens_used}"
    if cost.calls:
        yield "calls=" + ",".join(f"{stage}:{count}" for stage, count in cost.calls.items())
        for name in ("json_read", "json_salvaged", "json_defaulted"):
            yield f"{name}={getattr(cost, name)}"
