"""Whoever has weights of their own gives them a name and asks by it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.support.documents import document, source
from tests.support.engines import hashing_engine

from pincite.cli.main import main
from pincite.errors import SettingsError
from pincite.records.questions import Profile, RetrievalPolicy
from pincite.retrieve.profiles import PROFILES
from pincite.settings import KNOWN_PROFILES, Settings, load_settings, retrieval_policy
from pincite.wiring import open_engine

MINE = "[profiles.mine]\nvec = 0.5\nbm25 = 0.3\ngear = 0.2\n"


def own_file(home: Path, text: str) -> dict[str, str]:
    """An environment whose user keeps these settings."""
    path = home / "pincite" / "pincite.toml"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return {"XDG_CONFIG_HOME": str(home)}


def test_a_table_of_weights_is_a_profile(tmp_path: Path) -> None:
    environment = own_file(tmp_path / "home", MINE + "merge_near_copies = true\n")
    settings, origins, _ = load_settings(folder=tmp_path, environment=environment, options={"profile": "mine"})
    expected = Profile(vec=0.5, bm25=0.3, gear=0.2, merge_near_copies=True)
    assert (settings.profile, dict(settings.profiles)) == ("mine", {"mine": expected})
    assert origins["profiles"].endswith("pincite.toml")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[profiles.mine]\nvex = 1", "profile mine.*'vex'.*bm25, gear, graph, merge_near_copies, sources, vec"),
        ("[profiles.mine]\nvec = -1", "profile mine.*vec.*0 or more"),
        ("[profiles.mine]\nvec = nan", "profile mine.*vec.*0 or more"),
        ("[profiles.mine]\nvec = true", "profile mine.*vec.*0 or more"),
        ("[profiles.mine]\nvec = 1\nmerge_near_copies = 1", "profile mine.*merge_near_copies.*true or false"),
        ("[profiles.mine]\nvec = 0", "profile mine.*no weight"),
        ("[profiles.llm]\nvec = 1", "profile llm.*name of pincite's own"),
        ("profiles = 1", "profiles.*tables"),
        ("[profiles]\nmine = 1", "profile mine.*table"),
    ],
)
def test_what_is_no_profile_is_told_in_one_line(text: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=told) as caught:
        load_settings(folder=tmp_path, environment=own_file(tmp_path / "home", text))
    assert "\n" not in str(caught.value)
    assert "pincite.toml" in str(caught.value)


def test_a_file_beside_documents_may_set_weights_alone_and_never_the_users_profile_anew(tmp_path: Path) -> None:
    (tmp_path / "pincite.toml").write_text(
        "[profiles.mine]\nvec = 9\n[profiles.theirs]\nbm25 = 1\nmerge_near_copies = true\n"
    )
    settings, _, notices = load_settings(folder=tmp_path, environment=own_file(tmp_path / "home", MINE))
    assert dict(settings.profiles) == {"mine": Profile(vec=0.5, bm25=0.3, gear=0.2), "theirs": Profile(bm25=1.0)}
    assert len(notices) == 1
    assert "merge_near_copies" in notices[0]


def test_the_names_that_are_taken_are_those_of_the_package() -> None:
    assert set(KNOWN_PROFILES) == set(PROFILES)


def test_a_question_is_weighed_by_the_profile_and_its_receipt_replays_it(tmp_path: Path) -> None:
    mine = RetrievalPolicy(profile="mine", weights=Profile(vec=0.5, bm25=0.3, gear=0.2))
    texts = {"a.pdf": "Elon Musk invested in SolarCity.", "b.pdf": "Snow lies on the roof of Anna Berg."}
    with hashing_engine(tmp_path / "store") as engine:
        engine.index_documents((source(name, text), document(text)) for name, text in texts.items())
        answer = engine.ask("In what has Elon Musk invested?", policy=mine)
        for item in answer.evidence:
            s = item.scores
            expected = 0.5 * (s.vec or 0) + 0.3 * (s.bm25 or 0) + 0.2 * (s.gear or 0)
            assert s.final == pytest.approx(expected, abs=2e-6)
        assert engine.session().audit.replay(answer.trace_id).same


def test_the_command_asks_by_the_profile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "a.md").write_text("The pump has a red lever.")
    for name, value in own_file(tmp_path / "home", MINE).items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(folder)
    assert main(["index", ".", "--embedder", "none", "--quiet"]) == 0
    capsys.readouterr()
    asked = ["ask", "What has a red lever?", "--embedder", "none", "--reranker", "none", "--json"]
    assert main([*asked, "--profile", "mine"]) == 0
    assert json.loads(capsys.readouterr().out)["meta"]["profile"] == "mine"
    assert main([*asked, "--profile", "theirs"]) == 2
    assert "auto, llm, llmless, mine" in capsys.readouterr().err
    assert main(["doctor", "--settings"]) == 0
    assert "profiles" in capsys.readouterr().out


def test_a_program_that_opens_a_store_asks_by_its_settings(tmp_path: Path) -> None:
    settings = Settings(embedder="none", reranker="none", profile="llm", top_k=2)
    with open_engine(settings, tmp_path, create=True) as engine:
        pages = [f"Snow lies on the {name} roof." for name in ("red", "flat", "steep", "old", "north")]
        engine.index_documents([(source(f"{number}.pdf"), document(page)) for number, page in enumerate(pages)])
        asked, told, plain = (
            engine.ask("Where does snow lie?", receipt=False, policy=policy).to_dict(stable=True)
            for policy in (None, retrieval_policy(settings), RetrievalPolicy())
        )
    assert asked["meta"]["profile"] == "llm"
    assert asked == told != plain
