"""What the documents of a store say of the things that they name, as an asker sees it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from pincite.answer.relations.entities import NamedOften, describe_entity, most_named
from pincite.engine.visibility import Sight
from pincite.graph.names import normal_name
from pincite.records.citations import EntityView
from pincite.records.triplets import Triplet

MOST_TOGETHER = 2
"""Lines that a name has in a picture of many, unless others want more with it. By eye, not measured."""


class Graph:
    """Entities and triplets of the documents that an asker may see."""

    def __init__(self, sight: Sight) -> None:
        self._sight = sight

    def entity(self, name: str) -> EntityView:
        """What the documents say of an entity; NotThereError, with the nearest names, where nothing is called so."""
        with self._sight.current() as view:
            return describe_entity(name, view.space, view.space.allowed(self._sight.filter), view.record, view.ontology)

    def most_named(self, limit: int) -> list[NamedOften]:
        """The names of which something is said that stand in most chunks."""
        with self._sight.current() as view:
            return most_named(view.space, view.space.allowed(self._sight.filter), limit)

    def named_together(self, names: Sequence[str]) -> list[tuple[int, int, int]]:
        """Of these names each with those that it stands together with most, by their numbers in the order given, and in
        how many chunks; more so the fewer chunks name one of them without the other."""
        with self._sight.current() as view:
            chunks, allowed = view.space.network.chunks, view.space.allowed(self._sight.filter)
            known = view.space.network.find([normal_name(name) for name in names]).tolist()
            naming = [set[int](chunks.of_node(number).tolist()) if number >= 0 else set[int]() for number in known]
        if allowed is not None:
            naming = [{ordinal for ordinal in ordinals if allowed[ordinal]} for ordinals in naming]
        shared = {pair: len(naming[pair[0]] & naming[pair[1]]) for pair in combinations(range(len(names)), 2)}

        def closeness(pair: tuple[int, int]) -> tuple[float, tuple[int, int]]:
            return -(shared[pair] ** 2) / (len(naming[pair[0]]) * len(naming[pair[1]])), pair

        best = sorted((pair for pair, count in shared.items() if count), key=closeness)
        kept, drawn = list[tuple[int, int, int]](), Counter[int]()
        for one, other in best:
            if min(drawn[one], drawn[other]) < MOST_TOGETHER:
                kept.append((one, other, shared[one, other]))
                drawn.update((one, other))
        return kept

    def triplets(self, source_id: str) -> list[Triplet]:
        """What the sentences and tables of a document say of the things that they name, in reading order."""
        return self._sight.parts.record.triplets(source_id) if self._sight.sees(source_id) else []
