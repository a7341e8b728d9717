"""A sheet of questions in, a report out."""

from __future__ import annotations

import csv
import io
import json
import shutil
import signal
import subprocess
import time
import zipfile
from html.parser import HTMLParser
from pathlib import Path

import docx
import pytest
from markdown_it import MarkdownIt

from pincite.ports import ReadOptions
from pincite.read.registry import reader_for
from pincite.read.workbook import rows_of
from pincite.report.asking import KeptReplies, QuestionSheet, answer_sheet, read_questions
from pincite.report.writing import WRITERS
from tests.e2e.conftest import COMMAND, Run, environment
from tests.support.office_files import xlsx
from tests.support.promises import files, pages, store_of

SUFFIXES = sorted(WRITERS)
QUESTIONS = "id,Question,asked by\n7,Who rakes the gravel?,=1+2\n8,What does saffron cost in Reykjavik?,<b>Bo</b>\n"


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("indexed")
    pages(made / "rota.pdf", "A cover.", "The keeper rakes the gravel.\nThe bailiff counts the sluices.")
    with store_of(made):
        return made


@pytest.fixture
def folder(indexed: Path, tmp_path: Path) -> Path:
    """An indexed folder, and beside it a sheet of questions."""
    files(tmp_path, {"q.csv": QUESTIONS})
    return Path(shutil.copytree(indexed, tmp_path / "docs"))


def text_of(path: Path) -> str:
    """All that a report shows."""
    match path.suffix:
        case ".docx":
            return "\n".join(item.text for item in docx.Document(str(path)).paragraphs)
        case ".xlsx":
            read = reader_for(path).read(path, ReadOptions())
            return "\n".join(page.text for page in read.pages)
        case ".html":
            shown: list[str] = []
            parser = HTMLParser()
            parser.handle_data = shown.append  # type: ignore[method-assign]
            parser.feed(path.read_text(encoding="utf-8"))
            return "".join(shown)
        case _:
            tokens = MarkdownIt().parse(path.read_text(encoding="utf-8"))
            inner = [child for token in tokens for child in token.children or ()]
            allowed = {"text", "text_special", "em_open", "em_close", "strong_open", "strong_close"}
            assert {child.type for child in inner} <= allowed
            return "\n".join("".join(child.content for child in token.children or ()) for token in tokens)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_each_question_of_a_sheet_is_answered_with_its_page_and_quote_and_what_is_missing_is_listed(
    command: Run, folder: Path, suffix: str
) -> None:
    out = folder.parent / f"report{suffix}"
    done = command("ask", "--questions", folder.parent / "q.csv", "--out", out, cwd=folder)
    assert done.returncode == 1, done.stderr
    assert done.stderr.splitlines()[0] == "1 of 2: Who rakes the gravel?"
    shown = text_of(out)
    assert "The keeper rakes the gravel. (rota.pdf, p.2)" in shown
    assert "“The keeper rakes the gravel.” (rota.pdf, p.2)" in shown
    assert shown.count("No information found on “What does saffron cost in Reykjavik?”") == 2
    assert shown.count("try: no document holds the word “saffron”") == 1
    for carried in ("7", "=1+2", "<b>Bo</b>"):
        assert carried in shown
    assert sorted(path.name for path in folder.parent.iterdir()) == ["docs", "q.csv", out.name]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_report_is_the_same_bytes_every_time(
    command: Run, folder: Path, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    for moment in ("UTC", "Pacific/Kiritimati"):
        out = folder.parent / f"report{suffix}"
        with monkeypatch.context() as patch:
            patch.setenv("TZ", moment)
            time.tzset()
            command("ask", "--questions", folder.parent / "q.csv", "--out", out, cwd=folder)
        time.tzset()
        made.append(out.read_bytes())
    if suffix in (".docx", ".xlsx"):
        with zipfile.ZipFile(out) as archive:
            assert {item.date_time[0] for item in archive.infolist()} == {1980}
    assert made[0] == made[1]


class CutError(Exception):
    """The run ends here."""


@pytest.mark.parametrize("ending", ["", '{"key": "half a li'])
def test_a_run_that_is_cut_off_goes_on_where_it_stopped(tmp_path: Path, ending: str) -> None:
    folder = files(tmp_path / "docs", {f"{n}.md": f"# Rota {n}\n\nKeeper {n} rakes yard {n}.\n" for n in range(4)})
    sheet = QuestionSheet(("question",), tuple((f"Who rakes yard {n}?",) for n in range(4)), 0)
    out = tmp_path / "report.docx"
    asked: list[str] = []
    with store_of(folder) as engine:

        def run(least: int) -> bytes:
            def ask(question: str) -> object:
                if len(asked) == least:
                    raise CutError
                asked.append(question)
                return engine.ask(question, receipt=False)

            kept = KeptReplies(out, {"top_k": 12})
            report = answer_sheet(
                sheet, ask, lambda: str(engine.session().generation()), title="Answers", kept=kept, tell=lambda *_: None
            )
            WRITERS[".docx"](report, out)
            kept.remove()
            return out.read_bytes()

        undisturbed = run(99)
        asked.clear()
        with pytest.raises(CutError):
            run(2)
        with (tmp_path / "report.docx.partial").open("a") as partial:
            partial.write(ending)
        assert run(4) == undisturbed
        assert asked == sheet.questions()
        assert not (tmp_path / "report.docx.partial").exists()
        asked.clear()
        with pytest.raises(CutError):
            run(2)
        files(folder, {"9.md": "# Rota 9\n\nKeeper 9 rakes yard 9.\n"})
        engine.index([folder])
        run(99)
        assert asked == [*sheet.questions()[:2], *sheet.questions()]


def test_a_run_that_is_killed_goes_on_and_ends_in_the_same_bytes(folder: Path, command: Run) -> None:
    questions = [f"Who rakes the gravel of yard {number}?" for number in range(60)]
    files(folder.parent, {"many.csv": "\n".join(["question", *questions])})
    out, whole = folder.parent / "report.html", folder.parent / "whole.html"
    arguments = ["ask", "--questions", str(folder.parent / "many.csv"), "--embedder", "none", "--out"]
    started = subprocess.Popen(
        [COMMAND, *arguments, str(out)], cwd=folder, env=environment(), stderr=subprocess.PIPE, text=True
    )
    assert started.stderr is not None
    for line in started.stderr:
        if line.startswith("5 of"):
            break
    started.send_signal(signal.SIGKILL)
    started.communicate()
    partial = folder.parent / "report.html.partial"
    stored = len(partial.read_text().splitlines())
    assert 4 <= stored < 60
    assert not out.exists()
    again = command("ask", "--questions", folder.parent / "many.csv", "--out", out, cwd=folder)
    assert len([line for line in again.stderr.splitlines() if " of 60: " in line]) == 60 - stored
    command("ask", "--questions", folder.parent / "many.csv", "--out", whole, cwd=folder)
    assert out.read_bytes() == whole.read_bytes()


def test_a_sheet_can_be_asked_of_the_store_as_it_was(command: Run, folder: Path) -> None:
    files(folder, {"later.md": "The keeper of the county rakes the gravel of the yard, too.\n"})
    command("index", folder)
    shown = []
    for options in (["--as-of", "1"], []):
        out = folder.parent / "report.md"
        command("ask", "--questions", folder.parent / "q.csv", "--out", out, *options, cwd=folder)
        shown.append("later.md" in text_of(out))
    assert shown == [False, True]


def test_no_cell_of_a_report_is_a_formula(command: Run, folder: Path) -> None:
    out = folder.parent / "report.xlsx"
    command("ask", "--questions", folder.parent / "q.csv", "--out", out, cwd=folder)
    with zipfile.ZipFile(out) as archive:
        sheets = "".join(archive.read(name).decode() for name in archive.namelist() if "/sheet" in name)
        styles = archive.read("xl/styles.xml").decode()
    assert "<f>" not in sheets
    assert 'quotePrefix="1"' in styles


HOSTILE = "Who rakes <script>alert(1)</script> ![x](http://a.b/c) `d` & | the gravel?"


def test_nothing_of_a_question_or_a_document_is_markup_in_a_report(command: Run, tmp_path: Path) -> None:
    folder = files(tmp_path / "docs", {"a.md": "Rota\n\nThe keeper rakes \\<img src=x onerror=y\\> the gravel.\n"})
    command("index", folder)
    files(tmp_path, {"q.txt": HOSTILE})
    for suffix in (".md", ".html"):
        command("ask", "--questions", tmp_path / "q.txt", "--out", tmp_path / f"r{suffix}", cwd=folder)
    assert HOSTILE in text_of(tmp_path / "r.md")
    page = (tmp_path / "r.html").read_text()
    assert "<script" not in page
    assert "<img" not in page
    assert "http://" not in page.replace("(http://a.b/c)", "")
    assert HOSTILE in text_of(tmp_path / "r.html")


def quick(path: Path, text: str, encoding: str = "utf-8") -> QuestionSheet:
    path.write_bytes(text.encode(encoding))
    return read_questions(path, lambda _: [])


@pytest.mark.parametrize(
    ("text", "encoding", "questions"),
    [
        ("question\nHow, why and when?\n\nWho?\n", "utf-8", ["How, why and when?", "Who?"]),
        ("Who rakes?\nHow, why?\n", "utf-8", ["Who rakes?", "How, why?"]),
        ("id;QUESTION\n1;Wie groß?\n2;\n", "cp1252", ["Wie groß?"]),
        ('a,question\n1,"How, ""why""\nand when?"\n', "utf-8-sig", ['How, "why" and when?']),
        ("Who?\tme\nHow?\tyou\n", "utf-16", ["Who?", "How?"]),
    ],
)
def test_sheets_of_questions_are_read_as_people_save_them(
    tmp_path: Path, text: str, encoding: str, questions: list[str]
) -> None:
    assert quick(tmp_path / "q.csv", text, encoding).questions() == questions


def test_the_columns_of_a_sheet_survive(tmp_path: Path) -> None:
    cells = [["nr", "Question"], ["", "Who?"], ["2", "How?"]]
    buffer = io.StringIO()
    csv.writer(buffer).writerows(cells)
    sheet = quick(tmp_path / "q.csv", buffer.getvalue())
    assert (sheet.columns, sheet.rows, sheet.asked) == (("nr", "Question"), (("", "Who?"), ("2", "How?")), 1)


def test_a_workbook_of_questions_is_read_cell_by_cell(command: Run, folder: Path) -> None:
    def row(number: int, **cells: str) -> str:
        inner = "".join(
            f'<c r="{column}{number}" t="inlineStr"><is><t>{text}</t></is></c>' for column, text in cells.items()
        )
        return f'<row r="{number}">{inner}</row>'

    rows = row(2, B="id", D="Question") + row(3, D="Who rakes the gravel?") + row(6, B="9", D="Who counts the sluices?")
    path = xlsx(folder.parent / "q.xlsx", {"Empty": "", "Asked": f"<sheetData>{rows}</sheetData>"})
    assert rows_of(reader_for(path).read(path, ReadOptions())) == [
        ["", "id", "", "Question"],
        ["", "", "", "Who rakes the gravel?"],
        ["", "9", "", "Who counts the sluices?"],
    ]
    out = folder.parent / "report.md"
    assert command("ask", "--questions", path, "--out", out, cwd=folder).returncode == 0
    assert "The bailiff counts the sluices. (rota.pdf, p.2)" in text_of(out)


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (["--questions", "q.csv"], "give --out REPORT"),
        (["--out", "r.md"], "give one question, or a sheet"),
        (["Who?", "--questions", "q.csv", "--out", "r.md"], "give one question, or a sheet"),
        (["Who?", "--out", "r.md"], "give one question, or a sheet"),
        (["--questions", "q.csv", "--out", "r.pdf"], "one of the suffixes .xlsx, .docx, .md, .html"),
        (["--questions", "q.csv", "--out", "gone/r.md"], "in a folder that exists"),
        (["--questions", "q.doc", "--out", "r.md"], "give a .csv or an .xlsx file"),
        (["--questions", "gone.csv", "--out", "r.md"], "cannot be read"),
        (["--questions", "empty.csv", "--out", "r.md"], "holds no question"),
        (["--questions", "wide.csv", "--out", "r.md"], "row 2 has 3 cells, the first 2"),
        (["--questions", "broken.xlsx", "--out", "r.md"], "is damaged"),
    ],
)
def test_wrong_use_is_told_before_anything_is_asked(
    command: Run, folder: Path, arguments: list[str], advice: str
) -> None:
    texts = {"empty.csv": "question\n\n", "wide.csv": "id,question\n1,How, why?\n", "q.doc": "?", "broken.xlsx": "?"}
    files(folder.parent, texts)
    done = command("ask", *arguments, "--store", folder / ".pincite", cwd=folder.parent)
    assert done.returncode in (1, 2)
    assert advice in done.stderr
    assert "1 of" not in done.stderr


def test_a_question_that_cannot_be_asked_does_not_stop_the_others(command: Run, folder: Path) -> None:
    files(folder.parent, {"q.csv": "tag:code\nWho rakes the gravel?\n"})
    out = folder.parent / "r.md"
    done = command("ask", "--questions", folder.parent / "q.csv", "--out", out, "--json", cwd=folder)
    assert json.loads(done.stdout) == {"report": str(out), "questions": 2, "unanswered": 1}
    assert "filters alone" in text_of(out)
