"""`pincite migrate --to URL`, `pincite migrate --from URL`"""

from __future__ import annotations

import argparse
import sys

from pincite.cli.common import add_common, find_store, print_json, settings_folder, settings_of

_EPILOG = """\
examples:
  createdb -O pincite pincite                                             an empty database, once
  pincite migrate --store reports --to postgresql://pincite@db/pincite    record and receipts go there
  export PINCITE_RECORD_URL=postgresql://pincite@db/pincite               and are found there from now on
  pincite migrate --store reports --from postgresql://pincite@db/pincite  back into files of the store

Give the password as PINCITE_RECORD_PASSWORD. Nobody may write meanwhile. Every row is read back and compared; then the
files of the store are kept as record.sqlite.moved and audit.sqlite.moved, a database is left as it is."""


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "migrate",
        help="move record and receipts to PostgreSQL, or back",
        description="Copy the record and the receipts of a store into an empty database of PostgreSQL (needs the extra "
        "postgres), or from there into the store.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--to", metavar="URL", help="from the store into this database")
    where.add_argument("--from", metavar="URL", dest="source", help="from this database into the store")
    add_common(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Copy, compare, and say what to set."""
    from pincite.engine.engine import move_record

    store = find_store(arguments.store)
    settings = settings_of(arguments, settings_folder(store))

    def told(table: str, count: int) -> None:
        if not arguments.quiet and not arguments.json:
            print(f"{table}: {count:,} rows", file=sys.stderr)

    digest, name = move_record(settings, store, to=arguments.to, source=arguments.source, told=told)
    if arguments.json:
        print_json({"sha256": digest, "record": name})
    else:
        print(f"the record of {store} is in {name} now; all rows are the same (SHA-256 {digest[:16]})")
        print(f"set record_url = {name!r}" if arguments.to else "leave record_url empty")
    return 0
