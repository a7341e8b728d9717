"""Which documents of a store have a newer revision in it."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cmp_to_key
from itertools import chain
from pathlib import PurePosixPath

from pincite.build.faults import all_together
from pincite.store.generations import Generations
from pincite.store.sql_record import SqlRecord
from pincite.text.copies import near_copies
from pincite.text.names import printed_name
from pincite.text.revisions import RevisionName, is_newer, revision_name

REVISIONS_VERSION = "2"
REVISIONS_FILE = "revisions.json"


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A document with what may tell its age."""

    source_id: str
    date: str | None
    names: tuple[RevisionName, ...]

    def is_newer(self, other: _Candidate) -> bool:
        """By the dates that a manifest states, else by file name, else by title."""
        if self.date and other.date and self.date != other.date:
            return self.date > other.date
        return any(is_newer(*pair) for pair in zip(self.names, other.names, strict=False))


def note_revisions(record: SqlRecord, generations: Generations, digest: str) -> None:
    """Note beside the generations which documents have a newer revision, unless that is known for these documents
    (`digest` of their generation) and dates already."""
    dates = sorted((state.source.source_id, state.source.date) for state in record.sources() if state.source.date)
    of = hashlib.sha256(json.dumps([REVISIONS_VERSION, digest, dates]).encode()).hexdigest()
    if generations.noted(REVISIONS_FILE).get("of") != of:
        newer = _newest(record)
        generations.note(REVISIONS_FILE, {"of": of, "newer": newer})


def _newest(record: SqlRecord) -> dict[str, list[str]]:
    dates = {state.source.source_id: state.source.date for state in record.sources()}
    known = [
        _Candidate(item.source_id, dates.get(item.source_id), _names(item.source_id, item.title or ""))
        for item in record.documents()
    ]

    def among(part: Sequence[_Candidate]) -> dict[str, list[str]]:
        return newer_revisions(record, part)

    return all_together(among, known, lambda item: item.source_id, "comparing it with others")


def newer_revisions(record: SqlRecord, candidates: Sequence[_Candidate]) -> dict[str, list[str]]:
    """For each of these documents of which there are newer near copies among them: these, the newest first.

    Only documents whose names differ in a mark of revision alone, or that have dates and a passage in common, are
    compared line by line, so that a store without revisions costs next to nothing.
    """
    known = {candidate.source_id: candidate for candidate in candidates}
    groups = [*_alike_in_name(candidates), *_alike_in_passages(record, known)]
    compared = sorted(set(chain.from_iterable(group for group in groups if _has_order([known[n] for n in group]))))
    found: dict[str, list[str]] = defaultdict(list)
    for pair in near_copies((name, "\n".join(page.text for page in record.pages(name))) for name in compared):
        first, second = known[pair.first], known[pair.second]
        for old, new in ((first, second), (second, first)):
            if new.is_newer(old):
                found[old.source_id].append(new.source_id)

    def order(first: str, second: str) -> int:
        return known[second].is_newer(known[first]) - known[first].is_newer(known[second])

    return {name: sorted(newer, key=cmp_to_key(order)) for name, newer in sorted(found.items())}


def revision_notices(cited: Iterable[str], generations: Generations, is_seen: Callable[[str], bool]) -> list[str]:
    """A notice for each cited source of which the store holds a newer revision that the asker may see: the newest."""
    newer = generations.noted(REVISIONS_FILE).get("newer", {})
    seen = ((name, next(filter(is_seen, newer.get(name, ())), None)) for name in sorted(set(cited)))
    return [
        f"{printed_name(name)} has a newer revision in the store: {printed_name(newest)}"
        for name, newest in seen
        if newest is not None
    ]


def _names(source_id: str, title: str) -> tuple[RevisionName, ...]:
    stem = revision_name(PurePosixPath(source_id).stem)
    return (stem, revision_name(title)) if title else (stem,)


def _alike_in_name(known: Iterable[_Candidate]) -> list[list[str]]:
    """Documents whose file names, or whose titles, are the same but for marks of revision."""
    groups: dict[tuple[int, str], list[str]] = defaultdict(list)
    for candidate in known:
        for place, name in enumerate(candidate.names):
            groups[place, name.base].append(candidate.source_id)
    return list(groups.values())


def _alike_in_passages(record: SqlRecord, known: Mapping[str, _Candidate]) -> list[list[str]]:
    """Documents with dates that have a passage in common."""
    first: dict[bytes, str] = {}
    groups: dict[bytes, set[str]] = defaultdict(set)
    for source_id, sha256 in record.passages({name for name, candidate in known.items() if candidate.date}):
        digest = bytes.fromhex(sha256)
        other = first.setdefault(digest, source_id)
        if other != source_id:
            groups[digest] |= {other, source_id}
    return [sorted(group) for group in groups.values()]


def _has_order(group: Sequence[_Candidate]) -> bool:
    """Whether some document of a group is newer than another: neighbours in the order of their marks tell."""
    if len(group) < 2:
        return False
    marks = {(item.date, tuple((n.revision, n.dates, n.draft) for n in item.names)) for item in group}
    return len(marks) > 1
