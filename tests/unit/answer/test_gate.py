"""The gate against statements that say something else than their quotes: whatever one word, number, unit, name,
negation or modal verb is changed, dropped or added."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.answer.said.gate import is_supported
from pincite.records.answers import Statement, StatementKind
from pincite.records.citations import Citation
from pincite.records.pages import Span

SUBJECTS = ("roof", "bridge", "northern quay", "steel mast", "pressure vessel")
VERBS = ("carry", "resist", "hold", "bear")
MODALS = ("shall", "should", "must", "may", "can", "need")
UNITS = ("kN", "kN/m²", "N", "MN", "mN", "m", "mm", "m²", "%", "°C", "kg", "t", "years", "km/h")
NAMES = ("Anna Berg", "Carlo Neri", "Lund Boats", "Malmo Steel", "Vera Lind")


@dataclass(frozen=True)
class Rule:
    """A rule as a document may state it."""

    subject: str
    modal: str
    negation: str
    verb: str
    number: str
    unit: str
    name: str

    @property
    def text(self) -> str:
        denied = f" {self.negation}" if self.negation else ""
        load = f"{self.number} {self.unit}"
        return f"The {self.subject} {self.modal}{denied} {self.verb} a load of {load}, as {self.name} wrote."


numbers = st.decimals(min_value=0, max_value=99_999, places=2).map(lambda value: str(value.normalize()))
plain_numbers = numbers.filter(lambda text: "E" not in text)
rules = st.builds(
    Rule,
    subject=st.sampled_from(SUBJECTS),
    modal=st.sampled_from(MODALS),
    negation=st.sampled_from(("", "not", "never")),
    verb=st.sampled_from(VERBS),
    number=plain_numbers,
    unit=st.sampled_from(UNITS),
    name=st.sampled_from(NAMES),
)


def passes(text: str, quote: str, kind: StatementKind = "quote") -> bool:
    citation = Citation("a.pdf", "a.pdf", 1, None, None, "0" * 64, Span(1, 0, len(quote)), quote)
    return is_supported(Statement(text, kind, (citation,)))


@given(rules)
def test_a_sentence_is_borne_out_by_itself(rule: Rule) -> None:
    assert passes(rule.text, rule.text)


@given(rules, rules)
def test_a_sentence_is_not_borne_out_by_one_that_differs_in_anything(said: Rule, quoted: Rule) -> None:
    assert passes(said.text, quoted.text) == (said == quoted)


@given(rules, rules, st.booleans())
def test_what_is_changed_in_one_place_is_stopped_though_the_changed_word_stands_elsewhere(
    rule: Rule, other: Rule, second_quoted: bool
) -> None:
    """A number, unit or name of another sentence of the same quote is no support."""
    quote = f"{rule.text} {other.text}" if second_quoted else rule.text
    for field in ("number", "unit", "negation", "modal"):
        mine, changed = getattr(rule, field), getattr(other, field)
        said = {**{name: getattr(rule, name) for name in rule.__dataclass_fields__}, field: changed}
        made = Rule(**said)
        if mine != changed and not _stands_in(made, quote):
            assert not passes(made.text, quote), field


def _stands_in(rule: Rule, quote: str) -> bool:
    """Whether the steps that the gate looks at stand in the quote: number with unit, and modal with its neighbours."""
    denied = f" {rule.negation}" if rule.negation else ""
    return f"{rule.number} {rule.unit}" in quote and f"{rule.subject} {rule.modal}{denied} {rule.verb}" in quote


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Visitors must enter the plant with a helmet.", "Visitors must not enter the plant without a helmet."),
        ("Visitors must enter the plant.", "Visitors must not enter the plant without a helmet."),
        ("Visitors enter the plant.", "Visitors must enter the plant."),
        ("enter the plant", "Visitors must not enter the plant."),
        ("The share is 30.", "The share is 30 %."),
        ("It cost €4.5 million.", "It cost $4.5 million."),
        ("It cost $4.5 billion.", "It cost $4.5 million and 2 billion went elsewhere."),
        ("The load is 3 kN/m².", "By 5.2(3) the load is 1,5 kN/m²."),
        ("It is -5 °C.", "It is 5 °C."),
        ("It is 5 °C.", "It is -5 °C."),
        ("Anna Neri wrote it.", "Anna Berg and Carlo Neri wrote it."),
        ("Anna Bergs wrote it.", "Anna Berg wrote it."),
        ("Patent US1234567B2 is theirs.", "Patents US1234567B1 and US7654321B2 are theirs."),
        ("Use drawing AB-12/4.", "Use drawing AB-12/5 on sheet 4."),
    ],
)
def test_what_the_quote_does_not_say_is_stopped(text: str, quote: str) -> None:
    assert not passes(text, quote)


@pytest.mark.parametrize(
    ("text", "quote", "kind"),
    [
        ("The load is 1.5 kN/m².", "The load is 1,5 kN/m2.", "quote"),
        ("The height is 1500 m.", "The height is 1 500\nm.", "quote"),
        ("Sales, 2022: 34,229 (Millions)", "Sales $34,229 in 2022 (Millions)", "value"),
        ("Loads [kN]: 5 kN", "Loads [kN]\n5\n7", "value"),
        ("Tax rate %, 2021: 14.8", "Tax rate %\n2021\n14.8%", "value"),
        ("Use drawing AB-12/4.", "Use drawing AB-\n12/4.", "quote"),
        ("ANNA BERG wrote it.", "Anna Berg’s hand wrote it, Anna Berg said.", "quote"),
    ],
)
def test_what_is_only_set_otherwise_passes(text: str, quote: str, kind: StatementKind) -> None:
    assert passes(text, quote, kind)
