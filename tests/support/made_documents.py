"""Documents put together from blocks, and what every section tree must satisfy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pincite.records.outlines import Section
from pincite.records.pages import Block, BlockKind, Document, OutlineEntry, Page, Span


@dataclass(frozen=True)
class Piece:
    """One block as it will stand on a page."""

    text: str
    kind: BlockKind = "paragraph"
    size: float = 10.0
    bold: bool = False
    level: int | None = None


def text(words: str) -> Piece:
    """A paragraph of running text, long enough to be one."""
    return Piece(f"{words} and so on with enough words in it to be taken for running text, which it is.")


def heading(words: str, size: float = 14.0, *, level: int | None = None) -> Piece:
    """A heading that stands out."""
    return Piece(words, "heading", size, bold=True, level=level)


def plain_heading(words: str) -> Piece:
    """A heading that is set like running text."""
    return Piece(words, "heading")


def document(*pages: Sequence[Piece], outline: Sequence[OutlineEntry] = (), title: str | None = None) -> Document:
    """A document of these pages."""
    return Document(
        tuple(_page(number, pieces) for number, pieces in enumerate(pages, start=1)),
        "made",
        title=title,
        outline=tuple(outline),
    )


def _page(number: int, pieces: Sequence[Piece]) -> Page:
    blocks: list[Block] = []
    position = 0
    for piece in pieces:
        span = Span(number, position, position + len(piece.text))
        blocks.append(Block(piece.kind, span, level=piece.level, font_size=piece.size, bold=piece.bold))
        position += len(piece.text) + 1
    return Page(number, "\n".join(piece.text for piece in pieces), tuple(blocks))


def headings(sections: Sequence[Section]) -> list[tuple[str | None, str]]:
    """Number and title of each titled section."""
    return [(section.number, section.title) for section in sections if section.title]


def check_tree(made: Document, sections: Sequence[Section]) -> None:
    """Sections are in order, nest, cover all text, know their pages; parents come before children."""
    length = sum(len(page.text) + 1 for page in made.pages) - 1
    assert [section.ordinal for section in sections] == list(range(len(sections)))
    assert sections[0].start == 0
    covered = 0
    for section in sections:
        assert 0 <= section.start <= section.end <= length
        assert 1 <= section.first_page <= section.last_page <= len(made.pages)
        if section.parent is None:
            assert section.start == covered
            covered = section.end
            continue
        parent = sections[section.parent]
        assert parent.ordinal < section.ordinal
        assert parent.start <= section.start <= section.end <= parent.end
        assert parent.level < section.level
        assert section.path[:-1] == parent.path
    assert covered == length
    starts = [section.start for section in sections]
    assert starts == sorted(starts)
