"""The public keys of an issuer: fetched when they are needed, kept for minutes, and not fetched by made-up names."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any

from jwt import PyJWK, PyJWTError

from pincite.errors import ServiceError, SettingsError
from pincite.serve.key_places import Place

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""Those that prove with a public key (RFC 7518, RFC 8037)."""
KEPT_SECONDS = 600.0
"""How long a key that its issuer has taken back may still be believed. By eye, not measured, like what follows."""
REST_SECONDS = 60.0
"""How long nobody looks again for a key that the issuer did not have."""
RETRY_SECONDS = 5.0
"""How long an issuer that does not answer is left alone."""
_LONG_AGO = float("-inf")
LOGGER = logging.getLogger("pincite.serve")


class SigningKeys:
    """The keys from a place. `look` may wait for the place and is called by one thread at a time; the others never
    wait."""

    def __init__(self, place: Place, clock: Callable[[], float] = time.monotonic) -> None:
        self._place = place
        self._clock = clock
        self._keys: tuple[PyJWK, ...] = ()
        self._kept_until = self._next_look = _LONG_AGO

    def wants_look(self, name: str | None, algorithm: str) -> bool:
        """Whether the place should be looked at before a key of this name is asked for."""
        is_old = self._clock() >= self._kept_until
        return self._clock() >= self._next_look and (is_old or self._fitting(name, algorithm) is None)

    def look(self, name: str | None, algorithm: str) -> None:
        """Look at the place, unless somebody has meanwhile. What goes wrong stands in the log: who asks did not do
        it."""
        if not self.wants_look(name, algorithm):
            return
        try:
            self._keys = public_keys(self._place())
        except (ServiceError, SettingsError) as error:
            LOGGER.warning("no keys of the issuer of JWTs: %s", error)
            self._next_look = self._clock() + RETRY_SECONDS
        else:
            self._kept_until = self._clock() + KEPT_SECONDS
            self._next_look = self._clock() + REST_SECONDS

    def find(self, name: str | None, algorithm: str) -> PyJWK | None:
        """The key of this name for this algorithm, without a name the only one; None where there is none, or several.
        ServiceError where the place has not told for long."""
        if self._clock() >= self._kept_until:
            raise ServiceError("the issuer of JWTs does not answer: try again in a moment; tokens of pincite work on")
        return self._fitting(name, algorithm)

    def _fitting(self, name: str | None, algorithm: str) -> PyJWK | None:
        fitting = [key for key in self._keys if key.algorithm_name == algorithm and name in (None, key.key_id)]
        return fitting[0] if len(fitting) == 1 else None


def public_keys(found: Any) -> tuple[PyJWK, ...]:
    """The keys of a JWKS (RFC 7517, section 5) that may prove something here; ServiceError where it is none."""
    rows = found.get("keys") if isinstance(found, dict) else None
    if not isinstance(rows, list):
        raise ServiceError("what was found there is no JWKS")
    keys = (_public_key(row) for row in rows if isinstance(row, dict))
    return tuple(key for key in keys if key is not None)


def _public_key(row: dict[str, Any]) -> PyJWK | None:
    """A key with the one algorithm that it is for; None for a secret or private one, and one for other ends."""
    try:
        is_for_proving = row.get("use", "sig") == "sig" and "verify" in row.get("key_ops", ["verify"])
        key = PyJWK(row) if is_for_proving and "d" not in row else None
    except (PyJWTError, ValueError, TypeError, KeyError, AttributeError):
        return None
    return key if key is not None and key.algorithm_name in ALGORITHMS else None
