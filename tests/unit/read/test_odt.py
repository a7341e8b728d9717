"""OpenDocument texts: what is shown, in order; nothing that is hidden, commented or deleted."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.office_files import blocks, cells, odt, packed, read

from pincite.errors import ReadError


def test_headings_paragraphs_and_lists_come_in_order_with_their_places(tmp_path: Path) -> None:
    body = (
        '<text:h text:outline-level="1">2 Loads</text:h><text:p>Snow <text:span>lies</text:span> here.</text:p>'
        '<text:h text:outline-level="2">2.1 Snow</text:h>'
        "<text:list><text:list-item><text:p>Roof</text:p><text:list><text:list-item><text:p>Ridge</text:p>"
        "</text:list-item></text:list></text:list-item></text:list>"
    )
    document = read(odt(tmp_path / "a.odt", body))
    assert document.pages[0].text == "2 Loads\n\nSnow lies here.\n\n2.1 Snow\n\n– Roof\n\n– Ridge"
    assert [(b.kind, b.level, b.locator) for b in document.pages[0].blocks] == [
        ("heading", 1, "sec. 2"),
        ("paragraph", None, "sec. 2, par. 1"),
        ("heading", 2, "sec. 2.1"),
        ("list_item", None, "sec. 2.1, par. 1"),
        ("list_item", None, "sec. 2.1, par. 2"),
    ]
    assert not document.paged


def test_spaces_tabs_and_line_breaks_are_kept_as_text(tmp_path: Path) -> None:
    first = '<text:p>a<text:s text:c="3"/>b<text:tab/>c<text:line-break/>d</text:p>'
    body = first + '<text:p><text:s text:c="9999999"/>x</text:p>'
    assert read(odt(tmp_path / "a.odt", body)).pages[0].text == "a b c\nd\n\nx"


def test_tables_keep_their_head_and_what_spans(tmp_path: Path) -> None:
    body = (
        "<table:table><table:table-header-rows><table:table-row>"
        '<table:table-cell table:number-columns-spanned="2"><text:p>Load</text:p></table:table-cell>'
        "<table:covered-table-cell/></table:table-row></table:table-header-rows>"
        "<table:table-row><table:table-cell><text:p>Snow</text:p></table:table-cell>"
        "<table:table-cell><text:p>0.4 kN</text:p></table:table-cell></table:table-row></table:table>"
    )
    document = read(odt(tmp_path / "a.odt", body))
    assert cells(document) == {(0, 0): "Load", (1, 0): "Snow", (1, 1): "0.4 kN"}
    head = document.pages[0].tables[0].cells[0]
    assert (head.header, head.column_span) == (True, 2)


def test_notes_and_text_boxes_stand_behind_their_paragraph(tmp_path: Path) -> None:
    inner = "<text:note-citation>1</text:note-citation><text:note-body><text:p>Or less.</text:p></text:note-body>"
    note = f"<text:note>{inner}</text:note>"
    box = "<draw:frame><draw:text-box><text:p>Mind the gap.</text:p></draw:text-box></draw:frame>"
    document = read(odt(tmp_path / "a.odt", f"<text:p>Four metres{note}.{box}</text:p><text:p>End.</text:p>"))
    assert document.pages[0].text == "Four metres.\n\nOr less.\n\nMind the gap.\n\nEnd."
    assert blocks(document, "footnote") == ["Or less."]


def test_what_is_not_shown_never_appears(tmp_path: Path) -> None:
    body = (
        "<text:tracked-changes><text:changed-region><text:p>Deleted</text:p></text:changed-region></text:tracked-changes>"
        "<text:p>Seen<office:annotation><text:p>Comment</text:p></office:annotation>"
        "<text:hidden-text>Hidden</text:hidden-text>.</text:p>"
    )
    assert read(odt(tmp_path / "a.odt", body)).pages[0].text == "Seen."


def test_title_and_author_are_read(tmp_path: Path) -> None:
    meta = "<dc:title>Roofs</dc:title><meta:initial-creator>A. Author</meta:initial-creator>"
    document = read(odt(tmp_path / "a.odt", "<text:p>x</text:p>", meta=meta))
    assert (document.title, dict(document.metadata)) == ("Roofs", {"author": "A. Author"})


def test_an_encrypted_text_is_refused(tmp_path: Path) -> None:
    sealed = {"META-INF/manifest.xml": "<m><encryption-data/></m>"}
    with pytest.raises(ReadError, match="is encrypted"):
        read(odt(tmp_path / "a.odt", "<text:p>x</text:p>", **sealed))


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({"a": "b"}, "has no part content.xml"),
        ({"content.xml": "<a>"}, "no well-formed XML"),
        ({"content.xml": "<a/>"}, "has no body"),
        ({"content.xml": "<a><body><text/></body></a>"}, "holds no text"),
        ({"content.xml": "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>"}, "declares entities"),
    ],
)
def test_a_damaged_text_is_refused_with_its_reason(tmp_path: Path, parts: dict[str, str], reason: str) -> None:
    with pytest.raises(ReadError, match=reason):
        read(packed(tmp_path / "a.odt", parts))
