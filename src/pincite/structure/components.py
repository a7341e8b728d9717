"""Which nodes of a directed graph lead to one another."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping


def components(edges: Mapping[str, Collection[str]]) -> Iterator[list[str]]:
    """The groups of nodes that reach each other, each node in one group; nodes that only edges name count, too."""
    backward: dict[str, list[str]] = {node: [] for node in edges}
    for node, targets in edges.items():
        for target in targets:
            backward.setdefault(target, []).append(node)
    finished: list[str] = []
    seen: set[str] = set()
    for node in backward:
        finished += _reached(node, edges, seen)
    seen.clear()
    for node in reversed(finished):
        if node not in seen:
            yield _reached(node, backward, seen)


def _reached(first: str, edges: Mapping[str, Collection[str]], seen: set[str]) -> list[str]:
    """What is reached from a node over nodes not seen before, each behind all that is reached from it alone."""
    if first in seen:
        return []
    seen.add(first)
    order: list[str] = []
    path = [(first, iter(edges.get(first, ())))]
    while path:
        node, targets = path[-1]
        following = next((target for target in targets if target not in seen), None)
        if following is None:
            order.append(node)
            path.pop()
        else:
            seen.add(following)
            path.append((following, iter(edges.get(following, ()))))
    return order
