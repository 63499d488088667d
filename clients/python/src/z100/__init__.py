"""Typed client of the z100 API and its live stream."""

from .calls import Answer, Call, ListCall
from .client import Client
from .errors import ApiError, ConnectionFailed
from .stream import LaunchEvent, Open, Resync, Retract, StreamEvent, SwapEvent, Waiting

__all__ = [
    "Answer",
    "ApiError",
    "Call",
    "Client",
    "ConnectionFailed",
    "LaunchEvent",
    "ListCall",
    "Open",
    "Resync",
    "Retract",
    "StreamEvent",
    "SwapEvent",
    "Waiting",
]
