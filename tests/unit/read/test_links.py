"""Hyperlinks and names of places stand where their words stand, whatever white space a file has around them."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pikepdf
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.made_pdfs import Sheet, change, write_pdf
from tests.support.office_files import docx, epub, read, relations

from pincite.read.linked import Linked, LinkedPieces, joined, parted, placed_links
from pincite.read.parts import fold
from pincite.records.pages import Document, Span
from pincite.text.addresses import address_within

WORDS = st.text(alphabet="ab1 \t\n\u00a0\u2003\x07é", max_size=8)


def links(document: Document) -> list[tuple[str, str]]:
    """The words of each link, and where it leads."""
    return [(page.text[link.span.start : link.span.end], link.href) for page in document.pages for link in page.links]


def names(document: Document) -> dict[str, str]:
    """What stands where each name of a place is."""
    return {
        item.name: page.text[item.start :].partition("\n")[0] for page in document.pages for item in page.place_names
    }


def html(path: Path, body: str) -> Path:
    path.write_text(f"<html><body>{body}</body></html>", encoding="utf-8")
    return path


def test_links_of_html_stand_at_their_words(tmp_path: Path) -> None:
    body = (
        "<p>See   <a href=' b.html#x '>the \n  <b>other</b> file</a>,or <a href=c.html>this</a></p>"
        "<ol><li>First <a href=d.html>one</a></ol>"
        "<dl><dt><a href=e.html>term</a><dt>other <a href=f.html>term</a><dd>text <a href=g.html>here</a></dl>"
        "<table><tr><td>a<td>so <a href=h.html>it is</a><tr><td>b<td>c</table>"
        "<p>Never <a href=i.html>closed<p>at all</p><p hidden><a href=j.html>hidden</a></p><p><a>no</a> link</p>"
    )
    assert links(read(html(tmp_path / "a.html", body))) == [
        ("the other file", " b.html#x "),
        ("this", "c.html"),
        ("one", "d.html"),
        ("term", "e.html"),
        ("term", "f.html"),
        ("here", "g.html"),
        ("it is", "h.html"),
        ("closed", "i.html"),
    ]


def test_names_of_html_stand_at_the_block_that_they_name(tmp_path: Path) -> None:
    body = (
        '<a name="top"></a><div id="chapter"><h2 id="title">1 Snow</h2></div>'
        '<p>Some <span id="inside">words</span>.</p>'
        '<a id="before"></a><dl><dt id="first">a</dt><dt id="second">b</dt><dd>c</dd></dl>'
        '<table id="table"><tr id="row"><td>d<td id="cell">e<tr><td>f<td><a name="link">g</a></table><p id="end"></p>'
    )
    document = read(html(tmp_path / "a.html", body))
    assert names(document) == {
        **dict.fromkeys(("top", "chapter", "title"), "1 Snow"),
        "inside": "Some words.",
        **dict.fromkeys(("before", "first", "second"), "a"),
        **dict.fromkeys(("table", "row"), "d\te"),
        "cell": "e",
        "link": "g",
        "end": "",
    }


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(WORDS, st.booleans()), max_size=8))
def test_folding_moves_no_link(pieces: list[tuple[str, bool]]) -> None:
    collected = LinkedPieces()
    expected = []
    for words, is_link in pieces:
        if is_link:
            collected.open_link("x")
        collected.add(words)
        collected.close_link()
        expected += [fold(words)] if is_link and fold(words) else []
    whole = joined([Linked("1. "), collected.take()], "\n")
    text = fold(whole.text)
    found = [text[link.span.start : link.span.end] for link in placed_links(whole.links, text, Span(1, 0, len(text)))]
    assert list(map("".join, map(str.split, found))) == list(map("".join, map(str.split, expected)))


@given(st.lists(st.tuples(st.text("abc \n", max_size=12), st.booleans()), max_size=12), st.data())
def test_the_links_of_a_text_that_is_parted_stay_on_their_words(
    pieces: list[tuple[str, bool]], data: st.DataObject
) -> None:
    collected = LinkedPieces()
    for text, is_link in pieces:
        if is_link:
            collected.open_link(text or "none")
        collected.add(text)
        collected.close_link()
    whole = collected.take()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole.text)), max_size=4)))
    bounds = list(pairwise([0, *cuts, len(whole.text)]))
    for (start, end), part in zip(bounds, parted(whole, bounds), strict=True):
        solid = "".join(part.text.split())
        assert part.text == whole.text[start:end]
        assert all(solid[link.start : link.end] == "".join(link.href.split()) for link in part.links)


def test_links_of_markdown_stand_at_their_words(tmp_path: Path) -> None:
    text = (
        '# The `first` *heading*\n\nSee [one](a.md), [two words](<b c.md#d> "Title"), [three][Ref] and [ref].\n'
        "But not `[code](x.md)`, ![image](y.png), [nothing] or\n\n    [a block](z.md)\n\n- [item](c.md#e)\n\n"
        "| a | b |\n|---|---|\n| [cell](d.md) | x |\n\n"
        "As <a class='x' href=\"f.html#g\">an *element*</a>, `<a href='h'>no</a>`.\n\n## Again\n\n## Again\n\n"
        '<a name="mark"></a>Text.\n\n[REF]: e.md\n'
    )
    path = tmp_path / "a.md"
    path.write_text(text, encoding="utf-8")
    document = read(path)
    assert links(document) == [
        ("one", "a.md"),
        ("two words", "b c.md#d"),
        ("three", "e.md"),
        ("ref", "e.md"),
        ("item", "c.md#e"),
        ("cell", "d.md"),
        ("an *element*", "f.html#g"),
    ]
    assert list(names(document)) == ["the-first-heading", "again", "again-1", "mark"]


def field(code: str, shown: str) -> str:
    """A field of Word as it is written: in pieces, its code apart from what it shows."""
    half = len(code) // 2
    sign = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'
    codes = "".join(f"<w:r><w:instrText>{part}</w:instrText></w:r>" for part in (code[:half], code[half:]))
    return f"{sign.format('begin')}{codes}{sign.format('separate')}{shown}{sign.format('end')}"


def run(text: str) -> str:
    return f"<w:r><w:t>{text}</w:t></w:r>"


def test_links_and_cross_references_of_word_stand_at_their_words(tmp_path: Path) -> None:
    again = field("REF _Ref1 \\h", run("Locks"))
    body = (
        "<w:p>"
        + run("See clause ")
        + field(" REF _Ref1 \\r \\h ", run("5.2"))
        + run(", ")
        + f'<w:hyperlink w:anchor="oil">{run("the oil")}</w:hyperlink>'
        + run(" and ")
        + f'<w:hyperlink r:id="out">{run("outside")}</w:hyperlink>'
        + run(" by ")
        + field(" TITLE \\* MERGEFORMAT ", run("a title"))
        + run(" of ")
        + f'<w:fldSimple w:instr=" REF owner ">{run("Ann")}</w:fldSimple>'
        + run(" in ")
        + field(' HYPERLINK "b.docx" \\l "x" ', run("another ") + field(" PAGEREF x ", run("file")))
        + "</w:p>"
        + f'<w:p><w:bookmarkStart w:id="1" w:name="_Ref1"/>{run("5.2 Locks")}</w:p>'
        + '<w:tbl><w:tr><w:tc><w:p><w:bookmarkStart w:id="2" w:name="oil"/>'
        + f"{run('Oil')}</w:p></w:tc><w:tc><w:p>{again}</w:p></w:tc></w:tr></w:tbl>"
        + '<w:p><w:bookmarkStart w:id="3" w:name="_GoBack"/></w:p>'
    )
    outside = relations(("out", "hyperlink", "https://example.org/")).replace("/></", ' TargetMode="External"/></')
    document = read(docx(tmp_path / "a.docx", body, relations_part=outside))
    assert links(document) == [
        ("5.2", "#_Ref1"),
        ("the oil", "#oil"),
        ("outside", "https://example.org/"),
        ("another file", "b.docx#x"),
        ("Locks", "#_Ref1"),
    ]
    assert names(document) == {"_Ref1": "5.2 Locks", "oil": "Oil\tLocks"}


def linked(sheet: Sheet, y: float, line: str, **targets: str) -> None:
    """A line of text of which these words carry links: to an address where there is a dot in it, else to a bookmark."""
    sheet.text(40, y, line)
    for words, target in targets.items():
        before, _, _ = line.partition(words.replace("_", " "))
        left = 40 + sheet.canvas.stringWidth(before)
        box = (left, sheet.height - y - 2, left + sheet.canvas.stringWidth(words), sheet.height - y + 8)
        if "." in target:
            sheet.canvas.linkURL(target, box)
        else:
            sheet.canvas.linkAbsolute("", target, box)


def test_links_of_pdf_stand_at_their_words_and_lead_to_the_line_below_their_point(tmp_path: Path) -> None:
    def first(sheet: Sheet) -> None:
        linked(sheet, 60, "Oil is told of in section 2 and of", section_2="oil", and_of="gates")
        linked(sheet, 72, "the gates that lie outside or elsewhere.", the_gates="gates", outside="https://example.org/")
        linked(sheet, 100, "Another file says more.", Another_file="other.pdf#page=3")

    def second(sheet: Sheet) -> None:
        sheet.text(40, 60, "1 Gates")
        sheet.canvas.bookmarkPage("gates")
        sheet.text(40, 300, "2 Oil")
        sheet.canvas.bookmarkHorizontalAbsolute("oil", sheet.height - 288)
        sheet.text(40, 330, "The keeper oils the lock.")

    document = read(write_pdf(tmp_path / "a.pdf", [first, second]))
    (oil, to_oil), (gates, to_gates), (elsewhere, to_other) = links(document)
    known = names(document)
    assert (oil, known[to_oil[1:]]) == ("section 2", "2 Oil")
    assert (gates, known[to_gates[1:]]) == ("and of\nthe gates", "1 Gates")
    assert (elsewhere, to_other) == ("Another file", "other.pdf#page=3")
    assert known["page=2"] == "1 Gates"


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_links_of_a_turned_page_stand_at_their_words(tmp_path: Path, turn: int) -> None:
    def first(sheet: Sheet) -> None:
        linked(sheet, 60, "Oil is told of in section 2 below.", section_2="oil")

    def second(sheet: Sheet) -> None:
        sheet.text(40, 60, "1 Gates")
        sheet.text(40, 300, "2 Oil")
        sheet.canvas.bookmarkHorizontalAbsolute("oil", sheet.height - 288)

    def turned(pdf: pikepdf.Pdf) -> None:
        for page in pdf.pages:
            page.Rotate = turn

    ((words, _),) = links(read(change(write_pdf(tmp_path / "a.pdf", [first, second]), turned)))
    assert words == "section 2"


def test_chapters_of_a_book_lead_to_one_another(tmp_path: Path) -> None:
    first = '<h1 id="a">1 Snow</h1><p>See <a href="../text/chapter%200.xhtml#b">wind</a> and <a href="#a">snow</a>.</p>'
    document = read(epub(tmp_path / "a.epub", first, '<h1 id="b">2 Wind</h1><p><a href="http://x.org/#b">x</a></p>'))
    (_, to_wind), (_, to_snow), (_, outside) = links(document)
    assert outside == "http://x.org/#b"
    known = names(document)
    for href, title in ((to_wind, "2 Wind"), (to_snow, "1 Snow")):
        address = address_within("shelf/a.epub", href)
        assert address is not None
        file, place = address
        assert file == "shelf/a.epub"
        assert known[place] == title


@pytest.mark.parametrize(
    ("source_id", "href", "expected"),
    [
        ("a.html", "b.html", ("b.html", "")),
        ("en/a.html", "../de/b%20c.html?x=1#s%2F1", ("de/b c.html", "s/1")),
        ("en/a.html", "#here", ("en/a.html", "here")),
        ("en/a.html", "./", ("en/", "")),
        ("a.html", "../b.html", None),
        ("a.html", "%2e%2e/%2e%2e/etc/passwd", None),
        ("x.zip!/en/a.html", "../b.html", ("x.zip!/b.html", "")),
        ("x.zip!/en/a.html", "../../b.html", None),
        ("x://host/en/a.html", "../b.html", ("x://host/b.html", "")),
        ("x://host/en/a.html", "../../b.html", None),
        ("a.html", "%ff.html", ("%ff.html", "")),
        ("a.html", "mailto:x", None),
        ("a.html", "\\\\host\\b.html", None),
        ("a.html", "/b.html", None),
    ],
)
def test_an_address_is_read_from_the_folder_of_its_file(
    source_id: str, href: str, expected: tuple[str, str] | None
) -> None:
    assert address_within(source_id, href) == expected
