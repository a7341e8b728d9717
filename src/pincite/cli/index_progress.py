"""How far indexing is: a bar on a terminal, a line now and then in a log."""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self, TextIO

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
        from pincite.engine.engine import printed_name

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
        from pincite.engine.engine import printed_name

        after = f"pincite: after {seconds:.0f} s"
        progress = self._latest
        if progress is None:
            return f"{after}: starting"
        done, total = progress.done_bytes / 1e6, progress.total_bytes / 1e6
        last = f", {printed_name(progress.detail)[-LONGEST_NAME:]}" if progress.detail else ""
        return f"{after}: {progress.stage}, {done:.1f} of {total:.1f} MB done, {progress.chunks} chunks{last}"
