"""`pincite audit list | show | replay | verify | export | pin` Receipts and events as text."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.cli.answer_output import answer_lines, explanation_lines, filter_text
from pincite.cli.common import add_asker, add_common, open_session, open_store, print_json
from pincite.errors import NotThereError, UsageError
from pincite.printing import printable
from pincite.records.audit import AuditEvent, Entry, Run
from pincite.records.plain import to_plain
from pincite.rendering import statement_lines

if TYPE_CHECKING:
    from pincite.engine.engine import Receipt, Session

ID_LENGTH = 8
LONGEST_KIND = 11


def run_line(run: Run) -> str:
    """One line for a question: the beginning of its id, when, whether it was answered, what was asked."""
    outcome = "refused" if run.refused else "answered"
    question = printable(" ".join(run.query_text.split()))
    return f"{_beginning(run.run_id, run.created_utc, outcome)}  {_by(run.who)}{question}"


def event_line(event: AuditEvent) -> str:
    """One line for an event: the beginning of its id, when, what, who, of which page of which document."""
    page = "" if event.page is None else f", p.{event.page}"
    named = printable(f"{event.source_id}{page}")
    return f"{_beginning(event.event_id, event.created_utc, event.kind)}  {_by(event.who)}{named}"


def event_lines(event: AuditEvent) -> list[str]:
    """All that is known of an event."""
    rows = [
        ("done", f"{event.created_utc.isoformat()}, number {event.number} of the chain"),
        ("what", event.kind),
        ("who", event.who),
        ("document", event.source_id),
        ("page", "" if event.page is None else str(event.page)),
        ("answer", event.trace_id),
        *((name, str(value)) for name, value in event.details.items()),
        ("event", f"SHA-256 {event.digest}"),
    ]
    return [f"Event {event.event_id}", *(printable(f"  {name:11} {text}") for name, text in rows if text)]


def _beginning(key: str, moment: datetime, what: str) -> str:
    return f"{key[:ID_LENGTH]}  {moment:%Y-%m-%d %H:%M:%S}  {what:{LONGEST_KIND}}"


def _by(who: str) -> str:
    return f"{who}: " if who else ""


def receipt_lines(receipt: Receipt) -> list[str]:
    """What a receipt holds beside the answer."""
    run = receipt.run
    rows = [
        ("asked", f"{run.created_utc.isoformat()}, number {run.number} of the chain"),
        ("who", run.who),
        ("store", f"revision {run.revision}, generation {run.generation[:16]}"),
        *(_request(receipt.request) if receipt.request else ()),
        *(_environment(receipt.environment) if receipt.environment else ()),
        *(_used(receipt.used) if receipt.used else ()),
        *(_hits(receipt.answer) if receipt.answer else ()),
        *((name, f"SHA-256 {digest}") for name, digest in run.artifacts.items()),
        ("receipt", f"SHA-256 {run.digest}"),
    ]
    return [f"Receipt {run.run_id}", *(printable(f"  {name:11} {text}") for name, text in rows if text)]


def _request(request: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield "question", " ".join(request["question"].split())
    yield "filter", filter_text(request["filter"])
    yield "policy", filter_text(request["policy"])


def _environment(environment: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    model = environment["model"]
    yield "model", "none" if model is None else f"{model['name']} {model['digest'][:16]}"
    yield "libraries", ", ".join(f"{name} {version}" for name, version in environment["libraries"].items())
    yield "code", environment["code"][:16]
    features = " ".join(environment["cpu_features"])
    yield "machine", f"Python {environment['python']}, {environment['system']}, {environment['processor']}: {features}"


def _used(used: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield "cached", "yes" if used["cached"] else "no"
    yield "used chunks", " ".join(key[:ID_LENGTH] for key in used["used_chunk_ids"])
    yield "addresses", ", ".join(used["s3_paths"].values())


def _hits(answer: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for item in answer["evidence"]:
        scores = ", ".join(f"{name} {score:.6f}" for name, score in item["scores"].items() if score is not None)
        yield f"hit {item['rank']}", f"{item['chunk_id'][:ID_LENGTH]} {scores}"


_EPILOG = """\
examples:
  pincite audit list                               the latest questions and events, each with its id
  pincite audit show 3f2a                          an answer as it was printed, and its receipt
  pincite audit replay 3f2a                        the same bytes again, or what changed
  pincite audit export --since 2026-01 > 2026.jsonl
                                                   all receipts and events from then on, one line of JSON each
  pincite audit pin 3f2a --pages snow.pdf:12       the answer was wrong: it should have cited this page"""


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `audit`; each of its commands sets `run`, a function from the parsed arguments to an exit code."""
    parser = commands.add_parser(
        "audit",
        help="look at receipts, replay and verify them",
        description="Look at what was asked and answered, and at what else was done (documents added, removed or "
        "viewed over HTTP); ask again; check that nothing in the chain was changed.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    kinds = parser.add_subparsers(dest="kind", metavar="KIND", required=True)
    listed = kinds.add_parser("list", help="list the latest questions and events, newest first")
    listed.add_argument("--limit", metavar="N", type=int, default=20, help="number of entries (20); 0: all")
    shown = _with_id(kinds.add_parser("show", help="show an answer as it was printed and its receipt, or an event"))
    replayed = _with_id(kinds.add_parser("replay", help="ask again; exit code 1 if anything differs"))
    replayed.add_argument(
        "--answer", action="store_true", help="answer from the stored results, without searching again"
    )
    verified = kinds.add_parser("verify", help="check that all receipts and events are as they were written")
    verified.add_argument(
        "--head",
        metavar="SHA256",
        default="",
        help="the digest that an earlier verify printed: it must still be in the chain",
    )
    export = kinds.add_parser("export", help="write receipts and events as JSON lines, oldest first")
    export.add_argument("--since", metavar="WHEN", default="", help="from then on (2026-01-31, 2026-01-31T12:30; UTC)")
    export.add_argument("--until", metavar="WHEN", default="", help="up to the end of then (2026-01, 2026-01-31)")
    pinned = _with_id(kinds.add_parser("pin", help="turn it into a question for pincite eval pinned"))
    how = pinned.add_mutually_exclusive_group(required=True)
    how.add_argument(
        "--pages", metavar="FILE:N", action="append", help="the answer was wrong: these pages have the right one"
    )
    how.add_argument("--as-is", action="store_true", help="the answer was right: report every later change")
    pinned.add_argument(
        "--to", metavar="FILE", type=Path, default=Path("pinned.jsonl"), help="file to add it to (pinned.jsonl)"
    )
    for kind, run in (
        *((listed, run_list), (shown, run_show), (replayed, run_replay)),
        *((verified, run_verify), (export, run_export)),
    ):
        if kind is not verified:
            add_asker(kind)
        add_common(kind)
        kind.set_defaults(run=run)
    add_asker(pinned)
    add_common(pinned)
    pinned.set_defaults(run=run_pin)


def run_list(arguments: argparse.Namespace) -> int:
    """A line for each answered question, and for each event."""
    limit = arguments.limit or None
    with open_session(arguments) as session:
        entries: list[Entry] = [*session.audit.runs(limit), *session.audit.events(limit)]
    latest = sorted(entries, key=lambda entry: entry.number, reverse=True)[:limit]
    if arguments.json:
        print_json(to_plain(latest))
    elif not arguments.quiet:
        lines = [run_line(entry) if isinstance(entry, Run) else event_line(entry) for entry in latest]
        print("\n".join(lines) or "nothing has been asked yet")
    return 0


def run_show(arguments: argparse.Namespace) -> int:
    """The answer and its receipt, or an event."""
    with open_session(arguments) as session:
        event = _event(session, arguments.id)
        if event is not None:
            print_json(to_plain(event)) if arguments.json else print("\n".join(event_lines(event)))
            return 0
        receipt = session.audit.receipt(arguments.id)
        if arguments.json:
            print_json(to_plain(receipt))
            return 0
        answer = session.audit.restored(receipt)
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
    with open_session(arguments) as session:
        replay = session.audit.replay(arguments.id, from_hits=arguments.answer)
    if arguments.json:
        print_json(to_plain(replay))
    elif not arguments.quiet:
        lines = replay.differences or (f"{replay.run_id}: the same bytes",)
        print("\n".join(printable(" ".join(line.split())) for line in lines))
    return 0 if replay.same else 1


def run_verify(arguments: argparse.Namespace) -> int:
    """Check the chain; exit code 3 where something was changed."""
    with open_store(arguments) as engine:
        report = engine.check_chain(arguments.head)
    if arguments.json:
        print_json(to_plain(report))
    elif not arguments.quiet:
        purged = f", {report.purged} artifacts purged" if report.purged else ""
        counted = f"{report.runs} receipts" + (f" and {report.events} events" if report.events else "")
        whole = f"{counted}, all as they were written{purged}; the last is {report.head or 'none'}"
        print("\n".join(report.problems) if report.problems else whole)
    return 3 if report.problems else 0


def run_export(arguments: argparse.Namespace) -> int:
    """A line of JSON for each receipt, with what is kept of it, and for each event."""
    with open_session(arguments) as session:
        for entry in session.audit.exported(arguments.since, arguments.until):
            print(json.dumps(entry))
    return 0


def run_pin(arguments: argparse.Namespace) -> int:
    """Add the question to a file of pinned ones."""
    from pincite.evaluate.pinned import add_pinned, pinned_as_is, pinned_on_pages

    with open_session(arguments) as session:
        receipt = session.audit.receipt(arguments.id)
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
    parser.add_argument("id", metavar="ID", help="the id of an answer, or its beginning")
    return parser


def _event(session: Session, prefix: str) -> AuditEvent | None:
    """The event whose id begins with this; None if it is no event, UsageError where several match."""
    events = session.audit.events(2, prefix)
    try:
        others = len(events) > 1 or bool(events and session.audit.receipt(prefix))
    except NotThereError:
        others = False
    if others:
        raise UsageError(f"more than one id begins with {prefix!r}: give more of it")
    return events[0] if events else None


def _page(session: Session, text: str) -> tuple[str, int]:
    """`FILE:N`; UsageError where the store has no such page."""
    from pincite.places import find_document

    name, _, number = text.rpartition(":")
    if not name or not number.isdecimal():
        raise UsageError(f"{text!r} is no page: write FILE:N, such as snow.pdf:12")
    source_id = find_document(session, name)
    if int(number) not in {page.number for page in session.documents.pages(source_id)}:
        raise UsageError(f"{name} has no page {number}: physical pages count from 1")
    return source_id, int(number)
