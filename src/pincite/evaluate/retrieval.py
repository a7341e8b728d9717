"""`pincite eval retrieval`: search measured on a set in BEIR layout (`corpus.jsonl`, `queries.jsonl`,
`qrels/SPLIT.tsv`, each also as .gz). Rows that share `metadata.document` are the pages of one document in file order;
any other row is a document of one page, its title a heading above its text."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pincite.engine.engine import Engine
from pincite.errors import UsageError
from pincite.evaluate.files import bytes_below, content_key, existing, json_rows, open_text, store_folder
from pincite.evaluate.measures import RANKING_MEASURES, findable, holds_answer, percentile
from pincite.evaluate.report import HELD_OUT, Evaluation, Tally, describe_machine
from pincite.records.evidence import Evidence
from pincite.records.pages import Block, Document, Page, Span
from pincite.records.plain import to_plain
from pincite.records.questions import Channel, RetrievalPolicy
from pincite.records.sources import Source
from pincite.settings import Settings
from pincite.wiring import open_engine

Place = tuple[str, int]
_Figures = TypeVar("_Figures")


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its relevant rows (corpus id to score above 0) and its gold answers, if the set has some."""

    id: str
    text: str
    gold: Mapping[str, float]
    answers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BeirSet:
    """A loaded set. `rows` names the corpus row of each page as (source id, page number) to corpus id."""

    name: str
    split: str
    corpus_key: str
    documents: tuple[tuple[Source, Document], ...]
    rows: Mapping[Place, str]
    questions: tuple[Question, ...]


def load_set(folder: Path, split: str | None = None) -> BeirSet:
    """Read a set; questions without relevant rows are left out. UsageError where a file is missing or malformed."""
    corpus = existing(folder / "corpus.jsonl")
    judgements = _split_file(folder, split)
    documents, rows = _documents(json_rows(corpus))
    return BeirSet(
        name=folder.resolve().name,
        split=judgements.name.partition(".")[0],
        corpus_key=content_key(corpus),
        documents=documents,
        rows=rows,
        questions=_questions(existing(folder / "queries.jsonl"), _read_judgements(judgements)),
    )


def _split_file(folder: Path, split: str | None) -> Path:
    if split is not None:
        return existing(folder / "qrels" / f"{split}.tsv")
    found = sorted((folder / "qrels").glob("*.tsv*"))
    if len(found) != 1:
        names = ", ".join(path.name.partition(".")[0] for path in found) or "none"
        raise UsageError(f"{folder / 'qrels'} does not hold one split but {names}: choose with --split")
    return found[0]


def _read_judgements(path: Path) -> dict[str, dict[str, float]]:
    """Query id to corpus id to score; scores of 0 and below are left out, and so is the line of headings."""
    gold: dict[str, dict[str, float]] = {}
    with open_text(path) as stream:
        for number, line in enumerate(stream, start=1):
            cells = line.rstrip("\n").split("\t")
            if cells == [""] or (number == 1 and cells[-1] == "score"):
                continue
            try:
                query_id, corpus_id, score = cells[0], cells[-2], float(cells[-1])
            except (IndexError, ValueError) as error:
                raise UsageError(
                    f"{path}, line {number} is not query-id, corpus-id, score: correct the line"
                ) from error
            if score > 0:
                gold.setdefault(query_id, {})[corpus_id] = score
    return gold


def _questions(path: Path, gold: Mapping[str, Mapping[str, float]]) -> tuple[Question, ...]:
    return tuple(
        Question(str(row["_id"]), str(row["text"]), gold[str(row["_id"])], _answers(row.get("metadata") or {}))
        for row in json_rows(path)
        if str(row["_id"]) in gold
    )


def _answers(metadata: Mapping[str, Any]) -> tuple[str, ...]:
    answer = metadata.get("answer")
    return () if not isinstance(answer, str) else (answer, *metadata.get("answer_aliases", ()))


def _documents(corpus: Iterable[Mapping[str, Any]]) -> tuple[tuple[tuple[Source, Document], ...], dict[Place, str]]:
    """Documents in the order of their first rows, and the corpus id of each page."""
    titles: dict[str, str] = {}
    pages: dict[str, list[Page]] = {}
    rows: dict[Place, str] = {}
    for row in corpus:
        corpus_id, title = str(row["_id"]), str(row.get("title") or "")
        shared = (row.get("metadata") or {}).get("document")
        source_id = str(shared or corpus_id)
        held = pages.setdefault(source_id, [])
        number = len(held) + 1
        titles.setdefault(source_id, str(shared or title or corpus_id))
        held.append(_shared_page(number, row) if shared else _single_page(title, str(row.get("text") or "")))
        rows[source_id, number] = corpus_id
    return tuple(_document(source_id, titles[source_id], held) for source_id, held in pages.items()), rows


def _shared_page(number: int, row: Mapping[str, Any]) -> Page:
    """A row without a section number gets its place as one: sections, and so chunks, never cross rows."""
    text = str(row.get("text") or "")
    return Page(number, text, _paragraph(number, text, 0), section=str(row["metadata"].get("section") or number))


def _single_page(title: str, text: str) -> Page:
    if not title:
        return Page(1, text, _paragraph(1, text, 0))
    joined = f"{title}\n{text}"
    heading = Block("heading", Span(1, 0, len(title)), level=1)
    return Page(1, joined, (heading, *_paragraph(1, joined, len(title) + 1)))


def _paragraph(number: int, text: str, start: int) -> tuple[Block, ...]:
    return (Block("paragraph", Span(number, start, len(text))),) if text[start:].strip() else ()


def _document(source_id: str, title: str, pages: list[Page]) -> tuple[Source, Document]:
    content = "\f".join(page.text for page in pages).encode("utf-8", "surrogatepass")
    source = Source(source_id, "given", hashlib.sha256(content).hexdigest(), size=len(content))
    return source, Document(tuple(pages), reader="given", title=title)


TOP_CHUNKS = 200
RANKED_ROWS = 100
ANSWER_ROWS = 5
CHANNELS: Mapping[str, tuple[Channel, ...]] = {
    "keyword": ("keyword",),
    "vector": ("vector",),
    "hybrid": ("vector", "keyword"),
    "default": RetrievalPolicy().channels,
}


def evaluate_retrieval(
    folder: Path,
    *,
    settings: Settings,
    split: str | None = None,
    keys: Sequence[str] = tuple(CHANNELS),
    limit: int | None = None,
    store: Path | None = None,
) -> Evaluation:
    """Index the set (or take the store of an earlier run below `store`), ask its questions, measure. `keys` are names
    of CHANNELS; `limit` takes the first questions only; `index_seconds` is reported for a new store. UsageError for a
    malformed set, StoreError for a store that does not fit."""
    machine, started = describe_machine(), time.perf_counter()
    loaded = load_set(folder, split)
    questions = loaded.questions[:limit]
    timings = {"load_seconds": time.perf_counter() - started}
    wanted = dict.fromkeys(CHANNELS[key] for key in keys)
    with store_folder(store, f"beir-{loaded.corpus_key}") as path:
        costs = index_set(settings, path, loaded)
        with open_engine(settings, path) as engine:
            runs = {channels: measure(engine, loaded, questions, channels) for channels in wanted}
    measured = {key: runs[CHANNELS[key]] for key in keys}
    return Evaluation(
        command="eval retrieval",
        set=loaded.name,
        settings={
            "embedder": settings.embedder,
            "split": loaded.split,
            "limit": limit,
            "policy": to_plain(policy_of(CHANNELS["default"])),
        },
        counts={"documents": len(loaded.documents), "rows": len(loaded.rows), "questions": len(questions)},
        results=_held_out_last({key: run.tally.results(key, run.times() | costs) for key, run in measured.items()}),
        intervals=_held_out_last({key: run.tally.results_intervals(key) for key, run in measured.items()}),
        per_query=_per_query(questions, measured),
        timings=timings | {f"{key}_seconds": sum(run.milliseconds) / 1000 for key, run in measured.items()},
        machine=machine,
    )


def _held_out_last(by_key: Mapping[str, Mapping[str, _Figures]]) -> dict[str, _Figures]:
    """The figures of all keys, those over held-out rows behind the others."""
    found = {name: figures for part in by_key.values() for name, figures in part.items()}
    return dict(sorted(found.items(), key=lambda item: item[0].endswith(HELD_OUT)))


class Run:
    """What one choice of channels gave: measures, the ranked rows of each question, milliseconds a question."""

    def __init__(self) -> None:
        self.tally = Tally()
        self.ranked: list[list[str]] = []
        self.milliseconds: list[float] = []

    def times(self) -> dict[str, float]:
        """The percentiles of the time a question takes, its embedding included."""
        shares = (50, 95, 99)
        return {f"query_ms_p{share}": percentile(self.milliseconds, share / 100) for share in shares if self.ranked}


def index_set(settings: Settings, path: Path, loaded: BeirSet) -> dict[str, float]:
    """Index the set's documents; the bytes of the closed store, and the seconds where it is a new one."""
    fresh = not path.exists()
    with open_engine(settings, path, create=True) as engine:
        report = engine.index_documents(loaded.documents)
    return ({"index_seconds": report.seconds} if fresh else {}) | {"bytes": bytes_below(path)}


def policy_of(channels: tuple[Channel, ...]) -> RetrievalPolicy:
    """The policy that these channels are measured with: as shipped, but deeper and with duplicates kept apart."""
    return RetrievalPolicy(top_k=TOP_CHUNKS, merge_duplicates=False, channels=channels)


def measure(engine: Engine, loaded: BeirSet, questions: Sequence[Question], channels: tuple[Channel, ...]) -> Run:
    """Ask all questions through these channels. The first is asked once more beforehand, so that no file is cold."""
    run, policy = Run(), policy_of(channels)
    for question in questions[:1]:
        engine.search(question.text, policy=policy, receipt=False)
    for question in questions:
        started = time.perf_counter()
        retrieval = engine.search(question.text, policy=policy, receipt=False)
        run.milliseconds.append((time.perf_counter() - started) * 1000)
        best = best_chunks(retrieval.evidence, loaded.rows)
        ranked = list(best)[:RANKED_ROWS]
        run.ranked.append(ranked)
        run.tally.turn_to(question.id)
        for name, value in RANKING_MEASURES.items():
            run.tally.add(name, value(ranked, question.gold))
        if answers := findable(question.answers):
            texts = [best[row].chunk.content for row in ranked[:ANSWER_ROWS]]
            run.tally.add(f"answer_in_evidence@{ANSWER_ROWS}", holds_answer(texts, answers))
    return run


def best_chunks(evidence: Iterable[Evidence], rows: Mapping[Place, str]) -> dict[str, Evidence]:
    """The best chunk of each corpus row, rows in the order of their best chunks."""
    best: dict[str, Evidence] = {}
    for item in evidence:
        best.setdefault(rows[item.chunk.source_id, item.chunk.spans[0].page], item)
    return best


def _per_query(questions: Sequence[Question], measured: Mapping[str, Run]) -> list[dict[str, Any]]:
    return [
        {"id": question.id, "ranked": {key: run.ranked[position] for key, run in measured.items()}}
        for position, question in enumerate(questions)
    ]
