"""Rich text: its paragraphs and tables; pictures and what is embedded never appear."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.office_files import cells, read

from pincite.errors import ReadError


def rtf(path: Path, body: str, head: str = "\\ansi\\ansicpg1252") -> Path:
    path.write_bytes(("{\\rtf1" + head + " " + body + "}").encode("cp1252"))
    return path


def test_paragraphs_come_in_order_with_their_places(tmp_path: Path) -> None:
    document = read(rtf(tmp_path / "a.rtf", "{\\b Loads}\\par Snow lies\\line here.\\par\\par End."))
    assert document.pages[0].text == "Loads\n\nSnow lies\n\nhere.\n\nEnd."
    assert [block.locator for block in document.pages[0].blocks] == ["par. 1", "par. 2", "par. 3", "par. 4"]
    assert not document.paged


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("Gr\\'f6\\'dfe", "Größe"),
        ("{\\uc1\\u937 ?}hm", "Ωhm"),
        ("\\u-10179?\\u-8704? ok", "😀 ok"),
        ("a\\emdash b\\~c", "a\u2014b c"),
        ("x{\\pict\\pngblip 89504e47}y", "xy"),
        ("x{\\*\\generator Word}y", "xy"),
        ("{\\info{\\title Secret}}seen", "seen"),
    ],
)
def test_characters_are_read_as_they_are_meant(tmp_path: Path, body: str, text: str) -> None:
    assert read(rtf(tmp_path / "a.rtf", body)).pages[0].text == text


def test_rows_become_a_table(tmp_path: Path) -> None:
    body = "Before\\par\\trowd Load\\cell kN\\cell\\row\\trowd Snow\\cell 0.4\\cell\\row\\pard After"
    document = read(rtf(tmp_path / "a.rtf", body))
    assert cells(document) == {(0, 0): "Load", (0, 1): "kN", (1, 0): "Snow", (1, 1): "0.4"}
    assert document.pages[0].text == "Before\n\nLoad\tkN\nSnow\t0.4\n\nAfter"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"plain", "does not begin as RTF"),
        (b"", "is empty"),
        (b"{\\rtf1}", "holds no text"),
        (b"{\\rtf1 \\uc text}", "cannot be taken apart"),
        (b"{" * 3, "does not begin"),
    ],
)
def test_what_is_no_rich_text_is_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "a.rtf").write_bytes(content)
    with pytest.raises(ReadError, match=reason):
        read(tmp_path / "a.rtf")


def test_a_text_of_a_hundred_thousand_open_groups_ends(tmp_path: Path) -> None:
    assert read(rtf(tmp_path / "a.rtf", "{" * 100_000 + "deep")).pages[0].text == "deep"
