"""Which graph reads the weights of a cross-encoder? ONNX brings its own; for safetensors the config says it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.errors import ServiceError
from pincite.models import bert_graph, modernbert_graph
from pincite.models.checkpoint import Weights, load_tensors
from pincite.models.sessions import open_graph, open_session
from pincite.models.weights import RerankerFiles


def open_cross_encoder(files: RerankerFiles) -> tuple[Any, list[Any]]:
    """The session, which runs a call on one thread, and the weights that it reads in place: they must live as long as
    it does. ServiceError where the folder holds no cross-encoder that can be read."""
    if files.weights.suffix == ".onnx":
        return open_session(files.weights, threads=1), []
    graph, weights = _built(files, load_tensors(files.weights))
    return open_graph(graph, weights, 1, files.weights)


def _built(files: RerankerFiles, tensors: Mapping[str, NDArray[np.float32]]) -> tuple[bytes, Weights]:
    try:
        if files.config.get("model_type") == "modernbert":
            shape = modernbert_graph.ModernBertShape.from_config(files.config)
            weights = modernbert_graph.arrange_weights(tensors, shape)
            return modernbert_graph.build_cross_encoder(shape, weights), weights
        bert = bert_graph.BertShape.from_config(files.config)
        weights = bert_graph.arrange_weights(tensors, bert) | bert_graph.arrange_head(tensors)
        return bert_graph.build_cross_encoder(bert, weights), weights
    except (AttributeError, KeyError, TypeError, ValueError, ZeroDivisionError) as error:
        raise ServiceError(
            f"{files.folder / 'config.json'} does not say what its model needs ({error!r}): save it anew"
        ) from error
