"""The signs that boxes of forms are read as."""

from __future__ import annotations

TICKED = "☒"
UNTICKED = "☐"
