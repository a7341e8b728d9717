"""What an answer depends on beside its documents: the code, the libraries, the processor, the models."""

from __future__ import annotations

import hashlib
import platform
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from pincite.ports import Embedder, LanguageModel, Reader

LIBRARIES = (
    "pincite",
    "numpy",
    "onnxruntime",
    "tokenizers",
    "faiss-cpu",
    "SQLAlchemy",
    "PyStemmer",
    "rapidfuzz",
)
ANSWERING = ("answer", "graph", "models", "retrieve", "store", "structure", "text")
CPU_INFO = Path("/proc/cpuinfo")
NUMERIC_FEATURES = ("sse", "avx", "fma", "f16c", "amx", "asimd", "neon", "sve", "bf16", "vnni")


def describe_environment(
    embedder: Embedder | None,
    ontology: str,
    reader: Reader | None = None,
    language_model: LanguageModel | None = None,
) -> dict[str, Any]:
    """The environment as plain values, the digest of the ontology among them: two answers of one environment and one
    generation have the same bytes, where no language model wrote them."""
    models: dict[str, Any] = {"model": _named(embedder), "reranker": _named(reader)}
    if language_model is not None:
        about = {"name": language_model.name, "digest": language_model.digest}
        models["language_model"] = {**about, "context_size": language_model.context_size}
    return {**_machine(), **models, "code": code_digest(), "ontology": ontology}


@lru_cache(maxsize=1)
def code_digest() -> str:
    """A digest of the package's own files that make answers: code, and the tables and weights that come with it."""
    folder = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for path in answering_files(folder):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(folder).as_posix()} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def answering_files(folder: Path) -> list[Path]:
    """The files of the package in `folder` that make answers, those of folders in its rooms among them, sorted."""
    inside = (path for room in ANSWERING for path in (folder / room).rglob("*.*"))
    return sorted(path for path in (*folder.glob("*.py"), *inside) if path.parent.name != "__pycache__")


@lru_cache(maxsize=1)
def _machine() -> dict[str, Any]:
    return {
        "python": platform.python_version(),
        "system": platform.system(),
        "processor": platform.machine(),
        "cpu_features": _cpu_features(),
        "libraries": {name: found for name in LIBRARIES if (found := _version(name))},
    }


def _named(model: Embedder | Reader | None) -> dict[str, str] | None:
    return None if model is None else {"name": model.name, "digest": model.digest}


def _cpu_features() -> list[str]:
    """Those features of the processor that arithmetic may use, where the system tells them."""
    if not CPU_INFO.is_file():
        return []
    lines = CPU_INFO.read_text(encoding="utf-8", errors="replace").splitlines()
    flags = next((line.partition(":")[2] for line in lines if line.lower().startswith(("flags", "features"))), "")
    return sorted(flag for flag in flags.split() if flag.startswith(NUMERIC_FEATURES))


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
