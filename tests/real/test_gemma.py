"""A real language model, a small and untaught one, over real HTTP: it rambles, and nothing of that is believed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from threading import Event

import pytest
from tests.support.llama_server import CONTEXT, PACKAGES

from pincite.engine.engine import Engine
from pincite.engine.session import Conversation
from pincite.errors import PromptTooLongError, ServiceError
from pincite.models.language_model import OpenAIModel
from pincite.records.prompts import LanguageService, Message, Prompt
from pincite.settings import Settings
from pincite.text.salvage import salvaged
from pincite.text.tokens import tokenise
from pincite.wiring import open_engine

pytestmark = pytest.mark.skipif(
    not all(map(find_spec, PACKAGES)),
    reason="make test-models fetches a language model and runs these",
)
TEXTS = {
    "wind.md": "# 4 Wind\n\nThe basic wind speed of the coast is 27 m/s. Inland it is 20 m/s.\n",
    "snow.md": "# 5 Snow\n\nThe roof of the station bears 2.5 kN/m2 of snow. The keeper shall not clear it alone.\n",
    "oil.md": "# 6 Oil\n\nThe lock is oiled twice a year, in March and in October.\n",
}
QUESTIONS = (
    "What is the basic wind speed inland?",
    "How much snow does the roof of the station bear?",
    "When is the lock oiled?",
    "Who clears the snow from the roof?",
)
SCHEMA = {
    "type": "object",
    "properties": {"relevant": {"type": "boolean"}, "facts": {"type": "array", "items": {"type": "string"}}},
    "required": ["relevant", "facts"],
}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("gemma")
    command = [sys.executable, "-m", "tests.support.llama_server", str(folder)]
    with (
        (folder / "log.txt").open("wb") as log,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True) as server,
    ):
        assert server.stdin is not None and server.stdout is not None
        line = next((line for line in server.stdout if line.startswith("http")), "")
        assert line, (folder / "log.txt").read_text(errors="replace")[-2000:]
        yield f"{line.strip()}/v1"
        server.kill()


@pytest.fixture(scope="module")
def service(address: str) -> LanguageService:
    return LanguageService(address, "gemma", context=CONTEXT, tokens=64, concurrency=2, timeout=120.0)


@pytest.fixture(scope="module")
def engine(service: LanguageService, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder = tmp_path_factory.mktemp("documents")
    for name, text in TEXTS.items():
        (folder / name).write_text(text)
    settings = Settings(language_model="gemma", language_models=(("gemma", service),))
    with open_engine(settings, folder / ".pincite", create=True) as made:
        made.index([folder])
        yield made


def prompt(text: str, tokens: int = 24, schema: dict[str, object] | None = None) -> Prompt:
    return Prompt((Message("user", text),), "test 1", tokens, schema)


def test_it_streams_what_it_says_and_counts_its_tokens(service: LanguageService) -> None:
    heard: list[str] = []
    completion = OpenAIModel(service).complete(prompt("The wind speed inland is"), hear=heard.append)
    assert "".join(heard) == completion.text
    assert len(heard) > 1
    assert 0 < completion.completion_tokens <= 24
    assert completion.prompt_tokens > 0


def test_the_same_prompt_gets_the_same_answer_and_two_may_ask_at_once(service: LanguageService) -> None:
    model = OpenAIModel(service)
    alone = model.complete(prompt("Snow lies on"))
    with ThreadPoolExecutor(2) as pool:
        both = list(pool.map(lambda _: model.complete(prompt("Snow lies on")), range(2)))
    assert {bool(item.text) for item in (alone, *both)} == {True}


def test_a_schema_is_kept_to(service: LanguageService) -> None:
    completion = OpenAIModel(service).complete(prompt("Is 'The lock is oiled in March' relevant?", 96, SCHEMA))
    found = salvaged(completion.text, SCHEMA)
    assert found.how == "json" or completion.ended == "length"
    assert found.value.keys() == {"relevant", "facts"}


def test_a_prompt_that_does_not_fit_is_told_so(service: LanguageService) -> None:
    with pytest.raises(PromptTooLongError):
        OpenAIModel(service).complete(prompt("snow " * 6 * CONTEXT))


def test_who_cancels_is_heard_and_the_next_prompt_is_answered(service: LanguageService) -> None:
    model, cancelled = OpenAIModel(service), Event()
    with pytest.raises(ServiceError, match="was cancelled"):
        model.complete(prompt("Tell a long story of snow.", 64), cancelled=cancelled, hear=lambda _: cancelled.set())
    assert model.complete(prompt("Snow lies on")).completion_tokens > 0


@pytest.mark.parametrize(
    ("mode", "questions"), [("generate", QUESTIONS), ("agentic", QUESTIONS[:1]), ("follow", QUESTIONS[:1])]
)
def test_nothing_is_said_that_stands_in_no_document(engine: Engine, mode: str, questions: tuple[str, ...]) -> None:
    everything = " ".join("\n".join(TEXTS.values()).split())
    for question in questions:
        answer = engine.ask(question, mode=mode)
        assert answer.calls and answer.model.endswith("gemma")
        for statement in answer.statements:
            assert statement.kind == "missing" or statement.citations
            for citation in statement.citations:
                assert citation.filename in TEXTS
                assert " ".join(citation.quote.split()) in everything
        assert engine.session().audit.replay(answer.trace_id).same


def test_a_follow_up_is_understood_in_words_that_were_said(engine: Engine) -> None:
    conversation = Conversation(engine.session())
    conversation.ask(QUESTIONS[2])
    understood = conversation.understood("And who oils it?", mode="generate")
    said = {*tokenise(" ".join([QUESTIONS[2], "And who oils it?", *TEXTS.values()]), "en")}
    assert {*tokenise(understood, "en")} <= said


def test_a_file_is_left_of_no_weights_in_the_package() -> None:
    package = Path(__file__).parents[2] / "src" / "pincite"
    assert not list(package.rglob("*.gguf"))
