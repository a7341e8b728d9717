"""What of a document is in force: all that is not struck out."""

from __future__ import annotations

from dataclasses import replace

from pincite.records.pages import Document
from pincite.text.struck import MARK, without_struck


def in_force(document: Document) -> Document:
    """The document with blanks in place of struck-out text. Every text keeps its length, so that every span holds."""
    if not any(MARK in page.text for page in document.pages):
        return document
    title = document.title and (" ".join(without_struck(document.title).split()) or None)
    pages = tuple(replace(page, text=without_struck(page.text)) for page in document.pages)
    return replace(document, title=title, pages=pages)
