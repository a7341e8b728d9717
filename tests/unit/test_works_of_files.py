"""A manual that is split over files is one work: links, numbers of chapters and cross references lead between them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from zipfile import ZipFile

import pytest
from tests.support.made_pdfs import Sheet, paragraph, write_pdf
from tests.support.manuals import ABOUT, chapter, html, led_to, write_files
from tests.support.office_files import docx
from tests.support.office_files import paragraph as word_paragraph

from pincite.cli.main import main
from pincite.engine.engine import Engine
from pincite.errors import NotThereError, UsageError
from pincite.records.questions import Filter
from pincite.settings import Settings
from pincite.structure.resolve import link_references
from pincite.wiring import open_engine

CONTENTS = html(
    '<h1>Manual</h1><ul><li><a href="ch43.html">Chapter 43 - Pumps</a></li>'
    '<li><a href="ch44.html">Chapter 44 - Locks</a></li></ul>'
)
PUMPS = chapter(
    "<h1>Chapter 43 - Pumps</h1><h2>1. Oiling</h2><p>The keeper oils the pump.</p>"
    f'<h2 id="wear">2. Wear</h2><p>Worn parts are replaced. {ABOUT}</p>',
    after="ch44.html",
)
LOCKS = chapter(
    f"<h1>Chapter 44 - Locks</h1><h2>1. Gates</h2><p>A gate is painted. {ABOUT}</p>"
    f'<h2>2. Paint</h2><p>{ABOUT}</p><h2 id="caching">3. Caching</h2><p>Water is kept. {ABOUT}</p>',
    before="ch43.html",
)
Opened = Callable[..., Engine]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    """A function that writes files, and gives an engine that has indexed them."""
    with ExitStack() as stack:

        def open_folder(files: dict[str, str], name: str = "manual") -> Engine:
            folder = write_files(tmp_path / name, files)
            settings = Settings(embedder="none")
            engine = stack.enter_context(open_engine(settings, tmp_path / f"{name}.store", create=True))
            engine.index([folder])
            return engine

        yield open_folder


def manual(**extra: str) -> dict[str, str]:
    """The manual with more files, ".html" being left out of their names."""
    more = {f"{name}.html": text for name, text in extra.items()}
    return {"index.html": CONTENTS, "ch43.html": PUMPS, "ch44.html": LOCKS} | more


# --- links


def test_a_link_of_a_pdf_leads_to_the_one_of_two_sections_of_a_number_that_it_points_to(tmp_path: Path) -> None:
    def first(sheet: Sheet) -> None:
        sheet.text(40, 60, "Part A", 16, bold=True)
        sheet.text(40, 90, "1 Gates", 14, bold=True)
        sheet.lines(40, 120, ["Gates are oiled as is told in section 2 below, or", "as is told in section 1 of them."])
        left = 40 + sheet.canvas.stringWidth("Gates are oiled as is told in ")
        sheet.canvas.linkAbsolute("", "late", (left, sheet.height - 122, left + 48, sheet.height - 110))
        sheet.text(40, 160, "2 Oil", 14, bold=True)
        sheet.lines(40, 190, paragraph(1, 3))

    def second(sheet: Sheet) -> None:
        sheet.text(40, 60, "Part B", 16, bold=True)
        sheet.text(40, 90, "1 Locks", 14, bold=True)
        sheet.lines(40, 120, paragraph(2, 3))
        sheet.text(40, 300, "2 Paint", 14, bold=True)
        sheet.canvas.bookmarkHorizontalAbsolute("late", sheet.height - 285)
        sheet.lines(40, 330, paragraph(3, 3))

    folder = tmp_path / "manual"
    folder.mkdir()
    write_pdf(folder / "a.pdf", [first, second])
    with open_engine(Settings(embedder="none"), tmp_path / "store", create=True) as engine:
        engine.index([folder])
        assert led_to(engine, "a.pdf")["section 2"] == "a.pdf: 2 Paint"


def test_a_cross_reference_of_word_leads_to_its_bookmark(tmp_path: Path) -> None:
    def heading(number: int, title: str) -> str:
        mark = f'<w:bookmarkStart w:id="{number}" w:name="_Ref{number}"/>'
        settings = '<w:pPr><w:outlineLvl w:val="0"/></w:pPr>'
        return f"<w:p>{settings}{mark}<w:r><w:t>{title}</w:t></w:r></w:p>"

    simple = '<w:fldSimple w:instr=" REF _Ref2 \\h "><w:r><w:t>what is said of oil</w:t></w:r></w:fldSimple>'
    told = (
        f"<w:p><w:r><w:t xml:space='preserve'>A keeper follows </w:t></w:r>{simple}<w:r><w:t> there.</w:t></w:r></w:p>"
    )
    folder = tmp_path / "manual"
    folder.mkdir()
    docx(folder / "a.docx", heading(1, "Gates") + told + heading(2, "Oil and grease") + word_paragraph(ABOUT))
    with open_engine(Settings(embedder="none"), tmp_path / "store", create=True) as engine:
        engine.index([folder])
        assert led_to(engine, "a.docx") == {"what is said of oil": "a.docx: Oil and grease"}


def test_a_link_leads_to_the_place_of_another_file_that_it_names(opened: Opened) -> None:
    body = '<h1>Notes</h1><p>Water is kept as <a href="ch44.html#caching">is told of caches</a> in winter.</p>'
    engine = opened(manual(notes=chapter(body)))
    assert led_to(engine, "notes.html") == {"is told of caches": "ch44.html: 3. Caching"}


def test_a_link_leads_to_a_place_of_its_own_file(opened: Opened) -> None:
    body = (
        '<p>What wears out is replaced, as <a href="#late">is told below</a> in short.</p><h2>2 Rest</h2>'
        f'<p>{ABOUT}</p><p>All else <a name="late"></a>comes late.</p>'
    )
    engine = opened({"a.html": html(f"<h2>1 First</h2>{body}")})
    assert led_to(engine, "a.html") == {"is told below": "a.html: All else comes late."}


def test_a_link_to_a_file_leads_to_where_it_begins_to_speak(opened: Opened) -> None:
    listed = '<h2><a href="#one">1. Oars</a></h2><h2><a href="#two">2. Sails</a></h2>'
    engine = opened(
        {
            "a.html": html('<p>There is much to say <a href="b.html">about boats</a> here.</p>'),
            "b.html": html(
                f'{listed}<h2 id="one">1. Oars</h2><p>Oars are wood. {ABOUT}</p>'
                f'<h2 id="two">2. Sails</h2><p>{ABOUT}</p>'
            ),
        }
    )
    assert led_to(engine, "a.html")["about boats"] == "b.html: 1. Oars"
    ((_, link),) = engine.session().documents.references("a.html")
    assert (
        engine.session()
        .documents.chunks_at("b.html", link.targets[0].start, link.targets[0].end)[0]
        .content.endswith(ABOUT)
    )


def test_a_number_that_a_link_carries_leads_where_the_link_leads(opened: Opened) -> None:
    body = '<h2>3. Other</h2><p>For caches see section <a href="ch44.html#caching">44.3</a> of the manual.</p>'
    engine = opened(manual(notes=chapter(body)))
    ((reference, link),) = engine.session().documents.references("notes.html")
    assert (reference.text, reference.unit, reference.number) == ("section 44.3", "section", "44.3")
    assert link.targets[0].source_id == "ch44.html"


def test_addresses_outside_are_no_references(opened: Opened) -> None:
    links = "".join(
        f'<p>More on this is <a href="{href}">said elsewhere</a> by others.</p>'
        for href in (
            *("http://example.org/a.html", "mailto:keeper@example.org", "//example.org/b.html", "javascript:void(0)"),
            *("file:///etc/passwd", "/etc/passwd", "../../etc/passwd", "..\\..\\etc\\passwd#a", "", "#", "data:,x"),
        )
    )
    engine = opened({"a.html": html(links), "b.html": html(f"<p>{ABOUT}</p>")})
    assert [link for _, link in engine.session().documents.references("a.html") if link.status == "resolved"] == []
    assert {
        target.source_id for _, link in engine.session().documents.references("a.html") for target in link.targets
    } == set()


def test_links_that_lead_about_are_no_references(opened: Opened) -> None:
    index = html("".join(f'<p>term {n}, <a href="ch44.html#caching">Caching of water</a></p>' for n in range(30)))
    cells = ('<a href="ch43.html">Prev</a>', "Chapter 43", '<a href="ch44.html">Next</a>')
    table = f"<table><tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr></table>"
    line = (
        '<p>Next: <a href="ch44.html">Locks</a>, Previous: <a href="ch43.html">Pumps</a>, Up: <a href=".">Top</a></p>'
    )
    engine = opened(manual(terms=index, notes=html(f"{table}<p>{ABOUT}</p>{line}")))
    for name in ("index.html", "ch43.html", "ch44.html", "terms.html", "notes.html"):
        assert engine.session().documents.references(name) == [], name


def test_a_link_to_a_file_that_is_not_there_is_external_and_to_a_place_that_is_not_there_dangles(
    opened: Opened,
) -> None:
    body = '<p>More is said <a href="ch99.html">of winter</a> and <a href="ch44.html#ice">of the ice</a> elsewhere.</p>'
    engine = opened(manual(notes=chapter(body)))
    assert led_to(engine, "notes.html") == {"of winter": "external", "of the ice": "dangling"}


def test_links_of_table_cells_and_of_definitions_lead_there(opened: Opened) -> None:
    body = (
        '<table><tr><td>caches</td><td>These are told of <a href="ch44.html#caching">at length</a> elsewhere.</td></tr>'
        '<tr><td id="row">wear</td><td>Parts that wear are replaced.</td></tr></table>'
        '<dl><dt id="gate">gate</dt><dd>What is worn is <a href="#row">in the table</a> above all.</dd></dl>'
        '<p>A lock has what is called <a href="#gate">a gate</a> here.</p>'
    )
    engine = opened(manual(notes=chapter(body)))
    assert led_to(engine, "notes.html") == {
        "at length": "ch44.html: 3. Caching",
        "in the table": "notes.html: wear\tParts that wear are replaced.",
        "a gate": "notes.html: gate",
    }


def test_links_lead_on_when_evidence_is_looked_for(opened: Opened) -> None:
    body = '<h1>Otters</h1><p>Otters swim where <a href="ch44.html#caching">the reservoir</a> lies in summer.</p>'
    engine = opened(manual(notes=chapter(body)))
    evidence = engine.search("Where do otters swim?").evidence
    reasons = [why for item in evidence if item.chunk.source_id == "ch44.html" for why in item.why]
    assert any("referred to by" in why for why in reasons)


# --- Markdown and EPUB


def test_links_of_markdown_lead_to_headings_by_their_words(opened: Opened) -> None:
    notes = (
        "# Notes\n\nOil it as [told of pumps](pumps.md#how-to-oil-it) or [elsewhere][more] is said.\n\n"
        "```\nsee [code](pumps.md#wear) or the like of it\n```\n\nAnd `[this](pumps.md#wear)` is code as well.\n\n"
        "What [the book](guide/README.md) says of [this](#notes) holds.\n\n[more]: <pumps.md#wear>\n"
    )
    pumps = f"# Pumps\n\n## How to oil it!\n\n{ABOUT}\n\n## Wear {{#wear}}\n\n{ABOUT}\n"
    engine = opened({"notes.md": notes, "pumps.md": pumps, "guide/README.md": f"# Guide\n\n{ABOUT}\n"})
    assert led_to(engine, "notes.md") == {
        "told of pumps": "pumps.md: How to oil it!",
        "elsewhere": "pumps.md: Wear {#wear}",
        "the book": "guide/README.md: # Guide",
        "this": "notes.md: Notes",
    }


def test_a_link_to_a_page_leads_to_the_source_that_it_was_made_of(opened: Opened) -> None:
    notes = "# Notes\n\nMore is said [of pumps](pumps.html) and [of locks](locks/) there.\n"
    engine = opened({"notes.md": notes, "pumps.md": f"# Pumps\n\n{ABOUT}\n", "locks/index.md": f"# Locks\n\n{ABOUT}\n"})
    assert led_to(engine, "notes.md") == {"of pumps": "pumps.md: # Pumps", "of locks": "locks/index.md: # Locks"}


def test_files_of_an_archive_lead_to_one_another_and_to_nothing_outside(opened: Opened, tmp_path: Path) -> None:
    (tmp_path / "manual").mkdir()
    with ZipFile(tmp_path / "manual" / "book.zip", "w") as archive:
        body = (
            '<p>Water is kept as <a href="../ch44.html#caching">is told of caches</a> in winter, '
            'and <a href="../../secret.html">the rest</a> is not told.</p>'
        )
        archive.writestr("en/notes.html", html(body))
        archive.writestr("ch44.html", LOCKS)
    engine = opened({"secret.html": html(f"<p>{ABOUT}</p>")})
    assert led_to(engine, "book.zip!/en/notes.html") == {"is told of caches": "book.zip!/ch44.html: 3. Caching"}


# --- numbers without a link


def test_a_number_without_a_link_is_looked_for_in_the_other_files_of_the_work(opened: Opened) -> None:
    body = "<h1>Chapter 45 - Winter</h1><p>Of caches tells section 44.3, of pumps see Chapter 43.</p>"
    contents = CONTENTS.replace("</ul>", '<li><a href="ch45.html">Chapter 45 - Winter</a></li></ul>')
    engine = opened(manual(ch45=chapter(body), index=contents))
    assert led_to(engine, "ch45.html") == {
        "section 44.3": "ch44.html: 3. Caching",
        "Chapter 43": "ch43.html: Chapter 43 - Pumps",
    }


def test_a_table_of_another_file_is_found_by_its_number_and_by_its_link(opened: Opened) -> None:
    table = (
        '<div class="table" id="levels"><p class="title"><b>Table 44.1. gate_level Columns</b></p>'
        "<table><tr><td>gate</td><td>level</td></tr><tr><td>upper</td><td>3 m</td></tr></table></div>"
    )
    body = '<h1>Notes</h1><p>Levels stand in Table 44.1, more <a href="levels.html#levels">in columns</a> there.</p>'
    names = ("notes", "levels")
    listed = "".join(f'<li><a href="{name}.html">{name}</a></li>' for name in names)
    index = CONTENTS.replace("</ul>", f"{listed}</ul>")
    engine = opened(manual(notes=chapter(body), levels=chapter(f"<h1>Levels</h1>{table}"), index=index))
    assert set(led_to(engine, "notes.html").values()) == {"levels.html: Table 44.1. gate_level Columns"}
    assert {link.targets[0].anchor for _, link in engine.session().documents.references("notes.html")} == {0}


def test_a_number_that_two_other_files_have_leads_to_neither(opened: Opened) -> None:
    body = "<h1>Chapter 45 - Winter</h1><p>Of pumps see Chapter 43 of old.</p>"
    contents = CONTENTS.replace(
        "</ul>", '<li><a href="ch45.html">Chapter 45</a></li><li><a href="old43.html">Old</a></li></ul>'
    )
    engine = opened(manual(ch45=chapter(body), old43=PUMPS, index=contents))
    assert led_to(engine, "ch45.html") == {"Chapter 43": "dangling"}


def test_the_files_own_number_goes_first(opened: Opened) -> None:
    own = f"<h1>Chapter 46 - Ice</h1><h2>46.1 Floes</h2><p>Floes drift. {ABOUT}</p><p>See section 46.1 again.</p>"
    other = f"<h1>Chapter 45 - Snow</h1><h2>46.1 Flakes</h2><p>{ABOUT}</p>"
    links = '<li><a href="ch45.html">45</a></li><li><a href="ch46.html">46</a></li></ul>'
    engine = opened(manual(ch45=chapter(other), ch46=chapter(own), index=CONTENTS.replace("</ul>", links)))
    assert led_to(engine, "ch46.html") == {"section 46.1": "ch46.html: 46.1 Floes"}


@pytest.mark.parametrize("link", ["", '<p>More is said in <a href="ch43.html">another file</a> of this folder.</p>'])
def test_files_that_only_lie_side_by_side_are_no_work(opened: Opened, link: str) -> None:
    letter = html(f"<h1>A letter</h1><p>As I said in Chapter 43, winter is near.</p>{link}")
    engine = opened({"letter.html": letter, "ch43.html": html(f"<h1>Chapter 43 - Pumps</h1><p>{ABOUT}</p>")})
    assert led_to(engine, "letter.html")["Chapter 43"] == "dangling"


# --- the store as it changes


def test_a_file_that_comes_later_or_goes_is_led_to_as_long_as_it_is_there(tmp_path: Path) -> None:
    body = '<p>Water is kept as <a href="ch44.html#caching">is told of caches</a>; see section 44.3 also.</p>'
    files = manual(notes=chapter(f"<h1>Notes</h1>{body}"))
    files["index.html"] = CONTENTS.replace("</ul>", '<li><a href="notes.html">Notes</a></li></ul>')
    late = files.pop("ch44.html")
    folder = write_files(tmp_path / "manual", files)
    gone = {"is told of caches": "external", "section 44.3": "dangling"}
    there = dict.fromkeys(gone, "ch44.html: 3. Caching")
    with open_engine(Settings(embedder="none"), tmp_path / "store", create=True) as engine:
        engine.index([folder])
        assert led_to(engine, "notes.html") == gone
        write_files(folder, {"ch44.html": late})
        engine.index([folder])
        assert led_to(engine, "notes.html") == there
        assert engine.verify() == []
        (folder / "ch44.html").unlink()
        engine.index([folder], prune=True)
        assert led_to(engine, "notes.html") == gone
        assert engine.verify() == []


def test_the_order_of_the_files_does_not_show(opened: Opened) -> None:
    body = '<h1>Chapter 45</h1><p>See <a href="ch44.html#caching">caches</a>, Chapter 43 and section 44.3.</p>'
    contents = CONTENTS.replace("</ul>", '<li><a href="ch45.html">Chapter 45 - Winter</a></li></ul>')
    outlines = opened(manual(ch45=chapter(body), index=contents))._parts.record.outlines()
    expected = sorted(link_references(outlines), key=repr)
    assert [link.status for link in expected] == ["resolved"] * 3
    for seed in range(5):
        shuffled = random.Random(seed).sample(outlines, len(outlines))
        assert sorted(link_references(shuffled), key=repr) == expected


def test_nothing_of_a_closed_file_comes_through_a_link_to_it(tmp_path: Path) -> None:
    body = '<h1>Otters</h1><p>Otters swim where <a href="ch44.html#caching">water is kept</a>; see section 44.3.</p>'
    files = manual(notes=chapter(body))
    listed = '{"sources": [{"path": "manual/ch44.html", "acl": ["board"]}]}'
    folder = write_files(tmp_path / "manual", files)
    manifest = write_files(tmp_path, {"list.json": listed}) / "list.json"
    with open_engine(Settings(embedder="none"), tmp_path / "store", create=True) as engine:
        engine.index([folder], manifest=manifest)
        for who, sees in (((), False), (("board",), True)):
            found = engine.search("Where do otters swim, and how is water kept?", filter=Filter(principals=who))
            told = repr([*found.evidence, *found.beyond])
            assert ("Water is kept." in told) is sees
            answer = engine.ask("Where do otters swim, and how is water kept?", filter=Filter(principals=who))
            assert sees or "ch44.html" not in str(answer.to_dict(stable=True)["statements"])


# --- hostile input


def test_endless_links_are_read_in_reasonable_bounds(opened: Opened) -> None:
    long = "x" * 100_000
    body = (
        f'<p>This is said <a href="{long}">far away</a> and <a href="b.html#{long}">farther</a> and '
        f'<a href="b.html">{long}</a> by some.</p><p id="{long}">{ABOUT}</p>'
    )
    loops = "".join(f'<p>It is said <a href="#{n}" id="{n}">in a ring</a> of links {n}.</p>' for n in range(2000))
    many = "<p>Many words " + '<a href="b.html#x">a</a> and more of it, ' * 30_000 + "</p>"
    engine = opened({"a.html": html(body + loops), "b.html": html(f"<p>{ABOUT}</p>"), "c.html": html(many)})
    found = engine.session().documents.references("a.html")
    assert len(found) == 2000
    assert all(len(reference.text) < 400 for reference, _ in found)
    assert {link.status for _, link in engine.session().documents.references("c.html")} == {"dangling"}


# --- asking for a section


def test_a_section_is_found_whichever_file_of_the_work_has_it(opened: Opened) -> None:
    engine = opened(manual())
    for asked in ("44.3", "section 44.3", "Section 44.3."):
        for known in (None, "ch44.html", "ch43.html"):
            source_id, section = engine.session().documents.section_in_works(asked, known)
            assert (source_id, section.title) == ("ch44.html", "Caching")
    assert [engine.session().documents.section_in_works(asked)[0] for asked in ("Chapter 43", "43")] == [
        "ch43.html",
        "ch43.html",
    ]
    with pytest.raises(NotThereError, match=r"no document has a section '45\.3'"):
        engine.session().documents.section_in_works("45.3")


@pytest.mark.parametrize(
    ("question", "file", "words"),
    [
        ("What does section 44.3 say?", "ch44.html", "Water is kept."),
        ("What stands in Chapter 43?", "ch43.html", "The keeper oils the pump."),
    ],
)
def test_a_question_for_a_section_finds_it_in_the_file_that_has_it(
    opened: Opened, question: str, file: str, words: str
) -> None:
    engine = opened(manual())
    found = [item for item in engine.search(question).evidence if words in item.chunk.content]
    assert [item.chunk.source_id for item in found] == [file]
    assert "structure" in found[0].retrieved_by


def test_a_section_that_several_documents_have_is_not_guessed(opened: Opened) -> None:
    own = html(f"<h2>44.3 Otters</h2><p>{ABOUT}</p>")
    engine = opened(manual(other=own))
    with pytest.raises(UsageError, match=r"'44\.3' may be in .*ch44\.html.*other\.html.*: name the document, too"):
        engine.session().documents.section_in_works("44.3")
    assert engine.session().documents.section_in_works("44.3", "ch43.html")[0] == "ch44.html"
    assert engine.session().documents.section_in_works("44.3", "other.html")[1].title == "Otters"


def test_show_takes_a_section_without_a_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_files(tmp_path / "manual", manual())
    store = str(tmp_path / "store")
    assert main(["index", str(folder), "--store", store, "--embedder", "none", "--quiet"]) == 0
    capsys.readouterr()
    for document in ((), ("ch43.html",), ("ch44.html",)):
        assert main(["show", *document, "--section", "44.3", "--store", store]) == 0
        assert capsys.readouterr().out.startswith("ch44.html, 3 Caching")
    assert main(["show", "ch43.html", "--section", "45.3", "--store", store]) == 1
    assert "there is no section '45.3'" in capsys.readouterr().err
    assert main(["show", "--page", "3", "--store", store]) == 2
    assert "of which document?" in capsys.readouterr().err


# --- places that are items of a list


def test_a_section_that_is_a_titled_item_of_a_list_is_found(opened: Opened) -> None:
    clauses = "".join(
        f"<li>{title}<p>{ABOUT} {more}</p></li>"
        for title, more in (
            ("PREAMBLE", ""),
            ("COPYING", "<ol><li>Print it</li><li>Bind it</li><li>Sell it</li></ol>"),
            ("CHANGES", "You may change it under the terms of section 2."),
        )
    )
    engine = opened({"licence.html": html(f"<h1>A.1 Licence</h1><ol>{clauses}</ol>")})
    assert led_to(engine, "licence.html") == {"section 2": "licence.html: 2. COPYING"}


def test_a_section_is_no_item_of_a_list_without_titles(opened: Opened) -> None:
    items = "".join(f"<li>The keeper oils pump {name} as section 2 says.</li>" for name in ("one", "two", "three"))
    engine = opened({"oiling.html": html(f"<h1>Oiling</h1><ol>{items}</ol>")})
    assert led_to(engine, "oiling.html") == {"section 2": "dangling"}


def test_a_step_is_that_of_the_list_around_it_else_of_the_one_before_it(opened: Opened) -> None:
    def steps(name: str, more: str) -> str:
        return f"<ol><li>Open the {name}.</li><li>Oil the {name}.</li><li>{more}</li></ol>"

    body = f"<h2>Pump</h2>{steps('pump', 'Repeat step 1.')}<p>After step 3 it runs.</p>"
    body += f"<h2>Lock</h2><p>Step 2 is long.</p>{steps('lock', 'Repeat step 2.')}"
    assert led_to(opened({"work.html": html(body)}), "work.html") == {
        "step 1": "work.html: 1. Open the pump.",
        "step 3": "work.html: 3. Repeat step 1.",
        "Step 2": "dangling",
        "step 2": "work.html: 2. Oil the lock.",
    }


def test_the_numbered_paragraphs_of_a_text_are_its_sections(opened: Opened) -> None:
    clauses = [f"  {number}. You may copy it, as Section {(number + 5) % 13} says." for number in range(13)]
    engine = opened({"terms.txt": "TERMS\n\n" + f"\n\n{ABOUT}\n\n".join(clauses)})
    found = led_to(engine, "terms.txt")
    assert found["Section 0"].startswith("terms.txt: 0. You may copy it")
    assert found["Section 12"].startswith("terms.txt: 12. You may copy it")
    assert len(found) == 13


def test_a_caption_that_is_a_sentence_stands_beside_its_table(opened: Opened) -> None:
    table = "<table><tr><th>Type</th><th>Value</th></tr><tr><td>bool</td><td>true</td></tr></table>"
    body = f"<p>See Table 1.</p>{table}<p>Table 1. Shows the values that are taken.</p><p>{ABOUT}</p>"
    found = led_to(opened({"values.html": html(f"<h1>Values</h1>{body}")}), "values.html")
    assert list(found) == ["Table 1"]
    assert found["Table 1"] != "dangling"


def test_marks_of_code_are_no_reference(opened: Opened) -> None:
    engine = opened({"format.html": html("<h1>Format</h1><pre>&lt;offset to next item&gt;&lt;8 bit: size&gt;</pre>")})
    assert led_to(engine, "format.html") == {}
