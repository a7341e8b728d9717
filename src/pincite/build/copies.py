"""Copies and revisions among documents: the same to the letter, the same but for some lines, or a newer revision by
name (rev B after rev A)."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cmp_to_key
from itertools import chain, combinations
from pathlib import PurePosixPath

from pincite.build.faults import all_together
from pincite.printing import printed_name
from pincite.records.sources import Source
from pincite.store.generations import Generations
from pincite.store.sql_record import SqlRecord

LEAST_LETTERS = 16
LEAST_SHARE = 0.6
MOST_HOLDERS = 20


@dataclass(frozen=True, slots=True)
class NearCopy:
    """Two texts and the share of the longer one's lines that both have."""

    first: str
    second: str
    share: float


def near_copies(texts: Iterable[tuple[str, str]]) -> list[NearCopy]:
    """The pairs of named texts that share at least 60 % of the longer one's lines, by name. Lines are compared by
    letters and digits; short ones and very common ones do not count."""
    lines = {name: frozenset(_line_keys(text)) for name, text in texts}
    holders: dict[bytes, list[str]] = defaultdict(list)
    for name in sorted(lines):
        for key in lines[name]:
            holders[key].append(name)
    shared: Counter[tuple[str, str]] = Counter()
    for names in holders.values():
        if len(names) <= MOST_HOLDERS:
            shared.update(combinations(names, 2))
    found = (
        NearCopy(first, second, round(count / max(len(lines[first]), len(lines[second])), 3))
        for (first, second), count in shared.items()
    )
    return sorted((item for item in found if item.share >= LEAST_SHARE), key=lambda item: (item.first, item.second))


def _line_keys(text: str) -> Iterator[bytes]:
    for line in text.split("\n"):
        letters = "".join(filter(str.isalnum, line.casefold()))
        if len(letters) >= LEAST_LETTERS:
            yield hashlib.blake2b(letters.encode("utf-8", "surrogatepass"), digest_size=8).digest()


_GAPS = re.compile(r"[\s_,;()\[\]-]+")
_REVISION = re.compile(
    r"\b(?:rev(?:ision)?|issue|edition|ed|amendment|v(?:er(?:sion)?)?)\.? ?(\d{1,4}(?:\.\d{1,4})*|[a-z])\b"
)
_DATE = re.compile(r"\b((?:19|20)\d\d)(?:[ .]?(0[1-9]|1[0-2])(?:[ .]?(0[1-9]|[12]\d|3[01]))?)?\b")
_DRAFT = re.compile(r"\b(?:draft|preliminary|wip|entwurf|brouillon|borrador)\b")
_FINAL = re.compile(r"\b(?:final|approved|released|issued)\b")
Numbers = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RevisionName:
    """A name taken apart: what is left without marks, then its revision, dates, and whether it is a draft.

    A letter counts as a revision of its own kind: `lettered`.
    """

    base: str
    revision: Numbers = ()
    lettered: bool = False
    dates: tuple[Numbers, ...] = ()
    draft: bool = False


def revision_name(name: str) -> RevisionName:
    """Take a name or title apart."""
    text = _GAPS.sub(" ", name.casefold())
    stated = _REVISION.search(text)
    text = _REVISION.sub(" ", text)
    dates = tuple(tuple(int(part) for part in found if part) for found in _DATE.findall(text))
    draft = _DRAFT.search(text) is not None
    base = _FINAL.sub(" ", _DRAFT.sub(" ", _DATE.sub(" ", text)))
    letters = "".join(filter(str.isalnum, base))
    if stated is None:
        return RevisionName(letters, dates=dates, draft=draft)
    lettered = stated[1].isalpha()
    numbers = (ord(stated[1]),) if lettered else tuple(map(int, stated[1].split(".")))
    return RevisionName(letters, numbers, lettered, dates, draft)


def is_newer(name: RevisionName, other: RevisionName) -> bool:
    """Whether the first is a later revision of the same name as the second: by revision, then dates, then draft."""
    if name.base != other.base:
        return False
    if name.revision and other.revision and name.lettered == other.lettered and name.revision != other.revision:
        return name.revision > other.revision
    if name.dates != other.dates and len(name.dates) == len(other.dates):
        return name.dates > other.dates
    return other.draft and not name.draft


@dataclass(frozen=True, slots=True)
class Copies:
    """`exact`: sources with the same bytes, together; `near`: pairs of other documents, such as two revisions."""

    exact: tuple[tuple[str, ...], ...] = ()
    near: tuple[NearCopy, ...] = ()


def find_copies(record: SqlRecord, is_open: Callable[[Source], bool]) -> Copies:
    """The copies among all documents that were read and are open to the asker; exact copies are represented by the
    first."""
    by_content: dict[str, list[str]] = defaultdict(list)
    for state in record.sources():
        if state.status != "refused" and is_open(state.source):
            by_content[state.source.content_sha256].append(state.source.source_id)
    groups = sorted(by_content.values())
    first = ((group[0], "\n".join(page.text for page in record.pages(group[0]))) for group in groups)
    return Copies(tuple(tuple(group) for group in groups if len(group) > 1), tuple(near_copies(first)))


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
    """The newer near copies of each of these documents, newest first. Only documents whose names differ in a revision
    mark alone, or that have dates and share a passage, are compared line by line: a store without revisions costs next
    to nothing."""
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
