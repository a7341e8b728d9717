"""Mails (EML): the headers that people read, the text of the message, and the files that are attached to it."""

from __future__ import annotations

import email
from collections.abc import Iterator
from dataclasses import replace
from email.errors import MessageError
from email.message import EmailMessage
from email.policy import default as mail_policy
from pathlib import Path
from typing import cast

from pincite.errors import ReadError
from pincite.ports import ReadOptions
from pincite.read import members
from pincite.read.encoding import clean, decode, read_bytes
from pincite.read.html import add_html, declared_charset
from pincite.read.mail_threads import MailBuilder, add_plain
from pincite.read.parts import Places, fold
from pincite.read.registry import versions_inside
from pincite.read.versions import stamp
from pincite.records.pages import Document

MAX_MAIL_BYTES = 128 * 2**20
MAX_DEPTH = 20
MAX_PARTS = 5_000
STATUS_REPORTS = frozenset({"message/delivery-status", "message/disposition-notification"})
"""What a machine says of a mail's way: fields that people read."""
_SHOWN_HEADERS = ("From", "To", "Cc", "Date", "Subject")


class MailReader:
    """RFC 5322 messages. What they quote stands under the name of whoever wrote it. Their attachments are members:
    sources of their own. A mail lies in no folder: its links lead to none."""

    name = "mail"
    suffixes = frozenset({".eml"})

    def __init__(self) -> None:
        own = stamp(self.name, f"7.{members.REVISION}", "lxml", "charset-normalizer")
        self.version = f"{own}; inside {versions_inside()}"

    def read(self, path: Path, options: ReadOptions) -> Document:
        """Read the mail at `path`; raise ReadError where it has neither headers nor text."""
        message = _message(path)
        subject = _header(message, "Subject")
        headers = [f"{name}: {value}" for name in _SHOWN_HEADERS if (value := _header(message, name))]
        if not headers:
            raise ReadError("is no mail: it has no headers such as From or Subject")
        sender = headers.pop(0) if headers[0].startswith("From:") else ""
        builder = MailBuilder(1, options.max_characters, sender)
        builder.add("paragraph", "\n".join(headers) or sender)
        attached = tuple(members.described(_attachments(message)))
        _add_body(message, builder)
        page = replace(builder.page(), links=(), place_names=())
        return Document(
            (page,),
            self.version,
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
