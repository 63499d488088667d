"""Typed client of the z100 API and its live stream."""

from .calls import Answer, Call, ListCall
from .client import AsyncClient, Client
from .errors import ApiError, ConnectionFailed, RateLimit, is_api_error
from .stream import LaunchEvent, Open, Resync, Retract, StreamEvent, SwapEvent, Waiting

__all__ = [
    "Answer",
    "ApiError",
    "AsyncClient",
    "Call",
    "Client",
    "ConnectionFailed",
    "LaunchEvent",
    "ListCall",
    "Open",
    "RateLimit",
    "Resync",
    "Retract",
    "StreamEvent",
    "SwapEvent",
    "Waiting",
    "is_api_error",
]
