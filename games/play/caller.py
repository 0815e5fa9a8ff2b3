"""One model asked on behalf of a run: replay, budget, patience, and the journal before all else.

The order is what nothing is lost by: a reply that the journal holds is never asked for again; a
request is sent only once its worst case fits the budget; a reply goes on only once it is on disk.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..cohort import ArbiterModel, ModelPlayer
from ..errors import RunStopped
from ..models.chat import ChatModel, ChatRequest, Reply
from ..models.cost import (
    PERHAPS_BILLED,
    Budget,
    BudgetReached,
    Hold,
    cost_of,
    most_input_tokens,
    worst_cost,
)
from ..models.patience import Line, patiently
from ..models.trouble import Trouble
from .asking import Asking, Call
from .clock import now
from .journal import Event, Journal
from .points import OnPoint, SyncPoint
from .replay import Replay
from .stop import Brake

BYTES_A_TOKEN = 4

Listener = Callable[[Event | Call], None]


@dataclass(frozen=True, slots=True)
class Ledger:
    """What all callers of a run share.

    Attributes
    ----------
    journal : Journal
    replay : Replay
        What the journal held when the run was taken up, and holds since.
    budget : Budget
    brake : Brake
    listener : callable
        Hears every record after it is on disk.
    on_point : callable
        Hears of every sync point, with the match that has reached it.
    forked : str
        The run from which this one is forked; empty where it is not.
    """

    journal: Journal
    replay: Replay
    budget: Budget
    brake: Brake
    listener: Listener
    on_point: OnPoint
    forked: str = ""

    async def commit(self, call: Call) -> None:
        """Put a call on disk, then let it be known."""
        await self.journal.commit(call)
        self.replay.note(call)
        self.listener(call)


def about_tokens(request: ChatRequest) -> int:
    """Return about how many tokens a request and its reply have, four bytes to a token."""
    return most_input_tokens(request) // BYTES_A_TOKEN + request.settings.max_tokens


class Caller:
    """One player's or arbiter's model at its endpoint.

    Parameters
    ----------
    who : ArbiterModel
    model : ChatModel
    line : Line
        The endpoint's patience, shared by all who are asked there.
    ledger : Ledger
    """

    def __init__(self, who: ArbiterModel, model: ChatModel, line: Line, ledger: Ledger) -> None:
        self.who, self._model, self._line, self._ledger = who, model, line, ledger
        rules = not isinstance(who, ModelPlayer)
        for parameter in sorted(ledger.replay.learned.get((who.id, rules), ())):
            model.learn(parameter)

    async def ask(self, asking: Asking, request: ChatRequest) -> Reply:
        """Return the reply to a request: the journal's, a fork's, or the model's own.

        Raises
        ------
        Trouble
            Nobody replied within the endpoint's patience.
        RunStopped
            The run is stopping, by this call or another.
        """
        ledger = self._ledger
        if (known := ledger.replay.reply(asking, request)) is not None:
            return known
        if (given := ledger.replay.given(asking, request)) is not None:
            facts = {"request": request, "reply": given, "from_run": ledger.forked}
            await ledger.commit(self._call(asking, 1, request, **facts))
            return given
        return await self._asked(asking, request)

    async def _asked(self, asking: Asking, request: ChatRequest) -> Reply:
        ledger, worst = self._ledger, worst_cost(request, self.who.price)

        def call(seconds: float, **facts: Any) -> Call:
            # A refused parameter is no try: the same attempt is sent again without it.
            attempt = ledger.replay.tries(asking) + 1
            return self._call(asking, attempt, request, seconds=seconds, **facts)

        async def send() -> Reply:
            ledger.brake.check()
            ledger.on_point(SyncPoint.BEFORE_SEND, asking.match)
            hold = self._reserve(worst)
            try:
                ledger.on_point(SyncPoint.IN_FLIGHT, asking.match)
                reply = await self._model.ask(request, ledger.replay.tries(asking) + 1)
            except Trouble as trouble:
                self._give_back(hold, billed=trouble.kind in PERHAPS_BILLED)
                raise
            except BaseException:
                self._give_back(hold, billed=True)
                raise
            ledger.budget.settle(hold, cost_of(reply, self.who.price))
            return reply

        async def on_trouble(trouble: Trouble, seconds: float) -> None:
            if trouble.parameter is not None:
                self._model.learn(trouble.parameter)
            at_most = worst if trouble.kind in PERHAPS_BILLED else None
            said = {"trouble": trouble.kind, "detail": trouble.detail, "at_most": at_most}
            await ledger.commit(call(seconds, parameter=trouble.parameter, **said))

        try:
            reply, seconds = await patiently(send, self._line, on_trouble, about_tokens(request))
        except Trouble as trouble:
            if trouble.stops:
                ledger.brake.pull(f"endpoint {self.who.endpoint}: {trouble}")
            raise
        ledger.on_point(SyncPoint.REPLIED, asking.match)
        cost = cost_of(reply, self.who.price)
        at_most = worst if cost is None else None
        facts = {"request": request, "reply": reply, "cost": cost, "at_most": at_most}
        await ledger.commit(call(seconds, **facts))
        ledger.on_point(SyncPoint.JOURNALLED, asking.match)
        return reply

    def _reserve(self, worst: float | None) -> Hold:
        try:
            return self._ledger.budget.reserve(worst)
        except BudgetReached as reached:
            self._ledger.brake.pull(f"{reached}; a larger --budget goes on")
            raise RunStopped(self._ledger.brake.reason) from None

    def _give_back(self, hold: Hold, *, billed: bool) -> None:
        budget = self._ledger.budget
        if billed:
            budget.settle(hold, None)
        else:
            budget.release(hold)

    def _call(self, asking: Asking, attempt: int, request: ChatRequest, /, **facts: Any) -> Call:
        return Call(
            at=now(),
            player=self.who.id,
            asking=asking,
            attempt=attempt,
            fingerprint=request.fingerprint,
            **facts,
        )
