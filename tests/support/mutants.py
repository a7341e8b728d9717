"""Files of every format with their bytes changed at random, indexed by the command and added over HTTP.

Run as a program it measures for `make bench`: `python -m tests.support.mutants MUTANTS UPLOADS`
(bench/faults.py).
"""

from __future__ import annotations

import io
import json
import random
import subprocess
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from email.message import EmailMessage
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any

import httpx
from tests.support.damages import DAMAGES, PINCITE, gone
from tests.support.engines import passing_folder
from tests.support.made_pdfs import Sheet, write_pdf
from tests.support.made_scans import scan
from tests.support.office_files import (
    docx,
    epub,
    ods,
    odt,
    paragraph,
    pptx,
    shape,
    word_cell,
    word_table,
    xls,
    xlsx,
)
from tests.support.promises import SETTINGS
from tests.support.served import on_a_port

from pincite.engine.engine import Engine
from pincite.records.sources import SourceState
from pincite.serve.access import Access
from pincite.serve.access_tokens import Tokens
from pincite.serve.app import build_app
from pincite.serve.indexing import is_under_way
from pincite.wiring import open_engine

WHOLE = "whole.md"
RULE = "The keeper of the lighthouse paints the door green."
QUESTION = "Which colour does the keeper paint the door of the lighthouse?"
CHANGES = tuple(damage for damage in DAMAGES if damage is not gone)
LONGEST_RUN = 1_800
"""Seconds for a run of `pincite index` over all mutants of a format; by eye, far above what it takes."""
LONGEST_UPLOAD = 300.0
SENDERS = 6
FOUND_NOTHING_WRONG, SOMETHING_REFUSED = 0, 1


def _sheet(sheet: Sheet) -> None:
    sheet.text(40, 60, "1 Duties", 14, bold=True)
    sheet.lines(40, 90, [RULE, "The fee is 40 crowns a year, see section 2."])
    sheet.grid([40, 140, 240], [150, 170, 190])
    sheet.text(50, 165, "Fee")
    sheet.text(150, 165, "40")


def _book(book: Any) -> None:
    sheet = book.add_sheet("Fees")
    for row, (name, fee) in enumerate((("Berth", 40), ("Crane", 12), ("Slip", 7))):
        sheet.write(row, 0, name)
        sheet.write(row, 1, fee)


def _mail(path: Path) -> None:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "Ada Alder <ada@example.org>", "bo@example.org", "The door"
    mail["Date"] = "Fri, 03 May 2024 10:00:00 +0200"
    mail.set_content(f"{RULE}\n\nAda\n")
    mail.add_attachment(f"# Notes\n\n{RULE}\n".encode(), maintype="text", subtype="markdown", filename="notes.md")
    path.write_bytes(bytes(mail))


def _archive(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("rules/a.md", f"# A\n\n{RULE}\n")
        archive.writestr("rules/b.csv", "berth,fee\nnorth,40\nsouth,12\n")


def _text(path: Path) -> None:
    path.write_text(TEXTS[path.suffix.removeprefix(".")], encoding="utf-8")


ROWS = "".join(f'<row r="{n}"><c r="A{n}" t="inlineStr"><is><t>Berth {n}</t></is></c></row>' for n in range(1, 5))
TABLE = (
    '<table:table table:name="Fees"><table:table-row><table:table-cell office:value-type="string">'
    "<text:p>Berth</text:p></table:table-cell></table:table-row></table:table>"
)
TEXTS = {
    "md": f"# Duties\n\n{RULE}\n\n| berth | fee |\n|---|---|\n| north | 40 |\n\n- see [the plan](plan.md)\n",
    "html": f"<html><head><title>T</title></head><body><h1>Duties</h1><p>{RULE}</p>"
    "<table><tr><th>berth</th><td>40</td></tr></table><ul><li>one</li></ul></body></html>",
    "csv": "berth,fee,owner\n" + "".join(f'"pier {n}",{n * 4},"Alder, Ada"\n' for n in range(20)),
    "txt": f"DUTIES\n\n{RULE}\n\n1. The boat lies at the pier.\n2. The fee is 40 crowns.\n",
    "json": json.dumps({"duties": [RULE], "fees": {"north": 40, "south": [1, 2, {"deep": None}]}}),
    "rtf": r"{\rtf1\ansi{\fonttbl{\f0 Times;}}\f0\fs24 {\b Duties}\par " + RULE + r"\par\u9731? end\par}",
}
MAKERS: Mapping[str, Callable[[Path], object]] = {
    "pdf": lambda path: write_pdf(path, [_sheet, _sheet]),
    "docx": lambda path: docx(
        path, paragraph("Duties", style="Heading1") + paragraph(RULE) + word_table(word_cell("Fee") + word_cell("40"))
    ),
    "pptx": lambda path: pptx(path, shape("Duties", role="title") + shape(RULE), notes=shape("See section 2.")),
    "xlsx": lambda path: xlsx(path, {"Fees": f"<sheetData>{ROWS}</sheetData>"}),
    "xls": lambda path: xls(path, _book),
    "ods": lambda path: ods(path, TABLE),
    "odt": lambda path: odt(path, f'<text:h text:outline-level="1">Duties</text:h><text:p>{RULE}</text:p>'),
    "epub": lambda path: epub(path, f"<h1>Duties</h1><p>{RULE}</p>", "<p>The end.</p>"),
    "eml": _mail,
    "zip": _archive,
    "png": lambda path: scan(path, "The door\nis green"),
    "jpg": lambda path: scan(path, "The door\nis green"),
    "tif": lambda path: scan(path, "The door", "is green"),
    **dict.fromkeys(TEXTS, _text),
}


def mutant(content: bytes, chance: random.Random) -> bytes:
    """These bytes, changed once or more; those of a zip container on every other try inside one of its members, so that
    its reader comes to see them."""
    if chance.random() < 0.5:
        with suppress(zipfile.BadZipFile):
            return _changed_inside(content, chance)
    return _changed(content, chance)


def _changed(content: bytes, chance: random.Random) -> bytes:
    for _ in range(chance.choice((1, 1, 2, 5, 20))):
        content = chance.choice(CHANGES)(content, chance) or b"\0"
    return content


def _changed_inside(content: bytes, chance: random.Random) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as given, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as taken:
        names = given.namelist()
        meant = chance.choice(names)
        for name in names:
            inside = given.read(name)
            taken.writestr(name, _changed(inside or b"\0", chance) if name == meant else inside)
    return made.getvalue()


def mutants(folder: Path, suffix: str, chance: random.Random) -> Iterator[bytes]:
    """Changed files of a format, without end."""
    path = folder / f"made.{suffix}"
    MAKERS[suffix](path)
    content = path.read_bytes()
    path.unlink()
    while True:
        yield mutant(content, chance)


def indexed(count: int, formats: tuple[str, ...] = tuple(MAKERS), seed: int = 1) -> dict[str, int]:
    """How so many mutants of each format ended, together with one file that is whole: files `indexed` and `refused`;
    `bad_runs` that did not end with 0 or 1, or in time; `lost`: files of which nothing is known afterwards, stores that
    are not whole, or that do not answer from the whole file. Standard error names each."""
    found: Counter[str] = Counter()
    for suffix in formats:
        with passing_folder() as folder:
            docs = folder / "docs"
            docs.mkdir()
            (docs / WHOLE).write_text(f"# Lighthouse\n\n{RULE}\n", encoding="utf-8")
            made = mutants(folder, suffix, random.Random(f"{seed} {suffix}"))
            for number in range(count):
                (docs / f"mutant {number}.{suffix}").write_bytes(next(made))
            problem = _run_problem(docs)
            found["bad_runs"] += problem != ""
            if problem:
                sys.stderr.write(f"{suffix}: {problem}\n")
                continue
            found.update(_ended(docs, suffix))
    return dict(found)


def _run_problem(docs: Path) -> str:
    options = ["index", str(docs), "--embedder", "none", "--ocr", "never", "--quiet"]
    command = [sys.executable, "-c", PINCITE, *options]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST_RUN, check=False)
    except subprocess.TimeoutExpired:
        return f"did not end in {LONGEST_RUN} s"
    is_right = done.returncode in (FOUND_NOTHING_WRONG, SOMETHING_REFUSED) and "Traceback" not in done.stderr
    return "" if is_right else f"exit {done.returncode}: {done.stderr[-500:]}"


def _ended(docs: Path, suffix: str) -> Counter[str]:
    found: Counter[str] = Counter()
    with open_engine(SETTINGS, docs / ".pincite") as engine:
        known = {state.source.source_id: state for state in engine.session().documents.sources()}
        for path in docs.iterdir():
            if path.is_file():
                found[_status(known.get(path.name), f"{suffix}: {path.name}")] += 1
        problems = _problems(engine)
    for problem in problems:
        sys.stderr.write(f"{suffix}: {problem}\n")
    found["lost"] += len(problems)
    return found


def _problems(engine: Engine) -> list[str]:
    """What is wrong with a store that holds the whole file."""
    answer = engine.ask(QUESTION, receipt=False)
    said = [] if RULE in answer.summary else ["the whole file does not answer"]
    return [*engine.verify(), *said]


def _status(state: SourceState | None, name: str) -> str:
    if state is None:
        sys.stderr.write(f"{name}: nothing is known of it\n")
        return "lost"
    return "refused" if state.status == "refused" else "indexed"


def uploaded(count: int, seed: int = 1) -> dict[str, int]:
    """What became of so many mutants of all formats that several add at once over HTTP: `taken`, `turned_down` with a
    status that says why; `broken`: a status of 500, or no answer; `lost`: taken and not known afterwards, or a store
    that is not whole, or does not answer from the whole file. Standard error names each."""
    with passing_folder() as folder:
        (folder / WHOLE).write_text(f"# Lighthouse\n\n{RULE}\n", encoding="utf-8")
        sent = _uploads(folder, count, random.Random(seed))
        store = folder / ".pincite"
        with open_engine(SETTINGS, store, create=True) as engine:
            engine.index([folder / WHOLE])
            app = build_app(engine, SETTINGS, Access(Tokens(store), is_local=True))
            with on_a_port(app) as address, ThreadPoolExecutor(SENDERS) as senders:
                told = list(senders.map(partial(_send, address), sent))
                while is_under_way(httpx.get(f"{address}/api/indexing", timeout=LONGEST_UPLOAD).json()):
                    time.sleep(1.0)
            known = {state.source.source_id.rpartition("/")[2] for state in engine.session().documents.sources()}
            problems = _problems(engine)
    taken = [name for (name, _), status in zip(sent, told, strict=True) if status == HTTPStatus.ACCEPTED]
    lost = [*problems, *(f"{name} is not known" for name in taken if name not in known)]
    broken = [f"status {status}" for status in told if status in (0, HTTPStatus.INTERNAL_SERVER_ERROR)]
    for problem in (*lost, *broken):
        sys.stderr.write(f"uploads: {problem}\n")
    turned_down = count - len(taken) - len(broken)
    return {"taken": len(taken), "turned_down": turned_down, "broken": len(broken), "lost": len(lost)}


def _uploads(folder: Path, count: int, chance: random.Random) -> list[tuple[str, bytes]]:
    streams = {suffix: mutants(folder, suffix, chance) for suffix in MAKERS}
    chosen = (chance.choice(list(streams)) for _ in range(count))
    return [(f"mutant {number}.{suffix}", next(streams[suffix])) for number, suffix in enumerate(chosen)]


def _send(address: str, upload: tuple[str, bytes]) -> int:
    """The status that is told, as soon as there is room; 0 where nobody answers."""
    name, content = upload
    try:
        while True:
            found = httpx.post(
                f"{address}/api/documents", params={"name": name}, content=content, timeout=LONGEST_UPLOAD
            )
            if found.status_code != HTTPStatus.SERVICE_UNAVAILABLE:
                return found.status_code
            time.sleep(1.0)
    except httpx.HTTPError:
        return 0


def main() -> None:
    """Measure, and print what was found as JSON."""
    count, uploads = map(int, sys.argv[1:])
    figures = {f"mutants_{kind}": value for kind, value in indexed(count).items()}
    figures |= {f"uploads_{kind}": value for kind, value in uploaded(uploads).items()}
    sys.stdout.write(json.dumps({"mutants_a_format": count, "uploads": uploads, **figures}))


if __name__ == "__main__":
    main()
