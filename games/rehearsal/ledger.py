"""What a fake endpoint was asked: counts for ever, bodies of the last requests."""

from __future__ import annotations

from collections import Counter, deque
from typing import Any

LAST = 256


class Ledger:
    """Counts of what came in, by request and attempt."""

    def __init__(self) -> None:
        self._asked: Counter[tuple[str, int]] = Counter()
        self._answers: Counter[str] = Counter()
        self._faults: Counter[str] = Counter()
        self._last: deque[dict[str, Any]] = deque(maxlen=LAST)

    def came_in(self, path: str, raw: bytes, attempt: int) -> None:
        """Keep a body as it came, whether or not it can be read."""
        body = raw.decode("utf-8", "backslashreplace")
        self._last.append({"path": path, "attempt": attempt, "body": body})

    def asked(self, request: str, attempt: int, fault: str | None) -> None:
        """Count an attempt at a request."""
        self._asked[request, attempt] += 1
        if fault is not None:
            self._faults[fault] += 1

    def answered(self, status: int) -> None:
        """Count an answer."""
        self._answers[str(status)] += 1

    def counts(self) -> dict[str, Any]:
        """Return how often each attempt at each request came in, answers by status, faults."""
        requests: dict[str, dict[str, int]] = {}
        for (request, attempt), count in self._asked.items():
            requests.setdefault(request, {})[str(attempt)] = count
        return {
            "total": self._asked.total(),
            "requests": requests,
            "statuses": dict(self._answers),
            "faults": dict(self._faults),
        }

    def last(self) -> list[dict[str, Any]]:
        """Return the last bodies, oldest first."""
        return list(self._last)

    def clear(self) -> None:
        """Forget everything."""
        for kept in (self._asked, self._answers, self._faults, self._last):
            kept.clear()
