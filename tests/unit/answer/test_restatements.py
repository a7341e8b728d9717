"""A language model restates what it was shown: what says the same stays, and what turns it round falls or is marked.

`data/restatements.toml` holds passages of many genres; rules are made by those of odd places alone.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from tests.support.documents import document, source

from pincite.answer.material.passages import passages_of
from pincite.answer.modes.claims import claims_of
from pincite.answer.modes.given import Given
from pincite.answer.modes.pins import Pinned, pinned
from pincite.build.chunks import cut_chunks
from pincite.records.chunks import ChunkPolicy

LEAST_SHARE = 0.9
LABEL = "(a.pdf, p.1)"
WRITTEN = tomllib.loads((Path(__file__).parent / "data" / "restatements.toml").read_text(encoding="utf-8"))["passage"]
HALVES = [pytest.param(WRITTEN[::2], id="odd"), pytest.param(WRITTEN[1::2], id="even")]


@dataclass(frozen=True)
class Said:
    """What became of one sentence."""

    text: str
    passage: str
    fallen: str
    marked: tuple[str, ...]

    @property
    def is_plain(self) -> bool:
        """Whether it is said without a mark."""
        return not self.fallen and not self.marked


def found_for(text: str, passage: str) -> Pinned:
    made = replace(document(passage), language="en")
    chunks, _ = cut_chunks(source(), made, (), ChunkPolicy(), "1")
    lines = tuple((line, chunk) for chunk in chunks for line in passages_of(chunk))
    return pinned(claims_of(f"{text} {LABEL}", {LABEL}, cut_off=False), [Given(LABEL, "", lines)])


def said(text: str, passage: str) -> Said:
    found = found_for(text, passage)
    marked = [s.text[mark.start : mark.end] for s in found.statements for mark in s.marks]
    fallen = ", ".join(why for _, why in found.fallen)
    return Said(text, passage, fallen, tuple(marked))


def written(passages: Sequence[dict[str, list[str]]], kind: str) -> list[Said]:
    return [said(text, str(passage["text"])) for passage in passages for text in passage[kind]]


def listed(wrong: Sequence[Said], told: Sequence[Said]) -> str:
    lines = [f"{one.text} [{one.fallen or 'said'}] {one.marked} <- {one.passage}" for one in wrong]
    return "\n".join([f"{len(wrong)} of {len(told)}:", *lines])


@pytest.mark.parametrize("passages", HALVES)
def test_what_says_the_same_stays_unmarked(passages: Sequence[dict[str, list[str]]]) -> None:
    told = written(passages, "honest")
    wrong = [one for one in told if not one.is_plain]
    assert len(wrong) <= (1 - LEAST_SHARE) * len(told), listed(wrong, told)


@pytest.mark.parametrize("passages", HALVES)
def test_what_turns_its_source_round_falls_or_is_marked(passages: Sequence[dict[str, list[str]]]) -> None:
    told = written(passages, "reversed")
    wrong = [one for one in told if one.is_plain]
    assert len(wrong) <= (1 - LEAST_SHARE) * len(told), listed(wrong, told)
