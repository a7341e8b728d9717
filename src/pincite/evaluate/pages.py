"""`pincite eval pages`: do answers over a folder cite the right pages, and do their quotes stand there?"""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pincite.engine.engine import Engine
from pincite.errors import UsageError
from pincite.evaluate.files import store_folder
from pincite.evaluate.measures import percentile
from pincite.evaluate.questions import (
    QUESTIONS_FILE,
    PageQuestion,
    all_citations,
    cited_pages,
    load_questions,
    ranked_pages,
    score_answer,
    score_evidence,
    section_questions,
)
from pincite.evaluate.quotes import QuoteChecker, require_extractors
from pincite.evaluate.report import Evaluation, Note, Tally, describe_machine, open_transcript, unnoted
from pincite.records.answers import Answer
from pincite.records.citations import Citation
from pincite.records.plain import to_plain
from pincite.records.questions import RetrievalPolicy
from pincite.settings import Settings
from pincite.wiring import open_engine

RANKED_PAGES = 100
NOT_DOCUMENTS = ("README.md",)


@dataclass(slots=True)
class Findings:
    """What came of all questions so far."""

    tally: Tally = field(default_factory=Tally)
    counts: Counter[str] = field(default_factory=Counter)
    summary_chars: list[float] = field(default_factory=list)
    words: list[float] = field(default_factory=list)
    per_query: list[dict[str, Any]] = field(default_factory=list)
    timings: dict[str, float] = field(default_factory=lambda: {"index_seconds": 0.0, "ask_seconds": 0.0})

    def lengths(self) -> dict[str, float]:
        """The percentiles of the lengths of summaries and answers."""
        lengths = {
            f"summary_chars_p{share}": percentile(self.summary_chars, share / 100)
            for share in (50, 90)
            if self.summary_chars
        }
        words = {"answer_words_p50": percentile(self.words, 0.5)} if self.words else {}
        return lengths | words


def evaluate_pages(
    folder: Path,
    *,
    settings: Settings,
    questions: Path | None = None,
    ask_sections: int = 0,
    seed: int = 0,
    limit: int | None = None,
    store: Path | None = None,
    transcript: Path | None = None,
) -> Evaluation:
    """Index the folder (each folder that questions name is a store of its own), ask and score. Questions come from
    `questions`, else from `questions.jsonl`; `ask_sections` asks for so many sampled section titles instead.
    ServiceError where the extractors of the quote check are not installed."""
    require_extractors()
    machine = describe_machine()
    asked = None if ask_sections else load_questions(questions or _questions_of(folder))[:limit]
    findings = Findings()
    with open_transcript(transcript) as note:
        for part, rows in _by_folder(folder, asked):
            with (
                store_folder(store, store_name(part)) as place,
                open_engine(settings, place / "store", create=True) as engine,
            ):
                stage(part, place / "documents")
                index_folder(engine, place / "documents", findings)
                session = engine.session()
                titles = session.documents.section_titles
                chosen = section_questions(titles(), ask_sections, seed) if rows is None else rows
                ask_all(engine, chosen, QuoteChecker(part, session.files.boxes), findings, note)
    return Evaluation(
        command="eval pages",
        set=_set_name(folder, questions, ask_sections),
        settings={
            "embedder": settings.embedder,
            "reranker": settings.reranker,
            "ask_sections": ask_sections,
            "seed": seed,
            "limit": limit,
            "policy": to_plain(RetrievalPolicy()),
        },
        counts=dict(sorted(findings.counts.items())),
        results=findings.tally.results(settings.ask_mode, findings.lengths()),
        intervals=findings.tally.results_intervals(settings.ask_mode),
        per_query=findings.per_query,
        timings=findings.timings,
        machine=machine,
    )


def store_name(folder: Path) -> str:
    """A name for the store of this folder, which no other folder shares."""
    path = folder.resolve()
    return f"pages-{path.name}-{hashlib.sha256(os.fsencode(path)).hexdigest()[:8]}"


def stage(folder: Path, target: Path) -> None:
    """Lay out the folder's documents alone below `target`, anew: as links to the same bytes where possible."""
    shutil.rmtree(target, ignore_errors=True)
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        relative = path.relative_to(folder)
        if path.name in NOT_DOCUMENTS or ".jsonl" in path.suffixes or any(p.startswith(".") for p in relative.parts):
            continue
        place = target / relative
        place.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(path, place)
        except OSError:
            shutil.copy2(path, place)


def index_folder(engine: Engine, documents: Path, findings: Findings) -> None:
    """Index what was laid out, and count how the documents ended."""
    report = engine.index([documents], prune=True)
    findings.timings["index_seconds"] += report.seconds
    findings.counts["documents"] += len(report.documents)
    findings.counts.update(f"documents {item.status}" for item in report.documents)


def ask_all(
    engine: Engine, questions: Iterable[PageQuestion], checker: QuoteChecker, findings: Findings, note: Note = unnoted
) -> None:
    """Ask every question of one store, note its answer, and score evidence, answer and quotes."""
    for question in questions:
        policy = RetrievalPolicy(top_k=RANKED_PAGES)
        ranked = ranked_pages(engine.search(question.text, policy=policy, receipt=False).evidence, question)
        started = time.perf_counter()
        answer = engine.ask(question.text, receipt=False)
        findings.timings["ask_seconds"] += time.perf_counter() - started
        note(question.id, answer)
        findings.tally.turn_to(question.id)
        score_evidence(findings.tally, question, ranked)
        score_answer(findings.tally, question, answer)
        findings.summary_chars.append(len(answer.summary))
        findings.words.append(words_said(answer))
        findings.counts.update(questions=1, statements=len(answer.statements))
        invalid = check_quotes(checker, answer, findings)
        findings.per_query.append(_row(question, ranked, answer, invalid))


def words_said(answer: Answer) -> int:
    """How many words the statements of an answer have, those on what is missing left out."""
    return sum(len(statement.text.split()) for statement in answer.statements if statement.kind != "missing")


def check_quotes(checker: QuoteChecker, answer: Answer, findings: Findings) -> list[Citation]:
    """Count the verdicts on all quotes of an answer; those that are invalid."""
    invalid = []
    for citation in all_citations(answer):
        verdict = checker.check(citation)
        findings.counts[f"quotes {verdict}"] += 1
        if verdict != "unchecked":
            metric = "quote_validity_ocr" if verdict.endswith("_ocr") else "quote_validity"
            findings.tally.add(metric, verdict.startswith("valid"))
        if verdict.startswith("invalid"):
            invalid.append(citation)
    return invalid


def _questions_of(folder: Path) -> Path:
    path = folder / QUESTIONS_FILE
    if not path.is_file():
        raise UsageError(f"{folder} has no {QUESTIONS_FILE}: give --questions FILE, or --ask-sections N")
    return path


def _set_name(folder: Path, questions: Path | None, ask_sections: int) -> str:
    name = folder.resolve().name
    if ask_sections:
        return f"{name} (sections)"
    return name if questions is None else f"{name}/{questions.name}"


def _by_folder(
    folder: Path, questions: Sequence[PageQuestion] | None
) -> Iterator[tuple[Path, Sequence[PageQuestion] | None]]:
    """The folders that are stores of their own, with their questions (None: to be sampled)."""
    if questions is None:
        yield folder, None
        return
    name = folder.resolve().name
    parts: dict[Path, list[PageQuestion]] = {}
    for question in questions:
        own = question.folder is None or question.folder == name
        parts.setdefault(folder if own else folder / str(question.folder), []).append(question)
    for part, rows in parts.items():
        if not part.is_dir():
            raise UsageError(f"{part} is not a folder: question {rows[0].id} names it")
        yield part, rows


def _row(
    question: PageQuestion, ranked: Sequence[tuple[str, int]], answer: Answer, invalid: Sequence[Citation]
) -> dict[str, Any]:
    return {
        "id": question.id,
        "ranked": {answer.mode: [list(place) for place in ranked[:RANKED_PAGES]]},
        "answer": {
            "question": question.text,
            "refused": answer.refused,
            "cited": [list(place) for place in cited_pages(answer.statements, question)],
            "statements": to_plain(answer.statements),
            "invalid_quotes": to_plain(invalid),
        },
    }
