"""An S3 server of this machine that checks signatures: moto's, in a process of its own.

moto checks what is signed in headers (INITIAL_NO_AUTH_ACTION_COUNT) and not what is signed in a URL; that is checked
here in front of it, after Amazon's own description of signature version 4, and signed anew for moto.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from pincite.settings import Settings

SET_UP_CALLS = 3
REGION = "eu-central-1"
ROOT = Path(__file__).parents[2]
TRICKS = "/-tricks"
"""The path of what tests do to the server beside S3."""
Wsgi = Callable[[dict[str, Any], Any], Iterable[bytes]]


@dataclass(frozen=True)
class S3Server:
    """Its address and a key that opens everything."""

    endpoint: str
    key_id: str
    secret: str

    def settings(self, **others: Any) -> Settings:
        """Settings that name it, for indexing by keywords alone."""
        given = {"s3_endpoint": self.endpoint, "s3_region": REGION, "s3_key_id": self.key_id, "s3_secret": self.secret}
        return Settings(**{"embedder": "none", "ocr": "never", "workers": 1, **given, **others})

    def client(self) -> Any:
        """A client for tests that change what lies there."""
        return self._client

    @cached_property
    def _client(self) -> Any:
        import boto3
        from botocore.config import Config

        return boto3.session.Session().client(
            "s3",
            endpoint_url=self.endpoint,
            region_name=REGION,
            aws_access_key_id=self.key_id,
            aws_secret_access_key=self.secret,
            config=Config(signature_version="s3v4", s3={"addressing_style": "path"}),
        )

    def put(self, bucket: str, objects: Mapping[str, bytes]) -> None:
        """Make a bucket that holds exactly these objects."""
        self.trick("fresh", bucket)
        client = self.client()
        for key, content in objects.items():
            client.put_object(Bucket=bucket, Key=key, Body=content)

    def fetched(self) -> list[str]:
        """The paths of the objects that were fetched since this was asked last."""
        paths: list[str] = json.loads(self.trick("fetched"))
        return paths

    def trick(self, name: str, what: str = "") -> bytes:
        """`fresh`: an empty bucket of this name; `fill`: five thousand objects in it; `fail`, `deny`, `keep`: requests
        whose URLs hold this fail, are denied, or are kept waiting, until another is named; `fetched`: see above."""
        with urllib.request.urlopen(f"{self.endpoint}{TRICKS}/{name}?{quote(what)}", timeout=60) as answer:
            found: bytes = answer.read()
        return found


@contextmanager
def s3_server(errors: Path) -> Iterator[S3Server]:
    """A server until the end of the block; what it says of errors goes into a file. Meanwhile clients share what they
    read of the descriptions of services, most of the time that it takes to make one."""
    import pytest
    from botocore import loaders, session

    loader = loaders.create_loader()
    modules = os.pathsep.join(filter(None, sys.path))
    environment = {"INITIAL_NO_AUTH_ACTION_COUNT": str(SET_UP_CALLS), "PYTHONPATH": modules}
    command = [sys.executable, "-m", "tests.support.s3_server"]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with (
        errors.open("w") as log,
        subprocess.Popen(command, cwd=ROOT, env=environment, stderr=log, **pipes) as process,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(session, "create_loader", lambda _: loader)
        assert process.stdout is not None
        try:
            yield S3Server(**json.loads(process.stdout.readline()))
        finally:
            process.kill()


class Front:
    """Checks presigned URLs, notes what is fetched, fails where it is told to."""

    def __init__(self, server: Wsgi) -> None:
        self._server = server
        self._fetched: list[str] = []
        self._marks = {"fail": "", "deny": "", "keep": ""}
        self.key_id = self.secret = ""

    def __call__(self, environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        path, query = environ["RAW_URI"].partition("?")[::2]
        if path.startswith(TRICKS):
            return _answered(start, "200 OK", self._trick(path.rpartition("/")[2], unquote(query)))
        is_object = environ["REQUEST_METHOD"] == "GET" and path.count("/") > 1
        if is_object:
            self._fetched.append(unquote(path))
        while self._marks["keep"] and self._marks["keep"] in unquote(environ["RAW_URI"]):
            time.sleep(0.02)
        for name, status, code in (("fail", "503 Slow Down", "SlowDown"), ("deny", "403 Forbidden", "AccessDenied")):
            if self._marks[name] and self._marks[name] in unquote(environ["RAW_URI"]):
                return _answered(start, status, f"<Error><Code>{code}</Code></Error>".encode())
        if "X-Amz-Signature=" in query:
            if problem := self._problem(environ, path, query):
                return _answered(start, "403 Forbidden", f"<Error><Code>{problem}</Code></Error>".encode())
            environ.update(self._signed(environ))
        return self._server(environ, start)

    def _trick(self, name: str, what: str) -> bytes:
        from moto.s3.models import s3_backends

        backend = s3_backends["123456789012"]["aws"]
        if name in self._marks:
            self._marks[name] = what
        if name == "fresh":
            if what in backend.buckets:
                backend.buckets[what].keys.clear()
            else:
                backend.create_bucket(what, REGION)
        if name == "fill":
            for number in range(5000):
                backend.put_object(what, f"many/{number}.bin", b"x")
        fetched, self._fetched = self._fetched, [] if name == "fetched" else self._fetched
        return json.dumps(fetched).encode()

    def _problem(self, environ: Mapping[str, Any], path: str, query: str) -> str | None:
        """Why this presigned URL is not taken."""
        pairs = [item.partition("=")[::2] for item in query.split("&")]
        given = {name: unquote(value) for name, value in pairs}
        if given["X-Amz-Credential"].partition("/")[0] != self.key_id:
            return "InvalidAccessKeyId"
        canonical = "\n".join(
            (
                environ["REQUEST_METHOD"],
                path,
                "&".join(f"{name}={value}" for name, value in sorted(pairs) if name != "X-Amz-Signature"),
                f"host:{environ['HTTP_HOST']}",
                "",
                given["X-Amz-SignedHeaders"],
                "UNSIGNED-PAYLOAD",
            )
        )
        scope = given["X-Amz-Credential"].partition("/")[2]
        digest = hashlib.sha256(canonical.encode()).hexdigest()
        told = "\n".join(("AWS4-HMAC-SHA256", given["X-Amz-Date"], scope, digest))
        key = f"AWS4{self.secret}".encode()
        for part in scope.split("/"):
            key = hmac.digest(key, part.encode(), "sha256")
        if not hmac.compare_digest(hmac.digest(key, told.encode(), "sha256").hex(), given["X-Amz-Signature"]):
            return "SignatureDoesNotMatch"
        signed = datetime.strptime(given["X-Amz-Date"], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
        age = (datetime.now(UTC) - signed).total_seconds()
        return None if age < int(given["X-Amz-Expires"]) else "AccessDenied"

    def _signed(self, environ: Mapping[str, Any]) -> dict[str, str]:
        """The headers with which moto takes the request."""
        from botocore.auth import S3SigV4Auth
        from botocore.awsrequest import AWSRequest
        from botocore.credentials import Credentials

        request = AWSRequest("GET", f"http://{environ['HTTP_HOST']}{environ['RAW_URI']}", data=b"")
        S3SigV4Auth(Credentials(self.key_id, self.secret), "s3", REGION).add_auth(request)
        return {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in request.headers.items()}


def _answered(start: Any, status: str, content: bytes) -> Iterable[bytes]:
    start(status, [("Content-Type", "application/xml"), ("Content-Length", str(len(content)))])
    return [content]


def main() -> None:
    """Serve until somebody kills it; the first line of the output says how it is asked."""
    import boto3
    from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
    from werkzeug.serving import make_server

    front = Front(DomainDispatcherApplication(create_backend_app))
    server = make_server("127.0.0.1", 0, front, threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    endpoint = f"http://127.0.0.1:{server.server_port}"
    iam = boto3.session.Session().client(
        "iam", endpoint_url=endpoint, region_name=REGION, aws_access_key_id="a", aws_secret_access_key="b"
    )
    everything = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}
    iam.create_user(UserName="reader")
    iam.put_user_policy(UserName="reader", PolicyName="all", PolicyDocument=json.dumps(everything))
    made = iam.create_access_key(UserName="reader")["AccessKey"]
    front.key_id, front.secret = made["AccessKeyId"], made["SecretAccessKey"]
    sys.stdout.write(json.dumps({"endpoint": endpoint, "key_id": front.key_id, "secret": front.secret}) + "\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
