"""Triplets over the trees, or between the names, of a spaCy pipeline (extra `spacy`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from pincite.deadline import Deadline
from pincite.errors import ServiceError
from pincite.installing import install_extra
from pincite.models.between_names import FoundName, between_names
from pincite.models.checkpoint import folder_digest
from pincite.ports import TripletExtractor
from pincite.records.triplets import Parse, RawTriplet

VERSION = "1"
_NEEDED_RELATIONS = frozenset(("nsubj", "dobj", "pobj"))
_KINDS = {
    "PERSON": "person",
    "ORG": "organisation",
    "NORP": "group",
    **dict.fromkeys(("GPE", "LOC", "FAC"), "place"),
    **dict.fromkeys(("WORK_OF_ART", "PRODUCT", "EVENT", "LAW"), "work"),
    **dict.fromkeys(("DATE", "TIME"), "date"),
    **dict.fromkeys(("QUANTITY", "MONEY", "PERCENT", "CARDINAL"), "quantity"),
}

ReadParse = Callable[[str, Parse], list[RawTriplet]]


class SpacyExtractor:
    """The trees of a parser with ClearNLP's relations, as spaCy's English pipelines have, are read by `read_parse`; of
    other pipelines the names count: triplets of `rules` between two of them. `pipeline` is an installed one or a
    folder. Sentences are read one by one, so that each is read the same in any company."""

    def __init__(self, pipeline: str, read_parse: ReadParse, rules: TripletExtractor) -> None:
        self._nlp = _load(pipeline)
        self._read_parse = read_parse
        self._rules = rules
        self._has_trees = _has_trees(self._nlp)
        if not self._has_trees and not {"ner", "entity_ruler", "span_ruler"} & set(self._nlp.pipe_names):
            raise ServiceError(
                f"the spaCy pipeline {pipeline} has neither a parser with ClearNLP's relations nor names: give another"
            )
        self.name = f"spacy:{self._nlp.meta['lang']}_{self._nlp.meta['name']}"
        self.version = f"{VERSION}/{rules.version}/{folder_digest(self._nlp.path)}"

    def extract(
        self, sentences: Sequence[str], language: str | None, *, deadline: Deadline = Deadline.never()
    ) -> list[list[RawTriplet]]:
        """The triplets of each sentence; none where its language is known and not the pipeline's. The deadline is
        looked at between two of them."""
        deadline.check(self.name)
        if language not in (None, self._nlp.lang):
            return [[] for _ in sentences]
        documents = [self._read(sentence, deadline) for sentence in sentences]
        if self._has_trees:
            return [
                [
                    replace(raw, extractor=self.name, version=self.version)
                    for raw in self._read_parse(sentence, _parse_of(read))
                ]
                for sentence, read in zip(sentences, documents, strict=True)
            ]
        ruled = self._rules.extract(sentences, language, deadline=deadline)
        return [
            list(between_names(raws, _names_of(read), self.name, self.version))
            for raws, read in zip(ruled, documents, strict=True)
        ]

    def _read(self, sentence: str, deadline: Deadline) -> Any:
        deadline.check(self.name)
        return self._nlp(sentence)


def _load(pipeline: str) -> Any:
    try:
        import spacy
    except ImportError as error:
        raise ServiceError(
            f"spaCy is not installed: run {install_extra('spacy')}, or choose another --extractor"
        ) from error
    try:
        return spacy.load(pipeline, exclude=["lemmatizer", "textcat"])
    except (OSError, ValueError) as error:
        raise ServiceError(
            f"spaCy cannot load the pipeline {pipeline}: run python -m spacy download NAME, or give a folder"
        ) from error


def _has_trees(nlp: Any) -> bool:
    if "parser" not in nlp.pipe_names or "tagger" not in nlp.pipe_names:
        return False
    return set(nlp.get_pipe("parser").labels) >= _NEEDED_RELATIONS


def _parse_of(read: Any) -> Parse:
    """The words that are not white space, with heads counted among them."""
    words = [token for token in read if not token.is_space]
    number = {token.i: index for index, token in enumerate(words)}
    return Parse(
        words=tuple((token.text, token.idx, token.idx + len(token.text)) for token in words),
        tags=tuple(token.tag_ for token in words),
        heads=tuple(number.get(token.head.i, index) for index, token in enumerate(words)),
        relations=tuple(token.dep_ for token in words),
        labels=tuple(_label(token) for token in words),
    )


def _label(token: Any) -> str:
    kind = _KINDS.get(token.ent_type_)
    return f"{token.ent_iob_}-{kind}" if kind else "O"


def _names_of(read: Any) -> list[FoundName]:
    return [FoundName(name.start_char, name.end_char, 1.0, name.label_) for name in read.ents]
