"""`pincite mcp`"""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
from contextlib import suppress
from importlib.util import find_spec
from typing import NoReturn

from pincite.cli.common import add_asker, add_common, add_mode, open_with_settings
from pincite.errors import ServiceError
from pincite.installing import install_extra
from pincite.settings import retrieval_policy

_EPILOG = """\
Chat programs start it themselves. Put this into their configuration (often under "mcpServers"):

  {"mcpServers": {"pincite": {"command": "pincite", "args": ["mcp", "--store", "/path/to/reports"]}}}

If the program does not find pincite, give the full path as "command" (`which pincite` prints it). Each statement comes
with its (file, p.N). For programs that speak HTTP, use the address that --http prints:

  pincite mcp --store reports --http 8011      http://127.0.0.1:8011/mcp, for programs on this machine only

The tools: ask, search, show_section, resolve_reference, list_documents. None of them changes anything. All are bound
to those whom --principal names: what is closed to them is as if it were not there. What is logged goes to standard
error. Ctrl-C, or the end of standard input, ends it."""


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "mcp",
        help="let a chat program ask (Model Context Protocol)",
        description="Let a chat program ask, through the Model Context Protocol: over standard input and output, or "
        "over HTTP on this machine.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--http", type=int, metavar="PORT", help="serve HTTP on this port of 127.0.0.1 (0: any free one)"
    )
    add_mode(parser)
    add_asker(parser)
    add_common(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Serve until standard input ends, or until interrupted."""
    if find_spec("mcp") is None:
        raise ServiceError(f"the package mcp is not installed: run {install_extra('mcp')}")
    from pincite.serve.mcp.server import make_server, serve_http
    from pincite.serve.mcp.tools import Terms

    _log_to_stderr()
    engine, settings = open_with_settings(arguments)
    with engine:
        terms = Terms(retrieval_policy(settings), settings.ask_seconds)
        server = make_server(engine.session(arguments.principal), terms)
        if arguments.http is None:
            signal.signal(signal.SIGINT, _leave)
            server.run()
        else:
            with suppress(KeyboardInterrupt):
                serve_http(server, arguments.http, _ready)
    return 0


def _leave(*_: object) -> NoReturn:
    """End at once: a thread waits for standard input, and nothing but input wakes it. What is written, receipts of
    answers, is whole whenever that is."""
    os._exit(0)


def _ready(address: str) -> None:
    print(f"pincite: {address} (Ctrl-C ends it)", file=sys.stderr, flush=True)


def _log_to_stderr() -> None:
    """Warnings and errors, of the library that speaks the protocol, too."""
    handler = logging.StreamHandler()
    handler.setLevel(logging.WARNING)
    logging.basicConfig(handlers=[handler], format="pincite: %(message)s")
