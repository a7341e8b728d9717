"""How chunks hang together: references, sections and reading order become links between ordinals."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pincite.build.publish import make_chunk_links
from pincite.records.outlines import Outline, Reference, ReferenceLink, Section, Target
from pincite.store.chunk_links import Adjacency, ChunkLinks
from pincite.store.sql_structure import ChunkPlace


def section(ordinal: int, number: str, parent: int | None, start: int, end: int) -> Section:
    return Section(ordinal, number, "", 1, parent, (number,), 1, 1, start, end)


SECTIONS = (section(0, "1", None, 0, 60), section(1, "1.1", 0, 10, 30), section(2, "1.2", 0, 30, 60))
PLACES = [
    ChunkPlace("c1", "a.pdf", 0, 0, 10, [(1, 0, 10)]),
    ChunkPlace("c0", "a.pdf", 1, 10, 30, [(1, 10, 20), (2, 0, 10)]),
    ChunkPlace("c2", "a.pdf", 2, 30, 60, [(2, 10, 40)]),
]
OUTLINE = Outline("a.pdf", (), SECTIONS, (), (Reference(0, "see", 12, 20, "Rule 1.2", "rule", "1.2"),))
SIZES = np.array([1, 3, 5], np.int32)


def made(*targets: Target, status: str = "resolved") -> ChunkLinks:
    link = ReferenceLink("a.pdf", 0, status, targets)  # type: ignore[arg-type]
    return make_chunk_links(PLACES, [OUTLINE], [link], SIZES)


def edges(adjacency: Adjacency, ordinal: int) -> list[tuple[int, float]]:
    targets, weights = adjacency.of_chunk(ordinal)
    return list(zip(targets.tolist(), weights.tolist(), strict=True))


def test_a_reference_links_the_chunk_that_holds_it_to_the_chunk_where_its_target_begins() -> None:
    links = made(Target("a.pdf", 30, 60, section=2))
    assert edges(links.outgoing, 1) == [(2, 1.0)]
    assert edges(links.incoming, 2) == [(1, 1.0)]
    assert edges(links.outgoing, 0) == edges(links.outgoing, 2) == []


def test_a_reference_to_several_places_is_shared_among_them() -> None:
    links = made(Target("a.pdf", 30, 60, section=2), Target("a.pdf", 0, 10, section=0))
    assert edges(links.outgoing, 1) == [(0, 0.5), (2, 0.5)]


def test_a_reference_that_leads_nowhere_links_nothing() -> None:
    assert len(made(status="dangling").outgoing.targets) == 0


def test_neighbours_and_parents_follow_reading_order_and_sections() -> None:
    links = made()
    assert links.previous.tolist() == [-1, 0, 1]
    assert links.following.tolist() == [1, 2, -1]
    assert links.parents.tolist() == [-1, 0, 0]
    assert links.sizes.tolist() == [1, 3, 5]
    assert links.last_pages.tolist() == [1, 2, 2]


def test_links_are_the_same_when_mapped_from_a_folder(tmp_path: Path) -> None:
    links = made(Target("a.pdf", 30, 60, section=2))
    links.save(tmp_path / "links")
    again = ChunkLinks.load(tmp_path / "links")
    for name in ("parents", "previous", "following", "sizes", "first_pages", "last_pages"):
        assert np.array_equal(getattr(again, name), getattr(links, name))
    for own, mapped in ((links.outgoing, again.outgoing), (links.incoming, again.incoming)):
        assert all(
            map(np.array_equal, (own.starts, own.targets, own.weights), (mapped.starts, mapped.targets, mapped.weights))
        )


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.sampled_from([0.25, 0.5, 1.0])), max_size=20),
    st.randoms(),
)
def test_the_order_of_edges_does_not_show(given_edges: list[tuple[int, int, float]], random: object) -> None:
    shuffled = given_edges[:]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    first, second = Adjacency.of(6, given_edges), Adjacency.of(6, shuffled)
    for ordinal in range(6):
        assert edges(first, ordinal) == edges(second, ordinal)
        own = [(target, weight) for source, target, weight in given_edges if source == ordinal]
        assert dict(edges(first, ordinal)) == {target: max(w for t, w in own if t == target) for target, _ in own}
