"""pincite without the guards of its service, to measure what they cost: python -m bench.unguarded serve ...

No limits for heads, bodies, connections and requests, and no check of host names and origins. Tokens count as ever.
"""

from __future__ import annotations

import sys
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from pincite.cli.main import main
from pincite.serve import edge, running, traffic


async def _pass_on(self: Any, scope: Any, receive: Any, send: Any) -> None:
    await self._app(scope, receive, send)


async def _no_wait(_: Any, __: str) -> float:
    return 0.0


def remove_guards() -> None:
    """Take them out of this process."""
    running.BoundedHttp = HttpToolsProtocol  # type: ignore[misc, assignment]
    edge.Edge.__call__ = _pass_on  # type: ignore[method-assign]
    traffic.Limit.wait = _no_wait  # type: ignore[method-assign]


if __name__ == "__main__":
    remove_guards()
    sys.exit(main(sys.argv[1:]))
