"""`pincite token add | list | remove`"""

from __future__ import annotations

import argparse
import sys

from pincite.cli.common import add_common, find_store, print_json
from pincite.errors import StoreError
from pincite.printing import printable
from pincite.serve.access_tokens import ROLES, Token, Tokens
from pincite.store_files import is_store

_EPILOG = """\
examples:
  pincite token add ada                            may ask, and see what is open to everybody
  pincite token add bo --principal board           may also see what the board may see
  pincite token add root --role admin              may also see what others asked
  pincite token list                               lists tokens; secrets are not kept
  pincite token remove ada                         takes effect at once, even while pincite serve runs

The secret is printed once. It goes into a header: Authorization: Bearer SECRET"""


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `token`; each of its commands sets `run`, a function from the parsed arguments to an exit code."""
    parser = commands.add_parser(
        "token",
        help="manage tokens for pincite serve",
        description="Who may use pincite serve, in which role, and what they may see.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    kinds = parser.add_subparsers(dest="kind", metavar="KIND", required=True)
    added = kinds.add_parser("add", help="make a token; its secret is printed once")
    added.add_argument("name", metavar="NAME", help="name of the token's owner")
    added.add_argument("--role", choices=ROLES, default=ROLES[0], help=f"the role ({ROLES[0]})")
    added.add_argument(
        "--principal", action="append", default=[], metavar="TAG", help="access tag they ask with (repeatable)"
    )
    listed = kinds.add_parser("list", help="who has one")
    removed = kinds.add_parser("remove", help="take one away")
    removed.add_argument("name", metavar="NAME", help="name of the token's owner")
    for kind, run in ((added, run_add), (listed, run_list), (removed, run_remove)):
        add_common(kind)
        kind.set_defaults(run=run)


def run_add(arguments: argparse.Namespace) -> int:
    """Make one; its secret alone goes to standard output."""
    secret = _tokens(arguments).add(arguments.name, arguments.role, tuple(arguments.principal))
    if arguments.json:
        print_json({"name": arguments.name, "secret": secret})
        return 0
    print(secret)
    if not arguments.quiet:
        print(f"the secret of {arguments.name}: it is kept nowhere, and shown this once", file=sys.stderr)
    return 0


def run_list(arguments: argparse.Namespace) -> int:
    """A line for each."""
    tokens = _tokens(arguments).all()
    if arguments.json:
        print_json([{"name": item.name, "role": item.role, "principals": list(item.principals)} for item in tokens])
    elif not arguments.quiet:
        print("\n".join(map(_line, tokens)) if tokens else "nobody has a token: pincite token add NAME makes one")
    return 0


def run_remove(arguments: argparse.Namespace) -> int:
    """Take one away; exit code 1 where there is none."""
    _tokens(arguments).remove(arguments.name)
    if not arguments.quiet:
        print(f"{arguments.name} may ask no longer")
    return 0


def _tokens(arguments: argparse.Namespace) -> Tokens:
    """The tokens of the store that is meant; StoreError where there is none."""
    store = find_store(arguments.store)
    if not is_store(store):
        raise StoreError(f"there is no store in {store}: run pincite index FOLDER first, or give --store")
    return Tokens(store)


def _line(token: Token) -> str:
    seen = ", ".join(map(printable, token.principals)) or "what is closed to nobody"
    return f"{token.name:16} {token.role:8} sees {seen}"
