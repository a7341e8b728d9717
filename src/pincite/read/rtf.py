"""RTF: the paragraphs and tables of a text, through striprtf."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pincite.errors import ReadError
from pincite.ports import ReadOptions
from pincite.read.encoding import clean, read_bytes
from pincite.read.parts import PartBuilder, Places, RawCell
from pincite.read.registry import stamp
from pincite.records.pages import Document

MAX_RTF_BYTES = 64 * 2**20
_CELL = "|"
"""What striprtf puts behind each cell of a table."""


class RtfReader:
    """Rich text. Pictures and what is embedded never appear; styles are not looked at, so there are no headings."""

    name = "rtf"
    suffixes = frozenset({".rtf"})

    def __init__(self) -> None:
        self.version = stamp(self.name, "1", "striprtf")

    def read(self, path: Path, options: ReadOptions) -> Document:
        """Read the file at `path`; raise ReadError where it is no RTF or holds no text."""
        data = read_bytes(path, MAX_RTF_BYTES)
        if not data.lstrip().startswith(b"{\\rtf"):
            raise ReadError("is damaged or of another kind: it does not begin as RTF does")
        builder, places = PartBuilder(1, options.max_characters), Places()
        rows: list[list[RawCell]] = []
        for line in [*_text(data).split("\n"), ""]:
            if line.rstrip().endswith(_CELL):
                rows.append([RawCell(cell) for cell in line.rstrip()[:-1].split(_CELL)])
                continue
            if rows:
                builder.add_table(rows, locator=places.block())
                rows = []
            if line.strip():
                builder.add("paragraph", line, locator=places.block())
        page = builder.page()
        if not page.text:
            raise ReadError("holds no text")
        return Document((page,), self.version, paged=False, locators="block")


def _text(data: bytes) -> str:
    """The plain text; characters that RTF writes as two halves are put together."""
    from striprtf.striprtf import rtf_to_text

    convert: Callable[..., str] = rtf_to_text
    try:
        text = convert(data.decode("cp1252", "replace"), errors="replace")
    except (ValueError, TypeError, LookupError, IndexError) as error:
        raise ReadError(f"is damaged: it cannot be taken apart as RTF ({error})") from error
    return clean(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\xad", ""))
