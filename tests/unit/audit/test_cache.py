"""An answer that was given lately is given again; never an old one, never another asker's, never a stale one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.documents import document, source
from tests.support.engines import hashing_engine

from pincite.engine.engine import Engine
from pincite.errors import SettingsError
from pincite.records.answers import Answer
from pincite.records.questions import Filter, RetrievalPolicy
from pincite.settings import Settings, load_settings
from pincite.store import answer_cache
from pincite.store.answer_cache import AnswerCache
from pincite.wiring import open_engine

QUESTION = "Where does snow lie?"


def put(engine: Engine, texts: dict[str, str], acl: tuple[str, ...] = ()) -> None:
    engine.index_documents([(source(name, acl=acl), document(text, title=name)) for name, text in texts.items()])


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with hashing_engine(tmp_path) as made:
        put(made, {"a.pdf": "Snow lies on the roof.", "b.pdf": "Wind acts on the wall."})
        yield made


def is_cached(answer: Answer) -> bool:
    return set(answer.trace.timings_ms) == {"cache"}


def test_the_same_question_is_answered_again_without_searching(engine: Engine) -> None:
    first, again = engine.ask(QUESTION), engine.ask(f"  {QUESTION.replace(' ', '  ')}")
    assert (is_cached(first), is_cached(again)) == (False, True)
    plain = [answer.to_dict(stable=True) | {"query": ""} for answer in (first, again)]
    assert plain[0] == plain[1]
    assert again.query == f"  {QUESTION.replace(' ', '  ')}"
    assert again.trace_id != first.trace_id
    assert engine.cache_counts() == {"hits": 1, "misses": 1}


def test_a_cached_answer_has_a_receipt_that_says_so(engine: Engine) -> None:
    kept = [engine.session().audit.receipt(engine.ask(QUESTION).trace_id).used for _ in range(2)]
    assert [plain and plain["cached"] for plain in kept] == [False, True]
    assert engine.check_chain().problems == ()
    assert all(engine.session().audit.replay(run.run_id).same for run in engine.session().audit.runs())


def test_what_is_kept_is_given_again_to_who_wants_nothing_made(engine: Engine) -> None:
    asker = engine.session((), "Ada")
    assert asker.again(QUESTION) is None
    assert engine.session().audit.runs() == []
    given = engine.ask(QUESTION)
    again = asker.again(QUESTION)
    assert again is not None
    assert is_cached(again)
    assert again.to_dict(stable=True) == given.to_dict(stable=True)
    assert [(run.run_id, run.who) for run in engine.session().audit.runs()] == [
        (again.trace_id, "Ada"),
        (given.trace_id, ""),
    ]
    assert engine.session(("board",)).again(QUESTION) is None
    assert asker.again(QUESTION, filter=Filter(sources=("b.pdf",))) is None
    put(engine, {"a.pdf": "Snow lies on the ground."})
    assert asker.again(QUESTION) is None


def test_an_answer_that_is_given_again_is_stored_once_and_shown_under_its_own_id(engine: Engine) -> None:
    first, again = engine.ask(QUESTION), engine.ask(QUESTION)
    runs = {run.run_id: run for run in engine.session().audit.runs()}
    artifacts = [runs[answer.trace_id].artifacts["answer"] for answer in (first, again)]
    assert artifacts[0] == artifacts[1]
    for given in (first, again):
        shown = engine.session().audit.restored(engine.session().audit.receipt(given.trace_id))
        assert shown is not None
        assert (shown.trace_id, shown.timestamp, shown.summary) == (given.trace_id, given.timestamp, given.summary)


def test_what_leaves_no_receipt_is_made_anew(engine: Engine) -> None:
    engine.ask(QUESTION)
    assert not is_cached(engine.ask(QUESTION, receipt=False))
    assert engine.cache_counts() == {"hits": 0, "misses": 1}


def test_a_new_generation_never_serves_an_old_answer(engine: Engine) -> None:
    engine.ask(QUESTION)
    put(engine, {"a.pdf": "Snow lies on the ground."})
    answer = engine.ask(QUESTION)
    assert not is_cached(answer)
    assert "ground" in answer.summary


@pytest.mark.parametrize(
    "changed",
    [
        {"policy": RetrievalPolicy(top_k=1)},
        {"policy": RetrievalPolicy(profile="llmless")},
        {"filter": Filter(sources=("a.pdf",))},
        {"filter": Filter(principals=("board",))},
    ],
)
def test_another_policy_filter_or_asker_is_another_question(engine: Engine, changed: dict[str, object]) -> None:
    engine.ask(QUESTION)
    assert not is_cached(engine.ask(QUESTION, **changed))  # type: ignore[arg-type]


def test_an_answer_of_another_code_is_not_taken_from_the_cache(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    engine.ask(QUESTION)
    monkeypatch.setattr("pincite.audit.compare.code_digest", lambda: "0" * 64)
    assert not is_cached(engine.ask(QUESTION))
    assert is_cached(engine.ask(QUESTION))


def test_an_answer_of_another_mode_is_not_taken_from_the_cache(engine: Engine) -> None:
    engine.ask(QUESTION)
    assert not is_cached(engine.ask(QUESTION, mode="follow"))
    assert is_cached(engine.ask(QUESTION, mode="follow"))


def test_an_asker_never_sees_what_was_answered_to_another(tmp_path: Path) -> None:
    with hashing_engine(tmp_path) as engine:
        put(engine, {"a.pdf": "Snow lies on the roof."}, acl=("board",))
        put(engine, {"b.pdf": "Wind acts on the wall."})
        allowed = engine.ask(QUESTION, filter=Filter(principals=("board",)))
        assert "roof" in allowed.summary
        (given,) = (
            state.source for state in engine.session(["board"]).documents.sources() if state.source.source_id == "a.pdf"
        )
        engine._parts.record.update_source(replace(given, acl=("council",)))
        for principals in ((), ("board",)):
            answer = engine.ask(QUESTION, filter=Filter(principals=principals))
            assert not is_cached(answer)
            assert "roof" not in answer.summary


def test_no_minutes_mean_no_cache(tmp_path: Path) -> None:
    with open_engine(Settings(embedder="none", cache_minutes=0), tmp_path, create=True) as engine:
        put(engine, {"a.pdf": "Snow lies on the roof."})
        assert not any(is_cached(engine.ask(QUESTION)) for _ in range(2))
        assert engine.cache_counts() == {}
    assert not (tmp_path / "cache.sqlite").exists()


# --- the file ----------------------------------------------------------------------------------------------


class Clock:
    """Seconds that pass when the test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_an_answer_is_kept_for_its_minutes_and_no_longer(tmp_path: Path) -> None:
    clock = Clock()
    cache = AnswerCache(tmp_path / "cache.sqlite", 5, clock)
    cache.keep("a", b"answer")
    clock.now += 299
    assert cache.find("a", bytes) == b"answer"
    clock.now += 1
    assert cache.find("a", bytes) is None
    assert cache.counts() == {"hits": 1, "misses": 1}
    cache.close()


def test_the_cache_keeps_the_latest_answers_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_cache, "MOST_ANSWERS", 3)
    clock = Clock()
    cache = AnswerCache(tmp_path / "cache.sqlite", 5, clock)
    for key in "abcde":
        clock.now += 1
        cache.keep(key, key.encode())
    assert [cache.find(key, bytes) for key in "abcde"] == [None, None, b"c", b"d", b"e"]
    cache.close()


def test_what_is_in_memory_is_not_restored_again_and_is_no_fresher(tmp_path: Path) -> None:
    clock, restored = Clock(), []

    def restore(content: bytes) -> str:
        restored.append(content)
        return content.decode()

    cache = AnswerCache(tmp_path / "cache.sqlite", 5, clock)
    cache.keep("a", b"answer")
    for _ in range(3):
        assert cache.find("a", restore) == "answer"
    assert len(restored) == 1
    clock.now += 300
    assert cache.find("a", restore) is None
    cache.keep("a", b"later")
    assert cache.find("a", restore) == "later"
    cache.clear()
    assert cache.find("a", restore) is None
    cache.close()


def test_memory_holds_few(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_cache, "MOST_IN_MEMORY", 2)
    restored: list[bytes] = []
    cache = AnswerCache(tmp_path / "cache.sqlite", 5, Clock())
    for key in "abc":
        cache.keep(key, key.encode())
    for key in "abcca":
        assert cache.find(key, lambda content: restored.append(content) or content.decode()) == key
    assert restored == [b"a", b"b", b"c", b"a"]
    cache.close()


def test_what_was_found_is_counted_across_processes(tmp_path: Path) -> None:
    for _ in range(2):
        cache = AnswerCache(tmp_path / "cache.sqlite", 5, Clock())
        cache.keep("a", b"answer")
        assert [cache.find("a", bytes) for _ in range(3)] == [b"answer"] * 3
        cache.close()
    cache = AnswerCache(tmp_path / "cache.sqlite", 5, Clock())
    assert cache.counts() == {"hits": 6, "misses": 2}
    cache.close()


def test_the_cache_outlives_its_process(tmp_path: Path) -> None:
    for content in (b"first", b"second"):
        cache = AnswerCache(tmp_path / "cache.sqlite", 5, Clock())
        cache.keep("key", content)
        cache.close()
    again = AnswerCache(tmp_path / "cache.sqlite", 5, Clock())
    assert again.find("key", bytes) == b"second"
    again.close()


@pytest.mark.parametrize("minutes", [-1, 1, 61])
def test_the_time_to_live_is_0_or_from_5_to_60_minutes(minutes: int) -> None:
    with pytest.raises(SettingsError, match="cache_minutes"):
        load_settings(environment={}, options={"cache_minutes": minutes})
    assert load_settings(environment={}, options={"cache_minutes": 0})[0].cache_minutes == 0
