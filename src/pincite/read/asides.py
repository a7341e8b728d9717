"""Signs beside running text ("TIP", "!"): they stand left of the middle of a sentence and do not belong in it."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.read.segments import Segments

LONGEST = 14
"""Characters of a sign."""


def set_aside(rows: Sequence[list[int]], texts: Sequence[str], segments: Segments) -> list[list[int]]:
    """The same rows, but a sign left of a sentence that goes on is a row of its own before the paragraph."""
    found: list[list[int]] = []
    start = 0
    for row in rows:
        if found and len(row) == 2 and _goes_on(found[-1], row, texts, segments):
            found.insert(start, row[:1])
            start += 1
            found.append(row[1:])
            continue
        if not found or not _same_edge(found[-1], row, segments):
            start = len(found)
        found.append(row)
    return found


def _goes_on(before: Sequence[int], row: Sequence[int], texts: Sequence[str], segments: Segments) -> bool:
    """The right piece continues the line before, which begins at the same edge and ends inside a sentence."""
    if max(before[-1], row[-1]) >= len(texts) or len(texts[row[0]]) > LONGEST:
        return False
    own, last = texts[row[1]], texts[before[-1]]
    return (
        not own[:1].isupper() and not last.endswith((".", ";", ":", "!", "?")) and _same_edge(before, row[1:], segments)
    )


def _same_edge(before: Sequence[int], row: Sequence[int], segments: Segments) -> bool:
    one, other = before[0], row[0]
    if max(one, other) >= len(segments):
        return False
    step = float(segments.base[other] - segments.base[one])
    return abs(float(segments.left[one] - segments.left[other])) < 3.0 and step < 1.7 * float(segments.size[other])
