"""Every ObjectStore keeps its contract: the one in memory, and S3 over a server of this machine that checks
signatures."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.s3_server import S3Server, s3_server

from pincite.errors import ReadError, ServiceError, UsageError
from pincite.ports import ObjectStore
from pincite.store.s3_objects import S3Objects
from pincite_testing.memory_objects import MemoryObjects
from pincite_testing.object_store_contract import ObjectStoreContract


class TestMemoryObjects(ObjectStoreContract):
    def make(self, objects: Mapping[str, bytes]) -> ObjectStore:
        store = MemoryObjects()
        for key, content in objects.items():
            store.hold(f"{self.bucket}/{key}", content)
        return store


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    with s3_server(tmp_path_factory.mktemp("s3") / "errors") as found:
        yield found


class TestS3Objects(ObjectStoreContract):
    @pytest.fixture(autouse=True)
    def at(self, server: S3Server) -> None:
        self.server = server

    def make(self, objects: Mapping[str, bytes]) -> ObjectStore:
        self.server.put("docs", objects)
        return S3Objects(self.server.settings())

    def test_five_thousand_objects_are_listed_page_by_page(self) -> None:
        store = self.make({})
        self.server.trick("fill", "docs")
        assert len({item.address for item in store.objects("s3://docs/many/")}) == 5000

    def test_a_wrong_key_opens_nothing(self, tmp_path: Path) -> None:
        (wanted,) = self.make({"a.txt": b"a"}).objects("s3://docs/")
        for wrong in ({"s3_secret": "wrong"}, {"s3_key_id": "AKIAWRONG"}):
            store = S3Objects(replace(self.server.settings(), **wrong))
            with pytest.raises(ServiceError, match="refuses the key"):
                list(store.objects("s3://docs/"))
            with pytest.raises(ServiceError, match="refuses the key"):
                store.fetch(wanted, tmp_path / "copy")
        assert not (tmp_path / "copy").exists()

    def test_without_its_package_one_line_says_what_to_install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "boto3", None)
        with pytest.raises(ServiceError, match="install 'boto3>="):
            S3Objects(self.server.settings())

    def test_what_is_wrong_with_one_object_is_told_apart_from_what_is_wrong_with_the_service(
        self, tmp_path: Path
    ) -> None:
        store = self.make({"a.txt": b"a", "b.txt": b"b"})
        denied, failing = sorted(store.objects("s3://docs/"), key=lambda item: item.address)
        self.server.trick("deny", "a.txt")
        self.server.trick("fail", "b.txt")
        with pytest.raises(ReadError, match="is closed to this key"):
            store.fetch(denied, tmp_path / "copy")
        with pytest.raises(ServiceError, match="SlowDown"):
            store.fetch(failing, tmp_path / "copy")
        self.server.trick("deny")
        self.server.trick("fail")

    def test_a_bucket_that_is_not_there_is_named(self) -> None:
        with pytest.raises(ServiceError, match="has no bucket elsewhere"):
            list(self.make({}).objects("s3://elsewhere/"))

    def test_a_server_that_does_not_answer_is_named(self) -> None:
        store = S3Objects(replace(self.server.settings(), s3_endpoint="http://127.0.0.1:9"))
        with pytest.raises(ServiceError, match=":9 does not answer"):
            list(store.objects("s3://docs/"))

    @pytest.mark.parametrize("bucket", ["arn:aws:s3:us-east-1:1:accesspoint", "a@b", "a:80", "..", "", "a b"])
    def test_the_name_of_a_bucket_leads_nowhere_else(self, bucket: str) -> None:
        store = self.make({})
        with pytest.raises(UsageError, match="is no address of an object"):
            list(store.objects(f"s3://{bucket}/a.txt"))
        with pytest.raises(UsageError, match="is no address of an object"):
            store.link(f"s3://{bucket}/a.txt", seconds=1, as_pdf=True)
