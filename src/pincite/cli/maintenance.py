"""`pincite verify`, `access`, `remove`, `gc`, `pull`, `backup`, `migrate`: looking after a store."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.cli.common import (
    STORE_NAME,
    add_common,
    find_store,
    open_store,
    open_with_settings,
    print_json,
    settings_folder,
    settings_of,
    store_at,
)
from pincite.errors import SettingsError, UsageError
from pincite.printing import printed_name
from pincite.records.audit import Forgotten
from pincite.records.plain import to_plain

if TYPE_CHECKING:
    from pincite.engine.engine import Engine


def register_verify(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "verify",
        help="check that the store is whole",
        description="Check the record, and that indexes rebuilt from it have the same content.",
    )
    add_common(parser)
    parser.set_defaults(run=run_verify)


def run_verify(arguments: argparse.Namespace) -> int:
    """Verify; exit code 3 where something is wrong."""
    with open_store(arguments) as engine:
        problems = engine.verify()
    if arguments.json:
        print_json({"problems": problems})
    else:
        print("\n".join(problems) if problems else "the store is whole")
    return 3 if problems else 0


_ACCESS_EPILOG = """\
examples:
  pincite access list                        who may see which source
  pincite access close plan.pdf board        only for those who ask with the tag board (--principal board)
  pincite access grant plan.pdf audit        also for those with the tag audit
  pincite access revoke plan.pdf audit       no longer
  pincite access open plan.pdf               for everybody"""


def register_access(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `access`; each of its commands sets `run`, a function from the parsed arguments to an exit code."""
    parser = commands.add_parser(
        "access",
        help="who may see which source",
        description="Show and change who may see which source. Access stays as it is set until it is changed here or "
        "in a manifest; every change goes into the audit chain.",
        epilog=_ACCESS_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    kinds = parser.add_subparsers(dest="kind", metavar="KIND", required=True)
    listed = kinds.add_parser("list", help="list the access tags of each source; an asker needs one of them")
    add_common(listed)
    listed.set_defaults(run=run_access_list)
    for kind, told in (
        ("grant", "let those with one of these tags see a closed source, too"),
        ("revoke", "no longer let those with these tags see a source"),
        ("close", "close a source to everybody without one of these tags"),
        ("open", "open a source to everybody"),
    ):
        changed = kinds.add_parser(kind, help=told)
        changed.add_argument("source", metavar="SOURCE", help="as pincite access list prints it")
        if kind != "open":
            changed.add_argument("tags", nargs="+", metavar="TAG", help="an access tag")
        add_common(changed)
        changed.set_defaults(run=run_access_change, tags=[])


def run_access_list(arguments: argparse.Namespace) -> int:
    """A line for each source."""
    with open_store(arguments) as engine:
        access = engine.access()
    if arguments.json:
        print_json({name: list(tags) for name, tags in access.items()})
    else:
        for name, tags in access.items():
            print(f"{printed_name(name)}: {_whom(tags)}")
    return 0


def run_access_change(arguments: argparse.Namespace) -> int:
    """Set who may see a source."""
    name = arguments.source
    with open_store(arguments) as engine:
        known = engine.access()
        tags = _changed_tags(arguments.kind, name, known[name], arguments.tags) if name in known else set()
        engine.set_access({name: tags})
    if arguments.json:
        print_json({name: sorted(tags)})
    elif not arguments.quiet:
        print(f"{printed_name(name)}: {_whom(sorted(tags))}")
    return 0


def _changed_tags(kind: str, name: str, tags: tuple[str, ...], given: list[str]) -> set[str]:
    """The tags of a source after a change; UsageError for one that would open what was closed, or the reverse."""
    if kind in ("open", "close"):
        return set(given)
    if not tags:
        raise UsageError(f"{name} is open to everybody: pincite access close {name} TAG closes it to others")
    if kind == "grant":
        return {*tags, *given}
    if not (left := set(tags) - set(given)):
        raise UsageError(f"nobody could see {name} then: grant it to others first, or pincite access open {name}")
    return left


def _whom(tags: tuple[str, ...] | list[str]) -> str:
    return ", ".join(tags) or "everybody"


def register_remove(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "remove",
        help="remove sources from the store",
        description="Remove sources from the store; the files themselves are not touched.",
    )
    parser.add_argument("sources", nargs="+", metavar="SOURCE", help="as pincite status prints it")
    parser.add_argument("--purge", action="store_true", help="also remove their text from the past, receipts and cache")
    add_common(parser)
    parser.set_defaults(run=run_remove)


def run_remove(arguments: argparse.Namespace) -> int:
    """Remove them."""
    with open_store(arguments) as engine:
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


def register_pull(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "pull",
        help="fetch the indexes that another machine published",
        description="Fetch the indexes that pincite index published in the bucket of the setting generations_url, each "
        "file checked, and answer from them. What is here already is checked and not fetched again. pincite serve "
        "does this by itself every few seconds.",
        epilog="examples:\n"
        "  pincite pull --store reports    before the first pincite serve on a machine that does not index",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_common(parser)
    parser.set_defaults(run=run_pull)


def run_pull(arguments: argparse.Namespace) -> int:
    """Fetch them; exit code 1 where there is nothing to fetch yet."""
    from pincite.wiring import open_engine

    store = store_at(arguments.store) if arguments.store else Path.cwd() / STORE_NAME
    settings = settings_of(arguments, settings_folder(store))
    if not settings.generations_url:
        raise SettingsError("pincite pull fetches from a bucket: name it in generations_url, as s3://BUCKET/PREFIX")
    with open_engine(settings, store, create=True) as engine:
        name = engine.pull(check=True)
    if arguments.json:
        print_json({"generation": name})
    else:
        print(f"answers from generation {name}" if name else "nothing to fetch yet: run pincite index first")
    return 0 if name else 1


def register_gc(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "gc",
        help="free the space of old indexes",
        description="Remove generations of the indexes that are neither current nor in use; with the setting "
        "retention_days, also what receipts keep of older answers, and the older past of documents.",
    )
    add_common(parser)
    parser.set_defaults(run=run_gc)


def run_gc(arguments: argparse.Namespace) -> int:
    """Collect."""
    engine, settings = open_with_settings(arguments)
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


def register_backup(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "backup",
        help="copy the store into one file",
        description="Write the store into one tar file, while others read and write. tar -xf FILE -C DIR unpacks it; "
        "as DIR take .pincite in the indexed folder, or ask with --store DIR.",
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="the tar file to write; an existing one is replaced")
    add_common(parser)
    parser.set_defaults(run=run_backup)


def run_backup(arguments: argparse.Namespace) -> int:
    """Write it."""
    with open_store(arguments) as engine:
        engine.backup(arguments.file)
    size = arguments.file.stat().st_size
    if arguments.json:
        print_json({"file": str(arguments.file), "bytes": size})
    else:
        print(f"{arguments.file}: {size / 1e6:.1f} MB")
    return 0


_MIGRATE_EPILOG = """\
examples:
  createdb -O pincite pincite                                             an empty database, once
  pincite migrate --store reports --to postgresql://pincite@db/pincite    record and receipts go there
  export PINCITE_RECORD_URL=postgresql://pincite@db/pincite               and are found there from now on
  pincite migrate --store reports --from postgresql://pincite@db/pincite  back into files of the store

Give the password as PINCITE_RECORD_PASSWORD. Nobody may write meanwhile. Every row is read back and compared; then the
files of the store are kept as record.sqlite.moved and audit.sqlite.moved, a database is left as it is."""


def register_migrate(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "migrate",
        help="move record and receipts to PostgreSQL, or back",
        description="Copy the record and the receipts of a store into an empty database of PostgreSQL (needs the extra "
        "postgres), or from there into the store.",
        epilog=_MIGRATE_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--to", metavar="URL", help="from the store into this database")
    where.add_argument("--from", metavar="URL", dest="source", help="from this database into the store")
    add_common(parser)
    parser.set_defaults(run=run_migrate)


def run_migrate(arguments: argparse.Namespace) -> int:
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
