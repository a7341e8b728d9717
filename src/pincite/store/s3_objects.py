"""Objects in S3, or in whatever speaks its API, through boto3."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any

from pincite.errors import PinciteError, ReadError, ServiceError, UsageError
from pincite.installing import install_extra
from pincite.ports import StoredObject
from pincite.printing import printed_name
from pincite.records.sources import OBJECT_SCHEME
from pincite.settings import Settings

NEEDED = "S3 needs a package that is not installed: run {}"
PIECE_BYTES = 1 << 20
CONNECT_SECONDS = 5
SILENT_SECONDS = 20
ATTEMPTS = 3
"""All three by eye, not measured."""
LEAST_LOGGED = logging.INFO
"""Below it boto3 logs what it signs and the signatures: a reader of that log would have the links."""
_BUCKET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{1,254}", re.ASCII)
GONE = frozenset({"404", "NoSuchKey"})
CHANGED = frozenset({"412", "PreconditionFailed", "ConditionalRequestConflict"})
CLOSED = frozenset({"403", "AccessDenied"})
WRONG_KEY = frozenset(
    {
        "SignatureDoesNotMatch",
        "InvalidAccessKeyId",
        "InvalidToken",
        "ExpiredToken",
        "AuthorizationHeaderMalformed",
        "401",
    }
)


class S3Objects:
    """The buckets that a key opens. The address of the service comes from settings alone, the name of a bucket never
    says another."""

    def __init__(self, settings: Settings) -> None:
        try:
            import boto3
            from botocore.config import Config
            from botocore.exceptions import BotoCoreError
        except ModuleNotFoundError as error:
            raise ServiceError(NEEDED.format(install_extra("s3"))) from error
        logging.getLogger("botocore").setLevel(LEAST_LOGGED)
        self._service = settings.s3_endpoint or "S3"
        config = Config(
            signature_version="s3v4",
            connect_timeout=CONNECT_SECONDS,
            read_timeout=SILENT_SECONDS,
            retries={"mode": "standard", "total_max_attempts": ATTEMPTS},
            s3={"addressing_style": "path" if settings.s3_endpoint else "auto"},
            response_checksum_validation="when_required",
        )
        try:
            self._client: Any = boto3.session.Session().client(
                "s3",
                endpoint_url=settings.s3_endpoint or None,
                region_name=settings.s3_region or None,
                aws_access_key_id=settings.s3_key_id or None,
                aws_secret_access_key=settings.s3_secret or None,
                config=config,
            )
        except (BotoCoreError, ValueError) as error:
            raise ServiceError(f"S3 cannot be asked: {_one_line(error)}") from error

    def objects(self, prefix: str) -> Iterator[StoredObject]:
        """All objects whose addresses begin with this, a thousand a request."""
        bucket, beginning = split_address(prefix)
        try:
            with self._translated(bucket):
                for page in self._client.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=beginning):
                    for item in page.get("Contents", ()):
                        yield _stored(bucket, item["Key"], item["Size"], item["ETag"], item["LastModified"])
        except ReadError as error:
            raise ServiceError(f"{OBJECT_SCHEME}{bucket} cannot be listed: it {error}") from error

    def find(self, address: str) -> StoredObject | None:
        """What a HEAD request tells of it."""
        bucket, key = split_address(address)
        try:
            with self._translated(bucket):
                found = self._client.head_object(Bucket=bucket, Key=key)
        except _GoneError:
            return None
        return _stored(bucket, key, found["ContentLength"], found["ETag"], found["LastModified"])

    def fetch(self, wanted: StoredObject, path: Path) -> None:
        """Write its bytes to `path`; the service is required to send exactly those."""
        bucket, key = split_address(wanted.address)
        with self._translated(bucket):
            body = self._client.get_object(Bucket=bucket, Key=key, IfMatch=f'"{wanted.stamp}"')["Body"]
            try:
                with path.open("wb") as file:
                    for piece in body.iter_chunks(PIECE_BYTES):
                        file.write(piece)
            finally:
                body.close()

    def put(self, address: str, path: Path, *, replacing: StoredObject | None) -> bool:
        """One request, on the condition that the object is the one that was seen, or that there is none."""
        bucket, key = split_address(address)
        condition = {"IfNoneMatch": "*"} if replacing is None else {"IfMatch": f'"{replacing.stamp}"'}
        try:
            with self._translated(bucket), path.open("rb") as file:
                self._client.put_object(Bucket=bucket, Key=key, Body=file, **condition)
        except _ChangedError:
            return False
        return True

    def remove(self, address: str) -> None:
        """A DELETE request, which does nothing where there is nothing."""
        bucket, key = split_address(address)
        with self._translated(bucket):
            self._client.delete_object(Bucket=bucket, Key=key)

    def link(self, address: str, *, seconds: int, as_pdf: bool) -> str:
        """A presigned URL; it takes no request."""
        bucket, key = split_address(address)
        shown = {"ResponseContentType": "application/pdf", "ResponseContentDisposition": "inline"}
        saved = {"ResponseContentType": "application/octet-stream", "ResponseContentDisposition": "attachment"}
        wanted = {"Bucket": bucket, "Key": key, **(shown if as_pdf else saved)}
        with self._translated(bucket):
            return str(self._client.generate_presigned_url("get_object", Params=wanted, ExpiresIn=seconds))

    @contextmanager
    def _translated(self, bucket: str) -> Iterator[None]:
        """What boto3 raises, as pincite's own errors."""
        from botocore.exceptions import BotoCoreError, ClientError

        try:
            yield
        except ClientError as error:
            raise self._error_of(error.response, bucket) from error
        except BotoCoreError as error:
            raise ServiceError(f"{self._service} does not answer: {_one_line(error)}") from error
        except OSError as error:
            raise ReadError(f"cannot be copied: {error.strerror or error}") from error

    def _error_of(self, response: Mapping[str, Any], bucket: str) -> PinciteError:
        """What was answered in place of an object; that it is asked too often, or fails, is no matter of this one."""
        code = str(response.get("Error", {}).get("Code", ""))
        status = int(response.get("ResponseMetadata", {}).get("HTTPStatusCode", HTTPStatus.BAD_GATEWAY))
        if code == "NoSuchBucket":
            return ServiceError(f"{self._service} has no bucket {bucket}: look at its name and at s3_endpoint")
        if code in WRONG_KEY:
            return ServiceError(f"{self._service} refuses the key ({code}): look at s3_key_id, s3_secret, s3_region")
        if code in GONE:
            return _GoneError("is gone since it was listed")
        if code in CHANGED:
            return _ChangedError("was changed while it was to be fetched: index it again")
        if code in CLOSED:
            return ReadError(f"is closed to this key ({code})")
        if 400 <= status < 500 and status != HTTPStatus.TOO_MANY_REQUESTS:
            return ReadError(f"is not given out ({code})")
        return ServiceError(f"{self._service} does not do what it is asked ({code}): try again later")


class _ChangedError(ReadError):
    """The object is another one, or there is one where none should be."""


class _GoneError(ReadError):
    """There is no such object."""


def split_address(address: str) -> tuple[str, str]:
    """Bucket and key of an address; UsageError where the bucket has no name of one: boto3 takes more for one, and asks
    elsewhere then."""
    bucket, _, key = address.removeprefix(OBJECT_SCHEME).partition("/")
    if not address.startswith(OBJECT_SCHEME) or not _BUCKET.fullmatch(bucket):
        raise UsageError(f"{printed_name(address)} is no address of an object: write s3://BUCKET/KEY")
    return bucket, key


def _stored(bucket: str, key: str, size: int, tag: str, modified: datetime) -> StoredObject:
    return StoredObject(f"{OBJECT_SCHEME}{bucket}/{key}", size, tag.strip('"'), int(modified.timestamp()) * 10**9)


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
