"""Documents that are put into a store, and those that were, as an asker sees them."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import replace

from pincite.build.uploads import Incoming, Upload, Uploads
from pincite.engine.visibility import Sight
from pincite.errors import UsageError
from pincite.records.sources import SourceState


class UploadedDocuments:
    """Takes in documents for whom the asker may speak for."""

    def __init__(self, sight: Sight) -> None:
        self._sight = sight
        self._uploads = Uploads(sight.parts.folder)

    def incoming(
        self, name: str, most_bytes: int, *, acl: Iterable[str] | None = None
    ) -> AbstractContextManager[Incoming]:
        """Take in a document that its sender calls `name`: write its bytes, then `keep` it; `Engine.index_uploads`
        indexes it. Whatever ends this before leaves nothing behind.

        `acl` are the tags of who may see it: some of the asker's own, by default all of these. UsageError for others:
        nobody puts in what they could not see, or opens what they may see to those who may not.
        """
        own = self._sight.principals
        tags = own if acl is None else tuple(acl)
        if not set(tags) <= set(own) or bool(tags) != bool(own):
            whom = ", ".join(tags) or "everybody"
            may = f"its tags must be some of your own ({', '.join(own)})" if own else "you have no tags"
            raise UsageError(f"a document cannot be added for {whom}: {may}")
        return self._uploads.incoming(name, tags, most_bytes)

    def all(self) -> list[tuple[Upload, SourceState | None]]:
        """The documents that were put in and may be seen, by id, with their state; None: not indexed yet."""
        states = {state.source.source_id: state for state in self._sight.views.states()}
        found = ((upload, states.get(upload.source_id)) for upload in self._uploads.all())
        known = ((replace(upload, acl=state.source.acl) if state else upload, state) for upload, state in found)
        return [
            (upload, state)
            for upload, state in known
            if not upload.acl or set(upload.acl) & set(self._sight.principals)
        ]
