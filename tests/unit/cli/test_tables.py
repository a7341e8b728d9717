"""The table of evidence fits its terminal, and tells files of one name apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from tests.support.documents import document, source
from tests.support.engines import hashing_engine

from pincite.cli.answer_output import evidence_table, markdown_lines
from pincite.records.answers import Answer

TEXT = "The keeper rakes the gravel of the northern garden every morning before the gate opens to visitors from afar."


@pytest.fixture(scope="module")
def answer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Answer]:
    with hashing_engine(tmp_path_factory.mktemp("tables")) as engine:
        names = ("north/rota.pdf", "south/rota.pdf", "garden.pdf")
        engine.index_documents((source(name), document(f"{TEXT} It takes {n} hours.")) for n, name in enumerate(names))
        yield engine.ask("Who rakes the gravel?", receipt=False)


@pytest.mark.parametrize(
    ("columns", "shown"),
    [(110, {"found by", "text"}), (70, {"text"}), (40, set[str]())],
    ids=["wide", "narrow", "least"],
)
def test_a_line_of_the_table_is_no_wider_than_its_terminal(
    answer: Answer, monkeypatch: pytest.MonkeyPatch, columns: int, shown: set[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    head, *lines = evidence_table(answer.evidence).splitlines()
    assert {name for name in ("found by", "text") if name in head} == shown
    assert all(len(line) <= columns for line in (head, *lines))
    assert all("rota.pdf" in line or "garden.pdf" in line for line in lines)


def test_the_table_tells_by_which_figures_it_is_ordered(answer: Answer) -> None:
    read, unread = answer.evidence[0], answer.evidence[1:]
    judged = (replace(read, rank=3, scores=replace(read.scores, rerank=0.7, final=0.1)), *unread)
    head, first, second, *_ = evidence_table(judged).splitlines()
    assert head.split()[3:7] == ["found", "by", "answers", "score"]
    assert first.split()[0] == "1"
    assert {"0.700", "0.100"} <= set(first.split())
    assert {"-", f"{unread[0].scores.final:.3f}"} <= set(second.split())
    assert "answers" not in evidence_table(answer.evidence)


def test_the_channels_leave_room_for_the_text(answer: Answer) -> None:
    found = replace(answer.evidence[0], retrieved_by=("vector", "keyword", "graph", "reference"))
    assert "vector+keyword+2 " in evidence_table([found])


def test_files_of_one_name_are_shown_with_their_paths_and_others_without(answer: Answer) -> None:
    for shown in (evidence_table(answer.evidence), "\n".join(markdown_lines(answer)).replace("\\", "")):
        assert {name for name in ("north/rota.pdf", "south/rota.pdf", "garden.pdf") if name in shown} == {
            "north/rota.pdf",
            "south/rota.pdf",
            "garden.pdf",
        }
