"""Documents that were handed in, who may see them, and their state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import BinaryIO, Literal

IndexStatus = Literal["indexed", "warned", "unchanged", "refused", "vanished", "removed"]
OBJECT_SCHEME = "s3://"
"""How the id of a source begins that lies in an object store: its address there."""
Readers = frozenset[frozenset[str]]
"""Who may see something: those with a tag of each of these sets; everybody where there are none."""
EVERYBODY: Readers = frozenset()


def may_all_see(readers: Readers, other: Readers) -> bool:
    """Whether all of these readers are among the other ones, whatever tags they have."""
    return all(any(tags <= wanted for tags in readers) for wanted in other)


@dataclass(frozen=True, slots=True)
class Source:
    """A file or object that was handed in. `content_sha256` is the hex digest of its bytes; `stamp` tells of an object
    whether it changed, and is empty for a file. `acl` are the tags of who may see it, `acl_then` those of who might
    while it was as a reader of the past sees it: who sees it then has one of each."""

    source_id: str
    source_type: str
    content_sha256: str
    size: int = 0
    modified_ns: int = 0
    tags: tuple[str, ...] = ()
    acl: tuple[str, ...] = ()
    date: str | None = None
    uri: str | None = None
    stamp: str = ""
    acl_then: tuple[tuple[str, ...], ...] = ()

    @property
    def filename(self) -> str:
        """The last part of the source id."""
        return self.source_id.rsplit("/", 1)[-1] or self.source_id

    @property
    def readers(self) -> Readers:
        """Who may see it."""
        return frozenset(frozenset(tags) for tags in (self.acl, *self.acl_then) if tags)


@dataclass(frozen=True, slots=True)
class DocumentLink:
    """A URL that opens the original of a document for anybody who has it, until it expires."""

    url: str
    expires: datetime


@dataclass(frozen=True, slots=True)
class Original:
    """The file of a document as it was indexed, open; the receiver closes it."""

    file: BinaryIO
    size: int
    is_pdf: bool


@dataclass(frozen=True, slots=True)
class SourceState:
    """What the record knows of a source: its current edition's versions, or why it was refused; how much of it is
    `masked`, by kind."""

    source: Source
    status: IndexStatus
    versions: Mapping[str, str] = field(default_factory=dict)
    reason: str | None = None
    page_count: int = 0
    chunk_count: int = 0
    warnings: tuple[str, ...] = ()
    masked: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SourceReport:
    """How one source ended in a run of indexing; how much of it is `masked`, by kind."""

    source: str
    status: IndexStatus
    reason: str | None = None
    pages: int = 0
    chunks: int = 0
    warnings: tuple[str, ...] = ()
    masked: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class IndexReport:
    """The result of an indexing run; `kept_closed` are the sources that it would have opened without being asked to."""

    documents: tuple[SourceReport, ...]
    counts: Mapping[str, int]
    seconds: float
    generation: str
    kept_closed: tuple[str, ...] = ()
