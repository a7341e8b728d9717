"""What stands beside the text of a PDF: lines at the edges of its pages, files that are attached to it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pikepdf
from tests.support.made_pdfs import Sheet, change, write_pdf

from pincite.ports import ReadOptions
from pincite.read.nested_files import opened
from pincite.read.pdf import read_pdf


def receipt(number: int) -> Callable[[Sheet], None]:
    def draw(sheet: Sheet) -> None:
        sheet.text(40, 30, "Vet in charge: Dr Ilse Kamp", 8)
        sheet.text(150, 30, "Animal clinic of Hoorn", 8)
        sheet.text(40, 100, f"The horse was seen {number} times in spring.")
        sheet.text(180, 540, f"Receipt {number} of 3", 8)

    return draw


def test_a_running_line_that_states_something_is_told_once_at_its_first_page(tmp_path: Path) -> None:
    document = read_pdf(write_pdf(tmp_path / "a.pdf", [receipt(n) for n in (1, 2, 3)]), ReadOptions())
    kinds = [
        {page.text[block.span.start : block.span.end]: block.kind for block in page.blocks} for page in document.pages
    ]
    head = "Vet in charge: Dr Ilse Kamp Animal clinic of Hoorn"
    assert [page[head] for page in kinds] == ["footnote", "furniture", "furniture"]
    assert [page[f"Receipt {n} of 3"] for n, page in enumerate(kinds, 1)] == ["furniture"] * 3


def test_a_file_that_is_attached_is_a_member_that_can_be_opened(tmp_path: Path) -> None:
    def attach(pdf: pikepdf.Pdf) -> None:
        pdf.attachments["bill.txt"] = pikepdf.AttachedFileSpec(pdf, b"Shoeing costs 90 guilders.", filename="bill.txt")

    path = change(write_pdf(tmp_path / "a.pdf", [lambda s: s.text(50, 60, "See the bill.")]), attach)
    (member,) = read_pdf(path, ReadOptions()).members
    assert (member.name, member.size, member.reason) == ("bill.txt", 26, None)
    with opened(path, ["bill.txt"]) as (file, name):
        assert (file.read_text(), name) == ("Shoeing costs 90 guilders.", "bill.txt")
