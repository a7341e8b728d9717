"""A store with closed documents against one without them, asked hundreds of questions that are made of what is closed:
the same bytes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from tests.support.documents import document, source
from tests.support.engines import hashing_engine

from pincite.engine.engine import Engine, Session
from pincite.errors import PinciteError
from pincite.neighbourhood import drawn_walk
from pincite.records.answers import Answer
from pincite.records.evidence import Retrieval
from pincite.records.pages import BlockKind, Document
from pincite.records.plain import to_plain
from pincite.records.questions import RetrievalPolicy
from pincite.records.sources import Source

BOARD, STAFF = ("board",), ("staff",)
OF_ITS_OWN = re.compile(r"timings_ms|timestamp|trace_id|generation|created_utc")
"""What differs from one asking to the next, or tells of a store as a whole (decision 0510)."""
NAME = re.compile(r"[A-Z]\w+ [A-Z]\w+")


def chapters(title: str, *parts: tuple[str, str], language: str | None = "en") -> Document:
    """A document of a page for each of these headings and paragraphs."""
    pages = [list[tuple[BlockKind, str]]([("heading", heading), ("paragraph", text)]) for heading, text in parts]
    return replace(document(*pages, title=title), language=language)


OPEN = {
    "mooring_rules_2021.md": chapters(
        "Rules of Moorings",
        ("1 Fees", "The fee of a mooring is 40 crowns. Tilda Brant pays the fee for the Gannet Pier."),
        ("2 Storms", "In a storm the boats lie at Gannet Pier, see section 3 of Harrier Takeover and section 1."),
        (
            "3 Sales",
            "A harrier takeover, the closure of the north dock and a merger are no news. See Table 4.",
        ),
        ("4 Staff", "Osric Vane dismissed nobody. Peregrine is a bird, and so is the gannet. See National Annex B."),
    ),
    "ferry_log_2022.md": chapters(
        "Log of the Ferry",
        ("1 Log", "Tilda Brant founded Brant Ferries in 1998. The ferry crosses the bay at noon."),
        (
            "2 Crew",
            "The crew of the ferry has nine hands. The closure of the north dock is feared; see page 3.",
        ),
    ),
    "quay plan v1.md": chapters(
        "Plan of the Quay",
        *((f"{n} Part", f"Bollard {n} of the quay is painted, says line {n} of it.") for n in range(1, 9)),
    ),
    "quay plan v2.md": chapters(
        "Plan of the Quay",
        *((f"{n} Part", f"Bollard {n} of the quay is painted, says line {n} of it.") for n in range(1, 8)),
        ("8 Part", "Bollard 8 of the quay is gone, says line 8 of it."),
    ),
    "notes.md": chapters(
        "Notes",
        *((f"{n} Note", f"Note {n}: the master, Osric Vane, counts the boats of pier {n}.") for n in range(1, 13)),
    ),
}
CLOSED = {
    "harrier_takeover_2023.md": chapters(
        "Harrier Takeover",
        ("1 Price of Harrier", "Peregrine Holdings pays 900 crowns for Harrier Lines, says Wilhelmina Stroud."),
        ("2 Closure of the North Dock", "The north dock is closed. Tilda Brant is dismissed by Osric Vane in May."),
        (
            "3 Plans for a Merger",
            "Harrier Lines merges with Brant Ferries, see section 1 of Rules of Moorings.",
        ),
        *((f"{n} Step {n}", f"Step {n} of the takeover: Quentin Marlowe signs paper {n}.") for n in range(4, 14)),
    ),
    "KESTREL_2024.md": chapters("Kestrel", ("1 Kestrel", "Kestrel Yards owes Peregrine Holdings 12 crowns.")),
    "quay plan v3.md": chapters(
        "Plan of the Quay",
        *((f"{n} Part", f"Bollard {n} of the quay is painted, says line {n} of it.") for n in range(1, 8)),
        ("8 Part", "Bollard 8 of the quay is sold to Harrier, says line 8 of it."),
    ),
    "AmericanFreight_2023.md": chapters("American Freight", ("1 Freight", "American Freight ships slate.")),
    "geheim.md": chapters(
        "Geheime Verhandlungen",
        ("1 Kaufpreis", "Der Kaufpreis der Werft wird von Lieselotte Hagedorn nicht genannt und bleibt geheim."),
        language="de",
    ),
}


def given(documents: Mapping[str, Document], **fields: Any) -> list[tuple[Source, Document]]:
    return [(source(name, **fields), made) for name, made in documents.items()]


def store(folder: Path, *closed: tuple[Source, Document]) -> Engine:
    engine = hashing_engine(folder)
    engine.index_documents([*given(OPEN), *closed])
    return engine


def closed_texts() -> list[str]:
    headings = [block for made in CLOSED.values() for page in made.pages for block in page.text.split("\n")]
    return [*headings, *(made.title or "" for made in CLOSED.values())]


def questions() -> list[str]:
    """Of what is closed: its sentences, headings, titles, names and their openings, letters, misspellings, numbers."""
    stems = [Path(name).stem for name in CLOSED]
    words = sorted({word for text in (*closed_texts(), *stems) for word in re.findall(r"[^\W\d_]{3,}", text)})
    openings = sorted({stem[:length] for stem in stems for length in range(2, 9)})
    swapped = [word[:2] + word[3] + word[2] + word[4:] for word in words if len(word) > 5]
    asked = [
        *closed_texts(),
        *(f"What does {word.capitalize()} say of the boats?" for word in words),
        *(f"What is the fee of {opening}?" for opening in openings),
        *(f"What is the fee of {opening.upper()} in 2023?" for opening in openings),
        *(f"Who pays {word.capitalize()} for a mooring?" for word in swapped),
        *(f"Since when does {name} know the ferry?" for text in closed_texts() for name in NAME.findall(text)),
        *(f"Is the {opening} a boat?" for word in words for opening in (word[:4], word[-4:]) if len(word) > 6),
        *(f"What does section {number} of {made.title} say?" for made in CLOSED.values() for number in (1, 3)),
        *(f"What stands in {name}?" for name in CLOSED),
        *(f"How does {stem.replace('_', ' ')} speak of moorings?" for stem in stems),
        *(f"What does {letters} say of the fee in 2023?" for letters in ("HT", "HnT", "H&T", "AMFR", "KEST", "AF")),
        *(f"What does {place} say?" for place in ("section 3", "Table 4", "page 2", "page 13", "Annex B")),
        "Which plans are there, and who is Tilda Brant?",
        "Is the bollard 8 of the quay painted?",
        "company:Harrier What is the fee?",
        "file:harrier* What is the fee?",
    ]
    return list(dict.fromkeys(filter(str.strip, asked)))


Call = Callable[[Session], Any]


def calls() -> Iterator[tuple[str, Call]]:
    """Each question answered, every fifth also searched for alone, and what else is asked of names and places."""
    profiled = RetrievalPolicy(profile="llm")
    for asked in questions():
        yield f"ask {asked}", lambda session, asked=asked: session.ask(asked, receipt=False)  # type: ignore[misc]
    for asked in questions()[::5]:
        yield f"search {asked}", lambda session, asked=asked: session.search(asked, receipt=False)  # type: ignore[misc]
        yield f"llm {asked}", lambda session, asked=asked: session.search(asked, policy=profiled, receipt=False)  # type: ignore[misc]
    named = sorted(
        {name for text in closed_texts() for name in (text, *text.split(), *re.findall(r"[A-Z]\w+ [A-Z]\w+", text))}
    )
    for name in (*sorted(named), "Tilda Brant", "Osric Vane", "Gannet Pier", "Brant Ferries", "ferry", "dock"):
        yield f"entity {name}", lambda session, name=name: session.graph.entity(name)  # type: ignore[misc]
        yield f"walk {name}", lambda session, name=name: drawn_walk(session, [name])  # type: ignore[misc]
    for name in OPEN:
        yield f"references {name}", lambda session, name=name: session.documents.references(name)  # type: ignore[misc]
        chunk = lambda session, name=name: session.documents.chunks_at(name, 0, 10)[0].chunk_id  # type: ignore[misc] # noqa: E731
        for words in closed_texts():
            yield (
                f"resolve {words}",
                lambda s, words=words, c=chunk: s.documents.resolve(f"see section 3 of {words}", c(s)),
            )  # type: ignore[misc]
    for name in CLOSED:
        yield f"section {name}", lambda session, name=name: session.documents.section(name, "1")  # type: ignore[misc]
    for number in range(1, 14):
        yield f"works {number}", lambda session, number=number: session.documents.section_in_works(str(number))  # type: ignore[misc]
    yield "sources", lambda session: session.documents.sources()
    yield "counts", lambda session: session.documents.counts()
    yield "titles", lambda session: session.documents.section_titles()
    yield "copies", lambda session: session.documents.copies()


def told(call: Call, session: Session) -> str:
    try:
        found = call(session)
    except PinciteError as error:
        return f"{type(error).__name__}: {error}"
    if isinstance(found, Answer):
        shown = found.to_dict(stable=True, explain=True)
        found = [shown, *map(to_plain, (found.trace, found.evidence, found.notices, found.degraded))]
    elif isinstance(found, Retrieval):
        found = [to_plain(part) for part in (found.query, found.evidence, found.beyond, found.trace, found.triplets)]
    return json.dumps(_stripped(to_plain(found)), sort_keys=True, indent=1)


def _stripped(plain: Any) -> Any:
    if isinstance(plain, dict):
        return {name: _stripped(item) for name, item in plain.items() if not OF_ITS_OWN.search(name)}
    return [_stripped(item) for item in plain] if isinstance(plain, list) else plain


@dataclass(frozen=True)
class Pair:
    """Somebody's session in a store that holds more than they see, and in one that holds what they see alone."""

    with_it: Session
    without: Session


def differing(pair: Pair, step: int = 1) -> list[str]:
    """What the two are told differently, by what was asked: of each so many."""
    asked = islice(calls(), 0, None, step)
    return [name for name, call in asked if told(call, pair.with_it) != told(call, pair.without)]


def test_there_are_hundreds_of_questions() -> None:
    assert len(questions()) >= 300
    assert len(list(calls())) > 700


@pytest.mark.promise
@pytest.mark.parametrize(("principals", "step"), [((), 1), (STAFF, 5)], ids=["nobody", "stranger"])
def test_a_store_with_closed_documents_tells_what_one_without_them_tells(
    tmp_path: Path, principals: tuple[str, ...], step: int
) -> None:
    with store(tmp_path / "a", *given(CLOSED, acl=BOARD)) as first, store(tmp_path / "b") as second:
        assert differing(Pair(first.session(principals), second.session(principals)), step) == []
        assert any("Peregrine Holdings" in told(call, first.session(BOARD)) for _, call in calls())


def test_who_sees_some_of_the_closed_documents_is_told_nothing_of_the_others(tmp_path: Path) -> None:
    names = sorted(CLOSED)
    theirs = given({name: CLOSED[name] for name in names[:2]}, acl=("board", "staff"))
    others = given({name: CLOSED[name] for name in names[2:]}, acl=BOARD)
    with store(tmp_path / "a", *theirs, *others) as first, store(tmp_path / "b", *theirs) as second:
        assert differing(Pair(first.session(STAFF), second.session(STAFF)), 5) == []


def test_what_was_open_and_is_closed_now_tells_nothing_either(tmp_path: Path) -> None:
    with store(tmp_path / "a", *given(CLOSED)) as first, store(tmp_path / "b") as second:
        first.index_documents(given(CLOSED, acl=BOARD))
        assert differing(Pair(first.session(()), second.session(())), 5) == []
