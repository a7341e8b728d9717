"""`pincite graph ENTITY`"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from pincite.cli.common import add_asker, add_common, open_session, print_json
from pincite.printing import printable, printed_name
from pincite.records.citations import Citation, EntityView
from pincite.records.plain import to_plain

TRIPLETS = 15
MENTIONS = 8


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
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
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print what is known of an entity; exit code 1 where nothing is called so."""
    with open_session(arguments) as session:
        view = session.graph.entity(arguments.entity)
    if arguments.json:
        print_json(to_plain(view))
    else:
        print("\n".join(_lines(view, None if arguments.all else TRIPLETS, None if arguments.all else MENTIONS)))
    return 0


def _lines(view: EntityView, most_triplets: int | None, most_mentions: int | None) -> Iterator[str]:
    passages = "1 passage" if view.chunk_count == 1 else f"{view.chunk_count} passages"
    yield f"{printable(view.name)}: named in {passages}"
    if view.beside:
        yield "beside it: " + ", ".join(f"{printable(name)} ({count})" for name, count in view.beside)
    if view.triplets:
        yield "\nwhat is said of it:"
    for triplet in view.triplets[:most_triplets]:
        said = " · ".join(" ".join(part.split()) for part in (triplet.subject, triplet.predicate, triplet.object))
        inverse = f" (inverse: {triplet.inverse})" if triplet.inverse else ""
        yield f"  {printable(said + inverse)}  {triplet.confidence:.2f} {_place(triplet.citation)}"
    yield from _more(len(view.triplets), most_triplets)
    yield "\nwhere it is named:"
    for mention in view.mentions[:most_mentions]:
        yield f"  {_place(mention)} “{printable(' '.join(mention.quote.split()))}”"
    yield from _more(len(view.mentions), most_mentions)


def _place(citation: Citation) -> str:
    place = f"p.{citation.page}" if citation.page is not None else citation.locator
    return f"({printed_name(citation.filename)}, {place})" if place else f"({printed_name(citation.filename)})"


def _more(count: int, shown: int | None) -> Iterator[str]:
    if shown is not None and count > shown:
        yield f"  … and {count - shown} more: --all"
