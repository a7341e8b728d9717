"""Language models that plan: one takes a question apart, one reviews what was found and says which references to
follow (spec/reference_following.md, steps 0 and 6 to 8). Rules follow them where there is no model.

Round by round it drops what does not help, names references and asks for neighbours; then it writes from what is left.
Where a reference leads the section index alone says, and a reference that no passage holds is not followed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import zip_longest
from typing import Any

from pincite.answer.compose import OpenCase
from pincite.answer.material.case import case_of
from pincite.answer.material.surroundings import Surroundings
from pincite.answer.modes.follow import FOLLOW, MOST_FOLLOWED, MOST_ROUNDS, followed_answer
from pincite.answer.modes.generate import asked_of, made_by_rules, said_of, with_calls, written_of
from pincite.answer.modes.given import MOST_PASSAGES, Given, given_of_chunks, labelled, likeliest_chunks, shown
from pincite.answer.modes.pointers import Pointer, pointers_beside, pointers_in
from pincite.answer.modes.prompts import DECOMPOSE_SCHEMA, REVIEW_SCHEMA, decompose_prompt, review_prompt
from pincite.answer.modes.talk import Talk
from pincite.answer.reading.reads import CaseRead
from pincite.errors import ServiceError
from pincite.records.answers import Answer
from pincite.records.chunks import ChunkRecord
from pincite.records.evidence import Decision, Hop, Retrieval
from pincite.records.questions import Query, RetrievalPolicy
from pincite.retrieve.candidates import SearchSpace
from pincite.retrieve.search import search_plain
from pincite.text.salvage import salvaged

DECOMPOSE = "decompose"
LONGEST_PART = 300
"""Characters of a part: a longer one is no question. By eye, not measured."""


@dataclass(slots=True)
class Notes:
    """What was decided on the way to an answer, and what was left undone since the model did not answer."""

    decisions: list[Decision] = field(default_factory=list)
    undone: list[str] = field(default_factory=list)


def parts_asked(talk: Talk, question: str, notes: Notes) -> list[str]:
    """What the model takes a question apart into, the question itself left out; nothing where it does not answer."""
    try:
        completion = talk.ask(DECOMPOSE, decompose_prompt(question))
    except ServiceError as error:
        notes.undone.append(f"the question was not taken apart: {error}")
        return []
    read = salvaged(completion.text, DECOMPOSE_SCHEMA)
    parts = (" ".join(shown(part).split())[:LONGEST_PART] for part in read.value["questions"])
    known = " ".join(question.casefold().split())
    asked = list(dict.fromkeys(part for part in parts if any(map(str.isalnum, part)) and part.casefold() != known))
    notes.decisions.append(
        Decision(f"{DECOMPOSE} ({read.how})", kept=bool(asked), reason=" ".join(asked) or "asked as a whole")
    )
    return asked


def found_for(parts: Sequence[str], asked: Query, space: SearchSpace, policy: RetrievalPolicy) -> list[Retrieval]:
    """What is found for each part, through the filter of the question."""
    return [search_plain(space, part, policy, asked.filter) for part in parts]


def with_found(retrieval: Retrieval, found: Sequence[Retrieval]) -> Retrieval:
    """What was found for a question, and behind it what was found for its parts alone."""
    held = (*retrieval.evidence, *retrieval.beyond)
    known, last = {item.chunk.chunk_id for item in held}, max((item.rank for item in held), default=0)
    items = (item for one in found for item in one.evidence if item.chunk.chunk_id not in known)
    new = {item.chunk.chunk_id: item for item in items}.values()
    ranked = (replace(item, rank=rank) for rank, item in enumerate(new, start=last + 1))
    degraded = dict.fromkeys(name for one in (retrieval, *found) for name in one.trace.degraded)
    trace = replace(retrieval.trace, degraded=tuple(degraded))
    return replace(retrieval, beyond=(*retrieval.beyond, *ranked), trace=trace)


REVIEW = "review"
_ENDS = " .,;:\"'“”‘’"


def reviewed_answer(retrieval: Retrieval, policy: RetrievalPolicy, around: Surroundings) -> Answer:
    """The answer that a language model writes of what it reviewed and followed; by rules where there is none, and with
    a word on it where it does not answer, leaves no passage, or nothing that it writes is borne out."""
    if around.language_model is None:
        return followed_answer(retrieval, policy, around)
    talk, notes = Talk(around.language_model, around.deadline, around.space.watch.steps), Notes()
    parts = parts_asked(talk, retrieval.query.search_text, notes)
    found = found_for(parts, retrieval.query, around.space, policy)
    opened = OpenCase(case_of(with_found(retrieval, found), around))
    review = Review(talk, opened.read, notes)
    of_parts = ([item.chunk for item in one.evidence] for one in found)
    kept = review.read(in_turn([likeliest_chunks(opened.read), *of_parts]))
    left_none = f"{talk.model.name} left no passage"
    written = written_of(talk, opened.case.question.text, kept) if kept else left_none
    if isinstance(written, str):
        return with_calls(made_by_rules(followed_answer(retrieval, policy, around), written), talk)
    answer = said_of(opened, written, policy)
    trace = replace(answer.trace, decisions=(*notes.decisions, *answer.trace.decisions), hops=tuple(review.hops))
    degraded = (*answer.degraded, *notes.undone)
    return with_calls(replace(answer, mode=FOLLOW, degraded=degraded, trace=trace), talk)


def in_turn(lists: Iterable[Sequence[ChunkRecord]]) -> list[ChunkRecord]:
    """The first of each list, then the second of each; no chunk twice."""
    chunks = (chunk for rank in zip_longest(*lists) for chunk in rank if chunk is not None)
    return list({chunk.chunk_id: chunk for chunk in chunks}.values())


@dataclass(frozen=True, slots=True)
class Placed:
    """A passage, and where it stands in what is written from: its number among those of its round, behind the place of
    the passage that led to it."""

    part: Given
    place: tuple[int, ...]

    @property
    def chunk(self) -> ChunkRecord:
        """The chunk that it stands in."""
        return self.part.lines[0][1]


Step = tuple[Placed, Pointer]
"""A passage, and what it refers to."""


@dataclass(slots=True)
class Review:
    """How far a language model has read: the chunks that are known, the passages that are kept, the steps taken."""

    talk: Talk
    found: CaseRead
    notes: Notes
    known: set[str] = field(default_factory=set)
    kept: list[Placed] = field(default_factory=list)
    hops: list[Hop] = field(default_factory=list)

    def read(self, chunks: Sequence[ChunkRecord]) -> list[Given]:
        """What is left of the passages of these chunks, and of the places that they lead to, each behind what led
        there; those of the last step are not reviewed any more."""
        passages = self._passages(chunks, {})
        for _ in range(MOST_ROUNDS):
            passages = self._gone_on_from(passages) if passages else []
        kept = sorted([*self.kept, *passages], key=lambda item: item.place)
        return labelled([item.part for item in kept])

    def _gone_on_from(self, passages: Sequence[Placed]) -> list[Placed]:
        """Keep of these what the model does not drop; the passages of the places where it sends from them. Where it has
        not enough and sends to none, all references of what it keeps are followed."""
        prompt_of = partial(review_prompt, self.found.case.question.text)
        try:
            given, completion = asked_of(self.talk, REVIEW, prompt_of, [item.part for item in passages])
        except ServiceError as error:
            self.notes.undone.append(f"passages were not reviewed: {error}")
            self.kept += passages
            return []
        read = salvaged(completion.text, REVIEW_SCHEMA)
        enough = read.value["enough"]
        self.notes.decisions.append(
            Decision(f"{REVIEW} ({read.how})", kept=enough, reason="enough" if enough else "not enough")
        )
        seen = [replace(item, part=part) for item, part in zip(passages, given, strict=False)]
        dropped = self._dropped(seen, read.value["irrelevant"])
        self.kept += [item for item in passages if item.place not in dropped]
        reached = self._reached(self._asked_for(seen, read.value))
        if reached or enough:
            return reached
        return self._reached([step for step in self._references(seen) if step[0].place not in dropped])

    def _dropped(self, seen: Sequence[Placed], numbers: Sequence[int]) -> set[tuple[int, ...]]:
        """The places of the passages that do not help."""
        dropped = _numbered(seen, numbers)
        self.notes.decisions += [
            Decision(REVIEW, kept=False, reason=f"{item.part.label} does not help") for item in dropped
        ]
        return {item.place for item in dropped}

    def _asked_for(self, seen: Sequence[Placed], said: Mapping[str, Any]) -> list[Step]:
        """The steps from these passages that the model asks for: the references that it names, then neighbours."""
        references, steps, refused = self._references(seen), list[Step](), 0
        for name in map(_folded, said["follow"]):
            meant = [(item, pointer) for item, pointer in references if _is_meant(name, pointer, item)]
            refused += not meant
            steps += meant
        if refused:
            reason = f"{refused} references named that no passage holds"
            self.notes.decisions.append(Decision(REVIEW, kept=False, reason=reason))
        around = self.found.case.around
        for side, numbers in (("above", said["before"]), ("below", said["after"])):
            asked = _numbered(seen, numbers)
            steps += [(item, pointer) for item in asked for pointer in pointers_beside(item.chunk, side, around)]
        return steps

    def _references(self, seen: Sequence[Placed]) -> list[Step]:
        """The references that can be read in these passages and lead somewhere."""
        around = self.found.case.around
        found = ((item, pointer) for item in seen for pointer in pointers_in(item.chunk, around))
        return [step for step in found if _holds(_folded(step[0].part.text), _folded(step[1].written))]

    def _reached(self, steps: Iterable[Step]) -> list[Placed]:
        """The passages of the new places that these steps lead to, the beginning of each place before the rest of any;
        each step that is taken is noted."""
        places: dict[str, tuple[Placed, list[ChunkRecord]]] = {}
        for item, pointer in steps:
            new = [chunk for chunk in pointer.goal if chunk.chunk_id not in self.known]
            if not new or new[0].chunk_id in places:
                continue
            if len(places) == MOST_PASSAGES or len(self.hops) == MOST_FOLLOWED:
                break
            places[new[0].chunk_id] = item, new
            self.hops.append(pointer.hop)
        led = {chunk.chunk_id: item.place for item, new in reversed(places.values()) for chunk in new}
        return self._passages(in_turn(new for _, new in places.values()), led)

    def _passages(self, chunks: Sequence[ChunkRecord], led: Mapping[str, tuple[int, ...]]) -> list[Placed]:
        """The passages of as many chunks as a round has, each behind the place that led to its chunk."""
        chunks = chunks[:MOST_PASSAGES]
        self.known.update(chunk.chunk_id for chunk in chunks)
        parts = enumerate(given_of_chunks(chunks, self.found))
        return [Placed(part, (*led.get(part.lines[0][1].chunk_id, ()), number)) for number, part in parts]


def _numbered(seen: Sequence[Placed], numbers: Sequence[int]) -> list[Placed]:
    """The passages of these numbers, counted from 1; numbers that none has are nothing."""
    return [seen[number - 1] for number in dict.fromkeys(numbers) if 0 < number <= len(seen)]


def _is_meant(name: str, pointer: Pointer, item: Placed) -> bool:
    """Whether a model names a reference of a passage: as it is written, by its number alone, or with words around it
    that stand there so."""
    written = _folded(pointer.written)
    is_its_number = any(map(str.isdigit, name)) and name in (word.strip(_ENDS) for word in written.split())
    return name == written or is_its_number or (_holds(name, written) and name in _folded(item.part.text))


def _holds(text: str, reference: str) -> bool:
    """Whether a reference stands in a text, and not as the beginning or end of another ("5.3" in "5.3.2")."""
    return bool(re.search(rf"(?<![A-Za-z0-9.]){re.escape(reference)}(?![A-Za-z0-9(]|\.\d)", text))


def _folded(text: str) -> str:
    return " ".join(shown(text).casefold().split()).strip(_ENDS)
