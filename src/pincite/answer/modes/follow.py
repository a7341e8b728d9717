"""Mode `follow`: what the rules say, and what the places say that this refers to, one step after the other.

The section index alone says where a reference leads. A place is told where the search has it among its best, so that
what is told is to the point and not merely referred to (docs/decisions/0512).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from pincite.answer.compose import Draft, drafted, given_as_answer, supported
from pincite.answer.judge.choice import choose_windows
from pincite.answer.judge.judgement import judge
from pincite.answer.material.case import Case, case_of, long_documents
from pincite.answer.material.select import rank_sentences
from pincite.answer.material.sentences import Sentence, sentences_of, sentences_of_chunk
from pincite.answer.material.surroundings import Surroundings
from pincite.answer.modes.pointers import Pointer, pointers_in, pointers_of, pointers_to
from pincite.records import Answer, ChunkRecord, Decision, Hop, Retrieval, RetrievalPolicy, Statement

FOLLOW = "follow"
FOLLOWED = "followed"
"""The name of what was decided on a place."""
MOST_ROUNDS = 3
"""Steps on end: a clause, its table, the note of that. By eye, not measured."""
MOST_FOLLOWED = 24
"""References of a question: passages with more are lists of references. By eye, not measured."""
NEAR = 2
"""Of the evidence, best first, where a place is to the point: of the places that kept statements refer to, on even rows
of the two sets of cross references, 42 of 47 on the first two ranks were gold, 5 of 17 on the third (0512)."""
BEST = 5
"""Of the evidence, whose references are followed where nothing answers. By eye, not measured."""


def followed_answer(retrieval: Retrieval, policy: RetrievalPolicy, around: Surroundings) -> Answer:
    """The answer that the evidence gives by rules, with what it hangs on; where the rules lack something, with what the
    places say that the best evidence refers to."""
    draft = drafted(case_of(retrieval, around))
    walk = Walk(draft.hearing.case)
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
        best = [item.chunk for item in self.case.retrieval.evidence[:BEST]]
        pointers = self._new(pointer for chunk in best for pointer in pointers_in(chunk, self.case.around))
        places = {chunk.chunk_id: chunk for pointer in pointers for chunk in pointer.place}
        anew = drafted(_with_places(self.case, list(places.values())))
        cited = {citation.chunk_id for statement in anew.statements for citation in statement.citations}
        is_more = not anew.refused and not cited.isdisjoint(places) and _findings(draft) <= _findings(anew)
        return anew if is_more else draft

    def go_on_from(self, fresh: Sequence[Statement]) -> list[Statement]:
        """Follow what these statements refer to, and what of the best evidence refers to them: what is said of it, each
        behind its statement."""
        found, around = list[Statement](), self.case.around
        near = [item.chunk for item in self.case.retrieval.evidence[:NEAR]]
        for statement in fresh:
            pointers = self._new([*pointers_of(statement, around), *pointers_to(statement, near, around)])
            behind = [replace(told, part=statement.part) for pointer in pointers for told in self._told(pointer)]
            place = self.said.index(statement) + 1
            self.said[place:place] = behind
            found += behind
        return found

    def _new(self, pointers: Iterable[Pointer]) -> Iterator[Pointer]:
        """Those that lead to no place that was seen or is cited already, within the bounds."""
        for pointer in pointers:
            start = pointer.goal[0].chunk_id
            is_new = start not in self.seen and bool(self._not_cited(pointer))
            if is_new and len(self.hops) < MOST_FOLLOWED:
                self.seen.add(start)
                self.hops.append(pointer.hop)
                yield pointer

    def _told(self, pointer: Pointer) -> list[Statement]:
        """What a place says to the point: the likeliest window of its passages that are among the best evidence and not
        cited yet, borne out by its quotes."""
        new = self._not_cited(pointer)
        near = [item for item in self.case.retrieval.evidence[:NEAR] if item.chunk.chunk_id in new]
        if not near:
            return []
        case = _of_sentences(self.case, sentences_of(near))
        judgement = judge(case)
        for item in judgement.windows:
            if chosen := choose_windows(replace(judgement, windows=(item,)), ()):
                return supported(case, chosen, FOLLOWED, self.decisions)
        return []

    def _not_cited(self, pointer: Pointer) -> set[str]:
        """The chunks of a place that nothing said stands on."""
        cited = {citation.chunk_id for statement in self.said for citation in statement.citations}
        return {chunk.chunk_id for chunk in pointer.goal} - cited


def _lacks_something(draft: Draft) -> bool:
    """Whether nothing answers the question, or one of its parts."""
    return draft.refused or any(statement.kind == "missing" and statement.part for statement in draft.statements)


def _findings(draft: Draft) -> set[str]:
    return {statement.text for statement in draft.statements if statement.kind != "missing"}


def _with_places(case: Case, places: Sequence[ChunkRecord]) -> Case:
    """The case with the sentences of these chunks that are not among its evidence."""
    known = {sentence.chunk.chunk_id for sentence in (*case.sentences, *case.beyond)}
    fresh = [chunk for chunk in places if chunk.chunk_id not in known]
    rank = len(case.retrieval.evidence) + 1
    return _of_sentences(
        case, [*case.sentences, *(s for chunk in fresh for s in sentences_of_chunk(chunk, None, rank))], case.beyond
    )


def _of_sentences(case: Case, sentences: Sequence[Sentence], beyond: tuple[Sentence, ...] = ()) -> Case:
    """The same question to other sentences."""
    ranked = rank_sentences(case.question, sentences, long=long_documents(sentences, case.around))
    return Case(case.question, case.retrieval, tuple(ranked), case.around, beyond)
