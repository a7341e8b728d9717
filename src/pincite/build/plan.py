"""What indexing would do, and how long it would take by a sample of the files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
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
SAMPLE_FILES = 8
SAMPLE_CHUNKS = 400.0
"""Expected of all files of the sample together: some seconds."""

Timed = Callable[[Sequence[Path]], float]
"""Reads and indexes files, those of an earlier call as unchanged, and says how many seconds that took."""


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
    timed: Timed | None = None,
) -> IndexPlan:
    """What would be read, and about how many seconds and bytes of disk that takes; without `timed` very roughly."""
    known = {state.source.source_id: state for state in states}
    planned = tuple(_planned(item, known, policy, graph, full=full) for item in found)
    paths = {item.source_id: item.path for item in found}
    expected = {paths[item.source]: _chunks(item) for item in planned if item.status in ("new", "changed")}
    chunks = sum(expected.values())
    sample = _sample(expected) if timed else []
    seconds = _rough(chunks, embeds=embeds)
    if timed and sample:
        seconds = _measured(sample, expected, timed, seconds)
    return IndexPlan(planned, round(seconds, 1), round(chunks * BYTES_PER_CHUNK))


def _rough(chunks: float, *, embeds: bool) -> float:
    return chunks / CHUNKS_READ_PER_SECOND + (chunks / CHUNKS_EMBEDDED_PER_SECOND if embeds else 0.0)


def _measured(sample: Sequence[Path], expected: Mapping[Path, float], timed: Timed, rough: float) -> float:
    """The seconds of all files, from those that the sample takes once the first has loaded what is needed."""
    start = timed(sample[:1])
    others = sum(expected[path] for path in sample[1:])
    chunks = sum(expected.values())
    rest = chunks - expected[sample[0]]
    return start + rest * (timed(sample) / others if others else rough / chunks)


def _sample(expected: Mapping[Path, float]) -> list[Path]:
    """The smallest file, and others of all sizes that are not too large, from small to large."""
    by_size = sorted(expected, key=lambda path: (expected[path], path))
    fitting = [path for path in by_size if expected[path] <= SAMPLE_CHUNKS / 2]
    spread = fitting[:: max(1, len(fitting) // SAMPLE_FILES)]
    chosen: list[Path] = []
    left = SAMPLE_CHUNKS
    for path in spread:
        if expected[path] <= left:
            chosen.append(path)
            left -= expected[path]
    return chosen


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
