"""`pincite ask --questions FILE --out REPORT`"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.cli.common import open_store, print_json, retrieval_of
from pincite.errors import UsageError
from pincite.records.plain import to_plain

if TYPE_CHECKING:
    from pincite.report.replies import Report
    from pincite.settings import Settings


def ask_sheet(arguments: argparse.Namespace) -> int:
    """Answer all questions of a sheet in one report; exit code 1 where one of them has no answer."""
    from pincite.report.asking import answer_sheet
    from pincite.report.kept import KeptReplies
    from pincite.report.questions import read_questions
    from pincite.report.writing import write_report, writer_for
    from pincite.wiring import workbook_rows

    path, out = _paths(arguments)
    writer_for(out)
    engine, settings = open_store(arguments)
    with engine:
        sheet = read_questions(path, lambda workbook: workbook_rows(settings, workbook))
        retrieval = retrieval_of(arguments, settings)
        kept = KeptReplies(out, {"pincite": version("pincite"), **to_plain(retrieval), **_asked_of(settings)})
        report = answer_sheet(
            sheet,
            lambda question: engine.ask(question, **retrieval),
            lambda: engine.session().generation() or "",
            title=f"Answers to {path.name}",
            kept=kept,
            tell=_teller(quiet=arguments.quiet),
        )
    write_report(report, out)
    kept.remove()
    return _tell_end(arguments, report, out)


def _asked_of(settings: Settings) -> dict[str, str]:
    """What decides who answers, for replies that are taken up again."""
    return {"mode": settings.ask_mode, "language_model": settings.language_model}


def _paths(arguments: argparse.Namespace) -> tuple[Path, Path]:
    if arguments.questions is None or arguments.question is not None:
        raise UsageError("give one question, or a sheet of them with --questions FILE and --out REPORT")
    if arguments.out is None:
        raise UsageError("where shall the answers go? give --out REPORT (.docx, .xlsx, .md or .html)")
    return arguments.questions, arguments.out


def _teller(*, quiet: bool) -> Callable[[int, int, str], None]:
    from pincite.engine.engine import printable

    def tell(number: int, count: int, question: str) -> None:
        if not quiet:
            print(f"{number} of {count}: {printable(question)}", file=sys.stderr)

    return tell


def _tell_end(arguments: argparse.Namespace, report: Report, out: Path) -> int:
    unanswered = sum(not reply.said for _, reply in report.rows)
    if arguments.json:
        print_json({"report": str(out), "questions": len(report.rows), "unanswered": unanswered})
    else:
        print(f"{report.summary()}; report: {out}")
    return 1 if unanswered else 0
