"""What the documents of a store say of the things that they name, as an asker sees it."""

from __future__ import annotations

from pincite.answer.relations.entities import NamedOften, describe_entity, most_named
from pincite.engine.visibility import Sight
from pincite.records.citations import EntityView
from pincite.records.triplets import Triplet


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

    def triplets(self, source_id: str) -> list[Triplet]:
        """What the sentences and tables of a document say of the things that they name, in reading order."""
        return self._sight.parts.record.triplets(source_id) if self._sight.sees(source_id) else []
