"""`pincite backup FILE`"""

from __future__ import annotations

import argparse
from pathlib import Path

from pincite.cli.common import add_common, open_store, print_json


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "backup",
        help="copy the store into one file",
        description="Write the store into one tar file, while others read and write. tar -xf FILE -C DIR unpacks it; "
        "as DIR take .pincite in the indexed folder, or ask with --store DIR.",
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="the tar file to write; an existing one is replaced")
    add_common(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write it."""
    engine, _ = open_store(arguments)
    with engine:
        engine.backup(arguments.file)
    size = arguments.file.stat().st_size
    if arguments.json:
        print_json({"file": str(arguments.file), "bytes": size})
    else:
        print(f"{arguments.file}: {size / 1e6:.1f} MB")
    return 0
