"""A gate before an endpoint: how many requests are in flight, and when the next may go.

The limit falls by half when the endpoint says that it is too much and grows by one after as many
answers in a row as the limit allows at a time (Chiu & Jain 1989, doi:10.1016/0169-7552(89)90019-6).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from .breaker import Breaker
from .clock import Clock
from .trouble import RETRIED, Trouble, TroubleKind

COOL_DOWN = 10.0  # seconds
BREATH = 1.0  # seconds
_TOO_MUCH = frozenset({TroubleKind.RATE_LIMITED, TroubleKind.OVERLOADED})


class Gate:
    """Whoever asks at one endpoint, or for one model there, passes here, first come, first served.

    Parameters
    ----------
    limit : int
        Most requests in flight at a time, at least 1.
    clock : Clock, optional
    breaker : Breaker, optional
    requests_per_minute, tokens_per_minute : int, optional
        Requests are spaced so that neither is passed in the long run; None paces nothing.
    within : Gate, optional
        The endpoint's gate, behind a gate of one model: providers limit each model by itself, and
        one may be down behind a router that lives.

    Attributes
    ----------
    limit : int
        What is allowed now, from 1 to the limit given.
    in_flight : int
    clock : Clock
    """

    def __init__(
        self,
        limit: int,
        *,
        clock: Clock | None = None,
        breaker: Breaker | None = None,
        requests_per_minute: int | None = None,
        tokens_per_minute: int | None = None,
        within: Gate | None = None,
    ) -> None:
        self.limit = self._most = limit
        self.in_flight = 0
        self.clock = clock or Clock()
        self._breaker = breaker or Breaker()
        self._per_request = 60 / requests_per_minute if requests_per_minute else 0.0
        self._per_token = 60 / tokens_per_minute if tokens_per_minute else 0.0
        self._gates: tuple[Gate, ...] = (self,) if within is None else (self, *within._gates)
        self._open_at = self._cut_at = float("-inf")
        self._streak = 0
        self._line = asyncio.Lock()
        self._left = asyncio.Event()

    @asynccontextmanager
    async def slot(self, call: object, tokens: int = 0) -> AsyncIterator[float]:
        """Wait for a place, and learn from how the try inside ends.

        Parameters
        ----------
        call : object
            Whose try it is; several tries of one call pass the same object.
        tokens : int
            About how many tokens the request and its reply have, for ``tokens_per_minute``.

        Yields
        ------
        float
            When the place was got, by the clock.

        Raises
        ------
        Trouble
            ``UNREACHABLE``: nothing more is sent here; the detail says why.
        """
        async with AsyncExitStack() as stack:
            for gate in self._gates:
                began = await stack.enter_async_context(gate._place(call, tokens))
            yield began

    def overdue(self, since: float) -> bool:
        """Return whether it is the endpoint's or model's doing that a call begun then got no reply.

        It is while nobody at all was answered since, and others failed too.
        """
        now = self.clock.now()
        return any(gate._breaker.overdue(since, now) for gate in self._gates)

    @asynccontextmanager
    async def _place(self, call: object, tokens: int) -> AsyncIterator[float]:
        """One gate's part of a slot."""
        async with self._line:
            began = await self._room()
            self.in_flight += 1
            self._open_at = began + max(self._per_request, tokens * self._per_token)
        try:
            yield began
        except Trouble as trouble:
            self._learn(call, trouble, began)
            raise
        else:
            self._answered()
        finally:
            self.in_flight -= 1
            self._left.set()

    async def _room(self) -> float:
        """Wait, at the head of the line, until a request may go; return the time."""
        while not self._breaker.gave_up:
            now = self.clock.now()
            wait = max(self._open_at, self._breaker.probe_at) - now
            if self.in_flight >= (1 if self._breaker.is_open else self.limit):
                self._left.clear()
                await self._left.wait()
            elif wait > 0:
                await self.clock.sleep(wait)
            else:
                return now
        raise Trouble(TroubleKind.UNREACHABLE, self._breaker.gave_up)

    def _learn(self, call: object, trouble: Trouble, began: float) -> None:
        now = self.clock.now()
        if trouble.retry_after is not None:
            self._open_at = max(self._open_at, now + trouble.retry_after)
        if trouble.kind in _TOO_MUCH:
            # Refusals come back at once: without a breath all who wait would be refused in turn.
            self._open_at = max(self._open_at, now + BREATH)
            self._cut(began, now)
        if trouble.kind is TroubleKind.UNREACHABLE:
            self._breaker.give_up(trouble.detail)
        elif trouble.kind in RETRIED:
            self._breaker.failed(call, trouble.kind, began, now)
        else:
            self._breaker.answered(now)

    def _cut(self, began: float, now: float) -> None:
        self._streak = 0
        # A request that was sent before the last cut took effect says nothing of the limit now.
        if began >= self._cut_at + COOL_DOWN:
            self.limit, self._cut_at = max(1, self.limit // 2), now

    def _answered(self) -> None:
        self._breaker.answered(self.clock.now())
        self._streak += 1
        if self._streak >= self.limit and self.limit < self._most:
            self.limit, self._streak = self.limit + 1, 0
