"""What the service tells Prometheus: how it is used, what questions cost, and nothing of who asked what."""

from __future__ import annotations

from prometheus_client.parser import text_string_to_metric_families
from tests.support.served import CLOSED, OPEN, Served

from pincite.serve.traffic import PrometheusTelemetry
from pincite.telemetry.cost import FanOut
from pincite_testing.memory_telemetry import MemoryTelemetry
from pincite_testing.telemetry_contract import COST, FAILURE


def told(service: Served) -> dict[str, dict[tuple[str, ...], float]]:
    """The samples by name, and by the values of their labels."""
    found = service.client.get("/metrics", headers=service.headers("reader"))
    assert found.headers["content-type"].startswith("text/plain")
    samples: dict[str, dict[tuple[str, ...], float]] = {}
    for family in text_string_to_metric_families(found.text):
        for sample in family.samples:
            samples.setdefault(sample.name, {})[tuple(sample.labels.values())] = sample.value
    return samples


def test_requests_are_counted_by_route_and_status(fresh: Served) -> None:
    for path in ("/qa?query=Who+clears+the+snow", "/qa", "/nothing/of/that/name", "/api/document?source=no"):
        fresh.client.get(path)
    requests = told(fresh)["http_requests_total"]
    assert requests["GET", "/qa", "200"] == requests["GET", "/qa", "422"] == 1
    assert requests["GET", "/api/document", "404"] == 1
    assert requests["none", "none", "404"] == 1
    assert told(fresh)["http_request_seconds_count"]["GET", "/qa"] == 2


def test_what_is_turned_down_at_the_door_is_counted(fresh: Served) -> None:
    assert fresh.client.get("/qa?query=x", headers={"Host": "evil.example"}).status_code == 400
    assert told(fresh)["http_requests_total"]["none", "none", "400"] == 1


def test_questions_and_their_cache_are_counted(fresh: Served) -> None:
    for _ in range(2):
        fresh.client.get("/qa?query=Who+clears+the+snow")
    samples = told(fresh)
    assert samples["questions_total"] == {("extract", "answered"): 2}
    assert samples["cache_hit_rate"][()] == 0.5


def test_pictures_and_pools_are_counted(fresh: Served) -> None:
    for _ in range(2):
        fresh.client.get("/api/document/pages/1/image", params={"source": OPEN})
    samples = told(fresh)
    assert samples["pictures_total"] == {("false",): 1, ("true",): 1}
    assert samples["pool_working"] == dict.fromkeys(samples["pool_working"], 0)
    assert {("asking",), ("drawing",)} <= samples["pool_waiting"].keys()


def test_no_metric_names_a_document_or_a_question(service: Served) -> None:
    asked = {"query": "What of the zebra crossing?"}
    service.client.get("/qa", params=asked, headers=service.headers("board"))
    service.client.get("/api/document", params={"source": CLOSED}, headers=service.headers("board"))
    text = service.client.get("/metrics", headers=service.headers("reader")).text
    assert not any(word in text for word in ("zebra", "salaries", "board/", "crossing"))


def test_one_telemetry_that_fails_costs_the_others_nothing() -> None:
    class Failing(MemoryTelemetry):
        def answered(self, cost: object) -> None:
            raise RuntimeError("full")

    first, last = PrometheusTelemetry(), MemoryTelemetry()
    several = FanOut(Failing(), first, last)
    several.answered(COST)
    several.failed(FAILURE)
    assert (last.costs, last.failures) == ([COST], [FAILURE])
    assert b"questions_total" in first.exposition()
