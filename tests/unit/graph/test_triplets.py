"""1. Verbs, appositions, possessives, roles, definitions and attributions become triplets. 2. A predicate has one name,
however it is said. 3. Every place is a slice of the sentence. 4. Sentences give the same together and alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.graph.ontology import shipped_ontology
from pincite.graph.triplets import EXTRACTOR, VERSION, RawTriplet, extract_all


def extract_triplets(sentence: str) -> list[RawTriplet]:
    return extract_all([sentence], shipped_ontology())[0]


def said(sentence: str) -> set[tuple[str, str, str]]:
    return {
        (sentence[slice(*found.subject)], found.name, sentence[slice(*found.object)])
        for found in extract_triplets(sentence)
    }


@pytest.mark.parametrize(
    ("sentence", "triplet"),
    [
        ("Elon Musk, co-founder of Tesla, invested in SolarCity.", ("Elon Musk", "founded", "Tesla")),
        ("Elon Musk, co-founder of Tesla, invested in SolarCity.", ("Elon Musk", "invested_in", "SolarCity")),
        ("Tesla was founded by Martin Eberhard in 2003.", ("Tesla", "has_founder", "Martin Eberhard")),
        ("Tesla was founded by Martin Eberhard in 2003.", ("Tesla", "founded_in", "2003")),
        ("Martin Eberhard founded Tesla.", ("Martin Eberhard", "founded", "Tesla")),
        ("Martin Eberhard holds a patent on cooling.", ("Martin Eberhard", "holds_patent", "a patent on cooling")),
        ("Rivian's CEO is RJ Scaringe.", ("RJ Scaringe", "leads", "Rivian")),
        ("Paris is the capital of France.", ("Paris", "is", "the capital of France")),
        ("Paris is the capital of France.", ("Paris", "capital_of", "France")),
        ("The company's directors left.", ("The company", "has", "directors")),
        ("An operator means a person who runs a plant.", ("An operator", "means", "a person")),
        ("He said that the bank had failed.", ("He", "said", "that the bank had failed")),
        ("He said that the bank had not paid its debts.", ("the bank", "not_paid", "its debts")),
        ("The company, which is based in Berlin, bought a bank.", ("The company", "located_in", "Berlin")),
        ("Aspirin reduces fever and pain.", ("Aspirin", "reduced", "pain")),
        ("Becoming is a book written by Michelle Obama.", ("Becoming", "written_by", "Michelle Obama")),
        ("It is a film produced and directed by Ann Lee.", ("It", "produced_by", "Ann Lee")),
        ("They designed and built the bridge.", ("They", "created", "the bridge")),
        ("The school is located in Gypsum, Colorado.", ("Gypsum", "located_in", "Colorado")),
        ("Ann has written a book.", ("Ann", "wrote", "a book")),
    ],
)
def test_a_sentence_gives_its_triplets(sentence: str, triplet: tuple[str, str, str]) -> None:
    assert triplet in said(sentence)


def names(sentence: str) -> set[str]:
    return {found.name for found in extract_triplets(sentence)}


def test_a_predicate_has_one_name_however_it_is_said() -> None:
    for sentence in ("She invests in banks.", "She has been investing in banks.", "She will invest in banks."):
        assert "invested_in" in names(sentence)


def test_further_arguments_stand_beside_the_object() -> None:
    (found,) = (each for each in extract_triplets("She founded Rivian in 2009.") if each.name == "founded")
    assert found.arguments == ("Rivian", "in 2009")
    assert (found.extractor, found.version) == (EXTRACTOR, VERSION)


def test_a_clause_is_surer_than_a_noun_phrase() -> None:
    by_kind = {found.kind: found.confidence for found in extract_triplets("Orkem, a group, bought the bank's shares.")}
    assert by_kind["object"] > by_kind["apposition"] > by_kind["possessive"]


def test_a_verb_takes_no_object_of_another() -> None:
    assert ("He", "left", "Bo") not in said("He left, met Bo and went home.")


def test_what_opens_a_sentence_is_no_object_of_a_verb_that_has_a_preposition_of_its_own() -> None:
    sentence = "For Ann Lee, the letters of Orana and its papers were looked at."
    assert "Ann Lee" not in {triplet[2] for triplet in said(sentence)}


def test_a_date_in_brackets_is_not_what_somebody_is() -> None:
    triplets = said("Ann Lee (May 9, 1892 in Denver, Colorado) was an American director.")
    assert ("Ann Lee", "is", "an American director") in triplets
    assert not any(name == "is" and "May" in target for _, name, target in triplets)


def test_what_says_nothing_gives_nothing() -> None:
    assert extract_triplets("") == []
    assert extract_triplets("Figure 3.") == []
    assert extract_triplets("never " * 300) == []
    assert extract_triplets("\ud800") == []


def well_placed(sentence: str, found: RawTriplet) -> bool:
    places = (found.subject, found.predicate, found.object)
    inside = all(0 <= start <= end <= len(sentence) for start, end in places)
    return inside and 0 <= found.confidence <= 1 and bool(found.name) and bool(found.arguments[0])


WORDS = st.sampled_from(
    "the a bank Tesla founded was by of which said that , and who 's company in 2003 ( ) \" is patent . it to".split()
)


@given(st.lists(st.lists(WORDS, max_size=25).map(" ".join), max_size=4))
def test_every_place_is_a_slice_and_company_changes_nothing(sentences: list[str]) -> None:
    together = extract_all(sentences, shipped_ontology())
    assert together == [extract_triplets(sentence) for sentence in sentences]
    for sentence, triplets in zip(sentences, together, strict=True):
        assert all(well_placed(sentence, found) for found in triplets)


def test_a_relation_of_which_no_word_says_anything_is_nameless() -> None:
    sentence = (
        "If you are avoiding using the fixed D-H primes published in RFCs, then you are concerned about some "
        "advanced attacks and will wish to do this; if you do not regenerate then you might as well stick to the "
        "standard primes."
    )
    assert "" in {raw.name for raw in extract_triplets(sentence)}
