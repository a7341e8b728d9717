"""Offline, in any locale, with any names, beside other programs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.e2e.conftest import COMMAND, Run, environment
from tests.support.office_files import packed
from tests.support.promises import files, store_of

TEXT = "# Rota\n\nThe keeper of the lock rakes the gravel. Größe: 4 m² – ἀρχή.\n"
QUESTION = "Who rakes the gravel?"
ODD_NAMES = (
    "with space.md",
    "quote ' and \" double.md",
    "line\nbreak.md",
    "100% sure #1.md",
    "back\\slash.md",
    "con.md",
    "größe ἀρχή 水.md",
)


def can_cut_the_network() -> bool:
    """Whether a process may be given a network of its own, which reaches nothing."""
    tool = shutil.which("unshare")
    return tool is not None and not subprocess.run([tool, "-rn", "true"], capture_output=True, check=False).returncode


@pytest.mark.skipif(not can_cut_the_network(), reason="needs network namespaces; the socket guard of the suite stays")
def test_with_the_network_taken_away_it_indexes_and_answers(tmp_path: Path) -> None:
    folder = files(tmp_path, {"a.md": TEXT})
    for arguments in (["index", folder], ["ask", QUESTION, "--store", folder / ".pincite"]):
        done = subprocess.run(
            ["unshare", "-rn", COMMAND, *map(str, arguments)],
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    assert "The keeper of the lock rakes the gravel. (a.md, line 3)" in done.stdout


@pytest.mark.parametrize("locale", ["C", "en_US.ISO-8859-1"])
def test_any_locale_will_do(pincite: Run, tmp_path: Path, locale: str) -> None:
    folder = files(tmp_path, {"größe.md": TEXT})
    options = {"LC_ALL": locale, "LANG": locale, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    assert pincite("index", folder, "--embedder", "none", **options).returncode == 0
    done = pincite("ask", QUESTION, "--embedder", "none", "--store", folder / ".pincite", **options)
    assert done.returncode == 0, done.stderr
    assert "The keeper of the lock rakes the gravel." in done.stdout
    done = pincite("search", "Größe", "--json", "--embedder", "none", "--store", folder / ".pincite", **options)
    assert json.loads(done.stdout)["results"][0]["filename"] == "größe.md"


def test_any_name_will_do(tmp_path: Path) -> None:
    deep = "/".join(["a folder with a name that is rather long"] * 8) + "/a.md"
    files(tmp_path, {name: TEXT.replace("gravel", f"gravel {n}") for n, name in enumerate((*ODD_NAMES, deep))})
    with store_of(tmp_path) as engine:
        known = {state.source.source_id: state.status for state in engine.session().documents.sources()}
        cited = {item.chunk.source_id for item in engine.search(QUESTION, receipt=False).evidence}
        summary = engine.ask(QUESTION, receipt=False).summary
    assert set(known) == {*ODD_NAMES, deep}
    assert set(known.values()) == {"indexed"}
    assert cited == set(known)
    assert "line\nbreak.md" not in summary


@pytest.mark.parametrize("name", ["..\\..\\evil.txt", "C:\\evil.txt", "con/aux.txt", "../evil.txt"])
def test_members_with_names_of_another_system_are_never_written_anywhere(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    packed(folder / "a.zip", {name: "Evil."})
    packed(folder / "b.docx", {name: "Evil."})
    with store_of(folder) as engine:
        known = {state.source.source_id: state.status for state in engine.session().documents.sources()}
        assert known.pop("b.docx") == "refused"
        assert known.pop("a.zip") == "indexed"
        (inside,) = known.values()
        assert inside == ("refused" if ".." in name else "indexed")
    assert sorted(path.name for path in tmp_path.rglob("*") if ".pincite" not in path.parts) == [
        "a.zip",
        "b.docx",
        "docs",
    ]


def test_a_folder_that_may_only_be_read_is_indexed_with_the_store_elsewhere(command: Run, tmp_path: Path) -> None:
    folder = files(tmp_path / "docs", {"a.md": TEXT})
    folder.chmod(0o555)
    before = [(path.name, path.stat().st_mtime_ns) for path in (folder, *folder.iterdir())]
    store = tmp_path / "store"
    try:
        assert command("index", folder, "--store", store).returncode == 0
        assert command("ask", QUESTION, "--store", store, cwd=folder).returncode == 0
        assert [(path.name, path.stat().st_mtime_ns) for path in (folder, *folder.iterdir())] == before
    finally:
        folder.chmod(0o755)


def test_readers_go_on_while_one_indexes(tmp_path: Path) -> None:
    folder = files(tmp_path, {"a.md": TEXT})
    with store_of(folder) as reader, store_of(folder) as writer:

        def answer() -> dict[str, object]:
            return reader.ask(QUESTION, receipt=False).to_dict(stable=True)

        before = answer()
        during: list[dict[str, object]] = []
        files(folder, {"b.md": TEXT.replace("keeper", "bailiff")})
        writer.index([folder], progress=lambda _: during.append(answer()))
        assert during
        assert all(seen == before for seen in during[:-1])
        assert answer() == writer.ask(QUESTION, receipt=False).to_dict(stable=True) != before


def test_a_file_that_may_not_be_read_is_told_by_its_name(tmp_path: Path) -> None:
    folder = files(tmp_path, {"a.md": TEXT})
    os.mkfifo(folder / "pipe.md")
    with store_of(folder) as engine:
        reasons = {state.source.source_id: state.reason for state in engine.session().documents.sources()}
    assert reasons == {"a.md": None, "pipe.md": "is not a regular file"}
