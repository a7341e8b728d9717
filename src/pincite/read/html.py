"""HTML: what a reader of the page sees, as headings, paragraphs, list items and tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from pincite.errors import ReadError
from pincite.ports import ReadOptions
from pincite.read.encoding import MAX_BYTES_PER_CHARACTER, clean, decode, read_bytes
from pincite.read.html_walk import HtmlWalk
from pincite.read.markup import attribute, descendants, local, parse_html
from pincite.read.parts import PartBuilder, Places, fold
from pincite.read.versions import stamp
from pincite.records.pages import Document, Page

_META_BYTES = 4096
_XML_ENCODING = re.compile(r"\s*<\?xml[^>]{0,100}?encoding=[\"']([\w.:-]{1,40})")


class HtmlReader:
    """HTML and XHTML as browsers take them. Scripts, styles, comments and hidden elements never appear."""

    name = "html"
    suffixes = frozenset({".html", ".htm", ".xhtml"})

    def __init__(self) -> None:
        self.version = stamp(self.name, "9", "lxml", "charset-normalizer")

    def read(self, path: Path, options: ReadOptions) -> Document:
        """Read the file at `path`; raise ReadError where it holds no text that is shown."""
        data = read_bytes(path, options.max_characters * MAX_BYTES_PER_CHARACTER)
        builder = PartBuilder(1, options.max_characters)
        title = add_html(clean(decode(data, declared_charset(data))), builder, Places())
        page = _with_text(builder.page())
        if not page.text:
            raise ReadError("holds no text")
        return Document((page,), self.version, title=title, paged=False, locators="block")


def _with_text(page: Page) -> Page:
    """The page; one that is a menu and nothing else, a site's map, says what its menu says."""
    if any(block.kind not in ("furniture", "heading") for block in page.blocks):
        return page
    blocks = (replace(item, kind="paragraph") if item.kind == "furniture" else item for item in page.blocks)
    return replace(page, blocks=tuple(blocks))


def add_html(text: str, builder: PartBuilder, places: Places) -> str | None:
    """Add the blocks of an HTML text; its title, None where it states none."""
    root = parse_html(text)
    if root is None:
        return None
    HtmlWalk(builder, places).walk(root)
    title = next(descendants(root, "title"), None)
    return fold("".join(title.itertext())) or None if title is not None else None


def declared_charset(data: bytes) -> str | None:
    """The encoding that an XML declaration or a meta element near the top states."""
    head = data[:_META_BYTES].decode("latin-1")
    return next(_stated(head), None)


def _stated(head: str) -> Iterator[str]:
    declaration = _XML_ENCODING.match(head)
    if declaration:
        yield declaration[1]
    root = parse_html(clean(head)) if "<meta" in head.lower() else None
    if root is None:
        return
    for meta in (item for item in root.iter() if local(item) == "meta"):
        charset = attribute(meta, "charset")
        content = attribute(meta, "content").lower()
        if charset:
            yield charset
        elif "charset=" in content:
            yield content.partition("charset=")[2].partition(";")[0].strip()
