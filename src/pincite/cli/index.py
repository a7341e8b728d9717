"""`pincite index PATH...`, and what it prints: each source, how far it is, and with `--dry-run` what would be read and
how long that takes."""

from __future__ import annotations

import argparse
import shutil
import sys
import threading
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Self, TextIO

from pincite.cli.common import STORE_NAME, add_common, place_of, print_json, settings_of, store_at
from pincite.errors import SettingsError, UsageError
from pincite.printing import counted, listed_names, printed_name
from pincite.records.plain import to_plain
from pincite.records.sources import IndexReport, SourceReport
from pincite.settings import REDACTED
from pincite.store_files import is_store

if TYPE_CHECKING:
    from pincite.engine.engine import Engine, IndexPlan, Progress, Trial
    from pincite.settings import Settings

    ProgressListener = Callable[[Progress], None]

LONGEST = 160
"""Characters: two lines of a usual terminal."""
LEAST = 60
"""Of a reason or warning this much is shown, however long the name before it is."""
ALONE = 3
"""So many sources that are refused for the same reason have a line each; more share one."""


def lines_of(documents: Sequence[SourceReport]) -> Iterator[str]:
    """The lines for the sources that need a word, in their order."""
    refused: dict[str, list[SourceReport]] = defaultdict(list)
    for document in documents:
        if document.status == "refused":
            refused[document.reason or ""].append(document)
    for document in documents:
        alike = refused[document.reason or ""] if document.status == "refused" else []
        if len(alike) > ALONE:
            if document is alike[0]:
                yield _line_of_alike(alike)
        elif (line := line_of(document)) is not None:
            yield line


def line_of(document: SourceReport) -> str | None:
    """The line for a source that needs a word; None for those that went well or did not change."""
    name = printed_name(document.source)
    if document.status == "refused":
        return _bounded(f"refused   {name}: ", [document.reason or "cannot be read"])
    if document.status == "vanished":
        return f"vanished  {name}: still in the store; --prune takes it out"
    if document.status == "removed":
        return f"removed   {name}"
    if document.status == "warned":
        return _bounded(f"warning   {name}: ", document.warnings)
    return None


def _line_of_alike(refused: Sequence[SourceReport]) -> str:
    """One line for all that were refused for one reason, with the names of the first."""
    first = ", ".join(printed_name(document.source) for document in refused[:ALONE])
    reason = refused[0].reason or "cannot be read"
    return f"refused   {len(refused)} files: {reason} ({first}, ...; pincite status lists them)"


def advice_on(documents: Sequence[SourceReport]) -> Iterator[str]:
    """What can be read, where a file was refused because it is of another kind."""
    from pincite.engine.engine import NO_READER, readable_suffixes

    if any((document.reason or "").startswith(NO_READER) for document in documents):
        yield f"can be read: {readable_suffixes()}"


def _bounded(start: str, remarks: Sequence[str]) -> str:
    """As many of these remarks as there is room for; the others are counted, the first is cut where it must be."""
    room = max(LONGEST - len(start), LEAST)
    for count in range(len(remarks), 0, -1):
        shown = "; ".join(remarks[:count]) + _rest(len(remarks) - count)
        if len(shown) <= room:
            return start + shown
    rest = _rest(len(remarks) - 1)
    return f"{start}{remarks[0][: room - len(rest) - 1].rstrip()}…{rest}"


def _rest(count: int) -> str:
    return f"; {count} more (--json)" if count else ""


def planned(arguments: argparse.Namespace, settings: Settings, store: Path, exclude: Sequence[str]) -> IndexPlan:
    """The plan; what is read for it goes into stores that are thrown away, as is one that stands in for a new one."""
    from pincite.engine.engine import Trials
    from pincite.wiring import open_engine

    with TemporaryDirectory() as name, ExitStack() as opened:
        folder = Path(name)
        is_new = not is_store(store)
        here = replace(settings, record_url="")
        engine = opened.enter_context(
            open_engine(here if is_new else settings, folder / "new" if is_new else store, create=is_new)
        )
        bare = replace(here, embedder="none", extractor="none", ocr="never")
        reading = opened.enter_context(open_engine(bare, folder / "read" / "store", create=True))
        indexing = opened.enter_context(open_engine(here, folder / "indexed" / "store", create=True))
        return engine.plan(
            arguments.paths,
            mode=arguments.mode,
            manifest=arguments.source_manifest,
            name=arguments.name,
            exclude=exclude,
            trials=Trials(
                partial(_tried, reading, folder / "read" / "sample"),
                partial(_tried, indexing, folder / "indexed" / "sample"),
            ),
        )


def print_plan(arguments: argparse.Namespace, plan: IndexPlan) -> None:
    """A line for each source, and one for all of them."""
    if arguments.json:
        print_json(to_plain(plan))
        return
    for item in plan.documents:
        if not arguments.quiet:
            print(f"{item.status:9} {printed_name(item.source)}{f': {item.reason}' if item.reason else ''}")
    counts = Counter(item.status for item in plan.documents)
    size = sum(item.size for item in plan.documents if item.status in ("new", "changed"))
    cost = f"about {plan.seconds:.0f} s and {plan.disk_bytes / 1e6:.0f} MB of disk"
    print(
        f"{', '.join(f'{count} {name}' for name, count in counts.items()) or 'no documents'}; to read: "
        f"{size / 1e6:.1f} MB, {cost}; nothing was stored"
    )


def _tried(engine: Engine, folder: Path, paths: Sequence[Path]) -> Trial:
    """Index copies of these files; those that were copied by an earlier call have not changed."""
    from pincite.engine.engine import Trial

    folder.mkdir(exist_ok=True)
    names = {f"{number} {path.name}": path for number, path in enumerate(paths)}
    for name, path in names.items():
        shutil.copyfile(path, folder / name)
    started = time.monotonic()
    documents = engine.index([folder]).documents
    seconds = time.monotonic() - started
    chunks = {names[item.source]: item.chunks for item in documents if item.source in names}
    return Trial(seconds, chunks)


LOG_SECONDS = 30.0
LONGEST_NAME = 40


class ProgressBar:
    """A bar over the bytes of all sources, with the chunks stored so far and an estimate of the rest."""

    def __enter__(self) -> Self:
        from tqdm import tqdm

        self._bar = tqdm(unit="B", unit_scale=True, dynamic_ncols=True, leave=False, desc="reading")
        return self

    def __exit__(self, *_: object) -> None:
        """Take the bar off the terminal."""
        self._bar.close()

    def __call__(self, progress: Progress) -> None:
        """Draw how far it is."""
        self._bar.total = progress.total_bytes or None
        self._bar.n = progress.done_bytes
        self._bar.set_description(progress.stage, refresh=False)
        name = printed_name(progress.detail)[-LONGEST_NAME:]
        self._bar.set_postfix_str(f"{progress.chunks} chunks {name}", refresh=False)
        self._bar.refresh()


class ProgressLog:
    """A line every half minute, also while one large file is being read; none for a run that is shorter."""

    def __init__(self, stream: TextIO | None = None, *, seconds: float = LOG_SECONDS) -> None:
        self._stream = stream or sys.stderr
        self._seconds = seconds
        self._latest: Progress | None = None
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._print_lines, daemon=True)

    def __enter__(self) -> Self:
        self._started = time.monotonic()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """No line after this."""
        self._ended.set()
        self._thread.join()

    def __call__(self, progress: Progress) -> None:
        """Remember how far it is."""
        self._latest = progress

    def _print_lines(self) -> None:
        while not self._ended.wait(self._seconds):
            print(self._line(time.monotonic() - self._started), file=self._stream, flush=True)

    def _line(self, seconds: float) -> str:
        after = f"pincite: after {seconds:.0f} s"
        progress = self._latest
        if progress is None:
            return f"{after}: starting"
        done, total = progress.done_bytes / 1e6, progress.total_bytes / 1e6
        last = f", {printed_name(progress.detail)[-LONGEST_NAME:]}" if progress.detail else ""
        return f"{after}: {progress.stage}, {done:.1f} of {total:.1f} MB done, {progress.chunks} chunks{last}"


_EPILOG = """\
examples:
  pincite index reports/                       makes the store reports/.pincite
  pincite index reports/ --store /var/pincite  puts the store elsewhere
  pincite index reports/2024/                  part of a folder that is already indexed
  pincite index reports/ --prune               also removes sources whose files are gone
  pincite index reports/ --exclude "draft*"    leaves these out, like a .pinciteignore
  pincite index --source-manifest list.json    sources with tags, dates and access, from a list
  pincite index s3://bucket/reports            objects below reports/ (needs the extra s3)

Unchanged files are not read again. Ctrl-C leaves a working store; the same command continues. If another process is
creating the same store, index waits for it; an existing store takes one writer at a time."""
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
        _warn_of_closed(report.kept_closed)
    if others:
        _warn_of_less_masked(others)
    return 1 if any(document.status == "refused" for document in report.documents) else 0


def _warn_of_less_masked(others: Sequence[str]) -> None:
    """Name documents that today's masking has not reached."""
    told = f"{counted(len(others), 'documents')} in the store may be masked less ({listed_names(others)})"
    print(f"pincite: {told}: index them too, or take them out with pincite remove", file=sys.stderr)


def shown_progress(arguments: argparse.Namespace) -> AbstractContextManager[ProgressListener]:
    """What tells a person how far it is."""
    if arguments.quiet or arguments.json:
        return nullcontext(lambda _: None)
    return ProgressBar() if sys.stderr.isatty() else ProgressLog()


def listener_of(shown: ProgressListener, *, debug: bool) -> ProgressListener:
    """Tells how far it is, and of another process that is waited for; with --debug it also prints where it failed on a
    document that was given up."""
    from pincite.engine.engine import WAITING

    def listen(progress: Progress) -> None:
        if progress.stage == WAITING:
            waiting = f"{progress.detail} is creating this store; waiting for it to finish (Ctrl-C to stop)"
            print(f"pincite: {waiting}", file=sys.stderr, flush=True)
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


def _warn_of_closed(names: Sequence[str]) -> None:
    """Name documents that an earlier run closed, and say how they are opened."""
    stay = "stays" if len(names) == 1 else "stay"
    advice = 'pincite access open SOURCE opens one, as does "acl": [] in its entry of a manifest'
    print(f"pincite: {listed_names(names)} {stay} closed, as was said earlier: {advice}", file=sys.stderr)


def _summary(report: IndexReport, store: Path) -> str:
    counts = [f"{count} {name}" for name, count in report.counts.items() if name not in ("pages", "chunks")]
    pages, chunks = (counted(report.counts.get(name, 0), name) for name in ("pages", "chunks"))
    return f"{', '.join(counts) or 'no documents'}; {pages}, {chunks} in {report.seconds:.1f} s; store: {store}"
