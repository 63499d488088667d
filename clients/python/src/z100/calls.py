"""Calls: requests with retries, answers, and lists that are read page by page."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import httpx

from .errors import ApiError, ConnectionFailed

Body = TypeVar("Body")
Row = TypeVar("Row")

#: Statuses after which another attempt can succeed.
PASSING = frozenset({408, 429, 500, 502, 503, 504})
FIRST_PAUSE_SECONDS = 0.5


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
    headers: httpx.Headers


@dataclass(frozen=True)
class Attempts:
    """How often a request is tried, and how long the client waits between attempts in all, in seconds."""

    max_retries: int = 2
    max_wait_seconds: float = 60


class Call(Generic[Body]):
    """A request that is sent by `get`."""

    def __init__(self, http: httpx.Client, attempts: Attempts, address: str, query: dict[str, Any]) -> None:
        self._http = http
        self._attempts = attempts
        self._address = address
        self._query = {name: _text(value) for name, value in query.items() if value is not None}

    def get(self) -> Answer[Body]:
        """One answer. Raises ApiError and ConnectionFailed."""
        return self._answer(self._address, self._query)

    def _answer(self, address: str, query: dict[str, str] | None) -> Answer[Any]:
        response = send(self._http, self._attempts, address, query)
        headers = response.headers
        return Answer(
            body=response.json(),
            total=_number(headers.get("x-total-count")),
            snapshot_id=headers.get("x-snapshot-id"),
            data_block=_number(headers.get("x-data-block")),
            next=_next_in(headers.get("link", "")),
            headers=headers,
        )


class ListCall(Call[list[Row]]):
    """A list: `get` reads one page, iterating reads all, from the snapshot of the first page."""

    def __iter__(self) -> Iterator[Row]:
        answer = self.get()
        yield from answer.body
        while answer.next is not None:
            answer = self._answer(answer.next, None)
            yield from answer.body


def send(http: httpx.Client, attempts: Attempts, address: str, query: dict[str, str] | None) -> httpx.Response:
    """Sends a GET request; tries again after a failure that may pass, as late as Retry-After says."""
    waited = 0.0
    for attempt in range(attempts.max_retries + 1):
        try:
            return _once(http, address, query)
        except (ApiError, ConnectionFailed) as error:
            pause = _pause_after(error, attempt)
            if pause is None or attempt == attempts.max_retries or waited + pause > attempts.max_wait_seconds:
                raise
        waited += pause
        time.sleep(pause)
    raise AssertionError("The last attempt returns or raises.")


def _once(http: httpx.Client, address: str, query: dict[str, str] | None) -> httpx.Response:
    try:
        response = http.get(address, params=query)
    except httpx.TransportError as error:
        raise ConnectionFailed(f"No answer was received: {error or type(error).__name__}") from error
    if response.status_code != 200:
        raise ApiError(response)
    return response


def _pause_after(error: ApiError | ConnectionFailed, attempt: int) -> float | None:
    """Seconds before the next attempt; None: another attempt cannot help."""
    if isinstance(error, ApiError):
        if error.status not in PASSING:
            return None
        if error.retry_after_seconds is not None:
            return error.retry_after_seconds
    return FIRST_PAUSE_SECONDS * float(2**attempt) * random.uniform(0.5, 1)


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
