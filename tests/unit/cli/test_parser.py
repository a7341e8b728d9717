"""Wrong use is told in one line, with what was probably meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.cli.main import main


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["ask", "x", "--tpo-k", "3"], "the option --tpo-k is not known (did you mean --top-k?): pincite ask --help"),
        (["ask", "Who", "rakes", "it?"], "'rakes' is one word too many (put text with spaces into quotes)"),
        (["serach", "x"], "'serach' is not known (did you mean search?): pincite --help shows how"),
        (["zzz"], "'zzz' is not known (there are index, ask, chat, search"),
        (["ask", "x", "--top-k", "many"], "argument --top-k: invalid int value: 'many': pincite ask --help shows how"),
        (
            ["show"],
            "one of the arguments --section --page --anchor --embeddings is required: pincite show --help shows how",
        ),
        (["mcp", "--http", "x"], "argument --http: invalid int value: 'x': pincite mcp --help shows how"),
        (["remove"], "the following arguments are required: SOURCE: pincite remove --help shows how"),
        (
            ["serve", "--prot", "1"],
            "the option --prot is not known (did you mean --port?): pincite serve --help shows how",
        ),
        (["token", "add"], "the following arguments are required: NAME: pincite token add --help shows how"),
        (["token", "add", "ada", "--role", "owner"], "'owner' is not known (there are reader, writer, admin)"),
        (["audit", "pin", "x", "--page", "a:1", "--zzz"], "the option --zzz is not known: pincite audit pin --help"),
    ],
)
def test_wrong_use_is_told_in_one_line(capsys: pytest.CaptureFixture[str], given: list[str], told: str) -> None:
    assert main(given) == 2
    written = capsys.readouterr()
    assert written.out == ""
    assert written.err.count("\n") == 1
    assert told in written.err


@pytest.mark.parametrize("words", [["docs", "Who rakes it?"], ["Who rakes it?", "docs"]])
def test_who_names_the_folder_beside_the_question_is_told_of_the_option(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    (tmp_path / "docs").mkdir()
    monkeypatch.chdir(tmp_path)
    assert main(["ask", *words]) == 2
    assert "'docs' is a folder: use --store docs to say where the store is" in capsys.readouterr().err
