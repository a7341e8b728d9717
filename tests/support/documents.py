"""Documents that tests make by hand: pages of paragraphs, no files."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.records.pages import Block, BlockKind, Document, Page, Span
from pincite.records.sources import Source


def page(number: int, blocks: Sequence[tuple[BlockKind, str]], section: str | None = None) -> Page:
    """A page whose canonical text is its blocks, one after the other, a newline between them."""
    placed, position = [], 0
    for kind, text in blocks:
        placed.append(Block(kind, Span(number, position, position + len(text))))
        position += len(text) + 1
    return Page(number, "\n".join(text for _, text in blocks), tuple(placed), section=section)


def document(*pages: Sequence[tuple[BlockKind, str]] | str, title: str | None = None, paged: bool = True) -> Document:
    """A document of these pages; a string is one paragraph."""
    made = [[("paragraph", item)] if isinstance(item, str) else item for item in pages]
    return Document(tuple(page(n, blocks) for n, blocks in enumerate(made, 1)), "test 1", title=title, paged=paged)


def source(source_id: str = "a.pdf", content: str = "0" * 64, **fields: object) -> Source:
    """A source whose content hash is given."""
    return Source(source_id, "given", content, **fields)  # type: ignore[arg-type]
