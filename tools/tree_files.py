"""Trees of lightgbm as the lists of nodes that `pincite.retrieve.profiles.read_trees` reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import lightgbm


def plain_trees(model: lightgbm.Booster, features: Sequence[str]) -> dict[str, Any]:
    """The trees as lists of nodes: feature, threshold, left, right, value; a leaf leads to itself."""
    trees = [_nodes(tree["tree_structure"]) for tree in model.dump_model()["tree_info"]]
    depth = max(depth for _, depth in trees)
    return {"features": list(features), "depth": depth, "trees": [nodes for nodes, _ in trees]}


def _nodes(root: dict[str, Any]) -> tuple[dict[str, list[float]], int]:
    lists: dict[str, list[Any]] = {name: [] for name in ("feature", "threshold", "left", "right", "value")}

    def add(node: dict[str, Any], depth: int) -> tuple[int, int]:
        number = len(lists["value"])
        is_leaf = "leaf_value" in node
        row: Sequence[Any] = (
            (0, 0.0, number, number, float(f"{node['leaf_value']:.4g}"))
            if is_leaf
            else (node["split_feature"], float(f"{node['threshold']:.6g}"), 0, 0, 0.0)
        )
        for name, value in zip(lists, row, strict=True):
            lists[name].append(value)
        deepest = depth
        for side, child in () if is_leaf else (("left", "left_child"), ("right", "right_child")):
            lists[side][number], below = add(node[child], depth + 1)
            deepest = max(deepest, below)
        return number, deepest

    depth = add(root, 0)[1]
    return lists, depth
