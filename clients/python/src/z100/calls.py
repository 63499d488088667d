"""Calls: requests with retries, answers, and lists that are read page by page, with a client or an asynchronous one."""

from __future__ import annotations

import asyncio
import json
import random
import re
import time
from collections.abc import AsyncIterator, Generator, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import httpx

from .errors import ApiError, ConnectionFailed, RateLimit, rate_limit_in

Body = TypeVar("Body")
Row = TypeVar("Row")

#: Statuses after which another attempt can succeed.
PASSING = frozenset({408, 429, 500, 502, 503, 504})
FIRST_PAUSE_SECONDS = 0.5


class Sync:
    """Calls of a Client: read with `get()`, lists with `for`."""


class Async:
    """Calls of an AsyncClient: read with `await`, lists with `async for`."""


Mode = TypeVar("Mode", Sync, Async)


@dataclass(frozen=True)
class Answer(Generic[Body]):
    """An answer. The figures beside `body` come from its headers."""

    body: Body
    #: Rows of the whole list; None: not a list.
    total: int | None
    #: The snapshot that the figures are of.
    snapshot_id: str | None
    #: The last block that the figures include.
    data_block: int | None
    #: Path and query of the next page; None: this is the last one.
    next: str | None
    #: What is left of this hour's limit; None: the answer does not state it.
    rate_limit: RateLimit | None
    headers: httpx.Headers


@dataclass(frozen=True)
class Transport:
    """What requests are sent with. All times in seconds: of one attempt, and of all waits between attempts."""

    http: httpx.Client | httpx.AsyncClient
    timeout_seconds: float
    max_retries: int
    max_wait_seconds: float


class Call(Generic[Body, Mode]):
    """A request that is sent by `get()`, or by `await` with an AsyncClient. Both raise ApiError and ConnectionFailed."""

    def __init__(self, transport: Transport, address: str, query: dict[str, Any]) -> None:
        self._transport = transport
        self._address = address
        self._query = {name: _text(value) for name, value in query.items() if value is not None}

    def get(self: Call[Body, Sync]) -> Answer[Body]:
        """One answer."""
        return _read(self._transport, self._address, self._query)

    def __await__(self: Call[Body, Async]) -> Generator[Any, None, Answer[Body]]:
        return _read_async(self._transport, self._address, self._query).__await__()


class ListCall(Call[list[Row], Mode], Generic[Row, Mode]):
    """A list: `get()` or `await` reads one page, iterating reads all, from the snapshot of the first page."""

    def __iter__(self: ListCall[Row, Sync]) -> Iterator[Row]:
        answer = self.get()
        yield from answer.body
        while answer.next is not None:
            answer = _read(self._transport, answer.next, None)
            yield from answer.body

    async def __aiter__(self: ListCall[Row, Async]) -> AsyncIterator[Row]:
        answer = await self
        for row in answer.body:
            yield row
        while answer.next is not None:
            answer = await _read_async(self._transport, answer.next, None)
            for row in answer.body:
                yield row


class Resource(Generic[Mode]):
    """Operations that belong together."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def _call(self, path: str, query: dict[str, Any]) -> Any:
        # A list can be iterated, any other call only read; their methods say which it is.
        call: Call[Any, Mode] = ListCall(self._transport, path, query)
        return call


def _read(transport: Transport, address: str, query: dict[str, str] | None) -> Answer[Any]:
    """Sends a GET request; tries again after a failure that may pass, as late as Retry-After says."""
    attempts = _Attempts(transport)
    while True:
        try:
            return _once(transport, address, query)
        except (ApiError, ConnectionFailed) as error:
            pause = attempts.pause_after(error)
        time.sleep(pause)


async def _read_async(transport: Transport, address: str, query: dict[str, str] | None) -> Answer[Any]:
    attempts = _Attempts(transport)
    while True:
        try:
            return await _once_async(transport, address, query)
        except (ApiError, ConnectionFailed) as error:
            pause = attempts.pause_after(error)
        await asyncio.sleep(pause)


def _once(transport: Transport, address: str, query: dict[str, str] | None) -> Answer[Any]:
    http, seconds = transport.http, transport.timeout_seconds
    if not isinstance(http, httpx.Client):
        raise TypeError("A call of an AsyncClient is awaited, or iterated with `async for`.")
    deadline = time.monotonic() + seconds
    content = bytearray()
    try:
        with http.stream("GET", address, params=query) as response:
            for chunk in response.iter_bytes():
                content += chunk
                # httpx only limits the time between two chunks.
                if time.monotonic() > deadline:
                    raise ConnectionFailed(_late(seconds))
    except httpx.TimeoutException as error:
        raise ConnectionFailed(_late(seconds)) from error
    except httpx.RequestError as error:
        raise ConnectionFailed(_unreachable(error)) from error
    return _answer(response, content.decode("utf-8", "replace"))


async def _once_async(transport: Transport, address: str, query: dict[str, str] | None) -> Answer[Any]:
    http, seconds = transport.http, transport.timeout_seconds
    if not isinstance(http, httpx.AsyncClient):
        raise TypeError("A call of a Client is read with `get()`, or iterated with `for`.")
    try:
        response = await asyncio.wait_for(http.get(address, params=query), seconds)
    except (httpx.TimeoutException, asyncio.TimeoutError) as error:
        raise ConnectionFailed(_late(seconds)) from error
    except httpx.RequestError as error:
        raise ConnectionFailed(_unreachable(error)) from error
    return _answer(response, response.content.decode("utf-8", "replace"))


def _late(seconds: float) -> str:
    return f"The service gave no answer in {seconds:g} seconds."


def _unreachable(error: httpx.RequestError) -> str:
    return f"No answer was received: {error or type(error).__name__}"


def _answer(response: httpx.Response, text: str) -> Answer[Any]:
    """The answer in a response. Raises ApiError for a refusal, and for a body that is not JSON."""
    if response.status_code != 200:
        raise ApiError(response, text)
    try:
        body = json.loads(text)
    except ValueError as error:
        raise ApiError(response, text) from error
    headers = response.headers
    return Answer(
        body=body,
        total=_number(headers.get("x-total-count")),
        snapshot_id=headers.get("x-snapshot-id"),
        data_block=_number(headers.get("x-data-block")),
        next=_next_in(headers.get("link", "")),
        rate_limit=rate_limit_in(headers),
        headers=headers,
    )


class _Attempts:
    """The attempts of one call."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._count = 0
        self._waited = 0.0

    def pause_after(self, error: ApiError | ConnectionFailed) -> float:
        """Seconds before the next attempt. Raises the error if another attempt cannot help, or would come too late."""
        if isinstance(error, ApiError) and error.status not in PASSING:
            raise error
        told = error.retry_after_seconds if isinstance(error, ApiError) else None
        pause = FIRST_PAUSE_SECONDS * float(2**self._count) * random.uniform(0.5, 1) if told is None else told
        self._count += 1
        self._waited += pause
        if self._count > self._transport.max_retries or self._waited > self._transport.max_wait_seconds:
            raise error
        return pause


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _number(value: str | None) -> int | None:
    return None if value is None else int(value)


def _next_in(link: str) -> str | None:
    """The address with rel="next" in a Link header (RFC 8288)."""
    for address, parameters in re.findall(r"<([^>]*)>([^<]*)", link):
        if re.search(r';\s*rel="?next"?', parameters):
            return str(address)
    return None
