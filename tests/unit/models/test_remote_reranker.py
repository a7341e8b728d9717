"""1. A reranking service is asked in the words that it knows, few texts at a time. 2. What it sends is put in order,
and refused where it is not a score for each text. 3. Documents and key go to the address that the user has named, and
to nobody else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from socket import create_server, socket
from typing import Any, ClassVar

import numpy as np
import pytest
from tests.support.documents import document, source
from tests.support.reranking_services import RerankingService
from tests.support.services import JsonService, serving, silent

from pincite.cli.main import main
from pincite.deadline import Deadline
from pincite.engine.asking import RERANKER_SILENT
from pincite.errors import ServiceError, SettingsError
from pincite.models.breaker import SLOW_FAILURE
from pincite.models.remote import LONGEST_READ, HttpReranker
from pincite.ports import Readable
from pincite.settings import Settings, load_settings
from pincite.wiring import make_reader, open_engine
from pincite_testing.memory_reranker import MemoryReranker

TEXTS = [f"snow on roof number {n}" + " and wind" * (n % 5) for n in range(20)]
QUESTION = "snow and wind"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving(RerankingService) as address:
        yield address


@pytest.fixture
def heard() -> list[tuple[str, str | None, dict[str, Any]]]:
    RerankingService.heard.clear()
    return RerankingService.heard


def reranker(url: str, model: str = "", key: str = "", *, batch: int = 8, timeout: float = 5.0) -> HttpReranker:
    return HttpReranker(url, model, key, batch=batch, timeout=timeout)


# --- what is asked -----------------------------------------------------------------------------------------


def test_text_embeddings_inference_is_asked_for_raw_scores_eight_texts_at_a_time(url: str, heard: list[Any]) -> None:
    scores = reranker(url).scores(QUESTION, TEXTS)
    np.testing.assert_array_equal(scores, MemoryReranker().scores(QUESTION, TEXTS))
    assert heard[0] == (
        "/rerank",
        None,
        {"query": QUESTION, "texts": TEXTS[:8], "raw_scores": True, "truncate": True},
    )
    assert [asked["texts"] for _, _, asked in heard] == [TEXTS[:8], TEXTS[8:16], TEXTS[16:]]


def test_a_service_of_many_models_is_asked_by_name_and_with_its_key(url: str, heard: list[Any]) -> None:
    scores = reranker(f"{url}/v1/", "known", "key", batch=30).scores(QUESTION, TEXTS)
    np.testing.assert_allclose(scores, MemoryReranker().scores(QUESTION, TEXTS), atol=1e-4)
    assert heard == [("/v1/rerank", "Bearer key", {"model": "known", "query": QUESTION, "documents": TEXTS})]


def test_an_address_may_be_written_with_what_it_ends_in(url: str, heard: list[Any]) -> None:
    reranker(f"{url}/v1/rerank", "known").scores(QUESTION, TEXTS[:1])
    assert heard[0][0] == "/v1/rerank"
    assert reranker(f"{url}/v1/rerank", "known").digest == reranker(f"{url}/v1", "known").digest


def test_nothing_is_asked_where_there_is_no_text(url: str, heard: list[Any]) -> None:
    assert reranker(url).scores(QUESTION, []).shape == (0,)
    assert heard == []


def test_what_is_longer_than_a_service_reads_is_not_sent(url: str, heard: list[Any]) -> None:
    reranker(url).scores("snow " * 900, ["roof " * 900])
    asked = heard[0][2]
    assert (len(asked["query"]), len(asked["texts"][0])) == (LONGEST_READ, LONGEST_READ)


def test_another_model_or_path_has_another_digest_and_another_host_or_key_has_not() -> None:
    first = reranker("http://a.example/v1", "m").digest
    assert reranker("http://b.example:8080/v1", "m", "key", batch=3).digest == first
    assert len({first, reranker("http://a.example/v2", "m").digest, reranker("http://a.example/v1", "n").digest}) == 3


# --- what is sent back -------------------------------------------------------------------------------------


class Puppet(JsonService):
    """Answers what a test wants."""

    wanted: ClassVar[tuple[Any, int]]

    def serve(self) -> None:
        self.asked()
        self.answer(*self.wanted)


@pytest.fixture(scope="module")
def puppet() -> Iterator[str]:
    with serving(Puppet) as address:
        yield address


def results(*scores: Any) -> dict[str, Any]:
    return {"results": [{"index": place, "relevance_score": score} for place, score in enumerate(scores)]}


def items(*scores: Any) -> list[dict[str, Any]]:
    return [{"index": place, "score": score} for place, score in enumerate(scores)]


@pytest.mark.parametrize(
    ("model", "answer"),
    [
        ("", results(0.5, 0.5)),
        ("", items(0.5)),
        ("", items(0.5, 0.5, 0.5)),
        ("", [{"index": 0, "score": 1.0}, {"index": 0, "score": 1.0}]),
        ("", [{"index": 0, "score": 1.0}, {"index": 2, "score": 1.0}]),
        ("", [{"index": 0, "score": 1.0}, {"index": "1", "score": 1.0}]),
        ("", [{"index": [], "score": 1.0}] * 2),
        ("", [{"index": 0, "score": 1.0}, {"score": 1.0}]),
        ("", items(float("nan"), 1.0)),
        ("", items(float("inf"), 1.0)),
        ("", items(1e300, 1.0)),
        ("", items(10**400, 1.0)),
        ("", items(None, 1.0)),
        ("", items("1.0", 1.0)),
        ("", items(True, 1.0)),
        ("", items([1.0], [1.0])),
        ("", {"error": "no"}),
        ("", [1.0, 1.0]),
        ("", None),
        ("", "text"),
        ("m", items(0.5, 0.5)),
        ("m", {"results": None}),
        ("m", results(0.5)),
        ("m", results(0.5, 3.2)),
        ("m", results(0.5, -0.1)),
        ("m", results(0.5, float("nan"))),
    ],
)
def test_what_is_no_score_for_each_text_is_refused_in_one_line(puppet: str, model: str, answer: Any) -> None:
    Puppet.wanted = answer, 200
    with pytest.raises(ServiceError, match="sent no scores for 2 texts") as caught:
        reranker(puppet, model).scores(QUESTION, TEXTS[:2])
    assert "\n" not in str(caught.value)
    assert "reranker_model" in str(caught.value)


def test_shares_that_are_rounded_to_0_and_1_are_still_scores(puppet: str) -> None:
    Puppet.wanted = results(0, 0.5, 1), 200
    least, middle, most = reranker(puppet, "m").scores(QUESTION, TEXTS[:3]).tolist()
    assert -17 < least < middle == 0 < most < 17


@pytest.mark.parametrize(("model", "told"), [("m", "answered 422 for the model m:"), ("", "answered 422:")])
def test_an_error_of_the_service_is_told_with_its_number(puppet: str, model: str, told: str) -> None:
    Puppet.wanted = {"error": "wrong"}, 422
    with pytest.raises(ServiceError, match=told) as caught:
        reranker(puppet, model, "very-secret").scores(QUESTION, TEXTS)
    assert "very-secret" not in str(caught.value)


def test_a_dead_service_and_a_silent_one_say_what_to_do() -> None:
    with silent() as quiet:
        for address in ("http://127.0.0.1:9", quiet):
            with pytest.raises(ServiceError, match=r"does not answer .* choose another --reranker") as caught:
                reranker(address, "m", "very-secret", timeout=0.2).scores(QUESTION, TEXTS)
            assert "very-secret" not in str(caught.value)


@pytest.mark.parametrize("address", ["http://a:b:c", "127.0.0.1:9", "C:\\models"])
def test_what_is_no_address_is_told_so(address: str) -> None:
    with pytest.raises(ServiceError, match=r"(cannot be one|does not answer) .* choose another --reranker"):
        reranker(address).scores(QUESTION, TEXTS)


# --- until when --------------------------------------------------------------------------------------------


def test_no_batch_is_asked_behind_the_deadline(url: str, heard: list[Any]) -> None:
    looks = count()
    with pytest.raises(ServiceError, match="had not answered when the time was up"):
        reranker(url, batch=1).scores(QUESTION, TEXTS, deadline=Deadline(9, lambda: float(next(looks))))
    assert 0 < len(heard) < len(TEXTS)


def test_a_silent_service_is_waited_for_until_the_deadline_and_not_longer() -> None:
    with silent() as address, pytest.raises(ServiceError, match="had not answered when the time was up"):
        reranker(address, timeout=3600).scores(QUESTION, TEXTS, deadline=Deadline.after(0.2))


def test_a_service_that_does_not_answer_ends_no_question(tmp_path: Path) -> None:
    settings = Settings(embedder="none", reranker="http", reranker_url="http://127.0.0.1:9")
    with open_engine(settings, tmp_path, create=True) as engine:
        engine.index_documents([(source("a.pdf"), document("Snow lies on the roof.", title="a"))])
        answer = engine.ask("Does snow lie on the roof?")
    assert RERANKER_SILENT in answer.degraded
    assert "roof" in answer.summary


def connections_to(taken: socket) -> int:
    """How many came to a server that has taken none yet."""
    taken.setblocking(False)
    count = 0
    with suppress(BlockingIOError):
        while True:
            taken.accept()[0].close()
            count += 1
    return count


def test_a_service_that_hangs_costs_its_time_once_and_not_with_every_question(tmp_path: Path) -> None:
    with create_server(("127.0.0.1", 0), backlog=64) as taken:
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        settings = Settings(embedder="none", reranker="http", reranker_url=url, rerank_timeout=SLOW_FAILURE)
        with open_engine(settings, tmp_path, create=True) as engine:
            engine.index_documents([(source("a.pdf"), document("Snow lies on the roof.", title="a"))])
            answers = [engine.ask(f"Does snow lie on {where}?") for where in ("the roof", "a roof", "roofs")]
        assert connections_to(taken) == 1
    assert all(RERANKER_SILENT in answer.degraded for answer in answers)
    assert "has not answered lately" in answers[-1].notices[0]


# --- by whom it is named -----------------------------------------------------------------------------------


def test_the_settings_name_address_model_key_and_batch(url: str, heard: list[Any]) -> None:
    settings = Settings(reranker="http", reranker_url=url, reranker_model="known", reranker_key="key", rerank_batch=15)
    named = make_reader(settings)
    assert named is not None
    assert named.name == "known"
    named.read(QUESTION, [Readable("", (text,)) for text in TEXTS])
    assert [(authorization, len(asked["documents"])) for _, authorization, asked in heard] == [
        ("Bearer key", 15),
        ("Bearer key", 5),
    ]
    assert settings.shown()["reranker_key"] == "***"


def test_a_service_without_an_address_and_a_batch_without_texts_are_told() -> None:
    with pytest.raises(SettingsError, match="name it in the setting reranker_url"):
        make_reader(Settings(reranker="http"))
    with pytest.raises(SettingsError, match="rerank_batch must be at least 1, not 0"):
        load_settings(environment={}, options={"rerank_batch": 0})


def test_a_file_beside_documents_sends_neither_documents_nor_key_to_a_reranker(
    url: str, heard: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ['reranker = "http"', f'reranker_url = "{url}"', 'reranker_model = "known"', "rerank_batch = 99"]
    (tmp_path / "pincite.toml").write_text("\n".join(lines))
    (tmp_path / "a.md").write_text("Snow lies on the roof.")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PINCITE_RERANKER_KEY", "very-secret")
    settings, origins, (notice,) = load_settings(folder=tmp_path, environment={"PINCITE_RERANKER_KEY": "very-secret"})
    assert (settings.reranker, settings.reranker_url, settings.reranker_key) == ("auto", "", "")
    assert "not used: reranker_url does not say whose key it is" in origins["reranker_key"]
    assert "may not set rerank_batch, reranker, reranker_model, reranker_url" in notice
    assert main(["index", "a.md", "--embedder", "none", "--quiet"]) == 0
    assert main(["ask", "Does snow lie on the roof?", "--embedder", "none", "--reranker", "http"]) == 2
    assert heard == []
    assert "very-secret" not in "".join(capsys.readouterr())


def test_a_key_is_not_carried_to_where_a_service_points() -> None:
    elsewhere: list[str] = []

    class Elsewhere(JsonService):
        def serve(self) -> None:
            elsewhere.append(self.path)

        do_GET = serve  # noqa: N815

    with serving(Elsewhere) as other:

        class Pointing(JsonService):
            def serve(self) -> None:
                self.asked()
                self.send_response(307)
                self.send_header("Location", f"{other}/rerank")
                self.send_header("Content-Length", "0")
                self.end_headers()

        with serving(Pointing) as address, pytest.raises(ServiceError, match="answered 307"):
            reranker(address, "known", "key").scores(QUESTION, TEXTS)
    assert elsewhere == []


@pytest.mark.parametrize(("reached", "code", "told"), [(True, 0, "ready (known)"), (False, 4, "does not answer")])
def test_the_doctor_says_how_it_stands_with_the_service(
    url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    *,
    reached: bool,
    code: int,
    told: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PINCITE_RERANKER_URL", url if reached else "http://127.0.0.1:9")
    monkeypatch.setenv("PINCITE_RERANKER_MODEL", "known")
    assert main(["doctor", "--embedder", "none", "--reranker", "http", "--json"]) == code
    assert told in json.loads(capsys.readouterr().out)["reranker"]
