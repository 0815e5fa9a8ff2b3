"""A clock for waits and durations: it says how long, never what time of day."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Clock:
    """What measures and what waits, both in seconds; passed in, so that a test needs no time.

    Attributes
    ----------
    now : callable
        Seconds since a fixed moment, of the same pace as the event loop's timeouts; it never runs
        backwards.
    sleep : callable
        Waits that many seconds while others run; whatever it raises ends the call that waits.
    """

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
