"""Whatever stands in a document and whatever is asked, nothing breaks: text, structure, graph and answers.

`make bench` runs a hundred thousand paragraphs (bench/promises.py)."""

from __future__ import annotations

import sysconfig
from pathlib import Path
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.documents import document, source
from tests.support.engines import hashing_engine, passing_folder
from tests.support.fuzzed import asked, made_document, real_paragraphs, through_the_rooms, worn

from pincite.answer.material.passages import passages_of
from pincite.build.editions import make_edition
from pincite.records.chunks import ChunkPolicy
from pincite.structure.sections import find_sections

MANUALS = [
    Path(sysconfig.get_path("stdlib")) / name
    for name in ("argparse.py", "doctest.py", "fractions.py", "inspect.py", "pydoc.py", "tarfile.py", "textwrap.py")
]


@settings(max_examples=40)
@given(st.randoms(use_true_random=False), st.lists(st.text(st.characters(codec="utf-8"), max_size=80), min_size=1))
def test_any_text_goes_through_the_rooms(random: Random, texts: list[str]) -> None:
    through_the_rooms([made_document(random, texts)])


def test_paragraphs_of_real_manuals_go_through_the_rooms_as_they_are_and_worn() -> None:
    random = Random(1)
    real = random.sample([text for text in real_paragraphs(MANUALS) if text], 400)
    texts = [worn(random, text, random.choice(real)) for text in real]
    for start in range(0, len(texts), 40):
        through_the_rooms([made_document(random, texts[start : start + 40])])


def test_any_question_is_answered_or_refused() -> None:
    random = Random(2)
    texts = random.sample([text for text in real_paragraphs(MANUALS) if text], 160)
    documents = [made_document(random, texts[start : start + 20]) for start in range(0, len(texts), 20)]
    with passing_folder() as folder, hashing_engine(folder) as engine:
        report = engine.index_documents([(source(f"{n}.pdf"), made) for n, made in enumerate(documents)])
        assert {item.status for item in report.documents} <= {"indexed", "warned"}
        for _ in range(40):
            assert engine.ask(asked(random, texts), receipt=False).summary


def test_a_heading_that_holds_nothing_breaks_no_structure() -> None:
    find_sections(document([("heading", "Snow loads"), ("heading", ""), ("paragraph", "Snow lies on the roof.")]))


def test_a_chunk_that_is_a_drawn_formula_alone_has_no_passages() -> None:
    made = document([("equation", "q = (a + b) * c / (d - e)")])
    (chunk,) = make_edition(source(), made, ChunkPolicy(), {}).chunks
    assert passages_of(chunk) == []
