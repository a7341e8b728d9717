"""What of a store an asker sees, and what is closed to them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from pincite.engine.view import View
from pincite.engine.views import Parts, Views
from pincite.errors import NotThereError
from pincite.records.questions import Filter
from pincite.records.sources import Source
from pincite.retrieve.visible import is_visible
from pincite.store.sql_record import SqlRecord


@dataclass(frozen=True, slots=True)
class Sight:
    """One store as an asker with these principals sees it, called `who` in the audit chain. Closed documents might as
    well not be there."""

    parts: Parts
    views: Views
    principals: tuple[str, ...]
    who: str = ""

    @property
    def record(self) -> SqlRecord:
        """The record of the store, whatever is closed to them."""
        return self.parts.record

    @property
    def filter(self) -> Filter:
        """The filter of whatever this asker asks."""
        return Filter(principals=self.principals)

    def narrowed(self, given: Filter) -> Filter:
        """The filter of a question by this asker: its principals can restrict theirs, never extend them."""
        named = set(given.principals)
        return replace(given, principals=tuple(p for p in self.principals if not named or p in named))

    @contextmanager
    def current(self) -> Iterator[View]:
        """The view on the current generation."""
        with self.views.at(None, principals=self.principals) as view:
            yield view

    def is_open(self, source: Source) -> bool:
        """Whether this asker may see a source."""
        return is_visible(source, self.filter)

    def sees(self, source_id: str) -> bool:
        """Whether the store holds a source that is open to this asker."""
        source = self.views.sources().get(source_id)
        return source is not None and self.is_open(source)

    def hides_something(self) -> bool:
        """Whether anything that the store holds is closed to this asker."""
        return not all(map(self.is_open, self.views.sources().values()))

    def require(self, source_id: str) -> Source:
        """A source as it was handed in; NotThereError for one that the store does not hold."""
        found = self.views.sources().get(source_id)
        if found is None or not self.is_open(found):
            raise no_document(source_id)
        return found

    def is_paged(self, source_id: str) -> bool:
        """Whether a document has pages; NotThereError for one that the store does not hold."""
        paged = self.record.is_paged(source_id) if self.sees(source_id) else None
        if paged is None:
            raise no_document(source_id)
        return paged


def no_document(source_id: str) -> NotThereError:
    """What to say of a document that the store does not hold."""
    return NotThereError(f"the store holds no document {source_id!r}: pincite status lists them")
