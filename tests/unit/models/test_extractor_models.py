"""Extractors on local models: what they find, and what is told of a model or package that is not there."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from tests.support.relik_model import write_relik, write_word_finder
from tests.support.small_models import write_gliner, write_naming_pipeline, write_parsing_pipeline

from pincite.errors import PinciteError, ServiceError, SettingsError
from pincite.graph.ontology import shipped_ontology
from pincite.installing import install_extra
from pincite.models.checkpoint import folder_digest
from pincite.models.gliner_triplets import GlinerExtractor
from pincite.ports import TripletExtractor
from pincite.settings import Settings
from pincite.wiring import make_extractor

SENTENCE = "Elon Musk founded Tesla in a shed, and a dog founded Rivian."


def made(name: str) -> TripletExtractor:
    extractor = make_extractor(Settings(extractor=name), shipped_ontology())
    assert extractor is not None
    return extractor


def said(name: str, sentence: str = SENTENCE) -> list[tuple[str, str, str]]:
    (raws,) = made(name).extract([sentence], "en")
    return [(raw.subject_text, raw.name, raw.arguments[0]) for raw in raws]


def test_triplets_stand_between_two_names_that_the_model_found(tmp_path: Path) -> None:
    assert ("a dog", "founded", "Rivian") in said("rules")
    for name in (f"gliner:{write_gliner(tmp_path / 'g')}", f"spacy:{write_naming_pipeline(tmp_path / 'n')}"):
        found = said(name)
        assert ("Elon Musk", "founded", "Tesla") in found
        assert ("a dog", "founded", "Rivian") not in found


def test_gliner_finds_the_longest_names(tmp_path: Path) -> None:
    extractor = GlinerExtractor(write_gliner(tmp_path / "g"), made("rules"))
    names = extractor.names("Then Elon Musk, said Anna Berg, left Tesla.")
    assert [("Then Elon Musk, said Anna Berg, left Tesla."[n.start : n.end], n.kind) for n in names] == [
        ("Elon Musk", "person"),
        ("Anna Berg", "person"),
        ("Tesla", "person"),
    ]
    assert names[0].score > names[2].score > 0.99


def test_the_trees_of_a_spacy_pipeline_are_read(tmp_path: Path) -> None:
    name = f"spacy:{write_parsing_pipeline(tmp_path / 'p')}"
    assert ("Anna Berg", "founded", "Rivian") in said(name, "Anna Berg founded Rivian in Vienna.")
    assert made(name).extract(["Anna Berg founded Rivian."], "de") == [[]]


def test_another_model_is_another_version(tmp_path: Path) -> None:
    folder = write_gliner(tmp_path / "g")
    before = GlinerExtractor(folder, made("rules")).version
    config = json.loads((folder / "gliner_config.json").read_text(encoding="utf-8"))
    (folder / "gliner_config.json").write_text(json.dumps(config | {"max_width": 3}), encoding="utf-8")
    assert GlinerExtractor(folder, made("rules")).version != before
    assert folder_digest(folder) == folder_digest(folder)


def test_what_is_no_model_is_told_in_one_line(tmp_path: Path) -> None:
    empty, broken, other = tmp_path / "empty", write_gliner(tmp_path / "broken"), write_gliner(tmp_path / "other")
    empty.mkdir()
    (broken / "model.onnx").write_bytes(b"no model")
    config = json.loads((other / "gliner_config.json").read_text(encoding="utf-8"))
    (other / "gliner_config.json").write_text(json.dumps(config | {"span_mode": "token_level"}), encoding="utf-8")
    wrong = {
        f"gliner:{empty}": "is no GLiNER model, it has no gliner_config.json and no tokenizer.json",
        f"gliner:{broken}": "is no ONNX model that can be run",
        f"gliner:{other}": "a GLiNER model over tokens",
        f"spacy:{empty}": "spaCy cannot load the pipeline",
        "spacy:no_such_pipeline": "spaCy cannot load the pipeline no_such_pipeline",
    }
    for name, told in wrong.items():
        with pytest.raises(ServiceError, match=told) as raised:
            made(name)
        assert "\n" not in str(raised.value)
    (broken / "model.onnx").unlink()
    with pytest.raises(ServiceError, match=r"has no model\.onnx: export it"):
        made(f"gliner:{broken}")


def test_a_spacy_pipeline_without_names_and_grammar_is_refused(tmp_path: Path) -> None:
    import spacy

    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(ServiceError, match="has neither a parser with ClearNLP's relations nor names"):
        made(f"spacy:{tmp_path / 'blank'}")


@pytest.mark.parametrize(
    ("name", "package"),
    [("spacy:en", "spacy"), ("relik:here", "relik")],
)
def test_a_package_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch, name: str, package: str) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ServiceError, match=re.escape(f"run {install_extra(package)}")) as raised:
        made(name)
    assert raised.value.exit_code == 4


@pytest.mark.parametrize("name", ["rules:x", "gliner", "spacy:", "wizard", "", "ollama:x"])
def test_an_extractor_that_nobody_knows_is_told_what_there_is(name: str) -> None:
    with pytest.raises(SettingsError, match="is not known: use rules, none, spacy:PIPELINE"):
        made(name)


def test_an_endpoint_without_a_model_is_asked_for_its_name() -> None:
    with pytest.raises(PinciteError, match="name it in the setting openai_model"):
        made("openai")


@pytest.fixture
def relik(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    pytest.importorskip("relik", reason="docs/models.md says how ReLiK is installed", exc_type=ImportError)
    return monkeypatch


def test_a_relik_model_is_read_with_nothing_printed_but_what_went_wrong(
    relik: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    relik.syspath_prepend(write_word_finder(tmp_path / "packages"))
    model = write_relik(tmp_path / "small")
    capfd.readouterr()
    assert said(f"relik:{model}", "Elon Musk founded Tesla.") == [("Elon Musk", "founded", "Tesla")]
    assert capfd.readouterr().out == ""


def test_what_is_no_relik_model_is_told_in_one_line(relik: pytest.MonkeyPatch, tmp_path: Path) -> None:
    relik.setattr("spacy.util.is_package", lambda name: False)
    (tmp_path / "config.yaml").write_text("task: [", encoding="utf-8")
    with pytest.raises(ServiceError, match="run python -m spacy download en_core_web_sm"):
        made(f"relik:{tmp_path}")
    relik.setattr("spacy.util.is_package", lambda name: True)
    for text in ("task: [", "window_size: 32", "task: triplet\nreader: {_target_: nowhere.Reader}"):
        (tmp_path / "config.yaml").write_text(text, encoding="utf-8")
        with pytest.raises(ServiceError, match="ReLiK cannot load") as raised:
            made(f"relik:{tmp_path}")
        assert "\n" not in str(raised.value)
    (tmp_path / "config.yaml").unlink()
    with pytest.raises(ServiceError, match=r"has no config\.yaml"):
        made(f"relik:{tmp_path}")
