"""One process's share of a run: what it tells the journal and whoever listens, and how it stops."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..errors import RunStopped
from ..models.cost import Budget
from .caller import Ledger
from .clock import now
from .journal import Event, EventKind, Journal
from .replay import Replay
from .stop import Brake
from .terms import Terms

INTERRUPTED = "interrupted"


def ledger_of(journal: Journal, replay: Replay, terms: Terms, forked: str = "") -> Ledger:
    """Return the ledger of a sitting that goes on from what a journal held."""
    return Ledger(
        journal=journal,
        replay=replay,
        budget=Budget(terms.budget, replay.spent),
        brake=Brake(),
        listener=terms.on_event or (lambda _record: None),
        on_point=terms.on_point,
        forked=forked,
    )


class Session:
    """Counts the matches of a run, or the rounds of its series, as they end.

    Parameters
    ----------
    ledger : Ledger
    ended, total : int
        Matches that have a trace, and matches scheduled; or rounds.
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

    def close(self, end: Callable[[], None]) -> None:
        """Say how the sitting ended: with all that was to be done, which ``end`` sees to, or not.

        Raises
        ------
        RunStopped, KeyboardInterrupt
            It stopped before its end.
        """
        reason = self.ledger.brake.reason
        if not reason:
            end()
            self.record(EventKind.RUN_ENDED)
        elif reason == INTERRUPTED:
            raise KeyboardInterrupt
        else:
            self.record(EventKind.RUN_STOPPED, note=reason)
            raise RunStopped(reason)

    def _event(self, kind: EventKind, facts: dict[str, Any]) -> Event:
        return Event(kind=kind, at=now(), ended=self.ended, total=self.total, **facts)


@contextmanager
def interruption_told(session: Session) -> Iterator[None]:
    """Let the journal tell of an interrupt that ends a ``with`` block."""
    try:
        yield
    except KeyboardInterrupt:
        session.record(EventKind.RUN_INTERRUPTED)
        raise


async def at_tables(tables: int, serve: Callable[[], Awaitable[None]], ledger: Ledger) -> None:
    """Serve at several tables at a time until all are done; Ctrl-C stops them.

    A failure at one stops the others at their next call: what is in flight at them is paid for,
    and reaches the disk first.
    """
    with interruptible(ledger):
        serving = [_table(serve, ledger) for _ in range(tables)]
        ends = await asyncio.gather(*serving, return_exceptions=True)
    for end in ends:
        if end is not None:
            raise end


async def _table(serve: Callable[[], Awaitable[None]], ledger: Ledger) -> None:
    try:
        await serve()
    except Exception as fault:
        ledger.brake.pull(type(fault).__name__)
        raise


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
