"""`pincite ask QUESTION`"""

from __future__ import annotations

import argparse
import sys
from importlib.resources import files
from pathlib import Path

from pincite.cli.ask_sheet import ask_sheet
from pincite.cli.common import add_common, add_mode, add_retrieval, link_maker, open_store, print_json, retrieval_of
from pincite.cli.explain import explanation_lines
from pincite.cli.markdown import markdown_lines
from pincite.cli.tables import answer_lines
from pincite.printed import statement_lines
from pincite.records.answers import Answer

_EPILOG = """\
examples:
  pincite ask "Which snow load applies above 1500 m?"
  pincite ask "What was revenue in 2022?" --file "3M_*.pdf"
  pincite ask "termination notice tag:contracts after:2023"     filters can be part of the question
  pincite ask "net sales? company=[Tesla|Rivian] date:2022"     file, type, tag or domain, company, date, after, before
  pincite ask "By rules.pdf, who pays? By section 3?"           or in plain words: a file, a section
  pincite ask "Who holds the patents?" --json | jq .summary
  pincite ask "Who holds the patents?" --as-of 2024-05-01       the store as it was on that day
  pincite ask "Who holds the patents?" --timeout 5              then answers without models that are late
  pincite ask --questions sheet.xlsx --out report.docx          continues where it stopped

Exit code 1 means that nothing was found; the output then says what was searched."""


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "ask",
        help="answer a question, every sentence with its page",
        description="Answer a question from the documents, each sentence pinned to its page.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("question", nargs="?", help="the question, in plain words")
    parser.add_argument(
        "--questions", type=Path, metavar="FILE", help="a sheet of questions (.csv or .xlsx) instead of one question"
    )
    parser.add_argument(
        "--out", type=Path, metavar="REPORT", help="where to write their answers: .docx, .xlsx, .md or .html"
    )
    parser.add_argument("--stable", action="store_true", help="leave times and ids out of the JSON")
    parser.add_argument("--markdown", action="store_true", help="print Markdown")
    parser.add_argument("--explain", action="store_true", help="explain what was searched, found, merged and decided")
    parser.add_argument("--schema", action=_PrintSchema, nargs=0, help="print the JSON Schema of --json and exit")
    add_mode(parser)
    add_retrieval(parser)
    add_common(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Ask; exit code 1 where nothing was found."""
    if arguments.question is None or arguments.questions or arguments.out:
        return ask_sheet(arguments)
    engine, settings = open_store(arguments)
    with engine:
        session = engine.session(arguments.principal)
        answer = session.ask(arguments.question, **retrieval_of(arguments, settings))
        said = statement_lines(answer, link_maker(session))
        _print(arguments, answer, said)
    return 1 if answer.refused else 0


def _print(arguments: argparse.Namespace, answer: Answer, said: list[str]) -> None:
    """Print it, before the engine is closed: a collector of traces that is silent keeps no answer back."""
    if arguments.json:
        print_json(answer.to_dict(stable=arguments.stable, explain=arguments.explain))
    elif arguments.markdown:
        print("\n".join(markdown_lines(answer)))
        if arguments.explain:
            print("\n".join(["", *(f"    {line}" for line in explanation_lines(answer))]))
    else:
        print("\n".join(answer_lines(answer, said, quiet=arguments.quiet)))
        if arguments.explain:
            print("\n".join(["", *explanation_lines(answer)]))
        for note in (*answer.degraded, *answer.notices):
            print(f"note: {note}", file=sys.stderr)
    if arguments.debug and answer.calls and not arguments.explain:
        print("\n".join(explanation_lines(answer)), file=sys.stderr)
    sys.stdout.flush()


class _PrintSchema(argparse.Action):
    """Prints the JSON Schema and leaves, as --version does."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        print(files("pincite").joinpath("answer.schema.json").read_text(encoding="utf-8"), end="")
        parser.exit()
