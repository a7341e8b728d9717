"""Where no terminal shows a bar, a line now and then says how far indexing is."""

from __future__ import annotations

import time
from io import StringIO

from pincite.cli.index import LOG_SECONDS, ProgressLog
from pincite.engine.engine import Progress


def lines_after(log: ProgressLog, stream: StringIO, count: int) -> list[str]:
    end = time.monotonic() + 20
    while stream.getvalue().count("\n") < count and time.monotonic() < end:
        time.sleep(0.01)
    return stream.getvalue().splitlines()


def test_a_log_gets_a_line_every_half_minute_even_while_one_file_is_read() -> None:
    stream = StringIO()
    with ProgressLog(stream, seconds=0.02) as log:
        assert lines_after(log, stream, 1)[0].endswith(": starting")
        log(Progress("reading", 1_500_000, 4_000_000, 12, "reports/a.pdf"))
        lines = lines_after(log, stream, 4)
    assert lines[-1].endswith(": reading, 1.5 of 4.0 MB done, 12 chunks, reports/a.pdf")
    assert LOG_SECONDS == 30


def test_a_short_run_leaves_no_line_and_an_ended_one_says_no_more() -> None:
    stream = StringIO()
    with ProgressLog(stream) as log:
        log(Progress("reading", 1, 2, 0))
    assert stream.getvalue() == ""
