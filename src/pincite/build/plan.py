"""What indexing would do, and how long it would take by a sample of the files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from pincite.build.editions import edition_versions, is_unchanged
from pincite.build.inside import with_patterns
from pincite.build.sources import Found
from pincite.errors import ReadError
from pincite.read.registry import version_for
from pincite.records.chunks import ChunkPolicy
from pincite.records.sources import SourceState

CHUNKS_PER_MEGABYTE = {"pdf": 150.0, "docx": 200.0, "pptx": 60.0, "xlsx": 300.0, "epub": 400.0}
CHUNKS_PER_MEGABYTE_OF_TEXT = 550.0
CHUNKS_READ_PER_SECOND = 130.0
CHUNKS_EMBEDDED_PER_SECOND = 40.0
BYTES_PER_CHUNK = 40_000
"""Figures of this project's own documents on two cores: good for the order of magnitude alone."""
SAMPLE_FILES = 6
LARGEST_SAMPLE = 16_000_000
"""Bytes: larger files are not read for an estimate."""
TIMED_CHUNKS = 150
"""So many are embedded for an estimate, in files of at most as many."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What indexing some files took: seconds, and the chunks of each file."""

    seconds: float
    chunks: Mapping[Path, int]


@dataclass(frozen=True, slots=True)
class Trials:
    """Two ways to index files aside, for an estimate: `reading` alone, and `indexing` with all that a run does.

    Files of an earlier call are unchanged in a later one.
    """

    reading: Callable[[Sequence[Path]], Trial]
    indexing: Callable[[Sequence[Path]], Trial]


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
    trials: Trials | None = None,
) -> IndexPlan:
    """What would be read, and about how many seconds and bytes of disk that takes; without `trials`, and for objects,
    of which none is fetched for it, very roughly."""
    known = {state.source.source_id: state for state in states}
    planned = tuple(_planned(item, known, policy, graph, full=full) for item in found)
    paths = {item.source_id: item.place for item in found}
    here = {item.path for item in found if not item.is_to_be_fetched}
    expected = {paths[item.source]: _chunks(item) for item in planned if item.status in ("new", "changed")}
    seconds = _rough(sum(expected.values()), embeds=embeds)
    if trials:
        read_anew = {paths[item.source]: item.size for item in planned if paths[item.source] in expected}
        sample = _sample({path: size for path, size in read_anew.items() if path in here})
        read = trials.reading(sample).chunks if sample else {}
        expected = _corrected(expected, read)
        seconds = _measured(expected, read, trials, _rough(sum(expected.values()), embeds=embeds))
    return IndexPlan(planned, round(seconds, 1), round(sum(expected.values()) * BYTES_PER_CHUNK))


def _rough(chunks: float, *, embeds: bool) -> float:
    return chunks / CHUNKS_READ_PER_SECOND + (chunks / CHUNKS_EMBEDDED_PER_SECOND if embeds else 0.0)


def _sample(sizes: Mapping[Path, int]) -> list[Path]:
    """The smallest file, and those in which the bytes of all lie, at even distances."""
    fitting = sorted((size, path) for path, size in sizes.items() if size <= LARGEST_SAMPLE)
    step = sum(size for size, _ in fitting) / SAMPLE_FILES
    chosen = [path for _, path in fitting[:1]]
    passed = 0.0
    for size, path in fitting:
        before, passed = passed, passed + size
        if step and path not in chosen and before // step != passed // step:
            chosen.append(path)
    return chosen


def _corrected(expected: Mapping[Path, float], known: Mapping[Path, int]) -> dict[Path, float]:
    """The chunks of each file: those that are known, and for the others what is expected of files of their kind."""
    factors = {suffix: _factor(expected, known, suffix) for suffix in {path.suffix.lower() for path in expected}}
    return {path: known.get(path, count * factors[path.suffix.lower()]) for path, count in expected.items()}


def _factor(expected: Mapping[Path, float], known: Mapping[Path, int], suffix: str) -> float:
    """How many times the expected chunks the known files of this kind have; all known ones where there are none."""
    alike = [path for path in known if path.suffix.lower() == suffix] or list(known)
    usual = sum(expected[path] for path in alike)
    return sum(known[path] for path in alike) / usual if usual else 1.0


def _measured(expected: Mapping[Path, float], known: Mapping[Path, int], trials: Trials, rough: float) -> float:
    """The seconds of all files, from those that a few small ones take once the first has loaded what is needed."""
    small = _small(known)
    if not small:
        return rough
    start = trials.indexing(small[:1]).seconds
    timed = sum(known[path] for path in small[1:])
    chunks = sum(expected.values())
    rest = chunks - known[small[0]]
    return start + rest * (trials.indexing(small).seconds / timed if timed else rough / chunks)


def _small(known: Mapping[Path, int]) -> list[Path]:
    """Files of a few chunks, from few to many, until together they have enough to be timed."""
    chosen: list[Path] = []
    held = 0
    for path in sorted((path for path in known if 0 < known[path] <= TIMED_CHUNKS), key=lambda path: known[path]):
        if held < TIMED_CHUNKS:
            chosen.append(path)
            held += known[path]
    return chosen


def _planned(
    item: Found, known: Mapping[str, SourceState], policy: ChunkPolicy, graph: str, *, full: bool
) -> PlannedSource:
    if item.source is None:
        return PlannedSource(item.source_id, "refused", item.reason)
    planned = partial(PlannedSource, item.source_id, size=item.source.size)
    state = known.get(item.source_id)
    if item.is_to_be_fetched and item.reader is None:
        return planned("changed" if state else "new")
    try:
        versions = edition_versions(with_patterns(item.reader or version_for(item.path), item.ignored), policy, graph)
    except ReadError as error:
        return planned("refused", str(error))
    if state is None or full or not is_unchanged(state, item.source, versions):
        return planned("changed" if state else "new")
    return planned("refused", state.reason) if state.status == "refused" else planned("unchanged")


def _chunks(item: PlannedSource) -> float:
    suffix = item.source.rpartition(".")[2].lower()
    return 1 + item.size / 1e6 * CHUNKS_PER_MEGABYTE.get(suffix, CHUNKS_PER_MEGABYTE_OF_TEXT)
