"""Measure what the machinery around a language model loses: python -m bench.language DATA STORES OUT.json

A perfect model answers each paraphrased question with the lines that hold its facts, in their own words and with their
source, if and only if the page that answers it is in its prompt; else it says that nothing was found. What is then
cited and stated, beside how often that page, and those facts, were in the prompt, is what mode `generate` keeps of it.
"""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pincite.evaluate.pages import store_name
from pincite.evaluate.report import Evaluation, Tally, describe_machine, write_json
from pincite.records.answers import Answer
from pincite.records.prompts import Prompt
from pincite.settings import Settings, limit_threads
from pincite.wiring import open_engine
from pincite_testing.scripted_language_model import ScriptedLanguageModel

SETS = ("eurocode_uk", "us_filings")
CONTEXT = 16_384
"""Tokens: what a small model of today is served with."""
MOST_LINES = 12
"""Sentences of an answer that are looked at."""
_PART = re.compile(r"(?P<path>[^\n]*)\n(?P<text>.*?)\nSource: (?P<label>\(.+?, p\.(?P<page>\d+)\))\n", re.DOTALL)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n")
Row = dict[str, Any]


def folded(text: str) -> str:
    """As facts are compared (docs/design.md section 10)."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


class PerfectModel(ScriptedLanguageModel):
    """Answers from the page that answers, where it is shown it."""

    def __init__(self) -> None:
        super().__init__(self._answer, name="perfect", context_size=CONTEXT)
        self.row: Row = {}
        self.shown_page = self.shown_facts = False

    def _answer(self, prompt: Prompt) -> str:
        pages = {*self.row["pages"], *self.row.get("also_on_pages", ())}
        name = Path(self.row["file"]).name
        parts = [part for part in _PART.finditer(_passages(prompt)) if name in part["label"]]
        gold = [part for part in parts if int(part["page"]) in pages]
        lines = [
            (line.strip(), part["label"]) for part in gold for line in _SENTENCE.split(part["text"]) if line.strip()
        ]
        chosen = {line: None for fact in self.row.get("facts") or () for line in lines if _holds(line[0], fact)}
        self.shown_page = bool(gold)
        self.shown_facts = all(any(_holds(line, fact) for line, _ in lines) for fact in self.row.get("facts") or ())
        said = list(chosen)[:MOST_LINES] or lines[-1:]
        return "\n".join(f"{line} {label}" for line, label in said) or "No information found."


def _passages(prompt: Prompt) -> str:
    """What stands behind the line that opens the passages."""
    return prompt.messages[-1].content.partition("\n")[2]


def _holds(line: str, alternatives: Sequence[str]) -> bool:
    return any(folded(text) in folded(line) for text in alternatives)


def measure(rows: Sequence[Row], folder: Path, stores: Path, tally: Tally) -> None:
    """Ask the questions of one folder, in the store that `pincite eval pages` has made of it."""
    model = PerfectModel()
    with open_engine(Settings(), stores / store_name(folder) / "store", language_model=model) as engine:
        for row in rows:
            tally.turn_to(row["id"])
            model.row, model.shown_page, model.shown_facts = row, False, False
            answer = engine.ask(row["question"], mode="generate", receipt=False)
            tally.add("page_in_prompt", model.shown_page)
            tally.add("cited_page", is_cited(answer, row))
            tally.add("cited_of_shown", is_cited(answer, row)) if model.shown_page else None
            if row.get("facts"):
                text = folded(" ".join(statement.text for statement in answer.statements))
                has_facts = all(any(folded(fact) in text for fact in facts) for facts in row["facts"])
                tally.add("facts_in_prompt", model.shown_facts)
                tally.add("facts", has_facts)
                if model.shown_facts:
                    tally.add("facts_of_shown", has_facts)


def is_cited(answer: Answer, row: Row) -> bool:
    """Whether a page that answers is among those that are cited."""
    pages, name = {*row["pages"], *row.get("also_on_pages", ())}, Path(row["file"]).name
    cited = [c for s in answer.statements if s.kind != "missing" for c in (*s.citations, *s.also)]
    return any(citation.filename == name and citation.page in pages for citation in cited)


def main(data: Path, stores: Path, out: Path) -> None:
    """Measure and write one JSON file in the shape of the evaluation commands."""
    limit_threads()
    results, intervals = {}, {}
    for name in SETS:
        lines = (data / "pdf" / f"questions_paraphrased_{name}.jsonl").read_text(encoding="utf-8").splitlines()
        rows = [row for row in map(json.loads, lines) if row.get("file")]
        tally = Tally()
        for folder in sorted({row["folder"] for row in rows}):
            measure([row for row in rows if row["folder"] == folder], data / "pdf" / folder, stores, tally)
        results |= tally.results(name, {})
        intervals |= tally.results_intervals(name)
    settings = {"context": CONTEXT}
    write_json(
        Evaluation("bench language", "language", settings, {}, results, intervals, (), {}, describe_machine()), out
    )
    for key, means in results.items():
        print(key, ", ".join(f"{metric} {value:.3f}" for metric, value in means.items()))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
