"""`pincite status`"""

from __future__ import annotations

import argparse

from pincite.cli.common import add_asker, add_common, find_store, open_store, print_json
from pincite.printing import counted, printed_name
from pincite.records.plain import to_plain
from pincite.rendering import plain_holdings


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "status",
        help="what is in the store",
        description="What is in the store: every source with its pages and chunks, or why it was refused.",
    )
    add_asker(parser)
    add_common(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print sources and counts."""
    from pincite.engine.engine import masked_line

    engine, _ = open_store(arguments)
    with engine:
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
