"""A conversation with a store: each question is completed from those before it, and asked alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pincite.answer.asked.topics import Earlier
from pincite.deadline import Deadline
from pincite.engine.session import Session
from pincite.records.answers import Answer


@dataclass(frozen=True, slots=True)
class Turn:
    """A question as it was typed and as it was understood, and its answer."""

    typed: str
    question: str
    answer: Answer


class Conversation:
    """Questions to one store, one after the other. What was said before completes a question and does nothing else: an
    answer stands on the documents alone, and is the same whoever asks that question first."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.turns: list[Turn] = []

    def understood(self, typed: str, *, mode: str | None = None, deadline: Deadline | None = None) -> str:
        """The question as it would be asked now."""
        earlier = [Earlier(turn.question, _said(turn.answer)) for turn in self.turns]
        return self._session.completed(typed, earlier, mode=mode, deadline=deadline)

    def ask(self, typed: str, question: str | None = None, **terms: Any) -> Turn:
        """Ask a question as it is understood, or as `question` words it; `terms` as `Session.ask` has them."""
        if question is None:
            question = self.understood(typed, mode=terms.get("mode"), deadline=terms.get("deadline"))
        turn = Turn(typed, question, self._session.ask(question, **terms))
        self.turns.append(turn)
        return turn

    def forget(self) -> None:
        """Begin anew."""
        self.turns.clear()


def _said(answer: Answer) -> str:
    return " ".join(statement.text for statement in answer.statements if statement.kind != "missing")
