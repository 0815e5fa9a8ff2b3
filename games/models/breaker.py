"""A circuit breaker: whether an endpoint answers anybody at all.

It opens after too many tries in a row that nobody got an answer to, lets one probe through after
each pause, and gives up when every probe was in vain. An answer of any kind closes it: a refused
parameter comes from an endpoint that lives. Nothing here waits or asks the time.
"""

from __future__ import annotations

from collections.abc import Sequence

from .trouble import TroubleKind

FAILURES = 12
PAUSES = (15.0, 30.0, 60.0, 120.0)

# Of these the request is never the cause; of the others it may be, so that one call proves nothing.
_OUTAGES = frozenset({TroubleKind.CONNECTION, TroubleKind.RATE_LIMITED, TroubleKind.OVERLOADED})


class Breaker:
    """What the tries at one endpoint, over all calls, say of the endpoint.

    Parameters
    ----------
    failures : int
        Tries in a row without an answer after which it opens; of two calls at least, unless all
        are of kinds that no request can cause.
    pauses : sequence of float
        Seconds before each probe; there are as many probes as pauses.

    Attributes
    ----------
    is_open : bool
        Whether probes alone may be sent.
    gave_up : str
        Why nothing more may be sent; empty while something may.
    probe_at : float
        When the next probe may be sent; minus infinity while the breaker is closed.
    """

    def __init__(self, failures: int = FAILURES, pauses: Sequence[float] = PAUSES) -> None:
        self._allowed, self._pauses = failures, tuple(pauses)
        self.gave_up = ""
        self.answered(float("-inf"))

    def answered(self, now: float) -> None:
        """Note that the endpoint answered somebody; what gave up stays so."""
        self._answered_at = now
        self._calls: set[object] = set()
        self._failed = self._outages = self._probes = 0
        self.is_open, self.probe_at = False, float("-inf")

    def failed(self, call: object, kind: TroubleKind, began: float, now: float) -> None:
        """Note a try without an answer.

        Parameters
        ----------
        call : object
            Whose try it was.
        kind : TroubleKind
        began, now : float
            When it was sent and when it failed, in seconds.
        """
        self._failed += 1
        self._outages += kind in _OUTAGES
        self._calls.add(call)
        if self.is_open:
            # What was sent before the breaker opened is no probe.
            if began >= self.probe_at:
                self._open(now)
        elif self._outages >= self._allowed or (self._shared and self._failed >= self._allowed):
            self._open(now)

    def overdue(self, since: float, now: float) -> bool:
        """Return whether it is the endpoint's doing that a call's deadline is over.

        It is while nobody at all was answered since the call began, and others failed too; then
        the breaker opens, however few the tries were.
        """
        if not self.is_open and self._shared and self._answered_at <= since:
            self._open(now)
        return self.is_open

    def give_up(self, why: str) -> None:
        """Let nothing more be sent; the first reason stands."""
        self.gave_up = self.gave_up or why

    @property
    def _shared(self) -> bool:
        return len(self._calls) > 1

    def _open(self, now: float) -> None:
        self.is_open = True
        if self._probes == len(self._pauses):
            self.give_up(f"{self._failed} tries in a row got no answer, {self._probes} probes last")
        else:
            self.probe_at = now + self._pauses[self._probes]
            self._probes += 1
