"""Lines to blocks: where a paragraph, heading, list item, caption or footnote begins and ends, and which it is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from pincite.read.layout import Line, PageLayout
from pincite.read.tables import CAPTION
from pincite.records.pages import BlockKind, Box

NUMBERED = re.compile(
    r"(?:(?:Annex|ANNEX|Part|PART|Chapter|CHAPTER|Section|SECTION) )?"
    r"(?:[A-Z]\.|\d{1,3}\.)*(?:\d{1,3}|[A-Z])\.?\s+(?=[A-Z(“\"'‘])"
)
DEEP_NUMBER = re.compile(r"(?:[A-Z]|\d{1,3})(?:\.\d{1,3}){1,6}\.?(?:\s+(?=[A-Z(“\"'‘])|$)")
MARK = re.compile(
    r"(?:[•▪●■◦‣–—*·\-o]\s+|\(?(?:\d{1,3}|[a-z]|[ivxl]{1,5}|[A-Z])[.)]\s+|\((?:\d{1,3}|[a-z]|[ivxl]{1,5})\)[A-Z]?\s*|"
    r"(?:\d{1,3}\.){1,5}\d{1,3}\s*\(\d+\)[A-Z]?\s*)"
)
FOOTNOTE = re.compile(r"(?:\d{1,3}|[*†‡§]{1,3}|[a-z])\)?\s+\S|\d{1,3}(?=[A-Z“\"])")
SENTENCE_END = (".", ":", ";", "?", "!", "”", ")")


@dataclass(frozen=True, slots=True)
class Draft:
    """A block before the whole document has been seen."""

    lines: tuple[Line, ...]
    text: str
    kind: BlockKind = "paragraph"

    @property
    def start(self) -> int:
        """Offset of the first character."""
        return self.lines[0].start

    @property
    def end(self) -> int:
        """Offset behind the last character."""
        return self.lines[-1].end

    @property
    def size(self) -> float:
        """Font size of the widest line."""
        return max(self.lines, key=lambda line: line.right - line.left).size

    @property
    def bold(self) -> bool:
        """All lines are bold."""
        return all(line.bold for line in self.lines)

    @property
    def box(self) -> Box:
        """Around all lines, as displayed."""
        return self.lines[0].box if len(self.lines) == 1 else Box.around(line.box for line in self.lines)


def draft_blocks(layout: PageLayout) -> list[Draft]:
    """The blocks of one page in reading order, all of kind paragraph, but for tables."""
    blocks: list[Draft] = []
    for region in _regions(layout.lines):
        if region[0].table is not None:
            blocks.append(_draft(layout, region, "table"))
            continue
        pitch = _pitch(region)
        right = max(line.right for line in region)
        group = [region[0]]
        for line in region[1:]:
            if _begins(layout.text, group, line, pitch, right):
                blocks.append(_draft(layout, group))
                group = []
            group.append(line)
        blocks.append(_draft(layout, group))
    return blocks


def classify(draft: Draft, body_size: float, page_height: float, *, body_bold: bool) -> Draft:
    """The same block with its kind, given the font size of the document's running text."""
    if draft.kind != "paragraph":
        return draft
    return replace(draft, kind=_kind(draft, body_size, page_height, body_bold=body_bold))


def without_sentences(drafts: Sequence[Draft]) -> list[Draft]:
    """Headings that a heading in small letters carries on to a full stop are a sentence in large print."""
    found = list(drafts)
    for place, (draft, after) in enumerate(pairwise(drafts)):
        reads_on = draft.kind == after.kind == "heading" and after.text[:1].islower() and after.text.endswith(".")
        if reads_on and not draft.text.endswith(SENTENCE_END):
            found[place : place + 2] = [replace(draft, kind="paragraph"), replace(after, kind="paragraph")]
    return found


def body_font(drafts: Iterable[Draft]) -> tuple[float, bool]:
    """Font size (to half a point) of most characters of a document, and whether most are bold."""
    sizes: Counter[float] = Counter()
    bold = 0
    for draft in drafts:
        for line in draft.lines:
            count = line.end - line.start
            sizes[round(line.size * 2) / 2] += count
            bold += count if line.bold else -count
    if not sizes:
        return 10.0, False
    return min(sizes, key=lambda size: (-sizes[size], size)), bold > 0


def _kind(draft: Draft, body_size: float, page_height: float, *, body_bold: bool) -> BlockKind:
    text = draft.text
    if CAPTION.match(text) and len(text) < 300 and _is_caption(text):
        return "caption"
    small = draft.size < 0.93 * body_size
    if small and draft.box.top > 0.6 * page_height and FOOTNOTE.match(text):
        return "footnote"
    if is_heading(draft, body_size, body_bold=body_bold):
        return "heading"
    return "list_item" if MARK.match(text) else "paragraph"


def _is_caption(text: str) -> bool:
    """Not a sentence that begins with the name of a table: "Table 2 shows the values"."""
    rest = CAPTION.sub("", text, count=1).lstrip(" .:—–-\n")
    return not rest or not rest[0].islower()


def is_heading(draft: Draft, body_size: float, *, body_bold: bool) -> bool:
    """Short, not a sentence, and larger, bold or numbered."""
    if len(draft.lines) > 4 or not 2 <= len(draft.text) <= 220:
        return False
    text = " ".join(draft.text.split())
    letters = sum(map(str.isalpha, text))
    if letters < 2 or "...." in text:
        return False
    numbered = DEEP_NUMBER.match(text) or NUMBERED.match(text)
    if text.endswith((";", ",")) or (text.endswith(".") and len(text.split()) > 8):
        return False
    if draft.size >= 1.15 * body_size and letters >= 3:
        return True
    if draft.bold and not body_bold and letters >= 3 and letters > 0.4 * len(text):
        return not text.endswith(":") or bool(numbered)
    return bool(numbered) and len(text) <= 90 and len(draft.lines) <= 2 and not text.endswith((".", ":"))


def _regions(lines: Sequence[Line]) -> list[list[Line]]:
    regions: list[list[Line]] = []
    for line in lines:
        last = regions[-1][-1] if regions else None
        same = last and (last.region, last.angle, last.table) == (line.region, line.angle, line.table)
        if last and same and line.start == last.end + 1:
            regions[-1].append(line)
        else:
            regions.append([line])
    return regions


def _pitch(lines: Sequence[Line]) -> float:
    """The usual distance of base lines, from the closest ones that occur often."""
    steps = sorted(after.base - before.base for before, after in pairwise(lines))
    usable = [step for step in steps if 0.5 * lines[0].size < step < 3 * lines[0].size]
    return median(usable[: max(1, (2 * len(usable)) // 3)]) if usable else 1.2 * lines[0].size


def _begins(text: str, group: list[Line], line: Line, pitch: float, right: float) -> bool:
    """Whether a new block begins with `line`."""
    last = group[-1]
    step = line.base - last.base
    if step > 1.28 * max(pitch, 1.05 * max(line.size, last.size)) or step > 1.18 * pitch + 2.0:
        return True
    if abs(line.size - last.size) > 0.16 * max(line.size, last.size):
        return True
    own = text[line.start : line.end]
    before = text[last.start : last.end]
    if line.bold != last.bold and _whole_change(group, line):
        return True
    if _looks_numbered(own) and (_ended(before) or last.right < right - 0.12 * (right - last.left)):
        return True
    if len(group) == 1 and _is_heading_line(before) and own[:1].isupper() and last.right < 0.85 * right:
        return True
    if CAPTION.match(own) and _is_caption(own) and _ended(before):
        return True
    return _leaves_item(text, group, line) or _indented(group, line, before, right)


def _whole_change(group: list[Line], line: Line) -> bool:
    """Bold begins or ends with whole lines: a heading, not a bold word at a line's start."""
    return len({member.bold for member in group}) == 1 or line.bold


def _looks_numbered(text: str) -> bool:
    return bool(MARK.match(text) or DEEP_NUMBER.match(text) or NUMBERED.match(text))


def _is_heading_line(text: str) -> bool:
    return bool(DEEP_NUMBER.match(text)) and len(text) <= 80 and not text.endswith((".", ",", ";"))


def _ended(text: str) -> bool:
    return text.endswith(SENTENCE_END) or not text[-1:].islower()


def _leaves_item(text: str, group: list[Line], line: Line) -> bool:
    """Whether a line stands left of the mark of a list's item, or below it where the item's own lines are set in."""
    first, edge = group[0], 0.7 * line.size
    if not MARK.match(text[first.start : first.end]):
        return False
    is_set_in = all(other.left > first.left + edge for other in group[1:]) and len(group) > 1
    return line.left < first.left - edge or (is_set_in and line.left < first.left + edge)


def _indented(group: list[Line], line: Line, before: str, right: float) -> bool:
    """The first line of a paragraph that is set in, after a line that ended one."""
    last = group[-1]
    if line.left < last.left + 0.7 * line.size or line.left > last.left + 6 * line.size:
        return False
    if len(group) == 1 and _looks_numbered(before):
        return False
    short = last.right < right - 2.5 * last.size
    return before.endswith((".", ":", "?", "!", "”")) and (short or len(group) > 1)


def _draft(layout: PageLayout, lines: Sequence[Line], kind: BlockKind = "paragraph") -> Draft:
    return Draft(tuple(lines), layout.text[lines[0].start : lines[-1].end], kind)
