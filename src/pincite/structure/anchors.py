"""Anchors: what text can point to, other than sections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pincite.records.outlines import Anchor, Section
from pincite.records.pages import Document
from pincite.structure.equations import find_equations
from pincite.structure.exhibits import find_exhibits
from pincite.structure.marks import find_marks
from pincite.structure.placed import Nest, placed_pages
from pincite.structure.terms import find_terms


def find_anchors(document: Document, sections: Sequence[Section]) -> tuple[Anchor, ...]:
    """Tables, figures, equations, definitions, symbols, footnotes, notes and list items, in the order of the text.

    `sections` are those of the same document.
    """
    pages, nest = placed_pages(document), Nest(sections)
    found = [
        *find_exhibits(pages, nest),
        *find_equations(pages, nest),
        *find_terms(pages, nest),
        *find_marks(pages, nest),
    ]
    found.sort(key=lambda anchor: (anchor.start, anchor.kind, anchor.end))
    return tuple(replace(item, ordinal=index, section=nest.at(item.start)) for index, item in enumerate(found))
