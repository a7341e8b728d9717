"""What is closed to an asker is as if the store did not hold it: through every door, in bytes, counts and scores.

Every public method of a session is called by nobody, by a stranger and by a member, in two stores that differ in a
closed document alone."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from tests.support.documents import document, source
from tests.support.engines import hashing_engine

from pincite.engine import Engine, Session
from pincite.errors import NotThereError, PinciteError, StoreError, UsageError
from pincite.records.answers import Answer
from pincite.records.citations import Citation
from pincite.records.evidence import Retrieval
from pincite.records.pages import Document, Span
from pincite.records.plain import to_plain
from pincite.records.questions import Filter, RetrievalPolicy
from pincite_testing.memory_reranker import MemoryReranker

OPEN, CLOSED, ABSENT = "open.md", "closed.md", "absent.md"
BOARD = ("board",)
STRANGERS = ((), ("staff",))
CANARIES = ("zebra", "walrus", "badger", "gopher")
NUMBER = re.compile(r"\d+\.\d+")
TIMES = re.compile(
    r"timings_ms|timestamp|trace_id|run_id|event_id|created_utc|digest|previous|sha256|artifacts|generation"
)


def closed_document(animals: tuple[str, str], title: str) -> Document:
    """A document of the board: the words in which two of them differ stand nowhere else."""
    first, second = animals
    return document(
        [
            ("heading", f"1 Business of {title}"),
            ("paragraph", f"The {first} bought {second.capitalize()} Works. See Table 4 of Roofs."),
        ],
        [
            ("heading", f"2 Salary of the {first}"),
            ("paragraph", f"It is paid by the {second}, as Roofs says in section 1."),
        ],
        title=f"Secrets of {title}",
    )


def open_document() -> Document:
    return document(
        [
            ("heading", "1 Snow"),
            ("paragraph", "Snow lies on the roof. The owner clears it, see section 2 of Secrets of the board."),
        ],
        [("heading", "2 Wind"), ("paragraph", "Wind acts on the wall. Ada Alder founded Alder Works. See section 1.")],
        title="Roofs",
    )


@dataclass(frozen=True)
class World:
    """A store with an open document and one of the board, each at a chunk of it, and a receipt of each asker."""

    engine: Engine
    open_chunk: str
    closed_chunk: str
    board_run: str
    open_run: str


def world_of(folder: Path, closed: Document) -> World:
    engine = hashing_engine(folder, reranker=MemoryReranker())
    told = "\n".join(page.text for page in closed.pages)
    engine.index_documents(
        [
            (source(OPEN, "1" * 64), open_document()),
            (source(CLOSED, sha256(told.encode()).hexdigest(), acl=BOARD), closed),
        ]
    )
    board = engine.as_(BOARD)
    for name in (OPEN, CLOSED):
        board.record_event("page seen", name, page=1)
    with board.incoming("put in.txt", len(told)) as coming:
        coming.write(told.encode())
        coming.keep()
    return World(
        engine,
        board.chunks_at(OPEN, 0, 10)[0].chunk_id,
        board.chunks_at(CLOSED, 0, 10)[0].chunk_id,
        board.ask("Who bought the works?").trace_id,
        engine.as_(()).ask("Where does snow lie?").trace_id,
    )


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[World, World]]:
    """Two stores that differ in the words of the closed document."""
    folder = tmp_path_factory.mktemp("worlds")
    first = world_of(folder / "a", closed_document(("zebra", "walrus"), "the board"))
    second = world_of(folder / "b", closed_document(("badger", "gopher"), "the board"))
    yield first, second
    first.engine.close()
    second.engine.close()


QUESTIONS = (
    "Where does snow lie?",
    "Who bought the works?",
    "What does section 2 say?",
    f"What stands in {CLOSED}?",
    "Who founded Alder Works?",
    "Which tables are there?",
)
Call = Callable[[Session, World], Any]
PROBE = "What does the zebra buy?"
"""Names a word that stands in the closed document of one store alone."""


def both(call: Callable[[Session, str], Any]) -> list[Call]:
    """The call for an open, a closed and an absent document."""
    return [lambda session, world, name=name: call(session, name) for name in (OPEN, CLOSED, ABSENT)]  # type: ignore[misc]


def around(call: Callable[[Session, str], Any]) -> list[Call]:
    """The call for a chunk of an open document, of a closed one, and for none."""
    return [
        lambda session, world: call(session, world.open_chunk),
        lambda session, world: call(session, world.closed_chunk),
        lambda session, world: call(session, "0" * 64),
    ]


def of_runs(call: Callable[[Session, str], Any]) -> list[Call]:
    """The call for a receipt that is open, for one of the board, and for none."""
    return [
        lambda session, world: call(session, world.open_run),
        lambda session, world: call(session, world.board_run),
        lambda session, world: call(session, "no such receipt"),
    ]


def cited(source_id: str) -> Citation:
    return Citation(source_id, source_id, 1, None, None, "0" * 64, Span(1, 0, 4), "Snow")


def restored(session: Session, world: World, run_id: str) -> object:
    return session.restored(world.engine.as_(BOARD).receipt(run_id))


DOORS: dict[str, list[Call]] = {
    "ask": [
        *(lambda session, world, asked=asked: session.ask(asked, receipt=False) for asked in QUESTIONS),  # type: ignore[misc]
        lambda session, world: session.ask(QUESTIONS[1], filter=Filter(principals=BOARD), receipt=False),
        lambda session, world: session.ask(QUESTIONS[1], filter=Filter(as_of="2"), receipt=False),
        lambda session, world: session.ask(QUESTIONS[1], filter=Filter(sources=(CLOSED,)), receipt=False),
        lambda session, world: session.ask(QUESTIONS[1], policy=RetrievalPolicy(profile="llm"), receipt=False),
    ],
    "again": [
        *(lambda session, world, asked=asked: session.again(asked) for asked in QUESTIONS[1:]),  # type: ignore[misc]
        lambda session, world: session.again(QUESTIONS[1], filter=Filter(principals=BOARD)),
    ],
    "search": [
        *(lambda session, world, asked=asked: session.search(asked, receipt=False) for asked in QUESTIONS),  # type: ignore[misc]
        lambda session, world: session.search(QUESTIONS[1], filter=Filter(principals=BOARD), receipt=False),
    ],
    "runs": [lambda session, world: session.runs(), lambda session, world: session.runs(1)],
    "uploads": [lambda session, world: session.uploads()],
    "ever_held": both(lambda session, name: session.ever_held(name)),
    "events": [lambda session, world: session.events(), lambda session, world: session.events(1)],
    "exported": [lambda session, world: list(session.exported())],
    "receipt": [*of_runs(lambda session, run: session.receipt(run)), lambda session, world: session.receipt("")],
    "restored": [
        lambda session, world: restored(session, world, world.open_run),
        lambda session, world: restored(session, world, world.board_run),
    ],
    "replay": [
        *of_runs(lambda session, run: session.replay(run)),
        *of_runs(lambda session, run: session.replay(run, from_hits=True)),
    ],
    "boxes": both(lambda session, name: session.boxes(cited(name))),
    "boxes_of": both(lambda session, name: session.boxes_of(name, [cited(name).span])),
    "most_named": [lambda session, world: session.most_named(5)],
    "file_of": both(lambda session, name: session.file_of(name)),
    "picture": both(lambda session, name: session.picture(name, 1)),
    "link": both(lambda session, name: session.link(name)),
    "original": both(lambda session, name: session.original(name)),
    "entity": [
        lambda session, world, name=name: session.entity(name)  # type: ignore[misc]
        for name in ("Alder Works", "Works", "salary", "Secrets", "Saffron")
    ],
    "sources": [lambda session, world: session.sources()],
    "source": both(lambda session, name: session.source(name)),
    "counts": [lambda session, world: session.counts()],
    "outline": both(lambda session, name: session.outline(name)),
    "is_paged": both(lambda session, name: session.is_paged(name)),
    "sections": both(lambda session, name: session.sections(name)),
    "section": [
        *both(lambda session, name: session.section(name, "2")),
        *both(lambda session, name: session.section(name, "1")),
    ],
    "section_in_works": [
        lambda session, world: session.section_in_works("2"),
        lambda session, world: session.section_in_works("1"),
        *both(lambda session, name: session.section_in_works("2", name)),
    ],
    "anchors": both(lambda session, name: session.anchors(name)),
    "references": both(lambda session, name: session.references(name)),
    "passage": [
        *around(lambda session, chunk: session.passage(OPEN, chunk)),
        *around(lambda session, chunk: session.passage(CLOSED, chunk)),
    ],
    "neighbours": around(lambda session, chunk: session.neighbours(chunk, 3)),
    "chunks_at": both(lambda session, name: session.chunks_at(name, 0, 10_000)),
    "resolve": around(lambda session, chunk: session.resolve("see section 2 of Secrets of the board, 3 and 1", chunk)),
    "triplets": both(lambda session, name: session.triplets(name)),
    "embeddings": both(lambda session, name: session.embeddings(name)),
    "pages": both(lambda session, name: session.pages(name)),
    "masked": both(lambda session, name: session.masked(name)),
    "section_titles": [lambda session, world: session.section_titles()],
    "copies": [lambda session, world: session.copies()],
}
OF_THE_STORE = {"generation", "revision", "overview", "completed", "record_event", "incoming"}
"""Say nothing of a document: a digest, a number and a time that change with every change of any; a question in the
words of those before it; whether an event could be stored; a document that is put in."""
OF_ITS_KEEPER = {
    "masked_otherwise",
    *("index_uploads", "waiting_uploads", "access", "set_access"),
    *("index", "index_documents", "plan", "remove", "verify", "collect", "forget", "backup", "close", "as_"),
    *("check_chain", "cache_counts", "left_by_purge"),
}
"""What an engine has beside a session: for those who look after the store, not for who asks it."""


ALIKE_FOR_MEMBERS = {"boxes", "boxes_of", "file_of", "picture", "copies", "anchors", "masked", "most_named"}
"""Tell members no more of this closed document, which has no file, no copy and no name that stands often."""


def public(kind: type) -> set[str]:
    return {name for name, _ in inspect.getmembers(kind, callable) if not name.startswith("_")}


def test_every_public_method_is_a_door_that_these_tests_try() -> None:
    assert public(Session) == set(DOORS) | OF_THE_STORE
    assert public(Engine) == set(DOORS) | OF_THE_STORE | OF_ITS_KEEPER


def told(call: Call, session: Session, world: World) -> Any:
    """What a door gives as plain values, without times and ids of its own; an error by its kind and words."""
    try:
        found = call(session, world)
    except PinciteError as error:
        return [type(error).__name__, str(error)]
    return _plain(found)


def _plain(found: Any) -> Any:
    if isinstance(found, Answer):
        found = [found.to_dict(stable=True, explain=True), to_plain(found.trace)]
    elif isinstance(found, Retrieval):
        parts = (found.query, found.evidence, found.beyond, found.trace, found.triplets)
        found = [to_plain(part) for part in parts]
    return _timeless(to_plain(found))


def _timeless(plain: Any) -> Any:
    if isinstance(plain, dict):
        return {name: _timeless(item) for name, item in plain.items() if not TIMES.search(name)}
    return [_timeless(item) for item in plain] if isinstance(plain, list) else plain


def cases() -> list[Any]:
    return [
        pytest.param(call, id=f"{name}-{number}") for name, calls in DOORS.items() for number, call in enumerate(calls)
    ]


@pytest.mark.promise
@pytest.mark.parametrize("call", cases())
@pytest.mark.parametrize("principals", STRANGERS, ids=["nobody", "stranger"])
def test_nobody_and_no_stranger_is_told_anything_of_a_closed_document(
    worlds: tuple[World, World], call: Call, principals: tuple[str, ...]
) -> None:
    first, second = (told(call, world.engine.as_(principals), world) for world in worlds)
    masked = [
        str(found).replace(world.closed_chunk, "*").replace(world.board_run, "*").replace(world.open_run, "*")
        for found, world in zip((first, second), worlds, strict=True)
    ]
    assert masked[0] == masked[1]
    assert not [canary for canary in CANARIES for text in masked if canary in text.casefold()]


@pytest.mark.parametrize("principals", STRANGERS, ids=["nobody", "stranger"])
@pytest.mark.parametrize(
    "call",
    [
        lambda session, world: session.ask(PROBE, receipt=False),
        lambda session, world: session.search(PROBE, receipt=False),
        lambda session, world: session.entity("zebra"),
        lambda session, world: session.entity("Zebr"),
        lambda session, world: session.entity("Walrus Works"),
    ],
)
def test_who_names_a_word_of_a_closed_document_is_told_the_same_as_where_it_stands_nowhere(
    worlds: tuple[World, World], call: Call, principals: tuple[str, ...]
) -> None:
    """But for the scores of what is open: how rare a word is, is counted over all that the store holds."""
    first, second = (NUMBER.sub("#", str(told(call, world.engine.as_(principals), world))) for world in worlds)
    assert first == second


@pytest.mark.parametrize("call", cases())
def test_an_engine_to_which_nobody_is_bound_shows_what_anybody_may_see(worlds: tuple[World, World], call: Call) -> None:
    (world, _) = worlds
    if call in DOORS["ask"] + DOORS["again"] + DOORS["search"]:
        return
    assert told(call, world.engine, world) == told(call, world.engine.as_(()), world)


@pytest.mark.parametrize("door", [name for name in DOORS if name not in ALIKE_FOR_MEMBERS])
def test_a_member_sees_it_through_the_same_door(worlds: tuple[World, World], door: str) -> None:
    (world, _) = worlds
    seen = [str(told(call, world.engine.as_(BOARD), world)) for call in DOORS[door]]
    unseen = [str(told(call, world.engine.as_(()), world)) for call in DOORS[door]]
    assert seen != unseen


@pytest.mark.parametrize("door", [name for name, calls in DOORS.items() if len(calls) == 3])
def test_a_closed_document_is_told_of_as_one_that_is_not_there(worlds: tuple[World, World], door: str) -> None:
    (world, _) = worlds
    _, closed, absent = (str(told(call, world.engine.as_(()), world)) for call in DOORS[door])
    for name in (CLOSED, world.closed_chunk, world.board_run):
        closed = closed.replace(name, "*")
    for name in (ABSENT, "0" * 64, "no such receipt"):
        absent = absent.replace(name, "*")
    assert closed == absent


@pytest.mark.parametrize(
    "door", ["sources", "counts", "section_titles", "copies", "outline", "references", "resolve", "sections", "pages"]
)
def test_a_store_with_a_closed_document_looks_like_one_without_it(tmp_path: Path, door: str) -> None:
    with_it = world_of(tmp_path / "with", closed_document(("zebra", "walrus"), "the board"))
    with with_it.engine, hashing_engine(tmp_path / "without") as engine:
        engine.index_documents([(source(OPEN, "1" * 64), open_document())])
        without = replace(with_it, engine=engine)
        for call in DOORS[door][:1]:
            assert told(call, with_it.engine, with_it) == told(call, engine, without)


# --- narrowing ---------------------------------------------------------------------------------------------


def test_a_filter_narrows_who_asks_and_never_widens_it(worlds: tuple[World, World]) -> None:
    (world, _) = worlds
    engine, asked = world.engine, "Who bought the works?"

    def seen(session: Session, *principals: str) -> set[str]:
        found = session.search(asked, filter=Filter(principals=principals)).evidence
        return {item.chunk.source_id for item in found}

    assert CLOSED in seen(engine.as_(BOARD))
    assert CLOSED in seen(engine.as_(["board", "staff"]), "board")
    assert CLOSED not in seen(engine.as_(["board", "staff"]), "staff")
    assert CLOSED not in seen(engine.as_(["staff"]), "board")
    assert CLOSED not in seen(engine.as_([]), "board")


def test_principals_are_several_words_and_not_the_letters_of_one(worlds: tuple[World, World]) -> None:
    with pytest.raises(UsageError, match="several"):
        worlds[0].engine.as_("board")


# --- receipts ----------------------------------------------------------------------------------------------


def test_a_receipt_is_closed_as_soon_as_a_document_that_it_tells_of_is(tmp_path: Path) -> None:
    with hashing_engine(tmp_path) as engine:
        engine.index_documents([(source(OPEN, "1" * 64), open_document())])
        run = engine.ask("Where does snow lie?").trace_id
        receipt = engine.receipt(run)
        (state,) = engine.sources()
        engine._parts.record.update_source(replace(state.source, acl=BOARD))
        for look in (
            lambda: engine.receipt(run),
            lambda: engine.receipt(""),
            lambda: engine.restored(receipt),
            lambda: engine.replay(run),
        ):
            with pytest.raises(NotThereError, match="there is no receipt"):
                look()
        assert engine.runs() == []
        assert [found.run_id for found in engine.as_(BOARD).runs()] == [run]
        assert engine.as_(BOARD).receipt(run) == receipt


def test_a_receipt_stays_closed_when_its_document_was_taken_out(tmp_path: Path) -> None:
    world = world_of(tmp_path, closed_document(("zebra", "walrus"), "the board"))
    with world.engine as engine:
        engine.remove(CLOSED)
        assert [run.run_id for run in engine.runs()] == [world.open_run]
        assert world.board_run in {run.run_id for run in engine.as_(BOARD).runs()}


def test_who_may_not_see_a_chunk_is_told_that_there_is_none(worlds: tuple[World, World]) -> None:
    (world, _) = worlds
    with pytest.raises(StoreError, match="holds no chunk"):
        world.engine.neighbours(world.closed_chunk)
