"""Word files: what Word shows is what is read, with the numbers that it shows, and nothing that it hides."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.office_files import blocks, cells, docx, packed, paragraph, read, word_cell, word_table

from pincite.errors import ReadError

STYLES = (
    '<w:style w:styleId="H1"><w:name w:val="heading 1"/>'
    '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
    '<w:style w:styleId="H2"><w:name w:val="heading 2"/>'
    '<w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
    '<w:style w:styleId="Mine"><w:name w:val="House style"/><w:basedOn w:val="H2"/></w:style>'
    '<w:style w:styleId="T"><w:name w:val="Title"/></w:style>'
    '<w:style w:styleId="TOC1"><w:name w:val="toc 1"/></w:style>'
    '<w:style w:styleId="C"><w:name w:val="caption"/></w:style>'
)
NUMBERING = (
    '<w:abstractNum w:abstractNumId="0">'
    '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1"/></w:lvl>'
    '<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1.%2"/></w:lvl>'
    "</w:abstractNum>"
    '<w:abstractNum w:abstractNumId="7">'
    '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1)"/></w:lvl>'
    '<w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/><w:lvlText w:val="-"/></w:lvl></w:abstractNum>'
    '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    '<w:num w:numId="2"><w:abstractNumId w:val="7"/></w:num>'
    '<w:num w:numId="3"><w:abstractNumId w:val="7"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/>'
    "</w:lvlOverride></w:num>"
)


def listed(text: str, list_id: int, level: int = 0) -> str:
    return paragraph(text, settings=f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{list_id}"/></w:numPr>')


def test_headings_carry_the_numbers_that_word_shows(tmp_path: Path) -> None:
    body = "".join(
        paragraph(text, style=style)
        for text, style in [("General", "H1"), ("Scope", "H2"), ("Terms", "Mine"), ("Loads", "H1"), ("Snow", "H2")]
    )
    document = read(docx(tmp_path / "a.docx", body, styles=STYLES, numbering=NUMBERING))
    assert blocks(document, "heading") == ["1 General", "1.1 Scope", "1.2 Terms", "2 Loads", "2.1 Snow"]
    assert [block.level for block in document.pages[0].blocks] == [1, 2, 2, 1, 2]


def test_a_paragraph_is_found_by_its_section_and_its_place_there(tmp_path: Path) -> None:
    body = paragraph("Foreword text.") + paragraph("General", style="H1") + paragraph("One.") + paragraph("Two.")
    document = read(docx(tmp_path / "a.docx", body, styles=STYLES, numbering=NUMBERING))
    assert [block.locator for block in document.pages[0].blocks] == [
        "par. 1",
        "sec. 1",
        "sec. 1, par. 1",
        "sec. 1, par. 2",
    ]
    assert not document.paged
    assert document.locators == "block"


def test_list_items_show_their_letters_and_a_second_list_starts_again(tmp_path: Path) -> None:
    body = listed("wind", 2) + listed("gusts", 2, 1) + listed("snow", 2) + listed("ice", 3)
    document = read(docx(tmp_path / "a.docx", body, numbering=NUMBERING))
    assert blocks(document, "list_item") == ["a) wind", "gusts", "b) snow", "a) ice"]


def test_hidden_and_field_text_never_appears_and_deleted_text_is_struck_out(tmp_path: Path) -> None:
    body = (
        "<w:p><w:r><w:t>kept </w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del>"
        "<w:ins><w:r><w:t>added</w:t></w:r></w:ins>"
        "<w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r>"
        "<w:r><w:instrText>HYPERLINK http://example.com</w:instrText></w:r></w:p>"
    )
    document = read(docx(tmp_path / "a.docx", body))
    assert document.pages[0].text == "kept ~~gone~~added"
    assert document.warnings == ("has tracked changes: what they insert was read, what they delete is struck out",)


def test_merged_cells_keep_their_spans_and_columns(tmp_path: Path) -> None:
    wide = '<w:gridSpan w:val="2"/>'
    body = word_table(
        word_cell("Class", '<w:vMerge w:val="restart"/>') + word_cell("Slope", wide),
        word_cell("", "<w:vMerge/>") + word_cell("flat") + word_cell("steep"),
        word_cell("U1") + word_cell("R10") + word_cell("R11"),
    )
    document = read(docx(tmp_path / "a.docx", body))
    table = document.pages[0].tables[0]
    assert cells(document) == {
        (0, 0): "Class",
        (0, 1): "Slope",
        (1, 1): "flat",
        (1, 2): "steep",
        (2, 0): "U1",
        (2, 1): "R10",
        (2, 2): "R11",
    }
    assert (table.row_count, table.column_count) == (3, 3)
    assert [(cell.row_span, cell.column_span) for cell in table.cells[:2]] == [(2, 1), (1, 2)]


def test_the_words_of_a_table_inside_a_table_are_kept(tmp_path: Path) -> None:
    inner = word_table(word_cell("deep one") + word_cell("deep two"))
    body = word_table(word_cell("left") + f"<w:tc>{inner}{paragraph('right')}</w:tc>")
    assert cells(read(docx(tmp_path / "a.docx", body))) == {(0, 0): "left", (0, 1): "deep one deep two right"}


def test_a_printed_table_of_contents_is_furniture_and_a_caption_a_caption(tmp_path: Path) -> None:
    body = paragraph("1 General 4", style="TOC1") + paragraph("Table 1 Loads", style="C") + paragraph("Text.")
    document = read(docx(tmp_path / "a.docx", body, styles=STYLES))
    assert blocks(document, "furniture") == ["1 General 4"]
    assert blocks(document, "caption") == ["Table 1 Loads"]
    assert blocks(document, "heading") == []


def test_footnotes_stand_at_the_end_in_the_order_of_their_references(tmp_path: Path) -> None:
    body = (
        '<w:p><w:r><w:t>One</w:t><w:footnoteReference w:id="5"/></w:r></w:p>'
        '<w:p><w:r><w:t>Two</w:t><w:footnoteReference w:id="2"/></w:r></w:p>'
    )
    notes = "".join(
        f'<w:footnote w:id="{key}">{paragraph(text)}</w:footnote>' for key, text in [(2, "about two"), (5, "about one")]
    )
    document = read(docx(tmp_path / "a.docx", body, footnotes=notes))
    assert blocks(document, "footnote") == ["1 about one", "2 about two"]


def test_a_text_box_is_read_once(tmp_path: Path) -> None:
    box = f"<w:txbxContent>{paragraph('in the box')}</w:txbxContent>"
    body = (
        '<w:p xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><w:r><w:t>before</w:t>'
        f"<mc:AlternateContent><mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback></mc:AlternateContent></w:r></w:p>"
    )
    assert blocks(read(docx(tmp_path / "a.docx", body)), "paragraph") == ["before", "in the box"]


def test_the_title_comes_from_the_title_paragraph(tmp_path: Path) -> None:
    body = paragraph("Roof access", style="T") + paragraph("Text.")
    assert read(docx(tmp_path / "a.docx", body, styles=STYLES)).title == "Roof access"


def test_a_file_without_styles_is_read(tmp_path: Path) -> None:
    path = packed(
        tmp_path / "a.docx",
        {"word/document.xml": '<d xmlns="x"><body><p><r><t>plain</t></r></p></body></d>'},
    )
    assert read(path).pages[0].text == "plain"


@pytest.mark.parametrize(
    ("inside", "reason"),
    [
        ('<!DOCTYPE d [<!ENTITY a "b">]><d><body><p><r><t>&a;</t></r></p></body></d>', "declares entities"),
        (
            '<!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/passwd">]><d><body><p>&a;</p></body></d>',
            "declares entities",
        ),
        ("<d><body><p>", "no well-formed XML"),
        ("<d>" + "<body>" * 300 + "</body>" * 300 + "</d>", "nested too deeply"),
        ("<d/>", "has no body"),
        ("<d><body/></d>", "holds no text"),
    ],
)
def test_hostile_or_broken_markup_is_refused_with_its_reason(tmp_path: Path, inside: str, reason: str) -> None:
    with pytest.raises(ReadError, match=reason):
        read(packed(tmp_path / "a.docx", {"word/document.xml": inside}))
