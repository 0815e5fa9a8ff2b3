"""The named moments at which a process may die: between any two of them nothing may be lost."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum


class SyncPoint(StrEnum):
    """A moment in the life of a match; each is tested by killing the process at it.

    ``before_send`` is when nobody was asked yet, ``in_flight`` when the request goes out,
    ``replied`` when the reply is in memory alone, ``journalled`` when it is on disk; ``match_over``
    is before the trace, ``trace_written`` before the journal tells of it. ``verdicts_written`` is
    of a panel: its files stand, and nothing says yet that it has ended. ``line_over`` is of a
    series, before a round or note is put into its file, ``line_written`` after.
    """

    BEFORE_SEND = "before_send"
    IN_FLIGHT = "in_flight"
    REPLIED = "replied"
    JOURNALLED = "journalled"
    MATCH_OVER = "match_over"
    TRACE_WRITTEN = "trace_written"
    MATCH_ENDED = "match_ended"
    VERDICTS_WRITTEN = "verdicts_written"
    LINE_OVER = "line_over"
    LINE_WRITTEN = "line_written"


OnPoint = Callable[[SyncPoint, str], None]


def ignore(point: SyncPoint, match: str) -> None:
    """Do nothing at a sync point of a match."""
