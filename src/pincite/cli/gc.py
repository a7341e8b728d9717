"""`pincite gc`"""

from __future__ import annotations

import argparse
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from pincite.cli.common import add_common, open_store, print_json
from pincite.records.audit import Forgotten
from pincite.records.plain import to_plain

if TYPE_CHECKING:
    from pincite.engine.engine import Engine


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "gc",
        help="free the space of old indexes",
        description="Remove generations of the indexes that are neither current nor in use; with the setting "
        "retention_days, also what receipts keep of older answers, and the older past of documents.",
    )
    add_common(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Collect."""
    engine, settings = open_store(arguments)
    with engine:
        removed = engine.collect()
        forgotten = _forgotten(engine, settings.retention_days)
    if arguments.json:
        print_json({"removed": removed, **to_plain(forgotten)})
    else:
        print(f"{len(removed)} old generations removed")
        if settings.retention_days:
            print(f"{forgotten.receipts} old receipts and {forgotten.editions} old editions of documents removed")
    return 0


def _forgotten(engine: Engine, days: int) -> Forgotten:
    return engine.forget(datetime.now(UTC) - timedelta(days=days)) if days else Forgotten()
