"""HTTP as httptools reads it, with a bound: it keeps what stands before and behind a body however long it is."""

from __future__ import annotations

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from pincite.serve.heads import HeadsInTime

MOST_BYTES = 64 * 1024
"""Of a request, beside its body: as many as uvicorn's other reader of HTTP takes."""


class BoundedHttp(HeadsInTime, HttpToolsProtocol):
    """Cuts off who sends more than MOST_BYTES without a piece of a body, or the end of a request, among them."""

    _beside = 0

    def data_received(self, data: bytes) -> None:
        """Something came."""
        self._beside += len(data)
        super().data_received(data)
        if self._beside > MOST_BYTES and not self.transport.is_closing():
            self.send_400_response(f"No more than {MOST_BYTES} bytes are read of the head of a request.")

    def on_body(self, body: bytes) -> None:
        """A piece of a body came."""
        self._beside = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """A request is at its end."""
        self._beside = 0
        super().on_message_complete()
