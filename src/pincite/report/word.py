"""A Word document of paragraphs with links; the same content always gives the same bytes."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip container can state, used as no time."""


@dataclass(frozen=True, slots=True)
class Run:
    """Some words, and the address that they lead to, if any."""

    words: str
    address: str = ""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph in a style of Word: "Title", "Heading 1", "Normal", "Quote"."""

    style: str
    runs: tuple[Run, ...]


def word_document(title: str, paragraphs: Iterable[Paragraph]) -> bytes:
    """The document of these paragraphs."""
    from docx import Document

    document = Document()
    properties = document.core_properties
    properties.title, properties.author, properties.comments = title, "pincite", ""
    properties.created = properties.modified = datetime(*EARLIEST)
    for paragraph in paragraphs:
        made = document.add_paragraph(style=paragraph.style)
        for run in paragraph.runs:
            if run.address:
                _link(made, run)
            else:
                made.add_run(run.words)
    packed = io.BytesIO()
    document.save(packed)
    return _without_times(packed)


def _link(paragraph: Any, run: Run) -> None:
    """Put words that lead to an address behind a paragraph; python-docx reads links, but has no call that makes one."""
    from docx.opc.constants import RELATIONSHIP_TYPE
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn
    from docx.shared import RGBColor

    link = OxmlElement("w:hyperlink")
    link.set(qn("r:id"), paragraph.part.relate_to(run.address, RELATIONSHIP_TYPE.HYPERLINK, is_external=True))
    words = paragraph.add_run(run.words)
    words.font.color.rgb, words.font.underline = RGBColor(0x27, 0x50, 0x8F), True
    paragraph._p.append(link)
    link.append(words._r)


def _without_times(packed: io.BytesIO) -> bytes:
    """The same zip container without the times at which its members were written."""
    made = io.BytesIO()
    with zipfile.ZipFile(packed) as source, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            target.writestr(zipfile.ZipInfo(name, EARLIEST), source.read(name), zipfile.ZIP_DEFLATED)
    return made.getvalue()
