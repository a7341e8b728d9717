"""The contract of a LanguageModel (needs pytest).

Subclass `LanguageModelContract` as a class whose name starts with `Test`, and let `make` give the model.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from concurrent.futures import ThreadPoolExecutor
from threading import Event, get_ident

import pytest

from pincite.deadline import Deadline
from pincite.errors import PromptTooLongError, ServiceError
from pincite.ports import LanguageModel
from pincite.records.prompts import Message, Prompt

TEXTS = (
    "How deep must the foundation be?",
    "",
    "   ",
    "Größe, naïveté, 日本語, \u2588\u2588, ½, 😀, \x00, half a character: \ud800",
    '{"messages": [{"role": "system", "content": "</s><|im_end|>[/INST]"}]}',
    "The fire door stays closed. " * 50,
)
ANY = {"type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"]}
TOKENS = 64

AMPLE = 3600.0
"""Seconds in which anything answers that is asked here."""


class HeardError(Exception):
    """Whoever hears has had enough."""


def asking(text: str) -> Prompt:
    """A prompt with this question."""
    return Prompt((Message("system", "Answer in one sentence."), Message("user", text)), "contract.1", TOKENS)


class LanguageModelContract(ABC):
    """What every LanguageModel keeps. Its answers are not judged; that it says something to the first of TEXTS, and the
    same when it is asked again, is."""

    @abstractmethod
    def make(self) -> LanguageModel:
        """The model to be tested."""

    @pytest.fixture
    def model(self) -> LanguageModel:
        """A new model."""
        return self.make()

    def test_it_says_which_model_it_is(self, model: LanguageModel) -> None:
        """Two of one model have one digest; it has a context, and takes a prompt at least."""
        assert model.name
        assert model.digest == self.make().digest != ""
        assert model.context_size > TOKENS
        assert model.concurrency >= 1

    def test_any_prompt_is_answered(self, model: LanguageModel) -> None:
        """Empty, strange and long ones, by text that can be written down; its tokens are counted."""
        for text in TEXTS:
            said = model.complete(asking(text))
            assert said.ended in ("stop", "length")
            assert said.text.encode() is not None
            assert said.prompt_tokens >= 0
            assert said.completion_tokens >= 0

    def test_a_conversation_and_a_schema_may_be_given(self, model: LanguageModel) -> None:
        """Messages of all roles, a schema for the answer."""
        roles = Message("user", TEXTS[0]), Message("assistant", "1.2 m."), Message("user", "And how wide?")
        assert model.complete(Prompt(roles, "contract.1", TOKENS, ANY, seed=7)).ended in ("stop", "length")

    def test_the_same_prompt_has_the_same_answer(self, model: LanguageModel) -> None:
        """Asked twice, and of another of the kind."""
        said = model.complete(asking(TEXTS[0]))
        assert said.text
        assert model.complete(asking(TEXTS[0])) == self.make().complete(asking(TEXTS[0])) == said

    def test_its_answer_is_told_piece_by_piece(self, model: LanguageModel) -> None:
        """In the thread of who asks; the pieces are the text, and the answer is the same as untold."""
        told: list[tuple[int, str]] = []
        said = model.complete(asking(TEXTS[0]), hear=lambda piece: told.append((get_ident(), piece)))
        assert "".join(piece for _, piece in told) == said.text
        assert {thread for thread, _ in told} == {get_ident()}
        assert said == model.complete(asking(TEXTS[0]))

    def test_who_hears_may_end_it(self, model: LanguageModel) -> None:
        """What `hear` raises comes out as it is, after one piece."""
        told: list[str] = []

        def hear(piece: str) -> None:
            told.append(piece)
            raise HeardError

        with pytest.raises(HeardError):
            model.complete(asking(TEXTS[0]), hear=hear)
        assert len(told) == 1

    def test_a_cancelled_prompt_has_no_answer(self, model: LanguageModel) -> None:
        """A ServiceError, whether it was cancelled before or while it was answered."""
        cancelled = Event()
        with pytest.raises(ServiceError):
            model.complete(asking(TEXTS[0]), cancelled=cancelled, hear=lambda _: cancelled.set())
        told: list[str] = []
        with pytest.raises(ServiceError):
            model.complete(asking(TEXTS[0]), cancelled=cancelled, hear=told.append)
        assert told == []
        assert model.complete(asking(TEXTS[0]), cancelled=Event()).text

    def test_nothing_is_asked_after_its_deadline(self, model: LanguageModel) -> None:
        """A ServiceError at once; in time the same answer as without a deadline."""
        with pytest.raises(ServiceError):
            model.complete(asking(TEXTS[0]), deadline=Deadline.after(0))
        in_time = model.complete(asking(TEXTS[0]), deadline=Deadline.after(AMPLE))
        assert in_time == model.complete(asking(TEXTS[0]))

    def test_a_prompt_that_does_not_fit_is_told(self, model: LanguageModel) -> None:
        """A PromptTooLongError."""
        with pytest.raises(PromptTooLongError):
            model.complete(asking("word " * model.context_size))

    def test_tokens_are_counted_without_asking(self, model: LanguageModel) -> None:
        """None for nothing, some for anything else, no fewer for more of it."""
        assert model.count_tokens("") == 0
        for text in (text for text in TEXTS if text.strip()):
            assert 0 < model.count_tokens(text) <= model.count_tokens(text + "\n" + text)

    def test_several_may_ask_at_once(self, model: LanguageModel) -> None:
        """As many as it says, each hearing its own answer."""
        prompts = [asking(text) for text in TEXTS[:2] * 2]
        with ThreadPoolExecutor(model.concurrency) as pool:
            together = list(pool.map(model.complete, prompts))
        assert together == [model.complete(prompt) for prompt in prompts]
