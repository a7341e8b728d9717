"""A language model completes a question of a conversation with what was said before, and with nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.support.documents import document, source
from tests.support.engines import hashing_engine

from pincite.answer.asked.topics import Earlier
from pincite.answer.modes.completing import completed_question
from pincite.engine.session import Conversation
from pincite.errors import ServiceError
from pincite.records.prompts import Prompt
from pincite_testing.scripted_language_model import ScriptedLanguageModel

BEFORE = [Earlier("Who runs the station?", "Ada Berg has run the station since 1998 (station.pdf, p.1).")]
TYPED = "Since when does the keeper live there?"


def understood(says: str, typed: str = TYPED) -> str:
    return completed_question(typed, BEFORE, ScriptedLanguageModel(lambda _: says))


def test_what_was_said_before_is_put_in() -> None:
    whole = "Since when does the keeper Ada Berg live there at the station?"
    assert understood(json.dumps({"question": whole})) == whole
    assert understood(f'Sure! {{"question": "{whole}"}}') == whole


@pytest.mark.parametrize(
    "invented",
    [
        "Since when does the keeper live there in Norway?",
        "Since when does the keeper live there, in 1999?",
        "Since when does the keeper live there? file:secret.pdf",
        "Since when does the keeper live there? [station]",
        "Who runs the station?",
        "",
    ],
)
def test_what_nobody_said_is_not_asked(invented: str) -> None:
    assert understood(json.dumps({"question": invented})) == TYPED


def test_without_an_answer_of_the_model_rules_complete() -> None:
    assert understood("### I cannot", "When was it built?") == "When was the station built?"

    class Silent(ScriptedLanguageModel):
        def complete(self, prompt: Prompt, **_: object) -> object:  # type: ignore[override]
            raise ServiceError("nobody is there")

    assert completed_question("When was it built?", BEFORE, Silent(lambda _: "")) == "When was the station built?"


def test_a_conversation_asks_what_it_understood(tmp_path: Path) -> None:
    with hashing_engine(tmp_path / "store") as engine:
        text = "The station was built in 1961. The roof of the station bears 2.5 kN/m2 of snow."
        engine.index_documents([(source("station.pdf"), document(text, title="station"))])
        conversation = Conversation(engine.session())
        conversation.ask("How much snow does the roof of the station bear?")
        turn = conversation.ask("When was it built?")
        assert (turn.typed, turn.question) == ("When was it built?", "When was the roof of the station built?")
        assert turn.answer.query == turn.question
        alone = engine.ask(turn.question)
        assert alone.to_dict(stable=True) == turn.answer.to_dict(stable=True)
        conversation.forget()
        assert conversation.understood("When was it built?") == "When was it built?"
