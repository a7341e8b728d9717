"""`pincite audit list | show | replay | verify | pin`"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.cli.common import add_asker, add_common, open_session, open_store, print_json
from pincite.cli.explain import explanation_lines
from pincite.cli.receipts import receipt_lines, run_line
from pincite.cli.tables import answer_lines, statement_lines
from pincite.errors import UsageError
from pincite.records import to_plain

if TYPE_CHECKING:
    from pincite.engine import Session

_EPILOG = """\
examples:
  pincite audit list                               the latest questions, each with its id
  pincite audit show 3f2a                          an answer as it was printed, and its receipt
  pincite audit replay 3f2a                        the same bytes again, or what moved
  pincite audit pin 3f2a --pages snow.pdf:12       the answer was wrong: it should have cited this page"""


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `audit`; each of its commands sets `run`, a function from the parsed arguments to an exit code."""
    parser = commands.add_parser(
        "audit",
        help="what was asked, and whether it gives the same again",
        description="Look at what was asked and answered, ask it again, check that nothing of it was changed.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    kinds = parser.add_subparsers(dest="kind", metavar="KIND", required=True)
    listed = kinds.add_parser("list", help="the latest questions, newest first")
    listed.add_argument("--limit", metavar="N", type=int, default=20, help="how many (20); 0: all")
    shown = _with_id(kinds.add_parser("show", help="an answer as it was printed, and its receipt"))
    replayed = _with_id(kinds.add_parser("replay", help="ask again; exit code 1 where anything differs"))
    replayed.add_argument("--answer", action="store_true", help="answer from the stored hits, without searching")
    verified = kinds.add_parser("verify", help="whether all receipts are as they were written")
    pinned = _with_id(kinds.add_parser("pin", help="make it a question for pincite eval pinned"))
    how = pinned.add_mutually_exclusive_group(required=True)
    how.add_argument("--pages", metavar="FILE:N", action="append", help="it was wrong: these pages answer it")
    how.add_argument("--as-is", action="store_true", help="it was right: every later change is to be told")
    pinned.add_argument(
        "--to", metavar="FILE", type=Path, default=Path("pinned.jsonl"), help="add it there (pinned.jsonl)"
    )
    for kind, run in ((listed, run_list), (shown, run_show), (replayed, run_replay), (verified, run_verify)):
        if kind is not verified:
            add_asker(kind)
        add_common(kind)
        kind.set_defaults(run=run)
    add_asker(pinned)
    add_common(pinned)
    pinned.set_defaults(run=run_pin)


def run_list(arguments: argparse.Namespace) -> int:
    """A line for each answered question."""
    with open_session(arguments) as session:
        runs = session.runs(arguments.limit or None)
    if arguments.json:
        print_json(to_plain(runs))
    elif not arguments.quiet:
        print("\n".join(map(run_line, runs)) if runs else "nothing was asked yet")
    return 0


def run_show(arguments: argparse.Namespace) -> int:
    """The answer and its receipt."""
    with open_session(arguments) as session:
        receipt = session.receipt(arguments.id)
        if arguments.json:
            print_json(to_plain(receipt))
            return 0
        answer = session.restored(receipt)
    if answer is None:
        print("The answer was purged.")
    else:
        print("\n".join(answer_lines(answer, statement_lines(answer), quiet=arguments.quiet)))
        for note in (*answer.degraded, *answer.notices):
            print(f"note: {note}", file=sys.stderr)
    print("\n".join(["", *receipt_lines(receipt)]))
    if answer is not None:
        print("\n".join(["", *explanation_lines(answer)]))
    return 0


def run_replay(arguments: argparse.Namespace) -> int:
    """Ask again; exit code 1 where the answer has other bytes."""
    from pincite.engine import printable

    with open_session(arguments) as session:
        replay = session.replay(arguments.id, from_hits=arguments.answer)
    if arguments.json:
        print_json(to_plain(replay))
    elif not arguments.quiet:
        lines = replay.differences or (f"{replay.run_id}: the same bytes",)
        print("\n".join(printable(" ".join(line.split())) for line in lines))
    return 0 if replay.same else 1


def run_verify(arguments: argparse.Namespace) -> int:
    """Check the chain; exit code 3 where something was changed."""
    engine, _ = open_store(arguments)
    with engine:
        report = engine.check_chain()
    if arguments.json:
        print_json(to_plain(report))
    elif not arguments.quiet:
        purged = f", {report.purged} artifacts purged" if report.purged else ""
        whole = f"{report.runs} receipts, all as they were written{purged}; the last is {report.head or 'none'}"
        print("\n".join(report.problems) if report.problems else whole)
    return 3 if report.problems else 0


def run_pin(arguments: argparse.Namespace) -> int:
    """Add the question to a file of pinned ones."""
    from pincite.evaluate.pinned import add_pinned, pinned_as_is, pinned_on_pages

    with open_session(arguments) as session:
        receipt = session.receipt(arguments.id)
        pages = [_page(session, text) for text in arguments.pages or ()]
    if receipt.request is None or receipt.output is None:
        raise UsageError(f"the receipt {receipt.run.run_id} was purged: it cannot be pinned")
    plain = {"request": receipt.request, "output": receipt.output}
    row = pinned_on_pages(receipt.run, plain, pages) if pages else pinned_as_is(receipt.run, plain)
    add_pinned(arguments.to, row)
    if arguments.json:
        print_json(row)
    elif not arguments.quiet:
        print(f"pinned in {arguments.to}: pincite eval pinned {arguments.to} asks it again")
    return 0


def _with_id(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    parser.add_argument("id", metavar="ID", help="the trace id of an answer, or its beginning")
    return parser


def _page(session: Session, text: str) -> tuple[str, int]:
    """`FILE:N`; UsageError where the store has no such page."""
    from pincite.places import find_document

    name, _, number = text.rpartition(":")
    if not name or not number.isdecimal():
        raise UsageError(f"{text!r} is no page: write FILE:N, such as snow.pdf:12")
    source_id = find_document(session, name)
    if int(number) not in {page.number for page in session.pages(source_id)}:
        raise UsageError(f"{name} has no page {number}: physical pages count from 1")
    return source_id, int(number)
