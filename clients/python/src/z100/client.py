"""The client."""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType
from typing import Any

import httpx

from .calls import Attempts, Call, ListCall
from .operations import Operations
from .stream import StreamEvent, events


class Client(Operations):
    """A client of the API and its stream; a method for each operation.

    base_url: `https://api.example.com`, without /v1. key: without it only operations that need no key are answered.
    timeout_seconds: of one attempt. The key is not shown when the client is printed.
    """

    def __init__(
        self,
        base_url: str,
        key: str | None = None,
        *,
        timeout_seconds: float = 30,
        max_retries: int = 2,
        max_wait_seconds: float = 60,
    ) -> None:
        headers = {"Accept": "application/json"} | ({} if key is None else {"Authorization": f"Bearer {key}"})
        self._base_url = base_url.rstrip("/")
        self._attempts = Attempts(max_retries, max_wait_seconds)
        self._http = httpx.Client(base_url=self._base_url, headers=headers, timeout=timeout_seconds)

    def _call(self, path: str, query: dict[str, Any]) -> Any:
        # A list can be iterated, any other call only read; their methods say which it is.
        call: Call[Any] = ListCall(self._http, self._attempts, path, query)
        return call

    def stream(
        self,
        *,
        last_event_id: str | None = None,
        filter: dict[str, str | int | float] | None = None,
    ) -> Iterator[StreamEvent]:
        """The live stream, which reconnects and resumes by itself. Without an id it begins now."""
        return events(self._base_url, last_event_id, filter or {})

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
