"""Which documents of a store are copies of one another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

from pincite.records.sources import Source
from pincite.store.sql_record import SqlRecord
from pincite.text.copies import NearCopy, near_copies


@dataclass(frozen=True, slots=True)
class Copies:
    """`exact`: sources with the same bytes, together; `near`: pairs of other documents, such as two revisions."""

    exact: tuple[tuple[str, ...], ...] = ()
    near: tuple[NearCopy, ...] = ()


def find_copies(record: SqlRecord, is_open: Callable[[Source], bool]) -> Copies:
    """The copies among all documents that were read and are open to who asks; of exact ones the first stands for
    all."""
    by_content: dict[str, list[str]] = defaultdict(list)
    for state in record.sources():
        if state.status != "refused" and is_open(state.source):
            by_content[state.source.content_sha256].append(state.source.source_id)
    groups = sorted(by_content.values())
    first = ((group[0], "\n".join(page.text for page in record.pages(group[0]))) for group in groups)
    return Copies(tuple(tuple(group) for group in groups if len(group) > 1), tuple(near_copies(first)))
