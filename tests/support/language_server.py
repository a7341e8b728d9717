"""A language model's server for tests, on a port of this machine, that speaks OpenAI's protocol and Ollama's.

What it does with a request is a function of that request: `with LanguageServer(behave) as server`, where `behave` takes
a `Request` and gives a `Reply`. `spoken` makes the reply of a server that is well, `answering` a `behave` of what it
says; language_scripts.py has those of servers that are not well. `server.requests` are those that came.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from select import select
from threading import Event, Lock, Thread
from types import TracebackType
from typing import Any, Self

LOOK_SECONDS = 0.02
"""How often a server that does nothing looks whether somebody is still there."""


@dataclass(frozen=True)
class Request:
    """What a client asks; `number` counts the requests that a server gets, from 1."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]
    number: int

    @property
    def is_ollama(self) -> bool:
        """Whether it is of Ollama's own protocol."""
        return self.path.startswith("/api/")

    @property
    def told(self) -> str:
        """The last message."""
        return str(self.body["messages"][-1]["content"])

    @property
    def system(self) -> str:
        """The messages that say what to do, joined."""
        return "\n".join(item["content"] for item in self.body["messages"] if item["role"] == "system")

    @property
    def schema(self) -> dict[str, Any] | None:
        """The JSON schema of the answer; None where the client wants none."""
        if self.is_ollama:
            return self.body.get("format")
        wanted = self.body.get("response_format")
        return None if wanted is None else wanted["json_schema"]["schema"]

    @property
    def tokens(self) -> int:
        """The most tokens of an answer."""
        return int(self.body["options"]["num_predict"] if self.is_ollama else self.body["max_tokens"])


@dataclass(frozen=True)
class Reply:
    """What a server sends: its pieces one by one, each preceded by so many seconds.

    `silent`: it takes the request and says nothing. `then`: what comes behind the pieces: the end of the answer, a
    dropped connection, or silence.
    """

    pieces: Iterable[bytes] = ()
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: {"Content-Type": "text/event-stream"})
    pause: float = 0.0
    silent: bool = False
    then: str = "end"


Behaviour = Callable[[Request], Reply]


def answering(say: Callable[[Request], str]) -> Behaviour:
    """A server that is well and says this of a request."""
    return lambda request: spoken(request, say(request))


def spoken(request: Request, text: str, *, finish: str = "stop", size: int = 7, **changes: Any) -> Reply:
    """The reply in which a server that is well says this text, in pieces of so many characters."""
    parts = [text[start : start + size] for start in range(0, len(text), size)] or [""]
    counted = len(request.told.split()), len(parts)
    events = list((_of_ollama if request.is_ollama else _of_openai)(parts, finish, *counted))
    kind = "application/x-ndjson" if request.is_ollama else "text/event-stream"
    return replace(Reply([written(request, event) for event in events], headers={"Content-Type": kind}), **changes)


def written(request: Request, event: Any) -> bytes:
    """An event as a server writes it."""
    said = event if isinstance(event, str) else json.dumps(event)
    return (f"{said}\n" if request.is_ollama else f"data: {said}\n\n").encode()


def plain(body: Any, status: int = 200, kind: str = "application/json", **headers: str) -> Reply:
    """An answer in one piece."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Reply([content], status, {"Content-Type": kind, **headers})


def _of_ollama(parts: list[str], finish: str, asked: int, said: int) -> Iterator[Any]:
    for part in parts:
        yield {"model": "small", "message": {"role": "assistant", "content": part}, "done": False}
    counts = {"prompt_eval_count": asked, "eval_count": said}
    yield {"message": {"role": "assistant", "content": ""}, "done": True, "done_reason": finish, **counts}


def _of_openai(parts: list[str], finish: str, asked: int, said: int) -> Iterator[Any]:
    def chunk(delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
        return {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}

    yield chunk({"role": "assistant", "content": None})
    yield from (chunk({"content": part}) for part in parts)
    yield chunk({}, finish)
    yield {"choices": [], "usage": {"prompt_tokens": asked, "completion_tokens": said}}
    yield "[DONE]"


class LanguageServer:
    """Answers as `behave` says while the block lasts. It has one model, `small`."""

    def __init__(self, behave: Behaviour) -> None:
        self.behave = behave
        self.requests: list[Request] = []
        self.left = Event()
        """Set when a client closes its connection before the answer is at its end."""
        self.closing = Event()
        self.counting = Lock()
        self._server = _Server(self)
        self._thread = Thread(target=self._server.serve_forever, args=(0.02,))
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, owner: LanguageServer) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.owner = owner

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that has gone is nothing to be told."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Which models there are."""
        self._came({})
        self._send(plain({"models": [{"name": "small:latest"}], "data": [{"id": "small"}]}))

    def do_POST(self) -> None:
        """A prompt."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self._send(self.server.owner.behave(self._came(body)))

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def _came(self, body: dict[str, Any]) -> Request:
        owner = self.server.owner
        with owner.counting:
            request = Request(self.command, self.path, dict(self.headers), body, len(owner.requests) + 1)
            owner.requests.append(request)
        return request

    def _send(self, reply: Reply) -> None:
        self.close_connection = True
        if reply.silent:
            self._is_left(None)
            return
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        try:
            for piece in reply.pieces:
                if self._is_left(reply.pause):
                    return
                self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece) if piece else b"")
            if reply.then == "silence":
                self._is_left(None)
            elif reply.then == "end":
                self.wfile.write(b"0\r\n\r\n")
        except OSError:
            self.server.owner.left.set()

    def _is_left(self, seconds: float | None) -> bool:
        """Do nothing for so long, for ever where that is None: whether the client has gone, or the server closes."""
        owner, waited = self.server.owner, 0.0
        while not owner.closing.is_set():
            if select([self.connection], [], [], 0)[0]:
                owner.left.set()
                return True
            if seconds is not None and waited >= seconds:
                return False
            owner.closing.wait(LOOK_SECONDS)
            waited += LOOK_SECONDS
        return True
