"""The section tree of a document: numbered and titled parts and numbered paragraphs, each with its span in the
joined text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from pincite.records.outlines import Section
from pincite.records.pages import Document, Page, page_offsets
from pincite.structure.exhibits import headings_in_exhibits
from pincite.structure.headings import MAX_TITLE, Candidate, best_chain, is_box_head, is_distinct, numbered_candidates
from pincite.structure.lines import Body, Line, body_of, lines_of, placed_pages
from pincite.structure.numbering import Number, is_policy, read_clause, read_number
from pincite.structure.tree import (
    Contents,
    Opening,
    bookmarks_of,
    build_tree,
    find_contents,
    folded,
    matched_titles,
    nearly,
)

MAX_REPEATS = 2
MAX_LINES = 4
MAX_WORDS = 18
MANY_BOOKMARKS = 8
MIN_FOLLOWING = 40
MIN_TEXT = 800
SHORT_DOCUMENT = 3
MIN_DIVIDER = 1.5
_BROKEN_END = re.compile(
    r"(?:[,;\-]|[^.]\.|\b(?:and|or|of|the|to|in|for|with|a|an|by|at|from|on|as|is|are|which|that))$", re.IGNORECASE
)
_NOT_TITLE = re.compile(
    r"[=<>±®~|_{}^\\°\[\]]|[^\W\d_],[^\W\d_]|\s,|[.;]\s|\(\d|"
    r"^(?:note|table|figure|fig|example|source|equation|tabelle|abbildung|bild|tableau)\b[\s.:]",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{2,}")


@dataclass(frozen=True, slots=True)
class Title:
    """A heading without number. `promised`: a bookmark, the table of contents or the source itself names it; `alone`:
    it has a page to itself.
    """

    line: Line
    text: str
    promised: bool
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Setting:
    """What is known of a document before its headings without numbers are looked for.

    `marked`: levels of bookmarks by offset; `numbered`: offset, number and title of the headings that are known
    already; `exhibits`: where what looks like a heading belongs to a table or figure.
    """

    body: Body
    contents: Contents
    marked: Mapping[int, int]
    numbered: Sequence[tuple[int, str, str]]
    exhibits: Container[int] = ()


def find_titles(pages: Sequence[Sequence[Line]], setting: Setting) -> list[Title]:
    """The headings without numbers, in order. Numbered ones are no titles a second time (running headers repeat them);
    of the same title twice on a page the first counts.
    """
    heads = _heads(pages, setting)
    alone = {lines[0].start for lines in pages if lines and _is_divider(lines, setting.body)}
    is_new = _not_known(setting, alone, {lines[0].start for lines in pages if lines})
    stands_out = _looks_right(heads, setting, alone, min(setting.contents.until, default=_first_page(pages)))
    on_page: set[tuple[int, str]] = set()
    found: list[Title] = []
    for line in heads:
        if line.block.level is None and not is_new(line):
            continue
        stated = line.start in setting.marked or line.block.level is not None
        name = (line.page, folded(line.block_text))
        if stated or (name not in on_page and stands_out(line)):
            promised = line.start in setting.marked or _is_promised(line, setting.contents)
            found.append(Title(line, " ".join(line.block_text.split()), promised, line.start in alone))
            on_page.add(name)
    return found


def _heads(pages: Sequence[Sequence[Line]], setting: Setting) -> list[Line]:
    """First lines of blocks that may be titles, and are no numbered headings."""
    taken = {start for start, _, _ in setting.numbered}
    contents = setting.contents
    return [
        line
        for lines in pages
        for line in lines
        if line.head
        and (line.block.kind == "heading" or contents.titles or line.start in setting.marked)
        and line.start not in taken
        and _may_be(line)
    ]


def _not_known(setting: Setting, alone: Container[int], tops: Container[int]) -> Callable[[Line], bool]:
    """Whether a line is neither of the table of contents nor a numbered heading once more; at the top of a page also
    not one that OCR read otherwise.
    """
    numbers = {number for _, number, _ in setting.numbered}
    known = {folded(title) for _, _, title in setting.numbered if title}

    def is_new(line: Line) -> bool:
        if setting.contents.holds(line) or _repeats_number(line, numbers):
            return False
        if line.start in alone:
            return True
        name = folded(line.block_text)
        return name not in known and not (line.start in tops and any(nearly(name, title) for title in known))

    return is_new


def _looks_right(
    heads: Sequence[Line], setting: Setting, alone: Container[int], first_page: int
) -> Callable[[Line], bool]:
    """Whether a line looks like a title, where neither a bookmark nor the source marks it as one."""
    repeats = Counter(folded(line.block_text) for line in heads)
    looks = {_looks(line) for line in heads if line.start in setting.marked}
    strict = len(setting.marked) >= MANY_BOOKMARKS

    def stands_out(line: Line) -> bool:
        if line.page < first_page:
            return False
        if line.start in alone:
            return True
        if repeats[folded(line.block_text)] > MAX_REPEATS or (strict and _looks(line) not in looks):
            return False
        if line.start in setting.exhibits and not _is_promised(line, setting.contents):
            return False
        return _stands_out(line, setting.body, setting.contents)

    return stands_out


def _is_divider(lines: Sequence[Line], body: Body) -> bool:
    """A page with nothing but a large heading, which opens what follows it."""
    first = lines[0]
    large = bool(body.size) and (first.block.font_size or 0.0) >= MIN_DIVIDER * body.size
    return large and first.head and first.block.kind == "heading" and lines[-1].block is first.block


def _first_page(pages: Sequence[Sequence[Line]]) -> int:
    """The first page that is no cover: one with running text, or any page of a short document."""
    if len(pages) <= SHORT_DOCUMENT:
        return 1
    return 1 if sum(len(line.text) for line in pages[0] if line.block.kind == "paragraph") >= MIN_TEXT else 2


def _repeats_number(line: Line, numbers: set[str]) -> bool:
    """It opens with a number that is a heading elsewhere."""
    return any(reading.number.text in numbers for reading in read_number(line.text))


def _may_be(line: Line) -> bool:
    text = line.block_text
    if line.block.level is not None:
        return line.block.kind == "heading" and bool(_WORD.search(text))
    if line.block.kind not in ("heading", "paragraph") or len(text) > MAX_TITLE or text.count("\n") >= MAX_LINES:
        return False
    return len(text.split()) <= MAX_WORDS and bool(_WORD.search(text)) and _is_clean(text)


def _is_clean(text: str) -> bool:
    """Starts like a title, does not break off, holds words rather than symbols, and is no caption or note."""
    first = text.lstrip("\"“‘'«¿[")[:1]
    if not first.isalnum() or first.islower() or _BROKEN_END.search(text) or _NOT_TITLE.search(text):
        return False
    letters = sum(character.isalpha() or character.isspace() for character in text)
    words = text.split()
    return letters >= 0.65 * len(text) and sum(len(word) >= 3 for word in words) >= 0.5 * len(words)


def _stands_out(line: Line, body: Body, contents: Contents) -> bool:
    """The table of contents names it, or it is set as a heading and text follows that it can be the heading of."""
    if _is_promised(line, contents):
        return True
    small = bool(body.size) and (line.block.font_size or 0.0) < 0.95 * body.size
    if line.after[:1].islower():
        return False
    followed = len(line.after) >= MIN_FOLLOWING or bool(read_number(line.after)) or line.after_is_heading
    return line.block.kind == "heading" and is_distinct(line, body) and not small and followed


def _is_promised(line: Line, contents: Contents) -> bool:
    return line.block.level is not None or folded(line.block_text) in contents.titles


def _looks(line: Line) -> tuple[float, bool]:
    return round(line.block.font_size or 0.0), line.block.bold


MAX_GAP = 2
MIN_COUNTED = 12
MIN_PAGES = 3
MIN_SIZE = 7.0
_COUNTED = re.compile(r"(\d{1,3})[.)]?\s+(?=[^\W\d_]|[\"“‘'(])")


def with_clauses(openings: Sequence[Opening], lines: Sequence[Line], *, paged: bool) -> list[Opening]:
    """The openings in order, with those of numbered paragraphs between them. `paged`: they are counted over pages."""
    taken = {opening.start for opening in openings}
    counted = list(_counted(lines, taken, MIN_PAGES if paged else 0))
    merged = sorted([*openings, *counted], key=lambda opening: opening.start)
    return list(_with_marked(merged, lines)) if not counted else merged


def _counted(lines: Sequence[Line], taken: set[int], least_pages: int) -> Iterator[Opening]:
    """Paragraphs that are counted from 0 or 1 through the whole document, where there are enough of them."""
    found: list[tuple[Line, int]] = []
    for line in lines:
        match = _COUNTED.match(line.text) if line.head and line.start not in taken else None
        if match is None or line.block.kind not in ("list_item", "paragraph", "heading"):
            continue
        last = found[-1][1] if found else -1
        if last < int(match[1]) <= (last + MAX_GAP if found else 1):
            found.append((line, int(match[1])))
    pages = found[-1][0].page - found[0][0].page if found else 0
    if len(found) >= MIN_COUNTED and least_pages <= pages < len(found):
        for line, value in found:
            yield Opening(line.start, None, f"para. {value}", "", 0.0, None, clause=True)


def _with_marked(openings: Sequence[Opening], lines: Sequence[Line]) -> Iterator[Opening]:
    """The openings with the clauses "(1)P", "(2)" of numbered sections between them, as long as these count up."""
    waiting = list(reversed(openings))
    current: Opening | None = None
    last = 0
    for line in lines:
        while waiting and waiting[-1].start <= line.start:
            current, last = waiting.pop(), 0
            yield current
        found = read_clause(line.text) if line.head and line.text.startswith("(") else None
        if found is None or current is None or current.number is None:
            continue
        value, text, end = found
        is_note_mark = not line.text[end:].strip() and (line.block.font_size or MIN_SIZE) < MIN_SIZE
        if last < value <= last + MAX_GAP and not is_note_mark:
            last = value
            yield Opening(line.start, current.number, current.label + text, "", 0.0, None, clause=True)
    yield from reversed(waiting)


MAX_HEADING = 100
MAX_HEADING_WORDS = 12
_PIECE = re.compile(r"\([^()]*+\)|[^.()]++")
_END_OF_SENTENCE = re.compile(r"[.;:,\u2013\u2014-]$")


def stated_opening(page: Page, start: int) -> Opening:
    """The section that a page opens. Its levels are the pieces of the stated number, whatever they are."""
    stated = (page.section or "").strip()
    pieces = tuple(piece.strip().lower() for piece in _PIECE.findall(stated) if piece.strip())
    number = Number("stated", tuple((0, piece.rstrip(")") if "(" not in piece else piece) for piece in pieces), stated)
    return Opening(start, number if pieces else None, stated, _title(page.text), 0.0, None)


def _title(text: str) -> str:
    """The first line where it reads like a heading."""
    first = text.strip().partition("\n")[0].strip()
    is_title = (
        len(first) <= MAX_HEADING and len(first.split()) <= MAX_HEADING_WORDS and not _END_OF_SENTENCE.search(first)
    )
    return first if is_title else ""


STRUCTURE_VERSION = "13"
SAME_SIZE = 0.94
MANY_CHAPTERS = 4
_OF_ITS_OWN = re.compile(
    r"foreword|preface|bibliography|references|index|glossary|acknowledge?ments|vorwort|literatur\w*|avant-propos|bibliographie",
    re.IGNORECASE,
)
UPPER_LANES = ("book", "part", "schedule", "article", "item", "exhibit")


def find_sections(document: Document) -> tuple[Section, ...]:
    """The sections in reading order: they cover all text, and every character belongs to the innermost. A page that
    states its own section starts one. Text before the first heading is a section without title; a document without
    headings is one section with its title. Numbered paragraphs such as "5.2(3)P" are sections without title."""
    offsets = page_offsets(document.pages)
    if any(page.section for page in document.pages):
        openings = [stated_opening(page, start) for page, start in zip(document.pages, offsets, strict=False)]
    else:
        openings = _openings(document, offsets)
    return build_tree(document, offsets, openings)


def _openings(document: Document, offsets: Sequence[int]) -> list[Opening]:
    pages = [list(lines_of(page, offset)) for page, offset in zip(document.pages, offsets, strict=False)]
    body, contents, bookmarks = body_of(document), find_contents(pages), bookmarks_of(document)
    candidates = list(numbered_candidates(pages, body, contents, bookmarks))
    upper = [item for lane in UPPER_LANES for item in _upper_chain(candidates, lane, body)]
    policies = _policies(candidates, body, contents)
    annexes = {item.reading.number.parts[0] for item in candidates if _is_annex(item)}
    plain = [item for item in candidates if _may_follow(item, annexes)]
    numbered = best_chain(plain, sorted(item.start for item in upper))
    chosen = sorted([*upper, *numbered, *policies], key=lambda item: item.start)
    marked = matched_titles(bookmarks, pages)
    known = [(item.start, item.reading.number.text, item.title) for item in chosen]
    chapters = _sizes_of_chapters(chosen)
    exhibits = headings_in_exhibits(placed_pages(document)) if len(chapters) >= MANY_CHAPTERS else set()
    titles = find_titles(pages, Setting(body, contents, marked, known, exhibits))
    openings = [_numbered_opening(item) for item in chosen]
    openings += [_title_opening(item, chapters) for item in titles]
    openings += _parts_with_names(document, offsets)
    openings.sort(key=lambda item: item.start)
    read = [line for lines in pages for line in lines if not contents.holds(line)]
    return with_clauses(openings, read, paged=document.locators != "line")


def _is_annex(item: Candidate) -> bool:
    return item.reading.number.lane == "annex" and item.reading.worded


def _may_follow(item: Candidate, annexes: set[tuple[int, str]]) -> bool:
    """It is a plain number, or one of an annex; "83" is read as "B3" only where there is an Annex B."""
    number = item.reading.number
    if number.lane == "annex" and item.reading.repaired:
        return number.parts[0] in annexes
    return number.lane in ("", "annex")


def _upper_chain(candidates: Sequence[Candidate], lane: str, body: Body) -> list[Candidate]:
    """The headings of parts, items and the like; those must stand out, since references to them often open a line."""
    items = [item for item in candidates if item.reading.number.lane == lane and is_distinct(item.line, body)]
    chain = best_chain(items)
    return chain if len(chain) > 1 else []


def _policies(candidates: Sequence[Candidate], body: Body, contents: Contents) -> list[Candidate]:
    """The headings of policies, for each code those that count up; of those with the same number the first that stands
    out, else the first with the title that the table of contents has.
    """
    items = [item for item in candidates if is_policy(item.reading.number)]
    distinct = [item for item in items if is_distinct(item.line, body) or is_box_head(item.line)]
    promised = [item for item in items if contents.promises(item.reading.number.text, item.title)]
    first: dict[str, Candidate] = {}
    for item in [*distinct, *promised]:
        first.setdefault(item.reading.number.text, item)
    ordered = sorted(first.values(), key=lambda item: item.start)
    lanes = dict.fromkeys(item.reading.number.lane for item in ordered)
    found = [item for lane in lanes for item in best_chain([i for i in ordered if i.reading.number.lane == lane])]
    return found if len(found) > 1 else []


def _numbered_opening(item: Candidate) -> Opening:
    return Opening(
        item.start, item.reading.number, item.reading.number.text, item.title, looks(item.line), item.line.block.level
    )


def _parts_with_names(document: Document, offsets: Sequence[int]) -> list[Opening]:
    """A section for each part that has a name and is no page: the sheets of a workbook."""
    if document.paged:
        return []
    named = [(page.label, start) for page, start in zip(document.pages, offsets, strict=False) if page.label]
    return [Opening(start, None, "", name, 0.0, 0) for name, start in named if name]


def _title_opening(item: Title, chapters: Sequence[float]) -> Opening:
    """A title that nothing promises does not end a numbered section of a document that is numbered throughout."""
    size, own = looks(item.line), bool(_OF_ITS_OWN.fullmatch(item.text))
    largest = median(chapters) if chapters else 0.0
    if own:
        size = max([size, *chapters])
    elif not (item.promised or item.alone) and (len(chapters) >= MANY_CHAPTERS or size < SAME_SIZE * largest):
        size /= 100
    return Opening(item.line.start, None, "", item.text, size, item.line.block.level, firm=item.promised or own)


def _sizes_of_chapters(chosen: Sequence[Candidate]) -> list[float]:
    """How large the numbered headings of the first level are set."""
    return [looks(item.line) for item in chosen if item.reading.number.depth == 1 and item.title]


def looks(line: Line) -> float:
    """How large a heading is set: its size in points, a little more where it is bold."""
    return (line.block.font_size or 0.0) + (0.5 if line.block.bold else 0.0)
