"""Triplets by a ReLiK model (Orlando et al. 2024), with the package `relik`, which stands on torch."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from pincite.deadline import Deadline
from pincite.errors import ServiceError
from pincite.installing import install, install_extra
from pincite.models.checkpoint import folder_digest
from pincite.records.triplets import RawTriplet

VERSION = "1"
_WORDS = "en_core_web_sm"
Span = tuple[int, int, str, str]


class RelikExtractor:
    """A ReLiK relation extractor; its models read English. `annotate` gives the `triplets` of a text: subject and
    object as (start, end, label, text) in characters, a relation, a confidence. Relations are names, not words of the
    sentence; `name_of` (of digest `named_by`) makes predicates of them. Each sentence is read alone."""

    def __init__(
        self,
        annotate: Callable[[str], Any],
        model: str,
        digest: str,
        name_of: Callable[[str], str],
        named_by: str,
    ) -> None:
        self._annotate = annotate
        self._name_of = name_of
        self.name = f"relik:{model}"
        self.version = f"{VERSION}/{named_by}/{digest}"

    def extract(
        self, sentences: Sequence[str], language: str | None, *, deadline: Deadline = Deadline.never()
    ) -> list[list[RawTriplet]]:
        """The triplets of each sentence; none where its language is known and is not English. The deadline is looked at
        between two of them."""
        deadline.check(self.name)
        readable = language in (None, "en")
        return [self._read(sentence, deadline) if readable and sentence.strip() else [] for sentence in sentences]

    def _read(self, sentence: str, deadline: Deadline) -> list[RawTriplet]:
        """Those triplets whose places are inside the sentence and do not overlap."""
        deadline.check(self.name)
        found = []
        with redirect_stdout(sys.stderr):
            said = self._annotate(sentence).triplets
        for (first, first_end, *_), relation, (second, second_end, *_), confidence in said:
            inside = 0 <= first < first_end <= len(sentence) and 0 <= second < second_end <= len(sentence)
            if inside and (first_end <= second or second_end <= first) and (name := self._name_of(relation)):
                found.append(
                    RawTriplet(
                        subject=(first, first_end),
                        predicate=(second, second),
                        object=(second, second_end),
                        name=name,
                        relation=relation,
                        subject_text=sentence[first:first_end],
                        arguments=(sentence[second:second_end],),
                        kind="relik",
                        confidence=round(min(max(float(confidence), 0.0), 1.0), 3),
                        extractor=self.name,
                        version=self.version,
                    )
                )
        return sorted(found, key=lambda raw: (raw.subject, raw.object, raw.name))


def open_relik(folder: Path, name_of: Callable[[str], str], named_by: str) -> RelikExtractor:
    """The extractor on the model in a folder (`config.yaml` and what it names). ServiceError where it, or the package,
    is not there. A reader of ReLiK brings code of its own along, which is executed."""
    with redirect_stdout(sys.stderr):
        relik = _load(folder)
    return RelikExtractor(
        lambda text: relik(text, num_workers=0), folder.name, folder_digest(folder), name_of, named_by
    )


def _load(folder: Path) -> Any:
    try:
        import spacy
        from hydra.errors import HydraException
        from omegaconf.errors import OmegaConfBaseException
        from relik import Relik
        from yaml import YAMLError
    except ImportError as error:
        raise ServiceError(
            f"ReLiK is not there ({error}): run {install_extra('relik')} and {install('relik==1.0.7', alone=True)}, "
            "or choose another --extractor"
        ) from error
    if not (folder / "config.yaml").is_file():
        raise ServiceError(f"{folder} is no ReLiK model, it has no config.yaml: give another folder")
    if not spacy.util.is_package(_WORDS):
        raise ServiceError(f"ReLiK finds words with spaCy's {_WORDS}: run python -m spacy download {_WORDS}")
    logging.getLogger("relik").setLevel(logging.WARNING)
    try:
        relik = Relik.from_pretrained(str(folder))
    except (HydraException, OmegaConfBaseException, YAMLError, OSError, ValueError) as error:
        raise ServiceError(f"ReLiK cannot load {folder} ({str(error).splitlines()[0]}): give another folder") from error
    if relik.task.value == "span":
        raise ServiceError(f"{folder} holds a ReLiK model that finds names alone: give one that finds relations")
    return relik
