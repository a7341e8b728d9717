"""Tables and figures as anchors: captions, as opposed to sentences that mention them and lists of them; the grid and
notes below; the region of the page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from typing import Literal

from pincite.records.outlines import Anchor
from pincite.records.pages import Box
from pincite.structure.lines import Nest, Placed, mended_number

MAX_CAPTION = 400
MIN_LISTED = 3
_LEAD = r"(?:[^\w\s(]{0,3}\s?|(?=\S*[^\w\s])\S{1,4}\s)"
_TABLE_WORDS = r"ta\s?[bh]\s?[l1I]es?|tabelle|tableau|tabla|tabella|tabel"
_FIGURE_WORDS = r"f[il1]g\s?[un]res?|fig\.|fig|abbildung|abb\.|bild|figura|map|chart|diagram"
_NUMBER = (
    r"[A-Z]{1,2}[-\u2013]\d{1,3}(?:[a-z](?![a-z]))?|"
    r"[A-Z]\s?\.\s?[\dlIOSB]{1,3}(?:[a-z](?![a-z]))?|[A-H]A(?=[\s:.-])|\dA[a-z](?![a-z])|"
    r"[A-Z]?\s?[\dlI]{1,3}(?:\s?[.\u00b7]\s?[\dlIOS]{1,3}|[-\u2013]\d{1,3}){0,3}(?:\s?\([a-z]\)|[a-z](?![a-z]))?|[IVX]{1,5}|"
    r"[A-Z](?=\s?[:\u2013\u2014])"
)
_CAPTION = re.compile(
    rf"(?P<lead>{_LEAD})(?P<word>{_TABLE_WORDS}|{_FIGURE_WORDS})\s?(?P<number>{_NUMBER})(?P<rest>(?![\w%]).*)$",
    re.IGNORECASE,
)
_MAY_BE = re.compile(rf"{_LEAD}(?:ta\s?[bh]|f[il1]g|abb|bil|map|cha|dia)", re.IGNORECASE)
_ANYWHERE = re.compile(rf"^{_MAY_BE.pattern}", re.IGNORECASE | re.MULTILINE)
_SEPARATOR = re.compile(
    r"(?:\s*+(?:(?:[.:\u2022\u00b7]+\s*+)?[-\u2013\u2014:\u2022\u00b7~]+|[.:]++(?=\s|$))|[^\S\t]*+\t)\s*+"
)
_CONTINUED = re.compile(
    r"\W*(?:cont(?:inued?|['\u2019]?d|\.)?|conclu\w+|fort(?:setzung|gesetzt)|suite|fin)\W*$", re.IGNORECASE
)
_NO_TITLE = re.compile(r"[,;)(\]/%&=]|(?:and|or|to|und|et)\b")
_LISTED = re.compile(r"(?:(?:[.…_]\s?){3}|(?<!\s)\s)\s*+(\d{1,4}|[ivxl]{1,6})$")
_LIST_TITLE = re.compile(
    r"(?:list|index|table) of (?:tables|figures|illustrations|maps|diagrams|contents)(?: and (?:tables|figures))?|"
    r"(?:tabellen|abbildungs|inhalts)verzeichnis|(?:liste|table) des (?:tableaux|figures|illustrations)",
    re.IGNORECASE,
)
_LISTING = frozenset(("list_item", "caption"))
_LEADERS = re.compile(r"(?:[.…_]\s?){3}\s*+\w{0,5}$")
_OPEN_END = re.compile(r"(?:[,-]|\b(?:and|or|of|the|to|in|for|with|by|at|on|different))$", re.IGNORECASE)
_MARKS = re.compile(r"[^\w\s]{0,2}[^\w\s.,;:!?)(\]\[\"'\u201d%\u2019]{1,2}\d{0,2}[^\w\s)(]?$")


@dataclass(frozen=True, slots=True)
class Caption:
    """A caption: its block, its lines `[start, end)` in the joined text; `continued`: it repeats an earlier one."""

    kind: Literal["table", "figure"]
    word: str
    number: str
    title: str
    at: Placed
    start: int
    end: int
    continued: bool = False


def find_captions(pages: Sequence[Sequence[Placed]], nest: Nest) -> list[Caption]:
    """The captions in order; those that come again are `continued`."""
    by_page = [
        [_with_title(caption, blocks) for at in blocks for caption in captions_of(at, blocks)] for blocks in pages
    ]
    last_on = {_name(caption): index for index, captions in enumerate(by_page) for caption in captions}
    found: list[Caption] = []
    for index, captions in enumerate(by_page):
        come_again = len(captions) >= MIN_LISTED and all(last_on[_name(caption)] > index for caption in captions)
        if captions and not (_is_list(captions) or come_again):
            listed = _listed_below_title(pages[index])
            found += [caption for caption in captions if caption.at.index not in listed]
    return list(_marked_repeats([_mended(caption, nest) for caption in found]))


def captions_of(at: Placed, blocks: Sequence[Placed]) -> Iterator[Caption]:
    """The captions of one of the blocks of a page, with their numbers as read."""
    if not _ANYWHERE.search(at.text):
        return
    beside_table = any(other.block.kind == "table" for other in blocks[max(0, at.index - 1) : at.index + 2])
    lines = at.text.split("\n")
    position = at.start
    for count, line in enumerate(lines):
        match = _CAPTION.match(line) if _MAY_BE.match(line) else None
        if match is not None and (count == 0 or at.block.kind in ("caption", "heading", "table")):
            caption = _caption(at, match, position, lines[count + 1 :], first=count == 0, beside_table=beside_table)
            if caption is not None:
                yield caption
        position += len(line) + 1


def _caption(
    at: Placed, match: re.Match[str], start: int, below: Sequence[str], *, first: bool, beside_table: bool
) -> Caption | None:
    separator = _SEPARATOR.match(match["rest"])
    title = match["rest"][separator.end() :] if separator else match["rest"]
    is_caption = at.block.kind == "caption"
    continued = bool(_CONTINUED.match(title))
    if not continued and not _may_be_title(title.strip(), separated=separator is not None, is_caption=is_caption):
        return None
    if not title.strip() and not (first and not below):
        return None
    if separator is None and any(map(str.isalnum, match["lead"])):
        return None
    if at.block.kind in ("paragraph", "list_item"):
        is_sentence = at.text.rstrip()[-1] in ".;,:" and not (beside_table and separator and separator[0][0] in ".:")
        if is_sentence or len(at.text) > MAX_CAPTION:
            return None
    end = start + len(match[0])
    for line in below:
        if not _goes_on(line, title, whole=at.block.kind != "table"):
            break
        title, end = f"{title} {line}", end + 1 + len(line)
    kind: Literal["table", "figure"] = "table" if match["word"][:2].lower() == "ta" else "figure"
    return Caption(kind, match["word"].lower(), match["number"], " ".join(title.split()), at, start, end, continued)


def _with_title(caption: Caption, blocks: Sequence[Placed]) -> Caption:
    """With the title in the next block, where the caption ends with the mark before it."""
    following = caption.at.index + 1
    if caption.title or caption.at.text.rstrip()[-1:] not in "-\u2013\u2014:" or following >= len(blocks):
        return caption
    title = blocks[following]
    if title.block.kind == "table" or len(title.text) > MAX_CAPTION:
        return caption
    return replace(caption, title=" ".join(title.text.split()), end=title.end)


def _may_be_title(title: str, *, separated: bool, is_caption: bool) -> bool:
    """Not the rest of a sentence that mentions a table ("gives", "and Table 4.2", "(see 5.3)")."""
    if not title:
        return True
    if _NO_TITLE.match(title):
        return False
    return not title[0].islower() or (separated and is_caption)


def _goes_on(line: str, title: str, *, whole: bool) -> bool:
    """The line below belongs to the caption too: all lines of a caption's block, in a table what an open end needs."""
    if _MAY_BE.match(line) and _CAPTION.match(line):
        return False
    if whole:
        return len(title) + len(line) <= MAX_CAPTION
    return "\t" not in line and bool(_OPEN_END.search(title.strip()))


def _is_list(captions: Sequence[Caption]) -> bool:
    """A list of tables or figures: leaders, or page numbers that rise at the ends."""
    if any(_LEADERS.search(caption.title) for caption in captions):
        return True
    ends = [match for caption in captions if (match := _LISTED.search(caption.title))]
    if len(captions) < MIN_LISTED or len(ends) < len(captions):
        return False
    values = [int(match[1]) for match in ends if match[1].isdigit()]
    return all(one <= other for one, other in pairwise(values))


def _listed_below_title(blocks: Sequence[Placed]) -> set[int]:
    """The indexes of the blocks of a list of tables or of contents: all of a printed page that has its title; of a text
    without pages the items behind the title, up to what is none."""
    titles = [place for place, at in enumerate(blocks) if _LIST_TITLE.fullmatch(at.text)]
    if titles and blocks[0].page.height:
        return {at.index for at in blocks}
    items = (takewhile(lambda at: at.block.kind in _LISTING, blocks[place + 1 :]) for place in titles)
    return {at.index for run in items for at in run}


def _mended(caption: Caption, nest: Nest) -> Caption:
    return replace(
        caption,
        number=mended_number(caption.number, nest.chapter_at(caption.start)),
        title=_MARKS.sub("", caption.title).strip(),
    )


def _marked_repeats(captions: Sequence[Caption]) -> Iterator[Caption]:
    """One without title is none where another with that number has one: it ends a sentence ("see Figure 5.7")."""
    titled = {_name(caption) for caption in captions if caption.title and not caption.continued}
    known: set[tuple[str, str]] = set()
    for caption in captions:
        name = _name(caption)
        if not caption.title and name in titled:
            continue
        yield replace(caption, continued=name in known, title="" if caption.continued else caption.title)
        known.add(name)


def _name(caption: Caption) -> tuple[str, str]:
    return caption.word[:3], caption.number


PROSE_WORDS = 14
TEXT_WORDS = 8
MARGIN = 0.07
MIN_FIGURE = 0.08
_NOTE = re.compile(r"\W{0,4}(?:NOTE|Notes?|Key|Source|where|[a-z0-9*†‡]\)?)\b", re.IGNORECASE)
_MARKED = re.compile(r"\W{0,4}(?:NOTE|Note|where\b|\(\d{1,2}\)|\d{1,2}(?:\.\d{1,2})+\.?\s+[A-Z])")
_WORD = re.compile(r"[a-z]{2}")


def find_exhibits(pages: Sequence[Sequence[Placed]], nest: Nest) -> Iterator[Anchor]:
    """Tables and figures with a caption, and the grids that have none (as tables without number)."""
    captions = find_captions(pages, nest)
    starts = {caption.start for caption in captions}
    blocks_of = {blocks[0].page.number: blocks for blocks in pages if blocks}
    anchors = [(caption, _anchor(caption, blocks_of[caption.at.page.number], nest, starts)) for caption in captions]
    yield from (anchor for caption, anchor in anchors if not caption.continued)
    yield from _nameless(pages, sorted((anchor.start, anchor.end) for _, anchor in anchors))


def headings_in_exhibits(pages: Sequence[Sequence[Placed]]) -> set[int]:
    """Where blocks start that look like headings and belong to a table (between its caption and text) or to a figure
    (between text and its caption).
    """
    found: set[int] = set()
    for blocks in pages:
        kinds = [next((caption.kind for caption in captions_of(at, blocks)), None) for at in blocks]
        prose = [_is_prose(at) for at in blocks]
        in_table = False
        for index, at in enumerate(blocks):
            in_table = kinds[index] == "table" or (in_table and not prose[index])
            if in_table and at.block.kind == "heading" and not (index + 1 < len(blocks) and prose[index + 1]):
                found.add(at.start)
        in_figure = False
        for index in range(len(blocks) - 1, -1, -1):
            in_figure = kinds[index] == "figure" or (in_figure and not prose[index] and kinds[index] is None)
            if in_figure and blocks[index].block.kind == "heading":
                found.add(blocks[index].start)
    return found


def _anchor(caption: Caption, blocks: Sequence[Placed], nest: Nest, captions: set[int]) -> Anchor:
    start, end, box = caption.start, caption.end, caption.at.block.box
    if caption.kind == "figure":
        box = _region(caption.at, blocks)
    else:
        parts = _table_parts(caption, blocks, nest, captions)
        start, end = min(start, parts[0].start), max(end, min(parts[-1].end, nest.next_start(start) or parts[-1].end))
        boxes = [part.block.box for part in parts if part.block.box is not None]
        box = Box.around(boxes) if boxes else None
    return Anchor(0, caption.kind, caption.number, caption.title, caption.at.page.number, start, end, None, box)


def _table_parts(caption: Caption, blocks: Sequence[Placed], nest: Nest, captions: set[int]) -> list[Placed]:
    """The blocks of a table: the caption's, and those below that are its rows and notes; else a grid right above."""
    limit = nest.next_start(caption.start)
    parts = [caption.at]
    for at in blocks[caption.at.index + 1 :]:
        behind = limit is not None and at.start >= limit
        if behind or at.start in captions or at.block.kind == "caption" or _is_prose(at):
            break
        parts.append(at)
    above = blocks[caption.at.index - 1] if caption.at.index else None
    if len(parts) == 1 and above is not None and above.block.kind == "table" and caption.at.block.kind != "table":
        return [above, caption.at]
    return parts


def _is_prose(at: Placed) -> bool:
    """Running text, which is no part of a table; notes below a table are."""
    if at.block.kind == "table" or _NOTE.match(at.text):
        return False
    longest = max(len(line.split()) for line in at.text.split("\n"))
    return longest >= PROSE_WORDS or (at.block.kind == "list_item" and _ends_sentence(at.text))


def _ends_sentence(text: str) -> bool:
    """Words stand before the full stop at its end."""
    words, stop, behind = text.rpartition(".")
    return bool(stop) and not behind.strip() and _WORD.search(words, words.rfind(".") + 1) is not None


def _region(at: Placed, blocks: Sequence[Placed]) -> Box | None:
    """From the running text above down to the caption, as wide as the page but for its margins; where there is no room
    above, from the caption to the running text below.
    """
    box = at.block.box
    if box is None:
        return None
    boxes = [other.block.box for other in blocks if other.block.box is not None]
    limits = [
        other.block.box for other in blocks if other is not at and other.block.box is not None and _is_limit(other)
    ]
    height, width = at.page.height, at.page.width
    left = min(MARGIN * width, *(other.left for other in boxes))
    right = max((1 - MARGIN) * width, *(other.right for other in boxes))
    top = max((other.bottom for other in limits if other.bottom <= box.top), default=MARGIN * height)
    bottom = min((other.top for other in limits if other.top >= box.bottom), default=(1 - MARGIN) * height)
    if box.top - top < MIN_FIGURE * height < bottom - box.bottom:
        return Box(left, box.top, right, bottom)
    return Box(left, min(top, box.top), right, box.bottom)


def _is_limit(at: Placed) -> bool:
    """A figure does not go beyond it: text, notes, numbered paragraphs, captions; words inside a figure are few."""
    if at.block.kind == "caption" or _MARKED.match(at.text):
        return True
    return max(len(line.split()) for line in at.text.split("\n")) >= TEXT_WORDS


def _nameless(pages: Sequence[Sequence[Placed]], covered: Sequence[tuple[int, int]]) -> Iterator[Anchor]:
    """The tables that lie in no captioned one."""
    waiting = list(reversed(covered))
    for blocks in pages:
        for at in blocks:
            if at.block.kind != "table":
                continue
            while waiting and waiting[-1][1] <= at.start:
                waiting.pop()
            if not waiting or at.start < waiting[-1][0]:
                yield Anchor(0, "table", None, "", at.page.number, at.start, at.end, None, at.block.box)
