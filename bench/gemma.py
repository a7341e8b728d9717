"""Measure mode `generate` with a real, small, untaught model: python -m bench.gemma DATA STORES OUT.json

Gemma 3 270M (base, 4 bits) in llama.cpp, on the paraphrased questions. It is made to ramble: what is measured is what
pincite lets through, beside what the rules say alone. `make test-models` fetches the model; without it nothing is
measured. It takes an hour on two cores. The transcripts are kept beside OUT.json, to be read.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from pincite.evaluate.files import json_rows
from pincite.evaluate.pages import evaluate_pages
from pincite.evaluate.report import Evaluation, write_json
from pincite.records.prompts import LanguageService
from pincite.settings import Settings, limit_threads

ROOT = Path(__file__).resolve().parent.parent
GEMMA = ROOT / "build" / "gemma"
SETS = ("eurocode_uk", "us_filings")
CONTEXT = 2048
TOKENS = 128
"""Of an answer: what comes behind is the same again."""


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The address of a server of llama.cpp with the model."""
    code = f"import sys; sys.path[:0] = {[str(GEMMA), str(ROOT)]}; from tests.support.llama_server import main, Path"
    with subprocess.Popen(
        [sys.executable, "-c", f"{code}; main(Path({str(folder)!r}))"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        yield next(line for line in server.stdout or () if line.startswith("http")).strip()
        server.kill()


def measured(data: Path, stores: Path, out: Path, name: str, address: str) -> Evaluation:
    """One set, with what share of its answers the model wrote, and how many statements it said and lost."""
    service = LanguageService(f"{address}/v1", "gemma", context=CONTEXT, tokens=TOKENS, timeout=120)
    settings = Settings(ask_mode="generate", language_model="gemma", language_models=(("gemma", service),))
    transcript = out.with_name(f"{out.stem}-{name}.transcript.jsonl")
    questions = data / "pdf" / f"questions_paraphrased_{name}.jsonl"
    made = evaluate_pages(data / "pdf", settings=settings, questions=questions, store=stores, transcript=transcript)
    lines = list(json_rows(transcript))
    wrote = [line for line in lines if not line["degraded"]]
    said = [statement for line in wrote for statement in line["statements"] if statement["kind"] != "missing"]
    fallen = [d for line in lines for d in line["decisions"] if d["rule"] == "generate" and d["text"] and not d["kept"]]
    counted = {
        "answered_by_the_model": len(wrote) / len(lines),
        "statements_of_the_model": float(len(said)),
        "sentences_fallen": float(len(fallen)),
    }
    return replace(made, results={key: {**value, **counted} for key, value in made.results.items()})


def main(data: Path, stores: Path, out: Path) -> None:
    """Measure both sets and write one JSON file in the shape of the evaluation commands."""
    if not (GEMMA / ".installed").is_file():
        sys.exit("the model is not here: make test-models fetches it")
    limit_threads()
    with serving(GEMMA) as address:
        made = {name: measured(data, stores, out, name, address) for name in SETS}
    results = {
        key.replace("generate", name): value for name, item in made.items() for key, value in item.results.items()
    }
    first = made[SETS[0]]
    write_json(
        replace(first, command="bench gemma", set="gemma", results=results, intervals={}, per_query=(), timings={}), out
    )


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
