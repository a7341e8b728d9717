"""HTML: what a reader of the page sees, and nothing else."""

from __future__ import annotations

from html import escape
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.office_files import blocks, cells, read

from pincite.errors import ReadError
from pincite.read.parts import fold

SOUP = (
    *(
        "<p>",
        "</p>",
        "<ul>",
        "<li>",
        "</ul>",
        "<ol>",
        "<table>",
        "<tr>",
        "<td colspan=3>",
        "<td rowspan=0>",
        "</table>",
    ),
    *("<b>", "</b>", "<h2>", "</h2>", "<pre>", "</pre>", "<br>", "word", " \n ", "1.2 ", "<nav>", "&#12;"),
)


def page(path: Path, body: str, head: str = "") -> Path:
    path.write_text(f"<html><head>{head}</head><body>{body}</body></html>", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("before", "shown"),
    [
        ("<body>", "The bell rings at noon."),
        ("<body style='background: #fff'>", "The bell rings at noon."),
        ("<body bgcolor='navy'>", "The bell rings at noon. The mayor pays."),
        ("<style>body { background: navy }</style>", "The bell rings at noon. The mayor pays."),
        ("<div style='background-color: #123'>", "The bell rings at noon. The mayor pays."),
    ],
)
def test_white_text_on_the_white_of_a_page_is_not_read(tmp_path: Path, before: str, shown: str) -> None:
    path = tmp_path / "a.html"
    path.write_text(f"{before}<p>The bell rings at noon.<span style='color:#FFFFFF'> The mayor pays.</span></p>")
    assert read(path).pages[0].text == shown


def test_scripts_styles_comments_and_hidden_elements_never_appear(tmp_path: Path) -> None:
    body = (
        "<script>x1</script><style>x2</style><!-- x3 --><noscript>x4</noscript><p hidden>x5</p>"
        "<p style='display: none'>x6</p><template>x7</template><iframe src='file:///etc/passwd'>x8</iframe>"
        "<p>shown<span style='visibility:hidden'>x9</span> here</p>"
    )
    assert read(page(tmp_path / "a.html", body)).pages[0].text == "shown here"


SHEET = """<style>/* { of a { comment */ @import url(x.css); @media print { p { display: none } }
.late, td.late { text-decoration: line-through } #gone { display:none } .note.up {vertical-align: super}
li:hover, div .late2 { display: none } .blank { visibility: hidden } table .mid, td { vertical-align: text-top }
</style><style media="print">h1 { display: none }</style>"""


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ("<h1>Keys</h1><p>The gate shuts at <b class='late'>8</b> 9.</p>", "Keys\n\nThe gate shuts at ~~8~~ 9."),
        ("<p id=gone>The porter is Al.</p><p class='x blank'>Two.</p><p>The porter is Bo.</p>", "The porter is Bo."),
        ("<p>A yard of 4 m<i class='up note'>2</i> <i class='up'>2</i></p>", "A yard of 4 m² 2"),
        ("<p id=gone style='display: block'>The porter is Al.</p>", "The porter is Al."),
        ("<table><tr><td class=late>6</td><td>7</td></tr></table>", "~~6~~\t7"),
        ("<ul><li>one</li></ul><div><p class=late2>two</p></div>", "one\n\ntwo"),
    ],
)
def test_what_the_sheets_of_a_page_say_of_single_elements_counts(tmp_path: Path, body: str, shown: str) -> None:
    assert read(page(tmp_path / "a.html", body, SHEET)).pages[0].text == shown


def test_what_a_script_may_show_is_text(tmp_path: Path) -> None:
    head = "<style>.panel {display: none} .old {text-decoration: line-through}</style>"
    body = "<p class=panel>Opens at <b class=old>8</b> 9.</p><p>Shuts at 6.</p>"
    made = page(tmp_path / "a.html", body, f"{head}<script>open()</script>")
    assert read(made).pages[0].text == "Opens at ~~8~~ 9.\n\nShuts at 6."
    made = page(tmp_path / "b.html", body, f'{head}<script type="application/ld+json">{{}}</script>')
    assert read(made).pages[0].text == "Shuts at 6."


def test_signs_by_which_headings_lead_to_themselves_are_no_text(tmp_path: Path) -> None:
    body = (
        '<h2>2 Snow<a class="headerlink" href="#snow" title="Permalink to this heading">¶</a></h2>'
        '<dl><dt><code>snow WORD</code><a href="#cmd-snow"> &para;</a></dt><dd>Clears it.</dd></dl>'
        '<p>See <a href="rules.html#s">§</a> 5, <a href="#n">#7</a> and ¶ 3.</p>'
    )
    (shown,) = read(page(tmp_path / "a.html", body)).pages
    assert shown.text.split() == "2 Snow snow WORD Clears it. See § 5, #7 and ¶ 3.".split()


def test_headings_lists_and_paragraphs_with_their_places(tmp_path: Path) -> None:
    body = "<h1>2 Roofs</h1><p>One<br>line two.<p>Two.<ol start=3><li>a<li>b</ol><ul><li>c</ul><h2>Notes</h2><p>Three."
    document = read(page(tmp_path / "a.html", body, "<title>All  about roofs</title>"))
    assert blocks(document, "heading") == ["2 Roofs", "Notes"]
    assert blocks(document, "paragraph") == ["One\nline two.", "Two.", "Three."]
    assert blocks(document, "list_item") == ["3. a", "4. b", "c"]
    assert [block.level for block in document.pages[0].blocks if block.kind == "heading"] == [1, 2]
    assert [block.locator for block in document.pages[0].blocks][:3] == [
        "sec. 2",
        "sec. 2, par. 1",
        "sec. 2, par. 2",
    ]
    assert document.title == "All about roofs"


def test_an_empty_line_in_running_text_parts_paragraphs(tmp_path: Path) -> None:
    body = '<p>One<br>line.<br>&nbsp;<br><br>Two, as <a href="b.html">Ben</a> says.</p>'
    document = read(page(tmp_path / "a.html", f"{body}<ul><li>Three.<br> <br>Four.</ul>"))
    assert blocks(document, "paragraph") == ["One\nline.", "Two, as Ben says."]
    assert blocks(document, "list_item") == ["Three.", "Four."]
    (found,) = document.pages
    assert [found.text[link.span.start : link.span.end] for link in found.links] == ["Ben"]


def test_an_empty_line_in_code_or_a_heading_parts_nothing(tmp_path: Path) -> None:
    document = read(page(tmp_path / "a.html", "<h1>2<br><br>Roofs</h1><p><code>a = 1<br><br>b = 2</code></p>"))
    assert blocks(document, "heading") == ["2\nRoofs"]
    assert blocks(document, "paragraph") == ["a = 1\nb = 2"]


def test_without_numbered_headings_paragraphs_are_counted_through(tmp_path: Path) -> None:
    document = read(page(tmp_path / "a.html", "<h1>Roofs</h1><p>One.<p>Two."))
    assert [block.locator for block in document.pages[0].blocks] == ["par. 1", "par. 2", "par. 3"]


def test_a_heading_without_number_on_the_same_level_ends_the_section(tmp_path: Path) -> None:
    document = read(page(tmp_path / "a.html", "<h1>1 Roofs</h1><p>One.<h1>References</h1><p>Two."))
    assert [block.locator for block in document.pages[0].blocks] == ["sec. 1", "sec. 1, par. 1", "par. 3", "par. 4"]


def test_cells_that_span_rows_and_columns_push_the_others_aside(tmp_path: Path) -> None:
    body = (
        "<table><caption>Table 1</caption><tr><th rowspan=2>Class<th colspan=2>Slope<tr><th>flat<th>steep"
        "<tr><td>U1<td>R10<td>R11<br>or R12</table>"
    )
    document = read(page(tmp_path / "a.html", body))
    assert cells(document) == {
        (0, 0): "Class",
        (0, 1): "Slope",
        (1, 1): "flat",
        (1, 2): "steep",
        (2, 0): "U1",
        (2, 1): "R10",
        (2, 2): "R11 or R12",
    }
    assert blocks(document, "caption") == ["Table 1"]
    assert [cell.header for cell in document.pages[0].tables[0].cells] == [True] * 4 + [False] * 3


def test_a_table_that_only_lays_out_the_page_is_no_table(tmp_path: Path) -> None:
    document = read(page(tmp_path / "a.html", "<table><tr><td><h2>Left</h2><p>Text.<td>Right</table>"))
    assert document.pages[0].tables == ()
    assert blocks(document, "paragraph") == ["Text.", "Right"]


def test_navigation_is_furniture(tmp_path: Path) -> None:
    assert blocks(read(page(tmp_path / "a.html", "<nav>Home</nav><p>Text.")), "furniture") == ["Home"]


def test_links_to_the_pages_before_and_behind_are_furniture(tmp_path: Path) -> None:
    links = 'Prev: <a href="a.html" rel="prev">Oak</a>, Up: <a href="b.html" rel="up">Trees</a> [<a href="i">Index</a>]'
    text = '<p>Beech follows <a href="c.html">oak</a> where the soil is dry.'
    document = read(page(tmp_path / "a.html", f'<div class="head"><p>{links}</div>{text}'))
    assert blocks(document, "furniture") == ["Prev: Oak, Up: Trees [Index]"]
    assert blocks(document, "paragraph") == ["Beech follows oak where the soil is dry."]


def test_text_around_a_link_to_the_next_page_stays_text(tmp_path: Path) -> None:
    document = read(page(tmp_path / "a.html", '<div><p>Beech is hard.</p><a href="b.html" rel="next">Oak</a></div>'))
    assert blocks(document, "paragraph") == ["Beech is hard.", "Oak"]


@pytest.mark.parametrize("charset", ["utf-8", "windows-1251", "x-unknown"])
def test_a_wrong_charset_does_not_spoil_the_words(tmp_path: Path, charset: str) -> None:
    path = tmp_path / "a.html"
    path.write_bytes(f'<meta charset="{charset}"><p>Größe – Maß</p>'.encode())
    assert read(path).pages[0].text == "Größe – Maß"


def test_the_stated_charset_is_used(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_bytes('<meta http-equiv="content-type" content="text/html; charset=koi8-r"><p>Снег'.encode("koi8-r"))
    assert read(path).pages[0].text == "Снег"


def test_a_page_that_is_nested_without_end_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="nested too deeply"):
        read(page(tmp_path / "a.html", "<div>" * 100_000 + "deep"))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    pieces=st.lists(
        st.sampled_from(SOUP),
        max_size=40,
    )
)
def test_any_soup_of_tags_gives_blocks_that_slice_the_text(tmp_path: Path, pieces: list[str]) -> None:
    path = page(tmp_path / "a.html", "".join(pieces))
    try:
        document = read(path)
    except ReadError:
        assert "word" not in pieces
        return
    assert document.pages[0].text.count("word") == pieces.count("word")


def test_a_term_keeps_its_text_in_a_list_of_definitions(tmp_path: Path) -> None:
    body = (
        "<dl><dt><code>checkpoint_timeout</code> (integer)</dt><dd><p>Maximum time between checkpoints.</p>"
        "<p>The default is five minutes.</p></dd><dt>-a</dt><dt><p>--all</p></dt><dd>Shows both.</dd>"
        "<dt>alone</dt></dl><h2>Next</h2><p>Text.</p>"
    )
    document = read(page(tmp_path / "a.html", body))
    assert blocks(document, "list_item") == [
        "checkpoint_timeout (integer)\nMaximum time between checkpoints.",
        "The default is five minutes.",
        "-a\n--all\nShows both.",
        "alone",
    ]
    assert document.pages[0].text.endswith("alone\n\nNext\n\nText.")


def test_a_term_without_text_stays_before_what_follows(tmp_path: Path) -> None:
    body = "<dl><dt>first<h3>Heading</h3><dt>second<table><tr><th>a</th><td>b</td></tr></table><dd>text</dd></dl>"
    assert read(page(tmp_path / "a.html", body)).pages[0].text.split("\n\n") == [
        "first",
        "Heading",
        "second",
        "a\tb",
        "text",
    ]


def test_titles_that_docbook_sets_above_tables_are_captions(tmp_path: Path) -> None:
    body = (
        '<div class="table"><p class="title"><b>Table 5.1. pg_enum Columns</b></p><div class="table-contents">'
        "<table><tr><td>a<td>b<tr><td>c<td>d</table></div></div><p class='title'>No caption</p>"
    )
    document = read(page(tmp_path / "a.html", body))
    assert blocks(document, "caption") == ["Table 5.1. pg_enum Columns"]
    assert blocks(document, "paragraph") == ["No caption"]


MANUAL = """
PUMP(1)                                                                PUMP(1)

<b>NAME</b>
       pump - lifts water

<b>DESCRIPTION</b>
       The  <a href="pump.html">pump</a>  lifts  water  from  the  well  into the
       tank of the house, as long as there is power.

       The following options are recognised by all pumps of the house:

       <b>-f</b>     Fill the tank to its brim, and stop there at once.

              This takes an hour, as <a href="tank.html">the tank</a> is large.

PUMP(1)                                                                PUMP(1)
"""


def test_a_manual_page_that_was_printed_has_headings_and_paragraphs(tmp_path: Path) -> None:
    found = read(page(tmp_path / "pump.html", f"<pre>{MANUAL}</pre>")).pages[0]
    assert [(block.kind, found.text[block.span.start : block.span.end].split("\n")[0]) for block in found.blocks] == [
        ("furniture", "PUMP(1) PUMP(1)"),
        ("heading", "NAME"),
        ("paragraph", "pump - lifts water"),
        ("heading", "DESCRIPTION"),
        ("paragraph", "The pump lifts water from the well into the"),
        ("paragraph", "The following options are recognised by all pumps of the house:"),
        ("paragraph", "-f Fill the tank to its brim, and stop there at once."),
        ("paragraph", "This takes an hour, as the tank is large."),
        ("furniture", "PUMP(1) PUMP(1)"),
    ]
    assert [(found.text[link.span.start : link.span.end], link.href) for link in found.links] == [
        ("pump", "pump.html"),
        ("the tank", "tank.html"),
    ]


@pytest.mark.parametrize(
    "code",
    [
        "pump:\n  power: 5\n\ntank:\n  litres: 300\n\nwell:\n  depth: 12",
        "\n\n".join(
            f"CREATE FUNCTION lift(a int, b int) RETURNS int\n    AS 'f{n}', 'lift' LANGUAGE C STRICT;"
            for n in range(4)
        ),
        "\n\n".join(
            f"    if (pump->level > {n} && tank != NULL)\n        start(pump, &tank, sizeof(tank), x[{n}]);"
            for n in range(4)
        ),
    ],
)
def test_code_with_blank_lines_stays_one_block(tmp_path: Path, code: str) -> None:
    document = read(page(tmp_path / "a.html", f"<p>Write:</p><pre>{escape(code)}</pre>"))
    assert blocks(document, "paragraph")[1:] == [fold(code)]


def test_a_cell_that_spans_all_rows_of_its_group_stands_before_each_of_them(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text(
        "<table><tr><th>Port</th><th colspan=2>Catch</th></tr><tr><th></th><th>cod</th><th>hake</th></tr>"
        "<tbody><tr><td rowspan=0>Oban</td><td>1</td><td>2</td></tr><tr><td>3</td><td></td></tr></tbody>"
        "<tbody><tr><td>All</td><td>4</td><td>2</td></tr></tbody></table>",
        encoding="utf-8",
    )
    assert blocks(read(path), "table") == ["Port\tCatch\tCatch\n\tcod\thake\nOban\t1\t2\nOban\t3\t\nAll\t4\t2"]


@pytest.mark.parametrize(
    ("inside", "items"),
    [
        ("<ol start=4><li>oats<li value=9>rye<li>barley</ol>", ["4. oats", "9. rye", "10. barley"]),
        ("<ol type=a start=3><li>oats<li>rye</ol>", ["c. oats", "d. rye"]),
        ("<ol reversed><li>gold<li>iron</ol>", ["2. gold", "1. iron"]),
        (
            '<ol style="list-style-type: upper-roman"><li>oats<ul><li>rolled</ul><li>rye</ol>',
            ["I. oats", "rolled", "II. rye"],
        ),
        ("<ol style='list-style: none'><li>oats</ol><ul><li>rye</ul>", ["oats", "rye"]),
        ("<ol start=0><li>oats<li>rye</ol>", ["0. oats", "1. rye"]),
    ],
)
def test_items_have_the_numbers_that_a_browser_shows(tmp_path: Path, inside: str, items: list[str]) -> None:
    path = tmp_path / "a.html"
    path.write_text(inside, encoding="utf-8")
    assert blocks(read(path), "list_item") == items


def test_fields_of_a_form_show_what_was_filled_in(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text(
        "<p>Fence: <input type=radio name=f checked>oak <input type=radio name=f>ash</p>"
        "<p><label><input type=checkbox> painted</label></p>"
        "<p>Owner: <input value='Ida Moor'> <input type=hidden value=secret><input type=password value=pw></p>"
        "<p>Gate: <select><option>left<option selected>right</select></p>"
        "<table><tr><td>Lock</td><td><input type=checkbox checked></td></tr><tr><td>Bell</td><td>no</td></tr></table>",
        encoding="utf-8",
    )
    document = read(path)
    assert blocks(document, "paragraph") == ["Fence: ☒ oak ☐ ash", "☐ painted", "Owner: Ida Moor", "Gate: right"]
    assert blocks(document, "table") == ["Lock\t☒\nBell\tno"]


def test_what_is_said_of_a_picture_stands_behind_its_text(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text(
        "<p>See <img alt='Map: the ford is east of the mill'> here.</p><p><img alt='logo'>Text.</p>"
        "<figure><img alt='The very same words here'><figcaption>The same words.</figcaption></figure>",
        encoding="utf-8",
    )
    assert read(path).pages[0].text == "See here.\n\nMap: the ford is east of the mill\n\nText.\n\nThe same words."
