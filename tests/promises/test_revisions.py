"""An answer from a document of which the store holds a newer revision says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pincite.engine.engine import Engine
from pincite.records.questions import Filter
from tests.promises.conftest import Run
from tests.support.promises import files, store_of

QUESTION = "How many rakes does the keeper of the lock need?"


def report(count: int, *, shared: int = 9) -> str:
    """A text of ten lines, of which the last tells a figure and `shared` are always the same."""
    lines = [f"Clause {number}: yard number {number} is raked by the keeper." for number in range(shared)]
    others = [f"Article {number + count * 10}: something else is said here each year." for number in range(9 - shared)]
    return "\n\n".join([*lines, *others, f"The keeper of the lock needs {count} rakes."])


def notices(engine: Engine, name: str, **wanted: tuple[str, ...]) -> tuple[str, ...]:
    """The notices of an answer that this file alone gives."""
    answer = engine.ask(QUESTION, filter=Filter(sources=(name,), **wanted), receipt=False)
    assert {c.source_id for s in answer.statements for c in s.citations} == {name}
    return answer.notices


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("rakes rev A.md", "rakes rev B.md"),
        ("rakes_v1.md", "rakes_v2.md"),
        ("rakes 2018.md", "new/rakes 2021.md"),
        ("rakes-draft.md", "rakes-final.md"),
    ],
)
def test_an_answer_from_an_older_revision_names_the_newer_one(tmp_path: Path, older: str, newer: str) -> None:
    with store_of(files(tmp_path, {older: report(3), newer: report(4), "else.md": report(5, shared=0)})) as engine:
        assert notices(engine, older) == (f"{older} has a newer revision in the store: {newer}",)
        assert notices(engine, newer) == ()
        assert notices(engine, "else.md") == ()
        (tmp_path / newer).unlink()
        engine.index([tmp_path], prune=True)
        assert notices(engine, older) == ()


def test_the_newest_of_several_revisions_is_named(tmp_path: Path) -> None:
    names = {f"rakes v{number}.md": report(number) for number in (2, 10, 3)}
    with store_of(files(tmp_path, names)) as engine:
        assert notices(engine, "rakes v2.md") == ("rakes v2.md has a newer revision in the store: rakes v10.md",)


def test_the_titles_of_documents_tell_their_revision_too(tmp_path: Path) -> None:
    texts = {"a.md": "# Rakes, rev. A\n\n" + report(3), "b.md": "# Rakes, rev. B\n\n" + report(4)}
    with store_of(files(tmp_path, texts)) as engine:
        assert notices(engine, "a.md") == ("a.md has a newer revision in the store: b.md",)


def test_reports_of_two_years_that_say_different_things_are_no_revisions(tmp_path: Path) -> None:
    texts = {"rakes 2018.md": report(3, shared=2), "rakes 2021.md": report(4, shared=2)}
    with store_of(files(tmp_path, texts)) as engine:
        assert notices(engine, "rakes 2018.md") == ()


def test_the_dates_of_a_manifest_tell_which_is_newer_whatever_the_names(tmp_path: Path) -> None:
    long = "# One\n\nThe lock is old. It was built of stone.\n\n# Two\n\n"
    folder = files(tmp_path, {"stone.md": long + report(3), "other.md": long + report(4)})

    def listed(**dates: str) -> Path:
        sources = [{"path": f"{name}.md", "date": date} for name, date in dates.items()]
        return files(folder, {".list.json": json.dumps(sources)}) / ".list.json"

    with store_of(folder) as engine:
        assert notices(engine, "stone.md") == ()
        engine.index(manifest=listed(stone="2018", other="2021-05-01"))
        assert notices(engine, "stone.md") == ("stone.md has a newer revision in the store: other.md",)
        engine.index(manifest=listed(stone="2022", other="2021-05-01"))
        assert notices(engine, "stone.md") == ()


def test_a_revision_that_the_asker_may_not_see_is_not_named(tmp_path: Path) -> None:
    folder = files(tmp_path, {"rakes v1.md": report(3), "rakes v2.md": report(4)})
    sources = [{"path": "rakes v1.md"}, {"path": "rakes v2.md", "acl": ["board"]}]
    files(folder, {".list.json": json.dumps(sources)})
    with store_of(folder) as engine:
        engine.index(manifest=folder / ".list.json")
        assert notices(engine, "rakes v1.md") == ()
        assert notices(engine, "rakes v1.md", principals=("board",)) != ()


def test_the_command_says_it_too(command: Run, tmp_path: Path) -> None:
    folder = files(tmp_path, {"rakes v1.md": report(3), "rakes v2.md": report(4)})
    command("index", folder)
    shown = command("ask", QUESTION, "--file", "rakes v1.md", cwd=folder).stderr
    assert "note: rakes v1.md has a newer revision in the store: rakes v2.md" in shown
