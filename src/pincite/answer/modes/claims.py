"""What a language model says, taken apart: sentences, and the sources that it names behind each part of one."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from pincite.answer.modes.given import shown
from pincite.text.sentences import sentence_bounds

NOTHING_FOUND = re.compile(
    r"\bno\s+(?:relevant\s+)?information\s+(?:was\s+|is\s+)?(?:found|available|given|provided)\b|"
    r"\b(?:passages?|documents?|sources?|context|text)\s+(?:do|does)\s+not\s+(?:\w+\s+)?"
    r"(?:say|contain|mention|provide|specify|state|answer|give|include)\b",
    re.IGNORECASE,
)
"""How a model says that the passages do not answer."""
MOST_CLAIMS = 12
"""Sentences of an answer that are looked at: one that goes on and on says the same again. By eye, not measured."""
LEAST_CHARACTERS = 8
"""Of a sentence that says something. By eye, not measured."""

_PLACE = r"p{1,2}\.?\s*\d{1,5}(?:\s*[-–,]\s*(?:p{1,2}\.?\s*)?\d{1,5})*|lines?\s[\d\s–-]{1,20}|sec\.\s[^();]{1,40}"
_SOURCE = rf"[^()\[\]\n]{{1,300}}?,\s*(?:{_PLACE})"
_CITATION = re.compile(rf"[(\[]\s*(?:sources?:\s*)?(?P<sources>{_SOURCE}(?:\s*;\s*{_SOURCE})*)\s*[)\]]", re.IGNORECASE)
_LEAD = re.compile(r"^(?:[#>*•–—-]+|\d{1,2}[.)]|answer:|a:)\s+", re.IGNORECASE)
_EMPHASIS = re.compile(r"\*{1,3}|_{2}|`+")
_LINK = re.compile(r"!?\[[^\[\]\n]*+\]\s?[(\[]|://|\bwww\.|<[a-z/!][^<>\n]*+>|javascript:|data:\w+/", re.IGNORECASE)
_ENDS = frozenset(".!?)]")


@dataclass(frozen=True, slots=True)
class Part:
    """Words of a sentence with the sources that were named behind them, as written."""

    text: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence: its parts, in order."""

    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        """The sentence without its sources."""
        joined = " ".join(part.text for part in self.parts)
        return re.sub(r"\s+([,.;:!?])", r"\1", joined).strip()


def claims_of(answer: str, labels: Collection[str], *, cut_off: bool) -> list[Claim]:
    """The sentences of an answer, each once; of one that was `cut_off` those that end in a full stop or a source.

    `labels` are the sources as they were given: they are known whatever stands in them. Questions, and sentences with
    links, images or markup, are none.
    """
    found: dict[str, Claim] = {}
    for sentence in _sentences(answer, labels):
        if (cut_off and sentence[-1] not in _ENDS) or _LINK.search(sentence):
            continue
        claim = _claim(sentence, labels)
        if len(claim.text) >= LEAST_CHARACTERS and any(map(str.isalpha, claim.text)) and claim.text[-1] != "?":
            found.setdefault(claim.text.casefold(), claim)
    return list(found.values())[:MOST_CLAIMS]


def _sentences(answer: str, labels: Collection[str]) -> Iterator[str]:
    """The sentences of all lines; a source that stands behind the full stop of a sentence belongs to it."""
    for line in answer.splitlines():
        plain = _EMPHASIS.sub("", _LEAD.sub("", shown(line)))
        start = 0
        for end in _ends(plain, labels):
            if sentence := plain[start:end].strip():
                yield sentence
            start = end


def _ends(line: str, labels: Collection[str]) -> Iterator[int]:
    """Where the sentences of a line end: not inside a source, and behind the sources that follow it."""
    places = _places(line, labels)
    hidden = list(line)
    for start, end, _ in places:
        hidden[start:end] = "X" * (end - start)
    for _, bound in sentence_bounds("".join(hidden)):
        end = bound
        for start, behind, _ in places:
            if start >= end and not line[end:start].strip(" .,;"):
                end = behind + len(line[behind:]) - len(line[behind:].lstrip(".,;"))
        yield end


def _places(line: str, labels: Collection[str]) -> list[tuple[int, int, tuple[str, ...]]]:
    """Where sources stand in a line, and what they are: those that were given as they were written, then whatever looks
    like one."""
    found: list[tuple[int, int, tuple[str, ...]]] = []
    for label in sorted(labels, key=lambda label: (-len(label), label)):
        found += [(match.start(), match.end(), (label,)) for match in re.finditer(re.escape(label), line)]
    for match in _CITATION.finditer(line):
        if not any(start < match.end() and match.start() < end for start, end, _ in found):
            sources = tuple(f"({source.strip()})" for source in match["sources"].split(";"))
            found.append((match.start(), match.end(), sources))
    return sorted(found)


def _claim(sentence: str, labels: Collection[str]) -> Claim:
    parts: list[Part] = []
    start = 0
    for begin, end, sources in _places(sentence, labels):
        words = sentence[start:begin].strip()
        if words.strip(" .,;:") or not parts:
            parts.append(Part(words, sources))
        else:
            parts[-1] = Part(f"{parts[-1].text}{words}", (*parts[-1].sources, *sources))
        start = end
    rest = sentence[start:].strip()
    if rest.strip(" .,;:"):
        parts.append(Part(rest, ()))
    elif rest and parts:
        parts[-1] = Part(f"{parts[-1].text}{rest}", parts[-1].sources)
    return Claim(tuple(part for part in parts if part.text))


def says_nothing_found(claims: Sequence[Claim]) -> bool:
    """Whether all that an answer says is that the passages do not answer."""
    return bool(claims) and all(NOTHING_FOUND.search(claim.text) for claim in claims)
