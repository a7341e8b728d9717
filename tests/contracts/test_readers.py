"""Every FileReader keeps its contract, and every reader of the table is tested here."""

from __future__ import annotations

import csv
import gzip
from email.message import EmailMessage
from pathlib import Path
from typing import Any, ClassVar

from reportlab.pdfgen.canvas import Canvas
from tests.support.made_scans import scan
from tests.support.office_files import docx, epub, ods, odt, packed, paragraph, pptx, shape, xls, xlsx

from pincite.ports import FileReader
from pincite.read.registry import READERS, reader_named
from pincite_testing.file_reader_contract import FileReaderContract

RUNNING_TEXT = {"Marmalade": 1, "quince": 1}
TWO_PARTS = {"Marmalade": 1, "quince": 2}


class ReaderOfTheTable(FileReaderContract):
    kind: ClassVar[str]

    def make(self) -> FileReader:
        reader = reader_named(self.kind)
        assert reader is not None
        return reader


class TestPdfReader(ReaderOfTheTable):
    kind = "pdf"
    expected_words = TWO_PARTS

    def write_sample(self, folder: Path) -> Path:
        path = folder / "a.pdf"
        canvas = Canvas(str(path), invariant=1)
        for line in ("Marmalade is made of oranges.", "Jelly is made of quince."):
            canvas.drawString(72, 700, line)
            canvas.showPage()
        canvas.save()
        return path


class TestDocxReader(ReaderOfTheTable):
    kind = "docx"
    expected_words = RUNNING_TEXT

    def write_sample(self, folder: Path) -> Path:
        return docx(folder / "a.docx", paragraph("Marmalade is made of oranges.") + paragraph("Jelly of quince."))


class TestPptxReader(ReaderOfTheTable):
    kind = "pptx"
    expected_words = TWO_PARTS

    def write_sample(self, folder: Path) -> Path:
        return pptx(folder / "a.pptx", shape("Marmalade"), shape("Jelly of quince"))


class TestXlsxReader(ReaderOfTheTable):
    kind = "xlsx"
    expected_words = TWO_PARTS

    def write_sample(self, folder: Path) -> Path:
        def sheet(text: str) -> str:
            cell = f'<c r="A1" t="inlineStr"><is><t>{text}</t></is></c>'
            return f'<sheetData><row r="1">{cell}</row></sheetData>'

        return xlsx(folder / "a.xlsx", {"Jars": sheet("Marmalade"), "Fruit": sheet("quince")})


class TestXlsReader(ReaderOfTheTable):
    kind = "xls"
    expected_words = TWO_PARTS

    def write_sample(self, folder: Path) -> Path:
        def fill(book: Any) -> None:
            book.add_sheet("Jars").write(0, 0, "Marmalade")
            book.add_sheet("Fruit").write(0, 0, "quince")

        return xls(folder / "a.xls", fill)


class TestOdsReader(ReaderOfTheTable):
    kind = "ods"
    expected_words = TWO_PARTS

    def write_sample(self, folder: Path) -> Path:
        def sheet(name: str, text: str) -> str:
            cell = f"<table:table-cell><text:p>{text}</text:p></table:table-cell>"
            return f'<table:table table:name="{name}"><table:table-row>{cell}</table:table-row></table:table>'

        return ods(folder / "a.ods", sheet("Jars", "Marmalade") + sheet("Fruit", "quince"))


class TestEpubReader(ReaderOfTheTable):
    kind = "epub"
    expected_words = TWO_PARTS

    def write_sample(self, folder: Path) -> Path:
        return epub(folder / "a.epub", "<p>Marmalade</p>", "<p>Jelly of quince</p>")


class TestOdtReader(ReaderOfTheTable):
    kind = "odt"
    expected_words = RUNNING_TEXT

    def write_sample(self, folder: Path) -> Path:
        return odt(folder / "a.odt", "<text:h>Marmalade</text:h><text:p>Jelly of quince.</text:p>")


class TestRtfReader(ReaderOfTheTable):
    kind = "rtf"
    expected_words = RUNNING_TEXT

    def write_sample(self, folder: Path) -> Path:
        path = folder / "a.rtf"
        path.write_text("{\\rtf1\\ansi Marmalade\\par Jelly is made of quince.\\par}", encoding="ascii")
        return path


class TestImageReader(ReaderOfTheTable):
    kind = "image"
    expected_words = TWO_PARTS

    def write_sample(self, folder: Path) -> Path:
        return scan(folder / "a.tiff", "Marmalade is made of oranges", "Jelly is made of quince")


class TestHtmlReader(ReaderOfTheTable):
    kind = "html"
    expected_words = RUNNING_TEXT

    def write_sample(self, folder: Path) -> Path:
        path = folder / "a.html"
        path.write_text("<h1>Marmalade</h1><p>Jelly is made of quince.</p>", encoding="utf-8")
        return path


class TestMarkdownReader(ReaderOfTheTable):
    kind = "markdown"
    expected_words = RUNNING_TEXT

    def write_sample(self, folder: Path) -> Path:
        path = folder / "a.md"
        path.write_text("# Marmalade\n\nJelly is made of quince.\n", encoding="utf-8")
        return path


class TestCsvReader(ReaderOfTheTable):
    kind = "csv"
    expected_words = RUNNING_TEXT

    def write_sample(self, folder: Path) -> Path:
        path = folder / "a.csv"
        with path.open("w", newline="", encoding="utf-8") as stream:
            csv.writer(stream).writerows([["jar", "fruit"], ["Marmalade", "orange"], ["Jelly", "quince"]])
        return path


class TestMailReader(ReaderOfTheTable):
    kind = "mail"
    expected_words = RUNNING_TEXT

    def write_sample(self, folder: Path) -> Path:
        message = EmailMessage()
        message["Subject"], message["From"], message["To"] = "Marmalade", "a@example.org", "b@example.org"
        message.set_content("Jelly is made of quince.")
        path = folder / "a.eml"
        path.write_bytes(message.as_bytes())
        return path


class TestPlainReader(ReaderOfTheTable):
    kind = "text"
    expected_words = RUNNING_TEXT

    def write_sample(self, folder: Path) -> Path:
        path = folder / "a.txt"
        path.write_text("Marmalade is made of oranges.\n\nJelly is made of quince.\n", encoding="utf-8")
        return path


class TestZipReader(ReaderOfTheTable):
    kind = "zip"
    expected_words: ClassVar[dict[str, int]] = {}
    expected_members = ("b.txt", "folder/c.xyz")

    def write_sample(self, folder: Path) -> Path:
        return packed(folder / "a.zip", {"b.txt": "Marmalade", "folder/c.xyz": "?"})


class TestPackedReader(ReaderOfTheTable):
    kind = "packed"
    expected_words: ClassVar[dict[str, int]] = {}
    expected_members = ("a.txt",)

    def write_sample(self, folder: Path) -> Path:
        path = folder / "a.txt.gz"
        path.write_bytes(gzip.compress(b"Marmalade"))
        return path


def test_every_reader_of_the_table_is_tested_here() -> None:
    assert {row.name for row in READERS} == {tests.kind for tests in ReaderOfTheTable.__subclasses__()}
