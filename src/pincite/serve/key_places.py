"""Where the public keys of an issuer come from: an address or a file that the settings name, or what the issuer says.

Nothing that somebody sends names a place.
"""

from __future__ import annotations

import ipaddress
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

from pincite.errors import ServiceError, SettingsError

DISCOVERY = "/.well-known/openid-configuration"
"""OpenID Connect Discovery 1.0, section 4."""
MOST_BYTES = 512 * 1024
LOCAL = "localhost"
Fetch = Callable[[str], Any]
Place = Callable[[], Any]
"""Gives the keys as they are there now; ServiceError where they cannot be had."""
_NAME = re.compile(r"([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)*[a-z]([a-z0-9-]*[a-z0-9])?\.?")
"""A name whose last part is no number, as 0177.1 has and 2130706433 is: programs read those as addresses."""


def key_place(issuer: str, given: str, fetch: Fetch) -> Place:
    """The place of an issuer's keys: the address or file that is given, else as the issuer says. SettingsError for an
    address that is not taken, and for a file that cannot be read."""
    if not given:
        address = issuer.rstrip("/") + DISCOVERY
        _demand(address, "jwt_issuer")
        return lambda: _discovered(issuer, address, fetch)
    if "://" not in given:
        _from_file(Path(given))
        return lambda: _from_file(Path(given))
    _demand(given, "jwt_keys")
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


def _demand(url: str, setting: str) -> None:
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
