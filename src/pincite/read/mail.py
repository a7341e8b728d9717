"""Mails (EML): the headers that people read, the authors of the parts of the text, and attachments."""

from __future__ import annotations

import email
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from email.errors import MessageError
from email.message import EmailMessage
from email.policy import default as mail_policy
from pathlib import Path
from typing import cast

from pincite.errors import ReadError
from pincite.ports import ReadOptions
from pincite.read import registry
from pincite.read.encoding import clean, decode, read_bytes
from pincite.read.html import add_html, declared_charset
from pincite.read.linked import RawLink
from pincite.read.parts import PartBuilder, Places, RawCell, fold
from pincite.records.pages import BlockKind, Document, Span

QUOTED = "Quoted:"
"""The heading of a quotation without an attribution."""
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
    """Puts the parts of a mail under headings that name their authors, and counts the blocks together with these."""

    def __init__(self, number: int, max_characters: int, sender: str) -> None:
        super().__init__(number, max_characters)
        self._places = Places()
        self._author = sender
        self._around: list[str] = []
        self._named = self._told = ""
        self._is_opening = False

    def begin_quote(self) -> None:
        """What follows is quoted; the line before it or its own first line names the author."""
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
        """Add one block; an attribution becomes the heading of what follows."""
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
    """Whether a text is an attribution: "On 2 May 2026, Ann Vole <ann@vole.example> wrote:"."""
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
    """A paragraph, with an attribution at its end as a piece of its own; a head and what follows it."""
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


MAX_MAIL_BYTES = 128 * 2**20
MAX_DEPTH = 20
MAX_PARTS = 5_000
STATUS_REPORTS = frozenset({"message/delivery-status", "message/disposition-notification"})
"""What a machine says of a mail's way: fields that people read."""
_SHOWN_HEADERS = ("From", "To", "Cc", "Date", "Subject")


def read_mail(path: Path, options: ReadOptions) -> Document:
    """RFC 5322 messages. What they quote stands under the name of whoever wrote it. Their attachments are members:
    sources of their own. A mail lies in no folder: its links lead to none. ReadError where it has no headers."""
    message = _message(path)
    subject = _header(message, "Subject")
    headers = [f"{name}: {value}" for name in _SHOWN_HEADERS if (value := _header(message, name))]
    if not headers:
        raise ReadError("is no mail: it has no headers such as From or Subject")
    sender = headers.pop(0) if headers[0].startswith("From:") else ""
    builder = MailBuilder(1, options.max_characters, sender)
    builder.add("paragraph", "\n".join(headers) or sender)
    attached = tuple(registry.described(_attachments(message)))
    _add_body(message, builder)
    page = replace(builder.page(), links=(), place_names=())
    return Document(
        (page,),
        title=subject or None,
        paged=False,
        locators="block",
        members=attached,
    )


def attached_files(path: Path) -> dict[str, bytes]:
    """The attachments of the mail at `path`, by name."""
    return dict(_attachments(_message(path)))


def _attachments(message: EmailMessage) -> Iterator[tuple[str, bytes]]:
    """Name and content of each attachment, in order. A number in front tells those apart that have the same name."""
    names: set[str] = set()
    for ordinal, part in enumerate(filter(_is_attachment, _leaves(message)), start=1):
        name = _file_name(part, ordinal)
        while name in names:
            name = f"{ordinal}-{name}"
        names.add(name)
        yield name, _content(part)


def _message(path: Path) -> EmailMessage:
    data = read_bytes(path, MAX_MAIL_BYTES)
    if b"\0" in data[:200]:
        data = decode(data).encode("utf-8")
    try:
        return email.message_from_bytes(data, policy=mail_policy)
    except (MessageError, ValueError, RecursionError) as error:
        raise ReadError(f"is damaged: it cannot be taken apart as a mail ({error})") from error


def _leaves(message: EmailMessage) -> Iterator[EmailMessage]:
    """The parts that hold content, in order; a mail inside the mail is one part."""
    waiting: list[tuple[EmailMessage, int]] = [(message, 0)]
    count = 0
    while waiting:
        part, depth = waiting.pop()
        count += 1
        if count > MAX_PARTS or depth > MAX_DEPTH:
            raise ReadError(f"has more than {MAX_PARTS:,} parts, or is nested deeper than {MAX_DEPTH}")
        if part.get_content_maintype() == "multipart" and isinstance(part.get_payload(), list):
            children = cast(list[EmailMessage], part.get_payload())
            waiting.extend((child, depth + 1) for child in reversed(children))
        else:
            yield part


def _is_attachment(part: EmailMessage) -> bool:
    if part.get_content_type() in STATUS_REPORTS:
        return False
    if part.get_content_disposition() == "attachment" or part.get_content_maintype() not in ("text", "multipart"):
        return True
    return part.get_content_subtype() not in ("plain", "html") and bool(part.get_filename())


def _file_name(part: EmailMessage, ordinal: int) -> str:
    """The last part of the stated name; a number and the type where none is stated."""
    stated = fold(str(part.get_filename() or "")).replace("\\", "/").rsplit("/", 1)[-1].strip(". ")
    if stated:
        return stated
    kind = part.get_content_subtype()
    return f"attachment-{ordinal}.{'eml' if kind == 'rfc822' else fold(kind) or 'bin'}"


def _content(part: EmailMessage) -> bytes:
    payload = part.get_payload()
    if part.get_content_maintype() == "message" and isinstance(payload, list) and payload:
        held = cast(list[EmailMessage], payload)
        return b"\n".join(item.as_bytes() for item in (held if part.get_content_type() in STATUS_REPORTS else held[:1]))
    content = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""


def _add_body(message: EmailMessage, builder: MailBuilder) -> None:
    """Plain text where there is any, else HTML, of all parts that are shown."""
    shown = [part for part in _leaves(message) if not _is_attachment(part)]
    plain = [text for part in shown if part.get_content_subtype() != "html" and (text := _text(part)).strip()]
    for text in plain:
        add_plain(text, builder)
    if not plain:
        for part in shown:
            add_html(_text(part), builder, Places())


def _text(part: EmailMessage) -> str:
    data = _content(part)
    declared = part.get_content_charset() or (declared_charset(data) if part.get_content_subtype() == "html" else None)
    return clean(decode(data, declared))


def _header(message: EmailMessage, name: str) -> str:
    try:
        return " ".join(fold(str(message.get(name, ""))).split())
    except (ValueError, IndexError, AttributeError, TypeError):
        return next((" ".join(fold(value).split()) for key, value in message.raw_items() if key == name), "")
