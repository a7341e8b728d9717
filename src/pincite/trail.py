"""What a passage refers to: the steps that a reader takes from the page of a citation to the pages that it hangs on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from pincite.errors import NotThereError
from pincite.places import first_span, target_place
from pincite.records.chunks import ChunkRecord
from pincite.records.outlines import Outline, ReferenceStatus, Target
from pincite.records.pages import Page, Span, page_offsets

if TYPE_CHECKING:
    from pincite.engine.session import Session

Documents = Callable[[str], tuple[Outline, Sequence[Page]]]


@dataclass(frozen=True, slots=True)
class Goal:
    """Where a reference leads: what the place is called, its physical page, what is printed on it, its first line there
    and its first passage (None for a document as a whole, and for what has no text)."""

    source_id: str
    filename: str
    kind: str
    name: str
    title: str
    page: int | None = None
    label: str | None = None
    span: Span | None = None
    quote: str = ""
    chunk_id: str | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """A reference of a passage: where it stands, the section that holds it, and where it leads; `reason` says why it
    leads nowhere."""

    text: str
    span: Span
    section: str
    status: ReferenceStatus
    reason: str | None
    goals: tuple[Goal, ...]


def steps_from(session: Session, passage: ChunkRecord) -> list[Step]:
    """The references of a passage in reading order, without those that lead to a place within it; of several to one
    place, the first."""
    documents: Documents = cache(
        lambda source_id: (session.documents.outline(source_id), session.documents.pages(source_id))
    )
    steps: dict[object, Step] = {}
    for reference, link in session.documents.references(passage.source_id):
        targets = tuple(target for target in link.targets if not _holds(passage, target.source_id, target.start))
        if not _holds(passage, link.source_id, reference.start) or (link.targets and not targets):
            continue
        outline, pages = documents(passage.source_id)
        words = " ".join(reference.text.split())
        span, section = _span(pages, reference.start, reference.end), _section(outline, reference.start)
        goals = tuple(_goal(session, target, documents) for target in targets)
        steps.setdefault(targets or words, Step(words, span, section, link.status, link.reason, goals))
    return list(steps.values())


def _holds(passage: ChunkRecord, source_id: str, start: int) -> bool:
    return source_id == passage.source_id and passage.start <= start < passage.end


def _goal(session: Session, target: Target, documents: Documents) -> Goal:
    """The place in words, and its first line."""
    outline, pages = documents(target.source_id)
    place, filename = target_place(outline, target), session.documents.source(target.source_id).filename
    told = Goal(target.source_id, filename, place.kind, place.name, place.title)
    try:
        text = first_span(pages, place)
    except NotThereError:
        return told
    page = next(page for page in pages if page.number == text.page)
    number = page.number if outline.paged else None
    chunks = session.documents.chunks_at(target.source_id, place.start, place.end)
    chunk_id = chunks[0].chunk_id if chunks else None
    line = _first_line(page, text)
    quote = page.text_of(line)
    return replace(told, page=number, label=page.label, span=line, quote=quote, chunk_id=chunk_id)


def _first_line(page: Page, span: Span) -> Span:
    """The first line of what stands there."""
    text = page.text_of(span)
    start = span.start + len(text) - len(text.lstrip())
    return Span(page.number, start, start + len(text.lstrip().partition("\n")[0]))


def _span(pages: Sequence[Page], start: int, end: int) -> Span:
    """A place of the joined text on its page."""
    for page, begin in zip(pages, page_offsets(pages), strict=False):
        if start <= begin + len(page.text):
            return Span(page.number, max(0, start - begin), min(end - begin, len(page.text)))
    raise NotThereError(f"the document ends before character {start}")


def _section(outline: Outline, start: int) -> str:
    """The number of the innermost section there, else its title; nothing where there is none."""
    sections = [section for section in outline.sections if section.start <= start < section.end]
    return (sections[-1].number or sections[-1].title) if sections else ""
