"""PDFs in fonts that say little or nothing about their letters, as TeX and cut-down fonts leave them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream

FontMaker = Callable[[pikepdf.Pdf], Dictionary]

_WIDTHS = [500] * 256
_MAP = b"""/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def
1 begincodespacerange <00> <FF> endcodespacerange
%s
endcmap end end"""


def write_in_font(path: Path, font: FontMaker, pages: Sequence[Sequence[bytes]]) -> Path:
    """A PDF of these lines, codes of the font, on each page."""
    pdf = pikepdf.new()
    made = pdf.make_indirect(font(pdf))
    for lines in pages:
        page = pdf.add_blank_page(page_size=(400, 560))
        page.Resources = Dictionary(Font=Dictionary(F1=made))
        shown = b"".join(b"<" + line.hex().encode() + b"> Tj T* " for line in lines)
        page.Contents = Stream(pdf, b"BT /F1 10 Tf 14 TL 30 520 Td " + shown + b"ET")
    pdf.save(path, deterministic_id=True)
    return path


def font_without_encoding(pdf: pikepdf.Pdf) -> Dictionary:
    """A font of TeX by name alone: 0x0C is "fi", 0x0D "fl", which nothing in the file says."""
    return _type1(pdf)


def font_with_joined_names(pdf: pikepdf.Pdf) -> Dictionary:
    """A font whose ligatures are called "f_i" and "f_l"."""
    return _type1(pdf, Encoding=Dictionary(Type=Name.Encoding, Differences=Array([12, Name("/f_i"), Name("/f_l")])))


def font_with_two_letters_a_code(pdf: pikepdf.Pdf) -> Dictionary:
    """A font that says which two letters its ligature 0x0C is."""
    known = Stream(pdf, _MAP % b"1 beginbfrange <20> <7E> <0020> endbfrange 1 beginbfchar <0C> <00660069> endbfchar")
    return _type1(pdf, ToUnicode=known)


def font_of_unknown_letters(pdf: pikepdf.Pdf) -> Dictionary:
    """A font that calls its ligature 0x0C a character that nobody knows."""
    known = Stream(pdf, _MAP % b"1 beginbfrange <20> <7E> <0020> endbfrange 1 beginbfchar <0C> <FFFD> endbfchar")
    return _type1(pdf, ToUnicode=known)


def font_of_bitmaps(pdf: pikepdf.Pdf) -> Dictionary:
    """A font of drawings named by their numbers, as TeX makes them: 0x1C is "fi", 0x1D "fl", 0x1B "ff"."""
    codes = [*range(0x1B, 0x20), *range(0x21, 0x7F)]
    return _drawn(pdf, dict.fromkeys(codes, 600))


def font_of_arabic_drawings(pdf: pikepdf.Pdf) -> Dictionary:
    """A font that draws the Arabic letters from U+0627 on for "A" and those behind it, each as high as it is, as
    browsers embed them; "z" is a letter with the mark above it, "l" a ligature of two."""
    letters = range(ord("A"), ord("Z"))
    ranges = b"2 beginbfrange <20> <40> <0020> <41> <59> <0627> endbfrange"
    known = ranges + b" 2 beginbfchar <6C> <06440627> <7A> <06280651> endbfchar"
    heights = {code: 150 + 61 * (code % 9) for code in letters} | dict.fromkeys(range(33, 65), 600)
    return _drawn(pdf, {**heights, ord("l"): 700, ord("z"): 250}, ToUnicode=Stream(pdf, _MAP % known))


def _drawn(pdf: pikepdf.Pdf, heights: Mapping[int, int], **more: object) -> Dictionary:
    drawings = {
        height: pdf.make_indirect(Stream(pdf, b"500 0 0 0 450 %d d1 0 0 450 %d re f" % (height, height)))
        for height in heights.values()
    }
    names = {code: f"/a{code}" for code in heights}
    differences = [item for code in heights for item in (code, Name(names[code]))]
    return Dictionary(
        Type=Name.Font,
        Subtype=Name.Type3,
        FontBBox=Array([0, 0, 500, 700]),
        FontMatrix=Array([0.001, 0, 0, 0.001, 0, 0]),
        FirstChar=0,
        LastChar=255,
        Widths=Array(_WIDTHS),
        Encoding=Dictionary(Type=Name.Encoding, Differences=Array(differences)),
        CharProcs=Dictionary({names[code]: drawings[height] for code, height in heights.items()}),
        Resources=Dictionary(),
        **more,
    )


def _type1(pdf: pikepdf.Pdf, **more: object) -> Dictionary:
    name = Name("/ABCDEF+CMR10")
    descriptor = Dictionary(
        Type=Name.FontDescriptor,
        FontName=name,
        Flags=4,
        FontBBox=Array([0, 0, 500, 700]),
        ItalicAngle=0,
        Ascent=700,
        Descent=-200,
        CapHeight=700,
        StemV=80,
    )
    stated = {
        "FirstChar": 0,
        "LastChar": 255,
        "Widths": Array(_WIDTHS),
        "FontDescriptor": pdf.make_indirect(descriptor),
    }
    return Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=name, **stated, **more)
