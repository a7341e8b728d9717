"""Sections of a document (being written: numbers that pages state themselves, else one root section)."""

from __future__ import annotations

from pincite.records import Document, Section

STRUCTURE_VERSION = "0"


def find_sections(document: Document) -> tuple[Section, ...]:
    """One section for each page that states its number; one root section where none does."""
    length = sum(len(page.text) + 1 for page in document.pages) - 1
    if not any(page.section for page in document.pages):
        title = document.title or ""
        return (Section(0, None, title, 1, None, (title,), 1, max(1, len(document.pages)), 0, max(0, length)),)
    sections, position = [], 0
    for page in document.pages:
        number, end = page.section or "", position + len(page.text)
        sections.append(
            Section(len(sections), number, "", 1, None, (number,), page.number, page.number, position, end)
        )
        position = end + 1
    return tuple(sections)
