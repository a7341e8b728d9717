"""Every kind of file that the README names is indexed and cited, or refused with what to do."""

from __future__ import annotations

import re
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pytest

from pincite.read import render
from pincite.settings import Settings
from tests.support.made_pdfs import Sheet, write_pdf
from tests.support.made_scans import scan
from tests.support.office_files import docx, epub, ods, odt, packed, paragraph, pptx, shape, xls, xlsx
from tests.support.promises import SETTINGS, citations, files, pages, store_of

RAKES = "The keeper rakes the gravel"
README = Path(__file__).parents[2] / "README.md"
WITH_OCR = Settings(embedder="none", ocr="auto", workers=1)


def mail(path: Path) -> Path:
    message = EmailMessage()
    message["Subject"] = "Rota"
    message.set_content(f"{RAKES}.")
    path.write_bytes(message.as_bytes())
    return path


def text(content: str) -> Callable[[Path], Path]:
    def write(path: Path) -> Path:
        path.write_text(content, encoding="utf-8")
        return path

    return write


def sheet(path: Path) -> Path:
    cells = f'<c r="A1" t="inlineStr"><is><t>{RAKES}.</t></is></c>'
    return xlsx(path, {"Rota": f'<sheetData><row r="1">{cells}</row></sheetData>'})


ODS_ROTA = (
    '<table:table table:name="Rota"><table:table-row><table:table-cell office:value-type="string">'
    f"<text:p>{RAKES}.</text:p></table:table-cell></table:table-row></table:table>"
)
MADE: dict[str, tuple[Callable[[Path], Path], str]] = {
    "PDF": (lambda path: pages(path, "A cover.", f"{RAKES}."), "(a.pdf, p.2)"),
    "DOCX": (lambda path: docx(path, paragraph(f"{RAKES}.")), "(a.docx, par. 1)"),
    "PPTX": (lambda path: pptx(path, shape("Cover"), shape(f"{RAKES}.")), "(a.pptx, p.2)"),
    "XLSX": (sheet, "(a.xlsx, Rota!A1)"),
    "XLS": (lambda path: xls(path, lambda book: book.add_sheet("Rota").write(0, 0, f"{RAKES}.")), "(a.xls, Rota!A1)"),
    "ODS": (lambda path: ods(path, ODS_ROTA), "(a.ods, Rota!A1)"),
    "ODT": (lambda path: odt(path, f"<text:p>{RAKES}.</text:p>"), "(a.odt, par. 1)"),
    "RTF": (text("{\\rtf1\\ansi " + RAKES + ".\\par}"), "(a.rtf, par. 1)"),
    "EPUB": (lambda path: epub(path, f"<p>{RAKES}.</p>"), "(a.epub, par. 1)"),
    "HTML": (text(f"<p>{RAKES}.</p>"), "(a.html, par. 1)"),
    "Markdown": (text(f"# Rota\n\n{RAKES}.\n"), "(a.md, line 3)"),
    "text": (text(f"{RAKES}.\n"), "(a.txt, line 1)"),
    "CSV": (text(f"who,what\nkeeper,{RAKES}.\n"), "(a.csv, line 2)"),
    "EML": (mail, "(a.eml, par. 2)"),
    "ZIP": (lambda path: packed(path, {"inner/b.txt": f"{RAKES}."}), "(b.txt, line 1)"),
    "TIFF": (lambda path: scan(path, "A cover", f"{RAKES}."), "(a.tiff, p.2)"),
    "PNG": (lambda path: scan(path, f"{RAKES}."), "(a.png, p.1)"),
    "JPEG": (lambda path: scan(path, f"{RAKES}."), "(a.jpeg, p.1)"),
}
SUFFIXES = {"Markdown": "md", "text": "txt"}


def test_the_readme_names_every_kind() -> None:
    said = README.read_text(encoding="utf-8")
    assert [kind for kind in MADE if not re.search(rf"\b{kind}\b", said)] == []


@pytest.mark.parametrize("kind", MADE)
def test_every_kind_of_file_is_indexed_and_cited_by_its_place(tmp_path: Path, kind: str) -> None:
    write, place = MADE[kind]
    write(tmp_path / f"a.{SUFFIXES.get(kind, kind.lower())}")
    with store_of(tmp_path, WITH_OCR) as engine:
        assert not [state.reason for state in engine.session().documents.sources() if state.status == "refused"]
        summary = engine.ask("Who rakes the gravel?", receipt=False).summary
    assert place in summary


def test_a_scan_says_what_to_install_where_ocr_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader is asked in this process, where OCR can be taken away."""
    from pincite.errors import ReadError
    from pincite.ports import ReadOptions
    from pincite.read.registry import reader_for

    path = scan(tmp_path / "a.tiff", RAKES)
    monkeypatch.setattr(render, "find_spec", lambda _: None)
    with pytest.raises(ReadError, match="needs OCR, which is not installed: pincite doctor"):
        reader_for(path).read(path, ReadOptions())


def test_a_text_layer_of_single_letters_is_read_by_ocr_instead(tmp_path: Path) -> None:
    """The page shows a picture of the words; what lies invisibly above it is worthless."""
    picture = scan(tmp_path / "scan.png", f"{RAKES}.")

    def draw(sheet: Sheet) -> None:
        sheet.canvas.drawImage(str(picture), 0, 200, width=400, height=226)
        letters = sheet.canvas.beginText(20, 300)
        letters.setTextRenderMode(3)
        letters.setFont("Helvetica", 6)
        letters.textLine(" ".join("thekeeperrakesthegravelandsoon"))
        sheet.canvas.drawText(letters)

    folder = tmp_path / "docs"
    folder.mkdir()
    write_pdf(folder / "a.pdf", [draw])
    with store_of(folder, WITH_OCR) as engine:
        (page,) = engine.session().documents.pages("a.pdf")
    assert page.origin == "ocr"
    assert RAKES in " ".join(page.text.split())


def test_a_manifest_may_have_the_separators_and_reserved_names_of_windows(tmp_path: Path) -> None:
    folder = files(tmp_path, {"part/con.md": f"{RAKES}.\n", "back\\slash.md": "Else.\n"})
    listed = '{"sources": [{"path": "part\\\\con.md", "tags": ["rota"]}, {"path": "back\\\\slash.md"}]}'
    files(folder, {".list.json": listed})
    with store_of(folder, SETTINGS) as engine:
        report = engine.index(manifest=folder / ".list.json")
        assert {item.source: item.status for item in report.documents} == {
            "part/con.md": "unchanged",
            "back\\slash.md": "unchanged",
        }
        assert citations(engine, "Who rakes the gravel?")[0].source_id == "part/con.md"
