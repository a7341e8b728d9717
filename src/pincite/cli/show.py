"""Looking into a store: `pincite status`, `search`, `sections`, `show`, `graph`"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.cli.answer_output import evidence_table
from pincite.cli.common import (
    add_asker,
    add_common,
    add_retrieval,
    find_store,
    open_session,
    open_store,
    open_with_settings,
    print_json,
    retrieval_of,
)
from pincite.errors import UsageError
from pincite.places import (
    Place,
    Tree,
    asked_place,
    cut,
    document_ids,
    find_document,
    first_span,
    page_mark,
    quote_span,
    section_tree,
)
from pincite.printing import counted, printable, printed_name
from pincite.records.chunks import EmbeddingRecord
from pincite.records.citations import Citation, EntityView
from pincite.records.outlines import Outline, Section
from pincite.records.pages import Page
from pincite.records.plain import to_plain
from pincite.rendering import Pieces, plain_holdings, plain_place, plain_tree

if TYPE_CHECKING:
    from pincite.engine.engine import Session


def register_status(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "status",
        help="what is in the store",
        description="What is in the store: every source with its pages and chunks, or why it was refused.",
    )
    add_asker(parser)
    add_common(parser)
    parser.set_defaults(run=run_status)


def run_status(arguments: argparse.Namespace) -> int:
    """Print sources and counts."""
    from pincite.engine.engine import masked_line

    with open_store(arguments) as engine:
        session = engine.session(arguments.principal)
        sources, counts, generation = session.documents.sources(), session.documents.counts(), session.generation()
        copies, revision, cache = session.documents.copies(), session.revision(), engine.cache_counts()
    if arguments.json:
        held = plain_holdings(sources, counts, generation, revision)
        print_json({**held, "cache": cache, "copies": to_plain(copies)})
        return 0
    for state in sources:
        name = printed_name(state.source.source_id)
        if state.status == "refused":
            print(f"refused  {name}: {state.reason}")
            continue
        print(f"{state.status:8} {name}: {counted(state.page_count, 'pages')}, {counted(state.chunk_count, 'chunks')}")
        if told := masked_line([state.masked]):
            print(f"         {told}")
        for warning in state.warnings:
            print(f"         {warning}")
    for names in copies.exact:
        print(f"same     {', '.join(map(printed_name, names))}: the same bytes")
    for pair in copies.near:
        print(f"alike    {printed_name(pair.first)}, {printed_name(pair.second)}: {pair.share:.0%} of their lines")
    if asked := sum(cache.values()):
        print(f"cache    {cache['hits']} of {asked} questions were answered from it ({cache['hits'] / asked:.0%})")
    totals = ", ".join(counted(count, name) for name, count in counts.items())
    made = f"revision {revision}, generation {(generation or 'none')[:16]}"
    if told := masked_line(state.masked for state in sources):
        print(f"masked   {told}")
    print(f"{totals}; {made}; store: {find_store(arguments.store)}")
    return 0


def register_show(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
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
    parser.set_defaults(run=run_show)


def run_show(arguments: argparse.Namespace) -> int:
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


def register_search(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "search",
        help="find passages, without an answer",
        description="Find the passages that fit a question: file, page, channels, score, text.",
    )
    parser.add_argument("question", help="the question, in plain words")
    parser.add_argument("--full", action="store_true", help="print the whole text of each passage")
    add_retrieval(parser)
    add_common(parser)
    parser.set_defaults(run=run_search)


def run_search(arguments: argparse.Namespace) -> int:
    """Search; exit code 1 where nothing was found."""
    engine, settings = open_with_settings(arguments)
    with engine:
        retrieval = engine.search(arguments.question, **retrieval_of(arguments, settings))
    if arguments.json:
        print_json(retrieval.to_dict())
    elif not retrieval.evidence:
        print("No information found.")
    else:
        print(evidence_table(retrieval.evidence))
        if arguments.full:
            for item in retrieval.evidence:
                print(f"\n--- {item.rank}\n{item.chunk.content}")
    for note in retrieval.trace.degraded:
        print(f"note: {note}", file=sys.stderr)
    return 0 if retrieval.evidence else 1


INDENT = "  "


def register_sections(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "sections",
        help="the section tree of a document, or of all",
        description="The sections of one document or of all: number, title, page (and its printed number).",
    )
    parser.add_argument("document", metavar="DOC", nargs="?", help="its name or part of it (default: all documents)")
    parser.add_argument("--level", metavar="N", type=int, help="no deeper than this")
    add_asker(parser)
    add_common(parser)
    parser.set_defaults(run=run_sections)


def run_sections(arguments: argparse.Namespace) -> int:
    """Print the trees; exit code 1 where there are no sections, or no such document."""
    with open_session(arguments) as session:
        wanted = [find_document(session, arguments.document)] if arguments.document else document_ids(session)
        trees = [section_tree(session, source_id, arguments.level) for source_id in wanted]
    if arguments.json:
        print_json([plain_tree(tree) for tree in trees])
    else:
        print("\n\n".join(map(_printed_tree, trees)))
    return 0 if any(tree.sections for tree in trees) else 1


def _printed_tree(tree: Tree) -> str:
    lines = [_section_line(section, tree) for section in tree.sections] or [f"{INDENT}no sections"]
    return "\n".join([printed_name(tree.source_id), *lines])


def _section_line(section: Section, tree: Tree) -> str:
    name = " ".join(printable(part) for part in (section.number, section.title) if part) or "(no title)"
    mark = page_mark(section.first_page, tree.labels.get(section.first_page), paged=tree.paged)
    return f"{INDENT * section.level}{name}{INDENT}{mark}".rstrip()


TRIPLETS = 15
MENTIONS = 8


def register_graph(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "graph",
        help="what the documents say about a person, organisation, place or thing",
        description="What the documents say about an entity, with sentence and page, and what is named beside it.",
    )
    parser.add_argument(
        "entity",
        metavar="ENTITY",
        help="its name, or a term, quantity, date or code; case, accents and articles do not count",
    )
    parser.add_argument("--all", action="store_true", help="show everything, not only the first lines")
    add_asker(parser)
    add_common(parser)
    parser.set_defaults(run=run_graph)


def run_graph(arguments: argparse.Namespace) -> int:
    """Print what is known of an entity; exit code 1 where nothing is called so."""
    with open_session(arguments) as session:
        view = session.graph.entity(arguments.entity)
    if arguments.json:
        print_json(to_plain(view))
    else:
        print("\n".join(_entity_lines(view, None if arguments.all else TRIPLETS, None if arguments.all else MENTIONS)))
    return 0


def _entity_lines(view: EntityView, most_triplets: int | None, most_mentions: int | None) -> Iterator[str]:
    passages = "1 passage" if view.chunk_count == 1 else f"{view.chunk_count} passages"
    yield f"{printable(view.name)}: named in {passages}"
    if view.beside:
        yield "beside it: " + ", ".join(f"{printable(name)} ({count})" for name, count in view.beside)
    if view.triplets:
        yield "\nwhat is said of it:"
    for triplet in view.triplets[:most_triplets]:
        said = " · ".join(" ".join(part.split()) for part in (triplet.subject, triplet.predicate, triplet.object))
        inverse = f" (inverse: {triplet.inverse})" if triplet.inverse else ""
        yield f"  {printable(said + inverse)}  {triplet.confidence:.2f} {_cited_place(triplet.citation)}"
    yield from _more(len(view.triplets), most_triplets)
    yield "\nwhere it is named:"
    for mention in view.mentions[:most_mentions]:
        yield f"  {_cited_place(mention)} “{printable(' '.join(mention.quote.split()))}”"
    yield from _more(len(view.mentions), most_mentions)


def _cited_place(citation: Citation) -> str:
    place = f"p.{citation.page}" if citation.page is not None else citation.locator
    return f"({printed_name(citation.filename)}, {place})" if place else f"({printed_name(citation.filename)})"


def _more(count: int, shown: int | None) -> Iterator[str]:
    if shown is not None and count > shown:
        yield f"  … and {count - shown} more: --all"
