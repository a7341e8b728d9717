"""1. JSON is found wherever a model has put it. 2. What is missing or of another type is the schema's default.
3. Whatever the text, the value fits the schema. 4. A long hostile text takes no longer than it is long."""

from __future__ import annotations

import json
from time import monotonic
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.language import most_tokens, whole_characters
from pincite.text.salvage import salvaged

FACTS = {
    "type": "object",
    "properties": {
        "relevant": {"type": "boolean", "default": True},
        "facts": {"type": "array", "items": {"type": "string"}, "maxItems": 3},
        "page": {"type": ["integer", "null"], "default": None},
        "score": {"type": "number", "default": 0.5},
        "kind": {"type": "string", "enum": ["date", "name"]},
        "filter": {"type": "object", "properties": {"contains": {"type": "string"}}},
    },
}
DEFAULTS = {"relevant": True, "facts": [], "page": None, "score": 0.5, "kind": "date", "filter": {"contains": ""}}
WHOLE = {"relevant": False, "facts": ["a"], "page": 3, "score": 1.5, "kind": "name", "filter": {"contains": ".pdf"}}
LONG = 100_000
GENEROUS = 20.0
"""Seconds; what is not linear would take minutes."""


def test_json_is_taken_as_it_is() -> None:
    found = salvaged(json.dumps(WHOLE), FACTS)
    assert (found.value, found.how) == (WHOLE, "json")


@pytest.mark.parametrize(
    "around",
    [
        "Sure! Here it is:\n```json\n{}\n```\nDo you need more?",
        "{} and that is all",
        "<think>is {{it}} or {{is it not? {{1}} </think>{}",
        "[{}]",
        '{{"answer": {}}}',
        "{}{}",
    ],
)
def test_an_object_is_found_in_whatever_stands_around_it(around: str) -> None:
    found = salvaged(around.format(*[json.dumps(WHOLE)] * 2), FACTS)
    assert (found.value, found.how) == (WHOLE, "found")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"relevant": false, "facts": ["a", "b", "c', {"relevant": False, "facts": ["a", "b"]}),
        ('{"relevant": False, "page": 7,}', {"relevant": False, "page": 7}),
        ("{'relevant': 'no', 'facts': 'a'}", {"relevant": False, "facts": ["a"]}),
        ("relevant: false\npage: 12", {"relevant": False, "page": 12}),
        ('"Relevant" : FALSE', {"relevant": False}),
        ('"relevant": maybe. No: "relevant": false', {"relevant": False}),
    ],
)
def test_of_broken_json_each_property_is_looked_for_by_its_name(text: str, said: dict[str, Any]) -> None:
    found = salvaged(text, FACTS)
    assert (found.value, found.how) == (DEFAULTS | said, "found")


@pytest.mark.parametrize(
    "text", ["", "I cannot do that.", "{}", "[]", '{"irrelevant": false}', '{"error": "x"}', "null"]
)
def test_a_text_that_says_nothing_gives_the_defaults(text: str) -> None:
    found = salvaged(text, FACTS)
    assert (found.value, found.how) == (DEFAULTS, "default")


@pytest.mark.parametrize(
    ("said", "fitted"),
    [
        ({"relevant": "yes", "page": "7", "score": "2"}, {"relevant": True, "page": 7, "score": 2.0}),
        ({"page": 7.0, "facts": ["a", 1, None, ["b"], {}]}, {"page": 7, "facts": ["a", "1"]}),
        ({"facts": list("abcd"), "score": float("inf")}, {"facts": list("abc")}),
        ({"relevant": 5, "page": 7.5, "kind": "other", "facts": "a"}, {"facts": ["a"]}),
        ({"relevant": False, "more": 1, "filter": {"contains": 1, "more": 2}}, {"filter": {"contains": "1"}}),
        ({"page": 10**400, "facts": ["\ud800"]}, {"page": 10**400, "facts": ["\ufffd"]}),
    ],
)
def test_values_are_made_to_fit_or_are_left_out(said: dict[str, Any], fitted: dict[str, Any]) -> None:
    kept = {"relevant": False} if said.get("relevant") is False else {}
    assert salvaged(json.dumps(said), FACTS).value == DEFAULTS | kept | fitted


SCALARS = st.sampled_from(["boolean", "integer", "number", "string"])
SCHEMAS = st.recursive(
    st.fixed_dictionaries({"type": SCALARS | st.lists(SCALARS, min_size=1, max_size=2, unique=True)}),
    lambda inner: (
        st.fixed_dictionaries({"type": st.just("array"), "items": inner, "maxItems": st.integers(0, 3)})
        | st.fixed_dictionaries(
            {"type": st.just("object"), "properties": st.dictionaries(st.sampled_from("abc"), inner, max_size=3)}
        )
    ),
    max_leaves=6,
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abc"), inner, max_size=4),
    max_leaves=12,
)
PIECES = st.sampled_from([*'{}[],:"\\ \n', '"a":', '"b": ', "'c': ", "true", "None", "1e999", "-", "\\ud800", "```"])
TEXTS = st.text(max_size=60) | VALUES.map(json.dumps) | st.lists(PIECES, max_size=30).map("".join)


@given(TEXTS, st.dictionaries(st.sampled_from("abc"), SCHEMAS, max_size=3), st.integers(0, 60))
def test_whatever_the_text_the_value_fits_the_schema(text: str, properties: dict[str, Any], end: int) -> None:
    schema = {"type": "object", "properties": properties}
    strict = schema | {"required": sorted(properties), "additionalProperties": False}
    for said in (text, text[:end], f"So: {text}"):
        value = salvaged(said, schema).value
        jsonschema.validate(value, strict)
        json.dumps(value).encode()
        again = salvaged(json.dumps(value), schema)
        assert again.value == value


@pytest.mark.parametrize(
    "piece",
    [
        *("{", "[", '{"relevant":', '{"facts":[0,', '"facts": [', '"facts": ["a" ', '"relevant"', '"relevant": ', "'"),
        *('"', "\\", '{"a": "', " ", "relevant : ", '{"facts": [[[[[0,', '"relevant"' + " " * 500, "```json\n{"),
    ],
)
def test_a_long_hostile_text_takes_no_longer_than_it_is_long(piece: str) -> None:
    started = monotonic()
    for text in (piece * (LONG // len(piece)), "{" + piece * (LONG // len(piece)), piece + " " * LONG):
        assert salvaged(text, FACTS).value.keys() == DEFAULTS.keys()
    assert monotonic() - started < GENEROUS


# --- tokens and characters ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("on the roof", 4),
        ("5.2(3)P", 7),
        ("12345", 5),
        ("REINFORCED", 5),
        ("Größe", 5),
        ("日本語", 6),
        ("on\n\n  the", 3),
    ],
)
def test_tokens_are_counted_so_that_no_tokenizer_counts_more(text: str, tokens: int) -> None:
    assert most_tokens(text) == tokens


@given(st.text(alphabet=st.characters(), max_size=40), st.text(alphabet=st.characters(), max_size=40))
def test_a_longer_text_has_no_fewer_tokens(first: str, second: str) -> None:
    assert most_tokens(first) >= (1 if first.strip() else 0)
    assert most_tokens(first + "\n" + second) >= max(most_tokens(first), most_tokens(second))


def test_halves_of_characters_are_put_together_or_replaced() -> None:
    assert whole_characters("a\ud83d\ude00b\ud83d") == "a😀b\ufffd"
