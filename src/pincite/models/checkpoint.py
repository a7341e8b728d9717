"""The tensors of a checkpoint, as graphs that are built by hand want them. Which model lies in a folder? A digest over
all of its files."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pincite.errors import ServiceError


def folder_digest(folder: Path) -> str:
    """Sixteen hex digits of the SHA-256 over the names and bytes of all files in a folder, in order of their names."""
    digest = hashlib.sha256()
    for path in sorted(item for item in folder.rglob("*") if item.is_file()):
        digest.update(path.relative_to(folder).as_posix().encode("utf-8", "surrogateescape") + b"\n")
        with path.open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()[:16]


Weights = dict[str, NDArray[np.float32]]
READ = frozenset({"int8", "float16", "float32", "float64", "int32", "int64", "bool"})
"""Kinds of numbers that are read. numpy knows more where ml_dtypes happens to be loaded: what is read does not hang on
that."""


class Checkpoint:
    """Finds tensors with or without the prefix that some exports put in front; `kind` says what they should be of."""

    def __init__(self, tensors: Mapping[str, NDArray[np.float32]], *, prefix: str, kind: str) -> None:
        self._tensors = tensors
        self._prefix = prefix
        self._kind = kind

    def __call__(self, name: str) -> NDArray[np.float32]:
        """The tensor of this name in float32; ServiceError where there is none."""
        for known in (name, self._prefix + name):
            if known in self._tensors:
                return self._tensors[known].astype(np.float32, copy=False)
        raise ServiceError(f"the weights hold no tensor {name}: this is not a {self._kind}")

    def turned(self, name: str) -> NDArray[np.float32]:
        """The matrix of this name as (in, out), row by row: a checkpoint has it as (out, in)."""
        return np.ascontiguousarray(self(name).T)


def load_tensors(path: Path) -> Mapping[str, NDArray[np.float32]]:
    """The tensors of a file; ServiceError where it cannot be read, or has numbers that numpy does not know."""
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        tensors: Mapping[str, NDArray[np.float32]] = load_file(path)
    except (OSError, SafetensorError, KeyError, TypeError, AttributeError) as error:
        raise ServiceError(f"{path} cannot be read ({error!r}): save it anew, in float32 or float16") from error
    if unknown := {str(tensor.dtype) for tensor in tensors.values()} - READ:
        raise ServiceError(f"{path} cannot be read ({', '.join(sorted(unknown))}): save it anew, in float32 or float16")
    return tensors
