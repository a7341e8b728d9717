"""EPUB: the chapters of a book in their reading order, each a part, by the rules of HTML."""

from __future__ import annotations

import posixpath
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote, unquote

from pincite.errors import ReadError
from pincite.ports import ReadOptions
from pincite.read.archive import Archive, part_name
from pincite.read.encoding import clean, decode
from pincite.read.html import add_html, declared_charset
from pincite.read.linked import LONGEST_HREF
from pincite.read.markup import Element, attribute, children, descendants, local, parse_xml, text_of
from pincite.read.parts import PartBuilder, Places, fold, part_warnings, read_parts
from pincite.records.pages import Document, Page, PlaceName
from pincite.text.addresses import is_external

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_CHAPTER_TYPES = ("application/xhtml+xml", "text/html")


def read_epub(path: Path, options: ReadOptions) -> Document:
    """Books without copy protection. A chapter that cannot be read is a part without text and a warning. ReadError
    where the file is damaged, protected or holds no text."""
    with Archive(path) as archive:
        package = _package(archive)
        root = parse_xml(archive.read(package), package)
        chapters = _chapters(root, posixpath.dirname(package))
        protected = _protected(archive)
        if protected.intersection(chapters):
            raise ReadError("is protected against copying: it cannot be read")
        if len(chapters) > options.max_pages:
            raise ReadError(f"has {len(chapters):,} chapters, the limit is {options.max_pages:,}")
        places = Places()

        def add(chapter: str, builder: PartBuilder) -> None:
            data = archive.read(chapter)
            add_html(clean(decode(data, declared_charset(data))), builder, places)

        pages, failed = read_parts(chapters, options.max_characters, add)
    return Document(
        tuple(map(_in_book, pages, chapters)),
        title=_metadata(root, "title"),
        paged=False,
        locators="block",
        metadata={"author": author} if (author := _metadata(root, "creator")) else {},
        warnings=part_warnings("chapter", failed),
    )


def _in_book(page: Page, chapter: str) -> Page:
    """A chapter whose links and names of places are valid in the whole book: "ch2.xhtml#caching"."""
    names = [PlaceName(f"{chapter}#{item.name}", item.start) for item in page.place_names]
    links = (replace(link, href=_in_this_file(link.href, chapter)) for link in page.links)
    kept = tuple(link for link in links if len(link.href) <= LONGEST_HREF)
    return replace(page, links=kept, place_names=(PlaceName(chapter, 0), *names))


def _in_this_file(href: str, chapter: str) -> str:
    """Where a link of a chapter leads, as a place of the book; addresses outside stay as they are."""
    if is_external(href):
        return href
    path, _, place = href.partition("#")
    member = part_name(posixpath.dirname(chapter), unquote(path.partition("?")[0])) if path else chapter
    return "#" + quote(f"{member}#{unquote(place)}" if place else member)


def _package(archive: Archive) -> str:
    """The name of the package document."""
    root = parse_xml(archive.read(_CONTAINER), _CONTAINER)
    entry = next(descendants(root, "rootfile"), None)
    if entry is None:
        raise ReadError(f"is damaged: {_CONTAINER} names no package document")
    return part_name("", attribute(entry, "full-path"))


def _chapters(root: Element, folder: str) -> list[str]:
    """The members of the reading order that are chapters, each once: an entry may mean a place inside one (`a#b`)."""
    items = {attribute(item, "id"): item for item in descendants(root, "item")}
    order = (items.get(attribute(entry, "idref")) for entry in children(root, "spine"))
    shown = (item for item in order if item is not None and attribute(item, "media-type") in _CHAPTER_TYPES)
    files = (attribute(item, "href").partition("#")[0] for item in shown)
    return list(dict.fromkeys(part_name(folder, unquote(file)) for file in files))


def _protected(archive: Archive) -> set[str]:
    """The members that are encrypted (fonts often are, which does not matter)."""
    data = archive.read_if_there(_ENCRYPTION)
    items = descendants(parse_xml(data, _ENCRYPTION), "CipherReference") if data is not None else ()
    return {part_name("", unquote(attribute(item, "URI"))) for item in items}


def _metadata(root: Element, name: str) -> str | None:
    found = (item for item in children(root, "metadata") if local(item) == name)
    return next((text for item in found if (text := fold(text_of(item)))), None)
