"""Short digests of strings, the same on every machine, for arrays that are searched by word."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

BYTES = 8


def hashes_of(strings: Iterable[str]) -> NDArray[np.uint64]:
    """The first eight bytes of the BLAKE2b digest of each string, as one array."""
    digests = (hashlib.blake2b(s.encode("utf-8", "surrogatepass"), digest_size=BYTES).digest() for s in strings)
    return np.frombuffer(b"".join(digests), "<u8").astype(np.uint64)
