"""The command with a language model that answers over HTTP."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.conftest import Run
from tests.support.language_scripts import saying
from tests.support.language_server import LanguageServer


def test_debug_shows_every_stage(pincite: Run, demo_store: Path) -> None:
    with LanguageServer(saying("SolarCity was founded on 4 July 2006 (solarcity_history.pdf, p.1).")) as server:
        asked = ["ask", "When was SolarCity founded?", "--store", demo_store, "--mode", "generate", "--debug"]
        settings = {"PINCITE_OPENAI_BASE_URL": f"{server.url}/v1", "PINCITE_OPENAI_MODEL": "small"}
        done = pincite(*asked, "--language-model", "openai", **settings)
    assert done.returncode == 0, done.stderr
    assert "generate: read" in done.stderr
    assert "generate: said: SolarCity was founded on 4 July 2006" in done.stderr
    assert "llm_time=" in done.stderr
