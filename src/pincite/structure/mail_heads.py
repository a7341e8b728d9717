"""The lines above a mail that say who sent it to whom: each a name of RFC 5322, a colon and a value."""

from __future__ import annotations

import re

from pincite.records.pages import Document

_FIELD = re.compile(r"(?P<name>[A-Z][A-Za-z-]{1,40}+):(?:\s|$)")
_ENVELOPE = re.compile(r"From \S{1,200}+(?: at \S{1,200}+)? .{0,80}\d{4}$")
_FIELDS = frozenset(
    "from to cc bcc date sent subject sender reply-to message-id in-reply-to references received return-path "
    "delivered-to mime-version content-type content-transfer-encoding content-disposition user-agent "
    "list-id list-post list-unsubscribe".split()
)
HEAD_CHARACTERS = 2000
"""So far an address is looked for."""
_ADDRESS = re.compile(r"\S(?:@| at )\S")


def mail_heads(document: Document) -> list[set[int]]:
    """For each page the positions of the blocks that are heads of mails: where a document begins with one, as mails and
    mailboxes do, all that it quotes and holds; a head elsewhere is an example."""
    first = document.pages[0] if document.pages else None
    if first is None or not first.blocks or not is_mail_head(_text(document, 0, 0)):
        return [set() for _ in document.pages]
    return [
        {index for index, _ in enumerate(page.blocks) if is_mail_head(_text(document, number, index))}
        for number, page in enumerate(document.pages)
    ]


def is_mail_head(text: str) -> bool:
    """All lines are fields of a mail's head or go on with one, and an address of mail is among them; fields of one word
    that mails do not have ("Abstract") say something."""
    lines = text.split("\n")
    if _ENVELOPE.match(lines[0]):
        lines = lines[1:]
    if not lines or not lines[0].startswith(tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")):
        return False
    names = []
    for line in lines:
        match = _FIELD.match(line)
        if match:
            names.append(match["name"].lower())
        elif not line[:1].isspace():
            return False
    known = _FIELDS.intersection(names)
    others = (name for name in names if name not in _FIELDS)
    if not all("-" in name for name in others):
        return False
    return "from" in known and len(known) > 1 and bool(_ADDRESS.search(text, 0, HEAD_CHARACTERS))


def _text(document: Document, page: int, block: int) -> str:
    span = document.pages[page].blocks[block].span
    return document.pages[page].text[span.start : span.end]
