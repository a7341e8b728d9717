"""What something does or is for is told by its entry: the text under the heading that is its name."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.unit.answer.test_plans import ask

from pincite.engine.engine import Engine
from pincite.settings import Settings
from pincite.wiring import open_engine

PUMP = """<html><body><h1>1 Options</h1>
<p>Options stand behind the command. Each of them may be given once.</p>
<h2>1.1. --drain-first</h2><dl><dt>Typical use:<dd>cleaning of the tank
<dt>Effect:<dd>Empties the tank before the pump starts.</dl>
<p>What --drain-first does is not undone where the pump does not start, and is told in the log.</p>
<h2>1.2. Filter file</h2><p>Grains that would wear the pump are named here.</p>
<h1>2 Tools</h1>
<h2>2.1. Gauger: a meter of levels</h2><p>The level is measured twice a day.</p>
<h2>2.2. valve-a, valve-b and valve-c</h2><p>Water is let in from the river by them.</p>
<h1>3 Calling it</h1>
<p>At low tide -g is given before all others, and silt_limit is left as it is.</p>
<p>-G Opens all gates at once, whatever the tide.</p>
<p>-g gate Opens this gate first. A gate is named by its letter.</p>
<p>-s silt Tells how much silt the water carries.</p>
<p>silt_limit (metres) Height of the silt at which the basin is flushed.</p>
<h1>4 History</h1><p>The gauger was added by those who use valve-b at the river, and does what it does.</p>
</body></html>"""
DRAINED = ["Typical use: cleaning of the tank", "Effect: Empties the tank before the pump starts."]


@pytest.fixture(scope="module")
def pump(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    settings = Settings(embedder="none", reranker="none")
    with open_engine(settings, tmp_path_factory.mktemp("pump"), create=True) as engine:
        path = tmp_path_factory.mktemp("documents") / "pump.html"
        path.write_text(PUMP, encoding="utf-8")
        engine.index([path])
        yield engine


def said(engine: Engine, question: str) -> list[str]:
    return [statement.text for statement in ask(engine, question).statements]


@pytest.mark.parametrize(
    "question",
    [
        "What does --drain-first do?",
        "What does the option --drain-first do?",
        "What does the drain-first parameter do",
        "What is --drain-first used for?",
        "What is the --drain-first setting good for?",
    ],
)
def test_the_entry_of_an_option_says_what_it_does(pump: Engine, question: str) -> None:
    assert said(pump, question)[:2] == DRAINED


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What is the filter file for?", "Grains that would wear the pump are named here."),
        ("What does the Gauger do?", "The level is measured twice a day."),
        ("What does valve-b do?", "Water is let in from the river by them."),
        ("What do options do?", "Options stand behind the command."),
    ],
)
def test_a_heading_may_say_more_than_a_name(pump: Engine, question: str, text: str) -> None:
    assert said(pump, question)[0].endswith(text)


@pytest.mark.parametrize("question", ["What does the river do?", "What does --drain do?", "Why is --drain-first told?"])
def test_what_has_no_entry_is_not_told_by_one_of_another(pump: Engine, question: str) -> None:
    assert DRAINED[0] not in said(pump, question)


@pytest.mark.parametrize(
    ("question", "said_first"),
    [
        ("What does -G do?", ["-G Opens all gates at once, whatever the tide."]),
        ("What does the -g option mean?", ["-g gate Opens this gate first.", "A gate is named by its letter."]),
        ("What is silt_limit for?", ["silt_limit (metres) Height of the silt at which the basin is flushed."]),
    ],
)
def test_an_option_without_a_heading_is_told_by_the_text_that_opens_with_it(
    pump: Engine, question: str, said_first: list[str]
) -> None:
    assert [text.removeprefix("3: ") for text in said(pump, question)][: len(said_first)] == said_first
