"""`pincite access list | grant | revoke | open | close`"""

from __future__ import annotations

import argparse

from pincite.cli.common import add_common, open_store, print_json
from pincite.errors import UsageError

_EPILOG = """\
examples:
  pincite access list                        who may see which source
  pincite access close plan.pdf board        only for those who ask with the tag board (--principal board)
  pincite access grant plan.pdf audit        also for those with the tag audit
  pincite access revoke plan.pdf audit       no longer
  pincite access open plan.pdf               for everybody"""


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `access`; each of its commands sets `run`, a function from the parsed arguments to an exit code."""
    parser = commands.add_parser(
        "access",
        help="who may see which source",
        description="Show and change who may see which source. Access stays as it is set until it is changed here or "
        "in a manifest; every change goes into the audit chain.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    kinds = parser.add_subparsers(dest="kind", metavar="KIND", required=True)
    listed = kinds.add_parser("list", help="list the access tags of each source; an asker needs one of them")
    add_common(listed)
    listed.set_defaults(run=run_list)
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
        changed.set_defaults(run=run_change, tags=[])


def run_list(arguments: argparse.Namespace) -> int:
    """A line for each source."""
    from pincite.engine.engine import printed_name

    engine, _ = open_store(arguments)
    with engine:
        access = engine.access()
    if arguments.json:
        print_json({name: list(tags) for name, tags in access.items()})
    else:
        for name, tags in access.items():
            print(f"{printed_name(name)}: {_whom(tags)}")
    return 0


def run_change(arguments: argparse.Namespace) -> int:
    """Say who may see a source."""
    from pincite.engine.engine import printed_name

    name = arguments.source
    engine, _ = open_store(arguments)
    with engine:
        known = engine.access()
        tags = _changed(arguments.kind, name, known[name], arguments.tags) if name in known else set()
        engine.set_access({name: tags})
    if arguments.json:
        print_json({name: sorted(tags)})
    elif not arguments.quiet:
        print(f"{printed_name(name)}: {_whom(sorted(tags))}")
    return 0


def _changed(kind: str, name: str, tags: tuple[str, ...], given: list[str]) -> set[str]:
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
