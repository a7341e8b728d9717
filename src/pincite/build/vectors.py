"""The vectors of chunks, made beside all that is done with their documents."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Self

from pincite.build.faults import each_alone
from pincite.ports import Embedder, Vector
from pincite.store.sql_record import SqlRecord

TEXTS_AT_ONCE = 32
CALLS_UNDER_WAY = 4

EmbeddingListener = Callable[[int, int], None]


class VectorStage:
    """Embeds texts in `threads` threads of its own, and stores their vectors in the thread that adds texts.

    At most four calls a thread are under way, so that memory does not grow with a folder and a run that is killed loses
    little; 32 texts go to the model at once, so that it can be stopped soon. `listener` is told how many texts are done
    of all; `failed` says of which texts, by their digests, no vectors could be made.
    See docs/decisions/0202-embedding-beside.md.
    """

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

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
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
