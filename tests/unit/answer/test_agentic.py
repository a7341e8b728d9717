"""A small language model is asked in small steps, and each step may fail."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.support.documents import document, source
from tests.support.engines import hashing_engine

from pincite.records.answers import Answer
from pincite.records.prompts import Prompt
from pincite_testing.scripted_language_model import ScriptedLanguageModel

TEXTS = {
    "snow.pdf": "Snow lies on the roof of the station from November on. The roof bears 2.5 kN/m2 of snow.",
    "wind.pdf": "Wind acts on the wall of the station. The wall bears 0.8 kN/m2 of wind.",
}
QUESTION = "How much snow does the roof of the station bear?"
PLAN = json.dumps({"keywords": ["snow", "roof", "load"], "file_filter": "", "source_hint": ""})
FACT = json.dumps({"relevant": True, "facts": ["The roof bears 2.5 kN/m2 of snow."]})
NO_FACT = json.dumps({"relevant": False, "facts": []})
ANSWER = "The roof of the station bears 2.5 kN/m2 of snow (snow.pdf, p.1)."

Stages = dict[str, str | Callable[[Prompt], str]]


def asked(folder: Path, stages: Stages, question: str = QUESTION) -> tuple[Answer, list[Prompt]]:
    """The answer of a model that says these things at these stages; what is not told is told well."""
    well: Stages = {
        "plan 1": PLAN,
        "map 1": lambda prompt: FACT if "2.5" in prompt.messages[-1].content else NO_FACT,
        "reduce 1": ANSWER,
        "generate 1": "No information found.",
    }

    def say(prompt: Prompt) -> str:
        said = (well | stages)[prompt.version]
        return said(prompt) if callable(said) else said

    model = ScriptedLanguageModel(say)
    with hashing_engine(folder, language_model=model) as engine:
        engine.index_documents([(source(name), document(text, title=name)) for name, text in TEXTS.items()])
        answer = engine.ask(question, mode="agentic")
        assert engine.session().audit.replay(answer.trace_id).same
    return answer, model.prompts


def said(answer: Answer) -> list[str]:
    return [statement.text for statement in answer.statements if statement.kind != "missing"]


def test_facts_of_the_passages_become_an_answer(tmp_path: Path) -> None:
    answer, prompts = asked(tmp_path, {})
    assert said(answer) == ["The roof of the station bears 2.5 kN/m2 of snow."]
    assert (answer.mode, answer.degraded) == ("agentic", ())
    assert [prompt.version for prompt in prompts] == ["plan 1", "map 1", "map 1", "reduce 1"]
    assert "Snow lies" not in prompts[-1].messages[-1].content


@pytest.mark.parametrize(
    "broken",
    [
        "Sure! Here is the JSON: " + FACT,
        "```json\n" + FACT + "\n```",
        '"relevant": true, "facts": ["The roof bears 2.5 kN/m2',
    ],
)
def test_broken_json_is_read_as_far_as_it_goes(tmp_path: Path, broken: str) -> None:
    answer, _ = asked(tmp_path, {"map 1": lambda prompt: broken if "2.5" in prompt.messages[-1].content else NO_FACT})
    assert said(answer) == ["The roof of the station bears 2.5 kN/m2 of snow."]


def test_a_passage_of_which_nothing_can_be_read_counts_as_relevant(tmp_path: Path) -> None:
    _, prompts = asked(tmp_path, {"map 1": "hmm"})
    assert "The roof bears 2.5 kN/m2 of snow." in prompts[-1].messages[-1].content


def test_facts_that_the_passage_does_not_bear_out_are_none(tmp_path: Path) -> None:
    invented = json.dumps(
        {"relevant": True, "facts": ["The roof bears 9 kN/m2 of snow.", "The roof bears 2.5 kN/m2 of snow."]}
    )
    answer, prompts = asked(
        tmp_path, {"map 1": lambda prompt: invented if "2.5" in prompt.messages[-1].content else NO_FACT}
    )
    assert "9 kN" not in prompts[-1].messages[-1].content
    assert any("1 of 2 facts stand in the passage" in decision.reason for decision in answer.trace.decisions)


@pytest.mark.parametrize("reduced", ["The roof bears 7 kN/m2 (snow.pdf, p.1).", "", "Penguins are birds."])
def test_where_the_answer_does_not_hold_its_facts_are_said(tmp_path: Path, reduced: str) -> None:
    answer, _ = asked(tmp_path, {"reduce 1": reduced})
    assert said(answer) == ["The roof bears 2.5 kN/m2 of snow."]


def test_where_no_passage_is_relevant_mode_generate_answers(tmp_path: Path) -> None:
    answer, prompts = asked(tmp_path, {"map 1": NO_FACT, "generate 1": ANSWER})
    assert said(answer) == ["The roof of the station bears 2.5 kN/m2 of snow."]
    assert prompts[-1].version == "generate 1"
    assert answer.degraded == ("the stages of mode agentic found no facts: mode generate answered",)


def test_a_file_that_the_planner_makes_up_narrows_nothing(tmp_path: Path) -> None:
    plan = json.dumps({"keywords": [], "file_filter": "xlsx", "source_hint": "Invoice"})
    answer, _ = asked(tmp_path, {"plan 1": plan})
    assert said(answer) == ["The roof of the station bears 2.5 kN/m2 of snow."]


def test_a_file_that_the_question_names_narrows_the_search(tmp_path: Path) -> None:
    plan = json.dumps({"keywords": [], "file_filter": "", "source_hint": "Wind"})
    _, prompts = asked(tmp_path, {"plan 1": plan}, "How much does the wall bear by wind.pdf?")
    assert len([prompt for prompt in prompts if prompt.version == "map 1"]) == 1


def test_a_word_of_the_planner_that_looks_like_a_filter_is_none(tmp_path: Path) -> None:
    plan = json.dumps({"keywords": ["file:snow.pdf"], "file_filter": "", "source_hint": ""})
    _, prompts = asked(tmp_path, {"plan 1": plan}, "How much does the wall bear? file:wind.pdf")
    (read,) = (prompt for prompt in prompts if prompt.version == "map 1")
    assert "wind.pdf" in read.messages[-1].content
