"""The errors of pincite: each says what went wrong, with which values, and what to do next.

PinciteError
├── UsageError      wrong use (exit 2)
│   ├── SettingsError  a setting that is unknown or has a wrong value (exit 2)
│   ├── NotThereError  a document or place that the store does not hold (exit 1)
│   └── TooLongError   a text that is longer than what is read of it (exit 2)
├── StoreError      a store that cannot be used as it is (exit 3)
│   ├── HeldError      a store that another process is writing (exit 3)
│   └── ClosedError    a store or an index that was closed is asked (exit 3)
├── ServiceError    a service or model that is needed and missing (exit 4)
│   └── PromptTooLongError  a prompt that does not fit into the context of a language model (exit 4)
└── ReadError       a source that cannot be read; it becomes `refused (reason)` (exit 1)
"""

from __future__ import annotations


class PinciteError(Exception):
    """Base of all errors that pincite raises on purpose. The message is one line: what, values, what to do."""

    exit_code = 3


class UsageError(PinciteError):
    """The caller asked for something that cannot be done as asked."""

    exit_code = 2


class SettingsError(UsageError):
    """A setting is unknown or has a value that cannot be."""


class NotThereError(UsageError):
    """The store does not hold the document or the place that was asked for."""

    exit_code = 1


class TooLongError(UsageError):
    """A text is longer than what is read of it."""


class StoreError(PinciteError):
    """The store is missing, locked, damaged, of another version, or out of space."""

    exit_code = 3


class HeldError(StoreError):
    """Another process holds the store's writer lock, which ends with it at the latest; `holder` names it."""

    def __init__(self, holder: str) -> None:
        super().__init__(holder)
        self.holder = holder

    def __str__(self) -> str:
        return f"the store is being written by {self.holder}: wait until it has finished, or stop it"


class ClosedError(StoreError):
    """A store or an index is asked after it was closed: whoever closed it still had questions to it."""

    @classmethod
    def of(cls, place: object) -> ClosedError:
        """Of the store or the index in this place."""
        return cls(f"{place} was closed and is asked after that: open it again, and close it when nobody asks")


class ServiceError(PinciteError):
    """A model or service that the settings ask for is missing or does not answer."""

    exit_code = 4


class PromptTooLongError(ServiceError):
    """A prompt and the answer to it do not fit into the context of a language model."""


class ReadError(PinciteError):
    """A source cannot be read. The message is the reason that the report prints."""

    exit_code = 1


def comes_of_interruption(error: BaseException | None) -> bool:
    """Whether an interruption lies behind an error: a library that is interrupted while it loads says it in its way."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None
