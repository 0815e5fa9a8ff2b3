"""How long an endpoint asks to wait, as its headers say it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Return the seconds that headers ask to wait, or None where they do not say.

    Parameters
    ----------
    headers : mapping of str to str
        Looked up in lower case: ``retry-after-ms`` before ``retry-after``, in seconds or as a date.
    now : float
        Seconds since the epoch; only for a date without the server's own ``date`` beside it.
    """
    milliseconds = _seconds(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("retry-after")
    seconds = _seconds(value)
    if seconds is not None or value is None:
        return seconds
    until, since = _date(value), _date(headers.get("date"))
    return None if until is None else max(0.0, until - (now if since is None else since))


def _seconds(value: str | None) -> float | None:
    try:
        seconds = float(value) if value is not None else math.nan
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


def _date(value: str | None) -> float | None:
    try:
        moment = parsedate_to_datetime(value) if value is not None else None
    except (ValueError, OverflowError):
        return None
    if moment is None:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
