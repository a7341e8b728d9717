"""A question as it is sent (its words, what to search, and how), and who answers it: the engine of this process, or
worker processes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, replace
from threading import Event
from typing import Annotated, Any, Protocol

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.config import JsonDict

from pincite.deadline import Deadline
from pincite.engine.engine import LONGEST_QUESTION, Engine, Session
from pincite.engine.session import Conversation
from pincite.errors import UsageError
from pincite.records.answers import Answer
from pincite.records.questions import Filter
from pincite.rendering import Plain, advice_items, plain_text, statement_blocks, without_paths
from pincite.serve.replies import encoded
from pincite.settings import MODES, Settings, retrieval_policy

LONGEST_SECONDS = 120.0
"""How long a question may wait for models where the settings (ask_seconds) do not say it."""
MOST_RESULTS = 100
MOST_EARLIER = 3
"""Questions before the last one that are asked again to complete it. By eye, not measured."""
BY_RULES = "extract"
"""The mode that asks no language model."""
StageListener = Callable[[str], None]
_DATE = "^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$"
_MOMENT = "^([0-9]{1,12}|[0-9]{4}-[0-9]{2}(-[0-9]{2}(T[0-9]{2}(:[0-9]{2}){0,2})?)?)$"
_IN_WORDS: JsonDict = {"minLength": 1, "maxLength": LONGEST_QUESTION, "pattern": r"\S"}
"""For the schema only: the engine refuses other questions, and says why."""


def _text(given: str) -> str:
    """A string that is text: ValueError for half a surrogate pair."""
    given.encode("utf-8")
    return given


def _whole(given: object) -> object:
    """JSON makes no difference between 5 and 5.0, and some programs write the latter."""
    return int(given) if isinstance(given, float) and given.is_integer() else given


Words = Annotated[str, Field(description="in words", json_schema_extra=_IN_WORDS)]
Name = Annotated[str, AfterValidator(_text)]
Names = Annotated[list[Name], Field(max_length=100)]
WHOLE = BeforeValidator(_whole)
Day = Annotated[str, Field(pattern=_DATE)]


class Search(BaseModel):
    """A question, the sources that may answer it, and how results are chosen (by default as the settings say)."""

    model_config = ConfigDict(extra="forbid", strict=True)

    question: Words
    files: Names = Field(default=[], description="only these files (* and ? match)")
    types: Names = Field(default=[], description="only sources of these types")
    tags: Names = Field(default=[], description="only sources with one of these tags")
    after: Day | None = Field(default=None, description="only sources of this date or later (2024, 2024-05-01)")
    before: Day | None = Field(default=None, description="only sources of this date or earlier")
    as_of: str | None = Field(
        default=None,
        description="the store as it was: on a day, or at a revision (12)",
        json_schema_extra={"pattern": _MOMENT},
    )
    top_k: Annotated[int, Field(ge=1, le=MOST_RESULTS), WHOLE] | None = Field(
        default=None, description="how many results to keep"
    )
    min_score: float | None = Field(default=None, ge=0, le=1, description="least final score of a result")
    profile: str | None = Field(default=None, description="how channels are weighed: auto, llmless, llm, your own")
    timeout: float | None = Field(default=None, gt=0, description="seconds to wait for models, within the settings")

    def terms(self, settings: Settings) -> dict[str, Any]:
        """`policy` and `filter` for Session.search and Session.ask; the asker is already bound there."""
        given = {"top_k": self.top_k, "min_score": self.min_score, "profile": self.profile}
        chosen: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        wanted = Filter(
            sources=tuple(self.files),
            types=tuple(self.types),
            tags=tuple(self.tags),
            after=self.after,
            before=self.before,
            as_of=self.as_of,
        )
        own = replace(settings, **chosen) if chosen else settings
        return {"policy": retrieval_policy(own), "filter": wanted}

    def is_judged(self, _: Settings) -> bool:
        """Whether the reranker is what it waits for: it reads nothing for a search."""
        return False

    def is_kept(self, _: Settings) -> bool:
        """Whether the result may be cached for the same question by the same asker."""
        return False

    def deadline(self, settings: Settings, gone: Event) -> Deadline:
        """When to stop waiting for models: when the asker is `gone`, or the time allowed is over."""
        longest = settings.ask_seconds or LONGEST_SECONDS
        return Deadline.unless_gone(min(self.timeout or longest, longest), gone)

    def found_in(self, session: Session, settings: Settings, gone: Event, _: StageListener | None = None) -> bytes:
        """What `pincite search --json` prints."""
        found = session.search(self.question, **self.terms(settings), deadline=self.deadline(settings, gone))
        return encoded(found.to_dict())

    def found_again_in(self, session: Session, settings: Settings, gone: Event) -> bytes | None:
        """The same as it is kept; None where it has to be found."""
        return None


class Question(Search):
    """A question that is to be answered."""

    mode: str | None = Field(
        default=None, description="how the answer is made", json_schema_extra={"enum": [*MODES, None]}
    )
    stable: bool = Field(default=False, description="leave times and ids out of the answer")
    explain: bool = Field(default=False, description="tell what was searched, found, merged and decided")

    def is_judged(self, settings: Settings) -> bool:
        """Whether the reranker is what it waits for, and no language model."""
        return not settings.language_model or (self.mode or settings.ask_mode) == BY_RULES

    def found_in(self, session: Session, settings: Settings, gone: Event, heard: StageListener | None = None) -> bytes:
        """What `pincite ask --json` prints; `heard` is called with each stage as it begins."""
        deadline = self.deadline(settings, gone)
        answer = session.ask(self.question, **self.terms(settings), mode=self.mode, deadline=deadline, heard=heard)
        return encoded(plain_answer(answer, stable=self.stable, explain=self.explain))

    def is_kept(self, settings: Settings) -> bool:
        """If there is a cache; earlier states of the store are not kept open for it."""
        return settings.cache_minutes > 0 and self.as_of is None

    def found_again_in(self, session: Session, settings: Settings, gone: Event) -> bytes | None:
        """The answer that was given lately, once more."""
        deadline = self.deadline(settings, gone)
        answer = session.again(self.question, **self.terms(settings), mode=self.mode, deadline=deadline)
        return None if answer is None else encoded(plain_answer(answer, stable=self.stable, explain=self.explain))


def plain_answer(answer: Answer, *, stable: bool = False, explain: bool = False) -> Plain:
    """The JSON of an answer; what it tells of this machine names no path."""
    plain = answer.to_dict(stable=stable, explain=explain)
    plain["degraded"] = [without_paths(text) for text in plain["degraded"]]
    if "notices" in plain["meta"]:
        plain["meta"]["notices"] = [without_paths(text) for text in plain["meta"]["notices"]]
    return plain


class FollowUp(Question):
    """A question with those before it in its conversation, oldest first."""

    earlier: list[Words] = Field(
        default=[], description="questions before this one, which complete it; the answer tells it as it was understood"
    )

    def is_kept(self, settings: Settings) -> bool:
        """Not in a conversation, whose earlier questions have to be asked again anyway."""
        return not self.earlier and super().is_kept(settings)

    def found_in(self, session: Session, settings: Settings, gone: Event, heard: StageListener | None = None) -> bytes:
        """What `pincite ask --json` prints of the question as it is understood."""
        if not self.earlier:
            return super().found_in(session, settings, gone, heard)
        answer = self._answered(session, settings, gone, heard)
        return encoded(plain_answer(answer, stable=self.stable, explain=self.explain))

    def _answered(self, session: Session, settings: Settings, gone: Event, heard: StageListener | None) -> Answer:
        """The question is completed as in `pincite chat`, by rules. For that the earlier questions are asked again,
        also by rules, and without receipts: the answers that the caller claims to have got are ignored."""
        conversation, terms = Conversation(session), self.terms(settings)
        terms["deadline"] = self.deadline(settings, gone)
        for typed in self.earlier[-MOST_EARLIER:]:
            with suppress(UsageError):
                conversation.ask(typed, mode=BY_RULES, receipt=False, **terms)
        understood = conversation.understood(self.question, mode=BY_RULES, deadline=terms["deadline"])
        return conversation.ask(self.question, understood, mode=self.mode, heard=heard, **terms).answer


class LastQuestion(FollowUp):
    """The last question of a conversation, for programs that show Markdown."""

    def is_kept(self, settings: Settings) -> bool:
        """It is answered in another shape."""
        return False

    def found_in(self, session: Session, settings: Settings, gone: Event, heard: StageListener | None = None) -> bytes:
        """The JSON of its `answer`, and the same as `blocks` of Markdown, a statement each."""
        answer = self._answered(session, settings, gone, heard)
        shown = [] if answer.query == self.question else [f"*Understood as: {plain_text(answer.query)}*"]
        plain = plain_answer(answer, stable=self.stable, explain=self.explain)
        return encoded({"answer": plain, "blocks": [*shown, *_blocks(answer)]})


def _blocks(answer: Answer) -> list[str]:
    """The statements, advice where nothing was found, and notes."""
    advice = "\n".join(advice_items(answer))
    notes = [f"*Note: {plain_text(without_paths(text))}*" for text in (*answer.degraded, *answer.notices)]
    return [*statement_blocks(answer), *([advice] if advice else []), *notes]


@dataclass(frozen=True, slots=True)
class Task:
    """A question, who asks it, and the tags of what they may see."""

    asked: Search
    principals: tuple[str, ...] = ()
    who: str = ""


class Askers(Protocol):
    """Answers one question in each thread that calls it."""

    def answer(self, task: Task, gone: Event, heard: StageListener | None = None) -> bytes:
        """The result as JSON; `heard` is called with each stage as it begins, and models are abandoned once the asker
        is `gone`. Raises what the engine raises."""
        ...

    def at_rest(self) -> AbstractContextManager[None]:
        """Other engines than that of this process answer nothing meanwhile; they are waited for within limits."""
        ...

    def close(self) -> None:
        """Release what it holds."""
        ...


@dataclass(frozen=True, slots=True)
class InProcess:
    """The engine of this process, which its opener closes."""

    engine: Engine
    settings: Settings

    def answer(self, task: Task, gone: Event, heard: StageListener | None = None) -> bytes:
        """See Askers."""
        return task.asked.found_in(self.engine.session(task.principals, task.who), self.settings, gone, heard)

    def again(self, task: Task, gone: Event) -> bytes | None:
        """The cached answer to the same question; None where there is none."""
        return task.asked.found_again_in(self.engine.session(task.principals, task.who), self.settings, gone)

    def at_rest(self) -> AbstractContextManager[None]:
        """There are none."""
        return nullcontext()

    def close(self) -> None:
        """Nothing is its own."""
