"""1. A language model is a table of a user's own settings. 2. Nobody else's file names one. 3. Its key is shown to
nobody, and goes to its own address alone. 4. None is a normal state. 5. `pincite doctor` says how it stands."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from tests.support.language_scripts import well
from tests.support.language_server import LanguageServer
from tests.support.services import silent

from pincite.cli.main import main
from pincite.errors import SettingsError
from pincite.language_settings import SMALLEST_CONTEXT
from pincite.records.prompts import LanguageService, Message, Prompt
from pincite.settings import Settings, load_settings
from pincite.wiring import make_language_model, open_engine
from pincite_testing.memory_telemetry import MemoryTelemetry

MINE = """\
language_model = "mine"
[language_models.mine]
url = "http://mine.example/v1"
model = "LFM2.5-1.2B-Instruct"
key = "very-secret"
context = 16384
timeout = 300
[language_models.other]
url = "http://other.example"
model = "small"
api = "ollama"
"""
PROMPT = Prompt((Message("user", "What lies on the roof?"),), "test.1", 100)
EXAMPLES = Path(__file__).parents[2] / "examples"


def own(tmp_path: Path, text: str) -> dict[str, str]:
    """An environment in which the user's own settings say this."""
    path = tmp_path / "home" / "pincite" / "pincite.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return {"XDG_CONFIG_HOME": str(path.parents[1])}


def settings_of(tmp_path: Path, text: str, **more: str) -> Settings:
    return load_settings(folder=tmp_path, environment={**own(tmp_path, text), **more}).settings


def table(**changes: Any) -> str:
    values = {"url": "http://mine.example/v1", "model": "small"} | changes
    lines = [f"{name} = {json.dumps(value)}" for name, value in values.items() if value is not None]
    return "\n".join(["[language_models.mine]", *lines])


def test_each_model_has_a_table_of_its_own(tmp_path: Path) -> None:
    settings = settings_of(tmp_path, MINE)
    assert dict(settings.language_models) == {
        "mine": LanguageService(
            "http://mine.example/v1", "LFM2.5-1.2B-Instruct", "openai", "very-secret", context=16384, timeout=300
        ),
        "other": LanguageService("http://other.example", "small", "ollama"),
    }
    mine, other = (
        make_language_model(settings, MemoryTelemetry()),
        make_language_model(settings_of(tmp_path, MINE, PINCITE_LANGUAGE_MODEL="other"), MemoryTelemetry()),
    )
    assert mine is not None and other is not None
    assert (mine.name, mine.context_size) == ("openai:LFM2.5-1.2B-Instruct", 16384)
    assert (other.name, other.concurrency) == ("ollama:small", 1)


def test_a_table_may_stand_in_the_environment(tmp_path: Path) -> None:
    text = 'mine = {url = "http://mine.example/v1", model = "small", context = 2048, tokens = 200}'
    settings = settings_of(tmp_path, "", PINCITE_LANGUAGE_MODELS=text, PINCITE_LANGUAGE_MODEL="mine")
    model = make_language_model(settings, MemoryTelemetry())
    assert model is not None
    assert model.context_size == 2048


def test_no_model_is_a_normal_state(tmp_path: Path) -> None:
    assert make_language_model(Settings(), MemoryTelemetry()) is None
    with open_engine(Settings(embedder="none"), tmp_path / "store", create=True) as engine:
        assert engine._parts.language_model() is None


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"url": None}, "has no url or no model"),
        ({"model": ""}, "has no url or no model"),
        ({"url": "mine.example"}, "url must begin with http"),
        ({"api": "grpc"}, "api must be openai or ollama"),
        ({"api": 3}, "api must be a text"),
        ({"key": 12345}, "key must be a text"),
        ({"context": 100}, f"context must be at least {SMALLEST_CONTEXT}"),
        ({"context": 1000, "tokens": 1000}, "tokens must be fewer than context"),
        ({"tokens": 0}, "tokens must be a number above 0"),
        ({"timeout": True}, "timeout must be a number above 0"),
        ({"concurrency": 1.5}, "concurrency must be a number above 0"),
        ({"temperature": 1}, "knows no 'temperature'"),
    ],
)
def test_a_table_that_cannot_be_is_told(tmp_path: Path, changes: dict[str, Any], told: str) -> None:
    with pytest.raises(SettingsError, match=told) as caught:
        settings_of(tmp_path, table(**changes))
    assert "12345" not in str(caught.value)


@pytest.mark.parametrize("text", ["language_models = 3", "[language_models]\nmine = 3"])
def test_what_is_no_table_is_told(tmp_path: Path, text: str) -> None:
    with pytest.raises(SettingsError, match=r"must be (tables|a table)"):
        settings_of(tmp_path, text)
    with pytest.raises(SettingsError, match="must be TOML"):
        settings_of(tmp_path, "", PINCITE_LANGUAGE_MODELS="[mine")


def test_an_unknown_name_is_told_with_those_that_are_known(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="use one of mine, other, ollama, openai"):
        make_language_model(settings_of(tmp_path, MINE, PINCITE_LANGUAGE_MODEL="nosuch"), MemoryTelemetry())


def test_without_tables_the_settings_of_ollama_and_openai_serve() -> None:
    ollama = make_language_model(Settings(language_model="ollama", language_concurrency=3), MemoryTelemetry())
    assert ollama is not None
    assert (ollama.name, ollama.concurrency) == ("ollama:llama3.1", 3)
    openai = make_language_model(Settings(language_model="openai", openai_model="small"), MemoryTelemetry())
    assert openai is not None
    assert openai.name == "openai:small"
    with pytest.raises(SettingsError, match="name it in the setting openai_model"):
        make_language_model(Settings(language_model="openai"), MemoryTelemetry())


def test_a_file_beside_documents_names_no_language_model(tmp_path: Path) -> None:
    (tmp_path / "pincite.toml").write_text(MINE)
    settings, _, notices = load_settings(folder=tmp_path, environment=own(tmp_path, ""))
    assert (settings.language_model, settings.language_models) == ("", ())
    assert "may not set language_model, language_models" in notices[0]
    settings, _, _ = load_settings(
        folder=tmp_path, environment=own(tmp_path, MINE.replace("mine.example", "me.example"))
    )
    assert dict(settings.language_models)["mine"].url == "http://me.example/v1"


def test_a_key_goes_to_the_address_of_its_table_alone(tmp_path: Path) -> None:
    with LanguageServer(well) as first, LanguageServer(well) as second:
        text = (
            table(url=first.url, key="very-secret") + f'\n[language_models.other]\nurl = "{second.url}"\nmodel = "b"\n'
        )
        for name, server in (("mine", first), ("other", second)):
            model = make_language_model(
                settings_of(tmp_path, text, PINCITE_LANGUAGE_MODEL=name, OPENAI_API_KEY="more"), MemoryTelemetry()
            )
            assert model is not None
            model.complete(PROMPT)
            assert len(server.requests) == 1
        assert first.requests[0].headers["Authorization"] == "Bearer very-secret"
        assert "Authorization" not in second.requests[0].headers


def test_a_key_is_never_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = settings_of(tmp_path, MINE)
    assert settings.shown()["language_models"]["mine"]["key"] == "***"
    assert settings.shown()["language_models"]["other"]["key"] == ""
    assert "very-secret" not in repr(settings)
    monkeypatch.setenv("XDG_CONFIG_HOME", own(tmp_path, MINE)["XDG_CONFIG_HOME"])
    monkeypatch.chdir(tmp_path)
    assert main(["doctor", "--settings"]) == 0
    assert main(["doctor", "--settings", "--json"]) == 0
    shown = capsys.readouterr().out
    assert "LFM2.5-1.2B-Instruct" in shown
    assert "very-secret" not in shown


# --- doctor ------------------------------------------------------------------------------------------------


@pytest.fixture
def doctor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """What `pincite doctor` says of the language model of these settings, and its exit code."""
    monkeypatch.chdir(tmp_path)

    def ask(text: str, *options: str) -> tuple[int, str]:
        monkeypatch.setenv("XDG_CONFIG_HOME", own(tmp_path, text)["XDG_CONFIG_HOME"])
        code = main(["doctor", "--embedder", "none", "--reranker", "none", *options])
        (line,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("language model")]
        return code, line

    return ask


def test_the_doctor_says_that_no_model_is_needed(doctor: Any) -> None:
    code, line = doctor("")
    assert code == 0
    assert line.startswith("language model: none is configured, and none is needed")


@pytest.mark.parametrize("api", ["openai", "ollama"])
def test_the_doctor_asks_the_service_what_it_has(doctor: Any, api: str) -> None:
    with LanguageServer(well) as server:
        assert doctor(table(url=server.url, api=api), "--language-model", "mine") == (0, "language model mine: ready")
        code, line = doctor(table(url=server.url, api=api, model="large"), "--language-model", "mine")
        assert code == 0
        assert "answers, but does not list large among its models (small" in line


def test_the_doctor_says_that_a_service_does_not_answer(doctor: Any) -> None:
    with silent() as url:
        code, line = doctor(table(url=url, timeout=0.2), "--language-model", "mine")
    assert code == 4
    assert "does not answer" in line
    code, line = doctor("", "--language-model", "nosuch")
    assert code == 4
    assert "is not known" in line


# --- examples ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.stem)
def test_the_settings_of_the_examples_are_settings(path: Path, tmp_path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    model = make_language_model(settings_of(tmp_path, text), MemoryTelemetry())
    assert model is not None
    assert "LFM2.5-1.2B-Instruct" in model.name
    command = text.splitlines()[0].removeprefix("# ")
    assert f"`{command}` | [{path.name}]({path.name})" in (EXAMPLES / "README.md").read_text(encoding="utf-8")
    models = (EXAMPLES.parent / "docs" / "models.md").read_text(encoding="utf-8")
    assert f"examples/{path.name}" in models
    assert tomllib.loads(text)["language_model"] == path.stem
