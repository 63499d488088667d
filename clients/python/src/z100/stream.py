"""The live stream of swaps."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from typing import Any, Union

import httpx

from .errors import ApiError
from .operations import Swap

#: Pause before a reconnection unless the server asks for another.
RETRY_SECONDS = 3.0
#: Longest silence until `ready` says how often something is sent.
FIRST_SILENCE_SECONDS = 45.0
#: Heartbeats that may be missing before a connection counts as dead.
HEARTBEATS_MISSED = 3
#: Received swaps and launches that are remembered so that a retraction can list them.
REMEMBERED = 20_000


@dataclass(frozen=True)
class SwapEvent:
    """A swap; it can be undone until it is confirmed."""

    id: str
    swap: Swap


@dataclass(frozen=True)
class LaunchEvent:
    """A token was launched; sent to who asks with `events="swap,launch"`. It can be undone until it is confirmed."""

    id: str
    launch: dict[str, Any]


@dataclass(frozen=True)
class Retract:
    """A block was replaced: `swaps` and `launches` are those received of it, which count no more."""

    id: str
    block_hash: str
    swaps: list[Swap]
    launches: list[dict[str, Any]]


@dataclass(frozen=True)
class Resync:
    """Swaps may be missing before this point, because the id was too old."""

    id: str
    reason: str


@dataclass(frozen=True)
class Open:
    """The connection is made."""

    id: str


@dataclass(frozen=True)
class Waiting:
    """The connection was lost and is about to be made again."""

    id: str
    error: Exception | None


StreamEvent = Union[SwapEvent, LaunchEvent, Retract, Resync, Open, Waiting]


@dataclass
class _Parser:
    """Parser of a text/event-stream, line by line, as the HTML Standard has it (section 9.2.6)."""

    id: str = ""
    retry_seconds: float | None = None
    _name: str = ""
    _data: list[str] = field(default_factory=list)

    def take(self, line: str) -> tuple[str, str, str] | None:
        """The event that the line completes: name, data and id."""
        if line == "":
            event = (self._name or "message", "\n".join(self._data), self.id) if self._data else None
            self._name, self._data = "", []
            return event
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "event":
            self._name = value
        elif name == "id" and "\0" not in value:
            self.id = value
        elif name == "retry" and value.isdigit():
            self.retry_seconds = int(value) / 1_000
        return None


class _Received:
    """The swaps and launches received of each block, oldest block first."""

    def __init__(self) -> None:
        self._blocks: OrderedDict[str, tuple[list[Swap], list[dict[str, Any]]]] = OrderedDict()
        self._count = 0

    def take(self, name: str, data: str, id: str) -> StreamEvent | None:
        """What an event is to the reader; None: nothing."""
        content = json.loads(data)
        if name == "message":
            self._block(content["block_hash"])[0].append(content)
            self._limit()
            return SwapEvent(id, content)
        if name == "launch":
            self._block(content["block_hash"])[1].append(content)
            self._limit()
            return LaunchEvent(id, content)
        if name == "retract":
            return Retract(id, content["block_hash"], *self._forget(content["block_hash"]))
        if name == "resync":
            return Resync(id, content["reason"])
        return Open(id) if name == "ready" else None

    def _block(self, block_hash: str) -> tuple[list[Swap], list[dict[str, Any]]]:
        return self._blocks.setdefault(block_hash, ([], []))

    def _forget(self, block_hash: str) -> tuple[list[Swap], list[dict[str, Any]]]:
        swaps, launches = self._blocks.pop(block_hash, ([], []))
        self._count -= len(swaps) + len(launches)
        return swaps, launches

    def _limit(self) -> None:
        self._count += 1
        while self._count > REMEMBERED:
            self._forget(next(iter(self._blocks)))


class _Reading:
    """The state of a stream over its connections: what to ask for, what the bytes mean, and how long to wait."""

    def __init__(self, last_id: str, filter: dict[str, str | int | float]) -> None:
        self.last_id = last_id
        self._query = {name: str(value) for name, value in filter.items()}
        self._received = _Received()
        self._silence = FIRST_SILENCE_SECONDS
        self.is_restarting = False
        self._parser = _Parser()
        self._rest = b""

    def connection(self) -> dict[str, Any]:
        """Arguments of the next connection. It is dropped when nothing comes for too long."""
        self.is_restarting, self._parser, self._rest = False, _Parser(), b""
        headers = {"Accept": "text/event-stream"} | ({"Last-Event-ID": self.last_id} if self.last_id else {})
        timeout = httpx.Timeout(10, read=self._silence)
        return {"method": "GET", "url": "/stream/swaps", "params": self._query, "headers": headers, "timeout": timeout}

    def take(self, chunk: bytes) -> Iterator[StreamEvent]:
        """The events that bytes complete. Lines end with LF or CRLF as this service sends them; other line breaks belong to the text."""
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            event = self._parser.take(line.removesuffix(b"\r").decode("utf-8", "replace"))
            if event is None:
                continue
            wanted = _silence_after(event, self._silence)
            # A connection's limit cannot change: the next one begins where this one did.
            self.is_restarting = wanted > self._silence
            self._silence = wanted
            if self.is_restarting:
                return
            self.last_id = event[2]
            known = self._received.take(*event)
            if known is not None:
                yield known

    def pause_after(self, error: Exception | None) -> float:
        """Seconds before the next connection. Raises the error if the request was refused."""
        if isinstance(error, ApiError):
            if error.status < 500 and error.status != 429:
                raise error
            if error.retry_after_seconds is not None:
                return error.retry_after_seconds
        told = self._parser.retry_seconds
        return (RETRY_SECONDS if told is None else told) * random.uniform(0.5, 1.5)


def events(base_url: str, last_event_id: str | None, filter: dict[str, str | int | float]) -> Iterator[StreamEvent]:
    """Reads the stream until the iteration ends or the request is refused (ApiError)."""
    reading = _Reading(last_event_id or "", filter)
    with httpx.Client(base_url=base_url) as http:
        while True:
            error: Exception | None = None
            try:
                with http.stream(**reading.connection()) as response:
                    if response.status_code != 200:
                        raise ApiError(response, response.read().decode("utf-8", "replace"))
                    for chunk in response.iter_bytes():
                        yield from reading.take(chunk)
                        if reading.is_restarting:
                            break
            except (httpx.TransportError, ApiError) as cause:
                error = cause
            if reading.is_restarting:
                continue
            pause = reading.pause_after(error)
            yield Waiting(reading.last_id, error)
            time.sleep(pause)


async def events_async(
    base_url: str, last_event_id: str | None, filter: dict[str, str | int | float]
) -> AsyncIterator[StreamEvent]:
    """The same for asyncio."""
    reading = _Reading(last_event_id or "", filter)
    async with httpx.AsyncClient(base_url=base_url) as http:
        while True:
            error: Exception | None = None
            try:
                async with http.stream(**reading.connection()) as response:
                    if response.status_code != 200:
                        raise ApiError(response, (await response.aread()).decode("utf-8", "replace"))
                    async for chunk in response.aiter_bytes():
                        for event in reading.take(chunk):
                            yield event
                        if reading.is_restarting:
                            break
            except (httpx.TransportError, ApiError) as cause:
                error = cause
            if reading.is_restarting:
                continue
            pause = reading.pause_after(error)
            yield Waiting(reading.last_id, error)
            await asyncio.sleep(pause)


def _silence_after(event: tuple[str, str, str], silence: float) -> float:
    """The longest silence of a connection after an event: `ready` says how often something is sent."""
    name, data, _ = event
    heartbeat = json.loads(data).get("heartbeat_seconds") if name == "ready" else None
    return HEARTBEATS_MISSED * float(heartbeat) if heartbeat else silence
