"""One screen of figures: python tools/write_benchmarks.py docs/measurements.md BENCHMARKS.md

BENCHMARKS.md repeats the rows of docs/measurements.md that matter most; nothing is computed here.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

HEAD = """\
# Figures that matter

Repeated from [docs/measurements.md](docs/measurements.md), which has every table, the intervals and the targets; the
JSON of the runs is under [evaluation/results](evaluation/results/README.md). `make bench` measures again and writes all
of it. [How it is measured](docs/evaluation.md).

Shares are from 0 to 1. "Held out" counts only rows that nothing was trained on. A whole run takes many hours, so each
figure names the commit that was measured; answers at ad1ffa3 were given before pincite had a reader of its own.
"""


class Figure(NamedTuple):
    """In words, and where it stands: section, set, row and column of the page of measurements."""

    words: str
    section: str
    set: str
    row: str
    column: str


GUARDS = "Closed documents and half requests"
GROUPS: Mapping[str, tuple[Figure, ...]] = {
    "Finding passages (held out)": (
        Figure(
            "2WikiMultihopQA: needed passages among the first five",
            "Retrieval",
            "2wiki_train500",
            "default, held out",
            "recall@5",
        ),
        Figure("the same, all of a question's", "Retrieval", "2wiki_train500", "default, held out", "all_gold@5"),
        Figure("the same, plain dense search", "Retrieval", "2wiki_train500", "vector, held out", "all_gold@5"),
        Figure(
            "HotpotQA: needed passages among the first five",
            "Retrieval",
            "hotpotqa_v1train_100",
            "default, held out",
            "recall@5",
        ),
        Figure(
            "MuSiQue: needed passages among the first five",
            "Retrieval",
            "musique_v1train_100",
            "default, held out",
            "recall@5",
        ),
        Figure(
            "ObliQA rulebooks: relevant passages among the first ten",
            "Retrieval",
            "obliqa_dev",
            "default, held out",
            "recall@10",
        ),
        Figure("SciFact: nDCG@10", "Retrieval", "scifact_train", "default, held out", "ndcg@10"),
    ),
    "Answers and pages": (
        Figure(
            "FinanceBench: a right page cited (held out)",
            "Answers and their pages",
            "financebench",
            "extract, held out",
            "cited_page",
        ),
        Figure(
            "FinanceBench: quotes that are on the cited page",
            "Answers and their pages",
            "financebench",
            "extract",
            "quote_validity",
        ),
        Figure(
            "Own questions: a right page cited (held out)",
            "Answers and their pages",
            "pdf/questions.jsonl",
            "extract, held out",
            "cited_page",
        ),
        Figure(
            "Standards and planning, in other words: a right page cited (held out)",
            "Answers and their pages",
            "pdf/questions_paraphrased_eurocode_uk.jsonl",
            "extract, held out",
            "cited_page",
        ),
        Figure(
            "US filings, in other words: a right page cited (held out)",
            "Answers and their pages",
            "pdf/questions_paraphrased_us_filings.jsonl",
            "extract, held out",
            "cited_page",
        ),
        Figure(
            "Unfamiliar manuals: a right page cited",
            "Answers and their pages",
            "foreign/foreign.jsonl",
            "extract",
            "cited_page",
        ),
        Figure(
            "Unfamiliar manuals: the fact stated",
            "Answers and their pages",
            "foreign/foreign.jsonl",
            "extract",
            "facts",
        ),
        Figure(
            "Unfamiliar manuals: unanswerable near misses refused",
            "Answers and their pages",
            "foreign/foreign.jsonl",
            "extract",
            "refused",
        ),
        Figure(
            "Unfamiliar manuals: answerable questions refused",
            "Answers and their pages",
            "foreign/foreign.jsonl",
            "extract",
            "refused_answerable",
        ),
    ),
    "Public complaints": (
        Figure("questions answered right, of 163", "Public complaints", "cases", "default", "cases_right"),
    ),
    "Short answers": (
        *(
            Figure(
                f"{words}: the answer stated (held out)", "Short answers", name, "extract, held out", "contain_accuracy"
            )
            for words, name in (
                ("2WikiMultihopQA", "2wiki_train500"),
                ("HotpotQA", "hotpotqa_v1train_100"),
                ("MuSiQue", "musique_v1train_100"),
            )
        ),
    ),
    "Structure": (
        Figure(
            "Eurocodes: references that lead to the right place",
            "References",
            "eurocode",
            "default",
            "resolved_precision",
        ),
        Figure("Eurocodes: references that are resolved", "References", "eurocode", "default", "resolved_rate"),
        Figure("Eurocodes: sections, F1", "Sections and anchors", "eurocode", "default", "f1"),
        Figure("CaRB: triplets, F1", "Triplets and names", "carb_dev", "default", "f1"),
    ),
    "Time and memory, on two cores": (
        Figure("pages read a second (PDF, text)", "Speed", "speed", "default", "read_text_pages_per_second"),
        Figure(
            "reading against the code before struck and hidden text were read, times as long",
            "Reading against an earlier commit",
            "pace",
            "default",
            "pace_times",
        ),
        Figure("most memory to read 28 PDFs, MB", "Reading against an earlier commit", "pace", "default", "pace_mb"),
        Figure("the same of that code", "Reading against an earlier commit", "pace", "default", "pace_mb_earlier"),
        Figure("a question at 13,489 chunks, ms, median", "Speed", "speed", "default", "ask_ms_p50"),
        Figure("the same without the reranker", "Speed", "speed", "default", "ask_ms_p50_without_reranker"),
        Figure("a question from a cold start, seconds", "Speed", "speed", "default", "cold_ask_seconds"),
        Figure("answers a second of the service", "The service", "serve", "default", "served_per_second"),
        Figure(
            "the same without the reranker", "The service", "serve", "default", "served_per_second_without_reranker"
        ),
    ),
    "Robustness": (
        Figure(
            "random histories of a folder that end in the same store, of 1,000",
            "Promises",
            "promises",
            "default",
            "histories_equal",
        ),
        Figure(
            "wrong answers in an hour of everything at once",
            "An hour of everything at once",
            "soak",
            "default",
            "soak_wrong",
        ),
        Figure("wrong answers from 500 damaged stores", "Faults", "faults", "default", "damages_wrong"),
        *(
            Figure(words, "Faults", "faults", "default", column)
            for words, column in (
                ("stores harmed by 150 kills", "kills_harmful"),
                ("stores harmed by 50 kills aimed at publishing", "kills_aimed_harmful"),
                ("runs broken by 300 mutants of each format", "mutants_bad_runs"),
                ("documents lost among the mutants", "mutants_lost"),
                ("uploads lost, of 300", "uploads_lost"),
            )
        ),
        Figure(
            "requests that closed documents change the answer of",
            GUARDS,
            "guards",
            "default",
            "closed_requests_differing",
        ),
        *(
            Figure(words, GUARDS, "guards", "default", column)
            for words, column in (
                ("commands that closed documents change the output of", "closed_commands_differing"),
                ("listing documents with the service's guards, times as long as without", "guarded_documents_times"),
                ("a question with them, times as long as without", "guarded_question_times"),
            )
        ),
        Figure(
            "slowest answer under 1,100 half requests, seconds",
            GUARDS,
            "guards",
            "default",
            "half_heads_slowest_seconds",
        ),
        Figure(
            "reproduced attacks that are held off, of 9", "Reproduced attacks", "attacks", "default", "attacks_held"
        ),
    ),
}


def summary(page: str) -> str:
    """The one screen, of this page of measurements; what was not measured has no row."""
    tables = dict(_tables(page))
    lines = [HEAD]
    for title, figures in GROUPS.items():
        rows = [
            f"| {one.words} | {cell} | {_cell(tables, one._replace(column='commit'))} |"
            for one in figures
            if (cell := _cell(tables, one))
        ]
        lines += [f"## {title}", "", "| What | Figure | Commit |", "| --- | --- | --- |", *rows, ""] if rows else []
    return "\n".join(lines).rstrip() + "\n"


def _tables(page: str) -> Iterator[tuple[str, list[list[str]]]]:
    for part in page.split("\n## ")[1:]:
        rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in part.splitlines() if line[:1] == "|"]
        yield part.splitlines()[0], rows


def _cell(tables: Mapping[str, list[list[str]]], figure: Figure) -> str:
    """The mean without its interval; empty where there is none."""
    head, *rows = tables.get(figure.section) or [[]]
    found = next((row for row in rows if row[:2] == [figure.set, figure.row]), None)
    if found is None or figure.column not in head:
        return ""
    return found[head.index(figure.column)].partition(" ")[0]


def main(page: Path, target: Path) -> int:
    """Write it."""
    target.write_text(summary(page.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])))
