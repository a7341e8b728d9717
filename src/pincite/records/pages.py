"""What reading a file gives: pages of canonical text, with blocks, tables, links and where each stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Literal

BlockKind = Literal[
    "paragraph", "heading", "list_item", "table", "figure", "equation", "caption", "footnote", "furniture"
]
PageOrigin = Literal["text", "ocr", "none"]
LocatorStyle = Literal["page", "line", "block"]


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Characters `[start, end)` of the canonical text of one page (or part), pages counted from 1."""

    page: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in points of the page as displayed (after CropBox and Rotate), origin top left."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def around(cls, boxes: Iterable[Box]) -> Box:
        """The smallest box around these, at least one."""
        members = list(boxes)
        return cls(
            min([box.left for box in members]),
            min([box.top for box in members]),
            max([box.right for box in members]),
            max([box.bottom for box in members]),
        )


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table; its text is the slice of the page that `span` names."""

    row: int
    column: int
    span: Span
    box: Box | None = None
    row_span: int = 1
    column_span: int = 1
    header: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows and cells of one table on one page. `partial`: the drawn grid has cells that hold no text."""

    span: Span
    row_count: int
    column_count: int
    cells: tuple[Cell, ...]
    box: Box | None = None
    partial: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, heading, list item, table, caption ... of one page.

    `level` is the heading level that the source itself states (a Word style, an HTML tag), if it does;
    `locator` is set where the source has no pages and no lines: "sec. 3.2, par. 4", "Sheet1!A4:F4".
    """

    kind: BlockKind
    span: Span
    box: Box | None = None
    level: int | None = None
    font_size: float | None = None
    bold: bool = False
    locator: str | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """A hyperlink: the words that carry it, and where it leads as the source writes it ("ch44.html#caching")."""

    span: Span
    href: str


@dataclass(frozen=True, slots=True)
class PlaceName:
    """What hyperlinks call a place (an `id`): `start` is where it begins, in the text of its page or, in an outline, in
    the joined text."""

    name: str
    start: int


@dataclass(frozen=True, slots=True)
class Page:
    """One part of a document: a page, slide, sheet, or the whole of a running text. `text` is canonical, in reading
    order, furniture included; blocks slice it without overlap. `label` is what is printed on the page ("iv"), None
    where unknown; `section` is the number of the section that the source states for this part, as evaluation corpora
    do."""

    number: int
    text: str
    blocks: tuple[Block, ...] = ()
    tables: tuple[Table, ...] = ()
    label: str | None = None
    width: float = 0.0
    height: float = 0.0
    origin: PageOrigin = "text"
    section: str | None = None
    links: tuple[Link, ...] = ()
    place_names: tuple[PlaceName, ...] = ()

    def text_of(self, span: Span) -> str:
        """What the page says there."""
        return self.text[span.start : span.end]


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """One bookmark: level counted from 1, physical page from 1 (None where it leads nowhere)."""

    title: str
    level: int
    page: int | None


@dataclass(frozen=True, slots=True)
class Member:
    """A file inside another one (an archive, a mail, a PDF): its name there with slashes between folders, its bytes'
    size and SHA-256. `reader` is the version of the reader that takes it, None with the `reason` where none does."""

    name: str
    size: int
    content_sha256: str
    reader: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """What reading a source gave, in which version of its `reader`. `paged`: a part's number may be printed as a
    page."""

    pages: tuple[Page, ...]
    reader: str = ""
    title: str | None = None
    paged: bool = True
    locators: LocatorStyle = "page"
    language: str | None = None
    outline: tuple[OutlineEntry, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    members: tuple[Member, ...] = ()

    def text_of(self, span: Span) -> str:
        """What the document says there."""
        return self.pages[span.page - 1].text_of(span)


def page_offsets(pages: Iterable[Page]) -> list[int]:
    """Where each page starts in the joined text (pages joined by form feeds), and the length of that text plus one."""
    return list(accumulate((len(page.text) + 1 for page in pages), initial=0))
