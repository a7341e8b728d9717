"""HTML: what a reader of the page sees, as headings, paragraphs, list items and tables. The tree is walked without
recursion."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from lxml import etree

from pincite.ports import ReadOptions
from pincite.read.encoding import MAX_BYTES_PER_CHARACTER, clean, decode, read_bytes
from pincite.read.html_elements import HtmlLooks, ListMarks, picture_text, shown_field
from pincite.read.html_sheets import apply_sheets, hide_white_text
from pincite.read.linked import Linked, LinkedPieces, joined, parted
from pincite.read.markup import MAX_SPAN, Element, attribute, descendants, local, parse_html, span_of
from pincite.read.parts import PartBuilder, Places, RawCell, fold, one_part
from pincite.read.plain_text import HEADING_LEVEL, is_prose, printed_pieces
from pincite.records.pages import BlockKind, Document, Page

_OWN_SIGNS = ("¶", "#", "§", "🔗")
"""Of Sphinx, Texinfo, MkDocs, rustdoc."""
_NEVER_SHOWN = frozenset(
    (
        *("script", "style", "head", "template", "noscript", "svg", "canvas", "iframe", "object", "embed", "audio"),
        *("video", "input", "select", "datalist", "frameset", "map"),
    )
)
_HIDDEN_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|(?:font-size|opacity)\s*:\s*0(?![.\d])", re.IGNORECASE
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BLOCKS = frozenset(
    (
        *(
            "address",
            "article",
            "aside",
            "blockquote",
            "body",
            "caption",
            "center",
            "dd",
            "details",
            "dialog",
            "div",
        ),
        *("dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "header", "hr", "html", "legend", "li"),
        *("main", "menu", "nav", "ol", "p", "pre", "section", "summary", "table", "tbody", "td", "tfoot", "th"),
        *("thead", "tr", "ul", *_HEADINGS),
    )
)
_KINDS: dict[str, BlockKind] = {
    "li": "list_item",
    "dt": "list_item",
    "dd": "list_item",
    "caption": "caption",
    "figcaption": "caption",
}
_WHOLE = frozenset({"dt", "code", "tt", "samp", "kbd"})
"""What an empty line does not part: a term, code."""
_NAVIGATION = re.compile(r"nav|nav[-_]?(?:header|footer|bar|panel|row|path)|navigation|breadcrumbs?", re.IGNORECASE)
"""What style sheets call the menus of a page: DocBook, Texinfo, Doxygen, Sphinx."""
_HOLDERS = frozenset({"div", "ul", "ol", "table", "p", "section", "header", "footer"})
_NEIGHBOURS = frozenset({"next", "prev", "previous", "up"})
"""What a link to the page before, behind or above this one states of itself (`rel`)."""
_EXHIBITS = frozenset({"table", "figure", "example", "equation"})
_NOT_IN_DATA_TABLES = frozenset({"table", "form", *_HEADINGS})


class HtmlWalk:
    """Adds the shown blocks of a tree to a builder. One walk for one tree."""

    def __init__(self, builder: PartBuilder, places: Places) -> None:
        self._builder = builder
        self._places = places
        self._pieces = LinkedPieces()
        self._looks = HtmlLooks()
        self._open: list[str] = []
        self._navigation: int | None = None
        self._list_marks: list[ListMarks] = []
        self._pictures: list[str] = []
        self._mark = ""
        self._terms: list[Linked] = []
        self._pre = 0

    def walk(self, root: Element) -> None:
        """Go through the tree in document order."""
        events = etree.iterwalk(root, events=("start", "end"))
        for event, element in events:
            if event == "end":
                self._leave(element)
            elif is_hidden(element) or self._took_table(element):
                if field := shown_field(element):
                    self._pieces.add(f" {field} ", self._looks.here)
                events.skip_subtree()
                self._open.append("")
            else:
                self._enter(element)
        self._flush()
        self._flush_terms()

    def _enter(self, element: Element) -> None:
        name = "caption" if _is_title_of_exhibit(element) else local(element)
        if name in _BLOCKS:
            self._flush()
        if name == "blockquote":
            self._builder.begin_quote()
        for known in names_of(element):
            self._builder.name_next(known)
        if self._navigation is None and is_navigation(element, name):
            self._navigation = len(self._open)
        self._open.append(name)
        self._looks.enter(element, name)
        self._pre += name == "pre"
        if name in ("ol", "ul"):
            self._list_marks.append(ListMarks.of(element))
        elif name == "li":
            self._mark = self._list_marks[-1].mark(element) if self._list_marks else ""
        elif name == "img" and (said := picture_text(element)):
            self._pictures.append(said)
        elif name == "br" and self._pieces.ends_line() and self._is_running_text():
            self._flush()
        elif name == "br":
            self._pieces.add("\n")
        elif name == "a":
            self._pieces.open_link(element.get("href", ""))
        self._take(element.text)

    def _leave(self, element: Element) -> None:
        name = self._open[-1]
        if name in _BLOCKS:
            self._flush()
        if name == "blockquote":
            self._builder.end_quote()
        self._open.pop()
        self._looks.leave(element)
        if self._navigation == len(self._open):
            self._navigation = None
        self._pre -= name == "pre"
        if name in ("ol", "ul"):
            self._list_marks.pop()
        elif name == "dl":
            self._flush_terms()
        elif name == "a":
            self._pieces.close_link()
        self._take(element.tail)

    def _take(self, text: str | None) -> None:
        if text:
            self._pieces.add(text if self._pre else text.replace("\n", " "), self._looks.here)

    def _flush(self) -> None:
        """Add the collected text as a block, followed by the alternative texts of its pictures."""
        self._flush_text()
        for said in self._pictures:
            self._builder.add("figure" if self._navigation is None else "furniture", said, locator=self._places.block())
        self._pictures.clear()

    def _flush_text(self) -> None:
        taken = self._pieces.take()
        own = Linked(taken.text.strip(), taken.links)
        if not own.text:
            return
        if "dt" in self._open:
            self._terms.append(own)
            return
        if self._pre and not self._terms and not self._mark and is_prose(own.text):
            self._add_printed(own)
            return
        kind, level = self._kind()
        if level:
            self._flush_terms()
        whole, self._mark = joined([*self._terms, joined([Linked(self._mark), own], "")], "\n"), ""
        self._terms.clear()
        locator = self._places.heading(whole.text, level) if level else self._places.block()
        self._builder.add(kind, whole.text, level=level, locator=locator, links=whole.links)

    def _add_printed(self, own: Linked) -> None:
        """Add preformatted text, one block for each of its pieces."""
        pieces = list(printed_pieces(own.text))
        texts = parted(own, [(start, end) for _, start, end in pieces])
        for (kind, _, _), piece in zip(pieces, texts, strict=True):
            is_heading = kind == "heading"
            locator = self._places.heading(piece.text, HEADING_LEVEL) if is_heading else self._places.block()
            level = HEADING_LEVEL if is_heading else None
            self._builder.add(kind, piece.text, level=level, locator=locator, links=piece.links)

    def _flush_terms(self) -> None:
        """Add the terms of a list of definitions that no text followed: the others stand above theirs, in one block."""
        for term in self._terms:
            self._builder.add("list_item", term.text, locator=self._places.block(), links=term.links)
        self._terms.clear()

    def _is_running_text(self) -> bool:
        """Whether an empty line parts paragraphs here."""
        return not self._pre and _WHOLE.isdisjoint(self._open) and self._kind()[0] in ("paragraph", "list_item")

    def _kind(self) -> tuple[BlockKind, int | None]:
        """What the innermost open elements make of a text."""
        if self._navigation is not None:
            return "furniture", None
        for name in reversed(self._open):
            if name in _HEADINGS:
                return "heading", _HEADINGS[name]
            if name in _KINDS:
                return _KINDS[name], None
        return "paragraph", None

    def _took_table(self, element: Element) -> bool:
        """Add a data table as a whole; a table that only lays out a page is walked like any other element."""
        if (
            local(element) != "table"
            or self._navigation is not None
            or is_navigation(element, "table")
            or _is_layout(element)
        ):
            return False
        self._flush()
        self._flush_terms()
        for known in names_of(element):
            self._builder.name_next(known)
        caption = next((item for item in element if local(item) == "caption"), None)
        if caption is not None:
            shown = shown_text(caption)
            self._builder.add("caption", shown.text, locator=self._places.block(), links=shown.links)
        self._builder.add_table(_rows(element), locator=self._places.block())
        return True


def is_hidden(element: Element) -> bool:
    """Not shown by a browser: scripts, styles, the hidden attribute, inline styles that hide, the sign by which a
    heading leads to itself and which stands there under the mouse alone."""
    name = local(element)
    if not name or name in _NEVER_SHOWN or "hidden" in element.attrib or (name == "a" and _is_own_sign(element)):
        return True
    return bool(_HIDDEN_STYLE.search(element.attrib.get("style", "")))


def _is_own_sign(link: Element) -> bool:
    is_sign = not len(link) and (link.text or "").strip() in _OWN_SIGNS
    return is_sign and link.get("href", "").startswith("#")


def is_navigation(element: Element, name: str) -> bool:
    """A menu, or the links to the pages before and behind this one: by its name, its role, its style's name, or what
    its links state."""
    if name not in _HOLDERS:
        return name == "nav"
    attributes = element.attrib
    if attributes.get("role") == "navigation" or _is_called_navigation(attributes.get("class", "")):
        return True
    return _leads_to_neighbours(element)


def _leads_to_neighbours(element: Element) -> bool:
    """Whether an element that holds no blocks has a link to the page before or behind this one."""
    relations = (child.get("rel") for child in element if local(child) == "a")
    is_one = any(not _NEIGHBOURS.isdisjoint(relation.lower().split()) for relation in relations if relation)
    return is_one and all(local(child) not in _BLOCKS for child in element)


@lru_cache(maxsize=1024)
def _is_called_navigation(styles: str) -> bool:
    return any(map(_NAVIGATION.fullmatch, styles.split()))


def _is_title_of_exhibit(element: Element) -> bool:
    """The paragraph above a table or figure that DocBook's style sheets make of its title."""
    if local(element) != "p" or element.get("class") != "title":
        return False
    above = element.getparent()
    return above is not None and above.get("class") in _EXHIBITS


def names_of(element: Element) -> Iterator[str]:
    """What hyperlinks call the place of an element."""
    if name := element.get("id"):
        yield name
    if local(element) == "a" and (name := element.get("name")):
        yield name


def shown_text(root: Element) -> Linked:
    """All shown text below an element, its blocks parted by spaces, without what follows it."""
    pieces, looks = LinkedPieces(), HtmlLooks()
    events = etree.iterwalk(root, events=("start", "end"))
    for event, element in events:
        name = local(element)
        apart = name in _BLOCKS or name == "br"
        if event == "start" and is_hidden(element):
            pieces.add(f" {field} " if (field := shown_field(element)) else "")
            events.skip_subtree()
        elif event == "start":
            if name == "a":
                pieces.open_link(element.get("href", ""))
            looks.enter(element, name)
            if said := picture_text(element):
                pieces.add(f" {said} ")
            pieces.add((" " if apart else "") + (element.text or ""), looks.here)
        elif element is not root:
            if name == "a":
                pieces.close_link()
            looks.leave(element)
            pieces.add((" " if apart else "") + (element.tail or ""), looks.here)
    taken = pieces.take()
    return Linked(" ".join(taken.text.split()), taken.links)


def _is_layout(table: Element) -> bool:
    rows = [item for item in table.iter() if local(item) == "tr"]
    if len(rows) == 0 or all(len(row) <= 1 for row in rows):
        return True
    return any(item is not table and local(item) in _NOT_IN_DATA_TABLES for item in table.iter())


def _rows(table: Element) -> list[list[RawCell]]:
    return [list(_cells(row)) for row in table.iter() if local(row) == "tr" and not is_hidden(row)]


def _height(cell: Element, row: Element) -> int:
    """The rows that a cell spans; 0 means all that remain of its part of the table."""
    if attribute(cell, "rowspan").strip() != "0":
        return span_of(cell, "rowspan")
    return min(1 + sum(1 for item in row.itersiblings() if local(item) == "tr"), MAX_SPAN)


def _cells(row: Element) -> Iterator[RawCell]:
    of_row = tuple(names_of(row))
    for cell in row:
        if local(cell) in ("td", "th"):
            shown = Linked("") if is_hidden(cell) else shown_text(cell)
            height, width = _height(cell, row), span_of(cell, "colspan")
            names = (*of_row, *(name for item in cell.iter() for name in names_of(item)))
            yield RawCell(shown.text, height, width, header=local(cell) == "th", links=shown.links, names=names)
            of_row = ()


_META_BYTES = 4096
_XML_ENCODING = re.compile(r"\s*<\?xml[^>]{0,100}?encoding=[\"']([\w.:-]{1,40})")


def read_html(path: Path, options: ReadOptions) -> Document:
    """HTML and XHTML as browsers take them. Scripts, styles, comments and hidden elements never appear. ReadError where
    no text is shown."""
    data = read_bytes(path, options.max_characters * MAX_BYTES_PER_CHARACTER)
    builder = PartBuilder(1, options.max_characters)
    title = add_html(clean(decode(data, declared_charset(data))), builder, Places())
    return one_part(_with_text(builder.page()), title=title)


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
    apply_sheets(root)
    hide_white_text(root)
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
