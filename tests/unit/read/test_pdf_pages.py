"""PDF pages: the number is the physical one, the words are in reading order, and nothing is altered."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest
from tests.support.made_pdfs import Sheet, change, paragraph, write_pdf

from pincite.errors import ReadError
from pincite.ports import ReadOptions
from pincite.read.pdf import boxes, read_pdf
from pincite.read.registry import reader_for
from pincite.records.pages import Document, Page, Span


def read(path: Path, **options: object) -> Document:
    return read_pdf(path, ReadOptions(**options))


def only_page(path: Path) -> Page:
    (page,) = read(path).pages
    return page


def kinds(page: Page) -> list[tuple[str, str]]:
    return [(block.kind, page.text[block.span.start : block.span.end]) for block in page.blocks]


def test_pages_count_physically_from_one_blank_ones_included(tmp_path: Path) -> None:
    def blank(sheet: Sheet) -> None:
        pass

    path = write_pdf(tmp_path / "a.pdf", [lambda s: s.text(50, 60, "first"), blank, lambda s: s.text(50, 60, "third")])
    pages = read(path).pages
    assert [(page.number, page.text, page.origin) for page in pages] == [
        (1, "first", "text"),
        (2, "", "text"),
        (3, "third", "text"),
    ]


def test_the_page_of_a_one_page_file_is_one(tmp_path: Path) -> None:
    assert only_page(write_pdf(tmp_path / "a.pdf", [lambda s: s.text(50, 60, "alone")])).number == 1


def test_two_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    left, right = paragraph(1, 12, 5), paragraph(40, 12, 5)

    def draw(sheet: Sheet) -> None:
        sheet.text(40, 40, "A heading over both columns of this page of the report", 14, bold=True)
        for number in range(12):
            sheet.text(40, 70 + 12 * number, left[number], 8)
            sheet.text(220, 70 + 12 * number, right[number], 8)

    text = only_page(write_pdf(tmp_path / "a.pdf", [draw])).text
    assert text.split("\n")[1:] == [*left, *right]


def test_three_columns_with_shifted_lines_are_read_one_after_the_other(tmp_path: Path) -> None:
    columns = [paragraph(start, 14, 4) for start in (1, 30, 60)]

    def draw(sheet: Sheet) -> None:
        for number, lines in enumerate(columns):
            sheet.lines(25 + 125 * number, 60 + 3.3 * number, lines, 7)

    text = only_page(write_pdf(tmp_path / "a.pdf", [draw])).text
    assert text.split("\n") == [line for lines in columns for line in lines]


def test_numbers_before_paragraphs_are_no_column(tmp_path: Path) -> None:
    lines = paragraph(3, 6, 8)

    def draw(sheet: Sheet) -> None:
        for number in range(3):
            sheet.text(30, 60 + 40 * number, f"{number + 1}.")
            sheet.lines(70, 60 + 40 * number, lines[2 * number : 2 * number + 2])

    page = only_page(write_pdf(tmp_path / "a.pdf", [draw]))
    assert page.text.startswith(f"1. {lines[0]}\n{lines[1]}\n2. {lines[2]}")


@pytest.mark.parametrize("rotate", [90, 180, 270])
def test_a_page_that_is_displayed_turned_reads_the_same_and_has_its_boxes_turned(tmp_path: Path, rotate: int) -> None:
    lines = paragraph(5, 4)
    straight = write_pdf(tmp_path / "a.pdf", [lambda s: s.lines(60, 80, lines)])
    turned = write_pdf(tmp_path / "b.pdf", [lambda s: s.lines(60, 80, lines)])
    change(turned, lambda pdf: pdf.pages[0].rotate(rotate, relative=False))
    page = only_page(turned)
    assert page.text == only_page(straight).text
    assert (page.width, page.height) == ((560.0, 400.0) if rotate != 180 else (400.0, 560.0))
    box = page.blocks[0].box
    assert box is not None
    assert 0 <= box.left < box.right <= page.width
    assert 0 <= box.top < box.bottom <= page.height


@pytest.mark.parametrize("angle", [90, 180, 270])
def test_text_that_is_set_turned_reads_the_right_way(tmp_path: Path, angle: int) -> None:
    lines = paragraph(8, 3, 5)

    def draw(sheet: Sheet) -> None:
        sheet.canvas.translate(200, 280)
        sheet.canvas.rotate(angle)
        for number, line in enumerate(lines):
            sheet.canvas.setFont("Helvetica", 9)
            sheet.canvas.drawString(-120, -12 * number, line)

    assert only_page(write_pdf(tmp_path / "a.pdf", [draw])).text == "\n".join(lines)


def test_boxes_are_those_of_the_crop_box(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", [lambda s: s.text(100, 160, "cropped")])

    def crop(pdf: pikepdf.Pdf) -> None:
        pdf.pages[0].CropBox = [80, 300, 380, 540]

    page = only_page(change(path, crop))
    box = page.blocks[0].box
    assert box is not None
    assert (page.width, page.height) == (300.0, 240.0)
    assert abs(box.left - 20) < 0.1
    assert box.top < 140 < box.bottom


def test_what_stands_off_the_page_is_not_read(tmp_path: Path) -> None:
    def draw(sheet: Sheet) -> None:
        sheet.text(50, 60, "seen")
        sheet.text(-300, 60, "hidden outside")

    assert only_page(write_pdf(tmp_path / "a.pdf", [draw])).text == "seen"


def test_hyphens_at_line_ends_and_lines_are_kept_as_printed(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", [lambda s: s.lines(50, 60, ["The inspec-", "tion of bridges"])])
    assert only_page(path).text == "The inspec-\ntion of bridges"


def test_words_that_are_parted_by_place_alone_are_not_glued(tmp_path: Path) -> None:
    def draw(sheet: Sheet) -> None:
        x = 50.0
        for word in ["placed", "word", "by", "word"]:
            sheet.text(x, 60, word)
            x += sheet.canvas.stringWidth(word, "Helvetica", 10) + 2.8

    assert only_page(write_pdf(tmp_path / "a.pdf", [draw])).text == "placed word by word"


def test_spaced_out_letters_stay_words(tmp_path: Path) -> None:
    def draw(sheet: Sheet) -> None:
        text = sheet.canvas.beginText(50, 500)
        text.setFont("Helvetica", 10)
        text.setCharSpace(2.5)
        text.textLine("CHAPTER SEVEN")
        sheet.canvas.drawText(text)

    assert only_page(write_pdf(tmp_path / "a.pdf", [draw])).text == "CHAPTER SEVEN"


Drawn = Callable[[list[tuple[str, float]]], Callable[[Sheet], None]]


def shifted(pieces: list[tuple[str, float]]) -> Callable[[Sheet], None]:
    """Pieces of a line, each so many points above its base line (below it where negative), those in smaller letters."""

    def draw(sheet: Sheet) -> None:
        x = 50.0
        for words, rise in pieces:
            size = 6.5 if rise else 10.0
            sheet.text(x, 60 - rise, words, size)
            x += sheet.canvas.stringWidth(words, "Helvetica", size)
        sheet.text(50, 72, "and in the annex")

    return draw


def risen(pieces: list[tuple[str, float]]) -> Callable[[Sheet], None]:
    """The same in one text whose pieces rise."""

    def draw(sheet: Sheet) -> None:
        text = sheet.canvas.beginText(50, sheet.height - 60)
        for words, rise in pieces:
            text.setFont("Helvetica", 6.5 if rise else 10.0)
            text.setRise(rise)
            text.textOut(words)
        sheet.canvas.drawText(text)
        sheet.text(50, 72, "and in the annex")

    return draw


@pytest.mark.parametrize("drawn", [shifted, risen])
@pytest.mark.parametrize(
    ("pieces", "reads"),
    [
        ([("baked at 250", 0), ("9", 3.5), (" degrees", 0)], "baked at 250⁹ degrees"),
        ([("below 10", 0), ("-12", 3.5), (" bar", 0)], "below 10⁻¹² bar"),
        ([("V", 0), ("2", -1.5), ("O", 0), ("5", -1.5), (" on titania", 0)], "V₂O₅ on titania"),
        ([("a floor of 18 m", 0), ("2", 3.5)], "a floor of 18 m²"),
        ([("on an adjusted basis", 0), ("1", 3.5), (") and so on", 0)], "on an adjusted basis¹) and so on"),
        ([("loads of 5 kN/m", 0), ("1,2", 3.5), (" or more", 0)], "loads of 5 kN/m¹,² or more"),
        ([("the yield f", 0), ("max", -1.5), (" of steel", 0)], "the yield f_max of steel"),
        ([("the 21", 0), ("st", 3.5), (" of May", 0)], "the 21st of May"),
        ([("19", 3.5), (" Measured at sea level.", 0)], "19 Measured at sea level."),
        ([("set ", 0), ("low", -1.5), (" by a scanner", 0)], "set low by a scanner"),
    ],
)
def test_raised_and_lowered_characters_stay_what_they_are(
    tmp_path: Path, drawn: Drawn, pieces: list[tuple[str, float]], reads: str
) -> None:
    path = write_pdf(tmp_path / "a.pdf", [drawn(pieces)])
    page = only_page(path)
    assert page.text.split("\n") == [reads, "and in the annex"]
    ((box,),) = boxes(path, [Span(1, 0, len(reads))])
    assert 49 <= box.left < box.right <= 200 and box.bottom < 66


def test_letters_that_are_printed_twice_for_bold_are_read_once(tmp_path: Path) -> None:
    def draw(sheet: Sheet) -> None:
        sheet.text(50, 60, "Summary")
        sheet.text(50.3, 60, "Summary")

    assert only_page(write_pdf(tmp_path / "a.pdf", [draw])).text == "Summary"


def test_stated_page_labels_are_kept_beside_the_number(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", [lambda s: s.text(50, 60, "text")] * 3)

    def label(pdf: pikepdf.Pdf) -> None:
        pdf.Root.PageLabels = pikepdf.Dictionary(
            Nums=[0, pikepdf.Dictionary(S=pikepdf.Name.r), 2, pikepdf.Dictionary(S=pikepdf.Name.D)]
        )

    assert [page.label for page in read(change(path, label)).pages] == ["i", "ii", "1"]


def test_outline_title_and_metadata_are_read(tmp_path: Path) -> None:
    def draw(sheet: Sheet) -> None:
        sheet.text(50, 60, "text")

    path = write_pdf(tmp_path / "a.pdf", [draw, draw])

    def mark(pdf: pikepdf.Pdf) -> None:
        with pdf.open_outline() as outline:
            top = pikepdf.OutlineItem("One", 0)
            top.children.append(pikepdf.OutlineItem("One and a half", 1))
            outline.root.append(top)
        pdf.docinfo["/Title"] = "A report"

    document = read(change(path, mark))
    assert document.title == "A report"
    assert [(entry.title, entry.level, entry.page) for entry in document.outline] == [
        ("One", 1, 1),
        ("One and a half", 2, 2),
    ]


def test_an_encrypted_file_opens_with_its_password_and_is_refused_without(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", [lambda s: s.text(50, 60, "secret text")])
    change(path, lambda pdf: None, encryption=pikepdf.Encryption(user="sesame", owner="o"))
    assert read(path, passwords=("wrong", "sesame")).pages[0].text == "secret text"
    with pytest.raises(ReadError, match=r"encrypted.*--password-file"):
        read(path, passwords=("wrong",))


def test_a_file_with_an_empty_user_password_opens_by_itself(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", [lambda s: s.text(50, 60, "open text")])
    change(path, lambda pdf: None, encryption=pikepdf.Encryption(user="", owner="o"))
    assert only_page(path).text == "open text"


def test_a_file_that_is_no_pdf_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(b"oops")
    with pytest.raises(ReadError, match=r"^is not a PDF that can be opened"):
        read(path)


def test_more_pages_than_allowed_are_refused(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", [lambda s: s.text(50, 60, "text")] * 3)
    with pytest.raises(ReadError, match="3 pages, more than the limit of 2"):
        read(path, max_pages=2)


def test_a_pdf_under_another_name_is_read_as_one(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", [lambda s: s.text(50, 60, "text")])
    other = path.rename(tmp_path / "a.txt")
    assert reader_for(other).name == "pdf"


def test_the_same_bytes_give_the_same_document(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", [lambda s: s.lines(50, 60, paragraph(9, 20))] * 3)
    assert read(path) == read(path)


def test_boxes_of_a_row_beside_a_tall_cell_hold_no_word_of_other_rows(tmp_path: Path) -> None:
    def draw(sheet: Sheet) -> None:
        for y in (100, 160):
            sheet.rule(50, y, 350, y)
        for y in (120, 140):
            sheet.rule(150, y, 350, y)
        for x in (50, 150, 250, 350):
            sheet.rule(x, 100, x, 160)
        sheet.text(55, 154, "Bearing")
        for row in range(3):
            sheet.text(160, 114 + 20 * row, f"L{row}")
            sheet.text(260, 114 + 20 * row, f"W{row}")

    path = write_pdf(tmp_path / "a.pdf", [draw])
    assert only_page(path).text.startswith("Bearing\tL0\tW0\n")
    (found,) = boxes(path, [Span(1, 0, len("Bearing\tL0\tW0"))])
    assert [(round(box.left), box.top > 120) for box in found] == [(55, True), (160, False), (260, False)]


def test_boxes_of_a_quote_cover_its_lines_and_nothing_else(tmp_path: Path) -> None:
    lines = ["alpha beta gamma", "delta epsilon zeta"]
    path = write_pdf(tmp_path / "a.pdf", [lambda s: None, lambda s: s.lines(50, 60, lines)])
    text = read(path).pages[1].text
    start, end = text.index("gamma"), text.index("delta") + len("delta")
    ((first, second),) = boxes(path, [Span(2, start, end)])
    assert first.left > 50 + 40
    assert second.left == pytest.approx(50, abs=0.5)
    assert second.top > first.top + 5
    assert second.right < 50 + 30
