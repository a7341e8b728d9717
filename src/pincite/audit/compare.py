"""Two answers to one question compared: equal, or what moved, down to the code, libraries, processor and models."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from pincite.audit.chain import canonical
from pincite.audit.kept import Plain
from pincite.installing import installed_version
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
        "libraries": {name: found for name in LIBRARIES if (found := installed_version(name))},
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


@dataclass(frozen=True, slots=True)
class Replay:
    """What came of asking again: `same` bytes, or the `differences`, settings first, a line each."""

    run_id: str
    same: bool
    differences: tuple[str, ...] = ()


def compare_outputs(run_id: str, before: Plain, after: Plain) -> Replay:
    """Compare two outputs of `Answer.to_dict(stable=True)`."""
    if canonical(before) == canonical(after):
        return Replay(run_id, same=True)
    found = [
        *_settings(before, after),
        *_documents(before, after),
        *_results(before, after),
        *_statements(before, after),
    ]
    return Replay(run_id, same=False, differences=tuple(found or _parts(before, after)))


def compare_environments(before: Plain, after: Plain) -> list[str]:
    """A line for each library, model or feature of the processor that is another one now."""
    old, new = _flat(before), _flat(after)
    return [
        _changed(name, old.get(name), new.get(name)) for name in sorted(old | new) if old.get(name) != new.get(name)
    ]


def _settings(before: Plain, after: Plain) -> Iterator[str]:
    for name in sorted({*before["meta"], *after["meta"]} - {"returned"}):
        old, new = before["meta"].get(name), after["meta"].get(name)
        if old != new:
            yield _changed(name, old, new)
    if before["degraded"] != after["degraded"]:
        yield _changed("degraded", before["degraded"], after["degraded"])


def _documents(before: Plain, after: Plain) -> Iterator[str]:
    """Documents that are found in one of the two alone."""
    old, new = (dict.fromkeys(item["source_id"] for item in _chunks(output)) for output in (before, after))
    yield from (f"document {name}: no longer found" for name in old if name not in new)
    yield from (f"document {name}: newly found" for name in new if name not in old)


def _results(before: Plain, after: Plain) -> Iterator[str]:
    """Passages that came, went or moved, and each score that moved."""
    old, new = (
        {item["id"]: (rank, item) for rank, item in enumerate(_chunks(output), 1)} for output in (before, after)
    )
    for key in [*old, *(key for key in new if key not in old)]:
        place = _place((old.get(key) or new[key])[1])
        if key not in new:
            yield f"result {place}: no longer among the results (was rank {old[key][0]})"
        elif key not in old:
            yield f"result {place}: new among the results (rank {new[key][0]})"
        else:
            yield from (f"result {place}: {change}" for change in _moved(old[key], new[key]))


def _moved(old: tuple[int, Plain], new: tuple[int, Plain]) -> Iterator[str]:
    if old[0] != new[0]:
        yield _changed("rank", old[0], new[0])
    for name in ("scores", "retrieved_by", "why", "also", "text"):
        before, after = old[1][name], new[1][name]
        if name == "scores":
            names = sorted({*before, *after})
            yield from (_changed(n, before.get(n), after.get(n)) for n in names if before.get(n) != after.get(n))
        elif before != after:
            yield f"{name} changed"


def _statements(before: Plain, after: Plain) -> Iterator[str]:
    """Statements in only one of the two answers, and those whose citations changed."""
    old, new = ({item["text"]: item for item in output["statements"]} for output in (before, after))
    yield from (f"no longer said: {text}" for text in old if text not in new)
    yield from (f"newly said: {text}" for text in new if text not in old)
    for text, item in old.items():
        if text in new and item["citations"] != new[text]["citations"]:
            yield f"cited otherwise: {text}"


def _parts(before: Plain, after: Plain) -> list[str]:
    return [f"{name} changed" for name in sorted({*before, *after}) if before.get(name) != after.get(name)]


def _chunks(output: Plain) -> list[Mapping[str, Any]]:
    return [item for item in output["results"] if item["type"] == "chunk"]


def _place(result: Plain) -> str:
    page = "" if result["page"] is None else f", p.{result['page']}"
    return f"{result['source_id']}{page} ({result['id'][:8]})"


def _flat(value: Plain, above: str = "") -> dict[str, Any]:
    """Values by the path of their names, those that are none left out."""
    found: dict[str, Any] = {}
    for name, item in value.items():
        path = f"{above} {name}".strip()
        found |= _flat(item, path) if isinstance(item, Mapping) else {path: item}
    return {path: item for path, item in found.items() if item is not None}


def _changed(name: str, before: Any, after: Any) -> str:
    return f"{name}: {_shown(before)} before, {_shown(after)} now"


def _shown(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {item}" for name, item in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
