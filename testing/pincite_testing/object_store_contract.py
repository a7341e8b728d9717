"""The contract of an ObjectStore (needs pytest).

Subclass `ObjectStoreContract` as a class whose name starts with `Test`, and let `make` give a store that holds these
objects.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pincite.errors import ReadError
from pincite.ports import ObjectStore

ODD_KEYS = (
    *("a b.txt", "Größe 日本語.txt", "50%2F.txt", "x/../y.txt", "..", "./dot.txt", "/lead.txt", "a//b.txt"),
    *("q?x#y&z=1+2.txt", "tab\t.txt", "quote\"'.txt", "folder/"),
)


class ObjectStoreContract(ABC):
    """What every ObjectStore keeps: an address leads to the very bytes that were put there, or to none."""

    bucket = "s3://docs"

    @abstractmethod
    def make(self, objects: Mapping[str, bytes]) -> ObjectStore:
        """A store that holds exactly these objects in `bucket`, by their keys."""

    def test_it_lists_what_begins_so_and_nothing_else(self) -> None:
        """A prefix is one of characters, not of folders."""
        store = self.make({"a/1.txt": b"one", "a/2.txt": b"three", "ab.txt": b"", "b.txt": b"b"})
        listed = {item.address: item.size for item in store.objects(f"{self.bucket}/a")}
        assert listed == {f"{self.bucket}/{key}": size for key, size in (("a/1.txt", 3), ("a/2.txt", 5), ("ab.txt", 0))}
        assert list(store.objects(f"{self.bucket}/c")) == []

    def test_any_key_leads_to_its_bytes(self, tmp_path: Path) -> None:
        """Spaces, other scripts, percent signs, dots, slashes: a key is a name and no path."""
        store = self.make({key: key.encode() for key in ODD_KEYS})
        listed = {item.address: item for item in store.objects(f"{self.bucket}/")}
        assert set(listed) == {f"{self.bucket}/{key}" for key in ODD_KEYS}
        for key in ODD_KEYS:
            address = f"{self.bucket}/{key}"
            assert store.find(address) == listed[address]
            store.fetch(listed[address], tmp_path / "copy")
            assert (tmp_path / "copy").read_bytes() == key.encode()

    def test_nothing_is_found_where_there_is_nothing(self) -> None:
        """None, not an error."""
        assert self.make({"a.txt": b"a"}).find(f"{self.bucket}/b.txt") is None

    def test_other_bytes_have_another_stamp(self) -> None:
        """And the same bytes the same."""
        found = [self.make({"a.txt": content}).find(f"{self.bucket}/a.txt") for content in (b"one", b"two", b"one")]
        first, second, again = (item.stamp for item in found if item is not None)
        assert first == again != second
        assert first

    def test_another_object_than_the_one_that_was_wanted_is_not_fetched(self, tmp_path: Path) -> None:
        """Neither one that changed nor one that is gone."""
        wanted = self.make({"a.txt": b"one"}).find(f"{self.bucket}/a.txt")
        assert wanted is not None
        for now in ({"a.txt": b"two"}, {"b.txt": b"one"}):
            with pytest.raises(ReadError):
                self.make(now).fetch(wanted, tmp_path / "copy")

    def test_a_large_object_comes_whole(self, tmp_path: Path) -> None:
        """Larger than any one piece of it."""
        content = bytes(range(256)) * 20_000
        store = self.make({"large.bin": content})
        (wanted,) = store.objects(f"{self.bucket}/large.bin")
        store.fetch(wanted, tmp_path / "copy")
        assert (tmp_path / "copy").read_bytes() == content

    def test_what_is_put_is_there_and_only_where_nothing_was(self, tmp_path: Path) -> None:
        """Who comes second is told so, and changes nothing."""
        store = self.make({})
        address = f"{self.bucket}/x/new.bin"
        for content, is_first in ((b"first", True), (b"second", False)):
            (tmp_path / "own").write_bytes(content)
            assert store.put(address, tmp_path / "own", replacing=None) is is_first
        assert self._content(store, address, tmp_path) == b"first"

    def test_what_is_replaced_is_what_was_seen(self, tmp_path: Path) -> None:
        """An object that is another by now is left alone."""
        store = self.make({"a.txt": b"one"})
        address = f"{self.bucket}/a.txt"
        seen = store.find(address)
        for content, is_same in ((b"two", True), (b"three", False)):
            (tmp_path / "own").write_bytes(content)
            assert store.put(address, tmp_path / "own", replacing=seen) is is_same
        assert self._content(store, address, tmp_path) == b"two"

    def test_of_many_at_once_one_puts(self, tmp_path: Path) -> None:
        """Each knows whether it was the one."""
        store = self.make({})
        address = f"{self.bucket}/current.json"
        paths = [tmp_path / f"own {number}" for number in range(8)]
        for path in paths:
            path.write_text(path.name, encoding="utf-8")
        with ThreadPoolExecutor(8) as pool:
            done = list(pool.map(lambda path: store.put(address, path, replacing=None), paths))
        assert done.count(True) == 1
        assert self._content(store, address, tmp_path) == paths[done.index(True)].name.encode()

    def test_what_is_removed_is_gone(self) -> None:
        """And can be removed again."""
        store = self.make({"a.txt": b"one", "b.txt": b"two"})
        for _ in range(2):
            store.remove(f"{self.bucket}/a.txt")
        assert [item.address for item in store.objects(f"{self.bucket}/")] == [f"{self.bucket}/b.txt"]

    def _content(self, store: ObjectStore, address: str, folder: Path) -> bytes:
        there = store.find(address)
        assert there is not None
        store.fetch(there, folder / "fetched")
        return (folder / "fetched").read_bytes()
