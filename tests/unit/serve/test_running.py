"""What the service sees to before it runs."""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

import pytest

MANY_THREADS = """
import ctypes, sys
from threading import Barrier, Thread
from pincite.serve.running import limit_arenas

limit_arenas()
libc, together = ctypes.CDLL(None), Barrier(8)
libc.fopen.restype = libc.malloc.restype = ctypes.c_void_p

def allocate():
    together.wait()
    for _ in range(1000):
        libc.malloc(1000)
    together.wait()

threads = [Thread(target=allocate) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
file = ctypes.c_void_p(libc.fopen(sys.argv[1].encode(), b"w"))
libc.malloc_info(0, file)
libc.fclose(file)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library has no arenas")
def test_memory_that_is_free_lies_in_few_places_however_many_threads_there_were(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", MANY_THREADS, tmp_path / "told"], check=True)
    assert (tmp_path / "told").read_text(encoding="utf-8").count("<heap nr=") == 2
