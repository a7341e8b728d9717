"""Who asks: the holder of a token, or on a machine of one's own anybody."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pincite.serve.access_tokens import Token, Tokens

if TYPE_CHECKING:
    from pincite.serve.issuer import Issuer

SCHEME = "bearer"
ANYBODY_HERE = Token("", "", "admin")
"""Who asks without a token where none is needed: they sit at this machine, and see what is closed to nobody."""


class Access:
    """Who may come in: who has a token of the store, or a JWT of the `issuer`, where there is one. Without that it is
    anybody, where `is_local` says that this machine alone can ask, there is no issuer, and the store had no token when
    the service began; once it has one, nobody comes in without, whatever becomes of it."""

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
        """Who asks with this `Authorization` header; None for who may not come in. Where no token is needed none is
        looked at: programs that need a key for every service send any word. ServiceError for a JWT whose issuer does
        not answer."""
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
