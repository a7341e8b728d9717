"""1. A question with a misspelt name is searched with the name as the documents write it. 2. Nothing else of it
changes, and no name of a hidden document is put into it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.support.engines import hashing_engine

from pincite.graph.network import ChunkNames, EntityNetwork, NetworkBuilder
from pincite.records.chunks import Mention
from pincite.records.pages import Block, Document, Page, Span
from pincite.records.questions import Query
from pincite.records.sources import Source
from pincite.retrieve.query import parse_query, with_names_mended
from pincite.text.tokens import tokenise

NAMES = ("elon musk", "solarcity", "weisenheimer")


def network() -> EntityNetwork:
    builder = NetworkBuilder()
    for name in NAMES:
        builder.add(ChunkNames({}, [Mention("name", 0, 1, name)], tokenise(name, "en")))
    return builder.build()


NETWORK = network()


def mended(question: str, visible: tuple[bool, ...] | None = None) -> Query:
    allowed = None if visible is None else np.array(visible)
    return with_names_mended(parse_query(question, ("en",)), NETWORK, allowed)


def test_a_misspelt_name_is_searched_as_the_documents_write_it() -> None:
    query = mended("Who sold Solarcitty to Elon Muusk?")
    assert query.text == "Who sold Solarcitty to Elon Muusk?"
    assert query.search_text == "Who sold Solarcity to Elon Musk?"
    assert query.tokens == parse_query("Who sold Solarcity to Elon Musk?", ("en",)).tokens


def test_a_name_that_only_hidden_documents_have_is_not_told() -> None:
    assert mended("Who sold Solarcitty to Weissenheimr?", (True, True, False)).search_text == (
        "Who sold Solarcity to Weissenheimr?"
    )


@given(st.lists(st.sampled_from((*(name.title() for name in NAMES), "who", "sold", "it", "to", "?")), max_size=8))
def test_a_question_without_a_misspelt_name_stays_as_it_is(words: list[str]) -> None:
    question = " ".join(words)
    assert mended(question) == parse_query(question, ("en",))


def test_the_evidence_is_that_of_the_question_written_right(tmp_path: Path) -> None:
    texts = {
        "town.pdf": "Peter Rive founded the town of Weisenheim.",
        "person.pdf": "Peter Rive was born in Pretoria.",
        "other.pdf": "The founder of another town was born beside a river.",
        "weather.pdf": "Snow lies on the roof of Anna Berg.",
    }
    with hashing_engine(tmp_path / "store") as engine:
        engine.index_documents((Source(name, "given", name), document(text)) for name, text in texts.items())
        right, wrong = (
            engine.search(f"Where was the founder of {name} born?", receipt=False)
            for name in ("Weisenheim", "Weissenheim")
        )
    assert [(item.chunk.chunk_id, item.scores) for item in wrong.evidence] == [
        (item.chunk.chunk_id, item.scores) for item in right.evidence
    ]


def document(text: str) -> Document:
    return Document((Page(1, text, (Block("paragraph", Span(1, 0, len(text))),)),), reader="test")
