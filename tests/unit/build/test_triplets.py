"""1. What sentences and rows say comes with its places on the page. 2. It is a function of the document alone.
3. Only what names something is kept. 4. A model that does not answer is stood in for by the rules, and the edition
says so. 5. Another extractor, or another ontology, is another version."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from pincite.build.editions import edition_versions, make_edition
from pincite.build.stages import FAILURES_IN_A_ROW, TripletStage
from pincite.deadline import Deadline
from pincite.errors import ServiceError
from pincite.graph.ontology import read_ontology, shipped_ontology
from pincite.graph.triplets import VERSION, RuleExtractor
from pincite.ports import TripletExtractor
from pincite.records.chunks import ChunkPolicy, Edition
from pincite.records.pages import Block, Document, Page, Span
from pincite.records.sources import Source
from pincite.records.triplets import RawTriplet, Triplet

MUSK = "Elon Musk, co-founder of Tesla, invested in SolarCity."
TOWER = "The tower of Tesla is 300 m high."
SAID = (
    MUSK,
    TOWER,
    "Anna Berg married Otto Lund in Vienna.",
    "Snow falls on roofs.",
    "Rivian was founded by RJ Scaringe.",
)


def document(*pages: str, kind: str = "paragraph", language: str = "en") -> Document:
    made = [Page(n, text, (Block(kind, Span(n, 0, len(text))),)) for n, text in enumerate(pages, 1)]  # type: ignore[arg-type]
    return Document(tuple(made), reader="test", language=language)


def edition(read: Document, name: str = "a.pdf") -> Edition:
    return make_edition(Source(name, "given", "0" * 64), read, ChunkPolicy(), {"reader": "test"})


def rules(ontology_text: str = "") -> TripletStage:
    ontology = read_ontology(ontology_text, shipped_ontology())
    return TripletStage(lambda: RuleExtractor(ontology), ontology)


def told(stage: TripletStage, *documents: Document) -> list[tuple[Triplet, ...]]:
    return [made.triplets for made in stage.add([edition(read) for read in documents])]


def find(triplets: Sequence[Triplet], subject: str, target: str) -> Triplet:
    (found,) = (each for each in triplets if (each.subject, each.object) == (subject, target))
    return found


def test_a_sentence_says_who_invested_in_what_and_where_it_stands() -> None:
    (triplets,) = told(rules(), document("Nothing.", f"First words. {MUSK} Last words."))
    found = find(triplets, "Elon Musk", "SolarCity")
    page = f"First words. {MUSK} Last words."
    assert (found.name, found.predicate, found.page) == ("invested_in", "invested in", 2)
    assert page[found.start : found.end] == MUSK
    assert page[slice(*found.subject_place)] == "Elon Musk"
    assert page[slice(*found.object_place)] == "SolarCity"
    assert (found.extractor, found.version) == ("clauses", VERSION)


def test_a_thing_and_its_value_are_told() -> None:
    (triplets,) = told(rules(), document(TOWER))
    assert any("300 m" in found.object and "tower" in found.subject for found in triplets)


def test_what_names_nothing_is_not_kept() -> None:
    assert told(rules(), document("Snow falls on roofs and the roofs carry 300 kg of it.")) == [()]


def test_a_row_of_a_table_is_told_with_its_cells() -> None:
    text = "Founder\tVenture\nElon Musk\tSolarCity"
    (triplets,) = told(rules(), document(text, kind="table"))
    found = find(triplets, "Elon Musk", "SolarCity")
    assert (found.name, text[found.start : found.end]) == ("venture", "Elon Musk\tSolarCity")
    assert (text[slice(*found.subject_place)], text[slice(*found.object_place)]) == ("Elon Musk", "SolarCity")


def test_a_sentence_that_a_page_break_cuts_is_read_whole() -> None:
    (triplets,) = told(rules(), document("Elon Musk, co-founder of Tesla,", "invested in SolarCity. He sleeps."))
    found = find(triplets, "Elon Musk", "SolarCity")
    assert (found.page, found.start, found.end) == (1, 0, 31)
    assert found.object_place == (31, 31)


def test_other_languages_are_left_to_those_who_know_them() -> None:
    assert told(rules(), document(MUSK, language="de")) == [()]


def test_without_an_extractor_nothing_is_told() -> None:
    assert told(TripletStage(lambda: None, shipped_ontology()), document(MUSK)) == [()]


@given(st.permutations(range(len(SAID))), st.integers(0, len(SAID)))
def test_what_a_document_says_depends_on_no_other_document(order: Sequence[int], cut: int) -> None:
    documents = [document(SAID[index]) for index in order]
    together = told(rules(), *documents[:cut]) + told(rules(), *documents[cut:])
    assert together == [told(rules(), read)[0] for read in documents]


@given(st.lists(st.sampled_from(SAID), min_size=1, max_size=5), st.sampled_from([" ", "\n", " \n "]))
def test_every_place_slices_its_page(sentences: list[str], gap: str) -> None:
    text = gap.join(sentences)
    for found in told(rules(), document(text))[0]:
        assert text[found.start : found.end].strip() == text[found.start : found.end] != ""
        for words, place in ((found.subject, found.subject_place), (found.object, found.object_place)):
            assert found.start <= place[0] < place[1] <= found.end
            assert text[slice(*place)] in words


class Silent:
    """A model that answers only the first `answers` times it is asked."""

    name, version = "silent", "1"

    def __init__(self, answers: int = 0) -> None:
        self.answers, self.asked = answers, 0

    def extract(
        self, sentences: Sequence[str], language: str | None, *, deadline: Deadline = Deadline.never()
    ) -> list[list[RawTriplet]]:
        """No triplets, or no answer."""
        self.asked += 1
        if self.asked > self.answers:
            raise ServiceError("http://nowhere does not answer: start it")
        return [[] for _ in sentences]


def test_a_dead_model_is_stood_in_for_by_the_rules_with_a_warning() -> None:
    model = Silent()
    stage = TripletStage(lambda: model, shipped_ontology())
    for _ in range(FAILURES_IN_A_ROW + 2):
        (made,) = stage.add([edition(document(MUSK))])
        assert made.triplets == told(rules(), document(MUSK))[0]
        assert made.warnings == ("triplets by rules alone: http://nowhere does not answer: start it",)
    assert model.asked == FAILURES_IN_A_ROW


def test_documents_that_a_model_has_read_carry_no_warning() -> None:
    stage = TripletStage(lambda: Silent(answers=1), shipped_ontology())
    (made,) = stage.add([edition(document(MUSK))])
    assert (made.triplets, made.warnings) == ((), ())


def test_another_extractor_or_ontology_is_another_version() -> None:
    makers: list[TripletExtractor | None] = [None, Silent(), RuleExtractor(shipped_ontology())]
    stages = [TripletStage(lambda made=made: made, shipped_ontology()) for made in makers]  # type: ignore[misc]
    stages.append(rules('[steers]\nforms = ["ran"]'))
    versions = [edition_versions("r", ChunkPolicy(), stage.version) for stage in stages]
    assert len({version["graph"] for version in versions}) == 4
    assert len({tuple(sorted((version | {"graph": ""}).items())) for version in versions}) == 1


def test_another_extractor_leaves_the_chunks_their_ids() -> None:
    made = [
        make_edition(
            Source("a.pdf", "given", "0" * 64),
            document(MUSK),
            ChunkPolicy(),
            edition_versions("r", ChunkPolicy(), graph),
        )
        for graph in ("one", "two")
    ]
    assert made[0].chunks[0].chunk_id == made[1].chunks[0].chunk_id
    assert replace(made[0], versions={}, chunks=()) == replace(made[1], versions={}, chunks=())
