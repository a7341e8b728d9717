"""Bytes to text: byte order marks, declared and guessed encodings, control characters."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from charset_normalizer import from_bytes

from pincite.errors import ReadError

SAMPLE_BYTES = 200_000
SHORT_BYTES = 400
MAX_BYTES_PER_CHARACTER = 4

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_WIDE = (("utf-32-le", 4, 0), ("utf-32-be", 4, 3), ("utf-16-le", 2, 0), ("utf-16-be", 2, 1))
_WESTERN = frozenset({"ascii", "iso-8859-1", "iso8859-1", "latin-1", "latin1", "us-ascii"})
_GUESSES = [
    *("cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "iso8859_2", "iso8859_5"),
    *("koi8_r", "shift_jis", "euc_jp", "gb18030", "big5", "euc_kr", "tis_620"),
]
_ESCAPE_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_LINE_END = re.compile(r"\r\n?")
_OTHER_BREAK = re.compile("[\x0b\x0c\x1c-\x1f\x85\u2028\u2029]")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff\ufeff\ufffe\uffff]")


def read_bytes(path: Path, limit: int) -> bytes:
    """The bytes of a file of at most `limit` bytes; a larger or unreadable one raises ReadError."""
    try:
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except OSError as error:
        raise ReadError(f"cannot be opened: {error.strerror or error}") from error
    if len(data) > limit:
        raise ReadError(f"is larger than {limit:,} bytes, the limit for its kind: split it")
    if not data:
        raise ReadError("is empty (0 bytes)")
    return data


def decode(data: bytes, declared: str | None = None) -> str:
    """The text of some bytes: by byte order mark, else as UTF-8, else as declared, else by the likeliest guess.

    Bytes that fit no encoding become U+FFFD; nothing is raised. The byte order mark is no part of the text.
    """
    for mark, name in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(name, errors="replace")
    wide = _wide_without_mark(data)
    if wide:
        return data.decode(wide, errors="replace")
    for name in filter(None, ("utf-8" if not _is_stateful(declared) else None, _known(declared))):
        try:
            return data.decode(name)
        except UnicodeDecodeError:
            continue
    return _guess(data)


def clean(text: str) -> str:
    """One `\\n` for each line end; terminal escapes, control characters and lone surrogates taken out.

    The number of lines stays; breaks of other kinds (form feed, U+2028) become spaces.
    """
    text = _LINE_END.sub("\n", text)
    text = _ESCAPE_SEQUENCE.sub("", text)
    return _CONTROL.sub("", _OTHER_BREAK.sub(" ", text))


def text_of(path: Path, max_characters: int, declared: str | None = None) -> str:
    """The cleaned text of a text file; raises ReadError where it holds none, or more than `max_characters`."""
    text = clean(decode(read_bytes(path, max_characters * MAX_BYTES_PER_CHARACTER), declared))
    if len(text) > max_characters:
        raise ReadError(f"holds more than {max_characters:,} characters: split it")
    if not text.strip():
        raise ReadError("holds no text")
    return text


def _is_stateful(declared: str | None) -> bool:
    """ISO 2022 and its like are 7-bit: they would pass for UTF-8."""
    return (declared or "").lower().startswith(("iso-2022", "hz"))


def _known(declared: str | None) -> str | None:
    """The codec of a declared name; ASCII and Latin-1 mean Windows-1252, as browsers take them."""
    name = (declared or "").strip().strip("\"'").lower()
    if name in _WESTERN:
        return "cp1252"
    try:
        info = codecs.lookup(name)
    except (LookupError, ValueError):
        return None
    return info.name if getattr(info, "_is_text_encoding", True) else None


def _wide_without_mark(data: bytes) -> str | None:
    """UTF-16 or UTF-32 by where zero bytes stand: text in Latin script has them in fixed places only."""
    sample = data[:4096]
    if b"\0" not in sample:
        return None
    for name, width, place in _WIDE:
        units = len(sample) // width
        filled = sum(1 for start in range(0, units * width, width) if sample[start + place])
        zeros = sample[: units * width].count(0)
        if filled == units > 1 and zeros >= 0.7 * units * (width - 1):
            return name
    return None


def _guess(data: bytes) -> str:
    if _is_mostly_utf8(data):
        return data.decode("utf-8", errors="replace")
    others = sum(byte >= 0x80 for byte in data[:SAMPLE_BYTES])
    if len(data) > SHORT_BYTES or others * 4 > len(data):
        best = from_bytes(data[:SAMPLE_BYTES], cp_isolation=_GUESSES).best()
        if best is not None:
            return data.decode(best.encoding, errors="replace")
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _is_mostly_utf8(data: bytes) -> bool:
    """UTF-8 with damage: more whole multi-byte characters than bytes that fit none."""
    text = data[:SAMPLE_BYTES].decode("utf-8", errors="replace")
    broken = text.count("\ufffd")
    return sum(character > "\x7f" for character in text) - broken > broken
