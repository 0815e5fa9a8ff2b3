"""Patience: how often and for how long one place of a match is asked, whatever goes wrong.

Time is kept apart. A deadline counts tries and the waits between them; it does not count standing
in line for others, nor an outage that all callers share. The seconds handed over with a reply or a
trouble are those of its own try alone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from random import Random

from .chat import Reply
from .gate import Gate
from .trouble import RETRIED, Parameter, Trouble, TroubleKind

FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0  # seconds
LONGEST_TRY, SHORTEST_TRY = 0.5, 0.1  # of the deadline

Send = Callable[[], Awaitable[Reply]]
OnTrouble = Callable[[Trouble, float], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Line:
    """The way to one model, or to every model of one endpoint.

    Attributes
    ----------
    gate : Gate
    deadline : float
        Seconds that one call may take, every retry and the waits between them included; more
        than 0. One try may take half of them, so that one that hangs leaves time for another;
        none is begun with less than a tenth left, since it would be paid for and then cut off.
    rng : random.Random
        Draws the waits; no reply depends on it.
    """

    gate: Gate
    deadline: float
    rng: Random

    @property
    def last_begin(self) -> float:
        """Seconds of a call after which no try is begun."""
        return (1 - SHORTEST_TRY) * self.deadline


def backoff(failures: int, rng: Random) -> float:
    """Return seconds to wait after so many failed tries: full jitter under a doubling ceiling.

    Parameters
    ----------
    failures : int
        Tries of this call that failed so far, at least 1.
    rng : random.Random

    Returns
    -------
    float
        Uniform on 0 to 1, 2, 4, … and at most 60 seconds.
    """
    # The exponent is held down so that no number of failures overflows.
    return rng.uniform(0, min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(failures - 1, 16)))


async def patiently(
    send: Send, line: Line, on_trouble: OnTrouble, tokens: int = 0
) -> tuple[Reply, float]:
    """Return a reply and the seconds of the try that got it.

    What may pass by itself is tried again until the deadline; a refused parameter is tried again
    at once, each parameter once; anything else is raised.

    Parameters
    ----------
    send : callable
        One try. It raises ``Trouble`` where there is no reply, and bears being cancelled.
    line : Line
    on_trouble : callable
        Awaited with every trouble and the seconds of its try, before anything else happens.
    tokens : int
        As in ``Gate.slot``.

    Raises
    ------
    Trouble
        The last one; ``UNREACHABLE`` where model or endpoint answers nobody, or asks to wait for
        longer than the deadline allows.
    """
    call, clock = object(), line.gate.clock
    started, spent, failures = clock.now(), 0.0, 0
    refused: set[Parameter | None] = {None}
    while True:
        allowed = min(LONGEST_TRY * line.deadline, line.deadline - spent)
        came, seconds = await _tried(send, line, call, allowed, tokens)
        if isinstance(came, Reply):
            return came, seconds
        await on_trouble(came, seconds)
        spent += seconds
        if came.kind is TroubleKind.PARAMETER_REJECTED and came.parameter not in refused:
            refused.add(came.parameter)
            continue
        if came.kind not in RETRIED:
            raise came
        failures += 1
        wait = max(backoff(failures, line.rng), came.retry_after or 0.0)
        if spent + wait > line.last_begin:
            if not line.gate.overdue(started):
                raise came
            spent = 0.0  # an outage is nobody's match
        await clock.sleep(wait)
        spent += wait


async def _tried(
    send: Send, line: Line, call: object, allowed: float, tokens: int
) -> tuple[Reply | Trouble, float]:
    """Return what one try came to, and its seconds."""
    began: float | None = None
    try:
        async with line.gate.slot(call, tokens) as began:
            reply = await _bounded(send, allowed, line.last_begin)
    except Trouble as trouble:
        if began is None:
            raise
        return trouble, line.gate.clock.now() - began
    return reply, line.gate.clock.now() - began


async def _bounded(send: Send, allowed: float, longest_wait: float) -> Reply:
    try:
        async with asyncio.timeout(allowed):
            return await send()
    except TimeoutError:
        raise Trouble(TroubleKind.TIMEOUT, f"no reply within {allowed:g} s") from None
    except Trouble as trouble:
        after = trouble.retry_after
        if trouble.kind not in RETRIED or after is None or after <= longest_wait:
            raise
        asks = f"asks to wait {after:g} s, and a call waits {longest_wait:g} s at most"
        raise Trouble(
            TroubleKind.UNREACHABLE, f"{asks} ({trouble})", status=trouble.status
        ) from trouble
