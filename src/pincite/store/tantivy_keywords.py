"""BM25 by tantivy over ready-made tokens (spec/llmless_retrieval.md, section 3)."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.errors import ClosedError
from pincite.ports import Bitmap, KeywordField, Ranked

FIELDS: tuple[KeywordField, ...] = ("body", "context")
WRITER_BYTES = 128_000_000
FEW = 4000
FEW_TERMS = 500


class TantivyKeywords:
    """A tantivy index in a folder: the fields `body` and `context`, and the chunk's ordinal.

    It is always written anew, so its statistics count live chunks only.
    """

    def __init__(self, folder: Path) -> None:
        import tantivy

        self._tantivy = tantivy
        self._folder = folder
        self._schema = _schema(tantivy)
        self._links = ExitStack()
        written = folder.is_dir() and tantivy.Index.exists(str(folder))
        index = _unwatched(tantivy.Index.open(str(self._lockable()))) if written else None
        self._searcher: Any = None if index is None else index.searcher()
        self._is_closed = False

    def replace(self, documents: Iterable[Mapping[KeywordField, Sequence[str]]]) -> None:
        """Hold exactly these chunks, ordinals in this order."""
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir(parents=True)
        index = _unwatched(self._tantivy.Index(self._schema, path=str(self._folder)))
        writer = index.writer(heap_size=WRITER_BYTES, num_threads=1)
        for ordinal, fields in enumerate(documents):
            document = self._tantivy.Document()
            document.add_unsigned("ordinal", ordinal)
            for name in FIELDS:
                document.add_text(name, " ".join(fields.get(name, ())))
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        self._searcher = index.searcher()

    def search(
        self, tokens: Sequence[str], limit: int, allowed: Bitmap | None = None, *, field: KeywordField = "body"
    ) -> Ranked:
        """The best chunks as (ordinal, BM25): by score rounded to 6 decimals, then ordinal; at most `limit`."""
        searcher = self._opened()
        count = _count(searcher) if allowed is None else int(allowed.sum())
        if not tokens or limit < 1 or not count:
            return []
        query = self._query(tokens, field)
        if allowed is not None and count <= FEW:
            query = self._among(query, np.flatnonzero(allowed).tolist())
            allowed = None
        wanted = limit + 8
        while True:
            found = _run(searcher, query, wanted)
            kept = [hit for hit in found if allowed is None or allowed[hit[0]]]
            if len(found) < wanted or (len(kept) > limit and found[-1][1] < kept[limit - 1][1]):
                return kept[:limit]
            wanted *= 4

    def scores(
        self, tokens: Sequence[str], ordinals: Sequence[int], *, field: KeywordField = "body"
    ) -> NDArray[np.float32]:
        """The BM25 score of each of these chunks, in their order; 0 where no token matches."""
        searcher = self._opened()
        if not tokens or not ordinals or not _count(searcher):
            return np.zeros(len(ordinals), np.float32)
        query = self._among(self._query(tokens, field), list(ordinals))
        found = dict(_run(searcher, query, len(ordinals)))
        return np.array([found.get(ordinal, 0.0) for ordinal in ordinals], np.float32)

    def close(self) -> None:
        """Let go of memory and files; who asks afterwards gets a ClosedError."""
        self._is_closed, self._searcher = True, None
        self._links.close()

    def _opened(self) -> Any:
        """The searcher; None where nothing was written yet."""
        searcher = self._searcher
        if self._is_closed:
            raise ClosedError.of(f"the index in {self._folder}")
        return searcher

    def _lockable(self) -> Path:
        """The folder; where it may only be read, one of links to its files, since tantivy locks what it opens."""
        if os.access(self._folder, os.W_OK):
            return self._folder
        links = Path(self._links.enter_context(TemporaryDirectory(prefix="pincite-")))
        for file in self._folder.iterdir():
            if file.suffix != ".lock":
                (links / file.name).symlink_to(file)
        return links

    def _query(self, tokens: Sequence[str], field: KeywordField) -> Any:
        query, occur = self._tantivy.Query, self._tantivy.Occur
        terms = (query.term_query(self._schema, field, token, index_option="freq") for token in tokens)
        return query.boolean_query([(occur.Should, term) for term in terms])

    def _among(self, query: Any, ordinals: list[int]) -> Any:
        """The same query over these chunks alone; the restriction adds nothing to the score."""
        kinds, occur = self._tantivy.Query, self._tantivy.Occur
        chosen = self._any_of(ordinals) if len(ordinals) <= FEW_TERMS else self._set_of(ordinals)
        return kinds.boolean_query([(occur.Must, query), (occur.Must, kinds.const_score_query(chosen, 0.0))])

    def _any_of(self, ordinals: list[int]) -> Any:
        """The chunks with these ordinals, looked up one by one: faster than a set while they are few."""
        query, occur = self._tantivy.Query, self._tantivy.Occur
        terms = (query.term_query(self._schema, "ordinal", ordinal, index_option="basic") for ordinal in ordinals)
        return query.boolean_query([(occur.Should, term) for term in terms])

    def _set_of(self, ordinals: list[int]) -> Any:
        return self._tantivy.Query.term_set_query(self._schema, "ordinal", ordinals)


def _count(searcher: Any) -> int:
    return 0 if searcher is None else int(searcher.num_docs)


def _run(searcher: Any, query: Any, limit: int) -> Ranked:
    hits = searcher.search(query, limit, count=False).hits
    ordinals = searcher.fast_field_values("ordinal", [address for _, address in hits])
    found = ((ordinal, round(score, 6)) for ordinal, (score, _) in zip(ordinals, hits, strict=True))
    return sorted(found, key=lambda hit: (-hit[1], hit[0]))


def _unwatched(index: Any) -> Any:
    """The index, read again only when told to.

    Left alone, a thread of tantivy polls the folder and writes a lock file into it, also while the folder is removed.
    """
    index.config_reader("manual")
    index.reload()
    return index


def _schema(tantivy: Any) -> Any:
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("ordinal", stored=True, indexed=True, fast=True)
    for name in FIELDS:
        builder.add_text_field(name, stored=False, tokenizer_name="whitespace", index_option="freq")
    return builder.build()
