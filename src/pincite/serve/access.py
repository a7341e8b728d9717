"""Who sends a request: the holder of a token, or anybody on one's own machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pincite.serve.access_tokens import Token, Tokens

if TYPE_CHECKING:
    from pincite.serve.issuer import Issuer

SCHEME = "bearer"
ANYBODY_HERE = Token("", "", "admin")
"""A caller without a token where none is needed: they sit at this machine, and see only what is open to everybody."""


class Access:
    """Who may come in: holders of a token of the store, or of a JWT from the `issuer` if there is one. Anybody may,
    where only this machine can reach the service (`is_local`), there is no issuer, and the store had no token when the
    service began; once it has had one, nobody comes in without."""

    def __init__(self, tokens: Tokens, *, is_local: bool, issuer: Issuer | None = None) -> None:
        self._tokens = tokens
        self._issuer = issuer
        self._is_open = is_local and issuer is None

    @property
    def is_open(self) -> bool:
        """Whether no token is needed."""
        self._is_open = self._is_open and not self._tokens.all()
        return self._is_open

    def pending(self, authorization: str | None) -> Callable[[], None] | None:
        """What has to be done, in a thread that may wait, before `caller` is asked; None for nothing."""
        secret = _secret(authorization or "")
        return self._issuer.pending(secret) if self._issuer is not None and _is_jwt(secret) else None

    def caller(self, authorization: str | None) -> Token | None:
        """The caller with this `Authorization` header; None if they may not come in. Where no token is needed the
        header is ignored, since some programs send a dummy key to every service. ServiceError for a JWT whose issuer
        does not answer."""
        if self.is_open:
            return ANYBODY_HERE
        if authorization is None:
            return None
        secret = _secret(authorization)
        if self._issuer is not None and _is_jwt(secret):
            return self._issuer.holder(secret)
        return self._tokens.find(secret)


def _secret(authorization: str) -> str:
    """What is sent as a token; nothing where it is sent in another way."""
    scheme, _, secret = authorization.partition(" ")
    return secret.strip() if scheme.casefold() == SCHEME else ""


def _is_jwt(secret: str) -> bool:
    """Whether it is none of pincite's own, which have no dots."""
    return "." in secret
