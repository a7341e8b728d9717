"""What the tests of promises share: a folder of small files, indexed by keywords alone, and questions to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.support.made_pdfs import Sheet, write_pdf

from pincite.engine.engine import Engine
from pincite.records.citations import Citation
from pincite.settings import Settings
from pincite.wiring import open_engine

SETTINGS = Settings(embedder="none", ocr="never", workers=1)


def files(folder: Path, texts: Mapping[str, str]) -> Path:
    """The folder, with these text files in it."""
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def pages(path: Path, *texts: str) -> Path:
    """A PDF of pages that hold these lines; an empty text leaves the page blank."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return write_pdf(path, [_drawn(text) for text in texts])


def _drawn(text: str) -> Callable[[Sheet], None]:
    def draw(sheet: Sheet) -> None:
        sheet.lines(40, 60, text.split("\n"))

    return draw


@contextmanager
def store_of(folder: Path, settings: Settings = SETTINGS) -> Iterator[Engine]:
    """An engine on a store of all files in a folder."""
    with open_engine(settings, folder / ".pincite", create=True) as engine:
        engine.index([folder])
        yield engine


def citations(engine: Engine, question: str) -> list[Citation]:
    """All citations of the answer's statements."""
    answer = engine.ask(question, receipt=False)
    return [citation for statement in answer.statements for citation in statement.citations]


def pages_found(engine: Engine, question: str) -> list[tuple[str, int | None]]:
    """File and page of each citation whose quote holds the question's last word."""
    word = question.strip("?").split()[-1].casefold()
    return [(item.filename, item.page) for item in citations(engine, question) if word in item.quote.casefold()]
