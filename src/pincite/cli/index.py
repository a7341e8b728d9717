"""`pincite index PATH...`"""

from __future__ import annotations

import argparse
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.cli.common import STORE_NAME, add_common, place_of, print_json, settings_of, store_at
from pincite.cli.index_output import ProgressBar, ProgressLog, advice_on, lines_of, planned, print_plan
from pincite.errors import SettingsError, UsageError
from pincite.printing import counted, listed_names
from pincite.records.plain import to_plain
from pincite.records.sources import IndexReport
from pincite.settings import REDACTED
from pincite.store_files import is_store

if TYPE_CHECKING:
    from pincite.engine.engine import Progress
    from pincite.settings import Settings

    ProgressListener = Callable[[Progress], None]

_EPILOG = """\
examples:
  pincite index reports/                       makes the store reports/.pincite
  pincite index reports/ --store /var/pincite  puts the store elsewhere
  pincite index reports/2024/                  part of a folder that is already indexed
  pincite index reports/ --prune               also removes sources whose files are gone
  pincite index reports/ --exclude "draft*"    leaves these out, like a .pinciteignore
  pincite index --source-manifest list.json    sources with tags, dates and access, from a list
  pincite index s3://bucket/reports            objects below reports/ (needs the extra s3)

Unchanged files are not read again. Ctrl-C leaves a working store; the same command continues."""

_EXTRACTOR = "what finds triplets: rules, none, spacy:PIPELINE, gliner:FOLDER, relik:FOLDER, ollama, openai"

_REDACT = f"mask these before anything is stored, separated by commas: {', '.join(REDACTED)}; none (as before)"


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "index",
        help="read documents into the store",
        description="Read documents (PDF, scans, office files, HTML, Markdown, text, CSV, mails, ZIP) into the store.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "paths", nargs="*", type=place_of, metavar="PATH", help="a file, a folder, or s3://BUCKET/PREFIX"
    )
    parser.add_argument(
        "--source-manifest",
        type=Path,
        metavar="FILE",
        help="a JSON file that lists sources with tags, dates and access",
    )
    parser.add_argument(
        "--mode", choices=("incremental", "full"), default="incremental", help="full reads everything again"
    )
    parser.add_argument("--prune", action="store_true", help="remove sources whose files are gone")
    parser.add_argument(
        "--exclude",
        action="append",
        default=[],
        metavar="GLOB",
        help="leave out files that match this pattern (repeatable)",
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="say what would be read and how long it would take; store nothing"
    )
    parser.add_argument("--as", dest="name", default="", metavar="NAME", help="name for another root folder")
    parser.add_argument(
        "--ocr",
        choices=("auto", "never", "always"),
        help="which pages are read by OCR (auto: those without usable text)",
    )
    parser.add_argument("--password-file", type=Path, metavar="FILE", help="passwords of encrypted files, one per line")
    parser.add_argument("--workers", type=int, metavar="N", help="number of reading processes (one per core)")
    parser.add_argument("--chunk-size", type=int, metavar="N", help="characters in a chunk (2000)")
    parser.add_argument(
        "--chunk-overlap", type=int, metavar="N", help="characters that neighbouring chunks share (200)"
    )
    parser.add_argument("--extractor", metavar="NAME", help=_EXTRACTOR)
    parser.add_argument("--redact", metavar="KINDS", help=_REDACT)
    add_common(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Index; exit code 1 where a file was refused."""
    from pincite.wiring import open_engine

    if not arguments.paths and arguments.source_manifest is None:
        raise UsageError("nothing to index: give a file or folder, or --source-manifest FILE")
    for path in arguments.paths:
        if isinstance(path, Path) and not path.exists():
            raise UsageError(f"{path} does not exist: give a file or a folder")
    first = arguments.paths[0] if arguments.paths else arguments.source_manifest.parent
    store = store_at(arguments.store) if arguments.store else store_of(first if isinstance(first, Path) else Path.cwd())
    settings = settings_of(arguments, store.absolute().parent)
    if arguments.dry_run:
        print_plan(arguments, planned(arguments, settings, store, _excluded(arguments, settings)))
        return 0
    passwords = _passwords(arguments.password_file)
    with open_engine(settings, store, create=True, passwords=passwords) as engine, shown_progress(arguments) as shown:
        report = engine.index(
            arguments.paths,
            mode=arguments.mode,
            prune=arguments.prune,
            manifest=arguments.source_manifest,
            name=arguments.name,
            exclude=_excluded(arguments, settings),
            progress=listener_of(shown, debug=arguments.debug),
        )
        others = engine.masked_otherwise()
    _print_report(arguments, report, store)
    if report.kept_closed:
        _tell_of_closed(report.kept_closed)
    if others:
        _tell_of(others)
    return 1 if any(document.status == "refused" for document in report.documents) else 0


def _tell_of(others: Sequence[str]) -> None:
    """Name documents that today's masking has not reached."""
    told = f"{counted(len(others), 'documents')} in the store may be masked less ({listed_names(others)})"
    print(f"pincite: {told}: index them too, or take them out with pincite remove", file=sys.stderr)


def shown_progress(arguments: argparse.Namespace) -> AbstractContextManager[ProgressListener]:
    """What tells a person how far it is."""
    if arguments.quiet or arguments.json:
        return nullcontext(lambda _: None)
    return ProgressBar() if sys.stderr.isatty() else ProgressLog()


def listener_of(shown: ProgressListener, *, debug: bool) -> ProgressListener:
    """Tells how far it is; with --debug it also prints where it failed on a document that was given up."""

    def listen(progress: Progress) -> None:
        if debug and progress.error is not None:
            traceback.print_exception(progress.error)
        shown(progress)

    return listen


def store_of(path: Path) -> Path:
    """The store that a file or folder belongs to: the first `.pincite` from it upwards, else a new one in it."""
    folder = path.absolute() if path.is_dir() else path.absolute().parent
    for parent in (folder, *folder.parents):
        if is_store(parent / STORE_NAME):
            return Path(parent / STORE_NAME)
    return Path(folder / STORE_NAME)


def _excluded(arguments: argparse.Namespace, settings: Settings) -> list[str]:
    """The patterns of the setting and of the options."""
    return [*filter(None, map(str.strip, settings.exclude.split(","))), *arguments.exclude]


def _passwords(path: Path | None) -> tuple[str, ...]:
    if path is None:
        return ()
    try:
        return tuple(line for line in path.read_text(encoding="utf-8").splitlines() if line)
    except (OSError, ValueError) as error:
        raise SettingsError(f"the password file {path} cannot be read: {error}") from error


def report_lines(report: IndexReport, store: Path) -> list[str]:
    """What became of the documents, and how many there are."""
    return [*lines_of(report.documents), *advice_on(report.documents), _summary(report, store)]


def _print_report(arguments: argparse.Namespace, report: IndexReport, store: Path) -> None:
    from pincite.engine.engine import masked_line

    if arguments.json:
        print_json(to_plain(report))
        return
    if not report.documents:
        print(f"pincite: nothing to index in {' '.join(map(str, arguments.paths))}", file=sys.stderr)
    print("\n".join([_summary(report, store)] if arguments.quiet else report_lines(report, store)))
    if told := masked_line(document.masked for document in report.documents):
        print(told)


def _tell_of_closed(names: Sequence[str]) -> None:
    """Name documents that an earlier run closed, and say how they are opened."""
    stay = "stays" if len(names) == 1 else "stay"
    advice = 'pincite access open SOURCE opens one, as does "acl": [] in its entry of a manifest'
    print(f"pincite: {listed_names(names)} {stay} closed, as was said earlier: {advice}", file=sys.stderr)


def _summary(report: IndexReport, store: Path) -> str:
    counts = [f"{count} {name}" for name, count in report.counts.items() if name not in ("pages", "chunks")]
    pages, chunks = (counted(report.counts.get(name, 0), name) for name in ("pages", "chunks"))
    return f"{', '.join(counts) or 'no documents'}; {pages}, {chunks} in {report.seconds:.1f} s; store: {store}"
