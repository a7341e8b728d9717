"""Measure reading against an earlier commit: python -m bench.pace DATA STORES OUT.json

Each PDF below DATA/pdf is read by this code and by that of the commit EARLIER, in turn, ROUNDS times, by a process of
each that has read before: the ratio of the sums of median seconds, and the most memory that reading took, in MB. STORES
is not used.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.figures import write_figures

HERE = Path(__file__).resolve().parent.parent
EARLIER = "ba47beb"
"""Before struck, hidden and raised text were read."""
ROUNDS = 3
READER = """
import resource, sys, time
from pathlib import Path
from pincite.ports import ReadOptions
from pincite.read.sandbox import ReadJob, Sandbox
with Sandbox(workers=1, seconds_per_file=600, memory_bytes=2_000_000_000) as sandbox:
    for line in sys.stdin:
        job = ReadJob(Path(line.rstrip("\\n")), ReadOptions(ocr="never"))
        started = time.perf_counter()
        assert all(outcome.document for outcome in sandbox.read_all([job]))
        print(time.perf_counter() - started, flush=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1000)
"""


class Reader:
    """The code below a folder, which reads files in a process of its own."""

    def __init__(self, source: Path) -> None:
        command = ["env", f"PYTHONPATH={source}", "OMP_NUM_THREADS=1", sys.executable, "-c", READER]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def seconds(self, path: Path) -> float:
        """How long one file takes."""
        given, told = self._process.stdin, self._process.stdout
        if given is None or told is None:
            sys.exit("no reader could be started")
        print(path, file=given, flush=True)
        return float(told.readline())

    def end(self) -> float:
        """Let it go; how many MB it needed at most."""
        return float(self._process.communicate()[0])


def code_of(commit: str, folder: Path) -> Path:
    """The source of that commit, unpacked into a folder."""
    packed = subprocess.run(["git", "-C", HERE, "archive", commit, "src"], stdout=subprocess.PIPE, check=True).stdout
    subprocess.run(["tar", "-x", "-C", folder], input=packed, check=True)
    return folder / "src"


def measure(files: list[Path], earlier: Path) -> dict[str, float]:
    """Seconds for all files, by this code and by the earlier."""
    readers = {"now": Reader(HERE / "src"), "earlier": Reader(earlier)}
    taken: dict[str, dict[Path, list[float]]] = {name: {path: [] for path in files} for name in readers}
    for reader in readers.values():
        reader.seconds(files[0])
    for turn in range(ROUNDS):
        for path in files:
            for name in sorted(readers, reverse=turn % 2 == 1):
                taken[name][path].append(readers[name].seconds(path))
    memory = {name: reader.end() for name, reader in readers.items()}
    now, before = (sum(map(statistics.median, taken[name].values())) for name in ("now", "earlier"))
    times = {"pace_seconds": now, "pace_seconds_earlier": before, "pace_times": now / before}
    return times | {"pace_mb": memory["now"], "pace_mb_earlier": memory["earlier"]}


def main(data: Path, _: Path, out: Path) -> None:
    """Measure and write one JSON file in the shape of the evaluation commands."""
    files = sorted(data.glob("pdf/*/*.pdf"))
    with tempfile.TemporaryDirectory() as folder:
        results = measure(files, code_of(EARLIER, Path(folder)))
    write_figures("pace", results, {"earlier": EARLIER}, {"files": len(files), "rounds": ROUNDS}, out)
    for name, value in results.items():
        print(f"{name:30} {value:.4g}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
