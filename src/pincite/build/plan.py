"""What indexing would do, without reading a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pincite.build.editions import edition_versions, is_unchanged
from pincite.build.inside import with_patterns
from pincite.build.sources import Found
from pincite.errors import ReadError
from pincite.read.registry import version_for
from pincite.records import ChunkPolicy, SourceState

CHUNKS_PER_MEGABYTE = {"pdf": 150.0, "docx": 200.0, "pptx": 60.0, "xlsx": 300.0, "epub": 400.0}
CHUNKS_PER_MEGABYTE_OF_TEXT = 550.0
CHUNKS_READ_PER_SECOND = 130.0
CHUNKS_EMBEDDED_PER_SECOND = 40.0
BYTES_PER_CHUNK = 40_000
"""Figures of this project's own documents on two cores: good for the order of magnitude alone."""


@dataclass(frozen=True, slots=True)
class PlannedSource:
    """What a run would do with one file; `size` in bytes."""

    source: str
    status: Literal["new", "changed", "unchanged", "refused"]
    reason: str | None = None
    size: int = 0


@dataclass(frozen=True, slots=True)
class IndexPlan:
    """What a run would do, with rough figures: seconds on two cores, bytes of disk."""

    documents: tuple[PlannedSource, ...]
    seconds: float
    disk_bytes: int


def make_plan(
    found: Sequence[Found],
    states: Sequence[SourceState],
    policy: ChunkPolicy,
    graph: str,
    *,
    full: bool,
    embeds: bool,
) -> IndexPlan:
    """What would be read, and about how many seconds and bytes of disk that takes."""
    known = {state.source.source_id: state for state in states}
    planned = tuple(_planned(item, known, policy, graph, full=full) for item in found)
    chunks = sum(_chunks(item) for item in planned if item.status in ("new", "changed"))
    seconds = chunks / CHUNKS_READ_PER_SECOND + (chunks / CHUNKS_EMBEDDED_PER_SECOND if embeds else 0.0)
    return IndexPlan(planned, round(seconds, 1), round(chunks * BYTES_PER_CHUNK))


def _planned(
    item: Found, known: Mapping[str, SourceState], policy: ChunkPolicy, graph: str, *, full: bool
) -> PlannedSource:
    if item.source is None:
        return PlannedSource(item.source_id, "refused", item.reason)
    try:
        versions = edition_versions(with_patterns(version_for(item.path), item.ignored), policy, graph)
    except ReadError as error:
        return PlannedSource(item.source_id, "refused", str(error), item.source.size)
    state = known.get(item.source_id)
    if state is None:
        return PlannedSource(item.source_id, "new", None, item.source.size)
    same = is_unchanged(state, item.source, versions) and not full
    if same and state.status == "refused":
        return PlannedSource(item.source_id, "refused", state.reason, item.source.size)
    return PlannedSource(item.source_id, "unchanged" if same else "changed", None, item.source.size)


def _chunks(item: PlannedSource) -> float:
    suffix = item.source.rpartition(".")[2].lower()
    return 1 + item.size / 1e6 * CHUNKS_PER_MEGABYTE.get(suffix, CHUNKS_PER_MEGABYTE_OF_TEXT)
