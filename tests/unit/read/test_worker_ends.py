"""A reading process ends with the one that started it, whenever and however that one ends."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

PARENT = """
import os, pickle, subprocess, sys
from pincite.ports import ReadOptions
from pincite.read import sandbox
from pincite.read.transport import HEADER

if sys.argv[3] == "another":
    start = subprocess.Popen
    code = "import sys; sys.platform = 'another'; from pincite.read import worker; worker.main()"
    subprocess.Popen = lambda command, **options: start([sys.executable, "-c", code], **options)
worker = sandbox.spawn("pincite.read.worker")
print(worker.pid, flush=True)
request = pickle.dumps(((os.fsencode(sys.argv[1]), (), ReadOptions()), 2 * 2**30, 600.0), protocol=5)
worker.stdin.write(HEADER.pack(b"J", len(request)) + request)
worker.stdin.flush()
if sys.argv[2] == "busy":
    worker.stdout.read(HEADER.size)
print("asked", flush=True)
sys.stdin.read()
"""


def is_running(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process_id}/stat")
    return not state.exists() or ") Z " not in state.read_text()


@pytest.mark.parametrize("system", [sys.platform, "another"])
@pytest.mark.parametrize("moment", ["starting", "busy"])
def test_after_kill_9_no_reading_process_lives_on(moment: str, system: str, tmp_path: Path) -> None:
    endless = tmp_path / "a.txt"
    os.mkfifo(endless)
    command = [sys.executable, "-c", PARENT, str(endless), moment, system]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        assert parent.stdout.readline() == "asked\n"
        parent.kill()
    deadline = time.monotonic() + 30
    while is_running(worker) and time.monotonic() < deadline:
        time.sleep(0.05)
    if is_running(worker):
        os.kill(worker, 9)
        pytest.fail("the reading process lives on")
