"""Figures that no set of questions gave, such as speed, as a measurement."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pincite.evaluate.report import Evaluation, describe_machine, write_json


def write_figures(
    name: str, figures: Mapping[str, float], settings: Mapping[str, Any], counts: Mapping[str, int], path: Path
) -> None:
    """Write figures that no set of questions gave, such as speed, in the same shape."""
    results = {"default": figures}
    write_json(Evaluation(f"bench {name}", name, settings, counts, results, {}, (), {}, describe_machine()), path)
