"""Models give the same on any processor."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from pincite.models.sessions import open_session

WIDTH = 64


def test_sums_of_small_products_are_exact_on_any_processor(tmp_path: Path) -> None:
    """Processors without instructions for it add two products of 8 bits in 16, which is too little for these."""
    weights = np.full((WIDTH, 8), 127, np.int8)
    node = helper.make_node("MatMulInteger", ["states", "weights"], ["sums"])
    graph = helper.make_graph(
        [node],
        "sums",
        [helper.make_tensor_value_info("states", TensorProto.UINT8, [4, WIDTH])],
        [helper.make_tensor_value_info("sums", TensorProto.INT32, [4, 8])],
        [numpy_helper.from_array(weights, "weights")],
    )
    path = tmp_path / "model.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), path)
    states = np.full((4, WIDTH), 255, np.uint8)
    (sums,) = open_session(path, threads=1).run(None, {"states": states})
    assert (sums == states.astype(np.int32) @ weights.astype(np.int32)).all()
