"""The named moments at which a process may die: between any two of them nothing may be lost."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum


class SyncPoint(StrEnum):
    """A moment in the life of a run; each is tested by killing the process at it."""

    BEFORE_SEND = "before_send"
    IN_FLIGHT = "in_flight"
    REPLIED = "replied"
    JOURNALLED = "journalled"
    MATCH_OVER = "match_over"
    TRACE_WRITTEN = "trace_written"
    MATCH_ENDED = "match_ended"


OnPoint = Callable[[SyncPoint], None]


def ignore(point: SyncPoint) -> None:
    """Do nothing at a sync point."""
