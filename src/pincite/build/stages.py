"""Work beside the reading of documents: the order in which they are stored, the triplets of sentences and table rows,
the vectors of chunks."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

from pincite.build.faults import each_alone
from pincite.build.sources import Found
from pincite.errors import ServiceError
from pincite.graph.mentions import MENTIONS_VERSION
from pincite.graph.ontology import Ontology
from pincite.graph.triplet_sources import CANDIDATES_VERSION, CandidateSentence, candidate_sentences, table_triplets
from pincite.graph.triplet_sources import VERSION as ROWS_VERSION
from pincite.graph.triplets import RuleExtractor
from pincite.ports import Embedder, TripletExtractor, Vector
from pincite.records.chunks import Edition
from pincite.records.pages import Span
from pincite.records.triplets import Place, RawTriplet, Triplet
from pincite.store.sql_record import SqlRecord
from pincite.structure.furniture import in_force

READ_AHEAD = 64
"""So many sources may have been read, or be under way, while one before them is not done; as many more for each level
of files inside files. A bound on the documents held in memory and the copies of objects on disk: 336 HTML files behind
one PDF of 3.6 MB took 19 to 22 s and 132 to 134 MB with 2, 16, 64 and 1,000, two runs each."""
Step = Callable[[], None]


class Turns:
    """The sources of a run that have to be read, in the order of their turns: as they were added, what lies inside a
    file right behind it. What is to be done with each is done in its turn, so that the order of what is stored depends
    on neither the speed nor the number of readers."""

    def __init__(self) -> None:
        self._unread: deque[Found] = deque()
        self._order: deque[str] = deque()
        self._steps: dict[str, Step] = {}

    def __bool__(self) -> bool:
        """Whether any is not done."""
        return bool(self._order)

    def add(self, item: Found) -> None:
        """Add a source as the last one, or as the next one where it lies inside a file."""
        if item.inside:
            self._unread.appendleft(item)
            self._order.appendleft(item.source_id)
        else:
            self._unread.append(item)
            self._order.append(item.source_id)

    def next_unread(self) -> Found | None:
        """The next source to be read; None where there is none, or too many are ahead of one that is not done."""
        if not self._unread:
            return None
        ahead = len(self._order) - len(self._unread)
        return self._unread.popleft() if ahead < READ_AHEAD * (1 + len(self._unread[0].inside)) else None

    def ready(self, source_id: str, step: Step) -> None:
        """Say what is to be done with a source in its turn, now that it was read; do all that can be done now."""
        self._steps[source_id] = step
        while self._order and self._order[0] in self._steps:
            self._steps.pop(self._order.popleft())()


LEAST_CONFIDENCE = 0.2
SENTENCES_AT_ONCE = 64
FAILURES_IN_A_ROW = 3
NO_TRIPLETS = "none"


class TripletStage:
    """Adds triplets to editions: a function of document, extractor and ontology. Where the extractor's model does not
    answer, rules read those sentences and the edition carries a warning; after three failures in a row it is not asked
    again."""

    def __init__(self, make_extractor: Callable[[], TripletExtractor | None], ontology: Ontology) -> None:
        self._make_extractor = make_extractor
        self.ontology = ontology
        self._rules = RuleExtractor(ontology)
        self._failures = 0
        self._reason = ""

    @cached_property
    def _extractor(self) -> TripletExtractor | None:
        return self._make_extractor()

    @property
    def version(self) -> str:
        """What decides, with the document, which names and triplets are found."""
        if self._extractor is None:
            return f"{MENTIONS_VERSION}/{NO_TRIPLETS}"
        rules = f"{MENTIONS_VERSION}/{CANDIDATES_VERSION}/{ROWS_VERSION}"
        return f"{rules}/{self._extractor.name} {self._extractor.version}"

    def add(self, editions: Sequence[Edition]) -> list[Edition]:
        """The editions with their triplets in reading order. Each distinct sentence of all of them is read once."""
        if self._extractor is None:
            return list(editions)
        told = [list(candidate_sentences(in_force(edition.document), edition.mentions)) for edition in editions]
        read = _Reading()
        for language in dict.fromkeys(edition.document.language for edition in editions):
            texts = dict.fromkeys(
                sentence.text
                for edition, sentences in zip(editions, told, strict=True)
                if edition.document.language == language
                for sentence in sentences
            )
            distinct = list(texts)
            for start in range(0, len(distinct), SENTENCES_AT_ONCE):
                self._read(distinct[start : start + SENTENCES_AT_ONCE], language, read)
        return [self._with_triplets(*item, read) for item in zip(editions, told, strict=True)]

    def _read(self, sentences: Sequence[str], language: str | None, read: _Reading) -> None:
        extractor = self._rules if self._failures >= FAILURES_IN_A_ROW else self._extractor or self._rules
        try:
            found = extractor.extract(sentences, language)
            self._failures = self._failures if extractor is self._rules else 0
        except ServiceError as error:
            self._failures, self._reason = self._failures + 1, str(error)
            found = self._rules.extract(sentences, language)
        read.found.update(((language, text), raws) for text, raws in zip(sentences, found, strict=True))
        if self._failures:
            read.failed.update(((language, text), self._reason) for text in sentences)

    def _with_triplets(self, edition: Edition, sentences: Sequence[CandidateSentence], read: _Reading) -> Edition:
        keys = [(edition.document.language, sentence.text) for sentence in sentences]
        found = [
            triplet
            for sentence, key in zip(sentences, keys, strict=True)
            for triplet in _placed(sentence, read.found[key])
        ]
        found += table_triplets(in_force(edition.document), self.ontology)
        best: dict[tuple[int, int, str, str, str], Triplet] = {}
        for triplet in sorted(found, key=lambda triplet: -triplet.confidence):
            best.setdefault((triplet.page, triplet.start, triplet.subject, triplet.name, triplet.object), triplet)
        reasons = dict.fromkeys(read.failed[key] for key in keys if key in read.failed)
        warnings = (f"triplets by rules alone: {reason}" for reason in reasons)
        return replace(
            edition,
            triplets=tuple(sorted(best.values(), key=_reading_order)),
            warnings=(*edition.warnings, *warnings),
        )


@dataclass(slots=True)
class _Reading:
    """What was found in each sentence of a language, and why the rules read some in place of the extractor."""

    found: dict[tuple[str | None, str], list[RawTriplet]] = field(default_factory=dict)
    failed: dict[tuple[str | None, str], str] = field(default_factory=dict)


def _placed(sentence: CandidateSentence, raws: Iterable[RawTriplet]) -> Iterator[Triplet]:
    """Those of a sentence that are sure enough and name something, with their places in the document."""
    kept = [raw for raw in raws if raw.name and raw.confidence >= LEAST_CONFIDENCE]
    if not kept:
        return
    whole, _ = sentence.find((0, len(sentence.text)))
    for raw in kept:
        (subject, names_subject), (target, names_target) = sentence.find(raw.subject), sentence.find(raw.object)
        if names_subject or names_target:
            yield Triplet(
                page=whole.page,
                start=whole.start,
                end=whole.end,
                subject=raw.subject_text,
                predicate=raw.relation,
                name=raw.name,
                object=raw.arguments[0],
                subject_place=_inside(whole, subject),
                object_place=_inside(whole, target),
                confidence=raw.confidence,
                extractor=raw.extractor,
                version=raw.version,
            )


def _inside(whole: Span, part: Span) -> Place:
    """The place of a part of a sentence; an empty one at the end where it stands behind the break that cuts it."""
    if part.page == whole.page and whole.start <= part.start and part.end <= whole.end:
        return part.start, part.end
    return whole.end, whole.end


def _reading_order(triplet: Triplet) -> tuple[Any, ...]:
    place = (triplet.page, triplet.start, triplet.subject_place, triplet.object_place)
    return (*place, triplet.name, triplet.subject, triplet.object)


TEXTS_AT_ONCE = 32
CALLS_UNDER_WAY = 4
EmbeddingListener = Callable[[int, int], None]


class VectorStage:
    """Embeds texts in `threads` of its own, and stores the vectors in the thread that adds texts. At most four calls a
    thread are under way, so that memory stays bounded and a killed run loses little; a call has 32 texts, so that it
    can be stopped soon. `listener` is called with the number of texts done of all; `failed` has the digests of those
    without vectors. See docs/decisions/0202-embedding-beside.md."""

    def __init__(
        self,
        record: SqlRecord,
        embedder: Callable[[], Embedder | None],
        threads: int,
        listener: EmbeddingListener,
    ) -> None:
        self._record = record
        self._embedder = embedder
        self._listener = listener
        self._threads = ThreadPoolExecutor(threads)
        self._most_calls = CALLS_UNDER_WAY * threads
        self._under_way: deque[tuple[list[str], Future[list[Vector | Exception]]]] = deque()
        self.failed: dict[str, Exception] = {}
        self._done = self._total = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._threads.shutdown(cancel_futures=True)

    def add(self, texts: Mapping[str, str]) -> None:
        """Embed those of these texts, by their digests, that have no vectors yet, the longest first."""
        embedder = self._embedder()
        if embedder is None:
            return
        known = self._record.known_vectors(embedder.digest, list(texts))
        known.update(self.failed, (digest for batch, _ in self._under_way for digest in batch))
        missing = sorted(set(texts) - known, key=lambda digest: (-len(texts[digest]), digest))
        self._total += len(missing)
        for start in range(0, len(missing), TEXTS_AT_ONCE):
            batch = missing[start : start + TEXTS_AT_ONCE]
            made = self._threads.submit(each_alone, embedder.embed, [texts[digest] for digest in batch])
            self._under_way.append((batch, made))
            if len(self._under_way) > self._most_calls:
                self._store(embedder, self._most_calls // 2)

    def finish(self) -> None:
        """Wait for the texts that are under way, and store their vectors."""
        embedder = self._embedder()
        if embedder is not None:
            self._store(embedder, 0)

    def _store(self, embedder: Embedder, most_left: int) -> None:
        """Store vectors in one transaction, the oldest first, until so many batches are left under way."""
        vectors: dict[str, Vector] = {}
        while len(self._under_way) > most_left:
            batch, made = self._under_way[0]
            for digest, outcome in zip(batch, made.result(), strict=True):
                if isinstance(outcome, Exception):
                    self.failed[digest] = outcome
                else:
                    vectors[digest] = outcome
            self._under_way.popleft()
            self._listener(self._done + len(vectors), self._total)
        self._record.put_vectors(embedder.digest, vectors)
        self._done += len(vectors)
