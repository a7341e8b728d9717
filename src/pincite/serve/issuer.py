"""JWTs as tokens (RFC 7519), signed by the issuer in the settings, whose public keys are fetched and kept for minutes.
They come from an address or file in the settings, or from where the issuer says: nothing in a request names a place."""

from __future__ import annotations

import ipaddress
import json
import logging
import re
import time
from base64 import urlsafe_b64decode
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

import jwt
from jwt import PyJWK, PyJWTError

from pincite.errors import ServiceError, SettingsError
from pincite.serve.access_tokens import ROLES, Token
from pincite.settings import Settings

DISCOVERY = "/.well-known/openid-configuration"
"""OpenID Connect Discovery 1.0, section 4."""
MOST_BYTES = 512 * 1024
LOCAL = "localhost"
Fetch = Callable[[str], Any]
Place = Callable[[], Any]
"""Fetches the current keys; ServiceError where it cannot."""
_NAME = re.compile(r"([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)*[a-z]([a-z0-9-]*[a-z0-9])?\.?")
"""A name whose last part is no number, unlike 0177.1 and 2130706433: programs read those as addresses."""


def key_place(issuer: str, given: str, fetch: Fetch) -> Place:
    """The place of an issuer's keys: the address or file that is given, else as the issuer says. SettingsError for an
    address that is not taken, and for a file that cannot be read."""
    if not given:
        address = issuer.rstrip("/") + DISCOVERY
        _demand_address(address, "jwt_issuer")
        return lambda: _discovered(issuer, address, fetch)
    if "://" not in given:
        _from_file(Path(given))
        return lambda: _from_file(Path(given))
    _demand_address(given, "jwt_keys")
    return lambda: fetch(given)


def address_problem(url: str) -> str | None:
    """Why no keys are fetched from this address; None where they may be: it must be https, or of this machine, and be
    read by all programs in one way."""
    try:
        place = urlsplit(url)
        _ = place.port
    except ValueError:
        return "it cannot be read"
    if not (url.isascii() and url.isprintable()) or set(url) & set(' \\"<>^`{|}'):
        return "it has characters that no address has"
    if "@" in place.netloc or "%" in place.netloc or "#" in url:
        return "it has a user, a place or a code in it"
    host = place.hostname or ""
    address = _address(host)
    if address is None and not _NAME.fullmatch(host):
        return "its host is neither a name nor an address as they are written"
    if address is not None and not address.is_loopback and not _is_of_a_machine(address):
        return "its host is the address of no single machine"
    if place.scheme == "https" or (place.scheme == "http" and _is_here(place)):
        return None
    return "it must begin with https://"


def _demand_address(url: str, setting: str) -> None:
    if (problem := address_problem(url)) is not None:
        raise SettingsError(f"{setting}: no keys are fetched from {url!r}: {problem}")


def _discovered(issuer: str, address: str, fetch: Fetch) -> Any:
    """The keys from the address that the issuer says. That leads to this machine, or to another by its number, only
    where the issuer itself is there."""
    told = fetch(address)
    if not isinstance(told, dict) or told.get("issuer") != issuer:
        raise ServiceError(f"{address} does not speak for the issuer {issuer!r}")
    url = told.get("jwks_uri")
    if not isinstance(url, str) or address_problem(url) is not None:
        raise ServiceError(f"{address} says that its keys are where none are fetched from")
    theirs, own = urlsplit(url), urlsplit(address)
    is_inner = _is_here(theirs) or _address(theirs.hostname or "") is not None
    if is_inner and theirs.hostname != own.hostname:
        raise ServiceError(f"{address} says that its keys are on another machine, which has no name")
    return fetch(url)


def _from_file(path: Path) -> Any:
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise SettingsError(f"jwt_keys: {path} holds more than {MOST_BYTES:,} bytes")
        return json.loads(content)
    except (OSError, ValueError, RecursionError) as error:
        raise SettingsError(f"jwt_keys: {path} cannot be read ({error})") from error


def _is_here(place: SplitResult) -> bool:
    address = _address(place.hostname or "")
    return place.hostname == LOCAL or (address is not None and address.is_loopback)


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _is_of_a_machine(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    is_special = address.is_link_local or address.is_multicast or address.is_unspecified or address.is_reserved
    is_translated = isinstance(address, ipaddress.IPv6Address) and (
        address.ipv4_mapped is not None or address.sixtofour is not None or address.teredo is not None
    )
    return not is_special and not is_translated


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
        """Fetch the keys, unless another thread has meanwhile. Errors go to the log: they are not the caller's
        fault."""
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
        """The key of this name for this algorithm; without a name the only one. None where there is none, or several.
        ServiceError where the keys have not been fetched for long."""
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


MARK = "jwt:"
"""Prefix of the names of JWT holders in the audit chain; no token of pincite can have such a name."""
MOST_CHARACTERS = 16_384
"""Of a JWT, which is read before anything is proved. By eye, not measured, like what follows."""
MOST_PRINCIPALS = 1_000
LONGEST_NAME = 255
"""Characters of a `sub` (OpenID Connect Core 1.0, section 2)."""
LAST_MOMENT = 2**53
"""Seconds since 1970: whole numbers beyond it are not the same to all programs (RFC 8259, section 6)."""
TYPES = ("jwt", "at+jwt")
"""RFC 8725, section 3.11: a JWT of another kind, such as a logout token, proves nothing here."""
NEEDED = ("exp", "iss", "aud", "sub")
_TIMES = ("exp", "nbf", "iat")
_OPTIONS: Any = {"require": list(NEEDED), "enforce_minimum_key_length": True}


def issuer_of(settings: Settings, fetch: Fetch) -> Issuer:
    """The issuer that the settings name; SettingsError where they do not fit."""
    unknown = sorted({role for _, role in settings.jwt_roles} - set(ROLES))
    if unknown:
        raise SettingsError(f"jwt_roles knows no role {', '.join(unknown)}: use {', '.join(ROLES)}")
    return Issuer(settings, SigningKeys(key_place(settings.jwt_issuer, settings.jwt_keys, fetch)))


class Issuer:
    """Identifies the holder of a JWT by keys already fetched. The settings say which claims it needs, and what they
    mean."""

    def __init__(self, settings: Settings, keys: SigningKeys) -> None:
        self._settings = settings
        self._roles = dict(settings.jwt_roles)
        self._keys = keys

    def pending(self, secret: str) -> Callable[[], None] | None:
        """What has to be done, in a thread that may wait, before `holder` is asked; None for nothing."""
        stated = self._stated_key(secret)
        if stated is None or not self._keys.wants_look(*stated):
            return None
        return lambda: self._keys.look(*stated)

    def holder(self, secret: str) -> Token | None:
        """The holder of this JWT; None if it proves nothing. ServiceError where the keys are not available."""
        stated = self._stated_key(secret)
        key = self._keys.find(*stated) if stated is not None else None
        if key is None:
            return None
        try:
            return self._token(self._claims(secret, key))
        except (jwt.PyJWTError, ValueError):
            return None

    def _stated_key(self, secret: str) -> tuple[str | None, str] | None:
        """The name of its key, and its algorithm, as a JWT says them; None for what cannot be one of this issuer. No
        other part of its header is looked at: none leads anywhere."""
        parts = secret.split(".")
        if len(secret) > MOST_CHARACTERS or len(parts) != 3:
            return None
        try:
            stated, said = _object(parts[0]), _object(parts[1])
        except (ValueError, RecursionError):
            return None
        name, algorithm = stated.get("kid"), stated.get("alg")
        kind = str(stated.get("typ", TYPES[0])).casefold().removeprefix("application/")
        is_ours = said.get("iss") == self._settings.jwt_issuer and kind in TYPES
        is_plain = "crit" not in stated and "b64" not in stated and (name is None or isinstance(name, str))
        return (name, algorithm) if is_ours and is_plain and algorithm in ALGORITHMS else None

    def _claims(self, secret: str, key: jwt.PyJWK) -> Mapping[str, Any]:
        """What a JWT says, proved by this key, at the right time, for this service; PyJWTError where it is not."""
        settings = self._settings
        return jwt.decode(
            secret,
            key,
            ALGORITHMS,
            _OPTIONS,
            audience=settings.jwt_audience,
            issuer=settings.jwt_issuer,
            leeway=settings.jwt_leeway,
        )

    def _token(self, claims: Mapping[str, Any]) -> Token:
        """The holder named by verified claims; ValueError where these are of the wrong kind."""
        for name in _TIMES:
            _demand(_is_moment(claims.get(name, 0)))
        name = claims["sub"]
        _demand(name.isprintable() and len(name.strip()) > 0 and len(name) <= LONGEST_NAME)
        principals = _texts(claims.get(self._settings.jwt_principals))
        return Token(MARK + name, "", self._role(claims), tuple(sorted(set(principals))))

    def _role(self, claims: Mapping[str, Any]) -> str:
        """The highest that the settings give them."""
        given = _texts(claims.get(self._settings.jwt_role_claim)) if self._roles else []
        return max((self._roles.get(text, ROLES[0]) for text in given), key=ROLES.index, default=ROLES[0])


def _object(part: str) -> dict[str, Any]:
    """The JSON object of a part of a JWT; ValueError where it is none, or says something twice."""
    found = json.loads(urlsafe_b64decode(part + "=" * (-len(part) % 4)), object_pairs_hook=_once)
    _demand(isinstance(found, dict))
    return dict(found)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    _demand(len(found) == len(pairs))
    return found


def _texts(claim: Any) -> list[str]:
    """One text or several; ValueError for what is no text, and for very many."""
    texts = [] if claim is None else claim if isinstance(claim, list) else [claim]
    _demand(len(texts) <= MOST_PRINCIPALS)
    _demand(all(isinstance(text, str) and text and text.isprintable() for text in texts))
    return texts


def _is_moment(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < LAST_MOMENT


def _demand(is_right: bool) -> None:  # noqa: FBT001
    if not is_right:
        raise ValueError("a JWT says something that none may say")
