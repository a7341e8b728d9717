"""Text files whose places are line numbers: the canonical text keeps the file's own lines one to one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pincite.ports import ReadOptions
from pincite.read.encoding import text_of
from pincite.read.versions import stamp
from pincite.records.pages import Block, BlockKind, Document, Page, Span, Table


class PlainReader:
    """Text, logs, JSON and the like: paragraphs are runs of lines that are not blank."""

    name = "text"
    suffixes = frozenset({".txt", ".text", ".log", ".json", ".jsonl", ".ndjson", ".yaml", ".yml", ".rst", ".asc"})

    def __init__(self) -> None:
        self.version = stamp(self.name, "1", "charset-normalizer")

    def read(self, path: Path, options: ReadOptions) -> Document:
        """Read the file at `path`; raise ReadError where it holds no text."""
        text = text_of(path, options.max_characters)
        blocks = tuple(block("paragraph", text, start, end) for start, end in paragraphs(text))
        return line_document(text, blocks, self.version)


def line_document(
    text: str,
    blocks: tuple[Block, ...],
    reader: str,
    *,
    tables: tuple[Table, ...] = (),
    title: str | None = None,
    warnings: tuple[str, ...] = (),
) -> Document:
    """A document of one part whose places are lines."""
    page = Page(1, text, blocks, tables)
    return Document((page,), reader, title=title, paged=False, locators="line", warnings=warnings)


def block(kind: BlockKind, text: str, start: int, end: int, *, level: int | None = None) -> Block:
    """A block of `text[start:end]` without the white space at its ends."""
    piece = text[start:end]
    begin = start + len(piece) - len(piece.lstrip())
    return Block(kind, Span(1, begin, begin + len(piece.strip())), level=level)


def paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """The bounds of each run of lines that are not blank."""
    begin: int | None = None
    offset = 0
    for line in text.split("\n"):
        if line.strip():
            begin = offset if begin is None else begin
        elif begin is not None:
            yield begin, offset
            begin = None
        offset += len(line) + 1
    if begin is not None:
        yield begin, len(text)
