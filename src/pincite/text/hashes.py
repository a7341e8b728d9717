"""Short digests of strings, the same on every machine, for arrays that are searched by word."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

BYTES = 8
KEPT = 16_384
"""Digests of strings that mostly come again: the words of a language."""


def hashes_of(strings: Iterable[str]) -> NDArray[np.uint64]:
    """The first eight bytes of the BLAKE2b digest of each string, as one array."""
    return np.frombuffer(b"".join(map(_digest, strings)), "<u8").astype(np.uint64)


@lru_cache(maxsize=KEPT)
def _digest(string: str) -> bytes:
    return hashlib.blake2b(string.encode("utf-8", "surrogatepass"), digest_size=BYTES).digest()
