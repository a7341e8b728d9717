"""Every LanguageModel keeps its contract: the adapters over a server of this machine, and the scripted one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.support.language_server import LanguageServer, answering

from pincite.models.breaker import Breaker, GuardedModel
from pincite.models.language_model import OllamaModel, OpenAIModel
from pincite.ports import LanguageModel
from pincite.records.prompts import LanguageService, Prompt
from pincite_testing.language_model_contract import LanguageModelContract
from pincite_testing.scripted_language_model import ScriptedLanguageModel


def echo(text: str) -> str:
    return f"They say – 😀: {text[:40]!r} and more."


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with LanguageServer(answering(lambda request: echo(request.told))) as server:
        yield server.url


class OnServer(LanguageModelContract):
    @pytest.fixture(autouse=True)
    def address(self, server: str) -> None:
        self.url = server


class TestOpenAIModel(OnServer):
    def make(self) -> LanguageModel:
        return OpenAIModel(LanguageService(f"{self.url}/v1", "small", key="key", concurrency=2, timeout=30.0))


class TestOllamaModel(OnServer):
    def make(self) -> LanguageModel:
        return OllamaModel(LanguageService(self.url, "small", "ollama", concurrency=2, timeout=30.0))


def said(prompt: Prompt) -> str:
    return echo(prompt.messages[-1].content)


class TestScriptedLanguageModel(LanguageModelContract):
    def make(self) -> LanguageModel:
        return ScriptedLanguageModel(said, concurrency=2)


class TestGuardedModel(LanguageModelContract):
    def make(self) -> LanguageModel:
        return GuardedModel(ScriptedLanguageModel(said, concurrency=2), Breaker("scripted", lambda _: None))
