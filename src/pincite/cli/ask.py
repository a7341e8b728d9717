"""`pincite ask QUESTION` `pincite ask --questions FILE --out REPORT`"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.cli.answer_output import answer_lines, explanation_lines, markdown_lines
from pincite.cli.common import (
    add_common,
    add_mode,
    add_retrieval,
    link_maker,
    open_with_settings,
    print_json,
    retrieval_of,
)
from pincite.errors import UsageError
from pincite.printing import printable
from pincite.records.answers import Answer
from pincite.records.plain import to_plain
from pincite.rendering import statement_lines

if TYPE_CHECKING:
    from pincite.report.asking import Report


def ask_sheet(arguments: argparse.Namespace) -> int:
    """Answer all questions of a sheet in one report; exit code 1 where one of them has no answer."""
    from pincite.report.asking import KeptReplies, answer_sheet, read_questions
    from pincite.report.writing import write_report, writer_for
    from pincite.wiring import workbook_rows

    path, out = _paths(arguments)
    writer_for(out)
    engine, settings = open_with_settings(arguments)
    with engine:
        sheet = read_questions(path, lambda workbook: workbook_rows(settings, workbook))
        retrieval = retrieval_of(arguments, settings)
        made_with = {"mode": settings.ask_mode, "language_model": settings.language_model}
        kept = KeptReplies(out, {"pincite": version("pincite"), **to_plain(retrieval), **made_with})
        report = answer_sheet(
            sheet,
            lambda question: engine.ask(question, **retrieval),
            lambda: engine.session().generation() or "",
            title=f"Answers to {path.name}",
            kept=kept,
            tell=_progress_printer(quiet=arguments.quiet),
        )
    write_report(report, out)
    kept.remove()
    return _print_summary(arguments, report, out)


def _paths(arguments: argparse.Namespace) -> tuple[Path, Path]:
    if arguments.questions is None or arguments.question is not None:
        raise UsageError("give one question, or a sheet of them with --questions FILE and --out REPORT")
    if arguments.out is None:
        raise UsageError("where shall the answers go? give --out REPORT (.docx, .xlsx, .md or .html)")
    return arguments.questions, arguments.out


def _progress_printer(*, quiet: bool) -> Callable[[int, int, str], None]:
    def tell(number: int, count: int, question: str) -> None:
        if not quiet:
            print(f"{number} of {count}: {printable(question)}", file=sys.stderr)

    return tell


def _print_summary(arguments: argparse.Namespace, report: Report, out: Path) -> int:
    unanswered = sum(not reply.said for _, reply in report.rows)
    if arguments.json:
        print_json({"report": str(out), "questions": len(report.rows), "unanswered": unanswered})
    else:
        print(f"{report.summary()}; report: {out}")
    return 1 if unanswered else 0


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
    engine, settings = open_with_settings(arguments)
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
