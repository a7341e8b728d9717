"""Mails (EML): the headers that people read, the text of the message, and what is attached to it."""

from __future__ import annotations

import email
from collections.abc import Iterator
from dataclasses import dataclass
from email.errors import MessageError
from email.message import EmailMessage
from email.policy import default as mail_policy
from pathlib import Path
from typing import cast

from pincite.errors import ReadError
from pincite.ports import ReadOptions
from pincite.read.encoding import clean, decode, read_bytes
from pincite.read.html import add_html, declared_charset
from pincite.read.parts import PartBuilder, Places, fold
from pincite.read.plain import paragraphs
from pincite.read.versions import stamp
from pincite.records import Document

MAX_MAIL_BYTES = 128 * 2**20
MAX_DEPTH = 20
MAX_PARTS = 5_000
_SHOWN_HEADERS = ("From", "To", "Cc", "Date", "Subject")


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file inside a mail. `name` is its last part only, without any folder."""

    name: str
    content: bytes


class MailReader:
    """RFC 5322 messages. Attachments are named in a warning; `attachments` hands out their bytes."""

    name = "mail"
    suffixes = frozenset({".eml"})

    def __init__(self) -> None:
        self.version = stamp(self.name, "1", "lxml", "charset-normalizer")

    def read(self, path: Path, options: ReadOptions) -> Document:
        """Read the mail at `path`; raise ReadError where it has neither headers nor text."""
        message = _message(path)
        builder, places = PartBuilder(1, options.max_characters), Places()
        subject = _header(message, "Subject")
        headers = [f"{name}: {value}" for name in _SHOWN_HEADERS if (value := _header(message, name))]
        if builder.add("paragraph", "\n".join(headers), locator=places.block()) is None:
            raise ReadError("is no mail: it has no headers such as From or Subject")
        attached = [
            _file_name(part, index) for index, part in enumerate(filter(_is_attachment, _leaves(message)), start=1)
        ]
        _add_body(message, builder, places)
        return Document(
            (builder.page(),),
            self.version,
            title=subject or None,
            paged=False,
            locators="block",
            metadata={"attachments": "\n".join(attached)} if attached else {},
            warnings=_warnings(attached),
        )


def attachments(path: Path) -> list[Attachment]:
    """The files attached to the mail at `path`, in order; raises ReadError where it cannot be read.

    Names are made different from each other by a number in front; mails inside a mail come as `.eml`.
    """
    found: list[Attachment] = []
    names: set[str] = set()
    for part in _leaves(_message(path)):
        if not _is_attachment(part):
            continue
        name = _file_name(part, len(found) + 1)
        name = f"{len(found) + 1}-{name}" if name in names else name
        names.add(name)
        found.append(Attachment(name, _content(part)))
    return found


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
        return cast(EmailMessage, payload[0]).as_bytes()
    content = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""


def _add_body(message: EmailMessage, builder: PartBuilder, places: Places) -> None:
    """Plain text where there is any, else HTML, of all parts that are shown."""
    shown = [part for part in _leaves(message) if not _is_attachment(part)]
    plain = [text for part in shown if part.get_content_subtype() != "html" and (text := _text(part)).strip()]
    for text in plain:
        for start, end in paragraphs(text):
            builder.add("paragraph", text[start:end], locator=places.block())
    if not plain:
        for part in shown:
            add_html(_text(part), builder, places)


def _text(part: EmailMessage) -> str:
    data = _content(part)
    declared = part.get_content_charset() or (declared_charset(data) if part.get_content_subtype() == "html" else None)
    return clean(decode(data, declared))


def _header(message: EmailMessage, name: str) -> str:
    try:
        return " ".join(fold(str(message.get(name, ""))).split())
    except (ValueError, IndexError, AttributeError, TypeError):
        return next((" ".join(fold(value).split()) for key, value in message.raw_items() if key == name), "")


def _warnings(attached: list[str]) -> tuple[str, ...]:
    if not attached:
        return ()
    verb = "1 attachment was" if len(attached) == 1 else f"{len(attached)} attachments were"
    return (f"{verb} not read: {', '.join(attached[:20])}",)
