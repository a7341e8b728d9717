"""PDF files to documents: pages with canonical text (from their text layer, or by OCR where that is missing, worthless
or asked for), blocks, tables and labels; outline and metadata."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from pincite.errors import ReadError
from pincite.ports import ReadOptions
from pincite.printing import counted
from pincite.read import registry, render
from pincite.read.annotations import CarriedLink, carried_links, links_of, names_of, places_by_page
from pincite.read.blocks import Draft, body_font, classify, draft_blocks, without_sentences
from pincite.read.furniture import find_furniture
from pincite.read.glyphs import UNMAPPED, empty
from pincite.read.layout import PageLayout, TableLayout, lay_out, span_boxes
from pincite.read.process_limits import beat
from pincite.read.source import PdfSource
from pincite.records.pages import Block, Box, Cell, Document, Page, PageOrigin, Span, Table
from pincite.text.language import FUNCTION_WORDS

WORD = re.compile(r"(?<!\S)[(\"“‘']*([^\W\d_]+)[.,;:!?)\"”’']*(?!\S)")
TORN = re.compile(r"(?<!\S)[^\W\d_](?:[ \t][^\W\d_][.,;:]?){2,}(?!\S)")
UNKNOWN = re.compile(f"[{UNMAPPED}\ue000-\uf8ff]")
VOWELS = frozenset("aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüýœ")
LAST_LATIN = "\u0250"
MIN_VISIBLE = 8
MIN_WORDS = 25
MIN_KINDS = 8
"""Different letters: torn words have more of them than the columns of a table."""
USUAL_VOWELS = (0.15, 0.65)
"""Shares of vowels between which all languages in Latin letters stay, and their technical terms."""
LETTERS_OF_A_PAGE = 80
"""Of 600 by 800 points: what has fewer and lies on a picture is its heading, stamp or caption."""
USUAL_AREA = 600.0 * 800.0
_FUNCTION_WORDS = frozenset(word for words in FUNCTION_WORDS.values() for word in words if len(word) > 1)


def is_worthless(text: str) -> bool:
    """Most letters unknown, most words torn into letters, or no word of any language among many."""
    pieces = text.casefold().split()
    lengths = list(map(len, pieces))
    visible = sum(lengths)
    if visible < MIN_VISIBLE:
        return False
    if not text.isascii() and len(UNKNOWN.findall(text)) > 0.3 * visible:
        return True
    if _FUNCTION_WORDS.intersection(pieces) and lengths.count(1) < 0.3 * len(pieces):
        return False
    words = [word for word in WORD.findall(text) if word[0] < LAST_LATIN]
    return len(words) >= MIN_WORDS and (_is_torn(text, words) or _is_garbled(words))


def is_thin(text: str, width: float, height: float) -> bool:
    """Whether a page of this size has far fewer letters than one that is written on."""
    least = LETTERS_OF_A_PAGE * min(width * height / USUAL_AREA, 1.0)
    return len(text) < 8 * least and sum(map(str.isalpha, text)) < least


def _is_torn(text: str, words: list[str]) -> bool:
    """Most words are single letters that follow each other in lines, and together look like language."""
    letters = "".join(char for run in TORN.findall(text) for char in run if char.isalpha()).casefold()
    return len(letters) > 0.55 * len(words) and len(set(letters)) >= MIN_KINDS and _like_language(letters)


def _is_garbled(words: list[str]) -> bool:
    """Longer words without the vowels of a language, and none of the words that every text has."""
    longer = [word.casefold() for word in words if len(word) > 1]
    letters = "".join(longer)
    return len(longer) >= 2 * MIN_WORDS and not _like_language(letters) and not _FUNCTION_WORDS.intersection(longer)


def _like_language(letters: str) -> bool:
    least, most = USUAL_VOWELS
    return least <= sum(map(VOWELS.__contains__, letters)) / len(letters) <= most


MOSTLY_PICTURE = 0.7
MANY_MORE = 3
"""So many times the letters of a text layer OCR has to see before it takes the place of one that is sound."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page's layout and where its text came from; `none`: there is something to read that could not be read.

    `pictured`: beside the text that was read lies a picture that OCR was not allowed to read.
    """

    layout: PageLayout
    origin: PageOrigin
    pictured: bool = False


def read_sheet(source: PdfSource, index: int, options: ReadOptions) -> Sheet:
    """Page `index` (from 0)."""
    frame = source.frame(index)
    rules = (lambda: source.rules(index, frame)) if options.tables else None
    layer = lay_out(source.glyphs(index, frame), rules, frame.width, frame.height)
    sound = bool(layer.text) and not is_worthless(layer.text)
    pictured = sound and _is_beside_a_picture(source, index, layer)
    if options.ocr != "always" and not pictured and (sound or not (layer.text or source.pdfium.is_drawn_on(index))):
        return Sheet(layer, "text")
    allowed = options.ocr != "never" and render.available()
    if allowed:
        beat()
        seen = lay_out(render.read_image(*source.draw(index, render.DPI)), rules, frame.width, frame.height)
        if seen.text and (not pictured or len(seen.text) > MANY_MORE * len(layer.text)):
            return Sheet(seen, "ocr")
    if sound:
        return Sheet(layer, "text", pictured and not allowed)
    return Sheet(lay_out(empty(), None, frame.width, frame.height), "none")


def _is_beside_a_picture(source: PdfSource, index: int, layer: PageLayout) -> bool:
    """Whether a few words stand on a page that is a picture for the rest: the stamp on a scan, the title of a map."""
    return is_thin(layer.text, layer.width, layer.height) and source.pdfium.picture_share(index) > MOSTLY_PICTURE


ARABIC = re.compile(r"(?<![\w.,/:–])(?<!\d-)[1-9]\d{0,5}(?![\w.,/:–]|-\d)")
ROMAN = re.compile(r"\b(?=[ivxlc])(?:c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})\b", re.IGNORECASE)
VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


def page_labels(stated: Sequence[str | None], running: Sequence[Sequence[str]]) -> list[str | None]:
    """A label for each page. `running`: the furniture lines of each page, in reading order.

    Stated labels that only count the physical pages say nothing, so printed numbers go before them.
    """
    counted = all(label is None or label == str(number) for number, label in enumerate(stated, 1))
    if any(stated) and not counted:
        return list(stated)
    printed = _printed(running)
    return printed if any(printed) else list(stated)


def _printed(running: Sequence[Sequence[str]]) -> list[str | None]:
    options = [_numbers(lines) for lines in running]
    labels: list[str | None] = [None] * len(options)
    for roman in (True, False):
        shifts = Counter(
            value - page for page, found in enumerate(options) for value, _, is_roman in found if is_roman == roman
        )
        for shift, count in sorted(shifts.items(), key=lambda item: (-item[1], abs(item[0]), item[0])):
            if count < 3 and not (count == 2 and len(options) <= 4):
                break
            _fill(labels, options, shift, roman=roman)
    return labels


def _fill(
    labels: list[str | None], options: Sequence[Sequence[tuple[int, str, bool]]], shift: int, *, roman: bool
) -> None:
    """Label the pages of runs of at least two neighbours (one page between them may lack its number)."""
    hits = {
        page: text
        for page, found in enumerate(options)
        for value, text, is_roman in found
        if is_roman == roman and value - page == shift and value > 0
    }
    for page, text in hits.items():
        if labels[page] is None and any(near in hits for near in (page - 2, page - 1, page + 1, page + 2)):
            labels[page] = text


def _numbers(lines: Sequence[str]) -> list[tuple[int, str, bool]]:
    found: dict[tuple[int, bool], str] = {}
    for line in lines:
        for match in ARABIC.finditer(line):
            found.setdefault((int(match[0]), False), match[0])
        for match in ROMAN.finditer(line.strip()):
            if match[0] and match[0] == line.strip().strip("-–— ."):
                found.setdefault((_roman_value(match[0]), True), match[0])
    return [(value, text, roman) for (value, roman), text in found.items()]


def _roman_value(text: str) -> int:
    values = [VALUES[char] for char in text.lower()]
    return sum(-value if value < after else value for value, after in zip(values, [*values[1:], 0], strict=True))


STATES = re.compile(r"[^\W\d_]: (?:\W?\d|[^\W\d_a-z])")
"""What a running line states: a label and its value, a number or a name; a title goes on in small letters."""
Links = tuple[CarriedLink, ...]


def read_pdf(path: Path, options: ReadOptions) -> Document:
    """PDF through pdf_oxide, through pdfium what that cannot read, by OCR what has no text layer. ReadError where the
    file cannot be opened or has more pages than `options.max_pages`."""
    with PdfSource(path, options.passwords) as source:
        count = source.page_count()
        if count > options.max_pages:
            raise ReadError(f"has {count} pages, more than the limit of {options.max_pages}")
        source.loses_letters()
        sheets, links = _sheets(source, count, options)
        metadata = source.pdfium.metadata()
        return Document(
            pages=with_links(pages_of(sheets, source.pdfium.labels()), sheets, links),
            title=metadata.get("Title"),
            outline=source.pdfium.outline(),
            metadata=metadata,
            members=tuple(registry.described(source.attached())),
            warnings=(*_source_warnings(source), *_warnings(sheets, options)),
        )


def boxes(path: Path, spans: Sequence[Span], options: ReadOptions | None = None) -> list[list[Box]]:
    """For each span its boxes, one a line or cell, computed anew from the file with the options that it was read with.

    Raises ReadError like reading does. A page without a text layer takes as long as its OCR.
    """
    how = options or ReadOptions()
    with PdfSource(path, how.passwords) as source:
        return boxes_in(source, spans, how)


def boxes_in(source: PdfSource, spans: Sequence[Span], options: ReadOptions) -> list[list[Box]]:
    """The same of a file that is open."""
    layouts = {number: read_sheet(source, number - 1, options).layout for number in {span.page for span in spans}}
    return [span_boxes(layouts[span.page], [(span.start, span.end)])[0] for span in spans]


def _sheets(source: PdfSource, count: int, options: ReadOptions) -> tuple[list[Sheet], list[Links]]:
    """The pages of a file, and the links of each."""
    sheets: list[Sheet] = []
    links: list[Links] = []
    characters = 0
    for index in range(count):
        sheet = read_sheet(source, index, options)
        characters += len(sheet.layout.text)
        if characters > options.max_characters:
            raise ReadError(f"holds more than {options.max_characters} characters")
        links.append(carried_links(sheet.layout, source.links(index)))
        sheets.append(replace(sheet, layout=sheet.layout.without_characters()))
    return sheets, links


def _source_warnings(source: PdfSource) -> Iterator[str]:
    if source.rescued:
        where = counted(source.rescued, "pages")
        yield f"letters were lost on {where} by the first PDF engine and read by the second (pdfium)"
    if source.gapped:
        have = "has" if source.gapped == 1 else "have"
        advice = "--ocr always reads them from the image"
        yield f"{counted(source.gapped, 'pages')} {have} words with letters that its font does not tell: {advice}"
    if source.unseen:
        have = "has" if source.unseen == 1 else "have"
        yield f"{counted(source.unseen, 'pages')} {have} text that nobody can see: it is left out"
    if source.comments:
        yield f"{'1 comment is' if source.comments == 1 else f'{source.comments} comments are'} left out"


def _warnings(sheets: Sequence[Sheet], options: ReadOptions) -> Iterator[str]:
    if lacking := sum(sheet.origin == "none" for sheet in sheets):
        yield f"{counted(lacking, 'pages')} {'has' if lacking == 1 else 'have'} no readable text{_remedy(options)}"
    if pictured := sum(sheet.pictured for sheet in sheets):
        are = "is a picture" if pictured == 1 else "are pictures"
        yield f"{counted(pictured, 'pages')} {are} with few words{_remedy(options)}"


def _remedy(options: ReadOptions) -> str:
    if options.ocr == "never":
        return ": allow OCR with --ocr auto"
    return ", by OCR neither" if render.available() else ": add OCR (pincite doctor says how)"


def pages_of(sheets: Sequence[Sheet], stated: Sequence[str | None]) -> tuple[Page, ...]:
    """The pages of a document from their layouts; `stated` are the labels that the file states for them."""
    layouts = [sheet.layout for sheet in sheets]
    furniture = find_furniture(layouts)
    drafts = [draft_blocks(_without(layout, lines)) for layout, lines in zip(layouts, furniture, strict=True)]
    size, bold = body_font(draft for page in drafts for draft in page)
    running = [
        [layout.text[layout.lines[i].start : layout.lines[i].end] for i in sorted(lines)]
        for layout, lines in zip(layouts, furniture, strict=True)
    ]
    labels = page_labels(stated, running)
    telling = _informative(running)
    return tuple(
        Page(
            number=number,
            text=layout.text,
            blocks=_blocks(number, layout, page_drafts, _running(layout, lines, telling[number - 1]), (size, bold)),
            tables=tuple(_table(number, table) for table in layout.tables),
            label=label,
            width=round(layout.width, 2),
            height=round(layout.height, 2),
            origin=sheets[number - 1].origin,
        )
        for number, (layout, page_drafts, lines, label) in enumerate(
            zip(layouts, drafts, furniture, labels, strict=True), 1
        )
    )


def with_links(pages: Sequence[Page], sheets: Sequence[Sheet], links: Sequence[Links]) -> tuple[Page, ...]:
    """The pages with their links and the places that links lead to; that of a page is known by its number alone."""
    places = places_by_page(chain.from_iterable(links))
    return tuple(
        replace(
            page,
            links=links_of(page.number, carried),
            place_names=names_of(page.number, sheet.layout, places.get(page.number, ())),
        )
        for page, sheet, carried in zip(pages, sheets, links, strict=True)
    )


def _table(number: int, table: TableLayout) -> Table:
    cells = tuple(
        Cell(
            row=cell.plan.row,
            column=cell.plan.column,
            span=Span(number, cell.start, cell.end),
            box=cell.box,
            row_span=cell.plan.row_span,
            column_span=cell.plan.column_span,
            header=cell.plan.header,
        )
        for cell in table.cells
    )
    return Table(
        span=Span(number, cells[0].span.start, cells[-1].span.end),
        row_count=table.plan.rows,
        column_count=table.plan.columns,
        cells=cells,
        box=Box.around(cell.box for cell in table.cells),
        partial=table.plan.partial,
    )


def _without(layout: PageLayout, furniture: set[int]) -> PageLayout:
    lines = tuple(line for position, line in enumerate(layout.lines) if position not in furniture)
    return replace(layout, lines=lines)


def _informative(running: Sequence[Sequence[str]]) -> list[frozenset[str]]:
    """For each page the running lines that state something ("Account manager: Enid Frost") and first stand there."""
    counts = Counter(line for lines in running for line in set(lines))
    told: set[str] = set()
    found = []
    for lines in running:
        new = frozenset(line for line in lines if counts[line] > 1 and STATES.search(line)) - told
        told |= new
        found.append(new)
    return found


def _blocks(
    number: int, layout: PageLayout, drafts: Sequence[Draft], furniture: Sequence[Draft], body: tuple[float, bool]
) -> tuple[Block, ...]:
    kinds = without_sentences([classify(draft, body[0], layout.height, body_bold=body[1]) for draft in drafts])
    return tuple(
        Block(
            kind=draft.kind,
            span=Span(number, draft.start, draft.end),
            box=draft.box,
            font_size=round(draft.size, 1),
            bold=draft.bold,
        )
        for draft in sorted([*kinds, *furniture], key=lambda draft: draft.start)
    )


def _running(layout: PageLayout, furniture: set[int], telling: frozenset[str]) -> list[Draft]:
    """The running lines of a page; those in `telling` are kept beside the text, as footnotes."""
    lines = [layout.lines[position] for position in furniture]
    texts = [layout.text[line.start : line.end] for line in lines]
    return [
        Draft((line,), text, "footnote" if text in telling else "furniture")
        for line, text in zip(lines, texts, strict=True)
    ]
