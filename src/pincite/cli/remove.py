"""`pincite remove SOURCE...`"""

from __future__ import annotations

import argparse
import sys

from pincite.cli.common import add_common, open_store, print_json


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "remove",
        help="remove sources from the store",
        description="Remove sources from the store; the files themselves are not touched.",
    )
    parser.add_argument("sources", nargs="+", metavar="SOURCE", help="as pincite status prints it")
    parser.add_argument("--purge", action="store_true", help="also remove their text from the past, receipts and cache")
    add_common(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Remove them."""
    engine, _ = open_store(arguments)
    with engine:
        for source in arguments.sources:
            engine.remove(source, purge=arguments.purge)
        left = engine.left_by_purge() if arguments.purge else ""
    if arguments.json:
        print_json({"removed": arguments.sources} | ({"left": left} if left else {}))
    else:
        print(f"{len(arguments.sources)} removed")
        if left:
            print(f"pincite: {left}", file=sys.stderr)
    return 0
