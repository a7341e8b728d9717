"""Who wrote which part of a mail: what it quotes and forwards stands under the line that says whose it is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pincite.read.linked import RawLink
from pincite.read.parts import PartBuilder, Places, RawCell
from pincite.records.pages import BlockKind, Span

QUOTED = "Quoted:"
"""What stands over words that are quoted without a line that says whose they are."""
LONGEST_LINE = 300
"""Characters of such a line."""
MOST_LINES = 3
_SAID = re.compile(r"\b(?:wrote|writes|schrieb|schreef|skrev|a écrit|escribió|ha scritto|escreveu|napisał)\b", re.I)
_WHEN_OR_WHO = re.compile(r"\b(?:19|20)\d\d\b|\S@\S|\d[./]\d+[./]\d")
_NAME_ALONE = re.compile(r"(?:[^\W\d_a-z][\w.'’-]*\s+){1,4}\w+\s*:")
_HEAD = re.compile(r"\*{0,2}(?:From|Von|De|Da|Van|Från)\s*:\*{0,2}\s*\S.*")
_FIELD = re.compile(r"\*{0,2}[A-ZÀ-Þ][\w ’'-]{0,30}\s?:\*{0,2}(?:\s|$)")
_RULE = re.compile(
    r"[-_\s]*+(?:(?:begin )?forwarded message|(?:original|weitergeleitete|ursprüngliche)[ -](?:message|nachricht)|"
    r"message (?:d'origine|transféré))?[-_:\s]*+",
    re.IGNORECASE,
)
_MARKS = re.compile(r"(?:[ \t]?>)+[ \t]?")


class MailBuilder(PartBuilder):
    """Puts the parts of a mail under a heading that says who wrote them, and counts the blocks with these headings."""

    def __init__(self, number: int, max_characters: int, sender: str) -> None:
        super().__init__(number, max_characters)
        self._places = Places()
        self._author = sender
        self._around: list[str] = []
        self._named = self._told = ""
        self._is_opening = False

    def begin_quote(self) -> None:
        """What is added from here on is quoted: of whom the line before it or its own first line names."""
        self._around.append(self._author)
        self._author, self._named = self._named or QUOTED, ""
        self._is_opening = True

    def end_quote(self) -> None:
        """What is added from here on is of whoever wrote what stands before the quotation."""
        if self._around:
            self._author, self._named = self._around.pop(), ""
        self._is_opening = False

    def add(
        self,
        kind: BlockKind,
        text: str,
        *,
        level: int | None = None,
        locator: str | None = None,
        bold: bool = False,
        between: str | None = None,
        links: Sequence[RawLink] = (),
    ) -> Span | None:
        """Add one block; a line that says who wrote what follows becomes the heading of that."""
        shown = text.strip()
        if not shown or _RULE.fullmatch(shown):
            return None
        lines = shown.split("\n")
        if _is_head(lines):
            self._author, text, links = lines[0].strip(), "\n".join(lines[1:]), ()
        elif is_attribution(shown):
            if self._is_opening:
                self._author, self._is_opening = shown, False
            else:
                self._named = shown
            return None
        elif self._named:
            self._author, self._named = self._named, ""
        self._tell()
        place = self._places.block()
        return super().add(kind, text, level=level, locator=place, bold=bold, between=between, links=links)

    def add_table(self, rows: Sequence[Sequence[RawCell]], *, locator: str | None = None) -> Span | None:
        """Add a table of whoever writes here."""
        self._tell()
        return super().add_table(rows, locator=self._places.block())

    def _tell(self) -> None:
        self._is_opening = False
        if self._author and self._author != self._told:
            self._told = self._author
            super().add("heading", self._author, level=1, locator=self._places.block())


def add_plain(text: str, builder: MailBuilder) -> None:
    """Add the paragraphs of a plain text, those behind ">" as quotations."""
    depth = 0
    for level, lines in _runs(text.split("\n")):
        while depth < level:
            builder.begin_quote()
            depth += 1
        while depth > level:
            builder.end_quote()
            depth -= 1
        for piece in _pieces(lines):
            builder.add("paragraph", "\n".join(piece))


def is_attribution(text: str) -> bool:
    """Whether a text says who wrote what follows: "On 2 May 2026, Ann Vole <ann@vole.example> wrote:"."""
    if len(text) > LONGEST_LINE or not text.endswith(":") or not _SAID.search(text):
        return False
    return bool(_WHEN_OR_WHO.search(text) or _NAME_ALONE.fullmatch(text))


def _is_head(lines: Sequence[str]) -> bool:
    """Whether lines are the head of a mail that is quoted as a whole."""
    return len(lines) > 1 and bool(_HEAD.fullmatch(lines[0])) and all(map(_FIELD.match, lines[1:2]))


def _runs(lines: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Runs of lines that are not blank and have as many ">" in front, without them."""
    run: list[str] = []
    depth = 0
    for line in lines:
        marks = _MARKS.match(line)
        level, shown = (marks.group().count(">"), line[marks.end() :]) if marks else (0, line)
        if run and (level != depth or not shown.strip()):
            yield depth, run
            run = []
        if shown.strip():
            depth = level
            run.append(shown)
    if run:
        yield depth, run


def _pieces(lines: list[str]) -> Iterator[list[str]]:
    """A paragraph, and by itself the line at its end that says who wrote what follows; a head and what follows it."""
    while lines and _RULE.fullmatch(lines[0].strip()):
        lines = lines[1:]
    if _is_head(lines):
        size = next((place for place, line in enumerate(lines) if not _FIELD.match(line)), len(lines))
        yield lines[:size]
        lines = lines[size:]
    starts = range(max(0, len(lines) - MOST_LINES), len(lines))
    start = next((place for place in starts if is_attribution(" ".join(lines[place:]))), len(lines))
    if start < len(lines) and (narrow := [place for place in starts if lines[place].startswith(("On ", "Am ", "Le "))]):
        start = max(start, narrow[-1])
    yield from (piece for piece in (lines[:start], lines[start:]) if piece)
