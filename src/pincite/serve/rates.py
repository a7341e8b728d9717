"""How many requests somebody may make: what they did not make lately they may make at once, up to those of a minute."""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Callable

MINUTE = 60.0
MOST_KNOWN = 10_000
"""Those who ask at once; behind that who has asked for longest not is forgotten. By eye, not measured."""
NETWORK_BITS = 64
"""Of an address of IPv6: the others are whatever the one behind it likes."""


class Rates:
    """So many requests `a_minute` for each who asks; 0: as many as they like."""

    def __init__(self, a_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._between = MINUTE / a_minute if a_minute else 0.0
        self._clock = clock
        self._used_up: dict[str, float] = {}

    def wait(self, who: str) -> float:
        """How many seconds they have to wait; 0, and the request counted, where they may make one."""
        if not self._between:
            return 0.0
        now = self._clock()
        used_up = max(now, self._used_up.pop(who, now))
        if len(self._used_up) >= MOST_KNOWN:
            del self._used_up[next(iter(self._used_up))]
        too_early = used_up + self._between - (now + MINUTE)
        self._used_up[who] = used_up if too_early > 0 else used_up + self._between
        return max(0.0, too_early)


def network_of(host: str) -> str:
    """Whose requests count together: those of an address, or of the IPv6 network that it is in."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if address.version == 6 and address.ipv4_mapped is None:
        return str(ipaddress.ip_network((address, NETWORK_BITS), strict=False))
    return str(address.ipv4_mapped or address) if address.version == 6 else str(address)
