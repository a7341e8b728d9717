"""A walk from an entity to its neighbours, as a drawing, with the sentences behind each connection. The layout is
layered (Sugiyama, Tagawa and Toda 1981): one column a step, with the walk as the first row, so that no lines cross."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pincite.errors import NotThereError
from pincite.graph.names import holds_name, is_small, normal_name
from pincite.records.citations import Citation, CitedTriplet, EntityView

if TYPE_CHECKING:
    from pincite.engine.session import Session

MOST_TOLD = 14
"""Neighbours of which a sentence says something: as many rows as are seen at once. By eye, like what follows."""
MOST_BESIDE = 6
COLUMN = 300
"""Between two columns, in the units of a drawing, as what follows."""
ROW = 30
MARGIN = 20


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence, and what it says of two names; nothing where it only names both."""

    citation: Citation
    subject: str = ""
    predicate: str = ""
    object: str = ""


@dataclass(frozen=True, slots=True)
class Node:
    """A name, where it stands in the drawing, and whether the walk goes through it."""

    name: str
    x: int
    y: int
    is_walked: bool


@dataclass(frozen=True, slots=True)
class Edge:
    """What joins two nodes, `source` and `target` by their numbers: the surest predicate that a sentence says of just
    these two (empty where none does), and the sentences that name both: first the one that says so, then the surest."""

    source: int
    target: int
    label: str
    sentences: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class Drawing:
    """Nodes in columns, and the edges between them."""

    width: int
    height: int
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


@dataclass(slots=True)
class _Neighbour:
    """A name that shares a sentence with an entity; `label` is the predicate between just these two, which points to
    the name where it `is_object`."""

    name: str
    sentences: list[Said] = field(default_factory=list)
    label: str = ""
    is_object: bool = True


def drawn_walk(session: Session, names: Sequence[str]) -> Drawing:
    """The first of these names, its neighbours, the neighbours of the next name, and so on, a column each. The walk
    ends where the next name is no neighbour or unknown; NotThereError where the first name is unknown."""
    columns = [[_Neighbour(names[0])]]
    for name, following in zip(names, [*names[1:], None], strict=True):
        try:
            columns.append(_neighbours(session.graph.entity(name), names, following))
        except NotThereError:
            if len(columns) == 1:
                raise
            break
        if following is None or not columns[-1] or normal_name(columns[-1][0].name) != normal_name(following):
            break
    return _drawing(columns, {normal_name(name) for name in names})


def _drawing(columns: Sequence[Sequence[_Neighbour]], walked: set[str]) -> Drawing:
    nodes, edges = list[Node](), list[Edge]()
    origin = 0
    for number, column in enumerate(columns):
        begin = len(nodes)
        for row, neighbour in enumerate(column):
            if number:
                ends = (origin, len(nodes)) if neighbour.is_object else (len(nodes), origin)
                edges.append(Edge(*ends, neighbour.label, tuple(neighbour.sentences)))
            place = MARGIN + number * COLUMN, MARGIN + row * ROW
            nodes.append(Node(neighbour.name, *place, is_walked=row == 0 and normal_name(neighbour.name) in walked))
        origin = begin
    width, height = max(node.x for node in nodes) + COLUMN, max(node.y for node in nodes) + MARGIN
    return Drawing(width, height, tuple(nodes), tuple(edges))


def _neighbours(view: EntityView, walked: Sequence[str], following: str | None) -> list[_Neighbour]:
    """The names that share sentences with an entity: first where the walk goes on, then those with a predicate, the
    surest first; without those already visited."""
    seen = {normal_name(name) for name in walked} | {view.name}
    told = _other_ends(view.triplets, view.name)
    others = (name for name, _ in view.beside if name not in told and not _share_words(name, view.name))
    named = [neighbour for neighbour in (_together(name, view) for name in others) if neighbour.sentences]
    surest = sorted(told.values(), key=lambda neighbour: not neighbour.label)
    found = [*surest[:MOST_TOLD], *named[:MOST_BESIDE]]
    next_one = None if following is None else told.get(normal_name(following)) or _together(following, view)
    first = [next_one] if next_one and next_one.sentences else []
    return [*first, *(neighbour for neighbour in found if normal_name(neighbour.name) not in seen)]


def _other_ends(triplets: Iterable[CitedTriplet], entity: str) -> dict[str, _Neighbour]:
    """The other ends of triplets about an entity by their normal names, in the order of the triplets. Where an end
    merely contains the name of the entity ("the patents of Rivian"), there is no predicate between just these two."""
    found: dict[str, _Neighbour] = {}
    for triplet in triplets:
        ends = normal_name(triplet.subject), normal_name(triplet.object)
        is_object = ends[0] == entity or (ends[1] != entity and holds_name(triplet.subject, entity))
        normal = ends[is_object]
        if all(map(is_small, normal.split())) or not any(map(str.isalpha, normal)):
            continue
        name = " ".join((triplet.object if is_object else triplet.subject).split())
        neighbour = found.setdefault(normal, _Neighbour(name))
        said = Said(triplet.citation, triplet.subject, triplet.predicate, triplet.object)
        if entity in ends and not neighbour.label:
            neighbour.label, neighbour.is_object = triplet.predicate, is_object
            neighbour.sentences.insert(0, said)
        else:
            neighbour.sentences.append(said)
    return found


def _together(name: str, view: EntityView) -> _Neighbour:
    """A name that is named beside an entity, with the sentences that name both."""
    return _Neighbour(name, [Said(citation) for citation in _naming(view.mentions, normal_name(name))])


def _naming(mentions: Iterable[Citation], name: str) -> Iterator[Citation]:
    return (citation for citation in mentions if holds_name(citation.quote, name))


def _share_words(one: str, other: str) -> bool:
    """Whether one of these normal names holds the other, so that a sentence need not name both."""
    return holds_name(one, other) or holds_name(other, one)
