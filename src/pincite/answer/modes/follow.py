"""Mode `follow`: what the rules say, with what the places say that this refers to, one step after the other.

The section index alone says where a reference leads. A place is told where the search has it among its very best, so
that what is told is to the point and not merely referred to (docs/decisions/0512). There is enough when each part of
the question has a statement, and nothing that a statement hangs on is left to follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pincite.answer.compose import Draft, OpenCase, drafted, given_as_answer, supported
from pincite.answer.material.case import Case, case_of, long_documents
from pincite.answer.material.select import rank_sentences
from pincite.answer.material.sentences import Sentence, sentences_of, sentences_of_chunk
from pincite.answer.material.surroundings import Surroundings
from pincite.answer.modes.pointers import Pointer, pointers_in, pointers_of, pointers_to
from pincite.answer.reading.reads import read_case
from pincite.answer.reading.said_units import LEAST_BEHIND, choose_units
from pincite.records.answers import Answer, Statement
from pincite.records.evidence import Decision, Hop, Retrieval
from pincite.records.questions import RetrievalPolicy

FOLLOW = "follow"
FOLLOWED = "followed"
"""The name of what was decided on a place."""
MOST_ROUNDS = 3
"""Steps on end: a clause, its table, the note of that. By eye, not measured."""
MOST_FOLLOWED = 24
"""References of a question: passages with more are lists of references. By eye, not measured."""
NEAR = 2
"""Of the evidence, best first, where a place is to the point: of the places that kept statements refer to, on even rows
of the two sets of cross references, 42 of 47 on the first two ranks were gold, 4 of 16 on the third (0512)."""
BEST = 5
"""Of the evidence, whose references are followed where nothing answers. By eye, not measured."""


def followed_answer(retrieval: Retrieval, policy: RetrievalPolicy, around: Surroundings) -> Answer:
    """The answer that the evidence gives by rules, with what it hangs on; where the rules lack something, with what the
    places say that the best evidence refers to."""
    draft = drafted(OpenCase(case_of(retrieval, around)))
    walk = Walk(draft.opened.case)
    if _lacks_something(draft):
        draft = walk.drafted_anew(draft)
    walk.said, walk.decisions = list(draft.statements), list(draft.decisions)
    fresh: Sequence[Statement] = draft.statements
    for _ in range(MOST_ROUNDS):
        fresh = walk.go_on_from(fresh)
    told = replace(draft, statements=tuple(walk.said), decisions=tuple(walk.decisions))
    return given_as_answer(told, policy, FOLLOW, walk.hops)


@dataclass(slots=True)
class Walk:
    """How far references were followed: which places were seen, in which steps, what is said, what was decided."""

    case: Case
    seen: set[str] = field(default_factory=set)
    hops: list[Hop] = field(default_factory=list)
    said: list[Statement] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)

    def drafted_anew(self, draft: Draft) -> Draft:
        """The draft that the rules make of the evidence and of the places beside it that its best passages refer to,
        where it says all that the draft does, and something of these places; else the draft."""
        case, best = self.case, [item.chunk for item in self.case.retrieval.evidence[:BEST]]
        pointers = [pointer for chunk in best for pointer in pointers_in(chunk, case.around)][:MOST_FOLLOWED]
        known = {sentence.chunk.chunk_id for sentence in (*case.sentences, *case.beyond)}
        places = {part.chunk_id: part for pointer in pointers for part in pointer.place if part.chunk_id not in known}
        if not places:
            return draft
        rank = len(case.retrieval.evidence) + 1
        added = [sentence for part in places.values() for sentence in sentences_of_chunk(part, None, rank)]
        anew = drafted(OpenCase(_of_sentences(case, [*case.sentences, *added], case.beyond)))
        cited = _cited(anew.statements) & places.keys()
        if anew.refused or not cited or not _findings(draft) <= _findings(anew):
            return draft
        for pointer in pointers:
            if not cited.isdisjoint(part.chunk_id for part in pointer.place):
                self._take(pointer)
        return anew

    def go_on_from(self, fresh: Sequence[Statement]) -> list[Statement]:
        """Follow what these statements refer to, and what of the best evidence refers to them: what is said of it, each
        behind its statement. What refers to the finding of a plan needs the chance of all that stands behind such."""
        found, around = list[Statement](), self.case.around
        near = [item.chunk for item in self.case.retrieval.evidence[:NEAR]]
        for statement in fresh:
            place = self.said.index(statement) + 1
            for pointer in (*pointers_of(statement, around), *pointers_to(statement, near, around)):
                if self._not_cited(pointer) and self._take(pointer):
                    is_needed = not pointer.back or statement.kind == "quote"
                    least = 0.0 if is_needed else LEAST_BEHIND
                    told = [replace(item, part=statement.part) for item in self._told(pointer, least)]
                    self.said[place:place] = told
                    place += len(told)
                    found += told
        return found

    def _take(self, pointer: Pointer) -> bool:
        """Whether a step is a new one, within the bounds; it is noted then."""
        start = pointer.goal[0].chunk_id
        if start in self.seen or len(self.hops) == MOST_FOLLOWED:
            return False
        self.seen.add(start)
        self.hops.append(pointer.hop)
        return True

    def _told(self, pointer: Pointer, least: float) -> list[Statement]:
        """What a place says to the point: the likeliest unit of its passages that are among the best evidence and not
        cited yet, borne out by its quotes; none whose chance is below `least`."""
        new = self._not_cited(pointer)
        near = [item for item in self.case.retrieval.evidence[:NEAR] if item.chunk.chunk_id in new]
        if not near:
            return []
        case = _of_sentences(self.case, sentences_of(near))
        read = read_case(case)
        for item in read.units:
            if chosen := choose_units(replace(read, units=(item,)), (), least=least):
                return supported(case, chosen, FOLLOWED, self.decisions)
        return []

    def _not_cited(self, pointer: Pointer) -> set[str]:
        """The chunks of a place that nothing said stands on."""
        return {chunk.chunk_id for chunk in pointer.goal} - _cited(self.said)


def _lacks_something(draft: Draft) -> bool:
    """Whether nothing answers the question, or one of its parts."""
    return draft.refused or any(statement.kind == "missing" and statement.part for statement in draft.statements)


def _findings(draft: Draft) -> set[str]:
    return {statement.text for statement in draft.statements if statement.kind != "missing"}


def _cited(statements: Sequence[Statement]) -> set[str]:
    return {citation.chunk_id for statement in statements for citation in statement.citations}


def _of_sentences(case: Case, sentences: Sequence[Sentence], beyond: tuple[Sentence, ...] = ()) -> Case:
    """The same question to other sentences."""
    ranked = rank_sentences(case.question, sentences, long=long_documents(sentences, case.around))
    return Case(case.question, case.retrieval, tuple(ranked), case.around, beyond)
