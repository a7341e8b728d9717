"""What kind of file bytes are, whatever the file is called: asked where its name says nothing, or is wrong."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable
from pathlib import PurePath
from typing import IO

from pincite.text.language import detect_language

ZIP = b"PK\x03\x04"
PACKED = (b"\x1f\x8b\x08", b"BZh")
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OFFICE = {"word/document.xml": "docx", "ppt/presentation.xml": "pptx", "xl/workbook.xml": "xlsx"}
_MIMES = {
    "application/vnd.oasis.opendocument.text": "odt",
    "application/vnd.oasis.opendocument.spreadsheet": "ods",
    "application/epub+zip": "epub",
}
_LONGEST_MIME = 100
_HTML = re.compile(rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)\b", re.IGNORECASE | re.DOTALL)
_NOT_TEXT = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_OF_CODE = re.compile(rb"[][{}()<>;=$|\\]")
MOST_OF_CODE = 0.02
"""Signs of code in a character of prose: of Python files the median is .04, of scripts of web pages .09, of README
files .02, of licences .007."""
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def kind_of_zip(opened: Callable[[], IO[bytes]]) -> str:
    """Which document the files of a ZIP archive make; "zip" where they are files of their own."""
    try:
        with opened() as file, zipfile.ZipFile(file) as archive:
            names = set(archive.namelist())
            if "mimetype" in names:
                with archive.open("mimetype") as member:
                    mime = member.read(_LONGEST_MIME).decode("ascii", "replace").strip()
                return _MIMES.get(mime, "zip")
            return next((kind for name, kind in _OFFICE.items() if name in names), "zip")
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, RuntimeError, EOFError):
        return "zip"


def kind_of_text(name: PurePath, head: bytes) -> str | None:
    """Whether the first bytes of a file are HTML or another text; of a name with a suffix only prose, for a script or a
    style sheet is no document. None for anything else."""
    if _HTML.match(head):
        return "html"
    if not head.startswith(_UTF_16) and (not head.strip() or _NOT_TEXT.search(head)):
        return None
    says_nothing = not name.suffix or name.suffix[1:].isdigit()
    return "text" if says_nothing or _is_prose(head) else None


def _is_prose(head: bytes) -> bool:
    signs = len(_OF_CODE.findall(head))
    return signs <= MOST_OF_CODE * len(head) and detect_language(head.decode("utf-8", "replace")) is not None
