"""1. Each name of the specs is exported, with buckets in which questions differ. 2. What is exported adds up, and tells
nothing of who asked what. 3. It is what a real engine tells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample
from tests.support.documents import document, source
from tests.support.engines import hashing_engine

from pincite.errors import PinciteError
from pincite.records.questions import RetrievalPolicy
from pincite.serve.traffic import HITS, MILLISECONDS, TIMES, PrometheusTelemetry
from pincite.telemetry import cost
from pincite_testing.telemetry_contract import COST, FAILURE

NAMES_OF_THE_SPECS = (
    # spec/llm_retrieval.md 10
    *("retrieval_time_ms", "faiss_hits", "arangosearch_time_ms", "gear_time_ms", "reranker_time_ms", "llm_time_ms"),
    "tokens_used",
    # spec/llm_retrieval.md 12, where a name of the log has no unit
    *("faiss_time_ms", "merged"),
    # spec/llmless_retrieval.md 14
    *("retrieval_latency_ms", "arangosearch_hits", "graph_hits", "merge_time_ms", "cache_hit_rate"),
)
WHOLE = replace(
    COST,
    times_ms=dict.fromkeys(sorted(set(TIMES) - {"retrieval_latency_ms"}), 12.5),
    hits=dict.fromkeys(sorted(set(HITS) - {"merged"}), 7),
)


def samples(telemetry: PrometheusTelemetry) -> Iterator[Sample]:
    for family in text_string_to_metric_families(telemetry.exposition().decode("utf-8")):
        yield from family.samples


def value(telemetry: PrometheusTelemetry, name: str, **labels: str) -> float:
    """The value of the one sample of this name that has these labels."""
    (found,) = [s.value for s in samples(telemetry) if s.name == name and labels.items() <= s.labels.items()]
    return found


@pytest.fixture
def telemetry() -> PrometheusTelemetry:
    return PrometheusTelemetry()


@pytest.mark.parametrize("name", NAMES_OF_THE_SPECS)
def test_each_name_of_the_specs_is_exported(telemetry: PrometheusTelemetry, name: str) -> None:
    telemetry.answered(WHOLE)
    told = {sample.name for sample in samples(telemetry)}
    assert told & {name, f"{name}_count"}
    assert f"# HELP {name} " in telemetry.exposition().decode("utf-8")


def test_all_that_a_question_is_told_to_cost_is_exported() -> None:
    assert set(TIMES) == {*cost.TIMES.values(), "retrieval_time_ms", "retrieval_latency_ms", "llm_time_ms"}
    assert set(HITS) == {*cost.HITS.values(), "merged"}


@pytest.mark.parametrize("seconds", [0.004, 0.03, 0.2, 0.7, 2, 20, 100])
def test_questions_that_are_twice_as_slow_fall_into_other_buckets(seconds: float) -> None:
    """From the cache (under 5 ms) to a language model that is waited for."""
    slow = [sum(bucket < factor * 1000 * seconds for bucket in MILLISECONDS) for factor in (1, 2.6)]
    assert 0 < slow[0] < slow[1]


def test_times_hits_and_tokens_add_up(telemetry: PrometheusTelemetry) -> None:
    telemetry.answered(WHOLE)
    telemetry.answered(replace(WHOLE, times_ms={"retrieval_time_ms": 30.0}, tokens_used=158))
    assert value(telemetry, "retrieval_time_ms_sum", mode="agentic") == 42.5
    assert value(telemetry, "retrieval_latency_ms_sum") == 42.5
    assert value(telemetry, "faiss_time_ms_count") == 1
    assert value(telemetry, "retrieval_time_ms_bucket", le="25.0") == 1
    assert value(telemetry, "retrieval_time_ms_bucket", le="+Inf") == 2
    assert value(telemetry, "graph_hits_sum") == 14
    assert value(telemetry, "tokens_used_sum") == 1000


def test_questions_are_counted_by_mode_and_by_what_became_of_them(telemetry: PrometheusTelemetry) -> None:
    telemetry.answered(COST)
    telemetry.answered(replace(COST, mode="extract", refused=True, degraded=True))
    telemetry.failed(FAILURE)
    assert value(telemetry, "questions_total", mode="agentic", outcome="answered") == 1
    assert value(telemetry, "questions_total", mode="extract", outcome="refused") == 1
    assert value(telemetry, "questions_total", mode="extract", outcome="failed") == 1
    assert value(telemetry, "questions_degraded_total", mode="extract") == 1


def test_a_service_that_is_left_alone_is_told_until_it_is_asked_again() -> None:
    now = 100.0
    telemetry = PrometheusTelemetry(lambda: now)
    assert value(telemetry, "breaker_open", service="language_model") == 0
    assert value(telemetry, "breaker_opened_total", service="language_model") == 0
    telemetry.rests("language_model", 30)
    now += 10
    telemetry.rests("language_model", 30)
    now += 29
    assert value(telemetry, "breaker_open", service="language_model") == 1
    now += 2
    assert value(telemetry, "breaker_open", service="language_model") == 0
    assert value(telemetry, "breaker_opened_total", service="language_model") == 2


def test_words_of_a_question_and_ids_are_not_exported(telemetry: PrometheusTelemetry) -> None:
    telemetry.answered(COST)
    telemetry.failed(FAILURE)
    told = telemetry.exposition().decode("utf-8")
    assert [word for word in ("foundation", COST.trace_id, *COST.used_chunks) if word in told] == []


def test_a_real_engine_tells_it(tmp_path: Path, telemetry: PrometheusTelemetry) -> None:
    with hashing_engine(tmp_path / "store", telemetry=telemetry) as engine:
        engine.index_documents([(source("snow.pdf"), document("Snow lies on the roof of the station."))])
        for _ in range(4):
            engine.ask("Where does snow lie?")
        with pytest.raises(PinciteError):
            engine.ask(
                "Where does snow lie?", mode="extract", receipt=False, policy=RetrievalPolicy(profile="none such")
            )
    assert value(telemetry, "cache_hit_rate") == 0.75
    assert value(telemetry, "cache_time_ms_count") == 3
    assert value(telemetry, "merge_time_ms_count") == 1
    assert value(telemetry, "questions_total", outcome="answered") == 4
    assert value(telemetry, "questions_total", outcome="failed") == 1
