"""An ObjectStore in memory, whose links are good for nothing but to be looked at."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from threading import Lock

from pincite.errors import ReadError
from pincite.ports import StoredObject


class MemoryObjects:
    """Holds what it is given."""

    def __init__(self) -> None:
        self._held: dict[str, bytes] = {}
        self._lock = Lock()

    def hold(self, address: str, content: bytes) -> None:
        """Hold this content at this address."""
        self._held[address] = content

    def put(self, address: str, path: Path, *, replacing: StoredObject | None) -> bool:
        """Hold the content of a file there, if `replacing` lies there."""
        with self._lock:
            if self.find(address) != replacing:
                return False
            self._held[address] = path.read_bytes()
            return True

    def remove(self, address: str) -> None:
        """Hold nothing there."""
        self._held.pop(address, None)

    def objects(self, prefix: str) -> Iterator[StoredObject]:
        """All objects whose addresses begin so."""
        return (_stored(address, self._held[address]) for address in [*self._held] if address.startswith(prefix))

    def find(self, address: str) -> StoredObject | None:
        """The object at this address; None where there is none."""
        return _stored(address, self._held[address]) if address in self._held else None

    def fetch(self, wanted: StoredObject, path: Path) -> None:
        """Write its bytes to `path`."""
        if self.find(wanted.address) != wanted:
            raise ReadError("is gone since it was listed, or another now")
        path.write_bytes(self._held[wanted.address])

    def link(self, address: str, *, seconds: int, as_pdf: bool) -> str:
        """An address that says what was asked for."""
        return f"memory:{address}?seconds={seconds}&as_pdf={as_pdf}"


def _stored(address: str, content: bytes) -> StoredObject:
    return StoredObject(address, len(content), hashlib.sha256(content).hexdigest())
