"""How a model in ONNX and its tokenizer are opened, the same for all that run one."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.errors import ServiceError
from pincite.models.checkpoint import Weights
from pincite.models.weights import RerankerFiles, check_sha256

PROVIDERS = ("CPUExecutionProvider",)
Feed = dict[str, NDArray[Any]]


def session_options(threads: int, *, seven_bits: bool = False) -> Any:
    """Options of onnxruntime: so many threads inside a call (0: one for each core), none that waits by spinning; sums
    of 8-bit products that are cut off on no processor, as those of weights in `seven_bits` never are
    (docs/decisions/0113)."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.add_session_config_entry("session.x64quantprecision", "0" if seven_bits else "1")
    return options


def open_session(path: Path, threads: int, *, seven_bits: bool = False) -> Any:
    """The session of a file; ServiceError where it holds no model that can be run."""
    options = session_options(threads, seven_bits=seven_bits)
    return _opened(str(path), options, f"{path} is no ONNX model that can be run: export it anew", path)


def open_graph(graph: bytes, weights: Weights, threads: int, path: Path) -> tuple[Any, list[Any]]:
    """The session of a graph, and the weights that it reads in place: they must live as long as it does. ServiceError
    where the weights, which are those of `path`, do not fit into the graph."""
    import onnxruntime

    options = session_options(threads)
    values = [onnxruntime.OrtValue.ortvalue_from_numpy(array) for array in weights.values()]
    options.add_external_initializers(list(weights), values)
    return _opened(graph, options, f"{path} does not fit its config.json: save both anew", path), values


def _opened(model: str | bytes, options: Any, fault: str, path: Path) -> Any:
    import onnxruntime
    from onnxruntime.capi import onnxruntime_pybind11_state as told

    try:
        return onnxruntime.InferenceSession(model, options, providers=list(PROVIDERS))
    except (told.Fail, told.InvalidGraph, told.InvalidProtobuf, told.InvalidArgument, told.NotImplemented) as error:
        raise ServiceError(fault) from error
    except (told.NoSuchFile, told.RuntimeException) as error:
        raise ServiceError(f"{path} cannot be opened: look whether it is there and there is memory for it") from error


def run(session: Any, feed: Feed, folder: Path) -> NDArray[np.float32]:
    """What a model gives first; ServiceError where it cannot read that."""
    from onnxruntime.capi import onnxruntime_pybind11_state as told

    try:
        found: NDArray[np.float32] = session.run(None, feed)[0]
    except (told.Fail, told.InvalidArgument, told.RuntimeException) as error:
        raise ServiceError(
            f"the model in {folder} cannot read what its tokenizer gives it: do they belong together?"
        ) from error
    return found


def load_tokenizer(folder: Path) -> Any:
    """The tokenizer of a folder; it neither cuts nor fills up. ServiceError where there is none."""
    from tokenizers import Tokenizer

    path = folder / "tokenizer.json"
    try:
        tokenizer = Tokenizer.from_buffer(path.read_bytes())
    except (OSError, ValueError) as error:
        raise ServiceError(f"{path} is no tokenizer that can be read ({error}): export it anew") from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def checked_tokenizer(files: RerankerFiles) -> Any:
    """The tokenizer of a model whose files have the right digests; ServiceError where they do not."""
    check_sha256(files.folder, files.sha256)
    return load_tokenizer(files.folder)


def side_by_side(threads: int) -> int:
    """How many calls run at once (0: one for each core)."""
    return threads or os.cpu_count() or 1


def fed(session: Any, ids: Sequence[int], types: Sequence[int] | None = None) -> Feed:
    """The inputs that a model names for one text, or a pair of which `types` says what is which: (1, tokens) each, in
    the type that it wants."""
    known = {"input_ids": ids, "attention_mask": [1] * len(ids), "token_type_ids": types or [0] * len(ids)}
    return {
        item.name: np.array([known[item.name]], dtype=np.int32 if "int32" in item.type else np.int64)
        for item in session.get_inputs()
    }
