"""Captions of tables and figures, told from sentences that mention them and from lists of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from typing import Literal

from pincite.structure.placed import Nest, Placed, mended_number

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
