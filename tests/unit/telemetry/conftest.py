"""An engine on two small documents, with a small language model, and what its telemetry is told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.documents import document, source
from tests.support.engines import hashing_engine

from pincite.engine.engine import Engine
from pincite.records.prompts import Prompt
from pincite_testing.memory_reranker import MemoryReranker
from pincite_testing.memory_telemetry import MemoryTelemetry
from pincite_testing.scripted_language_model import ScriptedLanguageModel

TEXTS = {
    "snow.pdf": "Snow lies on the roof of the station. The roof bears 2.5 kN/m2 of snow.",
    "wind.pdf": "Wind acts on the wall of the station. The wall bears 1.1 kN/m2 of wind.",
}
QUESTION = "How much snow does the roof of the station bear?"
ANSWER = "The roof of the station bears 2.5 kN/m2 of snow (snow.pdf, p.1)."
FACT = json.dumps({"relevant": True, "facts": ["The roof bears 2.5 kN/m2 of snow."]})


def put(engine: Engine) -> Engine:
    engine.index_documents([(source(name), document(text, title=name)) for name, text in TEXTS.items()])
    return engine


def small_model(prompt: Prompt) -> str:
    """Plans well, wraps what it reads into talk, and says nothing that can be read of the second passage."""
    if prompt.version == "plan 1":
        return json.dumps({"keywords": ["snow"], "file_filter": "", "source_hint": ""})
    if prompt.version == "map 1":
        return f"Sure! Here it is: {FACT}" if "2.5" in prompt.messages[-1].content else "hmm"
    return f"{ANSWER} The roof bears 9 kN/m2 of snow (snow.pdf, p.1)."


@pytest.fixture
def told() -> MemoryTelemetry:
    return MemoryTelemetry()


@pytest.fixture
def engine(tmp_path: Path, told: MemoryTelemetry) -> Iterator[Engine]:
    model = ScriptedLanguageModel(small_model)
    with hashing_engine(tmp_path, reranker=MemoryReranker(), language_model=model, telemetry=told) as made:
        yield put(made)
