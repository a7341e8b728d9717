"""A model behind HTTP: one way to ask it, and what goes wrong told in one line."""

from __future__ import annotations

from typing import Any

import httpx

from pincite.errors import ServiceError


class Service:
    """A model behind HTTP. `option` is what a user chooses another one by."""

    def __init__(self, base_url: str, model: str, key: str, *, timeout: float, option: str) -> None:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._client = httpx.Client(base_url=base_url.rstrip("/"), headers=headers, timeout=timeout)
        self._model = model
        self._option = option

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """The JSON that answers this body, to which the model's name is added; ServiceError where none comes."""
        where = f"{str(self._client.base_url).rstrip('/')}/{path.lstrip('/')}"
        try:
            response = self._client.post(path, json={"model": self._model} | body)
            response.raise_for_status()
            return response.json()
        except httpx.HTTPStatusError as error:
            raise ServiceError(
                f"{where} answered {error.response.status_code} for the model {self._model}: is the model there?"
            ) from error
        except (httpx.HTTPError, ValueError) as error:
            raise ServiceError(
                f"{where} does not answer ({error}): start it, or choose another {self._option}"
            ) from error
