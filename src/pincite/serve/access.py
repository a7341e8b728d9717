"""Who asks: the holder of a token, or on a machine of one's own anybody."""

from __future__ import annotations

from pincite.serve.tokens import Token, Tokens

SCHEME = "bearer"
ANYBODY_HERE = Token("", "", "admin")
"""Who asks without a token where none is needed: they sit at this machine, and see what is closed to nobody."""


class Access:
    """Who may come in. Without a token that is anybody, where `is_local` says that this machine alone can ask and the
    store had no token when the service began; once it has one, nobody comes in without, whatever becomes of it."""

    def __init__(self, tokens: Tokens, *, is_local: bool) -> None:
        self._tokens = tokens
        self._is_open = is_local

    @property
    def is_open(self) -> bool:
        """Whether no token is needed."""
        self._is_open = self._is_open and not self._tokens.all()
        return self._is_open

    def caller(self, authorization: str | None) -> Token | None:
        """Who asks with this `Authorization` header; None for who may not come in. Where no token is needed none is
        looked at: programs that need a key for every service send any word."""
        if self.is_open:
            return ANYBODY_HERE
        if authorization is None:
            return None
        scheme, _, secret = authorization.partition(" ")
        return self._tokens.find(secret.strip()) if scheme.casefold() == SCHEME else None
