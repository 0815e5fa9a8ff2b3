"""The time of day, asked here alone; it goes into manifest and journal and nowhere else."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> str:
    """Return the time in UTC, ISO 8601, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
