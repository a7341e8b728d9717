"""What is filled in on a PDF page, typed onto it or struck out stands in its text, at its place."""

from __future__ import annotations

from pathlib import Path

import pikepdf
from tests.support.made_pdfs import Sheet, change, write_pdf

from pincite.ports import ReadOptions
from pincite.read.pdf import boxes, read_pdf
from pincite.records.pages import Document, Span


def read(path: Path) -> Document:
    return read_pdf(path, ReadOptions())


def order_form(sheet: Sheet) -> None:
    form, top = sheet.canvas.acroForm, sheet.height
    sheet.text(50, 60, "Order of seed potatoes", 14)
    sheet.text(50, 100, "Grower:")
    form.textfield(name="grower", value="Ines Falk", x=150, y=top - 104, width=150, height=16, fontSize=10)
    sheet.text(50, 130, "Variety:")
    form.choice(value="Linda", options=["Linda", "Nicola"], name="variety", x=150, y=top - 134, width=150, height=16)
    sheet.text(50, 160, "Organic:")
    form.checkbox(name="yes", checked=True, x=150, y=top - 164, size=12)
    sheet.text(166, 160, "yes")
    form.checkbox(name="no", checked=False, x=200, y=top - 164, size=12)
    sheet.text(216, 160, "no")
    sheet.text(50, 190, "Delivery:")
    form.radio(name="how", value="rail", selected=False, x=150, y=top - 194, size=12)
    sheet.text(166, 190, "rail")
    form.radio(name="how", value="road", selected=True, x=200, y=top - 194, size=12)
    sheet.text(216, 190, "road")
    sheet.text(50, 220, "Signed on the farm.")


def annotate(path: Path, kind: str, contents: str, rectangle: tuple[int, int, int, int], **more: object) -> Path:
    def add(pdf: pikepdf.Pdf) -> None:
        item = pikepdf.Dictionary(
            Type=pikepdf.Name.Annot, Subtype=pikepdf.Name(f"/{kind}"), Rect=list(rectangle), Contents=contents, **more
        )
        pdf.pages[0].Annots = pikepdf.Array([pdf.make_indirect(item)])

    return change(path, add)


def test_a_form_reads_as_it_was_filled_in(tmp_path: Path) -> None:
    (page,) = read(write_pdf(tmp_path / "order.pdf", [order_form])).pages
    assert page.text.split("\n") == [
        "Order of seed potatoes",
        "Grower: Ines Falk",
        "Variety: Linda",
        "Organic: ☒ yes ☐ no",
        "Delivery: ☐ rail ☒ road",
        "Signed on the farm.",
    ]


def test_a_value_is_marked_inside_its_field(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "order.pdf", [order_form])
    (page,) = read(path).pages
    start = page.text.index("Ines Falk")
    ((box,),) = boxes(path, [Span(1, start, start + len("Ines Falk"))])
    assert 150 <= box.left < box.right <= 300 and 84 <= box.top < box.bottom <= 106


def test_several_lines_of_a_field_stay_inside_it(tmp_path: Path) -> None:
    def draw(sheet: Sheet) -> None:
        sheet.text(50, 60, "Remarks:")
        sheet.canvas.acroForm.textfield(
            name="remarks", x=50, y=sheet.height - 130, width=200, height=60, fontSize=10, fieldFlags="multiline"
        )
        sheet.text(50, 150, "End of the form.")

    def fill(pdf: pikepdf.Pdf) -> None:
        pdf.Root.AcroForm.Fields[0].V = "Leave the crates at the gate.\nThe dog is friendly and does not bite anybody."

    path = change(write_pdf(tmp_path / "a.pdf", [draw]), fill)
    text = read(path).pages[0].text
    assert " ".join(text.split()) == (
        "Remarks: Leave the crates at the gate. The dog is friendly and does not bite anybody. End of the form."
    )


def test_a_password_and_a_hidden_field_stay_out(tmp_path: Path) -> None:
    def draw(sheet: Sheet) -> None:
        form, top = sheet.canvas.acroForm, sheet.height
        sheet.text(50, 60, "Account of the allotment society")
        form.textfield(
            name="secret", value="hunter2", x=50, y=top - 104, width=90, height=16, fontSize=9, fieldFlags="password"
        )
        form.textfield(
            name="ghost", value="Quill", x=50, y=top - 134, width=90, height=16, fontSize=9, annotationFlags="hidden"
        )

    assert read(write_pdf(tmp_path / "a.pdf", [draw])).pages[0].text == "Account of the allotment society"


def test_a_text_typed_onto_the_page_is_read_and_a_note_is_told(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", [lambda s: s.text(50, 60, "Plan of the orchard")])
    typed = read(annotate(path, "FreeText", "Seen by Abel Rask.", (50, 460, 200, 480)))
    assert typed.pages[0].text == "Plan of the orchard\nSeen by Abel Rask."
    noted = read(annotate(path, "Text", "Ask Abel about the pears.", (50, 460, 70, 480)))
    assert noted.pages[0].text == "Plan of the orchard"
    assert noted.warnings == ("1 comment is left out",)
