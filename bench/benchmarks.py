"""docs/measurements.md, written from the JSON files that the evaluation commands left in a folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import ge
from pathlib import Path
from typing import Any

from pincite.evaluate.report import HELD_OUT, format_value

Report = Mapping[str, Any]
Results = Mapping[str, Mapping[str, float]]

RANKING_COLUMNS = (
    *("ndcg@10", "recall@2", "recall@5", "recall@10", "map@10", "mrr@10"),
    *("all_gold@2", "all_gold@5", "all_gold@10", "answer_in_evidence@5"),
)
COST_COLUMNS = ("query_ms_p50", "query_ms_p95", "query_ms_p99", "index_seconds", "bytes")
SPEED_COLUMNS = (
    *("bare_pdfium_pages_per_second", "read_text_pages_per_second", "read_tables_pages_per_second", "read_pages"),
    *("index_seconds", "embed_seconds", "index_share_of_bare", "structure_share_of_index", "chunks"),
    *("open_seconds", "cold_ask_seconds", "help_seconds", "ask_ms_p50", "ask_ms_p50_without_reranker"),
    "asked_chunks",
)
PAGE_COLUMNS = (
    *("page_hit@1", "page_hit@5", "page_hit@10", "cited_page", "cited_page_precision", "cited_pages_mean"),
    *("right_file", "facts", "must_not", "refused", "refused_answerable", "quote_validity", "quote_validity_ocr"),
    *("quote_share", "quote_chars", "statements_mean", "answer_words_p50", "summary_chars_p50", "summary_chars_p90"),
)
REFERENCE_COLUMNS = ("precision", "recall", "f1", "resolved_precision", "resolved_rate", "right")
SECTION_COLUMNS = (
    *("f1", "precision", "recall", "page_exact", "level_exact"),
    *("anchor_f1", "anchor_precision", "anchor_recall", "anchor_page_exact"),
)
TRIPLET_COLUMNS = ("precision", "recall", "f1", "auc", "span_f1", "typed_f1")
GRAPH_SIZES = (1_000, 10_000, 100_000)
GRAPH_COLUMNS = (
    *(f"graph_{size}_chunks_per_second" for size in GRAPH_SIZES),
    *("graph_query_ms_p50_13000", "graph_query_ms_p50_100000"),
)
MEMORY_COLUMNS = (*(f"memory_{pages}_pages_mb" for pages in (500, 1000, 2000)), "memory_2000_documents_mb")
PROMISE_COLUMNS = ("histories_equal", "fuzzed_paragraphs", "fuzzed_broken", "odd_files", "odd_files_as_expected")
ASKER_COLUMNS = (
    *("answers_per_second_1", "answers_per_second_8", "askers_gain", "askers_generations", "askers_wrong"),
)
_LOAD = (
    *("yardstick_ms", "engine_per_second", "served_per_second", "gain"),
    *("served_ms_p50", "served_ms_p99", "served_told_busy", "served_failed"),
    *("overload_told_busy", "overload_failed", "overload_slowest_seconds"),
)
SERVE_COLUMNS = (
    *(f"{name}_without_reranker" for name in _LOAD),
    *_LOAD,
    *("yardstick_ms_cached", "cached_served_ms_p50", "cached_served_ms_p99", "http_adds_ms_cached", "http_adds_ms_new"),
    *("picture_ms_p50", "picture_ms_p90", "picture_cached_ms_p50"),
    *("page_opened_ms_p50", "page_opened_ms_slowest", "documents_opened_ms_p50", "documents_opened_ms_slowest"),
)
SOAK_COLUMNS = (
    *("soak_answers", "soak_pictures", "soak_documents", "soak_kills", "soak_told_busy", "soak_wrong"),
    *("soak_memory_mb", "soak_memory_mb_more", "soak_answering_mb", "soak_answering_mb_more"),
    *("soak_files", "soak_files_more", "soak_generations", "soak_generations_more"),
)
SOAK_MORE = {"memory_mb": 50, "answering_mb": 50, "files": 20, "generations": 3}
"""What may be held more after an hour than after a quarter of it: caches, a generation that is being read. By eye."""
HARM = (
    *("damages_wrong", "damages_broken", "kills_harmful", "kills_aimed_harmful"),
    *("mutants_bad_runs", "mutants_lost", "uploads_broken", "uploads_lost"),
)
FAULT_COLUMNS = (
    *("damages", "damages_right", "damages_told", "kills", "kills_aimed"),
    *("mutants_indexed", "mutants_refused", "uploads_taken", *HARM),
)
GUARD_COLUMNS = (
    *("closed_requests", "closed_requests_differing", "closed_commands", "closed_commands_differing"),
    *("half_heads", "half_heads_ms_p50", "half_heads_slowest_seconds", "half_heads_failed"),
    *("guarded_documents_times", "guarded_question_times"),
)
ATTACK_COLUMNS = ("attacks", "attacks_held")
CASE_COLUMNS = ("cases_right", "cases_asked")
PACE_COLUMNS = ("pace_seconds", "pace_seconds_earlier", "pace_times", "pace_mb", "pace_mb_earlier")
STRANGE_MANUALS = (
    *("manuals as PDF", "manuals as HTML"),
    *("aspell-doc", "bind9-doc", "git-doc", "ntpsec-doc", "shorewall-doc"),
)
STRANGE_FOLDERS = (*STRANGE_MANUALS, "office files")
LANGUAGE_COLUMNS = (
    *("page_in_prompt", "cited_page", "cited_of_shown"),
    *("facts_in_prompt", "facts", "facts_of_shown"),
)
GEMMA_COLUMNS = (
    *("answered_by_the_model", "statements_of_the_model", "sentences_fallen", "cited_page", "cited_page_precision"),
    *("facts", "refused", "refused_answerable", "quote_validity", "must_not"),
)
OVERHEAD_COLUMNS = (
    *("generate_ms_p50", "generate_overhead_ms_p50", "generate_overhead_ms_p90", "answered_by_the_model"),
    *("generate_chunks", "rerank_ms", "bare_pairs_ms", "bare_batches_ms", "rerank_over_bare"),
)
STRANGE_COLUMNS = (
    *("documents", "not_indexed", "printed_pages", "references_within", "resolved_within"),
    *("ms_a_page", "times_the_known"),
)
ANSWER_COLUMNS = (
    *("contain_accuracy", "contain_accuracy@first", "yes_no", "quote_validity", "answer_chars", "abstained"),
)
ANSWERED = {"2wiki_train500": 0.68, "hotpotqa_v1train_100": 0.70, "musique_v1train_100": 0.36}
MULTIHOP = {"2wiki_train500": (0.975, 0.93), "musique_v1train_100": (0.84, 0.67), "hotpotqa_v1train_100": (0.97, 0.95)}
PARAPHRASED = {"page_hit@5": 0.75, "cited_page": 0.65, "facts": 0.50, "cited_page_precision": 0.40, "refused": 0.75}
DEFAULT_HELD_OUT, EXTRACT_HELD_OUT = f"default{HELD_OUT}", f"extract{HELD_OUT}"
OWN_QUESTIONS = {"cited_page": 0.90, "facts": 0.75, "refused": 0.80}
NAMES = {
    "keyword": "keyword (plain BM25)",
    "vector": "vector (plain dense)",
    "hybrid": "hybrid",
    "default": "default",
}
COMMANDS = (
    "eval retrieval",
    "eval pages",
    "eval references",
    "eval sections",
    "eval triplets",
    "eval answers",
    "bench speed",
    "bench graph",
    "bench memory",
    "bench promises",
    "bench askers",
    "bench serve",
    "bench soak",
    "bench faults",
    "bench guards",
    "bench attacks",
    "bench cases",
    "bench pace",
    "bench strangers",
    "bench language",
    "bench overhead",
    "bench gemma",
)
HEAD = """\
# Measurements

Written by `make bench` from the JSON files of the evaluation commands, never by hand; `BENCHMARKS.md` repeats the
figures that matter most. Means have their 95 % bootstrap interval. `keyword` is plain BM25 and `vector` plain dense
search, of the same run on the same chunks. What pincite learned was trained on the even rows of these sets (first byte
of the SHA-256 of a row's id). Rows named "held out" are over the odd rows only, and the targets are judged by these.
A whole run takes many hours, so each figure names the commit that was measured; answers at ad1ffa3 were given before
pincite had a reader of its own (decision [0515](decisions/0515-answers-are-read.md)).
"""


@dataclass(frozen=True, slots=True)
class Target:
    """A figure that an issue names: in which set, in words, what is measured, and whether that is enough."""

    set: str
    words: str
    measured: Callable[[Results], float]
    reached: Callable[[Results], bool]


def above_both(set_name: str, metric: str) -> Target:
    """The hybrid's figure is above both plain searches of the same run."""
    return Target(
        set_name,
        f"{metric}: hybrid above keyword and vector",
        lambda results: results["hybrid"][metric],
        lambda results: results["hybrid"][metric] > max(results["keyword"][metric], results["vector"][metric]),
    )


def all_quotes_valid(set_name: str) -> Target:
    """Every quote is found on its cited page."""
    return Target(
        set_name,
        "quote_validity: 1.0000",
        lambda results: results["extract"]["quote_validity"],
        lambda results: results["extract"]["quote_validity"] == 1.0,
    )


def at_least(set_name: str, key: str, metric: str, least: float) -> Target:
    """A mean of this set reaches a value."""
    return Target(
        set_name,
        f"{metric}: at least {least}",
        lambda results: results[key][metric],
        lambda results: results[key][metric] >= least,
    )


def nothing_lost(key: str, metric: str, shown: str) -> Target:
    """Of what a perfect language model was shown all but 3 points is said."""
    return Target(
        "language",
        f"{key}: {metric} at most 0.03 below {shown}",
        lambda results: results[key][metric],
        lambda results: results[key][metric] >= results[key][shown] - 0.03,
    )


def for_stranger(folder: str, metric: str, words: str, reached: Callable[[float], bool]) -> Target:
    """A figure of one of the folders that nobody tuned on."""
    return Target(
        "strangers",
        f"{folder}: {metric} {words}",
        lambda results: results[folder][metric],
        lambda results: reached(results[folder][metric]),
    )


def no_worse_than_hybrid(set_name: str, metric: str) -> Target:
    """All channels together lose nothing against vectors and keywords alone."""
    return Target(
        set_name,
        f"{metric}: default no worse than hybrid",
        lambda results: results["default"][metric],
        lambda results: results["default"][metric] >= results["hybrid"][metric],
    )


def at_speed(metric: str, words: str, reached: Callable[[float], bool], measured_in: str = "speed") -> Target:
    """A figure of one of the scripts in `tools` that measure something else than answers."""
    return Target(
        measured_in,
        f"{metric}: {words}",
        lambda results: results["default"][metric],
        lambda results: reached(results["default"][metric]),
    )


TARGETS = (
    above_both("scifact_train", "ndcg@10"),
    above_both("obliqa_dev", "recall@10"),
    above_both("obliqa_dev", "map@10"),
    Target(
        "obliqa_dev",
        "query_ms_p50: hybrid under 25",
        lambda results: results["hybrid"]["query_ms_p50"],
        lambda results: results["hybrid"]["query_ms_p50"] < 25,
    ),
    *(all_quotes_valid(f"{name} (sections)") for name in ("eurocode", "uk_approved", "us_gov", "financebench")),
    all_quotes_valid("financebench"),
    *(
        at_least(f"xref_{kind}_dev", DEFAULT_HELD_OUT, metric, least)
        for kind in ("baseline", "schema")
        for metric, least in (("all_gold@5", 0.75), ("all_gold@10", 0.86))
    ),
    at_least("obliqa_dev", DEFAULT_HELD_OUT, "recall@10", 0.84),
    at_least("obliqa_dev", DEFAULT_HELD_OUT, "map@10", 0.70),
    at_least("obliqa_multi_dev", DEFAULT_HELD_OUT, "recall@10", 0.68),
    at_least("obliqa_dev", "default", "precision", 0.92),
    at_least("obliqa_dev", "default", "recall", 0.92),
    *(
        at_least(folder, "default", metric, least)
        for folder in ("eurocode", "uk_approved")
        for metric, least in (
            ("resolved_precision", 0.95),
            ("resolved_rate", 0.90),
            ("f1", 0.95),
            ("page_exact", 0.97),
            ("anchor_f1", 0.9),
        )
    ),
    *(
        at_least(name, DEFAULT_HELD_OUT, metric, least)
        for name, leasts in MULTIHOP.items()
        for metric, least in zip(("recall@5", "all_gold@5"), leasts, strict=True)
    ),
    *(no_worse_than_hybrid(name, "ndcg@10") for name in ("scifact_train", "cranfield", "obliqa_dev")),
    at_least("carb_dev", "default", "f1", 0.45),
    *(at_least(name, EXTRACT_HELD_OUT, "contain_accuracy", least) for name, least in ANSWERED.items()),
    at_least("financebench", EXTRACT_HELD_OUT, "cited_page", 0.60),
    *(at_least("pdf/questions.jsonl", EXTRACT_HELD_OUT, metric, least) for metric, least in OWN_QUESTIONS.items()),
    *(
        at_least(f"pdf/questions_paraphrased_{folders}.jsonl", EXTRACT_HELD_OUT, metric, least)
        for folders in ("eurocode_uk", "us_filings")
        for metric, least in PARAPHRASED.items()
    ),
    *(at_least("pdf/examples.jsonl", "extract", metric, 1.0) for metric in ("cited_page", "facts")),
    *(
        at_speed(f"graph_{size}_chunks_per_second", "at least 1000", lambda figure: figure >= 1000, "graph")
        for size in GRAPH_SIZES
    ),
    at_speed("graph_query_ms_p50_13000", "under 10", lambda figure: figure < 10, "graph"),
    at_speed("graph_query_ms_p50_100000", "under 40", lambda figure: figure < 40, "graph"),
    at_speed("read_text_pages_per_second", "at least 200", lambda figure: figure >= 200),
    at_speed("read_tables_pages_per_second", "at least 40", lambda figure: figure >= 40),
    at_speed("index_share_of_bare", "at least 0.85", lambda figure: figure >= 0.85),
    at_speed("structure_share_of_index", "under 0.15", lambda figure: figure < 0.15),
    at_speed("open_seconds", "under 1", lambda figure: figure < 1),
    at_speed("cold_ask_seconds", "under 2", lambda figure: figure < 2),
    at_speed("help_seconds", "under 0.3", lambda figure: figure < 0.3),
    at_speed("ask_ms_p50", "under 500", lambda figure: figure < 500),
    at_speed("ask_ms_p50_without_reranker", "under 60", lambda figure: figure < 60),
    *(at_speed(metric, "under 1500", lambda figure: figure < 1500, "memory") for metric in MEMORY_COLUMNS),
    at_speed("histories_equal", "1000", lambda figure: figure >= 1000, "promises"),
    at_speed("fuzzed_broken", "0", lambda figure: figure == 0, "promises"),
    at_speed("odd_files_as_expected", "1.0000", lambda figure: figure == 1.0, "promises"),
    at_speed("askers_wrong", "0", lambda figure: figure == 0, "askers"),
    at_speed("askers_gain", "at least 1.6", lambda figure: figure >= 1.6, "askers"),
    at_speed("served_per_second_without_reranker", "at least 25", lambda figure: figure >= 25, "serve"),
    at_speed("served_ms_p99_without_reranker", "under 400", lambda figure: figure < 400, "serve"),
    *(
        at_speed(name, "at least 1.7", lambda figure: figure >= 1.7, "serve")
        for name in ("gain", "gain_without_reranker")
    ),
    *(
        at_speed(f"overload_slowest_seconds{name}", "under 2", lambda figure: figure < 2, "serve")
        for name in ("_without_reranker", "")
    ),
    *(
        at_speed(f"overload_failed{name}", "0", lambda figure: figure == 0, "serve")
        for name in ("_without_reranker", "")
    ),
    at_speed("cached_served_ms_p50", "under 5", lambda figure: figure < 5, "serve"),
    *(at_speed(f"http_adds_ms_{name}", "under 3", lambda figure: figure < 3, "serve") for name in ("cached", "new")),
    at_speed("picture_ms_p50", "under 150", lambda figure: figure < 150, "serve"),
    at_speed("picture_cached_ms_p50", "under 10", lambda figure: figure < 10, "serve"),
    *(
        at_speed(f"{name}_opened_ms_slowest", "under 1000", lambda figure: figure < 1000, "serve")
        for name in ("page", "documents")
    ),
    at_speed("soak_wrong", "0", lambda figure: figure == 0, "soak"),
    *(at_speed(f"soak_{name}_more", f"at most {most}", partial(ge, most), "soak") for name, most in SOAK_MORE.items()),
    *(at_speed(harm, "0", lambda figure: figure == 0, "faults") for harm in HARM),
    *(
        at_speed(name, "0", lambda figure: figure == 0, "guards")
        for name in ("closed_requests_differing", "closed_commands_differing", "half_heads_failed")
    ),
    at_speed("half_heads_slowest_seconds", "under 2", lambda figure: figure < 2, "guards"),
    *(
        at_speed(f"guarded_{name}_times", "at most 1.05", lambda figure: figure <= 1.05, "guards")
        for name in ("documents", "question")
    ),
    Target(
        "attacks",
        "attacks_held: all",
        lambda results: results["default"]["attacks_held"],
        lambda results: results["default"]["attacks_held"] == results["default"]["attacks"],
    ),
    at_speed("cases_right", "at least 150", lambda figure: figure >= 150, "cases"),
    at_speed("pace_times", "at most 1.1", lambda figure: figure <= 1.1, "pace"),
    *(
        nothing_lost(f"{name}{HELD_OUT}", *metrics)
        for name in ("eurocode_uk", "us_filings")
        for metrics in (("cited_page", "page_in_prompt"), ("facts", "facts_in_prompt"))
    ),
    at_speed("generate_overhead_ms_p50", "under 80", lambda figure: figure < 80, "overhead"),
    at_speed("rerank_over_bare", "at most 1.1", lambda figure: figure <= 1.1, "overhead"),
    *(at_least("gemma", name, "quote_validity", 1.0) for name in ("eurocode_uk", "us_filings")),
    *(for_stranger(name, "resolved_within", "at least 0.9", lambda share: share >= 0.9) for name in STRANGE_MANUALS),
    *(for_stranger(name, "times_the_known", "at most 1.5", lambda times: times <= 1.5) for name in STRANGE_FOLDERS),
)


def write_benchmarks(folder: Path, target: Path) -> None:
    """Write the page from all `*.json` files of the folder; what was not measured has no row."""
    reports = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]
    by_command = {command: [report for report in reports if report["command"] == command] for command in COMMANDS}
    parts = [
        HEAD,
        *_targets(reports),
        *_section("Retrieval", by_command["eval retrieval"], RANKING_COLUMNS),
        *_section("Time and space", by_command["eval retrieval"], COST_COLUMNS),
        *_section("Answers and their pages", by_command["eval pages"], PAGE_COLUMNS),
        *_section("References", by_command["eval references"], REFERENCE_COLUMNS),
        *_section("Sections and anchors", by_command["eval sections"], SECTION_COLUMNS),
        *_section("Triplets and names", by_command["eval triplets"], TRIPLET_COLUMNS),
        *_section("Short answers", by_command["eval answers"], ANSWER_COLUMNS),
        *_section("Graph", by_command["bench graph"], GRAPH_COLUMNS),
        *_section("Speed", by_command["bench speed"], SPEED_COLUMNS),
        *_section("Memory", by_command["bench memory"], MEMORY_COLUMNS),
        *_section("Promises", by_command["bench promises"], PROMISE_COLUMNS),
        *_section("Many askers at once", by_command["bench askers"], ASKER_COLUMNS),
        *_section("The service", by_command["bench serve"], SERVE_COLUMNS),
        *_section("An hour of everything at once", by_command["bench soak"], SOAK_COLUMNS),
        *_section("Faults", by_command["bench faults"], FAULT_COLUMNS),
        *_section("Closed documents and half-open requests", by_command["bench guards"], GUARD_COLUMNS),
        *_section("Reproduced attacks", by_command["bench attacks"], ATTACK_COLUMNS),
        *_section("Public complaints", by_command["bench cases"], CASE_COLUMNS),
        *_section("Reading against an earlier commit", by_command["bench pace"], PACE_COLUMNS),
        *_section("Mode generate with a perfect language model", by_command["bench language"], LANGUAGE_COLUMNS),
        *_section("Mode generate with Gemma 3 270M, base", by_command["bench gemma"], GEMMA_COLUMNS),
        *_section("What pincite adds to its models", by_command["bench overhead"], OVERHEAD_COLUMNS),
        *_section("Strange folders", by_command["bench strangers"], STRANGE_COLUMNS),
        *_circumstances(reports),
    ]
    target.write_text("\n".join(parts) + "\n", encoding="utf-8")


def _targets(reports: Sequence[Report]) -> Iterator[str]:
    rows = [
        [
            report["set"],
            target.words,
            format_value(target.measured(results)),
            "yes" if target.reached(results) else "no",
        ]
        for target in TARGETS
        for report in reports
        for results in [report["results"]]
        if report["set"] == target.set and _is_complete(target, results)
    ]
    if rows:
        yield from ("## Targets", "", *_table(["set", "target", "measured", "reached"], rows), "")


def _is_complete(target: Target, results: Results) -> bool:
    try:
        target.reached(results)
    except KeyError:
        return False
    return True


def _section(title: str, reports: Sequence[Report], columns: Sequence[str]) -> Iterator[str]:
    """One row a set and KEY; columns that no row fills are left out."""
    found = {metric for report in reports for figures in report["results"].values() for metric in figures}
    shown = [column for column in columns if column in found]
    rows = [
        [report["set"], NAMES.get(key, key), *(_cell(report, key, metric) for metric in shown), report["commit"]]
        for report in reports
        for key in report["results"]
    ]
    if rows:
        yield from (f"## {title}", "", *_table(["set", "", *shown, "commit"], rows), "")


def _cell(report: Report, key: str, metric: str) -> str:
    value = report["results"][key].get(metric)
    if value is None:
        return "-"
    bounds = report["intervals"].get(key, {}).get(metric)
    return format_value(value) + (f" [{format_value(bounds[0])}, {format_value(bounds[1])}]" if bounds else "")


def _circumstances(reports: Sequence[Report]) -> Iterator[str]:
    rows = [
        [
            report["set"],
            ", ".join(f"{count} {name}" for name, count in report["counts"].items()),
            ", ".join(f"{name} {value}" for name, value in report["machine"].items()),
            ", ".join(f"{name} {value}" for name, value in report["versions"].items()),
        ]
        for report in reports
    ]
    if rows:
        yield from ("## What was measured, and on what", "", *_table(["set", "sizes", "machine", "versions"], rows))


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)]
