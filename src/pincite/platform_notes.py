"""What differs from one system to the next."""

from __future__ import annotations

import os
from pathlib import Path

from pincite.read.sandbox import memory_is_watched, readers_are_confined
from pincite.store.locks import NETWORK_DRIVES, drive_of, locks_work


def describe_platform(folder: Path) -> dict[str, str]:
    """What differs from one system to the next, as it is here and for a store in `folder`, and what is done instead."""
    drive = drive_of(folder)
    return {
        "reading processes": "no network, no writing, no programs (seccomp)"
        if readers_are_confined()
        else "the kernel does not confine them here: limits on time, memory and output alone",
        "memory of a file": "limited and watched"
        if memory_is_watched()
        else "not watched here: the limit on address space alone, where the system keeps it",
        "files inside files": "opened in memory" if hasattr(os, "memfd_create") else "opened as temporary files",
        "locks": "work"
        if locks_work(folder)
        else "do not work in this folder: a file marks who writes, and old generations are kept",
        "hard links": "not needed: generations are written whole, pincite eval copies where it cannot link",
        "drive": f"{drive}, over a network: keep the store on a drive of this machine with --store DIR"
        if drive in NETWORK_DRIVES
        else drive or "of a type that the system does not tell",
    }
