"""What is said of a picture for those who cannot see it."""

from __future__ import annotations

from pincite.read.markup import Element, attribute

_MADE_BY_MACHINE = "description automatically generated"


def described(settings: Element) -> str:
    """The alternative text that the settings of a drawing of an office file hold, without what a machine said."""
    lines = attribute(settings, "descr").split("\n")
    return " ".join(line for line in lines if _MADE_BY_MACHINE not in line.lower()).strip()
