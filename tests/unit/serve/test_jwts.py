"""1. Who holds a JWT of the issuer comes in as whom it names, and sees what its groups see. 2. Forty JWTs that prove
nothing let nobody in and break nothing. 3. What a JWT says leads nowhere."""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from tests.support.issuers import (
    AUDIENCE,
    KEYS,
    LEEWAY,
    Signing,
    Visited,
    holder,
    issuer_at,
    packed,
    private_key,
    public_row,
    sealed,
    settings_for,
    signing,
    visited,
)
from tests.support.served import Served, made_store, served
from tests.support.services import silent

from pincite.errors import ServiceError, SettingsError
from pincite.models.service import fetched_json as fetched
from pincite.serve.access import Access
from pincite.serve.access_tokens import Tokens
from pincite.serve.issuer import KEPT_SECONDS, REST_SECONDS, RETRY_SECONDS, Issuer, SigningKeys
from pincite.wiring import fetched_json


@pytest.fixture(scope="module")
def signer() -> Iterator[Signing]:
    with signing() as found:
        yield found


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[Visited]:
    with visited() as found:
        found.put("/keys.json", {"keys": [public_row("stranger")]})
        yield found


@pytest.fixture(scope="module")
def guarded(signer: Signing, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """With tokens, and with an issuer."""
    store = made_store(tmp_path_factory.mktemp("issued") / "docs")
    with served(store, issuer=issuer_at(signer.url)) as found:
        yield found


def asked(served: Served, secret: str, url: str = "/api/documents", **params: str) -> Any:
    return served.client.get(url, params=params, headers={"Authorization": f"Bearer {secret}"})


# --- who comes in ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "algorithm"), [("rsa", "RS256"), ("ec", "ES256"), ("ed", "EdDSA")], ids=["RSA", "EC", "Ed25519"]
)
def test_who_proves_it_comes_in_and_sees_what_their_groups_see(
    guarded: Served, signer: Signing, key: str, algorithm: str
) -> None:
    plain = asked(guarded, signer.signed(key=key, algorithm=algorithm))
    assert plain.status_code == 200
    assert "salaries" not in plain.text
    secret = signer.signed(signer.claims(groups=["board", "staff"]), key=key, algorithm=algorithm)
    assert "salaries" in asked(guarded, secret).text
    assert "salaries" in asked(guarded, signer.signed(signer.claims(groups="board"))).text


def test_tokens_of_pincite_work_beside_it(guarded: Served) -> None:
    assert guarded.client.get("/api/documents", headers=guarded.headers("reader")).status_code == 200
    assert guarded.client.get("/api/documents").status_code == 401


def test_where_there_is_an_issuer_nobody_comes_in_without_a_token(signer: Signing, tmp_path: Path) -> None:
    access = Access(Tokens(tmp_path), is_local=True, issuer=issuer_at(signer.url))
    assert not access.is_open
    assert access.caller(None) is None


@pytest.mark.parametrize(
    ("roles", "role"),
    [
        (None, "reader"),
        ("editors", "writer"),
        (["editors", "keepers"], "admin"),
        (["admin", "owner"], "reader"),
        ([], "reader"),
    ],
)
def test_the_settings_say_which_role_a_claim_gives(signer: Signing, roles: Any, role: str) -> None:
    assert holder(issuer_at(signer.url), signer.signed(signer.claims(roles=roles))).role == role
    assert holder(issuer_at(signer.url, jwt_roles=()), signer.signed(signer.claims(roles=roles))).role == "reader"


def test_other_claims_can_be_named(signer: Signing) -> None:
    issuer = issuer_at(signer.url, jwt_principals="teams", jwt_role_claim="https://example.org/part")
    claims = {"teams": ["b", "a", "b"], "https://example.org/part": "keepers", "groups": ["c"], "roles": "editors"}
    found = holder(issuer, signer.signed(signer.claims(**claims)))
    assert (found.name, found.role, found.principals) == ("jwt:ada", "admin", ("a", "b"))


def test_the_audit_chain_names_the_subject_and_confuses_it_with_no_token(guarded: Served, signer: Signing) -> None:
    secret = signer.signed(signer.claims(sub="chair", groups=["board"], roles="keepers"))
    assert asked(guarded, secret, "/api/document", source="board/salaries.pdf").status_code == 200
    asked(guarded, secret, "/api/document/pages/1", source="board/salaries.pdf")
    guarded.app.state.service.seen._thread.submit(int).result()
    events = asked(guarded, secret, "/api/events").json()
    assert "jwt:chair" in {item["who"] for item in events}


@pytest.mark.parametrize(
    ("changed", "comes_in"),
    [
        ({"exp": -LEEWAY + 10}, True),
        ({"exp": -LEEWAY - 1}, False),
        ({"nbf": LEEWAY - 10}, True),
        ({"nbf": LEEWAY + 10}, False),
        ({"iat": LEEWAY - 10}, True),
        ({"iat": LEEWAY + 10}, False),
    ],
)
def test_clocks_may_differ_by_the_leeway_and_no_more(
    signer: Signing, changed: dict[str, int], *, comes_in: bool
) -> None:
    moments = {name: int(time.time()) + seconds for name, seconds in changed.items()}
    found = holder(issuer_at(signer.url), signer.signed(signer.claims(**moments)))
    assert (found is not None) is comes_in


@pytest.mark.parametrize("typ", ["JWT", "at+jwt", "application/at+JWT", None])
def test_kinds_of_jwts_that_are_taken(signer: Signing, typ: str | None) -> None:
    assert holder(issuer_at(signer.url), signer.signed(header={"typ": typ})) is not None


def test_without_a_key_id_the_only_key_for_its_algorithm_proves(signer: Signing) -> None:
    assert holder(issuer_at(signer.url), signer.signed(header={"kid": None})) is not None


def test_keys_may_lie_in_a_file(signer: Signing, tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    path.write_text(json.dumps({"keys": [public_row("ec")]}))
    issuer = issuer_at(signer.url, jwt_keys=str(path))
    before = len(signer.server.visits)
    assert holder(issuer, signer.signed(key="ec", algorithm="ES256")) is not None
    assert holder(issuer, signer.signed()) is None
    assert len(signer.server.visits) == before


# --- what proves nothing -----------------------------------------------------------------------------------


def public_pem() -> bytes:
    return bytes(private_key("rsa").public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))


def by_hmac(signer: Signing, secret: bytes) -> str:
    header = {"alg": "HS256", "typ": "JWT", "kid": "rsa"}
    content = json.dumps(signer.claims()).encode()
    return sealed(header, content, lambda text: hmac.new(secret, text, hashlib.sha256).digest())


def unsigned(signer: Signing, algorithm: str) -> str:
    return sealed({"alg": algorithm, "typ": "JWT", "kid": "rsa"}, json.dumps(signer.claims()).encode(), lambda _: b"")


def said_twice(signer: Signing) -> bytes:
    return json.dumps(signer.claims()).encode()[:-1] + b', "sub": "root"}'


def header_twice(signer: Signing) -> str:
    content = json.dumps(signer.claims()).encode()
    return sealed(b'{"alg":"RS256","kid":"rsa","alg":"none"}', content, lambda _: b"")


def with_other_content(signer: Signing) -> str:
    head, _, seal = signer.signed().split(".")
    return f"{head}.{packed(json.dumps(signer.claims(sub='root')).encode())}.{seal}"


def with_raw(signer: Signing, name: str, written: str) -> str:
    """A claim as it is written, also as JSON does not allow it."""
    content = json.dumps(signer.claims(**{name: "*"})).replace('"*"', written)
    return signer.signed(content.encode())


WORTHLESS: dict[str, Callable[[Signing], str]] = {
    "alg none": lambda it: unsigned(it, "none"),
    "alg NoNe": lambda it: unsigned(it, "NoNe"),
    "no alg": lambda it: it.signed(header={"alg": None}),
    "alg is a list": lambda it: it.signed(header={"alg": ["RS256"]}),
    "HS256 with the public key": lambda it: by_hmac(it, public_pem()),
    "HS256 with nothing": lambda it: by_hmac(it, b""),
    "an algorithm that is not the key's": lambda it: it.signed(algorithm="PS256"),
    "a key of another kind": lambda it: it.signed(header={"kid": "ec", "alg": "ES256"}),
    "a stranger's key": lambda it: it.signed(key="stranger", header={"kid": "rsa"}),
    "a stranger's key under its own name": lambda it: it.signed(key="stranger"),
    "other content": with_other_content,
    "no seal": lambda it: it.signed().rpartition(".")[0] + ".",
    "two parts": lambda it: it.signed().rpartition(".")[0],
    "four parts": lambda it: it.signed() + ".x",
    "a JWE": lambda it: ".".join([packed(b'{"alg":"RSA-OAEP","enc":"A256GCM"}'), *["AAAA"] * 4]),
    "a JWT in a JWT": lambda it: it.signed(it.signed().encode(), {"cty": "JWT"}),
    "another audience": lambda it: it.signed(it.claims(aud="other")),
    "audiences without ours": lambda it: it.signed(it.claims(aud=["other", "pincite2"])),
    "audience in a list of a list": lambda it: it.signed(it.claims(aud=[[AUDIENCE]])),
    "no audience": lambda it: it.signed(it.claims(aud=None)),
    "another issuer": lambda it: it.signed(it.claims(iss="https://example.org")),
    "the issuer with a slash": lambda it: it.signed(it.claims(iss=it.url + "/")),
    "no issuer": lambda it: it.signed(it.claims(iss=None)),
    "over": lambda it: it.signed(it.claims(exp=int(time.time()) - LEEWAY - 1)),
    "without end": lambda it: it.signed(it.claims(exp=None)),
    "an end in words": lambda it: it.signed(it.claims(exp=str(int(time.time()) + 300))),
    "an endless end": lambda it: with_raw(it, "exp", "Infinity"),
    "an end beyond numbers": lambda it: with_raw(it, "exp", "1e400"),
    "an end of 400 digits": lambda it: with_raw(it, "exp", "9" * 400),
    "an end of 10,000 digits": lambda it: with_raw(it, "exp", "9" * 10_000),
    "not yet": lambda it: it.signed(it.claims(nbf=int(time.time()) + LEEWAY + 60)),
    "of tomorrow": lambda it: it.signed(it.claims(iat=int(time.time()) + 86_400)),
    "no subject": lambda it: it.signed(it.claims(sub=None)),
    "an empty subject": lambda it: it.signed(it.claims(sub="")),
    "a subject of spaces": lambda it: it.signed(it.claims(sub="  ")),
    "a subject that is a number": lambda it: it.signed(it.claims(sub=7)),
    "a subject of two lines": lambda it: it.signed(it.claims(sub="ada\nWARNING root came in")),
    "a subject with half a letter": lambda it: it.signed(it.claims(sub="\ud800")),
    "a subject of 256 characters": lambda it: it.signed(it.claims(sub="a" * 256)),
    "a claim said twice": lambda it: it.signed(said_twice(it)),
    "a header said twice": header_twice,
    "groups that are numbers": lambda it: it.signed(it.claims(groups=[1, 2])),
    "groups that are a table": lambda it: it.signed(it.claims(groups={"board": True})),
    "groups with half a letter": lambda it: it.signed(it.claims(groups=["\udfff"])),
    "1,001 groups": lambda it: it.signed(it.claims(groups=["g"] * 1_001)),
    "10,000 groups": lambda it: it.signed(it.claims(groups=[f"g{number}" for number in range(10_000)])),
    "roles that are numbers": lambda it: it.signed(it.claims(roles=[1])),
    "kid that climbs": lambda it: it.signed(header={"kid": "../../../../dev/null"}),
    "kid with SQL": lambda it: it.signed(header={"kid": "rsa' OR '1'='1"}),
    "kid that is a number": lambda it: it.signed(header={"kid": 1}),
    "kid that is a table": lambda it: it.signed(header={"kid": {"rsa": 1}}),
    "b64 false": lambda it: it.signed(header={"b64": False, "crit": ["b64"]}),
    "crit": lambda it: it.signed(header={"crit": ["exp"], "exp": 1}),
    "crit of nothing": lambda it: it.signed(header={"crit": []}),
    "what says that somebody left": lambda it: it.signed(header={"typ": "logout+jwt"}),
    "a header that is a list": lambda it: sealed(b"[]", b"{}", lambda _: b""),
    "claims that are a list": lambda it: it.signed(b"[]"),
    "a deep header": lambda it: sealed(b"[" * 5_000, b"{}", lambda _: b""),
    "deep claims": lambda it: it.signed(b'{"a":' * 2_000),
    "no base64": lambda it: "~.!.?",
    "points": lambda it: "..",
    "seal with padding inside": lambda it: it.signed()[:-4] + "=A==",
    "a letter that is no ASCII": lambda it: it.signed()[:-1] + "\u00e4",
    "huge": lambda it: it.signed(it.claims(pad="x" * 20_000)),
}


@pytest.mark.parametrize("case", WORTHLESS)
def test_what_proves_nothing_lets_nobody_in_and_breaks_nothing(guarded: Served, signer: Signing, case: str) -> None:
    header = f"Bearer {WORTHLESS[case](signer)}".encode("latin-1")
    found = guarded.client.get("/api/documents", headers={b"Authorization": header})
    assert (found.status_code, found.json()["error"]["kind"]) == (401, "token")
    assert asked(guarded, signer.signed()).status_code == 200


@pytest.mark.parametrize("name", ["jku", "x5u", "jwk", "x5c", "x5t", "iss"])
def test_what_a_header_names_is_never_visited_and_never_believed(
    guarded: Served, signer: Signing, elsewhere: Visited, name: str
) -> None:
    url = elsewhere.url + "/keys.json"
    values = {"jwk": public_row("stranger"), "x5c": [url]}
    for kid in ("rsa", "stranger", url):
        secret = signer.signed(header={name: values.get(name, url), "kid": kid}, key="stranger")
        assert asked(guarded, secret).status_code == 401
    assert asked(guarded, signer.signed(header={name: values.get(name, url)})).status_code == 200
    assert elsewhere.connections == 0


# --- keys --------------------------------------------------------------------------------------------------


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def kept(signer: Signing, clock: Clock, url: str = "") -> Issuer:
    return Issuer(settings_for(signer.url), SigningKeys(lambda: fetched_json(url or signer.url + KEYS), clock))


def test_keys_are_fetched_once_for_minutes_whatever_names_are_made_up() -> None:
    clock = Clock()
    with signing() as signer:
        issuer = kept(signer, clock)
        for number in range(50):
            assert holder(issuer, signer.signed()) is not None
            assert holder(issuer, signer.signed(header={"kid": f"made-up-{number}"})) is None
        assert signer.server.visits == [KEYS]
        clock.now += REST_SECONDS
        for number in range(50):
            assert holder(issuer, signer.signed(header={"kid": f"made-up-{number}"})) is None
        assert signer.server.visits == [KEYS] * 2
        clock.now += KEPT_SECONDS
        assert holder(issuer, signer.signed()) is not None
        assert signer.server.visits == [KEYS] * 3


def test_a_new_key_counts_within_a_minute_and_one_taken_back_within_ten() -> None:
    clock = Clock()
    with signing() as signer:
        issuer = kept(signer, clock)
        assert holder(issuer, signer.signed()) is not None
        signer.server.put(KEYS, {"keys": [public_row("stranger")]})
        assert holder(issuer, signer.signed()) is not None
        clock.now += REST_SECONDS
        assert holder(issuer, signer.signed(key="stranger")) is not None
        assert holder(issuer, signer.signed()) is None


def test_who_is_of_another_issuer_makes_nobody_fetch_anything() -> None:
    with signing() as signer:
        issuer = kept(signer, Clock())
        for case in ("another issuer", "alg none", "HS256 with the public key", "a JWE", "crit", "huge", "points"):
            assert holder(issuer, WORTHLESS[case](signer)) is None
        assert signer.server.visits == []


def test_an_issuer_that_does_not_answer_is_told_and_tokens_work_on(
    signer: Signing, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with visited() as gone:
        pass
    issuer = issuer_at(signer.url, jwt_keys=gone.url + KEYS)
    with served(made_store(tmp_path / "docs"), issuer=issuer) as found, caplog.at_level(logging.WARNING):
        told = asked(found, signer.signed())
        assert (told.status_code, told.json()["error"]["kind"]) == (503, "service")
        assert "the issuer of JWTs does not answer" in told.json()["error"]["message"]
        assert told.headers["Retry-After"] == "5"
        assert gone.url not in told.text
        assert gone.url in caplog.text
        assert found.client.get("/api/documents", headers=found.headers("reader")).status_code == 200


def test_an_issuer_that_comes_back_is_believed_and_is_not_asked_by_every_request() -> None:
    clock = Clock()
    with signing() as signer:
        issuer = kept(signer, clock)
        keys = signer.server.pages.pop(KEYS)
        for _ in range(20):
            with pytest.raises(ServiceError, match="does not answer"):
                holder(issuer, signer.signed())
        assert signer.server.visits == [KEYS]
        signer.server.pages[KEYS] = keys
        clock.now += RETRY_SECONDS
        assert holder(issuer, signer.signed()) is not None


def test_an_issuer_that_is_silent_is_not_waited_for_long() -> None:
    with silent() as url, pytest.raises(ServiceError, match="when the time was up"):
        fetched(url + KEYS, seconds=0.2)


ODD_KEYS: dict[str, Any] = {
    "no table": [],
    "no keys": {},
    "keys that are a text": {"keys": "rsa"},
    "no JSON": b"<html>",
    "deep": b"[" * 100_000,
    "too much": b'{"keys": [' + b" " * 600_000 + b"]}",
    "rows that are none": {"keys": [1, None, "x", [], {}]},
    "a secret": {"keys": [{"kty": "oct", "kid": "rsa", "k": "c2VjcmV0"}]},
    "a key to encrypt with": {"keys": [public_row("rsa", use="enc")]},
    "a key to sign with": {"keys": [public_row("rsa", key_ops=["sign"])]},
    "operations that are a number": {"keys": [public_row("rsa", key_ops=5)]},
    "a private key": {"keys": [public_row("rsa", d="AQAB")]},
    "a kind that is a list": {"keys": [public_row("rsa", kty=["RSA"], alg=["RS256"])]},
    "a modulus that is a number": {"keys": [public_row("rsa", n=5)]},
    "HS256 on an RSA key": {"keys": [public_row("rsa", alg="HS256")]},
    "two of one name": {"keys": [public_row("rsa"), public_row("stranger", kid="rsa")]},
    "another curve": {"keys": [{"kty": "EC", "crv": "P-999", "kid": "rsa", "x": "AA", "y": "AA"}]},
}


@pytest.mark.parametrize("case", ODD_KEYS)
def test_keys_that_are_none_prove_nothing_and_break_nothing(signer: Signing, tmp_path: Path, case: str) -> None:
    with visited() as server:
        server.put(KEYS, ODD_KEYS[case])
        issuer = kept(signer, Clock(), server.url + KEYS)
        try:
            assert holder(issuer, signer.signed()) is None
        except ServiceError as error:
            assert "does not answer" in str(error)


def test_a_short_key_proves_nothing(signer: Signing) -> None:
    with visited() as server:
        server.put(KEYS, {"keys": [public_row("short")]})
        assert holder(kept(signer, Clock(), server.url + KEYS), signer.signed(key="short")) is None


# --- settings ----------------------------------------------------------------------------------------------


def test_settings_that_do_not_fit_are_told_at_the_start(signer: Signing, tmp_path: Path) -> None:
    for changed, told in (
        ({"jwt_roles": (("x", "owner"),)}, "no role owner: use reader, writer, admin"),
        ({"jwt_keys": str(tmp_path / "nothing.json")}, "cannot be read"),
        ({"jwt_keys": "http://keys.example.org/"}, "must begin with https://"),
        ({"jwt_issuer": "http://example.org"}, "must begin with https://"),
    ):
        with pytest.raises(SettingsError, match=told):
            issuer_at(signer.url, **changed) if "jwt_issuer" not in changed else issuer_at(changed["jwt_issuer"])
