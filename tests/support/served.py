"""A small store with a document of the board, served to those who hold its tokens."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

import httpx
from fastapi import FastAPI
from fastapi.testclient import TestClient
from tests.support.made_pdfs import Sheet, write_pdf
from tests.support.promises import SETTINGS

from pincite.engine.engine import Engine
from pincite.serve.access import Access
from pincite.serve.access_tokens import Tokens
from pincite.serve.app import build_app
from pincite.serve.issuer import Issuer
from pincite.serve.running import Server, address_of, bound_socket
from pincite.serve.traffic import PrometheusTelemetry
from pincite.settings import Settings
from pincite.telemetry.cost import FanOut
from pincite.telemetry.log import LogTelemetry
from pincite.wiring import open_engine

OPEN, CLOSED, ABSENT = "rules/snow & wind.pdf", "board/salaries.pdf", "board/nothing.pdf"
BROKEN = "rules/broken.pdf"
ENDING = 20.0
"""Seconds that a service on a port has to end."""
CANARIES = ("zebra", "walrus")
"""Words that stand in the closed document alone."""
SNOW = (
    ("1 Snow", "The keeper clears the snow from the roof. See section 2."),
    ("2 Wind", "Wind acts on Alder Works."),
)
SALARY = (
    ("1 Salaries", "The zebra is paid by Walrus Works, as section 2 of Snow says."),
    ("2 Bonus", "The zebra has none."),
)
ROLES = {"reader": (), "writer": (), "admin": (), "board": ("board",), "chair": ("board",)}
"""Who holds a token, and the tags of what they may see; the chair is an admin."""


@dataclass(frozen=True)
class Served:
    """The service, somebody who asks it, and the secret of each who may."""

    folder: Path
    engine: Engine
    app: FastAPI
    client: TestClient
    secrets: dict[str, str]

    def headers(self, who: str | None) -> dict[str, str]:
        """What somebody sends with a request; nothing where nobody has a token."""
        if who is None or not self.secrets:
            return {}
        return {"Authorization": f"Bearer {self.secrets.get(who, 'pincite_of-nobody')}"}

    def answers(
        self, method: str, requests: Iterable[tuple[str, str | bytes | None]], headers: Mapping[str, str]
    ) -> list[httpx.Response]:
        """What is answered to many requests, each an address and what is sent there, one after the other. They are made
        where the service runs: `client` takes some 4 ms more for each, since it is in another thread."""

        async def asked() -> list[httpx.Response]:
            transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
            async with httpx.AsyncClient(
                transport=transport, base_url="http://127.0.0.1", headers=headers, follow_redirects=True
            ) as client:
                return [await client.request(method, url, content=content) for url, content in requests]

        portal = self.client.portal
        assert portal is not None
        return portal.call(asked)


def drawn(heading: str, text: str) -> Callable[[Sheet], None]:
    """A page that is a section."""

    def draw(sheet: Sheet) -> None:
        sheet.text(40, 60, heading, 14, bold=True)
        sheet.text(40, 90, text)

    return draw


def made_store(folder: Path) -> Path:
    """A store of an open document, one of the board, and one that cannot be read."""
    for name, sections in ((OPEN, SNOW), (CLOSED, SALARY)):
        (folder / name).parent.mkdir(parents=True)
        write_pdf(folder / name, [drawn(*section) for section in sections])
    (folder / BROKEN).write_bytes(b"%PDF-1.4 and nothing more")
    manifest = folder.with_suffix(".json")
    manifest.write_text(json.dumps([{"path": f"{folder.name}/{CLOSED}", "acl": ["board"]}]), encoding="utf-8")
    store = folder / ".pincite"
    with open_engine(SETTINGS, store, create=True) as engine:
        engine.index([folder], manifest=manifest)
    return store


@contextmanager
def served(
    store: Path,
    *,
    with_tokens: bool = True,
    is_local: bool = True,
    issuer: Issuer | None = None,
    settings: Settings = SETTINGS,
) -> Iterator[Served]:
    """The service on this store, as it answers on this machine."""
    tokens = Tokens(store)
    secrets = {}
    for who, principals in ROLES.items() if with_tokens else ():
        role = {"board": "reader", "chair": "admin"}.get(who, who)
        secrets[who] = tokens.add(who, role, principals)
    metrics = PrometheusTelemetry()
    with open_engine(settings, store, telemetry=FanOut(LogTelemetry(), metrics)) as engine:
        access = Access(tokens, is_local=is_local, issuer=issuer)
        app = build_app(engine, settings, access, names=["docs.example.org"], metrics=metrics)
        with TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=False) as client:
            yield Served(store.parent, engine, app, client, secrets)


@contextmanager
def on_a_port(app: FastAPI) -> Iterator[str]:
    """The service on a port of this machine, for clients that know nothing of it; where that is."""
    with closing(bound_socket("127.0.0.1", 0)) as bound:
        server = Server(app)
        thread = Thread(target=server.run, args=([bound],))
        thread.start()
        try:
            yield address_of(bound)
        finally:
            app.state.service.is_ending = True
            thread.join(ENDING)
            assert not thread.is_alive()
