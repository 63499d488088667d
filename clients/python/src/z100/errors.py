"""Errors of the client."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any

import httpx


class ApiError(Exception):
    """The API answered with an error. Code NO_ANSWER: the body is not the API's, such as a proxy's page."""

    def __init__(self, response: httpx.Response) -> None:
        error = _error_in(response.text)
        super().__init__(error.get("message") or f"The response has status {response.status_code}")
        self.status: int = response.status_code
        self.code: str = error.get("code") or "NO_ANSWER"
        self.details: dict[str, Any] = error.get("details") or {}
        self.request_id: str | None = error.get("request_id") or response.headers.get("x-request-id")
        self.retry_after_seconds: float | None = _seconds_in(response.headers.get("retry-after"))


class ConnectionFailed(Exception):
    """No answer was received: the network failed, or the timeout passed (see __cause__)."""


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
