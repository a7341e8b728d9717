"""The graph of chunks, the entities that they name, and the triplets between these, as arrays in compressed rows."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.graph.names import arrange_words, parts_of
from pincite.graph.relations import (
    NUMBERS_AT_ONCE,
    ChunkTokens,
    Floats,
    Ints,
    NamesTold,
    Ragged,
    ToldNames,
    Triplets,
    places_of,
    positions,
    text_at,
)
from pincite.records.chunks import Mention
from pincite.records.sources import EVERYBODY, Readers, may_all_see
from pincite.text.tokens import hashes_of

NETWORK_VERSION = "6"
TITLE_WEIGHT = 4.0
SHORT_DOCUMENT = 8
"""A document of up to so many chunks is about what its title names."""


@dataclass(frozen=True, slots=True)
class ChunkNames:
    """What a chunk gives to the graph: the normal names of the titles that it stands under with the keyword tokens of
    each, its mentions, its own keyword tokens, and the triplets of its sentences; `readers` may see it."""

    titles: Mapping[str, tuple[str, ...]]
    mentions: Sequence[Mention]
    tokens: Sequence[str]
    told: Sequence[NamesTold] = ()
    readers: Readers = EVERYBODY


@dataclass(frozen=True, slots=True)
class Rows:
    """Weighted edges in compressed rows: those of node i are `targets[starts[i] : starts[i + 1]]`, ascending."""

    starts: NDArray[np.int64]
    targets: Ints
    weights: Floats

    @classmethod
    def of(cls, count: int, sources: Ints, targets: Ints, weights: Floats) -> Rows:
        """From edges in any order, each pair at most once."""
        order = np.lexsort((targets, sources))
        starts = np.concatenate([[0], np.cumsum(np.bincount(sources, minlength=count))]).astype(np.int64)
        return cls(starts, targets[order], weights[order])

    def of_nodes(self, nodes: NDArray[np.int64], limit: int | None = None) -> tuple[NDArray[np.int64], Ints, Floats]:
        """The edges of these nodes, at most `limit` each: index into `nodes`, target, weight."""
        owners, places = places_of(self.starts, nodes, limit)
        return owners, self.targets[places], self.weights[places]

    def of_node(self, node: int) -> Ints:
        """The targets of the edges of one node."""
        return self.targets[self.starts[node] : self.starts[node + 1]]

    def sums(self) -> Floats:
        """The sum of the weights of each node."""
        owners = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
        return np.bincount(owners, self.weights, len(self.starts) - 1).astype(np.float32)


@dataclass(frozen=True, slots=True)
class EntityNetwork:
    """Chunks by ordinal, entities by their place in the sorted names.

    `entities`: the entities of each chunk; `chunks`: the chunks of each entity; edges weigh log(1 + chunks / chunks
    with the entity), four times that where the entity is a title over the chunk (then it stands in `titles`, too).
    `triplets`: what each chunk says of two of its entities.
    `name_hashes` ascend, with the entity of each in `named`; `names` is all names as UTF-8, cut by `name_ends`.
    `tokens` holds the hashes of each chunk's distinct keyword tokens, ascending, cut by `token_starts`;
    `vocabulary` all of them, with the number of chunks that hold each in `token_counts`. `words` are the words of all
    names by their length (`misspelt.arrange_words`). `hidden` chunks count for nothing (`seen`).
    """

    entities: Rows
    chunks: Rows
    titles: Rows
    triplets: Triplets
    entity_sums: Floats
    chunk_sums: Floats
    name_hashes: NDArray[np.uint64]
    named: Ints
    names: NDArray[np.uint8]
    name_ends: NDArray[np.int64]
    tokens: NDArray[np.uint64]
    token_starts: NDArray[np.int64]
    vocabulary: NDArray[np.uint64]
    token_counts: Ints
    words: NDArray[np.uint8]
    word_offsets: NDArray[np.int64]
    hidden: int = 0

    @property
    def size(self) -> int:
        """How many chunks there are."""
        return len(self.chunk_sums) - self.hidden

    def seen(self, allowed: NDArray[np.bool_]) -> EntityNetwork:
        """The network of these chunks alone, as if there were no others: ordinals and entities keep their numbers, and
        an entity that only others name is not found."""
        ordinals = np.repeat(np.arange(len(allowed), dtype=np.int32), np.diff(self.entities.starts))
        kept = allowed[ordinals]
        ordinals, entities = ordinals[kept], self.entities.targets[kept]
        titled = np.repeat(np.arange(len(self.name_ends)), np.diff(self.titles.starts)), self.titles.targets
        numbers, titles = (of * len(allowed) + at for of, at in ((entities.astype(np.int64), ordinals), titled))
        edges = _edges(
            int(allowed.sum()), (len(allowed), len(self.name_ends)), ordinals, entities, np.isin(numbers, titles)
        )
        is_named = np.diff(edges["chunks"].starts)[self.named] > 0
        counts = self.token_counts - self._hidden_counts(allowed)
        return replace(
            self,
            **edges,
            triplets=self.triplets.seen(allowed),
            name_hashes=self.name_hashes[is_named],
            named=self.named[is_named],
            vocabulary=self.vocabulary[counts > 0],
            token_counts=counts[counts > 0].astype(np.int32),
            hidden=int((~allowed).sum()),
        )

    def _hidden_counts(self, allowed: NDArray[np.bool_]) -> NDArray[np.int64]:
        """How many of the other chunks hold each token of the vocabulary."""
        hidden = self.tokens[np.repeat(~allowed, np.diff(self.token_starts))]
        return np.bincount(np.searchsorted(self.vocabulary, hidden), minlength=len(self.vocabulary))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All arrays by name, those of rows as "entities_starts" and so on."""
        found: dict[str, NDArray[Any]] = {}
        for item in fields(self):
            value = getattr(self, item.name)
            if item.name == "hidden":
                continue
            if isinstance(value, Rows | Triplets):
                found |= {f"{item.name}_{part.name}": getattr(value, part.name) for part in fields(value)}
            else:
                found[item.name] = value
        return found

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> EntityNetwork:
        """The inverse of `arrays`; a network of an older version has no triplets, or none by entity, or
        no words of names either."""
        no_words, no_offsets = arrange_words(())
        no_triplets = Triplets.none(len(arrays["entities_starts"]) - 1, len(arrays["name_ends"]))
        older = {f"triplets_{part.name}": getattr(no_triplets, part.name) for part in fields(Triplets)}
        arrays = {"words": no_words, "word_offsets": no_offsets, **older, **arrays}
        values: dict[str, Any] = {item.name: arrays.get(item.name) for item in fields(cls) if item.name != "hidden"}
        for name, kind in (("entities", Rows), ("chunks", Rows), ("titles", Rows), ("triplets", Triplets)):
            values[name] = kind(**{part.name: arrays[f"{name}_{part.name}"] for part in fields(kind)})
        return cls(**values)

    def chunk_counts(self, entities: NDArray[np.int64]) -> NDArray[np.int64]:
        """In how many chunks each of these entities is named."""
        return np.asarray(self.chunks.starts[entities + 1] - self.chunks.starts[entities])

    def name(self, entity: int) -> str:
        """The normal name of an entity."""
        return text_at(self.names, self.name_ends, entity)

    def find(self, names: Sequence[str]) -> NDArray[np.int64]:
        """The entity of each of these normal names, -1 where there is none."""
        wanted = hashes_of(names)
        places = np.minimum(np.searchsorted(self.name_hashes, wanted), max(len(self.name_hashes) - 1, 0))
        if not len(self.name_hashes):
            return np.full(len(names), -1, np.int64)
        return np.where(self.name_hashes[places] == wanted, self.named[places], -1).astype(np.int64)

    def has_tokens(self, tokens: Sequence[str]) -> bool:
        """Whether any of these keyword tokens stands in a chunk."""
        return bool(positions(self.vocabulary, hashes_of(tokens))[0].any())


class NetworkBuilder:
    """Takes in chunks one by one, in ascending order of ordinal, and makes the network of all of them. Names are held
    as numbers: a few bytes each."""

    def __init__(self) -> None:
        self._words = ChunkTokens()
        self._names: dict[str, int] = {}
        self._title_tokens: dict[tuple[int, tuple[str, ...]], int] = {}
        self._titles = Ragged()
        self._mentioned = Ragged()
        self._told = ToldNames()
        self._groups: dict[Readers, int] = {}
        self._group = array("i")

    def add(self, chunk: ChunkNames) -> None:
        """Take in the next chunk."""
        self._group.append(self._groups.setdefault(chunk.readers, len(self._groups)))
        self._words.add(chunk.tokens)
        titles = ((self._number(name), tokens) for name, tokens in chunk.titles.items())
        self._titles.add(self._title_tokens.setdefault(title, len(self._title_tokens)) for title in titles)
        self._told.add(chunk.told, self._number)
        doubtful = {m.name for m in chunk.mentions if m.kind == "opening" and m.full is None}
        sure = [m for m in chunk.mentions if m.kind != "opening" or m.full is not None]
        certain = {name for m in sure for name in (m.name, m.full) if name is not None}
        self._mentioned.add(2 * self._number(name) + (name in certain) for name in doubtful | certain)

    def build(self) -> EntityNetwork:
        """The network. What depends on the set of documents is decided here: titles are found wherever their words
        occur, and a capital at the beginning of a sentence counts only if the word is a name elsewhere. A chunk gets no
        title and no name from text that only some of its readers may see."""
        parts = self._with_parts()
        titled = np.array([name for name, _ in self._title_tokens], np.int64)[self._titles.values]
        above = np.unique(self._pairs(self._titles.owners(), titled))
        pairs = np.unique(np.concatenate([above, *chain.from_iterable(self._named(at, parts) for at in self._groups)]))
        ordinals, numbers = np.divmod(pairs, max(len(self._names), 1))
        known = list(self._names)
        order = sorted(np.unique(numbers).tolist(), key=known.__getitem__)
        entity = np.full(len(known), -1, np.int32)
        entity[order] = np.arange(len(order))
        triplets = self._told.between(pairs, entity, len(order))
        edges = ordinals.astype(np.int32), entity[numbers], np.isin(pairs, above, assume_unique=True)
        return _arranged([known[number] for number in order], edges, triplets, self._words)

    def _number(self, name: str) -> int:
        return self._names.setdefault(name, len(self._names))

    def _pairs(self, ordinals: NDArray[np.int64], names: NDArray[np.integer]) -> NDArray[np.int64]:
        """One number for each chunk and name; no name is added any more."""
        return ordinals * len(self._names) + names

    def _with_parts(self) -> Ragged:
        """For each name that is mentioned: itself and its parts; nothing for others."""
        parts = Ragged()
        is_mentioned = np.zeros(len(self._names), bool)
        is_mentioned[self._mentioned.values // 2] = True
        for name, is_needed in zip(list(self._names), is_mentioned.tolist(), strict=True):
            parts.add(map(self._number, (name, *parts_of(name)) if is_needed else ()))
        return parts

    def _named(self, readers: Readers, parts: Ragged) -> Iterator[NDArray[np.int64]]:
        """The pairs of chunk and name for what the chunks of these readers mention, and for the titles that stand in
        them, by what the chunks say that all of these may see."""
        group = np.asarray(self._group)
        is_own = group == self._groups[readers]
        is_known = np.isin(group, [number for at, number in self._groups.items() if may_all_see(readers, at)])
        titles = self._titles_in(is_known)
        is_name = np.zeros(len(self._names), bool)
        is_name[list(titles)] = True
        for owners, names, is_certain in self._mentions():
            is_name[names[is_certain & is_known[owners]]] = True
        for owners, names, is_certain in self._mentions():
            kept = is_own[owners] & (is_certain | is_name[names])
            which, places = places_of(parts.starts, names[kept])
            yield np.unique(self._pairs(owners[kept][which], parts.values[places]))
        found = (ordinal * len(self._names) + name for ordinal, name in self._words.titles(titles, is_own))
        yield np.fromiter(found, np.int64)

    def _mentions(self) -> Iterator[tuple[NDArray[np.int64], Ints, NDArray[np.bool_]]]:
        """Some mentions after the other: the chunk of each, its name, and whether it is one for certain."""
        for first, values, sizes in self._mentioned.parts(NUMBERS_AT_ONCE):
            yield np.repeat(np.arange(first, first + len(sizes)), sizes), values // 2, values % 2 > 0

    def _titles_in(self, is_known: NDArray[np.bool_]) -> dict[int, tuple[str, ...]]:
        """The titles over these chunks with their tokens; of two readings of a title that of the last chunk."""
        there = self._titles.values[is_known[self._titles.owners()]]
        numbers, from_last = np.unique(there[::-1], return_index=True)
        known = list(self._title_tokens)
        return dict(known[number] for number in numbers[np.argsort(-from_last)].tolist())


def _arranged(
    names: Sequence[str], edges: tuple[Ints, Ints, NDArray[np.bool_]], triplets: Triplets, words: ChunkTokens
) -> EntityNetwork:
    """The network of these names; `edges` are ordinals, entities, and whether the entity is a title over the chunk."""
    count = len(triplets.starts) - 1
    hashes = hashes_of(names)
    order = np.argsort(hashes, kind="stable")
    encoded = [name.encode() for name in names]
    name_words, word_offsets = arrange_words(names)
    tokens, token_starts, vocabulary, token_counts = words.arrays()
    return EntityNetwork(
        **_edges(count, (count, len(names)), *edges),
        triplets=triplets,
        name_hashes=hashes[order],
        named=order.astype(np.int32),
        names=np.frombuffer(b"".join(encoded), np.uint8),
        name_ends=np.cumsum([len(name) for name in encoded], dtype=np.int64),
        tokens=tokens,
        token_starts=token_starts,
        vocabulary=vocabulary,
        token_counts=token_counts,
        words=name_words,
        word_offsets=word_offsets,
    )


def _edges(
    chunks: int, counts: tuple[int, int], ordinals: Ints, entities: Ints, above: NDArray[np.bool_]
) -> dict[str, Any]:
    """The parts of a network that follow from these edges, of which some lead to titles above a chunk; `chunks` are so
    many, and `counts` says how many ordinals and entities have numbers."""
    frequency = np.bincount(entities, minlength=counts[1])
    weights = (np.log1p(chunks / frequency[entities]) * np.where(above, TITLE_WEIGHT, 1.0)).astype(np.float32)
    rows = Rows.of(counts[0], ordinals, entities, weights)
    columns = Rows.of(counts[1], entities, ordinals, weights)
    return {
        "entities": rows,
        "chunks": columns,
        "titles": Rows.of(counts[1], entities[above], ordinals[above], weights[above]),
        "entity_sums": columns.sums(),
        "chunk_sums": rows.sums(),
    }
