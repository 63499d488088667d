"""The live stream of swaps."""

from __future__ import annotations

import json
import random
import time
from collections import OrderedDict
from collections.abc import Iterator
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


def events(base_url: str, last_event_id: str | None, filter: dict[str, str | int | float]) -> Iterator[StreamEvent]:
    """Reads the stream until the iteration ends or the request is refused (ApiError)."""
    received = _Received()
    last_id = last_event_id or ""
    silence = FIRST_SILENCE_SECONDS
    with httpx.Client(base_url=base_url, headers={"Accept": "text/event-stream"}) as http:
        while True:
            parser = _Parser()
            error: Exception | None = None
            wanted = silence
            try:
                query = {name: str(value) for name, value in filter.items()}
                headers = {"Last-Event-ID": last_id} if last_id else {}
                timeout = httpx.Timeout(10, read=silence)
                with http.stream("GET", "/stream/swaps", params=query, headers=headers, timeout=timeout) as response:
                    if response.status_code != 200:
                        response.read()
                        raise ApiError(response)
                    for line in _lines(response):
                        event = parser.take(line)
                        if event is None:
                            continue
                        wanted = _silence_after(event, wanted)
                        if wanted > silence:
                            break
                        last_id = event[2]
                        known = received.take(*event)
                        if known is not None:
                            yield known
                if wanted > silence:
                    # A connection's limit cannot change: the next one begins where this one did.
                    silence = wanted
                    continue
                silence = wanted
            except httpx.TransportError as cause:
                error = cause
            except ApiError as refusal:
                if refusal.status < 500 and refusal.status != 429:
                    raise
                error = refusal
            yield Waiting(last_id, error)
            time.sleep(_pause_seconds(error, parser))


def _silence_after(event: tuple[str, str, str], silence: float) -> float:
    """The longest silence of a connection after an event: `ready` says how often something is sent."""
    name, data, _ = event
    heartbeat = json.loads(data).get("heartbeat_seconds") if name == "ready" else None
    return HEARTBEATS_MISSED * float(heartbeat) if heartbeat else silence


def _lines(response: httpx.Response) -> Iterator[str]:
    """Complete lines. Ended by LF or CRLF as this service sends them; other line breaks belong to the text."""
    rest = b""
    for chunk in response.iter_bytes():
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield line.removesuffix(b"\r").decode("utf-8", "replace")


def _pause_seconds(error: Exception | None, parser: _Parser) -> float:
    if isinstance(error, ApiError) and error.retry_after_seconds is not None:
        return error.retry_after_seconds
    return (parser.retry_seconds if parser.retry_seconds is not None else RETRY_SECONDS) * random.uniform(0.5, 1.5)
