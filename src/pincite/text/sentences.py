"""Where sentences begin and end, by rules, in any language that ends them with a mark."""

from __future__ import annotations

import re

from pincite.text.looks import BOXES

_ABBREVIATIONS = frozenset(
    "e.g i.e cf etc vs viz approx ca no nos nr vol fig figs eq eqs ref refs sec sect ch chap art para par pt "
    "app ed eds "
    "p pp al st mr mrs ms dr prof sr jr hon gen col sen rep gov inc ltd co corp llc dept est jan feb mar apr "
    "jun jul aug "
    "sep sept oct nov dec u.s u.k e.u bzw z.b d.h usw vgl abs nr s bd evtl ggf inkl m.e p.ex env av art núm pág tzn np "
    "tj ust poz т.е т.д т.п др см рис".split()
)
ENDS = ".!?:;…。！？"
_LONGEST_LABEL = 80
# Begins with all characters that may begin a match: such a set is searched for seven times as fast as what looks back
# first. Then one of: marks that end a sentence with what closes behind them; those of East Asia; what closes alone.
_END = re.compile(
    r"[.!?…。！？\"”’»)\]](?:"
    r"(?<=[.!?…])(?<![.!?…][.!?…])[.!?…]*+[\"'”’»)\]]*(?=\s)"
    r"|(?<=[。！？])[。！？]*[」』”）]*"
    r"|(?<=[.!?][\"”’»)\]])[\"”’»)\]]*(?=\s))"
)
_LAST_WORD = re.compile(r"(?<!\S)(\S++)$")
_NEXT = re.compile(r"\s++[\"'“‘«(\[]*(?P<first>\S)")
_BEGINS_ITEM = re.compile(r"\(?(?:[a-z]|[ivx]{1,5})[.)]\s")
_BOX = re.compile(rf"\s*+(?:[{BOXES}]|\[[ xX]\])\s")
_LABEL = re.compile(r"\s*+\(?(?:\d{1,3}(?>(?:\.\d+)*)|[A-Za-z]|[ivxlIVXL]{1,5})[.)]")
_CAPTION_LABEL = re.compile(r"\s*+[^\W\d_a-z][^\W\d_]++\s\d{1,3}(?>(?:[.-]\d+)*)\.")


def sentence_bounds(text: str) -> list[tuple[int, int]]:
    """The `[start, end)` of each sentence, in order, white space at the ends left out; together they hold all else.

    A full stop ends none after an abbreviation, an initial, the label of an item or a caption ("Figure 3.2."), or
    before a lower-case letter. A question in front of boxes ("Is it new? ☒ yes ☐ no") goes on with them.
    """
    bounds: list[tuple[int, int]] = []
    start = 0
    for match in _END.finditer(text):
        if not _BOX.match(text, match.end()) and (match.group()[0] in "。！？" or _ends_sentence(text, start, match)):
            bounds.append((start, match.end()))
            start = match.end()
    bounds.append((start, len(text)))
    return [(begin, end) for begin, end in (trimmed(text, *bound) for bound in bounds) if begin < end]


def goes_on(text: str, following: str) -> bool:
    """Whether the text of a block reads on in the block behind it: a page or column break cut a sentence in two."""
    ending, beginning = text.rstrip(), following.lstrip()
    if _BEGINS_ITEM.match(beginning):
        return False
    return bool(ending) and ending[-1] not in ENDS and beginning[:1].islower()


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """These bounds without the white space at both ends."""
    part = text[start:end]
    begin = start + len(part) - len(part.lstrip())
    return begin, begin + len(part.strip())


def _ends_sentence(text: str, start: int, match: re.Match[str]) -> bool:
    following = _NEXT.match(text, match.end())
    if following is None:
        return True
    if following.group("first").islower():
        return False
    if match.group()[0] != ".":
        return True
    word = _LAST_WORD.search(text[max(start, match.start() - 40) : match.start()])
    if word is None:
        return True
    last = word.group(1).lstrip("([\"'“‘«").lower()
    if last in _ABBREVIATIONS:
        return False
    if len(last) == 1 and last.isalpha() and not following.group("first").isdigit():
        return False
    return not _is_label(text, start, match.start() + 1)


def _is_label(text: str, start: int, end: int) -> bool:
    """What a sentence that starts at `start` holds before `end` is the label of an item or a caption, or its last line
    is that of an item."""
    if _CAPTION_LABEL.fullmatch(text, start, end):
        return True
    near = max(start, end - _LONGEST_LABEL)
    line = text.rfind("\n", near, end) + 1 or start
    return line >= near and _LABEL.fullmatch(text, line, end) is not None
