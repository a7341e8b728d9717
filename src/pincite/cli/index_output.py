"""What `pincite index` prints: each source, how far it is, and with `--dry-run` what would be read and how long
that takes."""

from __future__ import annotations

import argparse
import shutil
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import TYPE_CHECKING, Self, TextIO

from pincite.cli.common import print_json
from pincite.printing import printed_name
from pincite.records.plain import to_plain
from pincite.records.sources import SourceReport
from pincite.store_files import is_store

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


if TYPE_CHECKING:
    from pincite.engine.engine import Engine, IndexPlan, Trial
    from pincite.settings import Settings


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


if TYPE_CHECKING:
    from pincite.engine.engine import Progress
LOG_SECONDS = 30.0
LONGEST_NAME = 40


class ProgressBar:
    """A bar over the bytes of all sources, with the chunks stored so far and an estimate of the rest."""

    def __enter__(self) -> Self:
        from tqdm import tqdm

        self._bar = tqdm(unit="B", unit_scale=True, dynamic_ncols=True, leave=False, desc="reading")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
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
        self._thread = threading.Thread(target=self._tell, daemon=True)

    def __enter__(self) -> Self:
        self._started = time.monotonic()
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """No line after this."""
        self._ended.set()
        self._thread.join()

    def __call__(self, progress: Progress) -> None:
        """Remember how far it is."""
        self._latest = progress

    def _tell(self) -> None:
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
