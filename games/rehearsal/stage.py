"""The stage on which a rehearsal is given: how late, to which key, and a count of who asked."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import Response

from .error_status import ErrorStatus, invalid
from .faults import FakeFault
from .ledger import Ledger
from .performance import Rehearsal
from .wire import Dialect, error_response, respond

ATTEMPT = "x-attempt"
Handler = Callable[[Request, bytes], Response]


@dataclass(frozen=True, slots=True)
class Stage:
    """Everything that the routes of a fake server share.

    Attributes
    ----------
    rehearsal : Rehearsal
    latency : float
        Seconds that every reply waits.
    key : str, optional
        The only key let in; None lets everybody in.
    price : float, optional
        Dollars a million tokens, told as ``usage.cost`` in the OpenAI dialect.
    """

    rehearsal: Rehearsal = field(default_factory=Rehearsal)
    latency: float = 0.0
    key: str | None = None
    price: float | None = None
    ledger: Ledger = field(default_factory=Ledger)

    async def take(self, request: Request, dialect: Dialect) -> Response:
        """Return the answer to one request for a reply."""
        raw = await request.body()
        try:
            attempt = attempt_of(request)
            self.ledger.came_in(request.url.path, raw, attempt)
            self.admit(request, dialect)
            sent = dialect.read(raw)
        except ErrorStatus as failed:
            self.ledger.answered(failed.wording.status)
            return error_response(dialect, failed)
        performance = self.rehearsal.perform(sent.ask, attempt)
        self.ledger.asked(sent.ask.id, attempt, performance.fault)
        if self.latency:
            await asyncio.sleep(self.latency)
        response = await respond(request, dialect, performance, sent)
        self.ledger.answered(response.status_code)
        return response

    def admitted(
        self, dialect: Dialect, handler: Handler
    ) -> Callable[[Request], Awaitable[Response]]:
        """Return an endpoint that lets the right key in and words errors in a dialect."""

        async def endpoint(request: Request) -> Response:
            try:
                self.admit(request, dialect)
                return handler(request, await request.body())
            except ErrorStatus as failed:
                return error_response(dialect, failed)

        return endpoint

    def admit(self, request: Request, dialect: Dialect) -> None:
        """Refuse another key than the one let in."""
        if self.key is not None and dialect.key_of(request.headers) != self.key:
            raise ErrorStatus(dialect.wordings[FakeFault.UNAUTHORIZED])


def attempt_of(request: Request) -> int:
    """Return which attempt a request says it is; the first where it says nothing."""
    said = request.headers.get(ATTEMPT, "1")
    if not said.isdecimal() or int(said) < 1:
        raise invalid(f"{ATTEMPT}: must be a whole number from 1", ATTEMPT)
    return int(said)
