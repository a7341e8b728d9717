"""`pincite search QUESTION`"""

from __future__ import annotations

import argparse
import sys

from pincite.cli.answer_output import evidence_table
from pincite.cli.common import add_common, add_retrieval, open_store, print_json, retrieval_of


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "search",
        help="find passages, without an answer",
        description="Find the passages that fit a question: file, page, channels, score, text.",
    )
    parser.add_argument("question", help="the question, in plain words")
    parser.add_argument("--full", action="store_true", help="print the whole text of each passage")
    add_retrieval(parser)
    add_common(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Search; exit code 1 where nothing was found."""
    engine, settings = open_store(arguments)
    with engine:
        retrieval = engine.search(arguments.question, **retrieval_of(arguments, settings))
    if arguments.json:
        print_json(retrieval.to_dict())
    elif not retrieval.evidence:
        print("No information found.")
    else:
        print(evidence_table(retrieval.evidence))
        if arguments.full:
            for item in retrieval.evidence:
                print(f"\n--- {item.rank}\n{item.chunk.content}")
    for note in retrieval.trace.degraded:
        print(f"note: {note}", file=sys.stderr)
    return 0 if retrieval.evidence else 1
