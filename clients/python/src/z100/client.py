"""The clients: one for programs that wait for each answer, one for asyncio."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx

from .calls import Async, Sync, Transport
from .operations import VERSION, Resources
from .stream import StreamEvent, events, events_async


class Client(Resources[Sync]):
    """A client of the API and its stream: `client.boards.creators().get()`, or `for row in client.boards.creators()`.

    base_url: `https://api.example.com`, without /v1. api_key: by default the environment's Z100_API_KEY; "" for none, so
    that only operations that need none are answered. timeout_seconds: of one attempt, with its body. The key is not shown
    when the client is printed.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str | None = None,
        *,
        timeout_seconds: float = 30,
        max_retries: int = 2,
        max_wait_seconds: float = 60,
    ) -> None:
        self._base_url = base_url.rstrip("/")
        self._http = httpx.Client(base_url=self._base_url, headers=_headers(api_key), timeout=timeout_seconds)
        super().__init__(Transport(self._http, timeout_seconds, max_retries, max_wait_seconds))

    def stream(
        self, *, last_event_id: str | None = None, filter: dict[str, str | int | float] | None = None
    ) -> Iterator[StreamEvent]:
        """The live stream, which reconnects and resumes by itself. Without an id it begins now."""
        return events(self._base_url, last_event_id, filter or {})

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


class AsyncClient(Resources[Async]):
    """The same for asyncio: `await client.boards.creators()`, or `async for row in client.boards.creators()`."""

    def __init__(
        self,
        base_url: str,
        api_key: str | None = None,
        *,
        timeout_seconds: float = 30,
        max_retries: int = 2,
        max_wait_seconds: float = 60,
    ) -> None:
        self._base_url = base_url.rstrip("/")
        self._http = httpx.AsyncClient(base_url=self._base_url, headers=_headers(api_key), timeout=timeout_seconds)
        super().__init__(Transport(self._http, timeout_seconds, max_retries, max_wait_seconds))

    def stream(
        self, *, last_event_id: str | None = None, filter: dict[str, str | int | float] | None = None
    ) -> AsyncIterator[StreamEvent]:
        """The live stream, which reconnects and resumes by itself. Without an id it begins now."""
        return events_async(self._base_url, last_event_id, filter or {})

    async def close(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()


def _headers(api_key: str | None) -> dict[str, str]:
    key = os.environ.get("Z100_API_KEY", "") if api_key is None else api_key
    own = {"Accept": "application/json", "X-Client": f"z100-python/{VERSION}"}
    return own | ({"Authorization": f"Bearer {key}"} if key else {})
