"""1. Which objects an address means, and no others: what is not listed must not look as if it had vanished.
2. The order in which a store lists them does not show."""

from __future__ import annotations

import pytest

from pincite.build.objects import ObjectTerms, find_objects, is_at_or_below
from pincite_testing.memory_objects import MemoryObjects

KEYS = ("a", "a/1.txt", "a/b/2.txt", "ab/3.txt", "a.zip", "/a/4.txt", "//5.txt")


def found(address: str, *keys: str, size: int = 1) -> list[str]:
    objects = MemoryObjects()
    for key in keys:
        objects.hold(f"s3://docs/{key}", b"x" * size)
    return [item.source_id for item in find_objects([address], [], objects, ObjectTerms({}, 10))]


@pytest.mark.parametrize(
    ("below", "expected"),
    [
        ("", set(KEYS)),
        ("/", set(KEYS)),
        ("/a", {"a", "a/1.txt", "a/b/2.txt"}),
        ("/a/", {"a/1.txt", "a/b/2.txt"}),
        ("/a.zip", {"a.zip"}),
        ("//", {"/a/4.txt", "//5.txt"}),
        ("//a", {"/a/4.txt"}),
        ("/none", set()),
    ],
)
def test_an_address_means_an_object_or_what_lies_below(below: str, expected: set[str]) -> None:
    address = f"s3://docs{below}"
    assert found(address, *KEYS) == sorted(f"s3://docs/{key}" for key in expected)
    assert {key for key in KEYS if is_at_or_below(f"s3://docs/{key}", address)} == expected


def test_what_lies_inside_an_object_belongs_to_it() -> None:
    assert is_at_or_below("s3://docs/a.zip!/b.txt", "s3://docs/a.zip")
    assert not is_at_or_below("s3://docs/a.zip.bak!/b.txt", "s3://docs/a.zip")
    assert found("s3://docs/a.zip", "a.zip", "a.zip!/b.txt", "a.zip.bak") == ["s3://docs/a.zip"]


def test_an_empty_object_that_ends_in_a_slash_is_a_folder() -> None:
    assert found("s3://docs/a", "a/", "a/b/", "a/b/c.txt", size=0) == ["s3://docs/a/b/c.txt"]


def test_the_order_of_listing_does_not_show() -> None:
    assert found("s3://docs", *KEYS) == found("s3://docs", *reversed(KEYS))
