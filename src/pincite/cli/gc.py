"""`pincite gc`"""

from __future__ import annotations

import argparse

from pincite.cli.common import add_common, open_store, print_json


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "gc",
        help="free the space of old generations",
        description="Remove generations of the indexes that are neither current nor in use.",
    )
    add_common(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Collect."""
    engine, _ = open_store(arguments)
    with engine:
        removed = engine.collect()
    if arguments.json:
        print_json({"removed": removed})
    else:
        print(f"{len(removed)} old generations removed")
    return 0
