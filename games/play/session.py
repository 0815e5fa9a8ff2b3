"""One process's share of a run: what it tells the journal and whoever listens, and how it stops."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .caller import Ledger
from .clock import now
from .journal import Event, EventKind

INTERRUPTED = "interrupted"


class Session:
    """Counts the matches of a run as they end.

    Parameters
    ----------
    ledger : Ledger
    ended, total : int
        Matches that have a trace, and matches scheduled.
    """

    def __init__(self, ledger: Ledger, ended: int, total: int) -> None:
        self.ledger, self.ended, self.total = ledger, ended, total

    def record(self, kind: EventKind, **facts: Any) -> None:
        """Put an event on disk and let it be known, with nothing else running meanwhile."""
        event = self._event(kind, facts)
        self.ledger.journal.append(event)
        self.ledger.listener(event)

    async def tell(self, kind: EventKind, **facts: Any) -> None:
        """Put an event on disk and let it be known, while others run."""
        event = self._event(kind, facts)
        await self.ledger.journal.commit(event)
        self.ledger.listener(event)

    def _event(self, kind: EventKind, facts: dict[str, Any]) -> Event:
        return Event(kind=kind, at=now(), ended=self.ended, total=self.total, **facts)


@contextmanager
def interruptible(ledger: Ledger) -> Iterator[None]:
    """Let a first Ctrl-C stop the run with what is in flight kept, and a second one at once."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signals reach the main thread alone
        return
    loop, before = asyncio.get_running_loop(), signal.getsignal(signal.SIGINT)

    def stop() -> None:
        loop.remove_signal_handler(signal.SIGINT)
        signal.signal(signal.SIGINT, before)
        ledger.brake.pull(INTERRUPTED)

    loop.add_signal_handler(signal.SIGINT, stop)
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)
        signal.signal(signal.SIGINT, before)
