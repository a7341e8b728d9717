"""A transcript of a measurement: a line of JSON for each question, with its answer and all that led to it.

Times are left out, so that the same run gives the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pincite.errors import UsageError
from pincite.records.answers import Answer
from pincite.records.plain import to_plain
from pincite.records.prompts import Call

Note = Callable[[str, Answer], None]
"""Is told the id of a question and its answer."""


def unnoted(question_id: str, answer: Answer) -> None:
    """Keeps nothing."""


@contextmanager
def open_transcript(path: Path | None) -> Iterator[Note]:
    """What writes each answer to this file as soon as it is told of it, and keeps nothing where there is no file.
    UsageError where the file cannot be written."""
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
