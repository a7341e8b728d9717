"""The store as one asker sees it: questions, receipts, documents and their pages; and a conversation, in which earlier
questions complete a later one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from pincite.answer.asked.topics import Earlier
from pincite.deadline import Deadline
from pincite.engine.asking import Asker
from pincite.engine.audit import Audit
from pincite.engine.documents import Documents, Graph, UploadedDocuments
from pincite.engine.files import Files
from pincite.engine.visibility import Sight
from pincite.errors import TooLongError
from pincite.records.answers import Answer
from pincite.records.evidence import Retrieval
from pincite.records.questions import Filter, RetrievalPolicy
from pincite.settings import known_mode

LONGEST_QUESTION = 4_000
"""Characters: what is longer is a text and no question."""


class SearchTerms(TypedDict, total=False):
    """What `Session.search` takes beside the question and the filter."""

    policy: RetrievalPolicy | None
    receipt: bool
    deadline: Deadline | None


class AskTerms(SearchTerms, total=False):
    """What `Session.ask` takes beside the question and the filter."""

    mode: str | None
    heard: Callable[[str], None] | None


class Session:
    """The store as an asker with these principals sees it. Closed documents might as well not be there: no question
    finds them, nothing counts them, and asking for one by name gives the error for a missing document."""

    def __init__(self, sight: Sight, asker: Asker) -> None:
        self._sight = sight
        self._asker = asker
        self.documents = Documents(sight)
        self.graph = Graph(sight)
        self.audit = Audit(sight, asker)
        self.files = Files(sight, self.audit)
        self.uploads = UploadedDocuments(sight)

    def search(
        self,
        question: str,
        *,
        policy: RetrievalPolicy | None = None,
        filter: Filter = Filter(),  # noqa: A002
        receipt: bool = True,
        deadline: Deadline | None = None,
    ) -> Retrieval:
        """The evidence for a question, best first. `policy`, `deadline`: see `ask`."""
        asked = _readable(question), policy or self._sight.parts.retrieval(), self._sight.narrowed(filter)
        return self._asker.search(*asked, receipt=receipt, deadline=deadline or self._deadline())

    def ask(
        self,
        question: str,
        *,
        policy: RetrievalPolicy | None = None,
        filter: Filter = Filter(),  # noqa: A002
        mode: str | None = None,
        receipt: bool = True,
        deadline: Deadline | None = None,
        heard: Callable[[str], None] | None = None,
    ) -> Answer:
        """An answer whose every statement is pinned to its page. `mode` is one of `pincite.settings.MODES`, `policy`
        chooses the evidence; both default to the settings. `filter.as_of` asks an earlier state of the store. Without a
        `receipt` nothing is kept, and the answer is made anew. Models have until the `deadline` (default: `ask_seconds`
        from now); then the answer is made without them, and `degraded` lists what is missing. `heard` is called with
        each step as it begins, in the thread that takes it, and not at all for an answer from the cache."""
        asked = _readable(question), policy or self._sight.parts.retrieval(), self._sight.narrowed(filter)
        chosen, until = known_mode(mode or self._sight.parts.ask_mode), deadline or self._deadline()
        return self._asker.ask(*asked, mode=chosen, receipt=receipt, deadline=until, heard=heard, who=self._sight.who)

    def again(
        self,
        question: str,
        *,
        policy: RetrievalPolicy | None = None,
        filter: Filter = Filter(),  # noqa: A002
        mode: str | None = None,
        deadline: Deadline | None = None,
    ) -> Answer | None:
        """The answer that `ask` gave to the same question lately, given once more; None where none is kept. For who
        would rather not wait until one is made."""
        asked = _readable(question), policy or self._sight.parts.retrieval(), self._sight.narrowed(filter)
        chosen, until = known_mode(mode or self._sight.parts.ask_mode), deadline or self._deadline()
        return self._asker.again(*asked, mode=chosen, deadline=until, who=self._sight.who)

    def completed(
        self, typed: str, turns: Sequence[Earlier], *, mode: str | None = None, deadline: Deadline | None = None
    ) -> str:
        """A question as it is understood after these turns, oldest first: what it leaves out, or calls by a pronoun, is
        taken from them; as typed where it stands alone."""
        chosen = known_mode(mode or self._sight.parts.ask_mode)
        return self._asker.completed(_readable(typed), turns, chosen, deadline or self._deadline())

    def generation(self) -> str | None:
        """The digest of the current generation; None before the first."""
        pinned = self._sight.parts.generations.pin()
        if pinned is None:
            return None
        with pinned.held():
            return str(pinned.manifest["generation"])

    def revision(self) -> int:
        """The number of the latest change of documents; 0 before the first."""
        return self._sight.record.revision()

    def overview(self) -> tuple[str, str | None]:
        """What the store is called: as its folder; and when its documents changed last, in UTC (None: never)."""
        own, above = self._sight.parts.folder.resolve(), self._sight.parts.folder.resolve().parent
        return (above if own.name.startswith(".") else own).name, self._sight.record.changed_utc()

    def _deadline(self) -> Deadline:
        """That of a question which is asked now."""
        seconds = self._sight.parts.ask_seconds
        return Deadline.after(seconds) if seconds else Deadline.never()


def _readable(question: str) -> str:
    """A question that is short enough to be one; TooLongError where it is not."""
    if len(question) > LONGEST_QUESTION:
        raise TooLongError(
            f"the question has {len(question):,} characters, more than the {LONGEST_QUESTION:,} that are read: "
            "ask it in fewer words"
        )
    return question


@dataclass(frozen=True, slots=True)
class Turn:
    """A question as it was typed and as it was understood, and its answer."""

    typed: str
    question: str
    answer: Answer


class Conversation:
    """Questions to one store, one after the other. Earlier ones complete a question and have no other effect: the
    answer rests on the documents alone, and is the same for anybody who asks the completed question first."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.turns: list[Turn] = []

    def understood(self, typed: str, *, mode: str | None = None, deadline: Deadline | None = None) -> str:
        """The question as it would be asked now."""
        earlier = [Earlier(turn.question, _text_of(turn.answer)) for turn in self.turns]
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


def _text_of(answer: Answer) -> str:
    return " ".join(statement.text for statement in answer.statements if statement.kind != "missing")
