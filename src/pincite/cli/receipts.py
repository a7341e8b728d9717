"""Receipts as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pincite.cli.explain import filter_text
from pincite.records import Run

if TYPE_CHECKING:
    from pincite.engine import Receipt

ID_LENGTH = 8


def run_line(run: Run) -> str:
    """One line for a question: the beginning of its id, when, whether it was answered, what was asked."""
    from pincite.engine import printable

    outcome = "refused " if run.refused else "answered"
    question = printable(" ".join(run.query_text.split()))
    return f"{run.run_id[:ID_LENGTH]}  {run.created_utc:%Y-%m-%d %H:%M:%S}  {outcome}  {question}"


def receipt_lines(receipt: Receipt) -> list[str]:
    """What a receipt holds beside the answer."""
    from pincite.engine import printable

    run = receipt.run
    rows = [
        ("asked", f"{run.created_utc.isoformat()}, number {run.number} of the chain"),
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
