"""An issuer of JWTs on this machine, with keys of its own, and a server that counts who comes."""

from __future__ import annotations

import json
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm
from tests.support.promises import SETTINGS
from tests.support.services import running

from pincite.serve.issuer import DISCOVERY, Issuer, issuer_of
from pincite.settings import Settings
from pincite.wiring import fetched_json

AUDIENCE = "pincite"
KEYS = "/keys.json"
ROLES = (("editors", "writer"), ("keepers", "admin"))
"""What the claim `roles` gives."""
LEEWAY = 30
Page = tuple[int, Mapping[str, str], bytes]
"""Status, headers and content of what lies at a path."""


@cache
def private_key(kind: str) -> Any:
    """The key of this name, made once: `rsa`, `ec`, `ed`, one of somebody else (`stranger`), a short one (`short`)."""
    match kind:
        case "ec":
            return ec.generate_private_key(ec.SECP256R1())
        case "ed":
            return ed25519.Ed25519PrivateKey.generate()
        case "short":
            return rsa.generate_private_key(65537, 1024)
        case _:
            return rsa.generate_private_key(65537, 2048)


def public_row(kind: str, **more: Any) -> dict[str, Any]:
    """The row of a JWKS for a key."""
    makers: dict[str, Any] = {"ec": ECAlgorithm, "ed": OKPAlgorithm}
    made = makers.get(kind, RSAAlgorithm).to_jwk(private_key(kind).public_key(), as_dict=True)
    return {**made, "kid": kind, "use": "sig", **more}


def packed(content: bytes) -> str:
    """A part of a JWT."""
    return urlsafe_b64encode(content).rstrip(b"=").decode("ascii")


@dataclass
class Visited:
    """A server that gives what lies at its paths, and knows which were asked for, and how often somebody came."""

    url: str = ""
    pages: dict[str, Page] = field(default_factory=dict)
    visits: list[str] = field(default_factory=list)
    connections: int = 0

    def put(self, path: str, content: Any, status: int = 200, **headers: str) -> None:
        """Lay something there: JSON, or bytes as they are."""
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.pages[path] = (status, headers, body)


@contextmanager
def visited() -> Iterator[Visited]:
    """A server on this machine until the end of the block."""
    there = Visited()

    class Handler(BaseHTTPRequestHandler):
        def setup(self) -> None:
            there.connections += 1
            super().setup()

        def do_GET(self) -> None:
            there.visits.append(self.path)
            status, headers, body = there.pages.get(self.path, (404, {}, b"{}"))
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    with running(ThreadingHTTPServer(("127.0.0.1", 0), Handler)) as url:
        there.url = url
        yield there


@dataclass
class Signing:
    """An issuer: what it says lies on its server."""

    server: Visited

    @property
    def url(self) -> str:
        """Its name, which is where it is."""
        return self.server.url

    def claims(self, **changed: Any) -> dict[str, Any]:
        """What a JWT of it says; a claim that is None is left out."""
        now = int(time.time())
        made = {"iss": self.url, "aud": AUDIENCE, "sub": "ada", "iat": now, "nbf": now, "exp": now + 300, **changed}
        return {name: value for name, value in made.items() if value is not None}

    def signed(
        self,
        claims: Mapping[str, Any] | bytes | None = None,
        header: Mapping[str, Any] | None = None,
        *,
        key: str = "rsa",
        algorithm: str = "RS256",
    ) -> str:
        """A JWT with these claims, signed with its key; `header` is added to what says which."""
        content = claims if isinstance(claims, bytes) else json.dumps(self.claims() if claims is None else claims)
        return sealed(
            {"alg": algorithm, "typ": "JWT", "kid": key, **(header or {})},
            content.encode() if isinstance(content, str) else content,
            lambda signing: jwt.get_algorithm_by_name(algorithm).sign(signing, private_key(key)),
        )


def sealed(header: Mapping[str, Any] | bytes, content: bytes, sign: Callable[[bytes], bytes]) -> str:
    """A JWT as RFC 7515 makes it, whatever it says."""
    head = (
        header if isinstance(header, bytes) else json.dumps({k: v for k, v in header.items() if v is not None}).encode()
    )
    signing = f"{packed(head)}.{packed(content)}"
    return f"{signing}.{packed(sign(signing.encode()))}"


@contextmanager
def signing() -> Iterator[Signing]:
    """An issuer on this machine, which says where its keys are."""
    with visited() as server:
        server.put(DISCOVERY, {"issuer": server.url, "jwks_uri": server.url + KEYS})
        server.put(KEYS, {"keys": [public_row("rsa"), public_row("ec"), public_row("ed")]})
        yield Signing(server)


def settings_for(url: str, **changed: Any) -> Settings:
    """Settings that take the JWTs of the issuer there."""
    made = replace(SETTINGS, jwt_issuer=url, jwt_audience=AUDIENCE, jwt_roles=ROLES, jwt_leeway=LEEWAY)
    return replace(made, **changed)


def issuer_at(url: str, **changed: Any) -> Issuer:
    """The issuer there, with its keys from where it says."""
    return issuer_of(settings_for(url, **changed), fetched_json)


def holder(issuer: Issuer, secret: str) -> Any:
    """What somebody with this JWT is, as the service finds it out."""
    if (work := issuer.pending(secret)) is not None:
        work()
    return issuer.holder(secret)
