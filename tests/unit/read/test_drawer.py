"""Pages are drawn in a child process: what a file does to it is told in one line, and the next page is drawn."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pikepdf
import pytest
from tests.support.made_pdfs import change, paragraph, write_pdf
from tests.support.promises import store_of
from tests.unit.read.test_worker_ends import is_running

from pincite import wiring
from pincite.errors import ClosedError, ReadError
from pincite.read.drawing import MOST_ASKED, Drawing
from pincite.read.nested_files import opened
from pincite.read.sandbox import Drawer
from pincite.read.transport import unpack_boxes, unpack_picture
from pincite.records.pages import Box, Span

GB = 10**9
PASSWORD = "open sesame"


@pytest.fixture(scope="module")
def letter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("drawn") / "letter.pdf"
    return write_pdf(path, [lambda s, n=n: s.lines(40, 60, paragraph(n, 5)) for n in range(3)])


@pytest.fixture(scope="module")
def drawer() -> Iterator[Drawer]:
    drawer = Drawer(memory_bytes=GB)
    yield drawer
    drawer.close()


def is_gone(process_id: int) -> bool:
    deadline = time.monotonic() + 30
    while is_running(process_id) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not is_running(process_id)


def children() -> set[int]:
    """The drawing processes that this one has."""
    if sys.platform != "linux":
        pytest.skip("only Linux lists processes as files")
    found = set()
    for state in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(state.read_text().rsplit(")", 1)[1].split()[1])
            command = state.with_name("cmdline").read_bytes()
        except OSError:
            continue
        if parent == os.getpid() and b"pincite.read.drawing" in command:
            found.add(int(state.parent.name))
    return found


def child_of(start: Callable[[], object]) -> int:
    """The process that `start` leaves behind."""
    before = children()
    start()
    (child,) = children() - before
    return child


def test_a_page_is_drawn_and_its_words_are_found_as_in_this_process(drawer: Drawer, letter: Path) -> None:
    spans = [Span(2, 0, 20), Span(2, 30, 90)]
    found = drawer.boxes(letter, spans)
    assert found == Drawing().boxes(letter, spans)
    marks, hidden = found[0], found[1]
    assert marks
    assert drawer.picture(letter, 2, marks, hidden) == Drawing().picture(letter, 2, marks, hidden)


def test_a_page_looks_the_same_whatever_was_drawn_of_its_file_before(letter: Path) -> None:
    drawing, spans = Drawing(), {number: [Span(number, 0, 20)] for number in (1, 2, 3)}
    anew = {number: Drawing().picture(letter, number, Drawing().boxes(letter, spans[number])[0]) for number in spans}
    for number in [3, 1, 2, 2] * MOST_ASKED:
        assert drawing.picture(letter, number, drawing.boxes(letter, spans[number])[0]) == anew[number]


def test_a_file_that_was_changed_is_drawn_as_it_is_now(letter: Path, tmp_path: Path) -> None:
    drawing, path = Drawing(), tmp_path / "changing.pdf"
    path.write_bytes(letter.read_bytes())
    before = drawing.picture(path, 1, [])
    write_pdf(path, [lambda s: s.lines(40, 60, paragraph(7, 5))])
    assert drawing.picture(path, 1, []) == Drawing().picture(path, 1, []) != before
    with pytest.raises(ReadError):
        drawing.picture(path, 2, [])
    assert drawing.picture(letter, 2, []) == Drawing().picture(letter, 2, [])


def test_a_page_of_a_file_inside_another_is_drawn(drawer: Drawer, letter: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.write(letter, "letter.pdf")
    with opened(tmp_path / "a.zip", ("letter.pdf",)) as (member, _):
        assert drawer.picture(member, 1, []) == Drawing().picture(letter, 1, [])


def test_an_encrypted_file_is_drawn_and_its_password_stands_in_no_command_line(letter: Path, tmp_path: Path) -> None:
    closed = tmp_path / "closed.pdf"
    closed.write_bytes(letter.read_bytes())
    change(closed, lambda pdf: None, encryption=pikepdf.Encryption(owner=PASSWORD, user=PASSWORD))
    drawer = Drawer(memory_bytes=GB, passwords=(PASSWORD,))
    try:
        child = child_of(lambda: drawer.picture(closed, 1, []))
        assert drawer.boxes(closed, [Span(1, 0, 20)]) == Drawing().boxes(letter, [Span(1, 0, 20)])
        assert PASSWORD.encode() not in Path(f"/proc/{child}/cmdline").read_bytes()
    finally:
        drawer.close()


def test_what_a_file_lacks_is_refused_and_the_process_is_kept(drawer: Drawer, letter: Path, tmp_path: Path) -> None:
    drawer.picture(letter, 1, [])
    before = children()
    (tmp_path / "a.txt").write_text("The keeper rakes.")
    with pytest.raises(ReadError, match="cannot be drawn: only pages of PDF files and scans can"):
        drawer.picture(tmp_path / "a.txt", 1, [])
    with pytest.raises(ReadError, match="page 9 cannot be loaded"):
        drawer.picture(letter, 9, [])
    assert drawer.picture(letter, 1, []).startswith(b"\x89PNG")
    assert children() == before


def test_after_its_process_was_killed_the_next_page_is_drawn(letter: Path) -> None:
    drawer = Drawer(memory_bytes=GB)
    try:
        child = child_of(lambda: drawer.picture(letter, 1, []))
        os.kill(child, 9)
        assert is_gone(child)
        assert drawer.picture(letter, 2, []) == Drawing().picture(letter, 2, [])
    finally:
        drawer.close()


def test_a_page_whose_process_is_killed_is_refused_and_the_next_is_drawn(letter: Path, tmp_path: Path) -> None:
    slow = endless(tmp_path)
    drawer = Drawer(memory_bytes=GB)
    try:
        child = child_of(lambda: drawer.picture(letter, 1, []))
        with ThreadPoolExecutor(1) as threads:
            drawing = threads.submit(drawer.picture, slow, 1, [])
            time.sleep(0.5)
            os.kill(child, 9)
            with pytest.raises(ReadError, match=r"^crashed the process that draws \(SIGKILL\)$"):
                drawing.result(timeout=30)
        assert drawer.picture(letter, 2, []) == Drawing().picture(letter, 2, [])
    finally:
        drawer.close()


def test_the_process_is_replaced_after_some_requests(letter: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.read.sandbox.REQUESTS_PER_CHILD", 2)
    drawer = Drawer(memory_bytes=GB)
    try:
        first = child_of(lambda: drawer.picture(letter, 1, []))
        drawer.picture(letter, 2, [])
        assert first in children()
        assert child_of(lambda: drawer.picture(letter, 3, [])) != first
        assert is_gone(first)
    finally:
        drawer.close()


def endless(folder: Path) -> Path:
    """A page of a kind that takes minutes: shapes that shine through, each as large as the page."""
    path = write_pdf(folder / "endless.pdf", [lambda s: s.lines(40, 60, paragraph(1, 2))])

    def overdraw(pdf: pikepdf.Pdf) -> None:
        pdf.pages[0].Resources.ExtGState = pikepdf.Dictionary(G=pikepdf.Dictionary(ca=0.5, BM=pikepdf.Name.Luminosity))
        pdf.pages[0].Contents = pdf.make_stream(b"/G gs " + b"0 0 m 600 0 600 800 0 800 c f\n" * 100_000)

    return change(path, overdraw)


def test_a_page_that_takes_too_long_is_refused_and_the_next_is_drawn(letter: Path, tmp_path: Path) -> None:
    slow = endless(tmp_path)
    drawer = Drawer(memory_bytes=GB, seconds=3.0)
    try:
        with pytest.raises(ReadError, match="takes longer than 3 s to draw"):
            drawer.picture(slow, 1, [])
        assert drawer.picture(letter, 1, []) == Drawing().picture(letter, 1, [])
    finally:
        drawer.close()


def huge(folder: Path) -> Path:
    """A page whose description unpacks to 400 MB."""
    path = write_pdf(folder / "huge.pdf", [lambda s: s.lines(40, 60, paragraph(1, 2))])

    def enlarge(pdf: pikepdf.Pdf) -> None:
        packed = zlib.compress(b" " * 400_000_000, 1)
        pdf.pages[0].Contents = pikepdf.Stream(pdf, packed, Filter=pikepdf.Name.FlateDecode)

    return change(path, enlarge)


def test_a_page_that_needs_too_much_memory_is_refused_and_the_next_is_drawn(letter: Path, tmp_path: Path) -> None:
    swelling = huge(tmp_path)
    drawer = Drawer(memory_bytes=300 * 2**20)
    try:
        with pytest.raises(ReadError, match="needs more than 300 MiB of memory to draw"):
            drawer.picture(swelling, 1, [])
        assert drawer.picture(letter, 1, []) == Drawing().picture(letter, 1, [])
    finally:
        drawer.close()


def test_several_threads_are_served_one_after_the_other(drawer: Drawer, letter: Path) -> None:
    with ThreadPoolExecutor(4) as threads:
        drawn = list(threads.map(lambda number: drawer.picture(letter, number, []), [1, 2, 3] * 4))
    assert drawn == [Drawing().picture(letter, number, []) for number in [1, 2, 3]] * 4


def test_a_closed_drawer_has_no_process_and_draws_nothing(letter: Path, tmp_path: Path) -> None:
    drawer = Drawer(memory_bytes=GB)
    child = child_of(lambda: drawer.picture(letter, 1, []))
    with ThreadPoolExecutor(1) as threads:
        drawing = threads.submit(drawer.picture, endless(tmp_path), 1, [])
        time.sleep(0.5)
        drawer.close()
        with pytest.raises(ReadError, match="given up"):
            drawing.result(timeout=10)
    assert is_gone(child)
    with pytest.raises(ClosedError):
        drawer.picture(letter, 1, [])


def test_an_engine_names_page_and_file_that_cannot_be_drawn_and_leaves_no_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wiring, "Drawer", Drawer)
    folder = tmp_path / "letters"
    folder.mkdir()
    write_pdf(folder / "letter.pdf", [lambda s: s.lines(40, 60, paragraph(1, 5))])
    with store_of(folder) as engine:
        child = child_of(lambda: engine.session().files.picture("letter.pdf", 1, [Span(1, 0, 20)]))
        with pytest.raises(ReadError, match=r"^page 9 of letter\.pdf: page 9 cannot be loaded$"):
            engine.session().files.picture("letter.pdf", 9)
    assert is_gone(child)


PARENT = """
import os, sys
from pathlib import Path
from pincite.read.sandbox import Drawer
drawer = Drawer(memory_bytes=10**9)
drawer.picture(Path(sys.argv[1]), 1, [])
print(drawer._child._process.pid, flush=True)
sys.stdin.read()
"""


def test_after_kill_9_of_its_parent_no_drawing_process_lives_on(letter: Path) -> None:
    command = [sys.executable, "-c", PARENT, str(letter)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        parent.kill()
    assert is_gone(child)


@pytest.mark.parametrize("data", [b"", b"{}", b"[[[1, 2, 3]]]", b"[[]]", b'[[["a", 1, 1, 1]], []]', b"[" * 100_000])
def test_what_the_process_sends_is_boxes_or_nothing(data: bytes) -> None:
    with pytest.raises(ReadError, match="not the boxes of words"):
        unpack_boxes(data, 2)


def test_what_the_process_sends_is_a_picture_or_nothing() -> None:
    with pytest.raises(ReadError, match="not a picture"):
        unpack_picture(b"<svg>")


def test_boxes_come_over_as_they_were(drawer: Drawer, letter: Path) -> None:
    ((box, *_),) = drawer.boxes(letter, [Span(1, 0, 20)])
    assert isinstance(box, Box)
    assert drawer.boxes(letter, []) == []
