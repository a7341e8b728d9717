"""The tokens of a store: who may ask, in which role, and what they may see; and the role that each route needs. Only
digests of secrets are kept."""

from __future__ import annotations

import hmac
import json
import os
import re
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from pincite.errors import NotThereError, StoreError, UsageError

FILE_NAME = "tokens.json"
ROLES = ("reader", "writer", "admin")
"""Each may do what those before it may: ask and read; change documents; look at what others asked."""
MARK = "pincite_"
"""What a secret begins with, so that programs that look for secrets in files find it."""
SECRET_BYTES = 32
"""256 random bits cannot be guessed, so that a plain digest of them guards them."""
_NAME = re.compile(r"[\w.-]{1,64}", re.ASCII)
_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Token:
    """A caller: the digest of their secret, their role, and the tags of what they may see."""

    name: str
    sha256: str
    role: str
    principals: tuple[str, ...] = ()


class Tokens:
    """The tokens of the store in a folder. What changes in their file counts from the next look on."""

    def __init__(self, store: Path) -> None:
        self._path = store / FILE_NAME
        self._known: tuple[object, tuple[Token, ...]] = (None, ())

    def all(self) -> tuple[Token, ...]:
        """All tokens, by name. StoreError where their file cannot be read: nobody is let in then."""
        try:
            state = self._path.stat()
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise self._unreadable(error) from error
        stamp = (state.st_mtime_ns, state.st_size, state.st_ino)
        if self._known[0] != stamp:
            self._known = (stamp, self._read())
        return self._known[1]

    def find(self, secret: str) -> Token | None:
        """The token of a secret; every token is compared, however early one fits."""
        digest = _digest(secret)
        found = [token for token in self.all() if hmac.compare_digest(token.sha256, digest)]
        return found[0] if found else None

    def add(self, name: str, role: str, principals: tuple[str, ...] = ()) -> str:
        """Make a token; its secret, which is kept nowhere. UsageError for a name that is taken, or cannot be one."""
        if not _NAME.fullmatch(name):
            raise UsageError(f"{name!r} cannot name a token: use up to 64 letters, digits, dots and hyphens")
        if role not in ROLES:
            raise UsageError(f"the role {role!r} is not known: use {', '.join(ROLES)}")
        there = self.all()
        if name in {token.name for token in there}:
            raise UsageError(f"there is a token {name!r} already: remove it first, or choose another name")
        secret = MARK + secrets.token_urlsafe(SECRET_BYTES)
        self._write([*there, Token(name, _digest(secret), role, tuple(sorted(set(principals))))])
        return secret

    def remove(self, name: str) -> None:
        """Remove a token, whose secret then opens nothing. NotThereError where there is none of this name."""
        there = self.all()
        if name not in {token.name for token in there}:
            raise NotThereError(f"there is no token {name!r}: pincite token list shows them")
        self._write([token for token in there if token.name != name])

    def _read(self) -> tuple[Token, ...]:
        try:
            rows = json.loads(self._path.read_text(encoding="utf-8"))["tokens"]
            return tuple(_checked(Token(**{**row, "principals": tuple(row["principals"])})) for row in rows)
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise self._unreadable(error) from error

    def _unreadable(self, error: Exception) -> StoreError:
        return StoreError(f"the tokens in {self._path} cannot be read ({error}): correct the file, or make them anew")

    def _write(self, tokens: list[Token]) -> None:
        """Write these to the file atomically; of two simultaneous writers one gets an error and has to try again."""
        rows = [asdict(token) for token in sorted(tokens, key=lambda token: token.name)]
        aside = self._path.with_name(f".{FILE_NAME}.part")
        try:
            with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
                json.dump({"tokens": rows}, file, indent=2)
            aside.replace(self._path)
        except FileExistsError:
            raise StoreError(f"somebody else changes the tokens just now: try again, or remove {aside}") from None
        except OSError as error:
            raise StoreError(f"the tokens in {self._path} cannot be written ({error.strerror})") from error


def _checked(token: Token) -> Token:
    """A token as `add` makes it; ValueError for another."""
    if not (_NAME.fullmatch(token.name) and _DIGEST.fullmatch(token.sha256) and token.role in ROLES):
        raise ValueError(f"{token.name!r} is no token")
    return token


def _digest(secret: str) -> str:
    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


ANYBODY = "anybody"
"""Needs no token: these routes say nothing of the store."""
RULES: Mapping[str, str] = {
    "GET /": ANYBODY,
    "GET /q/{run_id}": ANYBODY,
    "GET /web/{name}": ANYBODY,
    "GET /health": ANYBODY,
    "GET /ready": ANYBODY,
    "GET /metrics": "reader",
    "GET /api/openapi.json": "reader",
    "GET /api/answer.schema.json": "reader",
    "GET /qa": "reader",
    "POST /api/ask": "reader",
    "POST /api/ask/stream": "reader",
    "POST /api/search": "reader",
    "GET /api/answers/{run_id}": "reader",
    "GET /api/export": "reader",
    "GET /v1/models": "reader",
    "GET /v1/models/{model}": "reader",
    "POST /v1/chat/completions": "reader",
    "GET /api/start": "reader",
    "GET /api/start/questions": "reader",
    "GET /api/documents": "reader",
    "POST /api/documents": "writer",
    "DELETE /api/document": "writer",
    "GET /api/indexing": "writer",
    "GET /api/indexing/stream": "writer",
    "POST /api/feedback": "reader",
    "GET /api/document": "reader",
    "GET /api/document/sections": "reader",
    "GET /api/document/anchors": "reader",
    "GET /api/document/references": "reader",
    "GET /api/document/find": "reader",
    "GET /api/document/passage": "reader",
    "GET /api/document/pages/{number}": "reader",
    "GET /api/document/pages/{number}/image": "reader",
    "GET /api/document/pages/{number}/words": "reader",
    "GET /api/document/pages/{number}/marks": "reader",
    "GET /api/document/link": "reader",
    "GET /api/document/file": "reader",
    "GET /api/section": "reader",
    "GET /api/entities": "reader",
    "GET /api/entity": "reader",
    "GET /api/entity/graph": "reader",
    "GET /api/runs": "admin",
    "GET /api/runs/{run_id}": "admin",
    "GET /api/events": "admin",
}
STREAMED = frozenset({"POST /api/documents"})
"""The routes that may be sent more than a question, since they count themselves what they read."""
MOST_BYTES = 64 * 1024
"""Of what is sent: sixteen for each character that a question may have."""
MOST_BYTES_OF: Mapping[str, int] = {"POST /v1/chat/completions": 1024 * 1024}
"""Routes with a higher limit: a chat program sends the whole conversation. An answer in words has some 5 KB, so this is
enough for two hundred. By eye, not measured."""


def allows(rule: str, role: str) -> bool:
    """Whether this role satisfies the rule."""
    return rule == ANYBODY or ROLES.index(role) >= ROLES.index(rule)
