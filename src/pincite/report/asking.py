"""Asking all questions of a sheet, with what was kept of an earlier run."""

from __future__ import annotations

from collections.abc import Callable

from pincite.errors import UsageError
from pincite.records.answers import Answer
from pincite.report.kept import KeptReplies
from pincite.report.questions import QuestionSheet
from pincite.report.replies import Reply, Report, reply_of

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
