"""1. Whoever asks while documents come, change and go is answered from one generation, as if nobody else were there.
2. What is closed says so, and never that it found nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.support.askers import (
    ASKERS,
    KEPT,
    QUESTIONS,
    answers_by_generation,
    ask_side_by_side,
    put,
    rounds,
    stable,
    step,
)
from tests.support.engines import hashing_engine, passing_folder

from pincite.build import pipeline
from pincite.deadline import Deadline
from pincite.engine import views
from pincite.engine.engine import Engine
from pincite.errors import ClosedError, StoreError
from pincite.ports import Vector
from pincite.records.questions import Filter
from pincite.threads import Lazy
from pincite_testing.hashing_embedder import HashingEmbedder
from pincite_testing.memory_reranker import MemoryReranker

ASKED = 15
QUESTION = "What acts on the wall as Roofs says?"


@pytest.mark.promise
def test_many_ask_one_engine_while_documents_come_change_and_go() -> None:
    done = Event()

    def write(engine: Engine) -> None:
        for changes in rounds():
            if done.is_set():
                break
            step(engine, changes)

    with passing_folder() as folder:
        expected = answers_by_generation(folder / "quiet")
        with hashing_engine(folder / "busy") as engine, ThreadPoolExecutor(1) as pool:
            put(engine, KEPT)
            writer = pool.submit(write, engine)
            try:
                told = ask_side_by_side(engine, ASKERS, expected, lambda asked: asked == ASKED)
            finally:
                done.set()
            writer.result()
            chain = engine.check_chain()
    assert told.wrong == ()
    assert told.answers == ASKERS * ASKED
    assert told.generations > 3
    assert chain.problems == ()


# --- what happens in the middle of a question --------------------------------------------------------------


class Interruption:
    """Does something else in the middle of the next question: when it is embedded, or when its windows are judged."""

    def __init__(self) -> None:
        self.when = ""
        self.meanwhile: Callable[[], object] | None = None

    def come(self, when: str) -> None:
        """A question is there; nothing happens where that is not when the interruption comes."""
        if when == self.when and self.meanwhile is not None:
            meanwhile, self.meanwhile = self.meanwhile, None
            meanwhile()


class InterruptedReranker(MemoryReranker):
    """Is interrupted when windows are judged."""

    def __init__(self, interruption: Interruption) -> None:
        self._interruption = interruption

    def scores(
        self, question: str, texts: Sequence[str], *, deadline: Deadline = Deadline.never()
    ) -> NDArray[np.float32]:
        self._interruption.come("judged")
        return super().scores(question, texts, deadline=deadline)


@pytest.fixture
def interruption() -> Interruption:
    return Interruption()


@pytest.fixture
def engine(tmp_path: Path, interruption: Interruption, monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    embed_query = HashingEmbedder.embed_query

    def interrupted(embedder: HashingEmbedder, text: str, *, deadline: Deadline) -> Vector:
        interruption.come("embedded")
        return embed_query(embedder, text, deadline=deadline)

    monkeypatch.setattr(HashingEmbedder, "embed_query", interrupted)
    with hashing_engine(tmp_path, reranker=InterruptedReranker(interruption)) as made:
        put(made, KEPT)
        yield made


def shut(engine: Engine) -> None:
    """Only the board may read frame.pdf from now on."""
    (frame,) = (state.source for state in engine.session().documents.sources() if state.source.source_id == "frame.pdf")
    engine._parts.record.update_source(replace(frame, acl=("board",)))


@pytest.mark.parametrize("when", ["embedded", "judged"])
@pytest.mark.parametrize(
    "meanwhile",
    [
        lambda engine: put(engine, {"frame.pdf": ("Frame", "Wind acts on nothing here.")}),
        lambda engine: engine.remove("frame.pdf"),
        lambda engine: engine.ask(QUESTION, filter=Filter(as_of="1")),
        shut,
        Engine.close,
    ],
    ids=["changed", "removed", "asked of the past", "shut", "closed"],
)
def test_what_happens_in_the_middle_of_a_question_does_not_touch_its_answer(
    engine: Engine, interruption: Interruption, when: str, meanwhile: Callable[[Engine], None]
) -> None:
    expected = stable(engine, QUESTION, receipt=False)
    assert "Wind acts on the wall" in expected["summary"]
    engine._views.let_go()
    interruption.when, interruption.meanwhile = when, lambda: meanwhile(engine)
    assert stable(engine, QUESTION, receipt=True) == expected
    assert interruption.meanwhile is None


def test_the_section_of_a_document_that_is_removed_in_the_middle_is_still_told(
    engine: Engine, interruption: Interruption
) -> None:
    asked = "What does section 2 say?"
    expected = stable(engine, asked, receipt=False)
    assert expected["statements"][0]["kind"] == "fact"
    engine._views.let_go()
    told = expected["statements"][0]["citations"][0]["source_id"]
    interruption.when, interruption.meanwhile = "embedded", lambda: engine.remove(told)
    assert stable(engine, asked, receipt=False) == expected
    assert stable(engine, asked, receipt=False) != expected


def test_an_answer_from_before_a_source_was_shut_is_given_to_nobody_who_asks_after_it(
    engine: Engine, interruption: Interruption
) -> None:
    interruption.when, interruption.meanwhile = "embedded", lambda: shut(engine)
    assert "Wind acts" in engine.ask(QUESTION).summary
    assert "Wind acts" not in engine.ask(QUESTION).summary
    assert "Wind acts" in engine.ask(QUESTION, filter=Filter(principals=("board",))).summary


def test_a_purge_waits_for_a_question_that_may_tell_of_the_source_and_leaves_no_receipt_that_does(
    engine: Engine, interruption: Interruption, tmp_path: Path
) -> None:
    begun, purged = Event(), Event()

    def wait() -> None:
        begun.set()
        assert not purged.wait(0.5)

    def purge() -> None:
        begun.wait(10)
        engine.remove("frame.pdf", purge=True)
        purged.set()

    interruption.when, interruption.meanwhile = "judged", wait
    with ThreadPoolExecutor(2) as pool:
        asked, removed = pool.submit(engine.ask, QUESTION), pool.submit(purge)
        run = asked.result().trace_id
        removed.result()
    kept = engine.session().audit.receipt(run).answer
    assert kept is None or "frame.pdf" not in str(kept)
    assert "Wind acts" not in engine.ask(QUESTION).summary
    engine.close()
    files = [path.read_bytes() for path in tmp_path.rglob("*.sqlite*")]
    assert not [1 for content in files if b"Wind acts" in content]


def test_a_question_whose_source_is_purged_in_the_middle_is_asked_again(
    engine: Engine, interruption: Interruption, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "SETTLED_SECONDS", 0)
    interruption.when, interruption.meanwhile = "embedded", lambda: engine.remove("frame.pdf", purge=True)
    answer = engine.ask(QUESTION)
    assert "Wind acts" not in answer.summary
    assert "frame.pdf" not in {item.chunk.source_id for item in answer.evidence}


def test_many_ask_of_the_same_past_at_once(engine: Engine) -> None:
    put(engine, {"frame.pdf": ("Frame", "Wind acts on nothing here.")})
    past = Filter(as_of="2")
    expected = engine.ask(QUESTION, filter=past, receipt=False).to_dict(stable=True)
    engine.collect()
    with ThreadPoolExecutor(ASKERS) as pool:
        asked = [pool.submit(engine.ask, QUESTION, filter=past) for _ in range(ASKERS)]
        assert [item.result().to_dict(stable=True) for item in asked] == [expected] * ASKERS


def test_what_is_stored_and_not_yet_published_changes_no_answer(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = [stable(engine, question, receipt=False) for question in QUESTIONS]

    def broken(*_: object, **__: object) -> str:
        raise StoreError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr(pipeline, "publish", broken)
        with pytest.raises(StoreError, match="no space left"):
            put(engine, {name: (title, f"{title} says: {text}") for name, (title, text) in KEPT.items()})
    assert [stable(engine, question, receipt=False) for question in QUESTIONS] == expected


# --- what is closed ----------------------------------------------------------------------------------------


def test_a_closed_store_says_so(engine: Engine) -> None:
    engine.ask(QUESTION)
    engine.close()
    with pytest.raises(ClosedError, match="was closed"):
        engine.ask(QUESTION)
    with pytest.raises(ClosedError, match="was closed"):
        engine.search(QUESTION)


# --- what is made once -------------------------------------------------------------------------------------


def test_what_several_threads_ask_for_at_once_is_made_once() -> None:
    made, begun = [], Event()

    def make() -> object:
        begun.wait(5)
        made.append(object())
        return made[-1]

    once = Lazy(make)
    with ThreadPoolExecutor(ASKERS) as pool:
        asked = [pool.submit(once) for _ in range(ASKERS)]
        begun.set()
        assert {id(item.result()) for item in asked} == {id(made[0])}
    assert len(made) == 1


def test_what_could_not_be_made_is_tried_again() -> None:
    tries = iter([StoreError("not yet"), "made"])

    def make() -> str:
        found = next(tries)
        if isinstance(found, StoreError):
            raise found
        return found

    once = Lazy(make)
    with pytest.raises(StoreError, match="not yet"):
        once()
    assert (once(), once(), once.taken(), once.taken()) == ("made", "made", "made", None)
