"""`pincite show [DOC] --section 5.2`, `pincite show DOC --page 12 | --anchor "Table 4.1"`"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.cli.common import add_asker, add_common, open_session, print_json
from pincite.errors import UsageError
from pincite.places import Place, asked_place, cut, find_document, first_span, page_mark, quote_span
from pincite.printing import printable, printed_name
from pincite.records.chunks import EmbeddingRecord
from pincite.records.outlines import Outline
from pincite.records.pages import Page
from pincite.records.plain import to_plain
from pincite.rendering import Pieces, plain_place

if TYPE_CHECKING:
    from pincite.engine.engine import Session


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "show",
        help="the text of a section, a page or a table",
        description="Print the text of one place in a document, with its page.",
    )
    parser.add_argument("document", metavar="DOC", nargs="?", help="its name or part of it; optional with --section")
    places = parser.add_mutually_exclusive_group(required=True)
    places.add_argument("--section", metavar="NUMBER", help="a section by its number or title: 5.2, 'Annex B'")
    places.add_argument("--page", metavar="N", type=int, help="a physical page, counted from 1")
    places.add_argument("--anchor", metavar="NAME", help="a table, figure, equation or definition: 'Table 4.1'")
    places.add_argument(
        "--embeddings", action="store_true", help="print the vectors of its passages instead, one line of JSON each"
    )
    parser.add_argument("--context", metavar="N", type=int, default=0, help="also N passages before and after it")
    parser.add_argument("--image", metavar="FILE", type=Path, help="draw the page as a PNG with the place marked")
    parser.add_argument("--quote", metavar="WORDS", help="with --image: mark these words instead")
    add_asker(parser)
    add_common(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the place; exit code 1 where there is no such document or place."""
    if arguments.document is None and arguments.section is None:
        raise UsageError("of which document? pincite show DOC --page N")
    with open_session(arguments) as session:
        if arguments.embeddings:
            for found in session.documents.embeddings(find_document(session, arguments.document)):
                print(json.dumps(_embedding(found)))
            return 0
        outline, asked = asked_place(
            session, arguments.document, section=arguments.section, page=arguments.page, anchor=arguments.anchor
        )
        if arguments.image is not None:
            _draw(session, outline.source_id, asked, arguments)
        place = _widened(session, outline.source_id, asked, arguments.context)
        pieces = list(cut(session.documents.pages(outline.source_id), place))
    if arguments.json:
        print_json(plain_place(outline.source_id, place, pieces, paged=outline.paged))
    else:
        print(_printed(outline, place, pieces))
    return 0


def _embedding(found: EmbeddingRecord) -> dict[str, object]:
    """A row with the columns of spec/phase3_rag.md, the vector as JSON."""
    row = to_plain(found)
    vector = json.dumps(row.pop("vector"))
    digest, created = row.pop("vector_sha256"), row.pop("created_utc")
    return {**row, "vector_json": vector, "vector_sha256": digest, "created_utc": created}


def _draw(session: Session, source_id: str, place: Place, arguments: argparse.Namespace) -> None:
    pages = session.documents.pages(source_id)
    number = arguments.page if place.kind == "page" else first_span(pages, place).page
    if arguments.quote is not None:
        marked = [quote_span(next(page for page in pages if page.number == number), arguments.quote)]
    else:
        marked = [] if place.kind == "page" else [first_span(pages, place)]
    picture = session.files.picture(source_id, number, marked)
    try:
        arguments.image.write_bytes(picture)
    except OSError as error:
        raise UsageError(f"{arguments.image} cannot be written: {error.strerror}") from error


def _widened(session: Session, source_id: str, place: Place, count: int) -> Place:
    """The place with `count` passages before and after it."""
    chunks = session.documents.chunks_at(source_id, place.start, place.end) if count > 0 else []
    if not chunks:
        return place
    around = [
        *session.documents.neighbours(chunks[0].chunk_id, count),
        *session.documents.neighbours(chunks[-1].chunk_id, count),
    ]
    return replace(place, start=min(item.start for item in around), end=max(item.end for item in around))


def _printed(outline: Outline, place: Place, pieces: Pieces) -> str:
    words = " ".join(printable(part) for part in (place.name, place.title) if part)
    head = ", ".join(part for part in (printed_name(outline.source_id), words) if part)
    texts = (_printed_part(page, text, paged=outline.paged) for page, text in pieces)
    return "\n\n".join([head, *texts])


def _printed_part(page: Page, text: str, *, paged: bool) -> str:
    mark = page_mark(page.number, page.label, paged=paged)
    return (f"--- {mark}\n" if mark else "") + printable(text).strip()
