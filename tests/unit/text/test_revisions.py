"""Which name is the newer revision of which."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.build.copies import is_newer, revision_name


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Design report rev A", "Design report rev B"),
        ("design_report_RevA", "Design-Report-rev.C"),
        ("spec v1", "spec v2"),
        ("spec v1.9", "spec version 1.10"),
        ("spec-v2-draft", "spec-v3-draft"),
        ("manual 2018", "manual 2021"),
        ("manual 2021-03-01", "manual 2021-11-30"),
        ("manual_20210301", "manual_20211130"),
        ("EN 1991-1-3 (2003)", "EN 1991-1-3 (2015)"),
        ("tender draft", "tender final"),
        ("tender draft", "tender"),
        ("Handbook, 2nd part, edition 3", "Handbook, 2nd part, edition 4"),
    ],
)
def test_a_later_mark_makes_the_newer_revision(older: str, newer: str) -> None:
    assert is_newer(revision_name(newer), revision_name(older))
    assert not is_newer(revision_name(older), revision_name(newer))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Design report", "Design report"),
        ("Design report rev A", "Pump report rev B"),
        ("part 1", "part 2"),
        ("spec rev A", "spec rev 2"),
        ("review of 2018", "overview of 2021"),
        ("tender", "tender final"),
    ],
)
def test_what_says_nothing_of_revisions_is_not_ordered(first: str, second: str) -> None:
    names = revision_name(first), revision_name(second)
    assert not is_newer(*names)
    assert not is_newer(*reversed(names))


@given(st.text(alphabet="ab v12.rev-draft2021", max_size=20), st.text(alphabet="ab v12.rev-draft2021", max_size=20))
def test_no_two_names_are_newer_than_each_other(first: str, second: str) -> None:
    names = revision_name(first), revision_name(second)
    assert not (is_newer(*names) and is_newer(*reversed(names)))
    assert not is_newer(names[0], names[0])
