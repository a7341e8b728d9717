"""Not found is a result: when it is one, what was searched, what comes near, and what else to try."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.documents import document, source
from tests.support.engines import hashing_engine
from tests.support.schema import checked

from pincite.cli.answer_output import answer_lines
from pincite.records.answers import Answer
from pincite.records.pages import BlockKind
from pincite.records.questions import Filter
from pincite.rendering import statement_lines

HARBOUR = {
    "rules.pdf": ("The speed limit on Harbour Road is 50 km/h.", "Lorries take the eastern lane, see ISO 99999."),
    "handbook.pdf": (
        "The crane is inspected by the office. Visitors report at the gate.",
        "The Red Gate was directed by Ben.",
    ),
}
NOTHING = "What does the saffron tariff of Reykjavik say?"


def ask(folder: Path, texts: Mapping[str, Sequence[str]], question: str) -> Answer:
    with hashing_engine(folder) as engine:
        engine.index_documents((source(name), document(*pages)) for name, pages in texts.items())
        return checked(engine.ask(question))


def aspects(answer: Answer) -> list[str]:
    return [missing.aspect for missing in answer.missing]


def suggestions(answer: Answer) -> list[str]:
    return [text for missing in answer.missing for text in missing.suggestions]


def test_a_short_question_that_one_sentence_holds_is_answered_though_its_passage_speaks_of_much_else(
    tmp_path: Path,
) -> None:
    answer = ask(tmp_path, HARBOUR, "Where do visitors report?")
    assert answer.statements[0].text == "Visitors report at the gate."


@pytest.mark.parametrize(
    ("question", "absent"),
    [
        ("Who was the director of The Red Gate?", []),
        ("How wide is the eastern lane of lorries?", []),
        ("Does the office inspect the crane and the saffron?", ["saffron"]),
    ],
)
def test_a_word_that_stands_there_in_another_form_is_not_missing(
    tmp_path: Path, question: str, absent: list[str]
) -> None:
    assert aspects(ask(tmp_path, HARBOUR, question)) == absent


def test_a_refusal_tells_what_each_channel_found_and_where_was_looked(tmp_path: Path) -> None:
    answer = ask(tmp_path, HARBOUR, NOTHING)
    assert answer.refused
    assert answer.searched == {"vector": 2, "keyword": 0, "structure": 0, "reference": 0, "graph": 2}
    shown = answer_lines(answer, statement_lines(answer), quiet=False)
    assert "  searched: vector 2, keyword 0, structure 0, reference 0, graph 2" in shown
    assert {place.filename for place in answer.missing[0].looked_in} == set(HARBOUR)


def test_a_misspelt_word_gets_the_word_that_was_meant(tmp_path: Path) -> None:
    found = suggestions(ask(tmp_path, HARBOUR, "Krane inspektion Reykjavik saffron?"))
    assert "no document holds the word “Krane”: did you mean “crane”?" in found
    assert "no document holds the word “saffron”: try another" in found


def test_a_word_of_a_running_line_is_told_with_its_page(tmp_path: Path) -> None:
    first: list[tuple[BlockKind, str]] = [("paragraph", "The crane is old."), ("furniture", "HB-2026-01")]
    second: list[tuple[BlockKind, str]] = [("paragraph", "The gate is shut."), ("furniture", "HB-2026-02")]
    with hashing_engine(tmp_path) as engine:
        engine.index_documents([(source("rules.pdf"), document(first, second))])
        found = suggestions(engine.ask("What does the saffron tariff of HB-2026-02 say?"))
    assert "“HB-2026-02” stands in no text but a line at the edge of rules.pdf, p.2: “HB-2026-02”" in found


def test_what_is_referred_to_nearby_and_is_not_in_the_folder_is_told(tmp_path: Path) -> None:
    found = suggestions(ask(tmp_path, HARBOUR, NOTHING))
    assert "referred to nearby, but not in this folder: ISO 99999" in found


def test_pages_that_could_not_be_read_are_told_to_those_alone_who_may_see_their_document(tmp_path: Path) -> None:
    scan = document("")
    scan = replace(scan, pages=(replace(scan.pages[0], origin="none"),))
    told = "1 pages have no readable text, the first is scan.pdf, p.1"
    with hashing_engine(tmp_path) as engine:
        documents = [(source(name), document(*pages)) for name, pages in HARBOUR.items()]
        engine.index_documents([*documents, (source("scan.pdf", acl=("board",)), scan)])
        assert told not in suggestions(engine.ask(NOTHING))
        assert told in suggestions(engine.ask(NOTHING, filter=Filter(principals=("board",))))


def test_two_files_of_one_name_are_told_apart_where_was_looked(tmp_path: Path) -> None:
    texts = {f"{folder}/report.pdf": (f"Hall {folder} has a crack of {folder}.",) for folder in ("north", "south")}
    summary = ask(tmp_path, texts, NOTHING).summary
    assert "north/report.pdf, p.1" in summary
    assert "south/report.pdf, p.1" in summary


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Grain is shipped to the Free State of Orana.", "Is grain shipped to the FSO?"),
        ("Grain is shipped to the FSO.", "Is grain shipped to the Free State of Orana?"),
    ],
)
def test_a_name_and_its_initials_are_the_same_name(tmp_path: Path, text: str, question: str) -> None:
    answer = ask(tmp_path, {"grain.pdf": (text,)}, question)
    assert (answer.statements[0].text, aspects(answer)) == (text, [])
