"""Every TripletExtractor keeps its contract: the rules, and those that stand on a model, each on a small one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.support.relik_model import write_relik, write_word_finder
from tests.support.services import JsonService, serving
from tests.support.small_models import write_gliner, write_naming_pipeline, write_parsing_pipeline

from pincite.graph.extraction import written_name
from pincite.graph.ontology import shipped_ontology
from pincite.graph.triplets import RuleExtractor, read_parse
from pincite.models.gliner_triplets import GlinerExtractor
from pincite.models.language_model import OllamaModel, OpenAIModel
from pincite.models.language_triplets import LanguageExtractor
from pincite.models.relik_triplets import RelikExtractor, open_relik
from pincite.models.spacy_triplets import SpacyExtractor
from pincite.ports import TripletExtractor
from pincite.records.prompts import LanguageService
from pincite.records.triplets import Parse, RawTriplet
from pincite_testing.triplet_extractor_contract import TripletExtractorContract

ONTOLOGY = shipped_ontology()
FOUNDED = re.compile(r"(\w+(?:\s\w+)?)\s+founded\s+(\w+)")


def name_of(words: str) -> str:
    return written_name(words, ONTOLOGY)


def read(sentence: str, parse: Parse) -> list[RawTriplet]:
    return read_parse(sentence, parse, ONTOLOGY)


class TestRuleExtractor(TripletExtractorContract):
    def make(self) -> TripletExtractor:
        return RuleExtractor(ONTOLOGY)


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    write_parsing_pipeline(folder / "parsing")
    write_naming_pipeline(folder / "naming")
    write_gliner(folder / "gliner")
    return folder


class OnModels(TripletExtractorContract):
    @pytest.fixture(autouse=True)
    def folder(self, models: Path) -> None:
        self.models = models


class TestSpacyExtractor(OnModels):
    def make(self) -> TripletExtractor:
        return SpacyExtractor(str(self.models / "parsing"), read, RuleExtractor(ONTOLOGY))


class TestSpacyExtractorByNames(OnModels):
    def make(self) -> TripletExtractor:
        return SpacyExtractor(str(self.models / "naming"), read, RuleExtractor(ONTOLOGY))


class TestGlinerExtractor(OnModels):
    def make(self) -> TripletExtractor:
        return GlinerExtractor(self.models / "gliner", RuleExtractor(ONTOLOGY))


@dataclass(frozen=True)
class Annotated:
    triplets: list[tuple[tuple[int, int, str, str], str, tuple[int, int, str, str], float]]


def annotate(sentence: str) -> Annotated:
    """ReLiK's way to say who founded what; the last triplet of each sentence points behind its end."""
    found = [
        ((*match.span(1), "person", match[1]), "founded", (*match.span(2), "company", match[2]), 0.9)
        for match in FOUNDED.finditer(sentence)
    ]
    beyond = (len(sentence), len(sentence) + 4, "none", "none")
    return Annotated([*found, (beyond, "founded", beyond, 0.9)])


class TestRelikExtractor(TripletExtractorContract):
    def make(self) -> TripletExtractor:
        return RelikExtractor(annotate, "small", "0", name_of, ONTOLOGY.digest)


@pytest.fixture(scope="module")
def relik_model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    pytest.importorskip("relik", reason="docs/models.md says how ReLiK is installed", exc_type=ImportError)
    folder = tmp_path_factory.mktemp("relik")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(write_word_finder(folder / "packages"))
        yield write_relik(folder / "small")


class TestRelikExtractorOnItsPackage(TripletExtractorContract):
    @pytest.fixture(autouse=True)
    def folder(self, relik_model: Path) -> None:
        self.model = relik_model

    def make(self) -> TripletExtractor:
        return open_relik(self.model, name_of, ONTOLOGY.digest)


class FoundingService(JsonService):
    """Speaks Ollama's and OpenAI's way of chatting, and tells who founded what in the sentences it is asked about."""

    def serve(self) -> None:
        told = self.asked()["messages"][-1]["content"]
        numbered = json.loads(told.removeprefix("<sentences>").removesuffix("</sentences>"))
        triplets = [
            {"sentence": item["sentence"], "subject": match[1], "predicate": "founded", "object": match[2]}
            for item in numbered
            for match in FOUNDED.finditer(item["text"])
        ]
        message = {"role": "assistant", "content": f"Here they are: {json.dumps({'triplets': triplets})}"}
        self.answer({"message": message} if self.path == "/api/chat" else {"choices": [{"message": message}]})


@pytest.fixture(scope="module")
def service() -> Iterator[str]:
    with serving(FoundingService) as address:
        yield address


class OnService(TripletExtractorContract):
    @pytest.fixture(autouse=True)
    def address(self, service: str) -> None:
        self.url = service


class TestLanguageExtractor(OnService):
    def make(self) -> TripletExtractor:
        model = OllamaModel(LanguageService(self.url, "small", "ollama", timeout=5.0, concurrency=2))
        return LanguageExtractor(model, name_of, ONTOLOGY.digest)


class TestLanguageExtractorOnOpenAI(OnService):
    def make(self) -> TripletExtractor:
        model = OpenAIModel(LanguageService(self.url, "small", key="key", timeout=5.0))
        return LanguageExtractor(model, name_of, ONTOLOGY.digest)
