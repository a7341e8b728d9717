"""What lies in deploy/: files for a container, for Prometheus and Grafana, checked by linters, since none of these runs
here. What they ask Prometheus for is what the service exports."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import promql_parser
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from pincite.serve.traffic import HITS, TIMES, PrometheusTelemetry
from pincite_testing.telemetry_contract import COST, FAILURE

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
BIN = Path(sys.executable).parent
OF_PROMETHEUS = {"up"}


def run(*command: object) -> None:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode == 0, done.stdout


def expressions() -> Iterator[str]:
    for group in yaml.safe_load((DEPLOY / "alerts.yml").read_text(encoding="utf-8"))["groups"]:
        for rule in group["rules"]:
            assert rule["annotations"].keys() == {"summary", "description"}
            yield rule["expr"]
    dashboard = json.loads((DEPLOY / "grafana" / "pincite.json").read_text(encoding="utf-8"))
    for panel in dashboard["panels"]:
        yield from (target["expr"] for target in panel["targets"])


def selected(node: object) -> Iterator[str]:
    """The names of the metrics that an expression selects."""
    if isinstance(node, promql_parser.VectorSelector):
        yield node.name
    for name in ("expr", "lhs", "rhs", "vector_selector"):
        if hasattr(node, name):
            yield from selected(getattr(node, name))
    for argument in getattr(node, "args", ()):
        yield from selected(argument)


def exported() -> set[str]:
    """The names of all samples of a service that was asked."""
    metrics = PrometheusTelemetry()
    metrics.answered(COST)
    metrics.failed(FAILURE)
    for name in TIMES:
        metrics._times[name].labels("extract").observe(1)
    for name in HITS:
        metrics._hits[name].labels("extract").observe(1)
    metrics.traffic.answered("GET", "/qa", 200, 0.1)
    metrics.traffic.drew(cached=True)
    families = text_string_to_metric_families(metrics.exposition().decode("utf-8"))
    gauges = {"pool_working", "pool_waiting"}
    return {sample.name for family in families for sample in family.samples} | gauges | OF_PROMETHEUS


@pytest.mark.parametrize("expression", sorted(set(expressions())))
def test_each_alert_and_panel_asks_for_what_the_service_exports(expression: str) -> None:
    names = set(selected(promql_parser.parse(expression.replace("$__rate_interval", "5m"))))
    assert names
    assert names <= exported()


def test_the_dockerfile_passes_its_linter() -> None:
    run(BIN / "hadolint", DEPLOY / "Dockerfile")


def test_the_compose_file_fits_its_schema() -> None:
    run(BIN / "check-jsonschema", "--builtin-schema", "vendor.compose-spec", DEPLOY / "compose.yaml")


def test_what_the_compose_file_mounts_lies_there() -> None:
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))["services"]
    mounted = {volume.partition(":")[0] for service in services.values() for volume in service["volumes"]}
    made_by_hand = {"./prometheus.token"}
    files = {path for path in mounted if path.startswith("./")} - made_by_hand
    assert len(files) == 5
    assert all((DEPLOY / path).is_file() for path in files)
    yaml.safe_load((DEPLOY / "prometheus.yml").read_text(encoding="utf-8"))


def test_the_image_gets_what_it_copies() -> None:
    rules = (DEPLOY.parent / ".dockerignore").read_text(encoding="utf-8").splitlines()
    steps = [line.split() for line in (DEPLOY / "Dockerfile").read_text(encoding="utf-8").splitlines()]
    copied = {name for step in steps if step[:1] == ["COPY"] and "--from" not in step[1] for name in step[1:-1]}
    assert copied == {rule[1:] for rule in rules if rule.startswith("!")}
    assert all((DEPLOY.parent / name).exists() for name in copied)
