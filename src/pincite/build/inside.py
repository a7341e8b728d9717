"""Sources that lie inside others: members of archives, attachments of mails (docs/design.md section 4)."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from pathlib import PurePosixPath

from pincite.build.sources import INSIDE, Found, Ignored
from pincite.printing import printed_name
from pincite.read.archive import MAX_RATIO, RATIO_FREE_BYTES
from pincite.read.registry import holds_files
from pincite.records.chunks import Edition
from pincite.records.pages import Document, Member
from pincite.records.sources import Source, SourceState

MAX_DEPTH = 3
"""Archives and mails inside each other."""
MAX_UNPACKED_BYTES = 4 * 2**30
MAX_INSIDE = 20_000
"""Both of all that lies inside one file, at any depth."""


class Unpacked:
    """What lies inside the files of one run: bounds its depth and number, and knows which holders wait for members. A
    holder is stored after its members: a run that is cut off before reads it again."""

    def __init__(self, states: Iterable[SourceState] = ()) -> None:
        self._bytes: dict[str, int] = defaultdict(int)
        self._members: dict[str, int] = defaultdict(int)
        self._packed_bytes: dict[str, int] = {}
        self._states: dict[str, list[SourceState]] = defaultdict(list)
        self._waiting: dict[str, tuple[Edition, set[str]]] = {}
        for state in states:
            outermost, inside, _ = state.source.source_id.partition(INSIDE)
            if inside:
                self._states[outermost].append(state)

    def states(self, source_id: str) -> list[SourceState]:
        """What the store holds of the sources inside this one, at any depth."""
        outermost = source_id.partition(INSIDE)[0]
        return [state for state in self._states[outermost] if state.source.source_id.startswith(source_id + INSIDE)]

    def gone(self, holder: Found, document: Document) -> list[SourceState]:
        """Those of `states` that a holder which was read anew holds no more."""
        there, start = {member.name for member in document.members}, len(holder.source_id + INSIDE)
        return [
            state
            for state in self.states(holder.source_id)
            if state.source.source_id[start:].partition(INSIDE)[0] not in there
        ]

    def members(self, holder: Found, document: Document) -> list[Found]:
        """The members of a file that was read, with its tags, access and date; what is ignored is left out."""
        return [
            self._found(holder, member)
            for member in document.members
            if not holder.ignored.holds_inside(holder.place, "/".join((*holder.inside, member.name)))
        ]

    def wait(self, edition: Edition, members: Iterable[Found]) -> None:
        """Keep the edition of a holder until all of these are done."""
        self._waiting[edition.source.source_id] = (edition, {item.source_id for item in members})

    def done(self, source_id: str) -> Edition | None:
        """Say that a source is done; the edition of its holder, where that waited for this source alone."""
        holder = source_id.rpartition(INSIDE)[0]
        edition, members = self._waiting.get(holder, (None, set()))
        members.discard(source_id)
        if edition is not None and not members:
            del self._waiting[holder]
            return edition
        return None

    def _found(self, holder: Found, member: Member) -> Found:
        outermost = holder.source_id.partition(INSIDE)[0]
        if not holder.inside and holder.source is not None:
            self._packed_bytes[outermost] = holder.source.size or 0
        self._bytes[outermost] += member.size
        self._members[outermost] += 1
        source_id = f"{holder.source_id}{INSIDE}{member.name}"
        reason = self._why_not(holder, outermost) or member.reason
        if reason or holder.source is None:
            return Found(holder.path, source_id, reason=reason, acl=holder.acl, says_access=holder.says_access)
        source = Source(
            source_id,
            PurePosixPath(member.name).suffix.lower().lstrip(".") or "file",
            member.content_sha256,
            size=member.size,
        )
        return replace(
            holder,
            source_id=source_id,
            source=as_inside(source, holder.source),
            inside=(*holder.inside, member.name),
            reader=member.reader,
        )

    def _why_not(self, holder: Found, outermost: str) -> str | None:
        if len(holder.inside) >= MAX_DEPTH:
            return f"lies deeper than {MAX_DEPTH} files inside each other: unpack it"
        if self._members[outermost] > MAX_INSIDE:
            return f"there are more than {MAX_INSIDE:,} files inside {printed_name(outermost)} together: unpack it"
        unpacked = self._bytes[outermost]
        if unpacked > MAX_UNPACKED_BYTES:
            return f"the files inside are larger than {MAX_UNPACKED_BYTES // 2**30} GiB together: unpack it (a bomb?)"
        if unpacked > RATIO_FREE_BYTES and unpacked > MAX_RATIO * self._packed_bytes.get(outermost, 0):
            return f"the files inside are more than {MAX_RATIO} times as large together as what holds them (a bomb?)"
        return None


def as_inside(source: Source, holder: Source) -> Source:
    """The source of a member as what it lies in says: tags, access, date, URI, time and stamp."""
    return replace(
        source,
        tags=holder.tags,
        acl=holder.acl,
        date=holder.date,
        uri=holder.uri,
        modified_ns=holder.modified_ns,
        stamp=holder.stamp,
    )


def with_patterns(reader_version: str, ignored: Ignored) -> str:
    """The version of a reader that finds files inside: other patterns of what is not read give other files."""
    if not ignored.patterns or not holds_files(reader_version):
        return reader_version
    digest = hashlib.sha256("\n".join(pattern for _, pattern in ignored.patterns).encode()).hexdigest()
    return f"{reader_version}; without {digest[:8]}"
