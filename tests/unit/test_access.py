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

from pincite.engine.engine import Engine, Session
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
    board = engine.session(BOARD)
    for name in (OPEN, CLOSED):
        board.audit.record_event("page seen", name, page=1)
    with board.uploads.incoming("put in.txt", len(told)) as coming:
        coming.write(told.encode())
        coming.keep()
    return World(
        engine,
        board.documents.chunks_at(OPEN, 0, 10)[0].chunk_id,
        board.documents.chunks_at(CLOSED, 0, 10)[0].chunk_id,
        board.ask("Who bought the works?").trace_id,
        engine.session(()).ask("Where does snow lie?").trace_id,
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
    return session.audit.restored(world.engine.session(BOARD).audit.receipt(run_id))


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
    "audit.runs": [lambda session, world: session.audit.runs(), lambda session, world: session.audit.runs(1)],
    "uploads.all": [lambda session, world: session.uploads.all()],
    "documents.ever_held": both(lambda session, name: session.documents.ever_held(name)),
    "audit.events": [lambda session, world: session.audit.events(), lambda session, world: session.audit.events(1)],
    "audit.exported": [lambda session, world: list(session.audit.exported())],
    "audit.receipt": [
        *of_runs(lambda session, run: session.audit.receipt(run)),
        lambda session, world: session.audit.receipt(""),
    ],
    "audit.restored": [
        lambda session, world: restored(session, world, world.open_run),
        lambda session, world: restored(session, world, world.board_run),
    ],
    "audit.replay": [
        *of_runs(lambda session, run: session.audit.replay(run)),
        *of_runs(lambda session, run: session.audit.replay(run, from_hits=True)),
    ],
    "files.boxes": both(lambda session, name: session.files.boxes(cited(name))),
    "files.boxes_of": both(lambda session, name: session.files.boxes_of(name, [cited(name).span])),
    "graph.most_named": [lambda session, world: session.graph.most_named(5)],
    "graph.named_together": [
        lambda session, world: session.graph.named_together([found.name for found in session.graph.most_named(5)])
    ],
    "files.file_of": both(lambda session, name: session.files.file_of(name)),
    "files.picture": both(lambda session, name: session.files.picture(name, 1)),
    "files.link": both(lambda session, name: session.files.link(name)),
    "files.original": both(lambda session, name: session.files.original(name)),
    "graph.entity": [
        lambda session, world, name=name: session.graph.entity(name)  # type: ignore[misc]
        for name in ("Alder Works", "Works", "salary", "Secrets", "Saffron")
    ],
    "documents.sources": [lambda session, world: session.documents.sources()],
    "documents.source": both(lambda session, name: session.documents.source(name)),
    "documents.counts": [lambda session, world: session.documents.counts()],
    "documents.outline": both(lambda session, name: session.documents.outline(name)),
    "documents.is_paged": both(lambda session, name: session.documents.is_paged(name)),
    "documents.sections": both(lambda session, name: session.documents.sections(name)),
    "documents.section": [
        *both(lambda session, name: session.documents.section(name, "2")),
        *both(lambda session, name: session.documents.section(name, "1")),
    ],
    "documents.section_in_works": [
        lambda session, world: session.documents.section_in_works("2"),
        lambda session, world: session.documents.section_in_works("1"),
        *both(lambda session, name: session.documents.section_in_works("2", name)),
    ],
    "documents.anchors": both(lambda session, name: session.documents.anchors(name)),
    "documents.references": both(lambda session, name: session.documents.references(name)),
    "documents.passage": [
        *around(lambda session, chunk: session.documents.passage(OPEN, chunk)),
        *around(lambda session, chunk: session.documents.passage(CLOSED, chunk)),
    ],
    "documents.neighbours": around(lambda session, chunk: session.documents.neighbours(chunk, 3)),
    "documents.chunks_at": both(lambda session, name: session.documents.chunks_at(name, 0, 10_000)),
    "documents.resolve": around(
        lambda session, chunk: session.documents.resolve("see section 2 of Secrets of the board, 3 and 1", chunk)
    ),
    "graph.triplets": both(lambda session, name: session.graph.triplets(name)),
    "documents.embeddings": both(lambda session, name: session.documents.embeddings(name)),
    "documents.pages": both(lambda session, name: session.documents.pages(name)),
    "documents.masked": both(lambda session, name: session.documents.masked(name)),
    "documents.section_titles": [lambda session, world: session.documents.section_titles()],
    "documents.copies": [lambda session, world: session.documents.copies()],
}
OF_THE_STORE = {"generation", "revision", "overview", "completed", "audit.record_event", "uploads.incoming"}
"""Say nothing of a document: a digest, a number and a time that change with every change of any; a question in the
words of those before it; whether an event could be stored; a document that is put in."""
ALIKE_FOR_MEMBERS = {
    "files.boxes",
    "files.boxes_of",
    "files.file_of",
    "files.picture",
    "documents.copies",
    "documents.anchors",
    "documents.masked",
    "graph.most_named",
    "graph.named_together",
}
"""Tell members no more of this closed document, which has no file, no copy and no name that stands often."""


def public(session: Session) -> set[str]:
    """The methods of a session, and of the objects that it has for audit, documents, files, graph and uploads."""

    def methods(of: object) -> set[str]:
        return {name for name, _ in inspect.getmembers(of, callable) if not name.startswith("_")}

    parts = {name: part for name, part in vars(session).items() if not name.startswith("_")}
    return methods(session) | {f"{name}.{method}" for name, part in parts.items() for method in methods(part)}


def test_every_public_method_is_a_door_that_these_tests_try(worlds: tuple[World, World]) -> None:
    session = worlds[0].engine.session()
    assert public(session) == set(DOORS) | OF_THE_STORE
    assert len([name for name in public(session) if "." not in name]) < 20


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
    first, second = (told(call, world.engine.session(principals), world) for world in worlds)
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
        lambda session, world: session.graph.entity("zebra"),
        lambda session, world: session.graph.entity("Zebr"),
        lambda session, world: session.graph.entity("Walrus Works"),
    ],
)
def test_who_names_a_word_of_a_closed_document_is_told_the_same_as_where_it_stands_nowhere(
    worlds: tuple[World, World], call: Call, principals: tuple[str, ...]
) -> None:
    """But for the scores of what is open: how rare a word is, is counted over all that the store holds."""
    first, second = (NUMBER.sub("#", str(told(call, world.engine.session(principals), world))) for world in worlds)
    assert first == second


@pytest.mark.parametrize("principals", [(), BOARD], ids=["nobody", "member"])
def test_an_engine_asks_for_those_whom_the_filter_names(
    worlds: tuple[World, World], principals: tuple[str, ...]
) -> None:
    (world, _) = worlds
    given = Filter(principals=principals)
    for question in QUESTIONS:
        asked = world.engine.ask(question, filter=given, receipt=False)
        assert asked.to_dict(stable=True) == world.engine.session(principals).ask(question, receipt=False).to_dict(
            stable=True
        )
        found = world.engine.search(question, filter=given, receipt=False)
        assert found.evidence == world.engine.session(principals).search(question, receipt=False).evidence


@pytest.mark.parametrize("door", [name for name in DOORS if name not in ALIKE_FOR_MEMBERS])
def test_a_member_sees_it_through_the_same_door(worlds: tuple[World, World], door: str) -> None:
    (world, _) = worlds
    seen = [str(told(call, world.engine.session(BOARD), world)) for call in DOORS[door]]
    unseen = [str(told(call, world.engine.session(()), world)) for call in DOORS[door]]
    assert seen != unseen


@pytest.mark.parametrize("door", [name for name, calls in DOORS.items() if len(calls) == 3])
def test_a_closed_document_is_told_of_as_one_that_is_not_there(worlds: tuple[World, World], door: str) -> None:
    (world, _) = worlds
    _, closed, absent = (str(told(call, world.engine.session(()), world)) for call in DOORS[door])
    for name in (CLOSED, world.closed_chunk, world.board_run):
        closed = closed.replace(name, "*")
    for name in (ABSENT, "0" * 64, "no such receipt"):
        absent = absent.replace(name, "*")
    assert closed == absent


@pytest.mark.parametrize(
    "door",
    [
        "documents.sources",
        "documents.counts",
        "documents.section_titles",
        "documents.copies",
        "documents.outline",
        "documents.references",
        "documents.resolve",
        "documents.sections",
        "documents.pages",
    ],
)
def test_a_store_with_a_closed_document_looks_like_one_without_it(tmp_path: Path, door: str) -> None:
    with_it = world_of(tmp_path / "with", closed_document(("zebra", "walrus"), "the board"))
    with with_it.engine, hashing_engine(tmp_path / "without") as engine:
        engine.index_documents([(source(OPEN, "1" * 64), open_document())])
        without = replace(with_it, engine=engine)
        for call in DOORS[door][:1]:
            assert told(call, with_it.engine.session(), with_it) == told(call, engine.session(), without)


# --- narrowing ---------------------------------------------------------------------------------------------


def test_a_filter_narrows_who_asks_and_never_widens_it(worlds: tuple[World, World]) -> None:
    (world, _) = worlds
    engine, asked = world.engine, "Who bought the works?"

    def seen(session: Session, *principals: str) -> set[str]:
        found = session.search(asked, filter=Filter(principals=principals)).evidence
        return {item.chunk.source_id for item in found}

    assert CLOSED in seen(engine.session(BOARD))
    assert CLOSED in seen(engine.session(["board", "staff"]), "board")
    assert CLOSED not in seen(engine.session(["board", "staff"]), "staff")
    assert CLOSED not in seen(engine.session(["staff"]), "board")
    assert CLOSED not in seen(engine.session([]), "board")


def test_principals_are_several_words_and_not_the_letters_of_one(worlds: tuple[World, World]) -> None:
    with pytest.raises(UsageError, match="several"):
        worlds[0].engine.session("board")


# --- receipts ----------------------------------------------------------------------------------------------


def test_a_receipt_is_closed_as_soon_as_a_document_that_it_tells_of_is(tmp_path: Path) -> None:
    with hashing_engine(tmp_path) as engine:
        engine.index_documents([(source(OPEN, "1" * 64), open_document())])
        run = engine.ask("Where does snow lie?").trace_id
        receipt = engine.session().audit.receipt(run)
        (state,) = engine.session().documents.sources()
        engine._parts.record.update_source(replace(state.source, acl=BOARD))
        for look in (
            lambda: engine.session().audit.receipt(run),
            lambda: engine.session().audit.receipt(""),
            lambda: engine.session().audit.restored(receipt),
            lambda: engine.session().audit.replay(run),
        ):
            with pytest.raises(NotThereError, match="there is no receipt"):
                look()
        assert engine.session().audit.runs() == []
        assert [found.run_id for found in engine.session(BOARD).audit.runs()] == [run]
        assert engine.session(BOARD).audit.receipt(run) == receipt


def test_a_receipt_stays_closed_when_its_document_was_taken_out(tmp_path: Path) -> None:
    world = world_of(tmp_path, closed_document(("zebra", "walrus"), "the board"))
    with world.engine as engine:
        engine.remove(CLOSED)
        assert [run.run_id for run in engine.session().audit.runs()] == [world.open_run]
        assert world.board_run in {run.run_id for run in engine.session(BOARD).audit.runs()}


def test_who_may_not_see_a_chunk_is_told_that_there_is_none(worlds: tuple[World, World]) -> None:
    (world, _) = worlds
    with pytest.raises(StoreError, match="holds no chunk"):
        world.engine.session().documents.neighbours(world.closed_chunk)
