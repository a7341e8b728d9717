"""Receipts and events as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pincite.cli.explain import filter_text
from pincite.records.audit import AuditEvent, Run

if TYPE_CHECKING:
    from pincite.engine.engine import Receipt

ID_LENGTH = 8
LONGEST_KIND = 11


def run_line(run: Run) -> str:
    """One line for a question: the beginning of its id, when, whether it was answered, what was asked."""
    from pincite.engine.engine import printable

    outcome = "refused" if run.refused else "answered"
    question = printable(" ".join(run.query_text.split()))
    return f"{_beginning(run.run_id, run.created_utc, outcome)}  {_by(run.who)}{question}"


def event_line(event: AuditEvent) -> str:
    """One line for an event: the beginning of its id, when, what, who, of which page of which document."""
    from pincite.engine.engine import printable

    page = "" if event.page is None else f", p.{event.page}"
    named = printable(f"{event.source_id}{page}")
    return f"{_beginning(event.event_id, event.created_utc, event.kind)}  {_by(event.who)}{named}"


def event_lines(event: AuditEvent) -> list[str]:
    """All that is known of an event."""
    from pincite.engine.engine import printable

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
    from pincite.engine.engine import printable

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
