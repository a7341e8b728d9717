"""`pincite ask QUESTION`"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from pincite.cli.ask_sheet import ask_sheet
from pincite.cli.common import add_common, add_retrieval, link_maker, open_store, print_json, retrieval_of
from pincite.cli.tables import evidence_table, statement_lines
from pincite.records import Answer

_EPILOG = """\
examples:
  pincite ask "Which snow load applies above 1500 m?"
  pincite ask "What was revenue in 2022?" --file "3M_*.pdf"
  pincite ask "termination notice tag:contracts after:2023"     filters may stand in the question too
  pincite ask "Who holds the patents?" --json | jq .summary
  pincite ask --questions sheet.xlsx --out report.docx          goes on where it stopped

Exit code 1 means that nothing was found; what was searched is printed then."""


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "ask",
        help="answer a question, every sentence with its page",
        description="Answer a question from the store: sentences of the documents, each pinned to its page.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("question", nargs="?", help="in words")
    parser.add_argument("--questions", type=Path, metavar="FILE", help="a sheet of questions instead: .csv or .xlsx")
    parser.add_argument("--out", type=Path, metavar="REPORT", help="their answers: .docx, .xlsx, .md or .html")
    parser.add_argument("--stable", action="store_true", help="leave times and ids out of the JSON")
    add_retrieval(parser)
    add_common(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Ask; exit code 1 where nothing was found."""
    if arguments.question is None or arguments.questions is not None:
        return ask_sheet(arguments)
    engine, settings = open_store(arguments)
    with engine:
        answer = engine.ask(arguments.question, **retrieval_of(arguments, settings))
        lines = statement_lines(answer, link_maker(engine))
    if arguments.json:
        print_json(answer.to_dict(stable=arguments.stable))
    else:
        _print_answer(answer, lines, quiet=arguments.quiet)
    return 1 if answer.refused else 0


def _print_answer(answer: Answer, lines: Sequence[str], *, quiet: bool) -> None:
    print("\n".join(lines))
    if answer.refused:
        for missing in answer.missing:
            for suggestion in missing.suggestions:
                print(f"  try: {suggestion}")
    if not quiet and answer.evidence:
        print()
        print(evidence_table(answer.evidence))
    for note in (*answer.degraded, *answer.notices):
        print(f"note: {note}", file=sys.stderr)
