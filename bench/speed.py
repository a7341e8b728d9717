"""Measure speed: python -m bench.speed DATA STORES OUT.json

Reading through the sandbox with and without tables and by bare pypdfium2, indexing against the bare embedder on the
same chunks, opening a store, a cold question, a hundred questions one after the other. DATA/pdf holds the documents;
STORES the stores of an earlier run, of which that of DATA/obliqa_dev is asked. Seconds are wall time, medians where
repeated.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pypdfium2

from bench.figures import write_figures
from pincite.build.editions import make_outline
from pincite.build.publish import link
from pincite.evaluate.retrieval import Question, load_set
from pincite.ports import ReadOptions
from pincite.read.sandbox import ReadJob, Sandbox
from pincite.records.sources import Source
from pincite.settings import Settings
from pincite.store.sql_record import SqlRecord
from pincite.wiring import make_embedder, open_engine

COMMAND = Path(sys.executable).parent / "pincite"
INDEXED = "uk_approved"
ASKED = "obliqa_dev"
QUESTIONS = 100
ASKED_WITH = {"ask_ms_p50": "auto", "ask_ms_p50_without_reranker": "none"}
"""By figure the setting `reranker`."""
TEXTS_AT_ONCE = 256
REPEATS = 5
TURNS = 3


def seconds(action: Callable[[], Any]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def bare_pages(path: Path) -> int:
    """The pages of a file, the text of each taken with pypdfium2 and nothing else."""
    document = pypdfium2.PdfDocument(path)
    for page in document:
        page.get_textpage().get_text_range()
    return len(document)


def bare_reading(files: list[Path]) -> dict[str, float]:
    """Pages a second of pypdfium2's plain text in two processes: what this machine can do."""
    with ProcessPoolExecutor(2) as pool:
        list(pool.map(bare_pages, files[-2:] * 2))
        started = time.perf_counter()
        pages = sum(pool.map(bare_pages, files))
    return {"bare_pdfium_pages_per_second": pages / (time.perf_counter() - started)}


def reading(files: list[Path]) -> dict[str, float]:
    """Pages a second of PDFs with a text layer, two workers, after each worker has read one small file."""
    found = {}
    for name, tables in (("read_text_pages_per_second", False), ("read_tables_pages_per_second", True)):
        options = ReadOptions(ocr="never", tables=tables)
        with Sandbox(workers=2, seconds_per_file=600, memory_bytes=2_000_000_000) as sandbox:
            list(sandbox.read_all([ReadJob(files[-1], options)] * 4))
            started = time.perf_counter()
            outcomes = list(sandbox.read_all([ReadJob(path, options) for path in files]))
            elapsed = time.perf_counter() - started
        pages = sum(len(outcome.document.pages) for outcome in outcomes if outcome.document)
        found |= {name: pages / elapsed, "read_pages": float(pages)}
    return found


def indexing(folder: Path) -> dict[str, float]:
    """Seconds to index a folder from nothing, and to embed its chunks with nothing else to do: in turn, medians."""
    wholes, bares, structures = [], [], []
    embedder = make_embedder(Settings())
    if embedder is None:
        sys.exit("the embedder is missing: make installs it")
    for _ in range(TURNS):
        whole, structure, texts = indexed(folder)
        wholes.append(whole)
        structures.append(structure)
        embedder.embed(texts[:8])
        batches = [texts[start : start + TEXTS_AT_ONCE] for start in range(0, len(texts), TEXTS_AT_ONCE)]
        bares.append(seconds(lambda batches=batches: [embedder.embed(batch) for batch in batches]))
    whole, bare = statistics.median(wholes), statistics.median(bares)
    return {
        "index_seconds": whole,
        "embed_seconds": bare,
        "index_share_of_bare": bare / whole,
        "structure_share_of_index": statistics.median(structures) / whole,
        "chunks": float(len(texts)),
    }


def indexed(folder: Path) -> tuple[float, float, list[str]]:
    """Seconds to index a copy of this folder, those of them for structure, and its texts, the longest first."""
    with tempfile.TemporaryDirectory() as scratch:
        copied = Path(scratch) / folder.name
        shutil.copytree(folder, copied, ignore=shutil.ignore_patterns("*.jsonl*", "README.md", "*scan*"))
        store = Path(scratch) / "store"
        with open_engine(Settings(ocr="never"), store, create=True) as engine:
            whole = engine.index([copied]).seconds
        record = SqlRecord(store / "record.sqlite")
        structure = structuring(copied, record)
        texts = sorted({chunk.content for chunk in record.live_chunks()}, key=lambda text: (-len(text), text))
        record.close()
    return whole, structure, texts


def structuring(folder: Path, record: SqlRecord) -> float:
    """Seconds for the sections, anchors and references of the same documents, and for linking these."""
    with Sandbox(workers=2, seconds_per_file=600, memory_bytes=2_000_000_000) as sandbox:
        outcomes = list(
            sandbox.read_all([ReadJob(path, ReadOptions(ocr="never")) for path in sorted(folder.glob("*.pdf"))])
        )
    documents = [(outcome.job.path.name, outcome.document) for outcome in outcomes if outcome.document]
    found = seconds(lambda: [make_outline(Source(name, "file", ""), document) for name, document in documents])
    return found + seconds(lambda: link(record))


def answering(store: Path, questions: Sequence[Question]) -> dict[str, float]:
    """Milliseconds from a question to its answer, once the store is open, with the reranker and without."""
    found = {name: _milliseconds(store, questions, reranker) for name, reranker in ASKED_WITH.items()}
    with open_engine(Settings(), store) as engine:
        return found | {"asked_chunks": float(engine.session().documents.counts()["chunks"])}


def _milliseconds(store: Path, questions: Sequence[Question], reranker: str) -> float:
    """The median of these questions."""
    times = []
    with open_engine(Settings(reranker=reranker), store) as engine:
        engine.ask(questions[-1].text, receipt=False)
        for question in questions:
            started = time.perf_counter()
            engine.ask(question.text, receipt=False)
            times.append(1000 * (time.perf_counter() - started))
    return statistics.median(times)


def asking(store: Path) -> dict[str, float]:
    """Opening a large store until its first hit, a question from a cold shell, and `pincite --help`."""

    def first_hit() -> None:
        with open_engine(Settings(), store) as engine:
            engine.search("What must a firm report?", receipt=False)

    def cold(*arguments: str) -> Callable[[], Any]:
        return lambda: subprocess.run([COMMAND, *arguments], check=True, capture_output=True)

    def median(action: Callable[[], Any]) -> float:
        return statistics.median(seconds(action) for _ in range(REPEATS))

    first_hit()
    question = cold("ask", "What must a firm report to the regulator?", "--store", str(store))
    return {
        "open_seconds": median(first_hit),
        "cold_ask_seconds": median(question),
        "help_seconds": median(cold("--help")),
    }


def main(data: Path, stores: Path, out: Path) -> None:
    """Measure and write one JSON file in the shape of the evaluation commands."""
    files = sorted(data.glob("pdf/*/*.pdf"), key=lambda path: -path.stat().st_size)
    files = [path for path in files if "scan" not in path.name]
    asked = load_set(data / ASKED)
    store = stores / f"beir-{asked.corpus_key}"
    results = bare_reading(files) | reading(files) | indexing(data / "pdf" / INDEXED)
    results |= asking(store) | answering(store, asked.questions[:QUESTIONS])
    settings = {"indexed": INDEXED, "asked": ASKED, "workers": 2}
    write_figures("speed", results, settings, {"files": len(files)}, out)
    for name, value in results.items():
        print(f"{name:30} {value:.4g}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
