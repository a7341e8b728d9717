"""The tool "find section to jump to" (spec/reference_following.md): from words to the places that they mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pincite.records.outlines import Outline, ReferenceLink
from pincite.structure.references import references_in
from pincite.structure.resolve import link_references


def resolve_words(words: str, outlines: Sequence[Outline], source_id: str, offset: int) -> list[ReferenceLink]:
    """Where the references in `words` lead, read as if they stood at an offset of the joined text of a document."""
    shifted = tuple(
        replace(reference, start=reference.start + offset, end=reference.end + offset)
        for reference in references_in(words)
    )
    asking = [
        replace(
            outline,
            references=shifted if outline.source_id == source_id else (),
            hyperlinks=tuple(replace(item, reference=None) for item in outline.hyperlinks),
        )
        for outline in outlines
    ]
    return list(link_references(asking))
