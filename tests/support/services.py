"""Small services of this machine that speak JSON over HTTP, for adapters of services."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import create_server
from typing import Any


class JsonService(BaseHTTPRequestHandler):
    """What handlers share: a subclass says in `serve` what it answers to what was `asked`."""

    def do_POST(self) -> None:
        """A request has come."""
        self.serve()

    def serve(self) -> None:
        """Answer this request."""
        raise NotImplementedError

    def asked(self) -> dict[str, Any]:
        """The object that was sent."""
        found: dict[str, Any] = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        return found

    def answer(self, body: Any, status: int = 200) -> None:
        """Send this back."""
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def running(server: ThreadingHTTPServer) -> Iterator[str]:
    """The address of a server, which serves until the end of the block."""
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def serving(handler: type[JsonService]) -> Iterator[str]:
    """The address of a service whose requests this handler answers."""
    with running(ThreadingHTTPServer(("127.0.0.1", 0), handler)) as url:
        yield url


@contextmanager
def silent() -> Iterator[str]:
    """The address of a service that takes every connection and never says anything."""
    with create_server(("127.0.0.1", 0), backlog=64) as taken:
        yield f"http://127.0.0.1:{taken.getsockname()[1]}"
