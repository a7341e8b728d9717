"""The service fetches nothing for those who ask: not from addresses in questions, in names, in documents, in JWTs. The
keys of an issuer come from where the settings say, and from no address that programs read in two ways."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from tests.support.issuers import KEYS, Visited, holder, issuer_at, signing, visited
from tests.support.made_pdfs import Sheet, write_pdf
from tests.support.office_files import docx, epub, odt, packed, paragraph, pptx, relations, shape, xlsx
from tests.support.served import Served, made_store, served

from pincite.errors import ServiceError, SettingsError
from pincite.serve import indexing
from pincite.serve.issuer import DISCOVERY, address_problem, key_place

WORDS = "The keeper counts the drops."


@pytest.fixture(scope="module")
def trap() -> Iterator[Visited]:
    """A server that nobody has a reason to visit."""
    with visited() as found:
        yield found


# --- where keys may come from ------------------------------------------------------------------------------

REFUSED = [
    "file:///etc/passwd",
    "gopher://127.0.0.1:6379/_FLUSHALL",
    "ftp://example.org/keys.json",
    "data:application/json,{}",
    "http://example.org/keys.json",
    "http://169.254.169.254/latest/meta-data/",
    "https://169.254.169.254/latest/meta-data/",
    "https://169.254.169.254./latest/",
    "https://[fe80::1]/keys.json",
    "https://[::ffff:169.254.169.254]/",
    "http://[::ffff:127.0.0.1]/",
    "https://[2002:a9fe:a9fe::]/",
    "https://[fe80::1%25eth0]/",
    "https://0.0.0.0/",
    "http://0/",
    "https://[::]/",
    "https://224.0.0.1/",
    "https://255.255.255.255/",
    "http://2130706433/",
    "https://2852039166/",
    "https://0251.0376.0251.0376/",
    "https://0xa9fea9fe/",
    "https://0xa9.0xfe.0xa9.0xfe/",
    "https://169.254.43518/",
    "https://127.1/",
    "http://017700000001/",
    "http://127.0.0.1.nip.io/",
    "http://localhost.example.org/",
    "http://localhost./",
    "https://127。0。0。1/",
    "https://ⓔxample.org/",
    "https://example.org@169.254.169.254/",
    "https://127.0.0.1\\@example.org/",
    "https://example.org#@169.254.169.254/",
    "https://user:secret@example.org/",
    "https://exam%70le.org/",
    "https://example.org:99999/",
    "https://example..org/",
    "https://.example.org/",
    "https:///keys.json",
    "https:example.org",
    "//example.org/keys.json",
    "https://example.org/keys.json\r\nHost: 127.0.0.1",
    "https://example.org/a b",
    "https://exa mple.org/",
    "https://[::1/",
    "HTTP://example.org/",
]
TAKEN = [
    "https://example.org/keys.json",
    "https://keys.example.org:8443/realms/a/keys?version=2",
    "https://www.googleapis.com/oauth2/v3/certs",
    "https://10.0.0.7/keys.json",
    "https://intranet/keys.json",
    "http://127.0.0.1:8080/keys.json",
    "http://localhost:8080/keys.json",
    "http://[::1]:8080/keys.json",
]


@pytest.mark.parametrize("url", REFUSED)
def test_addresses_that_no_keys_are_fetched_from(url: str) -> None:
    assert address_problem(url) is not None
    with pytest.raises(SettingsError):
        issuer_at("https://example.org", jwt_keys=url)
    with pytest.raises(SettingsError):
        issuer_at(url)


@pytest.mark.parametrize("url", TAKEN)
def test_addresses_that_keys_may_be_fetched_from(url: str) -> None:
    assert address_problem(url) is None


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("from_discovery", [True, False])
def test_a_redirect_is_not_followed(trap: Visited, status: int, *, from_discovery: bool) -> None:
    with signing() as signer:
        signer.server.put(DISCOVERY if from_discovery else KEYS, b"", status, Location=trap.url + KEYS)
        with pytest.raises(ServiceError):
            holder(issuer_at(signer.url), signer.signed())
    assert trap.connections == 0


@pytest.mark.parametrize(
    "said",
    [
        {"jwks_uri": "{trap}/keys.json", "issuer": "https://example.org"},
        {"jwks_uri": "{trap}/keys.json", "issuer": "{own}/"},
        {"jwks_uri": "{trap}/keys.json"},
        {"jwks_uri": "file:///etc/passwd", "issuer": "{own}"},
        {"jwks_uri": "http://user@{trap_place}/keys.json", "issuer": "{own}"},
        {"jwks_uri": "http://2130706433:{port}/keys.json", "issuer": "{own}"},
        {"jwks_uri": "http://[::ffff:127.0.0.1]:{port}/keys.json", "issuer": "{own}"},
        {"jwks_uri": "http://localhost:{port}/keys.json", "issuer": "{own}"},
        {"jwks_uri": "https://10.0.0.7:{port}/keys.json", "issuer": "{own}"},
        {"jwks_uri": ["{trap}/keys.json"], "issuer": "{own}"},
        {"jwks_uri": None, "issuer": "{own}"},
        {"issuer": "{own}"},
    ],
)
def test_an_issuer_that_says_something_odd_of_its_keys_leads_nowhere(trap: Visited, said: dict[str, Any]) -> None:
    place = trap.url.removeprefix("http://")
    with signing() as signer:
        names = {"trap": trap.url, "trap_place": place, "port": place.rpartition(":")[2], "own": signer.url}
        filled = {name: text.format(**names) if isinstance(text, str) else text for name, text in said.items()}
        signer.server.put(DISCOVERY, filled)
        with pytest.raises(ServiceError):
            holder(issuer_at(signer.url), signer.signed())
        assert signer.server.visits == [DISCOVERY]
    assert trap.connections == 0


@pytest.mark.parametrize(
    "inner",
    ["http://127.0.0.1:80/", "https://127.0.0.1/", "https://localhost/", "https://[::1]/", "https://10.0.0.7/"],
)
def test_an_issuer_elsewhere_leads_to_no_inner_address(inner: str) -> None:
    visits: list[str] = []

    def fetch(url: str) -> Any:
        visits.append(url)
        return {"issuer": "https://example.org", "jwks_uri": inner}

    with pytest.raises(ServiceError, match="on another machine, which has no name"):
        key_place("https://example.org", "", fetch)()
    assert visits == ["https://example.org" + DISCOVERY]


# --- what is asked -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def guarded(trap: Visited, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """With tokens and an issuer."""
    with (
        signing() as signer,
        served(made_store(tmp_path_factory.mktemp("trapped") / "docs"), issuer=issuer_at(signer.url)) as found,
    ):
        yield found


@pytest.mark.parametrize("form", ["{}/a.pdf", "{}/a.pdf#page=1", "s3://{place}/a.pdf", "//{place}/a", "\\\\{place}\\a"])
@pytest.mark.parametrize(
    "route",
    [
        "/api/document",
        "/api/document/pages/1",
        "/api/document/pages/1/image",
        "/api/document/link",
        "/api/document/file",
        "/api/document/references",
    ],
)
def test_a_source_that_is_an_address_is_not_there(guarded: Served, trap: Visited, form: str, route: str) -> None:
    source = form.format(trap.url, place=trap.url.removeprefix("http://"))
    found = guarded.client.get(route, params={"source": source}, headers=guarded.headers("admin"))
    assert found.status_code == 404
    assert trap.connections == 0


@pytest.mark.parametrize(
    "asked",
    [
        {"question": "{}/a.pdf"},
        {"files": ["{}/a.pdf"]},
        {"types": ["{}"]},
        {"tags": ["{}"]},
        {"as_of": "{}"},
        {"profile": "{}"},
        {"mode": "{}"},
    ],
)
def test_a_question_that_holds_an_address_leads_nowhere(guarded: Served, trap: Visited, asked: dict[str, Any]) -> None:
    filled = {
        name: [text.format(trap.url) for text in value] if isinstance(value, list) else value.format(trap.url)
        for name, value in asked.items()
    }
    body = {"question": "Who clears the snow?", **filled}
    found = guarded.client.post("/api/ask", json=body, headers=guarded.headers("reader"))
    assert found.status_code in (200, 400)
    assert trap.connections == 0


@pytest.mark.parametrize("header", ["X-Forwarded-For", "X-Forwarded-Host", "X-Original-URL", "Referer", "Forwarded"])
def test_a_header_that_holds_an_address_leads_nowhere(guarded: Served, trap: Visited, header: str) -> None:
    headers = {**guarded.headers("reader"), header: trap.url}
    assert guarded.client.get("/api/documents", headers=headers).status_code == 200
    assert trap.connections == 0


# --- what is put in ----------------------------------------------------------------------------------------


def outside(kind: str, url: str) -> str:
    """A relation of an office file to something outside."""
    return relations(("x", kind, f'{url}" TargetMode="External'))


def of_office(make: Callable[..., Path], *parts: Any, **more: str) -> Callable[[Path], bytes]:
    return lambda folder: make(folder / "made", *parts, **more).read_bytes()


def mail(url: str) -> bytes:
    message = EmailMessage()
    message["From"], message["Subject"] = "keeper@example.org", "Drops"
    message["Disposition-Notification-To"] = url
    message.set_content(
        f'<p>{WORDS}</p><img src="{url}/pixel.png"><link rel="stylesheet" href="{url}/a.css">', subtype="html"
    )
    message.add_attachment(f'<img src="{url}">{WORDS}'.encode(), maintype="text", subtype="html", filename="a.html")
    return message.as_bytes()


def pdf(folder: Path, url: str) -> bytes:
    """A document with an action that opens an address as soon as it is opened, and a file that lies elsewhere."""
    import pikepdf

    def draw(sheet: Sheet) -> None:
        sheet.text(40, 60, WORDS)

    write_pdf(folder / "plain.pdf", [draw])
    with pikepdf.open(folder / "plain.pdf") as made:
        made.Root.OpenAction = made.make_indirect(pikepdf.Dictionary(S=pikepdf.Name.URI, URI=pikepdf.String(url)))
        elsewhere = pikepdf.Dictionary(Type=pikepdf.Name.Filespec, FS=pikepdf.Name.URL, F=pikepdf.String(url))
        picture = pikepdf.Stream(
            made, b"", Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Image, Width=1, Height=1, F=elsewhere
        )
        made.pages[0].Resources.XObject = pikepdf.Dictionary(Remote=made.make_indirect(picture))
        made.save(folder / "made.pdf")
    return (folder / "made.pdf").read_bytes()


PAGE = """<html><head><base href="{url}/"><link rel=stylesheet href="{url}/a.css">
<meta http-equiv=refresh content="0;{url}">
<style>@import url({url}/b.css);</style><script src="{url}/a.js"></script></head>
<body background="{url}/back.png"><p>{words}</p>
<img src="{url}/a.png" srcset="{url}/b.png 2x"><iframe src="{url}/frame"></iframe><object data="{url}/o"></object>
<video poster="{url}/p" src="{url}/v"></video><a href="{url}/a" ping="{url}/ping">a</a></body></html>"""
ENTITY = '<!DOCTYPE a [<!ENTITY x SYSTEM "{url}/entity"><!ENTITY % y SYSTEM "{url}/dtd"> %y;]>'
SVG = '<svg xmlns="http://www.w3.org/2000/svg"><image href="{url}/a.png"/><text>{words}</text></svg>'


def contents(url: str, folder: Path) -> dict[str, bytes]:
    """Documents that name an address wherever their format lets them, by their names."""
    page, entity = PAGE.format(url=url, words=WORDS), ENTITY.format(url=url)
    picture = f'<img src="{url}/a.png"/><p>{WORDS}</p>'
    word = paragraph(WORDS)
    made: dict[str, Callable[[Path], bytes]] = {
        "picture.docx": of_office(docx, word, relations_part=outside("image", url)),
        "template.docx": of_office(docx, word, relations_part=outside("attachedTemplate", url)),
        "frame.docx": of_office(docx, word, relations_part=outside("subDocument", url)),
        "slides.pptx": of_office(pptx, shape(WORDS) + f'<a:blip link="{url}"/>'),
        "sheet.xlsx": of_office(
            xlsx,
            {
                "A": f'<sheetData><row r="1"><c r="A1" t="str"><f>WEBSERVICE("{url}")</f><v>{WORDS}</v></c></row>'
                "</sheetData>"
            },
        ),
        "book.epub": of_office(epub, picture),
        "entity.epub": of_office(epub, picture, **{"META-INF/container.xml": entity + "<container>&x;</container>"}),
        "text.odt": of_office(
            odt,
            f'<text:p>{WORDS}<draw:frame><draw:image xlink:href="{url}" xmlns:xlink="http://www.w3.org/1999/xlink"/></draw:frame></text:p>',
        ),
        "entity.docx": of_office(
            packed,
            {
                "_rels/.rels": entity + relations(("r1", "officeDocument", "word/document.xml")),
                "word/document.xml": entity + "<a>&x;</a>",
            },
        ),
        "pages.zip": of_office(packed, {"a.html": page, "b.md": f"![a]({url}/a.png)\n\n{WORDS}"}),
        "action.pdf": lambda folder: pdf(folder, url),
    }
    return {
        **{name: make(folder) for name, make in made.items()},
        "page.html": page.encode(),
        "entity.xhtml": (entity + f"<html><body><p>{WORDS}&x;</p></body></html>").encode(),
        "includes.xhtml": (
            f'<html xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="{url}/i"/><p>{WORDS}</p></html>'
        ).encode(),
        "drawn.svg": SVG.format(url=url, words=WORDS).encode(),
        "drawn.html": (SVG.format(url=url, words=WORDS) + f"<p>{WORDS}</p>").encode(),
        "notes.md": f"![a]({url}/a.png)\n\n<img src='{url}/b.png'>\n\n{WORDS}\n\n[a]: {url}/c".encode(),
        "mail.eml": mail(url),
        "box.mbox": b"From keeper@example.org Tue Nov 24 01:00:00 2026\n" + mail(url),
        "letter.rtf": b'{\\rtf1 {\\field{\\*\\fldinst INCLUDEPICTURE "%s/a.png" \\\\d}{\\fldrslt x}}'
        b"{\\*\\template %s/t.dot} %s}" % (url.encode(), url.encode(), WORDS.encode()),
        "table.csv": f'name,value\n"=WEBSERVICE(""{url}"")",{WORDS}\n'.encode(),
        "list.txt": f"{url}/a.pdf\n\n{WORDS}".encode(),
        "shortcut.url": f"[InternetShortcut]\nURL={url}\n".encode(),
    }


def test_documents_that_name_addresses_are_read_and_nothing_is_fetched(
    guarded: Served, trap: Visited, tmp_path: Path
) -> None:
    headers = guarded.headers("writer")
    statuses = {}
    for name, content in contents(trap.url + "/inside", tmp_path).items():
        found = guarded.client.post("/api/documents", params={"name": name}, content=content, headers=headers)
        statuses[name] = found.status_code
    until = time.monotonic() + 240
    while indexing.is_under_way(state := guarded.client.get("/api/indexing", headers=headers).json()):
        assert time.monotonic() < until
        time.sleep(0.1)
    unread = {name for name, status in statuses.items() if status != 202}
    became = {item["filename"]: item["status"] for item in state["uploads"]}
    assert unread == {"drawn.svg", "box.mbox", "shortcut.url"}
    assert set(became.values()) <= {"indexed", "refused"}
    assert {name for name, status in became.items() if status == "refused"} == {"entity.docx", "entity.epub"}
    asked = guarded.client.get("/qa", params={"query": "Who counts the drops?"}, headers=headers)
    assert WORDS in asked.text
    assert trap.connections == 0


@pytest.mark.parametrize(
    "name", ["{}/rain.txt", "s3://{place}/rain.txt", "\\\\{place}\\rain.txt", "file://{place}/rain.txt"]
)
def test_a_document_whose_name_is_an_address_is_the_one_that_was_sent(
    guarded: Served, trap: Visited, name: str
) -> None:
    named = name.format(trap.url, place=trap.url.removeprefix("http://"))
    content = f"Rain falls. {named}".encode()
    found = guarded.client.post(
        "/api/documents", params={"name": named}, content=content, headers=guarded.headers("writer")
    )
    assert (found.status_code, found.json()["bytes"], found.json()["filename"]) == (202, len(content), "rain.txt")
    assert trap.connections == 0
