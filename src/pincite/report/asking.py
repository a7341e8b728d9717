"""Asking all questions of a sheet; what was answered is kept beside the report, so that a run that is cut off goes
on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pincite.errors import UsageError
from pincite.records.answers import Answer
from pincite.records.plain import to_plain
from pincite.report.questions import QuestionSheet
from pincite.report.replies import Reply, Report, reply_from, reply_of


class KeptReplies:
    """JSON lines in `REPORT.partial`, keyed by question, generation and the terms of asking (policy, filter).

    A last line that was cut off counts for nothing.
    """

    def __init__(self, report: Path, terms: Mapping[str, Any]) -> None:
        self._path = report.with_name(f"{report.name}.partial")
        self._terms = json.dumps(terms, sort_keys=True)
        self._replies = _loaded(self._path)

    def get(self, question: str, generation: str) -> Reply | None:
        """The reply that was kept; None where there is none on these terms."""
        return self._replies.get(self._key(question, generation))

    def put(self, question: str, generation: str, reply: Reply) -> None:
        """Keep a reply; it is in the file when this returns."""
        key = self._key(question, generation)
        self._replies[key] = reply
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"key": key, "reply": to_plain(reply)}) + "\n")

    def remove(self) -> None:
        """Take the file away: the report is written."""
        self._path.unlink(missing_ok=True)

    def _key(self, question: str, generation: str) -> str:
        return hashlib.sha256("\n".join((generation, self._terms, question)).encode()).hexdigest()


def _loaded(path: Path) -> dict[str, Reply]:
    if not path.is_file():
        return {}
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"".join(line + b"\n" for line in lines[:-1]))
    found: dict[str, Reply] = {}
    for line in lines[:-1]:
        try:
            row = json.loads(line)
            found[row["key"]] = reply_from(row["reply"])
        except (ValueError, KeyError, TypeError):
            continue
    return found


Tell = Callable[[int, int, str], None]


def answer_sheet(
    sheet: QuestionSheet,
    ask: Callable[[str], Answer],
    generation: Callable[[], str],
    *,
    title: str,
    kept: KeptReplies,
    tell: Tell,
) -> Report:
    """The report of all answers, all from one generation: where another is published meanwhile, it is asked again.

    `tell` hears of each question, with its number and how many there are, before it is asked.
    """
    questions = sheet.questions()
    while True:
        current = generation()
        replies = [
            _reply(question, current, ask, kept, _telling(tell, number, len(questions)))
            for number, question in enumerate(questions, start=1)
        ]
        if generation() == current:
            rows = tuple(zip(sheet.rows, replies, strict=True))
            return Report(title, sheet.columns, sheet.asked, rows, current)


def _reply(
    question: str, generation: str, ask: Callable[[str], Answer], kept: KeptReplies, tell: Callable[[str], None]
) -> Reply:
    reply = kept.get(question, generation)
    if reply is not None:
        return reply
    tell(question)
    try:
        answer = ask(question)
    except UsageError as error:
        return Reply((), (str(error),))
    reply = reply_of(answer)
    kept.put(question, generation, reply)
    return reply


def _telling(tell: Tell, number: int, count: int) -> Callable[[str], None]:
    return lambda question: tell(number, count, question)
