"""How far plans look and how much is enough, where several of them mean the same."""

from __future__ import annotations

LOOKED_AT = 12
"""Of the evidence, best first: what stands further behind shares little more than a word."""
READ_WHOLE = 8
"""Chunks whose documents are read from end to end, which is slow."""
MOST_CHUNKS = 1500
"""Of a document that is read whole: a code or an annual report of some hundred pages; more takes too long."""
MOST_WORDS = 0.6
"""Of the question's words: with less, another subject often has as many."""
HALF_OF_WORDS = 0.5
"""Of the question's words, where numbers, a label or a limit have to fit besides."""
MOST_CONDITIONS = 4
"""What is told behind a value, so that it stays in sight."""
