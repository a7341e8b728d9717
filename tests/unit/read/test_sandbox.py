"""The sandbox: a file that hangs, swells, crashes or lies is refused in one line, and the rest goes on."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.made_pdfs import paragraph, write_pdf

from pincite.errors import ReadError
from pincite.read import transport
from pincite.read.sandbox import ReadJob, ReadOutcome, Sandbox
from pincite.records.pages import Block, Document, Page, Span

MIB = 1024 * 1024

STAND_INS = """
import os, socket, time
from pathlib import Path
from pincite.errors import ReadError
from pincite.read import process_limits, registry
from pincite.records.pages import Document, Page

def read(path, options):
    word, _, rest = path.read_text().partition(" ")
    return getattr(Odd(), word)(rest)

class Odd:
    def say(self, rest):
        print("noise on standard output")
        return Document((Page(1, rest),))
    def pid(self, rest):
        return Document((Page(1, str(os.getpid())),))
    def hang(self, rest):
        while True:
            time.sleep(0.1)
    def spin(self, rest):
        while True:
            pass
    def swell(self, rest):
        held = []
        while True:
            held.append(bytearray(10_000_000))
    def leap(self, rest):
        bytearray(100_000_000_000)
    def crash(self, rest):
        os.abort()
    def leave(self, rest):
        os._exit(3)
    def fail(self, rest):
        raise ValueError("two\\nlines")
    def refuse(self, rest):
        raise ReadError("is not liked")
    def dive(self, rest):
        self.dive(rest)
    def slowly(self, rest):
        for _ in range(9):
            time.sleep(0.3)
            process_limits.beat()
        return Document((Page(1, "done"),))
    def seldom(self, rest):
        for turn in range(8):
            end = time.process_time() + 0.1
            while time.process_time() < end:
                pass
            time.sleep(0.4)
        return Document((Page(1, "done"),))
    def call(self, rest):
        try:
            socket.socket(socket.AF_INET, socket.SOCK_STREAM)
            return Document((Page(1, "a socket"),))
        except PermissionError:
            return Document((Page(1, "no socket"),))
    def write(self, rest):
        try:
            Path(rest).write_text("harm")
        except PermissionError:
            return Document((Page(1, "no writing"),))
        return Document((Page(1, "written"),))
    def run(self, rest):
        try:
            os.execv("/bin/true", ["true"])
        except PermissionError:
            return Document((Page(1, "no program"),))
    def secrets(self, rest):
        return Document((Page(1, str(sorted(os.environ))),))

registry.READERS += (registry.FileKind("odd", "sitecustomize:read", "1", (), frozenset({".odd"})),)
"""


@pytest.fixture(scope="module")
def stand_ins(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A folder on the path of the workers in which `sitecustomize` puts a reader that does what its file says."""
    folder = tmp_path_factory.mktemp("stand-ins")
    (folder / "sitecustomize.py").write_text(STAND_INS)
    sys.path.insert(0, str(folder))
    yield
    sys.path.remove(str(folder))


@pytest.fixture(scope="module")
def sandbox(stand_ins: None) -> Iterator[Sandbox]:
    with Sandbox(workers=1, seconds_per_file=60.0, memory_bytes=300 * MIB) as box:
        yield box


@pytest.fixture(scope="module")
def hasty_sandbox(stand_ins: None) -> Iterator[Sandbox]:
    with Sandbox(workers=1, seconds_per_file=2.0, memory_bytes=300 * MIB) as box:
        yield box


def read(sandbox: Sandbox, folder: Path, *contents: str) -> list[ReadOutcome]:
    jobs = []
    for number, content in enumerate(contents):
        path = folder / f"{number}.odd"
        path.write_text(content)
        jobs.append(ReadJob(path))
    found = {outcome.job.path: outcome for outcome in sandbox.read_all(jobs)}
    return [found[job.path] for job in jobs]


def said(outcome: ReadOutcome) -> str:
    assert outcome.document is not None, outcome.reason
    return outcome.document.pages[0].text


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("swell", "needs more than 300 MiB of memory to read"),
        ("leap", "needs more memory than a file may have"),
        ("crash", "crashed its reader (SIGABRT)"),
        ("leave", "crashed its reader (exit 3)"),
        ("fail", "cannot be read: ValueError: two lines"),
        ("refuse", "is not liked"),
        ("dive", "is nested too deeply"),
    ],
)
def test_a_bad_file_is_refused_with_its_reason_and_the_rest_goes_on(
    sandbox: Sandbox, tmp_path: Path, content: str, reason: str
) -> None:
    before, bad, after = read(sandbox, tmp_path, "say one", content, "say two")
    assert (said(before), said(after)) == ("one", "two")
    assert (bad.document, bad.reason) == (None, reason)


@pytest.mark.parametrize("content", ["hang", "spin"])
def test_a_file_that_takes_too_long_is_refused_and_the_rest_goes_on(
    hasty_sandbox: Sandbox, tmp_path: Path, content: str
) -> None:
    bad, after = read(hasty_sandbox, tmp_path, content, "say two")
    assert (bad.document, bad.reason, said(after)) == (None, "takes longer than 2 s to read", "two")


def test_a_machine_with_much_other_work_loses_no_file(hasty_sandbox: Sandbox, tmp_path: Path) -> None:
    assert said(*read(hasty_sandbox, tmp_path, "seldom")) == "done"


def test_honest_slow_work_gives_signs_of_life_and_is_waited_for(hasty_sandbox: Sandbox, tmp_path: Path) -> None:
    assert said(*read(hasty_sandbox, tmp_path, "slowly")) == "done"


def test_a_worker_is_kept_and_replaced_after_a_failure(sandbox: Sandbox, tmp_path: Path) -> None:
    one, two, _, three = read(sandbox, tmp_path, "pid", "pid", "crash", "pid")
    assert said(one) == said(two) != said(three)


@pytest.mark.promise
@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's filter is Linux's own")
def test_a_worker_cannot_reach_the_network_write_files_run_programs_or_see_secrets(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("API_KEY", "secret")
    victim = tmp_path / "victim.txt"
    contents = ["call", f"write {victim}", "run", "secrets"]
    call, write, run, secrets = (said(outcome) for outcome in read(sandbox, tmp_path, *contents))
    assert (call, write, run) == ("no socket", "no writing", "no program")
    assert not victim.exists()
    assert "API_KEY" not in secrets


@pytest.mark.promise
def test_files_are_read_side_by_side_and_each_has_one_outcome(tmp_path: Path) -> None:
    paths = [write_pdf(tmp_path / f"{n}.pdf", [lambda s, n=n: s.lines(40, 60, paragraph(n, 5))]) for n in range(7)]
    missing = tmp_path / "missing.pdf"
    with Sandbox(workers=2, seconds_per_file=20, memory_bytes=500 * MIB) as box:
        outcomes = list(box.read_all(ReadJob(path) for path in [*paths, missing]))
    assert {outcome.job.path for outcome in outcomes} == {*paths, missing}
    assert [o.reason for o in outcomes if o.document is None] == ["cannot be opened: No such file or directory"]


def test_a_slow_caller_does_not_make_documents_pile_up(stand_ins: None, tmp_path: Path) -> None:
    asked: list[int] = []

    def jobs() -> Iterator[ReadJob]:
        for number in range(20):
            asked.append(number)
            path = tmp_path / f"{number}.odd"
            path.write_text(f"say {number}")
            yield ReadJob(path)

    with Sandbox(workers=1, seconds_per_file=5, memory_bytes=300 * MIB) as box:
        outcomes = box.read_all(jobs())
        next(outcomes)
        time.sleep(0.3)
        assert len(asked) <= 3
        outcomes.close()


def test_workers_end_with_their_parent(stand_ins: None, tmp_path: Path) -> None:
    (tmp_path / "a.odd").write_text("hang")
    script = (
        "import sys\nfrom pathlib import Path\nfrom pincite.read.sandbox import *\n"
        "box = Sandbox(workers=1, seconds_per_file=60, memory_bytes=10**9)\n"
        f"jobs = box.read_all([ReadJob(Path({str(tmp_path / 'a.odd')!r}))])\n"
        "import threading; threading.Thread(target=lambda: next(jobs), daemon=True).start()\n"
        "import time\n"
        "while not (box._workers[0]._process): time.sleep(0.01)\n"
        "time.sleep(0.5); print(box._workers[0]._process.pid, flush=True); import os; os._exit(0)\n"
    )
    path = os.pathsep.join(place for place in sys.path if place)
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, env={"PYTHONPATH": path}, check=True)
    child = int(done.stdout)
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline and _lives(child):
        time.sleep(0.05)
    assert not _lives(child)


def _lives(process_id: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{process_id}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False


class Harm:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, ("echo harm",)


@pytest.mark.parametrize("value", [Harm(), "a string", Path("x"), Document((Page(1, "a", (Harm(),)),), "r")])
def test_what_a_worker_sends_is_records_of_a_document_or_nothing(value: object) -> None:
    with pytest.raises(ReadError, match="sent something that is not a document"):
        transport.unpack_document(pickle.dumps(value, protocol=5))


def test_a_document_whose_spans_lie_outside_its_text_is_not_taken() -> None:
    document = Document((Page(1, "abc", (Block("paragraph", Span(1, 0, 99)),)),), "r")
    with pytest.raises(ReadError, match="not a document"):
        transport.unpack_document(transport.pack_document(document))


def test_a_document_comes_over_as_it_was() -> None:
    document = Document((Page(1, "abc", (Block("paragraph", Span(1, 0, 3)),), label="i"),), "r", metadata={"a": "b"})
    assert transport.unpack_document(transport.pack_document(document)) == document


def test_all_that_lies_inside_a_file_has_a_time_together(stand_ins: None, tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(12):
            archive.writestr(f"{number}.odd", "hang ")
        archive.writestr("12.odd", "say it")
    (tmp_path / "beside.odd").write_text("say it")
    jobs = [*(ReadJob(path, inside=(f"{number}.odd",)) for number in range(13)), ReadJob(tmp_path / "beside.odd")]
    with Sandbox(workers=1, seconds_per_file=0.2, memory_bytes=300 * MIB) as box:
        *inside, beside = box.read_all(jobs)
    assert inside[0].reason == "takes longer than 0.2 s to read"
    assert inside[-1].reason == "the files inside take longer than 2 s together to read: unpack them"
    assert said(beside) == "it"
