"""Markdown: the source as it stands (places are its lines), with headings, list items, tables and hyperlinks
marked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from pincite.ports import ReadOptions
from pincite.read.encoding import text_of
from pincite.read.linked import LONGEST_HREF, MOST_LINKS
from pincite.read.plain_text import block, line_document, paragraphs
from pincite.records.pages import Block, BlockKind, Cell, Document, Link, PlaceName, Span, Table

_INLINE = re.compile(
    r"`[^`\n]{1,500}+`|"
    r"\[(?P<words>[^\[\]]{1,300}+)\]"
    r"(?:\(\s{0,3}+(?:<(?P<angled>[^<>\n]{1,500}+)>|(?P<href>[^\s()<>]{1,500}+))"
    r"(?:\s{1,9}+(?:\"[^\"\n]{0,300}+\"|'[^'\n]{0,300}+'))?\s{0,3}+\)"
    r"|\[(?P<label>[^\[\]\n]{0,100}+)\])?|"
    r"<a\s[^<>]{0,200}?\bhref=[\"'](?P<address>[^\"'<>\s]{1,500}+)[\"'][^<>]{0,200}+>"
    r"(?P<carrying>(?>(?:(?!</?a\b)[^\n]){1,300}))</a>",
    re.IGNORECASE,
)
_DEFINITION = re.compile(
    r"^ {0,3}\[(?P<label>[^\[\]\n]{1,100}+)\]:[ \t]{0,9}+<?(?P<href>[^\s<>]{1,500}+)", re.MULTILINE
)
_ELEMENT = re.compile(r"<[a-z][a-z\d]{0,10}+\s[^<>]{0,200}?\b(?:id|name)=[\"'](?P<name>[^\"'<>\s]{1,200}+)[\"']", re.I)
_STATED = re.compile(r"\{[^{}#\n]{0,100}+#(?P<name>[\w:.-]{1,200}+)[^{}\n]{0,100}+\}\s*+$")
_TARGET = re.compile(r"\]\([^()\s]{0,500}+\)")
_NOT_IN_NAME = re.compile(r"[^\w\s-]+")


def find_links(text: str, prose: Sequence[Span]) -> tuple[Link, ...]:
    """The links inside these spans of the text, in order; none in code."""
    defined = {_label(match["label"]): match["href"] for match in _DEFINITION.finditer(text)}
    return tuple(islice(_links(text, prose, defined), MOST_LINKS))


def find_names(text: str, blocks: Sequence[Block]) -> tuple[PlaceName, ...]:
    """What links call the headings and the elements of the text, in order."""
    headings = [item.span for item in blocks if item.kind == "heading"]
    named = [PlaceName(match["name"], match.start()) for match in _ELEMENT.finditer(text)]
    named += _names_of_headings(text, headings)
    return tuple(sorted(named, key=lambda item: (item.start, item.name))[:MOST_LINKS])


def _links(text: str, prose: Sequence[Span], defined: dict[str, str]) -> Iterator[Link]:
    for span in prose:
        for match in _INLINE.finditer(text, span.start, span.end):
            carrier = "carrying" if match["carrying"] else "words"
            words = match[carrier]
            if words is None or (match.start() and text[match.start() - 1] == "!"):
                continue
            written = match["address"] or match["angled"] or match["href"]
            href = written or defined.get(_label(match["label"] or words))
            if href and words.strip() and len(href) <= LONGEST_HREF:
                yield Link(Span(span.page, *match.span(carrier)), href)


def _names_of_headings(text: str, headings: Sequence[Span]) -> Iterator[PlaceName]:
    """The name that a heading states, and the one made of its words; the second of a kind has "-1" behind it."""
    counts: Counter[str] = Counter()
    for span in headings:
        words = text[span.start : span.end]
        stated = _STATED.search(words)
        if stated:
            yield PlaceName(stated["name"], span.start)
            words = words[: stated.start()]
        plain = _NOT_IN_NAME.sub("", _TARGET.sub("", words)).strip().lower()
        name = re.sub(r"\s", "-", plain)
        if name:
            yield PlaceName(f"{name}-{counts[name]}" if counts[name] else name, span.start)
            counts[name] += 1


def _label(label: str) -> str:
    return " ".join(label.casefold().split())


_FRONT_MATTER = re.compile(r"---[ \t]*\n(.*?\n)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_TITLE = re.compile(r"^title:[ \t]*(.+)$", re.MULTILINE)
_HEADING_MARK = re.compile(r"[ >]*#{1,6}[ \t]*")
_CLOSING_MARK = re.compile(r"(?<![ \t])[ \t]++#++[ \t]*+$", re.MULTILINE)
_UNDERLINE = re.compile(r"^[ >]*(?:=+|-+)[ \t]*$", re.MULTILINE)
_NOT_SHOWN = re.compile(r"\s*<(?:!--|script\b|style\b)", re.IGNORECASE)
_LEAVES: dict[str, BlockKind] = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "fence": "paragraph",
    "code_block": "paragraph",
    "html_block": "paragraph",
    "table_open": "table",
}
_PROSE = frozenset({"heading_open", "paragraph_open", "table_open"})


def read_markdown(path: Path, options: ReadOptions) -> Document:
    """CommonMark with tables. Comments, scripts and front matter stay in the text as furniture. ReadError where there
    is no text."""
    text = text_of(path, options.max_characters)
    front = _FRONT_MATTER.match(text)
    blocks, tables, prose = _blocks(text, front.end() if front else 0)
    if front:
        blocks = [block("furniture", text, 0, front.end()), *blocks]
    blocks = list(_with_gaps(text, blocks))
    title = _title(text, front, blocks)
    document = line_document(text, tuple(blocks), tables=tuple(tables), title=title)
    page = replace(document.pages[0], links=find_links(text, prose), place_names=find_names(text, blocks))
    return replace(document, pages=(page,))


def _blocks(text: str, skip: int) -> tuple[list[Block], list[Table], list[Span]]:
    """Blocks and tables behind the first `skip` characters, and the spans of those that are no code."""
    starts = _line_starts(text)
    source = "\n" * text.count("\n", 0, skip) + text[skip:]
    blocks: list[Block] = []
    tables: list[Table] = []
    prose: list[Span] = []
    in_list = 0
    tokens = _parser().parse(source)
    for index, token in enumerate(tokens):
        in_list += {"list_item_open": 1, "list_item_close": -1}.get(token.type, 0)
        kind = _LEAVES.get(token.type)
        if kind is None or token.map is None:
            continue
        found = _leaf(text, starts, token, "list_item" if in_list and kind == "paragraph" else kind)
        if found.span.end > found.span.start:
            blocks.append(found)
        if token.type in _PROSE:
            prose.append(found.span)
        if kind == "table":
            tables.append(_table(text, starts, found.span, tokens[index + 1 :]))
    return blocks, tables, prose


def _with_gaps(text: str, blocks: Sequence[Block]) -> Iterator[Block]:
    """The blocks, and between them paragraphs of what the parser made nothing of (link targets, deep nesting)."""
    position = 0
    for item in (*blocks, None):
        end = item.span.start if item else len(text)
        for start, stop in paragraphs(text[position:end]):
            if any(character.isalnum() for character in text[position + start : position + stop]):
                yield block("paragraph", text, position + start, position + stop)
        if item:
            yield item
            position = item.span.end


def _parser() -> MarkdownIt:
    """Blocks only: what stands inside a line is left as written."""
    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def _leaf(text: str, starts: Sequence[int], token: Token, kind: BlockKind) -> Block:
    first, last = token.map or [0, 0]
    start, end = starts[first], starts[min(last, len(starts) - 1)]
    if token.type == "html_block" and _NOT_SHOWN.match(text, start, end):
        kind = "furniture"
    if kind != "heading":
        return block(kind, text, start, end)
    mark = _HEADING_MARK.match(text, start)
    underline = _UNDERLINE.search(text, start, end)
    closing = _CLOSING_MARK.search(text, start, end)
    stop = min((found.start() for found in (underline, closing) if found), default=end)
    begin = mark.end() if mark else start
    return block(kind, text, begin, max(begin, stop), level=int(token.tag[1:]))


def _table(text: str, starts: Sequence[int], span: Span, tokens: Sequence[Token]) -> Table:
    """Cells are found one after the other in their line; one that holds an escaped bar is left out."""
    cells: list[Cell] = []
    row, column, cursor = -1, 0, span.start
    header = False
    for token in _until_close(tokens):
        if token.type == "tr_open":
            row, column = row + 1, 0
            cursor = starts[token.map[0]] if token.map else cursor
        elif token.type in ("th_open", "td_open"):
            header = token.type == "th_open"
        elif token.type == "inline":
            start = text.find(token.content, cursor, span.end) if token.content else -1
            if start >= 0:
                cursor = start + len(token.content)
                cells.append(Cell(row, column, Span(1, start, cursor), header=header))
            column += 1
    columns = max((cell.column + 1 for cell in cells), default=0)
    return Table(span, row + 1, columns, tuple(cells))


def _until_close(tokens: Sequence[Token]) -> Iterator[Token]:
    for token in tokens:
        if token.type == "table_close":
            return
        yield token


def _line_starts(text: str) -> list[int]:
    """The offset of each line, and the length of the text at the end."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    starts[-1] = len(text)
    return starts


def _title(text: str, front: re.Match[str] | None, blocks: Sequence[Block]) -> str | None:
    stated = _TITLE.search(front[1]) if front else None
    if stated:
        return stated[1].strip().strip("\"'") or None
    heading = next((item for item in blocks if item.kind == "heading" and item.level == 1), None)
    if heading is None:
        return None
    return " ".join(text[heading.span.start : heading.span.end].split()) or None
