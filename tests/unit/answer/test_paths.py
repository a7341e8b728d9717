"""A path shows for each of its steps the sentence that says so."""

from __future__ import annotations

from pathlib import Path

from tests.support.engines import hashing_engine
from tests.support.schema import checked

from pincite.records.pages import Block, Document, Page, Span
from pincite.records.sources import Source

TEXTS = {
    "tesla_investments.pdf": (
        "Tesla makes cars.",
        "Elon Musk, co-founder of Tesla, invested in SolarCity, a solar energy startup.",
    ),
    "tesla_patents.pdf": ("Elon Musk holds patents for Tesla EV battery technology.",),
    "weather.pdf": ("Snow lies on the roof of Anna Berg.",),
}
QUESTION = "Which founders of Tesla have invested in solar energy startups?"


def document(texts: tuple[str, ...]) -> Document:
    pages = (Page(n, text, (Block("paragraph", Span(n, 0, len(text))),)) for n, text in enumerate(texts, start=1))
    return Document(tuple(pages), reader="test")


def test_a_path_leads_from_what_the_question_names_to_what_it_asks_for(tmp_path: Path) -> None:
    with hashing_engine(tmp_path / "store") as engine:
        engine.index_documents((Source(name, "given", name), document(texts)) for name, texts in TEXTS.items())
        results = checked(engine.ask(QUESTION, receipt=False)).to_dict()["results"]
        unnamed = engine.ask("where does snow lie?", receipt=False)
    paths = {tuple(item["path"]): item for item in results if item["type"] == "triplet_path"}
    found = paths["Tesla", "Elon Musk", "SolarCity"]
    assert found["edges"][1] == "invested_in"
    assert len(found["supporting_chunks"]) == len(found["edges"]) == 2
    for path in paths.values():
        assert path["path"][0] == "Tesla"
        for support in path["supporting_chunks"]:
            page = TEXTS[support["filename"]][support["page"] - 1]
            assert page[slice(*support["span"])] == support["quote"]
    assert unnamed.paths == ()


def test_where_the_question_names_a_relation_paths_end_with_it(tmp_path: Path) -> None:
    with hashing_engine(tmp_path / "store") as engine:
        engine.index_documents((Source(name, "given", name), document(texts)) for name, texts in TEXTS.items())
        invested = engine.ask("What has Elon Musk invested in?", receipt=False).paths
        held = engine.ask("Which patents does Elon Musk hold?", receipt=False).paths
    assert {path.edges[-1] for path in invested} == {"invested_in"}
    assert {path.edges[-1] for path in held} == {"holds_patent"}


def test_of_two_ways_to_one_end_the_one_through_the_rarer_name_is_shown(tmp_path: Path) -> None:
    texts = {
        "a.pdf": ("Mary Stone, co-founder of Tesla, invested in SolarCity.",),
        "b.pdf": ("Elon Musk, co-founder of Tesla, invested in SolarCity.",),
        **{f"c{number}.pdf": (f"Meeting {number} was opened by Elon Musk.",) for number in range(6)},
    }
    with hashing_engine(tmp_path / "store") as engine:
        engine.index_documents((Source(name, "given", name), document(pages)) for name, pages in texts.items())
        paths = engine.ask("Which founders of Tesla have invested in SolarCity?", receipt=False).paths
    assert ("Tesla", "Mary Stone", "SolarCity") in {path.path for path in paths}


def test_a_misspelt_name_leads_to_the_same_places(tmp_path: Path) -> None:
    with hashing_engine(tmp_path / "store") as engine:
        engine.index_documents((Source(name, "given", name), document(texts)) for name, texts in TEXTS.items())
        right, wrong = (
            engine.ask(asked, receipt=False).paths for asked in (QUESTION, QUESTION.replace("Tesla", "Teslla"))
        )
    assert {path.path[1:] for path in wrong} == {path.path[1:] for path in right} != set()
    assert {path.path[0] for path in wrong} == {"Tesla"}


def test_the_sentences_of_a_path_are_read_at_question_time_where_nothing_is_stored(tmp_path: Path) -> None:
    with hashing_engine(tmp_path / "stored") as engine:
        engine.index_documents((Source(name, "given", name), document(texts)) for name, texts in TEXTS.items())
        stored = engine.ask(QUESTION, receipt=False).paths
    with hashing_engine(tmp_path / "bare", extractor=None) as engine:
        engine.index_documents((Source(name, "given", name), document(texts)) for name, texts in TEXTS.items())
        assert all(engine.session().graph.triplets(name) == [] for name in TEXTS)
        read = engine.ask(QUESTION, receipt=False).paths
    assert ("Tesla", "Elon Musk", "SolarCity") in {path.path for path in read} & {path.path for path in stored}


def test_a_result_shows_the_triplets_of_its_cited_sentences(tmp_path: Path) -> None:
    with hashing_engine(tmp_path / "store") as engine:
        engine.index_documents((Source(name, "given", name), document(texts)) for name, texts in TEXTS.items())
        answer = checked(engine.ask(QUESTION))
        (run,) = engine.session().audit.runs()
        assert engine.session().audit.restored(engine.session().audit.receipt(run.run_id)) == answer
    results = {item["id"]: item["supporting_triplets"] for item in answer.to_dict()["results"] if "text" in item}
    triplets = [triplet for found in results.values() for triplet in found]
    assert ("Elon Musk", "invested_in", "SolarCity") in {(t["subject"], t["predicate"], t["object"]) for t in triplets}
    cited = {citation.chunk_id for statement in answer.statements for citation in statement.citations}
    assert {chunk_id for chunk_id, found in results.items() if found} <= cited
    assert all(triplet["source_chunk_id"] in cited for triplet in triplets)
