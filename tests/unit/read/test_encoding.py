"""Text files in any encoding: the words are right, and no line is gained or lost."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import ReadError
from pincite.read.encoding import clean, decode, text_of

RUSSIAN = "Снеговая нагрузка на покрытие определяется по расчётному значению веса снегового покрова. " * 6
POLISH = "Obciążenie śniegiem dachu należy określać według wartości charakterystycznej; dach płaski, źródło. " * 6
JAPANESE = "屋根の雪荷重は、地上の雪荷重に屋根形状係数を乗じて求める。積雪の単位重量は地域によって異なる。" * 6


@pytest.mark.parametrize(
    ("mark", "name"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
        (b"", "utf-8"),
        (b"", "utf-16-le"),
        (b"", "utf-16-be"),
        (b"", "utf-32-le"),
        (b"", "utf-32-be"),
        (b"", "cp1252"),
    ],
)
def test_the_encoding_is_found(mark: bytes, name: str) -> None:
    text = "1 Scope\nThe café is 5 m wide.\n"
    assert decode(mark + text.encode(name)) == text


@pytest.mark.parametrize(
    ("text", "name"), [(RUSSIAN, "koi8-r"), (RUSSIAN, "cp1251"), (POLISH, "cp1250"), (JAPANESE, "shift_jis")]
)
def test_the_likeliest_encoding_is_taken_where_none_is_stated(text: str, name: str) -> None:
    assert decode(text.encode(name)) == text


def test_a_wrong_statement_is_not_believed() -> None:
    assert decode("Café – bar".encode("cp1252"), "utf-8") == "Café – bar"
    assert decode("Café".encode(), "iso-8859-1") == "Café"
    assert decode("Café".encode("cp1252"), "no-such-code") == "Café"


def test_stated_encodings_of_seven_bits_are_believed() -> None:
    assert decode("雪".encode("iso-2022-jp"), "ISO-2022-JP") == "雪"


def test_damaged_utf8_keeps_its_whole_characters() -> None:
    assert decode("Größe über Maß ".encode() + b"\xff") == "Größe über Maß \ufffd"


def test_control_characters_and_terminal_escapes_go_away() -> None:
    assert clean("a\0b\x1b[31mred\x1b[0m\x07\r\nnext\rlast\fpage") == "abred\nnext\nlast page"


def test_a_file_of_zero_bytes_only_holds_no_text(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(bytes(4096))
    with pytest.raises(ReadError, match="holds no text"):
        text_of(path, 100_000)


def test_a_file_beyond_the_limit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("word " * 100, encoding="utf-8")
    with pytest.raises(ReadError, match="more than 200 characters"):
        text_of(path, 200)


@given(st.text())
def test_cleaning_keeps_the_count_of_lines(text: str) -> None:
    ends = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\x1b" not in text:
        assert clean(text).count("\n") == ends.count("\n")
    assert clean(clean(text)) == clean(text)


@given(st.binary(max_size=300), st.sampled_from([None, "utf-8", "shift_jis", "rot13", "idna", "hex", "x\0y"]))
def test_any_bytes_give_some_text(data: bytes, declared: str | None) -> None:
    assert isinstance(decode(data, declared), str)
