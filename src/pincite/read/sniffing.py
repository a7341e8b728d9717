"""Recognises the kind of a file by its content, for files whose name says nothing or is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath

from pincite.text.language import detect_language

ZIP = b"PK\x03\x04"
PACKED = (b"\x1f\x8b\x08", b"BZh")
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_LENGTH_OF_NAME, _NAME = 26, 30
"""Where they stand in the header of a file in a ZIP archive."""
_OFFICE = {b"word/": "docx", b"ppt/": "pptx", b"xl/": "xlsx"}
_MIMES = {
    b"application/vnd.oasis.opendocument.text": "odt",
    b"application/vnd.oasis.opendocument.spreadsheet": "ods",
    b"application/epub+zip": "epub",
}
_HTML = re.compile(rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)\b", re.IGNORECASE | re.DOTALL)
_NOT_TEXT = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_OF_CODE = re.compile(rb"[][{}()<>;=$|\\]")
MOST_OF_CODE = 0.02
"""Signs of code in a character of prose: of Python files the median is .04, of scripts of web pages .09, of README
files .02, of licences .007."""
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def kind_of_zip(head: bytes) -> str:
    """Which document the first files of a ZIP archive belong to; "zip" where they are files of their own."""
    names = list(_first_members(head))
    if names[:1] == [b"mimetype"]:
        return next((kind for mime, kind in _MIMES.items() if mime in head), "zip")
    parts = [name for name in names if name.endswith((b".xml", b".rels"))]
    return next((kind for top, kind in _OFFICE.items() if any(part.startswith(top) for part in parts)), "zip")


def _first_members(head: bytes) -> Iterator[bytes]:
    """The names of the files whose headers stand in the first bytes of a ZIP archive."""
    at = head.find(ZIP)
    while at >= 0:
        length = int.from_bytes(head[at + _LENGTH_OF_NAME : at + _LENGTH_OF_NAME + 2], "little")
        yield head[at + _NAME : at + _NAME + length]
        at = head.find(ZIP, at + len(ZIP))


def kind_of_text(name: PurePath, head: bytes) -> str | None:
    """ "html" or "text" by the first bytes of a file, None for neither. Text whose name has a suffix has to be prose: a
    script or a style sheet is no document."""
    if _HTML.match(head):
        return "html"
    if not head.startswith(_UTF_16) and (not head.strip() or _NOT_TEXT.search(head)):
        return None
    says_nothing = not name.suffix or name.suffix[1:].isdigit()
    return "text" if says_nothing or _is_prose(head) else None


def _is_prose(head: bytes) -> bool:
    signs = len(_OF_CODE.findall(head))
    return signs <= MOST_OF_CODE * len(head) and detect_language(head.decode("utf-8", "replace")) is not None
