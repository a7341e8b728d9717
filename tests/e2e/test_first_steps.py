"""A new user indexes a folder of PDFs and asks a question."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

import pytest
from tests.e2e.conftest import Run

QUESTION = (
    "Which founders of Tesla or Rivian have invested in solar energy startups, "
    "and what patents related to EV batteries do they hold?"
)
CITED = re.compile(r"\([^()]+\.pdf, p\.\d+\)$")


def test_every_sentence_of_the_answer_ends_in_its_file_and_page(pincite: Run, demo_store: Path) -> None:
    done = pincite("ask", QUESTION, "--store", demo_store)
    assert done.returncode == 0, done.stderr
    summary, _, table = done.stdout.partition("\n\n")
    assert summary
    *said, state = summary.splitlines()
    assert all(CITED.search(line) for line in said)
    assert state.startswith("  certainty: ")
    assert "(tesla_investments.pdf, p.12)" in summary
    assert "(tesla_patents.pdf, p.5)" in summary
    assert "(rivian_patents.pdf, p.5)" in summary
    assert table.splitlines()[0].split() == ["#", "file", "page", "found", "by", "answers", "score", "text"]


@pytest.mark.promise
def test_every_quote_stands_on_its_page(pincite: Run, demo_store: Path, demo_documents: Path) -> None:
    import pypdfium2

    answer = json.loads(pincite("ask", QUESTION, "--store", demo_store, "--json").stdout)
    citations = [citation for statement in answer["statements"] for citation in statement["citations"]]
    assert citations
    for citation in citations:
        with pypdfium2.PdfDocument(demo_documents / citation["filename"]) as pdf:
            printed = pdf[citation["page"] - 1].get_textpage().get_text_range()
        assert "".join(citation["quote"].split()) in "".join(printed.split())


def test_the_json_has_the_shape_of_the_design(pincite: Run, demo_store: Path) -> None:
    answer = json.loads(pincite("ask", QUESTION, "--store", demo_store, "--json").stdout)
    assert set(answer) == {
        *("query", "mode", "degraded", "refused", "state", "chance", "certainty"),
        *("summary", "statements", "results", "missing", "meta"),
    }
    assert set(answer["meta"]) == {
        *("returned", "topM", "topK", "profile", "generation", "notices", "trace_id", "timestamp", "timings_ms")
    }
    first = answer["results"][0]
    assert first["type"] == "chunk"
    assert {"vec", "bm25", "graph", "final"} <= set(first["scores"]) <= {"vec", "bm25", "graph", "rerank", "final"}
    assert first["retrieved_by"]
    chunks = [result for result in answer["results"] if result["type"] == "chunk"]
    cited = {citation["chunk_id"] for said in answer["statements"] for citation in said["citations"]}
    assert all(chunk["id"] in cited for chunk in chunks[answer["meta"]["topK"] :])
    assert answer["meta"]["returned"] == len(answer["results"])
    for path in answer["results"][len(chunks) :]:
        assert path["type"] == "triplet_path"
        assert len(path["path"]) == len(path["edges"]) + 1 == len(path["supporting_chunks"]) + 1


def test_the_same_question_gives_the_same_bytes(pincite: Run, demo_store: Path) -> None:
    arguments = ("ask", QUESTION, "--store", demo_store, "--json", "--stable")
    asked = [pincite(*arguments, PINCITE_CACHE_MINUTES=minutes).stdout for minutes in ("0", "0", "5", "5")]
    assert len(set(asked)) == 1


def test_what_is_not_there_is_said_with_where_was_looked(pincite: Run, demo_store: Path) -> None:
    done = pincite("ask", "What does a kilogram of saffron cost in Reykjavik?", "--store", demo_store)
    assert done.returncode == 1
    assert done.stdout.startswith("No information found")
    assert "looked in:" in done.stdout


def test_the_store_is_found_upwards_and_moves_with_its_folder(
    pincite: Run, demo_store: Path, demo_documents: Path, tmp_path: Path
) -> None:
    moved = tmp_path / "moved"
    shutil.copytree(demo_documents, moved)
    (moved / "deep" / "er").mkdir(parents=True)
    done = pincite("search", "solar energy", cwd=moved / "deep" / "er")
    assert done.returncode == 0
    assert "tesla_investments.pdf" in done.stdout
    assert pincite("index", moved).stdout.startswith("6 unchanged")


def test_unchanged_files_are_not_read_again_whatever_their_time_stamp(
    pincite: Run, demo_store: Path, demo_documents: Path
) -> None:
    before = json.loads(pincite("status", "--store", demo_store, "--json").stdout)["generation"]
    for path in demo_documents.glob("*.pdf"):
        path.touch()
    report = json.loads(pincite("index", demo_documents, "--json").stdout)
    assert {document["status"] for document in report["documents"]} == {"unchanged"}
    assert report["generation"] == before


@pytest.mark.promise
def test_neither_the_number_of_workers_nor_the_order_of_files_shows(
    pincite: Run, demo_documents: Path, tmp_path: Path
) -> None:
    stores = [tmp_path / "one", tmp_path / "three"]
    files = sorted(demo_documents.glob("*.pdf"))
    common = ("--embedder", "none", "--store")
    pincite("index", demo_documents, "--workers", "3", *common, stores[0])
    pincite("index", demo_documents / files[-1].name, *common, stores[1])
    pincite("index", *reversed(files), "--workers", "1", *common, stores[1])
    answers = [pincite("ask", QUESTION, "--json", "--stable", *common, store).stdout for store in stores]
    assert answers[0] == answers[1]
    assert "tesla_investments.pdf" in answers[0]


def test_filters_by_option_and_in_the_question_agree(pincite: Run, demo_store: Path) -> None:
    by_option = pincite("search", "patents", "--file", "rivian_*.pdf", "--store", demo_store, "--json")
    in_words = pincite("search", "patents file:rivian_*.pdf", "--store", demo_store, "--json")
    found = [json.loads(done.stdout)["results"] for done in (by_option, in_words)]
    assert {result["filename"] for result in found[0]} == {"rivian_patents.pdf", "rivian_investments.pdf"}
    assert [r["id"] for r in found[0]] == [r["id"] for r in found[1]]


def test_help_teaches_and_loads_no_engine(pincite: Run) -> None:
    done = pincite("--help")
    assert done.returncode == 0
    assert "pincite index" in done.stdout
    for command in ("index", "ask", "search", "status", "verify", "remove", "gc", "doctor"):
        assert pincite(command, "--help").returncode == 0


def test_output_in_a_pipe_has_no_escape_codes(pincite: Run, demo_store: Path) -> None:
    assert "\x1b" not in pincite("ask", QUESTION, "--store", demo_store).stdout


def test_the_answer_names_the_library_python_too(demo_store: Path) -> None:
    import pincite as library

    with library.open(demo_store) as engine:
        answer = engine.ask(QUESTION)
        assert not answer.refused
        assert answer.to_dict()["query"] == QUESTION
        cited = answer.statements[0].citations[0]
        assert engine.session().files.boxes(cited)
    assert "torch" not in sys.modules
