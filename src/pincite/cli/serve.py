"""`pincite serve [DIR]`, and `pincite token add | list | remove` for its users"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING

from pincite.cli.common import (
    add_common,
    add_mode,
    find_store,
    log_of_questions,
    print_json,
    settings_folder,
    settings_of,
)
from pincite.errors import PinciteError, ServiceError, StoreError, UsageError
from pincite.installing import install_extra
from pincite.printing import counted, printable
from pincite.serve.access_tokens import ROLES, Token, Tokens
from pincite.store_files import is_store

if TYPE_CHECKING:
    from pincite.engine.engine import Engine
    from pincite.ports import Telemetry
    from pincite.serve.issuer import Issuer
    from pincite.serve.workers import Workers
    from pincite.settings import Settings

PORT = 8470
MOST_PROCESSES = 8
"""Where the settings name no number: each holds the models, some hundred MB. By eye, not measured."""
PULL_SECONDS = 5.0
"""Between looks at what other machines published: each is two small requests."""
NEEDED = "the service needs packages that are not installed: run {}"

_EPILOG = f"""\
examples:
  pincite serve                                    the store of this folder, for this machine only
  pincite serve reports/ --port 9000               another folder, on another port
  pincite token add ada --principal board          a token: whoever has the secret may ask and see what the board sees
  pincite serve --host 0.0.0.0 --allow-host pincite.example.org
                                                   for others too; needs a token, or an issuer of JWTs
                                                   (settings jwt_issuer, jwt_audience)

asking it:
  curl "http://127.0.0.1:{PORT}/qa?query=Who+clears+the+snow"
  curl http://127.0.0.1:{PORT}/api/ask -H "Authorization: Bearer SECRET" \\
       -H "Content-Type: application/json" -d '{{"question": "Who clears the snow?", "files": ["rules*.pdf"]}}'
  curl -X POST -T rules.pdf "http://127.0.0.1:{PORT}/api/documents?name=rules.pdf"     (role writer: add a document)

Routes: /api/openapi.json. Ctrl-C ends the service once running answers are done."""


def register_serve(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "serve",
        help="answer over HTTP, with a web page",
        description="Answer questions over HTTP: a web page for people, an API for programs.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", metavar="DIR", nargs="?", type=Path, help="the folder whose store is served")
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (127.0.0.1)")
    parser.add_argument("--port", type=int, default=PORT, metavar="N", help=f"the port ({PORT}); 0: any free one")
    parser.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="host name that others use for it (repeatable)",
    )
    parser.add_argument(
        "--timeout", type=float, metavar="SECONDS", dest="ask_seconds", help="longest time a question may take"
    )
    add_mode(parser)
    add_common(parser)
    parser.set_defaults(run=run_serve)


def run_serve(arguments: argparse.Namespace) -> int:
    """Serve until stopped."""
    from pincite.shared_services import make_shared_limit
    from pincite.wiring import has_reader_here, make_telemetry, open_engine

    try:
        from pincite.serve.app import build_app
        from pincite.serve.running import Server, address_of, bound_socket, is_loopback, limit_arenas
        from pincite.serve.traffic import PrometheusTelemetry
    except ModuleNotFoundError as error:
        raise ServiceError(NEEDED.format(install_extra("serve"))) from error
    from pincite.serve.access import Access
    from pincite.serve.access_tokens import Tokens
    from pincite.telemetry.cost import FanOut

    store = find_store(arguments.store or arguments.folder)
    settings = settings_of(arguments, settings_folder(store))
    tokens = Tokens(store)
    metrics = PrometheusTelemetry()
    limit_arenas()
    telemetry = FanOut(make_telemetry(settings), metrics)
    with (
        _logged_questions(),
        open_engine(settings, store, telemetry=telemetry) as engine,
        closing(bound_socket(arguments.host, arguments.port)) as bound,
        _pulling(engine, shares=bool(settings.generations_url)),
    ):
        issuer = _issuer(settings)
        access = Access(tokens, is_local=is_loopback(bound), issuer=issuer)
        if issuer is None and not tokens.all() and not access.is_open:
            raise UsageError(
                f"others can reach {arguments.host}, and nobody has a token: run pincite token add NAME first, "
                "name an issuer of JWTs (jwt_issuer), or serve this machine alone with --host 127.0.0.1"
            )
        names = [arguments.host, *arguments.allow_host]
        is_here = has_reader_here(settings)
        askers = _workers(settings, store, telemetry, takes_all_cores=is_here)
        app = build_app(
            engine,
            settings,
            access,
            names=names,
            askers=askers,
            metrics=metrics,
            judges_here=is_here,
            shared_limit=partial(make_shared_limit, settings, store, telemetry),
        )
        if not arguments.quiet:
            told = _banner(engine, store, address_of(bound), len(tokens.all()), settings.jwt_issuer)
            print("\n".join(told), file=sys.stderr)
        Server(app).run([bound])
    return 0


def _logged_questions() -> AbstractContextManager[None]:
    """A line a question goes to standard error, with its moment in UTC."""
    formatter = logging.Formatter("ts=%(asctime)sZ level=%(levelname)s %(message)s", "%Y-%m-%dT%H:%M:%S")
    formatter.converter = time.gmtime
    return log_of_questions(formatter, logging.INFO)


@contextmanager
def _pulling(engine: Engine, *, shares: bool) -> Iterator[None]:
    """Meanwhile what other machines publish is fetched every few seconds. Where that fails, the service goes on with
    what it has, and says so once."""
    if not shares:
        yield
        return
    ended = Event()

    def pull() -> None:
        told = ""
        while not ended.is_set():
            try:
                engine.pull()
                told = ""
            except PinciteError as error:
                if str(error) != told:
                    print(f"pincite: {error}; answers go on from the generation that is here", file=sys.stderr)
                told = str(error)
            ended.wait(PULL_SECONDS)

    thread = Thread(target=pull, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join(PULL_SECONDS)


def _issuer(settings: Settings) -> Issuer | None:
    """The issuer whose JWTs are accepted; None where the settings name none."""
    if not settings.jwt_issuer:
        return None
    try:
        from pincite.serve.issuer import issuer_of
    except ModuleNotFoundError as error:
        raise ServiceError(NEEDED.format(install_extra("serve"))) from error
    from pincite.wiring import fetched_json

    return issuer_of(settings, fetched_json)


def _workers(settings: Settings, store: Path, telemetry: Telemetry, *, takes_all_cores: bool) -> Workers | None:
    """Processes that answer, as many as the settings say; None where one is enough, which is that of the service.
    Unless the settings say it, or a question takes all cores in its turn, each has one."""
    from pincite.serve.workers import Workers

    processes = settings.processes or min(os.cpu_count() or 1, MOST_PROCESSES)
    if processes == 1:
        return None
    threads = settings.threads or (0 if takes_all_cores else 1)
    return Workers(replace(settings, threads=threads), store, processes, telemetry)


def _banner(engine: Engine, store: Path, address: str, tokens: int, issuer: str) -> list[str]:
    """The address, the store, and who may ask."""
    counts = engine.session().documents.counts()
    held = ", ".join(counted(counts[name], name) for name in ("sources", "pages", "chunks"))
    asking = f"{counted(tokens, 'tokens')}: who has the secret of one may ask"
    proving = f"{counted(tokens, 'tokens')}: who has the secret of one may ask, or a JWT of {issuer}"
    nobody = "no token is needed on this machine; what is closed to some is shown to nobody (pincite token add NAME)"
    return [
        f"pincite serves {store}: {held}",
        f'open {address} in a browser, or ask: curl "{address}/qa?query=..." (Ctrl-C ends it)',
        proving if issuer else asking if tokens else nobody,
    ]


_TOKEN_EPILOG = """\
examples:
  pincite token add ada                            may ask, and see what is open to everybody
  pincite token add bo --principal board           may also see what the board may see
  pincite token add root --role admin              may also see what others asked
  pincite token list                               lists tokens; secrets are not kept
  pincite token remove ada                         takes effect at once, even while pincite serve runs

The secret is printed once. It goes into a header: Authorization: Bearer SECRET"""


def register_token(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `token`; each of its commands sets `run`, a function from the parsed arguments to an exit code."""
    parser = commands.add_parser(
        "token",
        help="manage tokens for pincite serve",
        description="Who may use pincite serve, in which role, and what they may see.",
        epilog=_TOKEN_EPILOG,
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
    for kind, run in ((added, run_token_add), (listed, run_token_list), (removed, run_token_remove)):
        add_common(kind)
        kind.set_defaults(run=run)


def run_token_add(arguments: argparse.Namespace) -> int:
    """Make one; its secret alone goes to standard output."""
    secret = _tokens(arguments).add(arguments.name, arguments.role, tuple(arguments.principal))
    if arguments.json:
        print_json({"name": arguments.name, "secret": secret})
        return 0
    print(secret)
    if not arguments.quiet:
        print(f"the secret of {arguments.name}: it is kept nowhere, and shown this once", file=sys.stderr)
    return 0


def run_token_list(arguments: argparse.Namespace) -> int:
    """A line for each."""
    tokens = _tokens(arguments).all()
    if arguments.json:
        print_json([{"name": item.name, "role": item.role, "principals": list(item.principals)} for item in tokens])
    elif not arguments.quiet:
        print("\n".join(map(_token_line, tokens)) if tokens else "nobody has a token: pincite token add NAME makes one")
    return 0


def run_token_remove(arguments: argparse.Namespace) -> int:
    """Take one away; exit code 1 where there is none."""
    _tokens(arguments).remove(arguments.name)
    if not arguments.quiet:
        print(f"{arguments.name} may ask no longer")
    return 0


def _tokens(arguments: argparse.Namespace) -> Tokens:
    """The tokens of the store in question; StoreError where there is none."""
    store = find_store(arguments.store)
    if not is_store(store):
        raise StoreError(f"there is no store in {store}: run pincite index FOLDER first, or give --store")
    return Tokens(store)


def _token_line(token: Token) -> str:
    seen = ", ".join(map(printable, token.principals)) or "what is closed to nobody"
    return f"{token.name:16} {token.role:8} sees {seen}"
