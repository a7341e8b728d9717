"""Settings of one's own count; what lies beside documents may have been written by anybody."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.services import JsonService, serving

from pincite.cli.main import main
from pincite.errors import SettingsError
from pincite.settings import FROM_FOLDERS, describe_settings, load_settings

STRANGERS_FILE = """\
openai_base_url = "{url}"
openai_embed_model = "m"
embedder = "openai"
extractor = "relik:/tmp/weights"
ontology = "/etc/passwd"
memory_mb = 1000000
chunk_size = 900
"""


class Stranger(JsonService):
    """Keeps what it is sent."""

    heard: list[str | None]

    def serve(self) -> None:
        self.heard.append(self.headers["Authorization"])
        self.answer({"data": [{"index": n, "embedding": [1.0, 0.0]} for n in range(len(self.asked()["input"]))]})


@pytest.fixture
def stranger() -> Iterator[tuple[str, list[str | None]]]:
    """The address of somebody's service, and the keys that were sent to it."""
    Stranger.heard = []
    with serving(Stranger) as url:
        yield url, Stranger.heard


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A user's own settings file, not yet written."""
    path = tmp_path / "home" / "pincite" / "pincite.toml"
    path.parent.mkdir(parents=True)
    return path


def environment_of(own: Path, **more: str) -> dict[str, str]:
    return {"XDG_CONFIG_HOME": str(own.parents[1]), **more}


def test_a_strangers_folder_gets_neither_the_users_key_nor_the_documents(
    stranger: tuple[str, list[str | None]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    url, heard = stranger
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "a.md").write_text("The pump has a red lever.")
    (folder / "pincite.toml").write_text(STRANGERS_FILE.format(url=url))
    monkeypatch.chdir(folder)
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    assert main(["doctor", "--reranker", "none"]) == 0
    assert main(["index", "a.md", "--embedder", "openai"]) == 4
    assert heard == []
    assert "secret" not in "".join(capsys.readouterr())


def test_a_file_that_lies_with_documents_sets_what_is_harmless_and_the_rest_is_told_and_passed_over(
    tmp_path: Path, own: Path
) -> None:
    (tmp_path / "pincite.toml").write_text(STRANGERS_FILE.format(url="http://stranger.example"))
    settings, origins, notices = load_settings(folder=tmp_path, environment=environment_of(own))
    assert settings.chunk_size == 900
    assert origins["chunk_size"] == str(tmp_path / "pincite.toml")
    assert {name for name, origin in origins.items() if origin != "default"} == {"chunk_size"}
    (notice,) = notices
    assert notice.startswith(f"{tmp_path / 'pincite.toml'} may not set embedder, extractor, memory_mb, ontology, ")
    assert str(own) in notice


def test_no_folder_may_name_a_service_a_model_a_file_or_a_limit() -> None:
    names = {name for name, *_ in describe_settings()}
    assert set(FROM_FOLDERS) < names
    words = ("url", "model", "key", "embedder", "reranker", "extractor", "ontology", "memory", "seconds", "worker")
    assert not [name for name in FROM_FOLDERS if any(word in name for word in (*words, "retention", "threads"))]


def test_the_users_own_file_sets_everything_and_the_folders_environment_and_options_come_after_it(
    tmp_path: Path, own: Path
) -> None:
    own.write_text('openai_base_url = "http://mine.example/v1"\nopenai_api_key = "k"\nchunk_size = 700\ntop_k = 3\n')
    (tmp_path / "pincite.toml").write_text("chunk_size = 900\n")
    settings, origins, notices = load_settings(
        folder=tmp_path, environment=environment_of(own, PINCITE_MIN_SCORE="0.5"), options={"top_k": 5}
    )
    assert (settings.openai_base_url, settings.openai_api_key) == ("http://mine.example/v1", "k")
    assert (settings.chunk_size, settings.min_score, settings.top_k) == (900, 0.5, 5)
    assert origins["openai_base_url"] == str(own)
    assert notices == ()


def test_without_xdg_config_home_the_users_file_lies_below_the_home_folder(tmp_path: Path) -> None:
    path = tmp_path / ".config" / "pincite" / "pincite.toml"
    path.parent.mkdir(parents=True)
    path.write_text('embedder = "none"\n')
    for environment in ({}, {"XDG_CONFIG_HOME": "not/absolute"}):
        settings, *_ = load_settings(folder=tmp_path, environment={"HOME": str(tmp_path), **environment})
        assert settings.embedder == "none"


def test_the_users_file_is_no_strangers_file_where_one_stands_beside_it(own: Path) -> None:
    own.write_text('embedder = "none"\n')
    settings, _, notices = load_settings(folder=own.parent, environment=environment_of(own))
    assert (settings.embedder, notices) == ("none", ())


@pytest.mark.parametrize("endpoint", [{}, {"OPENAI_BASE_URL": "http://mine.example/v1"}])
def test_a_key_goes_only_to_the_endpoint_that_is_named_with_it(endpoint: dict[str, str], tmp_path: Path) -> None:
    settings, origins, _ = load_settings(folder=tmp_path, environment={"OPENAI_API_KEY": "k", **endpoint})
    assert settings.openai_api_key == ("k" if endpoint else "")
    assert ("not used" in origins["openai_api_key"]) != bool(endpoint)


@pytest.mark.parametrize("text", ["chunk_size = ", "a = " + "[" * 100_000, "nosuch = 1", "chunk_size = [1]"])
def test_a_settings_file_that_cannot_be_understood_is_told_by_its_name(text: str, tmp_path: Path) -> None:
    (tmp_path / "pincite.toml").write_text(text)
    with pytest.raises(SettingsError, match=r"pincite\.toml"):
        load_settings(folder=tmp_path, environment={})


NAMES_OF_THE_SPEC = {
    "OLLAMA_BASE_URL": "http://ollama:11434",
    "OLLAMA_EMBED_MODEL": "nomic-embed-text",
    "INDEX_CHUNK_SIZE": 2000,
    "INDEX_CHUNK_OVERLAP": 200,
    "INDEX_MAX_CHUNKS_PER_SOURCE": 100,
    "INDEX_EMBED_CONCURRENCY": 1,
    "LLM_RETRIEVAL_ENABLED": False,
    "LLM_RETRIEVAL_TOP_K": 10,
}


def test_names_of_the_spec_are_read_with_its_defaults_or_the_docs_say_where_not() -> None:
    page = (Path(__file__).parents[2] / "docs" / "deviations.md").read_text(encoding="utf-8")
    table = page.partition("## Settings")[2].partition("\n## ")[0]
    told = set(re.findall(r"`([A-Z_]+)`", table))
    defaults = {alias: default for _, default, _, aliases in describe_settings() for alias in aliases}
    other = {name for name, default in NAMES_OF_THE_SPEC.items() if defaults.get(name) != default}
    assert told & set(NAMES_OF_THE_SPEC) == other
    for word in ("`auto`", "Artifacts", "`embedding`"):
        assert word in page


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"PINCITE_S3_LINK_SECONDS": "301"}, "s3_link_seconds must be from 1 to 300"),
        ({"PINCITE_S3_LINK_SECONDS": "0"}, "s3_link_seconds must be from 1 to 300"),
        ({"PINCITE_S3_ENDPOINT": "file:///etc"}, "s3_endpoint must begin with http"),
        ({"PINCITE_S3_KEY_ID": "AKIA"}, "s3_key_id and s3_secret are one key"),
        ({"PINCITE_S3_OBJECT_MB": "0"}, "must be at least 1"),
    ],
)
def test_settings_of_s3_that_cannot_be_are_refused(tmp_path: Path, given: dict[str, str], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        load_settings(folder=tmp_path, environment=given)


def test_the_secret_of_s3_is_not_shown(tmp_path: Path) -> None:
    given = {"PINCITE_S3_KEY_ID": "AKIA", "PINCITE_S3_SECRET": "very secret"}
    assert load_settings(folder=tmp_path, environment=given).settings.shown()["s3_secret"] == "***"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"PINCITE_JWT_ISSUER": "https://example.org"}, "jwt_audience must say whom JWTs are meant for"),
        ({"PINCITE_JWT_LEEWAY": "301"}, "jwt_leeway must be from 0 to 300 seconds"),
        ({"PINCITE_JWT_LEEWAY": "nan"}, "jwt_leeway must be from 0 to 300 seconds"),
        ({"PINCITE_JWT_ROLES": "editors"}, "jwt_roles must be a table of roles"),
        ({"PINCITE_JWT_ROLES": "editors = 1"}, "jwt_roles must be a table of roles"),
    ],
)
def test_settings_of_jwts_that_cannot_be_are_refused(tmp_path: Path, given: dict[str, str], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        load_settings(folder=tmp_path, environment=given)


def test_no_folder_says_whose_jwts_are_taken(tmp_path: Path) -> None:
    (tmp_path / "pincite.toml").write_text('jwt_issuer = "https://example.org"\n[jwt_roles]\nall = "admin"\n')
    loaded = load_settings(folder=tmp_path, environment={"PINCITE_JWT_ROLES": 'editors = "writer"'})
    assert loaded.settings.jwt_issuer == ""
    assert loaded.settings.shown()["jwt_roles"] == {"editors": "writer"}
    assert "may not set jwt_issuer, jwt_roles" in loaded.notices[0]
