"""`pincite verify`"""

from __future__ import annotations

import argparse

from pincite.cli.common import add_common, open_store, print_json


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "verify",
        help="check that the store is whole",
        description="Check the record, and that indexes rebuilt from it have the same content.",
    )
    add_common(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Verify; exit code 3 where something is wrong."""
    engine, _ = open_store(arguments)
    with engine:
        problems = engine.verify()
    if arguments.json:
        print_json({"problems": problems})
    else:
        print("\n".join(problems) if problems else "the store is whole")
    return 3 if problems else 0
