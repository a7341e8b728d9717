"""The references of a document as written: what text points to, before anyone looks whether it is there."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pincite.records.outlines import Anchor, Reference, ReferenceKind, Section
from pincite.records.pages import Document, page_offsets
from pincite.structure.anchored import SHORTEST, Titles, title_key, titled_places, titles_of
from pincite.structure.places import KINDS, NESTED, UNIT_OF, mended, read_place
from pincite.structure.wording import Token, normal_name, tokens_of
from pincite.text.looks import without_raised

REFERENCES_VERSION = "5"

_OF = re.compile(
    r"[\s,]*(?:\([^()]{0,80}\)\s*)?(?:of|in|under|to|within|from)\s+(?:the\s+|its\s+)?(?:[A-Z]{2,8}\s+)?", re.ASCII
)
_BRACKETED = re.compile(r"\s*\(\s*(?:the\s+)?")
_BEFORE_PLACE = re.compile(r"(?:[’']s)?\)?\s*+(?:[,:;(]\s*+)?(?:the\s++)?(?:\([^()]{0,40}\)\s*+)?")
_COMMA = re.compile(r"\s*,\s*")
_NATIONAL = re.compile(r"national\s+annex", re.IGNORECASE)
_OR = re.compile(r"\s*+(?:,(?:\s*+(?:and|or))?|and|or)\s*+")
_DEFINED = re.compile(r"(?:defin\w+|meaning|described)\b[^.;]{0,60}$", re.IGNORECASE)
_SUBJECT = re.compile(r"subject\s+to\b[^.;]{0,60}$", re.IGNORECASE)
_LEAD = re.compile(
    r"(?:\b(?:see|also|in|of|to|with|by|under|from|and|or|using|per|than|is|satisfies)|[(,;\[])\s*$", re.IGNORECASE
)
_TO_PAGE = re.compile(
    r"\b(?:see|also|on|at|from|and|siehe|auf|vgl\.?|voir|à\s+la|en\s+la|véase)\s+(?:the\s+)?\Z", re.IGNORECASE
)
_OF_OTHER = re.compile(
    r"(?:/\d{1,4})?\s*(?:of|in)\s+(?!this\b|these\b|our\b)(?:the\s+)?(?P<name>(?:\S+\s+){1,3}[^\s.,;:)]+)",
    re.IGNORECASE,
)
_LEAD_LENGTH = 80
_TITLE_LENGTH = 30
_DEEPEST = 12
_AFTER_NUMBER = re.compile(r"[\s.:–—-]*(?:\((?:informative|normative)\)\s*)?")
_OWN_LABEL = re.compile(r"\([A-Z][A-Za-z]{0,8}\s\d{1,3}(?:\.\d{1,3})*[a-z]?\)")
"""What a heading, or its line in the contents, opens with where questions are counted: "(FAQ 92) Which packages"."""
_CAPTIONED = ("table", "figure", "note")
_UPPER_UNITS = ("part", "chapter", "schedule", "annex", "article")
_DIRECTIONS = {
    **dict.fromkeys(("following", "next", "below"), "next"),
    **dict.fromkeys(("preceding", "previous", "above", "foregoing"), "previous"),
    "this": "this",
}


Known = frozenset[tuple[str, ...]] | None


@dataclass(slots=True)
class _Found:
    """A token with what it was found to belong to: the token of its document, the token of the place around it."""

    token: Token
    document: Token | None = None
    within: _Found | None = None


def find_references(
    document: Document, sections: Sequence[Section], anchors: Sequence[Anchor] = ()
) -> tuple[Reference, ...]:
    """The references in reading order, one for each place that is named ("Rules 4.1 and 4.3": two). Headings, captions
    and equation numbers do not refer to themselves. A bare number ("see 5.3.2") counts where this document has such a
    section or a document is named beside it, a title where something is called so."""
    known = frozenset(read_place(section.number).pieces for section in sections if section.number)
    titles = titles_of(sections, anchors)
    printed = () if any(page.section for page in document.pages) else sections
    own = _OwnNumbers(printed, anchors)
    references: list[Reference] = []
    for page, offset in zip(document.pages, page_offsets(document.pages), strict=False):
        for block in page.blocks:
            if block.kind == "furniture":
                continue
            start = offset + block.span.start
            text = without_raised(page.text_of(block.span))
            found = [item for item in _attached(text, known, titles) if not own.hold(text, start, item.token)]
            references += _numbered(text, start, found, known, len(references))
    return tuple(references)


def references_in(text: str) -> list[Reference]:
    """The references in a text that belongs to no document, such as a question; offsets are in the text. Every bare
    number of several levels counts."""
    text = without_raised(text)
    return _numbered(text, 0, _attached(text, None, Titles()), None, 0)


class _OwnNumbers:
    """Where a document gives headings, captions and equations their numbers."""

    def __init__(self, sections: Sequence[Section], anchors: Sequence[Anchor]) -> None:
        numbered = {section.start for section in sections if section.number}
        self._starts = sorted(numbered | {anchor.start for anchor in anchors})
        headed = {section.start for section in sections if section.number and section.title}
        self._headed = sorted(headed | {anchor.start for anchor in anchors if anchor.kind in _CAPTIONED})
        self._equations = [(anchor.start, anchor.end) for anchor in anchors if anchor.kind == "equation"]
        self._titled = {key for section in sections if (key := title_key(section.title))}
        self._titles: dict[tuple[str, ...], set[str]] = defaultdict(set)
        for section in sections:
            if section.number and (key := title_key(section.title)):
                self._titles[_key(section.number)].add(key)

    def hold(self, text: str, offset: int, token: Token) -> bool:
        """A token of a block that starts at `offset` is such a number; signs may stand before it ("15) Table 7.3b")."""
        at = offset + token.start
        if token.kind == "document":
            return False
        if _last(self._starts, at) == at:
            return True
        label = _OWN_LABEL.match(text)
        if label and token.end <= label.end() and title_key(text) in self._titled:
            return True
        before = _last(self._headed, at) - offset
        if before >= 0 and not any(map(str.isalpha, text[before : token.start])):
            return True
        if token.unit == "note" and _opens_note(text, token):
            return True
        if token.kind not in ("bare", "inner"):
            return token.kind == "places" and self._repeats_heading(text, token)
        start, end = self._equations[bisect_right(self._equations, (at, at)) - 1] if self._equations else (0, 0)
        return start <= at < end

    def _repeats_heading(self, text: str, token: Token) -> bool:
        """A place alone in its block, or with its title behind it at the start of a line: contents, running headers."""
        if len(token.items) > 1 or (token.start and text[token.start - 1] != "\n"):
            return False
        if token.text == text.strip() and token.unit in _UPPER_UNITS:
            return True
        behind = _AFTER_NUMBER.sub("", text[token.end : token.end + _LEAD_LENGTH], count=1)
        return any(_starts_alike(normal_name(behind), title) for title in self._titles.get(_key(token.text), ()))


def _opens_note(text: str, token: Token) -> bool:
    """ "NOTE 3" at the start of a line is the note itself, unless the words before it point to it."""
    before = text[max(0, token.start - _LEAD_LENGTH) : token.start]
    return not any(map(str.isalnum, before[before.rfind("\n") + 1 :])) and not _LEAD.search(before)


def _key(label: str) -> tuple[str, ...]:
    place = read_place(label)
    return (*map(" ".join, place.lanes), *place.pieces)


def _starts_alike(behind: str, title: str) -> bool:
    length = min(len(title), len(behind), _TITLE_LENGTH)
    return length >= SHORTEST and behind[:length] == title[:length]


def _last(starts: Sequence[int], at: int) -> int:
    """The last of these at or before an offset; -1 where there is none."""
    index = bisect_right(starts, at) - 1
    return starts[index] if index >= 0 else -1


def _attached(text: str, known: Known, titles: Titles) -> list[_Found]:
    """The tokens of a text, each place with its document and with the place that it lies in."""
    found = [_Found(token) for token in _named_before(_decoded(token, known) for token in _tokens(text, titles))]
    for before, after in pairwise(found):
        gap = text[before.token.end : after.token.start]
        if _is_place(before) and _is_name(after) and (_OF.fullmatch(gap) or _BRACKETED.fullmatch(gap)):
            before.document = after.token
        elif _is_place(before) and _is_place(after):
            _nest(before, after, gap)
    for before, after in pairwise(found):
        gap = text[before.token.end : after.token.start]
        is_free = _is_place(after) and after.document is None and _owns_next(before)
        if is_free and _BEFORE_PLACE.fullmatch(gap) and after.token.kind != "inner":
            after.document = before.token
    _cut_chains(found)
    _share_documents(text, found)
    return found


def _cut_chains(found: Sequence[_Found]) -> None:
    """What lies in a place, in a place, and so on deeper than any text means it, lies in none."""
    for item in found:
        at, depth = item, 0
        while at.within is not None and depth < _DEEPEST:
            at, depth = at.within, depth + 1
        if depth == _DEEPEST:
            item.within = None


def _tokens(text: str, titles: Titles) -> list[Token]:
    """The tokens in order; of two that overlap the one that is called by its title."""
    titled = list(titled_places(text, titles))
    ends = [item.end for item in titled]
    others = []
    for token in tokens_of(text):
        following = bisect_right(ends, token.start)
        if following == len(titled) or titled[following].start >= token.end:
            others.append(token)
    return sorted([*titled, *others], key=lambda token: token.start)


def _named_before(tokens: Iterable[Token]) -> Iterator[Token]:
    """ "that Act" is the document that was named last before it."""
    last: Token | None = None
    for token in tokens:
        if token.kind == "other" and last is not None:
            yield replace(token, text=last.text)
        else:
            yield token
        last = token if token.kind == "document" else last


def _decoded(token: Token, known: Known) -> Token:
    """A code is a place where this document has one of that name ("CSP5"), else the name of something else ("PPS3")."""
    if token.kind != "code":
        return token
    is_own = known is None or read_place(token.text).pieces in known
    return replace(token, kind="places" if is_own else "acronym")


def _nest(before: _Found, after: _Found, gap: str) -> None:
    """ "Chapter 4 of Part 12", "A2.1 of App2", "Part 7, Chapter 2", "4.5(1) NOTE 2"."""
    is_listed = _COMMA.fullmatch(gap) is not None and _is_upper(before) and not _is_upper(after, than=before)
    if _OF.fullmatch(gap):
        before.within = after
    elif (after.token.unit == "note" and gap.isspace()) or is_listed:
        after.within = before


def _is_upper(item: _Found, than: _Found | None = None) -> bool:
    unit = item.token.unit
    if unit not in _UPPER_UNITS:
        return False
    return than is None or _UPPER_UNITS.index(unit) <= _UPPER_UNITS.index(than.token.unit)


def _share_documents(text: str, found: Sequence[_Found]) -> None:
    """A place without document takes that of the place it lies in, and of the next in a list of the same unit."""
    for item, following in reversed(list(pairwise(found))):
        gap = text[item.token.end : following.token.start]
        listed = _OR.fullmatch(gap) and item.token.unit == following.token.unit
        if item.document is None and _is_place(item) and listed and following.document is not None:
            item.document = following.document
    for item in reversed(found):
        if item.document is None and item.within is not None:
            item.document = item.within.document
    for item in found:
        if item.document is None and item.within is not None:
            item.document = item.within.document


def _is_place(item: _Found) -> bool:
    return item.token.kind in ("places", "bare", "inner")


def _is_name(item: _Found) -> bool:
    return item.token.kind in ("document", "acronym", "own", "other")


def _owns_next(item: _Found) -> bool:
    """A name that a place behind it may belong to: "GEN 4.1", but not "by the National Annex, Annex B may"."""
    return item.token.kind in ("document", "acronym") and not _NATIONAL.match(item.token.text)


def _numbered(text: str, offset: int, found: Sequence[_Found], known: Known, count: int) -> list[Reference]:
    """References of one block; `count` is the ordinal of the first."""
    counted = [item for item in found if _counts(text, item, known)]
    first_of: dict[int, int] = {}
    made: list[tuple[_Found, Reference]] = []
    for item in counted:
        first_of[id(item)] = count + len(made)
        made += [(item, reference) for reference in _references_of(text, offset, item)]
    return [
        replace(reference, ordinal=count + index, within=None if item.within is None else first_of.get(id(item.within)))
        for index, (item, reference) in enumerate(made)
    ]


def _counts(text: str, item: _Found, known: Known) -> bool:
    """Whether a token is a reference: a bare number has to be a place of this document, or of a named one."""
    token = item.token
    if token.kind in ("acronym", "own", "other"):
        return False
    if token.unit == "page":
        return item.document is not None or _leads_to_page(text, token)
    if token.kind == "inner":
        return bool(_LEAD.search(text[max(0, token.start - 12) : token.start])) or item.document is not None
    if token.kind == "bare" and item.document is None and known is not None:
        return (
            "." in token.items[0].number
            and all(_is_known(part.number, known) for part in token.items)
            and (bool(_LEAD.search(text[max(0, token.start - 12) : token.start])) or "(" in token.items[0].number)
        )
    return True


def _leads_to_page(text: str, token: Token) -> bool:
    """ "see page 12", but no count of pages and no page of a screen."""
    return _TO_PAGE.search(text[max(0, token.start - _TITLE_LENGTH) : token.start]) is not None


def _owner_of_page(text: str, item: _Found) -> str | None:
    """The words for what a page belongs to, where it is not this document: "page 4 of Form 1040"."""
    match = _OF_OTHER.match(text, item.token.end) if item.token.unit == "page" and item.within is None else None
    return None if match is None else match["name"]


def _is_known(number: str, known: frozenset[tuple[str, ...]]) -> bool:
    pieces = read_place(mended(number)).pieces
    while pieces and pieces not in known and pieces[-1].startswith("("):
        pieces = pieces[:-1]
    return pieces in known


def _references_of(text: str, offset: int, item: _Found) -> Iterator[Reference]:
    token = item.token
    named = _owner_of_page(text, item) if item.document is None else item.document.text
    document = "this" if item.document is not None and item.document.kind == "own" else named
    if token.kind == "document":
        yield Reference(
            0, "external", offset + token.start, offset + token.end, token.text, "document", document=token.text
        )
    elif token.kind == "relative":
        words = token.text.lower().split()
        direction = next((_DIRECTIONS[word] for word in words if word in _DIRECTIONS and word != "this"), "this")
        unit = "paragraph" if words[-1] in NESTED else UNIT_OF.get(words[-1], "")
        yield Reference(
            0, KINDS.get(unit, "see"), offset + token.start, offset + token.end, token.text, unit, relative=direction
        )
    else:
        kind = _kind(text, token, document)
        for index, part in enumerate(token.items):
            start = token.start if index == 0 else part.start
            yield Reference(
                0, kind, offset + start, offset + part.end, text[start : part.end], token.unit, _plain(part.number),
                _plain(part.until), document=document,
            )  # fmt: skip


def _plain(number: str | None) -> str | None:
    return None if number is None else "".join(number.split()) if "(" in number or "." in number else number


def _kind(text: str, token: Token, document: str | None) -> ReferenceKind:
    before = text[max(0, token.start - _LEAD_LENGTH) : token.start]
    if token.unit in KINDS:
        return KINDS[token.unit]
    if _DEFINED.search(before):
        return "defined_in"
    if _SUBJECT.search(before):
        return "subject_to"
    return "external" if document not in (None, "this") else "see"
