"""Plain values as JSON."""

from __future__ import annotations

import json
from typing import Any

from pydantic_core import PydanticSerializationError, to_json


def encoded(value: Any) -> bytes:
    """JSON in UTF-8; half a surrogate pair, which some file names hold, as its escape."""
    try:
        return to_json(value)
    except PydanticSerializationError:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")
