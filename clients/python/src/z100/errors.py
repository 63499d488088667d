"""Errors of the client."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any

import httpx


@dataclass(frozen=True)
class RateLimit:
    """What an answer says of the account's limit in this UTC hour, which ends at `reset_at`."""

    limit: int
    remaining: int
    reset_at: datetime


class ApiError(Exception):
    """The API answered with an error. Code NO_ANSWER: the answer is not the API's, such as a proxy's page or a redirect."""

    def __init__(self, response: httpx.Response, text: str) -> None:
        error = _error_in(text)
        super().__init__(error.get("message") or _stranger_text(response))
        self.status: int = response.status_code
        self.code: str = error.get("code") or "NO_ANSWER"
        self.details: dict[str, Any] = error.get("details") or {}
        self.request_id: str | None = error.get("request_id") or response.headers.get("x-request-id")
        self.retry_after_seconds: float | None = _seconds_in(response.headers.get("retry-after"))
        self.rate_limit: RateLimit | None = rate_limit_in(response.headers)


class ConnectionFailed(Exception):
    """No answer was received: the network failed, or the timeout passed (see __cause__)."""


def is_api_error(error: object, code: str | None = None) -> bool:
    """Whether something raised is an error of the API, with this code if one is given."""
    return isinstance(error, ApiError) and code in (None, error.code)


def rate_limit_in(headers: httpx.Headers) -> RateLimit | None:
    """The limit that headers state; None: none, as on answers from the edge's cache."""
    limit, remaining, reset = (headers.get(f"x-ratelimit-{name}") for name in ("limit", "remaining", "reset"))
    if limit is None or remaining is None or reset is None:
        return None
    return RateLimit(int(limit), int(remaining), datetime.fromtimestamp(int(reset), timezone.utc))


def _stranger_text(response: httpx.Response) -> str:
    status, headers = response.status_code, response.headers
    if response.is_redirect:
        return f"The address redirects to {headers.get('location')}: use the address it leads to as base_url."
    return f"The answer is not the API's: status {status}, {headers.get('content-type', 'no content type')}."


def _error_in(text: str) -> dict[str, Any]:
    try:
        error = json.loads(text)["error"]
    except (ValueError, KeyError, TypeError):
        return {}
    return error if isinstance(error, dict) else {}


def _seconds_in(value: str | None) -> float | None:
    """RFC 9110 section 10.2.3: Retry-After is a number of seconds or a date."""
    if value is None:
        return None
    if value.strip().isdigit():
        return float(value)
    try:
        return max(0.0, (parsedate_to_datetime(value) - datetime.now(timezone.utc)).total_seconds())
    except (ValueError, TypeError):
        return None
