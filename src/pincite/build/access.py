"""Who may see a source that is indexed again: what was said once holds until somebody says otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pincite.build.sources import Found
from pincite.records.sources import Source


class StoredAccess:
    """The `acl` of all sources that the store ever held, and which of them a run would have opened."""

    def __init__(self, stored: Mapping[str, tuple[str, ...]]) -> None:
        self._stored = stored
        self._kept: set[str] = set()

    @property
    def kept_closed(self) -> tuple[str, ...]:
        """The sources that the run would have opened without being told to, by id."""
        return tuple(sorted(self._kept))

    def of_file(self, item: Found) -> Found:
        """A file with the access that it has."""
        acl = item.acl if item.says_access else self._kept_acl(item.source_id, item.acl)
        return replace(item, acl=acl, source=item.source and replace(item.source, acl=acl))

    def of_member(self, source: Source, holder: Found) -> Source:
        """What lies inside a file that is unchanged, with the access that it has."""
        return source if holder.says_access else replace(source, acl=self._kept_acl(source.source_id, source.acl))

    def of_source(self, source: Source) -> Source:
        """A source that was read elsewhere with the access that it has: tags say it, none say nothing."""
        return source if source.acl else replace(source, acl=self._kept_acl(source.source_id, ()))

    def _kept_acl(self, source_id: str, given: tuple[str, ...]) -> tuple[str, ...]:
        stored = self._stored.get(source_id, given)
        if stored and not given:
            self._kept.add(source_id)
        return stored
