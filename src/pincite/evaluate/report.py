"""Figures of a measurement as a table and as JSON, and a transcript: a line of JSON for each question, with its answer.

Times are left out of a transcript, so that the same run gives the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pincite.errors import UsageError
from pincite.evaluate.measures import interval
from pincite.installing import installed_version
from pincite.records.answers import Answer
from pincite.records.plain import to_plain
from pincite.records.prompts import Call

Note = Callable[[str, Answer], None]
"""Called with the id of a question and its answer."""


def unnoted(question_id: str, answer: Answer) -> None:
    """Keeps nothing."""


@contextmanager
def open_transcript(path: Path | None) -> Iterator[Note]:
    """Writes each answer to this file as soon as it comes, or nothing without a file. UsageError where the file cannot
    be written."""
    if path is None:
        yield unnoted
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        stream = path.open("w", buffering=1, encoding="ascii", newline="\n")
    except OSError as error:
        raise UsageError(f"{path} cannot be written ({error.strerror}): give another --transcript FILE") from error
    with stream:

        def note(question_id: str, answer: Answer) -> None:
            stream.write(json.dumps(_row(question_id, answer)) + "\n")

        yield note


def _row(question_id: str, answer: Answer) -> dict[str, Any]:
    return {
        "id": question_id,
        "question": answer.query,
        "mode": answer.mode,
        "model": answer.model,
        "refused": answer.refused,
        "degraded": list(answer.degraded),
        "summary": answer.summary,
        "statements": to_plain(answer.statements),
        "decisions": to_plain(answer.trace.decisions),
        "hops": to_plain(answer.trace.hops),
        "calls": list(map(_call, answer.calls)),
    }


def _call(call: Call) -> dict[str, Any]:
    return {name: value for name, value in to_plain(call).items() if name != "milliseconds"}


ENGINES = (
    "pincite",
    "numpy",
    "onnxruntime",
    "faiss-cpu",
    "SQLAlchemy",
    "PyStemmer",
    "pdf_oxide",
    "pypdfium2",
)
CPU_INFO = Path("/proc/cpuinfo")


def describe_machine() -> dict[str, Any]:
    """Processor, cores, memory, load and system, as they are now."""
    gigabytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_gb": round(gigabytes, 1),
        "load": round(os.getloadavg()[0], 2),
        "system": platform.platform(terse=True),
        "python": platform.python_version(),
    }


def describe_versions() -> dict[str, str]:
    """The versions of the package and of the engines that are installed."""
    return {name: found for name in ENGINES if (found := installed_version(name))}


def _processor() -> str:
    if CPU_INFO.is_file():
        for line in CPU_INFO.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


HELD_OUT = ", held out"
"""Behind a KEY: its figures over held-out rows alone."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One evaluation, in the shape that `--out` writes. `results` and `intervals` (95 %, low and high) go by KEY (a
    channel or mode) and metric; `timings` are seconds; `per_query` has an object for each question."""

    command: str
    set: str
    settings: Mapping[str, Any]
    counts: Mapping[str, int]
    results: Mapping[str, Mapping[str, float]]
    intervals: Mapping[str, Mapping[str, tuple[float, float]]]
    per_query: Sequence[Mapping[str, Any]]
    timings: Mapping[str, float]
    machine: Mapping[str, Any]
    versions: Mapping[str, str] = field(default_factory=describe_versions)


def is_held_out(row_id: str) -> bool:
    """Whether a row is only counted and never tuned on: the first byte of the SHA-256 of its id is odd."""
    return hashlib.sha256(row_id.encode()).digest()[0] % 2 == 1


@dataclass(slots=True)
class Tally:
    """Collects single values by metric, those of held-out rows once more; a metric without values is left out of the
    means."""

    values: dict[str, list[float]] = field(default_factory=dict)
    held_out: dict[str, list[float]] = field(default_factory=dict)
    _is_held_out: bool = False

    def turn_to(self, row_id: str) -> None:
        """The values from here on are those of this row."""
        self._is_held_out = is_held_out(row_id)

    def add(self, metric: str, value: float) -> None:
        """One more value."""
        self.values.setdefault(metric, []).append(float(value))
        if self._is_held_out:
            self.held_out.setdefault(metric, []).append(float(value))

    def means(self) -> dict[str, float]:
        """The mean of each metric."""
        return _means(self.values)

    def intervals(self) -> dict[str, tuple[float, float]]:
        """The interval of each mean."""
        return _intervals(self.values)

    def results(self, key: str, others: Mapping[str, float]) -> dict[str, dict[str, float]]:
        """The means by KEY, beside these others, and those of held-out rows alone by the name of that half of KEY."""
        return {key: {**self.means(), **others}} | self._held_out(key, _means)

    def results_intervals(self, key: str) -> dict[str, dict[str, tuple[float, float]]]:
        """The intervals of these means."""
        return {key: self.intervals()} | self._held_out(key, _intervals)

    def _held_out(self, key: str, measured: Callable[[Mapping[str, Sequence[float]]], Any]) -> dict[str, Any]:
        return {f"{key}{HELD_OUT}": measured(self.held_out)} if self.held_out else {}


def _means(values: Mapping[str, Sequence[float]]) -> dict[str, float]:
    return {metric: sum(found) / len(found) for metric, found in values.items()}


def _intervals(values: Mapping[str, Sequence[float]]) -> dict[str, tuple[float, float]]:
    return {metric: interval(found) for metric, found in values.items()}


def write_json(evaluation: Evaluation, path: Path) -> None:
    """Write the evaluation as one JSON object."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(asdict(evaluation), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def as_table(evaluation: Evaluation) -> str:
    """The evaluation as text: one row a metric, one column a KEY, means with their intervals."""
    keys = list(evaluation.results)
    metrics = list(dict.fromkeys(metric for key in keys for metric in evaluation.results[key]))
    table = [["", *keys], *([metric, *(_cell(evaluation, key, metric) for key in keys)] for metric in metrics)]
    widths = [max(len(row[column]) for row in table) for column in range(len(keys) + 1)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in table]
    counts = ", ".join(f"{count} {name}" for name, count in evaluation.counts.items())
    machine = ", ".join(f"{name} {value}" for name, value in evaluation.machine.items())
    head = [f"{evaluation.command} {evaluation.set}: {counts}", ""]
    return "\n".join([*head, *lines, "", machine, ", ".join(f"{n} {v}" for n, v in evaluation.versions.items())])


def invalid_quotes(evaluation: Evaluation) -> list[str]:
    """One line for each quote that was not found on its page."""
    return [
        f"not found on {quote['source_id']}, p.{quote['page']} (question {row['id']}): {quote['quote']!r}"
        for row in evaluation.per_query
        for quote in row.get("answer", {}).get("invalid_quotes", ())
    ]


def format_value(value: float) -> str:
    """Shares with four decimals, other numbers with four digits at most, large ones without decimals."""
    if abs(value) <= 1:
        return f"{value:.4f}"
    return f"{value:.4g}" if abs(value) < 1000 else f"{value:.0f}"


def _cell(evaluation: Evaluation, key: str, metric: str) -> str:
    value = evaluation.results[key].get(metric)
    if value is None:
        return "-"
    bounds = evaluation.intervals.get(key, {}).get(metric)
    shown = format_value(value)
    return shown if bounds is None else f"{shown} [{format_value(bounds[0])}, {format_value(bounds[1])}]"
