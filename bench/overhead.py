"""Measure what pincite adds to its models: python -m bench.overhead DATA STORES OUT.json

Mode `generate` on the store of DATA/obliqa_dev, with a language model that answers at once with the first line that it
is shown: milliseconds of a question without those of the reranker. And the reranker against onnxruntime alone, on the
same pairs, as tokens: a pair a call with one thread each, side by side, and in batches of eight with all threads.
"""

from __future__ import annotations

import re
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from bench.figures import write_figures
from pincite.answer.reading.reads import MOST_READ
from pincite.evaluate.retrieval import load_set
from pincite.models.onnx_reranker import OnnxReranker
from pincite.models.sessions import open_session
from pincite.models.weights import CROSS_ENCODER, RerankerFiles
from pincite.records.prompts import Prompt
from pincite.settings import Settings, limit_threads
from pincite.wiring import open_engine
from pincite_testing.scripted_language_model import ScriptedLanguageModel

ASKED = "obliqa_dev"
QUESTIONS = 60
BATCH = 8
TURNS = 5
CORES = 2
_PASSAGE = re.compile(r"\n(?P<line>[^\n]{40,})\nSource: (?P<label>\([^\n]+\))\n")


def milliseconds(action: Callable[[], Any]) -> float:
    started = time.perf_counter()
    action()
    return 1000 * (time.perf_counter() - started)


def first_line(prompt: Prompt) -> str:
    """The first line that a prompt shows, with its source."""
    found = _PASSAGE.search(prompt.messages[-1].content)
    return f"{found['line']} {found['label']}" if found else "No information found."


def generating(store: Path, questions: Sequence[str]) -> dict[str, float]:
    """Milliseconds of a question in mode `generate`: all of it, and what is neither reranker nor language model."""
    wholes, rests, cited = [], [], 0
    model = ScriptedLanguageModel(first_line, context_size=8192)
    with open_engine(Settings(cache_minutes=0), store, language_model=model) as engine:
        engine.ask(questions[0], mode="generate")
        for question in questions:
            started = time.perf_counter()
            answer = engine.ask(question, mode="generate")
            wholes.append(1000 * (time.perf_counter() - started))
            asked = sum(call.milliseconds for call in answer.calls)
            rests.append(wholes[-1] - answer.trace.timings_ms.get("reranker", 0.0) - asked)
            cited += not answer.degraded
        chunks = engine.session().documents.counts()["chunks"]
    return {
        "generate_ms_p50": statistics.median(wholes),
        "generate_overhead_ms_p50": statistics.median(rests),
        "generate_overhead_ms_p90": statistics.quantiles(rests, n=10)[-1],
        "answered_by_the_model": cited / len(questions),
        "generate_chunks": float(chunks),
    }


def pairs_of(store: Path, questions: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Questions with as many passages as are read beside each."""
    with open_engine(Settings(), store) as engine:
        found = [(question, engine.search(question, receipt=False)) for question in questions]
    texts = [item.chunk.content[:800] for _, retrieval in found for item in (*retrieval.evidence, *retrieval.beyond)]
    most = MOST_READ
    return [
        (question, [texts[(7 * place + i) % len(texts)] for i in range(most)])
        for place, (question, _) in enumerate(found)
    ]


def feeds(files: RerankerFiles, pairs: Sequence[tuple[str, str]], size: int) -> list[dict[str, Any]]:
    """The tokens of pairs in batches of this size, filled up to the longest of a batch."""
    tokenizer = Tokenizer.from_file(str(files.folder / "tokenizer.json"))
    tokenizer.enable_truncation(files.window)
    tokenizer.enable_padding()
    made = []
    for start in range(0, len(pairs), size):
        encoded = tokenizer.encode_batch(list(pairs[start : start + size]))
        made.append(
            {
                "input_ids": np.array([item.ids for item in encoded]),
                "attention_mask": np.array([item.attention_mask for item in encoded]),
                "token_type_ids": np.array([item.type_ids for item in encoded]),
            }
        )
    return made


def bare(files: RerankerFiles, pairs: Sequence[tuple[str, list[str]]]) -> Iterator[tuple[str, Callable[[], Any]]]:
    """The ways in which onnxruntime alone reads these pairs, by name."""
    every = [(question, text) for question, texts in pairs for text in texts]
    every.sort(key=lambda pair: -len(pair[1]))
    single, batched = feeds(files, every, 1), feeds(files, every, BATCH)
    one, all_threads = open_session(files.weights, 1), open_session(files.weights, CORES)
    known = {item.name for item in one.get_inputs()}
    single, batched = ([{k: v for k, v in feed.items() if k in known} for feed in made] for made in (single, batched))

    def side_by_side() -> None:
        with ThreadPoolExecutor(CORES) as pool:
            list(pool.map(lambda feed: one.run(None, feed), single))

    yield "bare_pairs", side_by_side
    yield "bare_batches", lambda: [all_threads.run(None, feed) for feed in batched]


def reranking(files: RerankerFiles, pairs: list[tuple[str, list[str]]]) -> dict[str, float]:
    """Milliseconds for these pairs, by pincite, and by onnxruntime alone in the quicker of two ways: medians."""
    reranker = OnnxReranker(files)
    reranker.scores("warm", ["up"])
    ways = dict(bare(files, pairs)) | {
        "rerank": lambda: [reranker.scores(question, texts) for question, texts in pairs]
    }
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(TURNS):
        for name, way in ways.items():
            times[name].append(milliseconds(way))
    found = {f"{name}_ms": statistics.median(taken) for name, taken in times.items()}
    quickest = min(found["bare_pairs_ms"], found["bare_batches_ms"])
    return found | {"rerank_over_bare": found["rerank_ms"] / quickest}


def main(data: Path, stores: Path, out: Path) -> None:
    """Measure and write one JSON file in the shape of the evaluation commands."""
    limit_threads()
    asked = load_set(data / ASKED)
    store = stores / f"beir-{asked.corpus_key}"
    questions = [question.text for question in asked.questions[:QUESTIONS]]
    files = CROSS_ENCODER.find()
    if files is None:
        sys.exit("the reranker is missing: make installs it")
    results = generating(store, questions) | reranking(files, pairs_of(store, questions[:6]))
    write_figures("overhead", results, {"asked": ASKED}, {"questions": len(questions)}, out)
    for name, value in results.items():
        print(f"{name:30} {value:.4g}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
