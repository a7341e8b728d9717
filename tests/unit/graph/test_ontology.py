"""1. Forms of one predicate have one name. 2. Inverses are known, listed or by their shape. 3. A user's table adds to
the shipped one and wins. 4. A table that is none is refused with what to do."""

from __future__ import annotations

import pytest

from pincite.errors import SettingsError
from pincite.graph.clauses import past_tense
from pincite.graph.ontology import read_ontology, shipped_ontology


def test_forms_of_one_predicate_have_one_name() -> None:
    ontology = shipped_ontology()
    assert ontology.name("co_founded") == ontology.name("established") == "founded"
    assert ontology.name("founded_by") == "has_founder"
    assert ontology.name("held", "patent") == "holds_patent"
    assert ontology.name("held", "key") == "held"
    assert ontology.name("sang_in") == "sang_in"


def test_inverses_are_known() -> None:
    ontology = shipped_ontology()
    assert ontology.inverse("founded") == "has_founder"
    assert ontology.inverse("has_founder") == "founded"
    assert ontology.inverse("capital_of") == "has_capital"
    assert ontology.inverse("has_capital") == "capital_of"
    assert ontology.inverse("sang_in") is None


def test_every_inverse_of_the_shipped_table_leads_back() -> None:
    ontology = shipped_ontology()
    assert all(ontology.inverses[inverse] == name for name, inverse in ontology.inverses.items())


def test_a_table_of_the_user_adds_and_wins() -> None:
    own = read_ontology('[steers]\nforms = ["founded", "ran"]\ninverse = "steered_by"', shipped_ontology())
    assert own.name("founded") == "steers"
    assert own.inverse("steered_by") == "steers"
    assert own.name("founded_by") == "has_founder"
    assert own.name("co_founded") == own.name("established") == "steers"
    assert shipped_ontology().name("co_founded") == "founded"


def test_two_tables_that_say_the_same_have_one_digest() -> None:
    forward = read_ontology('[steers]\nforms = ["ran"]\n[eats]\nforms = ["ate"]')
    backward = read_ontology('[eats]\nforms = ["ate"]\n# a remark\n[steers]\nforms = ["ran"]')
    assert forward.digest == backward.digest != shipped_ontology().digest


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[founded", "own.toml is not TOML"),
        ("founded = 1", "own.toml: the predicate founded has no table"),
        (
            '[founded]\nsynonyms = ["made"]',
            "the predicate founded has synonyms: it may have forms, inverse, inverse_forms",
        ),
        ('[founded]\nforms = "made"', "forms of the predicate founded must be a list of predicates, not 'made'"),
        ("[founded]\ninverse = 3", "inverse of the predicate founded must be a predicate, not 3"),
        ('[founded]\ninverse_forms = ["made_by"]', "has inverse_forms but no inverse"),
    ],
)
def test_what_is_no_ontology_is_refused(text: str, told: str) -> None:
    with pytest.raises(SettingsError, match=told) as raised:
        read_ontology(text, origin="own.toml")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("verb", "tag", "past"),
    [
        ("invests", "VBZ", "invested"),
        ("investing", "VBG", "invested"),
        ("acquire", "VB", "acquired"),
        ("carries", "VBZ", "carried"),
        ("stopping", "VBG", "stopped"),
        ("stop", "VB", "stopped"),
        ("admits", "VBZ", "admitted"),
        ("reaches", "VBZ", "reached"),
        ("writes", "VBZ", "wrote"),
        ("writing", "VBG", "wrote"),
        ("running", "VBG", "ran"),
        ("written", "VBN", "wrote"),
        ("lying", "VBG", "lay"),
        ("limits", "VBZ", "limited"),
        ("mimic", "VB", "mimicked"),
        ("overriding", "VBG", "overrode"),
        ("had", "VBD", "has"),
    ],
)
def test_the_past_tense_names_a_verb(verb: str, tag: str, past: str) -> None:
    assert past_tense(verb, tag) == past
