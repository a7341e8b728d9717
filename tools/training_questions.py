"""The questions that the ranking is trained and measured on, each with its candidates and their features.

Sets in BEIR layout, and files of questions whose gold is pages. Rows are even or odd by the first byte of the SHA-256
of their id: even ones tune, odd ones are only counted (docs/decisions/0109).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pincite.answer.material.case import Case, case_of
from pincite.engine.asking import surroundings_of
from pincite.engine.engine import Engine
from pincite.evaluate.files import content_key
from pincite.evaluate.pages import stage
from pincite.evaluate.questions import FilePage, load_questions
from pincite.evaluate.report import is_held_out
from pincite.evaluate.retrieval import BeirSet, load_set
from pincite.ports import Reader, Vector
from pincite.records.chunks import ChunkRecord
from pincite.records.questions import Filter, RetrievalPolicy
from pincite.retrieve.candidates import gather
from pincite.retrieve.named import search_naming
from pincite.retrieve.profiles import Combination
from pincite.retrieve.query import parse_query, with_names_mended
from pincite.settings import Settings
from pincite.wiring import make_embedder, open_engine

BEIR_SETS = (
    "obliqa_dev",
    "obliqa_multi_dev",
    "xref_baseline_dev",
    "xref_schema_dev",
    "scifact_train",
    "cranfield",
    "2wiki_train500",
    "hotpotqa_v1train_100",
    "musique_v1train_100",
)
POLICIES: Mapping[Combination, RetrievalPolicy] = {
    "default": RetrievalPolicy(profile="llmless"),
    "hybrid": RetrievalPolicy(profile="llmless", channels=("vector", "keyword")),
    "keywords": RetrievalPolicy(profile="llmless"),
}
QUARTERS = 4
Names = tuple[str, ...]
NamesOf = Callable[[ChunkRecord], Names]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question: of each entry of `required` one name is enough; `gold` grades all names that count as right. A name
    is that of a row of the corpus, or of a page."""

    id: str
    text: str
    gold: Mapping[str, float]
    required: tuple[Names, ...]

    @property
    def is_even(self) -> bool:
        """Whether it may be trained on."""
        return not is_held_out(self.id)


@dataclass(frozen=True, slots=True)
class Example:
    """A question with its candidates: the names of each (of pages, or of one row), and the rows of features."""

    asked: Asked
    names: tuple[Names, ...]
    matrix: NDArray[np.float64]
    is_of_pages: bool

    @property
    def labels(self) -> NDArray[np.int32]:
        """1 for each candidate with a name that counts as right."""
        return np.array([any(name in self.asked.gold for name in names) for names in self.names], np.int32)


Found = dict[Combination, list[Example]]


def collect(
    data: Path, page_files: Sequence[Path], documents: Path, work: Path, embedder: str, *, left_out: Collection[str]
) -> dict[str, Found]:
    """The candidates of every question of all sets by set, but for sets and folders that are `left_out`; stores are
    made in `work`, or taken up again.

    `data` holds the sets in BEIR layout and `data`/pdf the folders that rows of `page_files` name; folders that are not
    there lie in `documents`.
    """
    settings = replace(Settings(), embedder=embedder)
    found = {}
    for name in rows_sets(left_out):
        found[name] = _of_rows(data / name, work, settings)
        print(name, len(found[name]["default"]), flush=True)
    for name, folder, asked in _page_sets(page_files):
        if folder in left_out:
            continue
        found[name] = _of_pages(place_of(folder, data, documents), asked, work, settings)
        print(name, len(found[name]["default"]), flush=True)
    return found


def rows_sets(left_out: Collection[str]) -> list[str]:
    """The names of the sets in BEIR layout."""
    return [name for name in BEIR_SETS if name not in left_out]


def digests(data: Path, page_files: Sequence[Path], left_out: Collection[str]) -> dict[str, str]:
    """The content digest of every corpus, file of questions and file of judgements, by name."""
    files = [
        path
        for name in rows_sets(left_out)
        for path in sorted((data / name).rglob("*.*"))
        if ".md" not in path.suffixes
    ]
    return {str(path.relative_to(data)): content_key(path) for path in files} | {
        f"{path.parent.name}/{path.name}": content_key(path) for path in page_files
    }


def quarter_of(row_id: str) -> int:
    """The quarter of its half that a row belongs to, by the first byte of the SHA-256 of its id."""
    return hashlib.sha256(row_id.encode()).digest()[0] // 2 % QUARTERS


def place_of(folder: str, data: Path, documents: Path) -> Path:
    """Where the documents lie of a folder that rows of questions name."""
    place = data / "pdf" / folder
    return place if place.is_dir() else documents / folder


def set_engine(loaded: BeirSet, work: Path, settings: Settings) -> Engine:
    """An engine on the store of a set, made or taken up again."""
    engine = open_engine(settings, work / settings.embedder / loaded.corpus_key, create=True)
    engine.index_documents(loaded.documents)
    return engine


def folder_engine(folder: Path, work: Path, settings: Settings) -> Engine:
    """An engine on the store of a folder of documents, made or taken up again."""
    name = f"{folder.parent.name}-{folder.name}"
    documents = work / "docs" / name
    stage(folder, documents)
    engine = open_engine(settings, work / settings.embedder / name, create=True)
    engine.index([documents], prune=True)
    return engine


def cases_of(engine: Engine, questions: Iterable[str], reader: Reader | None) -> Iterator[Case]:
    """The case of each question, while its store is open."""
    with engine, engine._views.at(None) as view:
        for text in questions:
            retrieval = search_naming(view.space, text, RetrievalPolicy(), Filter())
            yield case_of(retrieval, replace(surroundings_of(view, retrieval.query.filter), reader=reader))


def _of_rows(folder: Path, work: Path, settings: Settings) -> Found:
    loaded = load_set(folder)
    asked = [Asked(q.id, q.text, q.gold, tuple((row,) for row in q.gold)) for q in loaded.questions]
    with set_engine(loaded, work, settings) as engine:
        return _examples(engine, asked, settings, lambda chunk: (loaded.rows[chunk.source_id, chunk.spans[0].page],))


def _page_sets(files: Sequence[Path]) -> Iterator[tuple[str, str, list[Asked]]]:
    """The name of each set, its folder, and its questions that have gold."""
    for path in files:
        questions = [question for question in load_questions(path) if question.required]
        for folder in dict.fromkeys(question.folder or path.parent.name for question in questions):
            own = [question for question in questions if (question.folder or path.parent.name) == folder]
            stem = path.parent.name if path.stem == "questions" else path.stem.removeprefix("questions_")
            asked = [
                Asked(
                    question.id,
                    question.text,
                    {page_name(place): 1.0 for place in question.accepted},
                    tuple(tuple(map(page_name, entry)) for entry in question.required),
                )
                for question in own
            ]
            yield f"{stem.partition('_')[0]} {folder}", folder, asked


def page_name(place: FilePage) -> str:
    """ "file.pdf, p.3" """
    return f"{place[0].rpartition('/')[2]}, p.{place[1]}"


def _of_pages(folder: Path, asked: Iterable[Asked], work: Path, settings: Settings) -> Found:
    with folder_engine(folder, work, settings) as engine:
        return _examples(engine, asked, settings, _pages_of)


def _pages_of(chunk: ChunkRecord) -> Names:
    return tuple(page_name((chunk.source_id, page)) for page in chunk.pages)


def _examples(engine: Engine, asked: Iterable[Asked], settings: Settings, names_of: NamesOf) -> Found:
    """The candidates of every question for each combination."""
    embedder = _Remembered(settings, engine._parts.folder / "questions.npz")
    found: Found = {combination: [] for combination in POLICIES}
    with engine._views.at(None) as view:
        space = view.space
        for question in asked:
            query = with_names_mended(parse_query(question.text, space.languages), space.network, None)
            vector = embedder(query.search_text)
            for combination, policy in POLICIES.items():
                candidates = gather(space, query, None if combination == "keywords" else vector, policy, None)
                chunks = space.chunks([space.chunk_id(ordinal) for ordinal in candidates.ordinals])
                matrix = np.asarray(candidates.columns.features)
                names = tuple(map(names_of, chunks))
                found[combination].append(Example(question, names, matrix, names_of is _pages_of))
    embedder.save()
    return found


class _Remembered:
    """The vectors of questions, kept beside the store from one run to the next."""

    def __init__(self, settings: Settings, path: Path) -> None:
        self._embedder = make_embedder(settings)
        self._path = path
        self._known: dict[str, Vector] = dict(np.load(path)) if path.is_file() else {}

    def __call__(self, text: str) -> Vector:
        key = hashlib.sha256(text.encode()).hexdigest()
        if key not in self._known:
            if self._embedder is None:
                raise SystemExit("training needs an embedder")
            self._known[key] = self._embedder.embed_query(text)
        return self._known[key]

    def save(self) -> None:
        """Write what is known."""
        np.savez(self._path, allow_pickle=False, **self._known)
