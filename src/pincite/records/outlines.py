"""What can be pointed to in a document, and what it points to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pincite.records.pages import Box, PlaceName

AnchorKind = Literal["table", "figure", "equation", "definition", "symbol", "footnote", "note", "list_item"]
ReferenceKind = Literal["see", "defined_in", "subject_to", "table", "figure", "equation", "annex", "external", "link"]
ReferenceStatus = Literal["resolved", "ambiguous", "external", "dangling"]


@dataclass(frozen=True, slots=True)
class Section:
    """A numbered or titled part. `start` and `end` are offsets in the joined text (pages joined by form feeds).

    `ordinal` counts the sections of a document in reading order; `parent` is an ordinal; `path` holds the
    labels from the top ("5", "5.2", "5.2(3)P").
    """

    ordinal: int
    number: str | None
    title: str
    level: int
    parent: int | None
    path: tuple[str, ...]
    first_page: int
    last_page: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Anchor:
    """A thing that text can point to, other than a section.

    `number` is its number without the word in front ("4.1", "B.2", "55"), None where it has none; `title` its
    caption, term or first words; `start` and `end` are offsets in the joined text, `page` the physical page of `start`;
    `section` is the ordinal of the innermost section that holds it; `box` is its region on the page, where known.
    """

    ordinal: int
    kind: AnchorKind
    number: str | None
    title: str
    page: int
    start: int
    end: int
    section: int | None = None
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class Reference:
    """Text that points, as written: `text` is the slice `[start, end)` of the joined text. `unit` is the singular word
    for what it points to ("rule", "table", "" for none, "document" for a whole one), `number` its number ("5.2(3)P",
    "B.3"), `until` the last of a range; `within` the ordinal of the reference that the place lies in ("Table 1 of Annex
    B"); `document` the words for its document, "this" for its own; `relative` "above", "below", "previous", "next" or
    "this"."""

    ordinal: int
    kind: ReferenceKind
    start: int
    end: int
    text: str
    unit: str = ""
    number: str | None = None
    until: str | None = None
    within: int | None = None
    document: str | None = None
    relative: str | None = None


@dataclass(frozen=True, slots=True)
class Hyperlink:
    """Where a hyperlink leads within its collection: the source id of the `file`, and what the `place` in it is called
    (None: its beginning). `reference` is the ordinal of the reference that it is the target of; None where it only
    leads about (contents, "Next")."""

    file: str
    place: str | None = None
    reference: int | None = None


@dataclass(frozen=True, slots=True)
class Target:
    """Where a reference leads: a section or an anchor (by ordinal) of a source, else a page of it, else the whole of it
    (`start` and `end` 0); `start` is its offset there."""

    source_id: str
    start: int
    end: int
    section: int | None = None
    anchor: int | None = None


@dataclass(frozen=True, slots=True)
class ReferenceLink:
    """What became of a reference. `targets`: one where it is resolved, the candidates where it is ambiguous."""

    source_id: str
    reference: int
    status: ReferenceStatus
    targets: tuple[Target, ...] = ()
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class PageStart:
    """Where a physical page stands in the joined text, `[start, end)`, and what is printed on it (None: not known)."""

    number: int
    start: int
    end: int
    label: str | None = None


@dataclass(frozen=True, slots=True)
class Outline:
    """What can be pointed to in one document, what it points to, and the names that it is called by (normal form).

    `pages` is empty where the document has none that text may point to. `place_names` are those of the places that
    hyperlinks lead to, in the order of the text.
    """

    source_id: str
    names: tuple[str, ...] = ()
    sections: tuple[Section, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    references: tuple[Reference, ...] = ()
    paged: bool = True
    pages: tuple[PageStart, ...] = ()
    hyperlinks: tuple[Hyperlink, ...] = ()
    place_names: tuple[PlaceName, ...] = ()
