"""Bytes for an address of the settings: they arrive as they are, at that address alone, and nobody waits long."""

from __future__ import annotations

import time

import pytest
from tests.support.services import JsonService, serving, silent

from pincite.errors import ServiceError
from pincite.models.service import post


class Taking(JsonService):
    taken: list[tuple[str, str, bytes]]

    def serve(self) -> None:
        content = self.rfile.read(int(self.headers["Content-Length"]))
        self.taken.append((self.path, self.headers["Content-Type"], content))
        if self.path == "/moved":
            self.send_response(307)
            self.send_header("Location", "/taken")
            self.send_header("Content-Length", "0")
            self.end_headers()
        else:
            self.answer({}, 500 if self.path == "/broken" else 202)


@pytest.fixture
def taking() -> type[Taking]:
    return type("TakingOnce", (Taking,), {"taken": []})


def test_the_bytes_arrive_as_they_are(taking: type[Taking]) -> None:
    content = bytes(range(256)) * 4_000
    with serving(taking) as url:
        post(f"{url}/taken", content, "application/x-protobuf")
    assert taking.taken == [("/taken", "application/x-protobuf", content)]


@pytest.mark.parametrize(("path", "status"), [("/broken", 500), ("/moved", 307)])
def test_what_is_not_taken_is_told_and_goes_nowhere_else(taking: type[Taking], path: str, status: int) -> None:
    with serving(taking) as url, pytest.raises(ServiceError) as raised:
        post(f"{url}{path}", b"x", "text/plain")
    assert str(raised.value) == f"{url} answered {status}"
    assert len(taking.taken) == 1


def test_what_is_silent_is_left_in_time() -> None:
    with silent() as url, pytest.raises(ServiceError, match=r"127\.0\.0\.1"):
        began = time.monotonic()
        post(url, b"x", "text/plain", seconds=0.3)
    assert time.monotonic() - began < 10


@pytest.mark.parametrize("url", ["http://127.0.0.1:port", "http://me:secret@127.0.0.1:9", "http://"])
def test_an_address_that_nobody_answers_is_told_without_its_secret(url: str) -> None:
    with pytest.raises(ServiceError) as raised:
        post(url, b"x", "text/plain", seconds=2)
    assert "secret" not in str(raised.value)
