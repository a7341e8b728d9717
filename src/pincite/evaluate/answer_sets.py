"""`pincite eval answers`: does the answer hold what the gold says, within the length of a summary?"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pincite.engine.engine import Engine
from pincite.evaluate.files import store_folder
from pincite.evaluate.measures import fold, letters_and_digits, percentile, words
from pincite.evaluate.questions import all_citations
from pincite.evaluate.report import Evaluation, Note, Tally, describe_machine, open_transcript, unnoted
from pincite.evaluate.retrieval import BeirSet, Question, index_set, load_set
from pincite.records.answers import Answer
from pincite.records.citations import Citation
from pincite.records.plain import to_plain
from pincite.records.questions import RetrievalPolicy
from pincite.settings import Settings
from pincite.wiring import open_engine

LONGEST_SUMMARY = 700
YES_NO = ("yes", "no")
_ARTICLES = frozenset(("a", "an", "the"))


@dataclass(slots=True)
class Findings:
    """What came of all questions."""

    tally: Tally = field(default_factory=Tally)
    milliseconds: list[float] = field(default_factory=list)
    per_query: list[dict[str, Any]] = field(default_factory=list)

    def times(self) -> dict[str, float]:
        """The percentiles of the time from question to answer."""
        shares = (50, 95, 99) if self.milliseconds else ()
        return {f"ask_ms_p{share}": percentile(self.milliseconds, share / 100) for share in shares}


def evaluate_answers(
    folder: Path,
    *,
    settings: Settings,
    split: str | None = None,
    limit: int | None = None,
    store: Path | None = None,
    transcript: Path | None = None,
) -> Evaluation:
    """Index the set (or take the store of an earlier run below `store`), ask its questions, score, write a
    `transcript`. UsageError for a malformed set, StoreError for a store that does not fit."""
    machine = describe_machine()
    loaded = load_set(folder, split)
    questions = [question for question in loaded.questions if question.answers][:limit]
    started = time.perf_counter()
    with open_transcript(transcript) as note, store_folder(store, f"beir-{loaded.corpus_key}") as path:
        index_set(settings, path, loaded)
        timings = {"index_seconds": time.perf_counter() - started}
        with open_engine(settings, path) as engine:
            findings = ask_all(engine, loaded, questions, note)
    return Evaluation(
        command="eval answers",
        set=loaded.name,
        settings={
            "embedder": settings.embedder,
            "reranker": settings.reranker,
            "split": loaded.split,
            "limit": limit,
            "policy": to_plain(RetrievalPolicy()),
        },
        counts={"documents": len(loaded.documents), "rows": len(loaded.rows), "questions": len(questions)},
        results=findings.tally.results(settings.ask_mode, findings.times()),
        intervals=findings.tally.results_intervals(settings.ask_mode),
        per_query=findings.per_query,
        timings=timings | {"ask_seconds": sum(findings.milliseconds) / 1000},
        machine=machine,
    )


def ask_all(engine: Engine, loaded: BeirSet, questions: Sequence[Question], note: Note = unnoted) -> Findings:
    """Ask every question, note and score its answer. The first is asked once more beforehand, so that no file is
    cold."""
    findings, texts = Findings(), page_texts(loaded)
    for question in questions[:1]:
        engine.ask(question.text, receipt=False)
    for question in questions:
        started = time.perf_counter()
        answer = engine.ask(question.text, receipt=False)
        findings.milliseconds.append((time.perf_counter() - started) * 1000)
        note(question.id, answer)
        invalid = [citation for citation in all_citations(answer) if not stands_on_page(citation, texts)]
        findings.tally.turn_to(question.id)
        right = score(findings.tally, question, answer)
        findings.tally.add("quote_validity", 1 - len(invalid) / max(1, len(all_citations(answer))))
        findings.per_query.append(_row(question, answer, invalid, right=right))
    return findings


def score(tally: Tally, question: Question, answer: Answer) -> bool:
    """Whether a gold answer stands in the first 700 characters of the statements' texts; noted with the rest."""
    texts = [statement.text for statement in answer.statements if statement.kind != "missing"]
    right = contains("\n".join(texts)[:LONGEST_SUMMARY], question.answers)
    tally.add("contain_accuracy", right)
    tally.add("contain_accuracy@first", contains("".join(texts[:1])[:LONGEST_SUMMARY], question.answers))
    if (gold := fold(question.answers[0])) in YES_NO:
        verdict = re.match(r"(?:[^:]*: )?(yes|no)\b", fold("".join(texts[:1])))
        tally.add("yes_no", verdict is not None and verdict.group(1) == gold)
    tally.add("answer_chars", len("\n".join(texts)))
    tally.add("abstained", answer.refused)
    return right


def contains(text: str, answers: Iterable[str]) -> bool:
    """Whether one of the answers stands in the text: whole words, without case, punctuation and articles."""
    said = _normalised(text)
    return any(_normalised(answer) in said for answer in answers)


def page_texts(loaded: BeirSet) -> dict[tuple[str, int], str]:
    """The letters and digits of each page of the set, as it was handed in."""
    return {
        (source.source_id, page.number): letters_and_digits(page.text)
        for source, document in loaded.documents
        for page in document.pages
    }


def stands_on_page(citation: Citation, texts: Mapping[tuple[str, int], str]) -> bool:
    """Whether the quote's letters and digits stand as one run in the page that its span names."""
    page = texts.get((citation.source_id, citation.span.page), "")
    return bool(citation.quote) and letters_and_digits(citation.quote) in page


def _normalised(text: str) -> str:
    spaced = re.sub(r"[^\w\s]", " ", text)
    return f" {' '.join(word for word in words(spaced) if word not in _ARTICLES)} "


def _row(question: Question, answer: Answer, invalid: Sequence[Citation], *, right: bool) -> dict[str, Any]:
    return {
        "id": question.id,
        "ranked": {},
        "answer": {
            "question": question.text,
            "gold": list(question.answers),
            "contains": right,
            "refused": answer.refused,
            "statements": to_plain(answer.statements),
            "invalid_quotes": to_plain(invalid),
        },
    }
