"""The scripted model: a fake server's replies and faults in process, for nothing and at once."""

from __future__ import annotations

import asyncio

from ..models.capabilities import Learned, effective
from ..models.chat import ChatRequest, Finish, Reply, Usage
from ..models.trouble import Parameter, Trouble, TroubleKind
from .asked import asked_of
from .faults import REJECTED, FakeFault, FaultPlan, FaultRule
from .performance import FINGERPRINT, Rehearsal

# What a client makes of each fault that leaves no reply: kind and HTTP status.
TROUBLES: dict[FakeFault, tuple[TroubleKind, int | None]] = {
    FakeFault.RATE_LIMITED: (TroubleKind.RATE_LIMITED, 429),
    FakeFault.RATE_LIMITED_WAIT: (TroubleKind.RATE_LIMITED, 429),
    FakeFault.SERVER_ERROR: (TroubleKind.SERVER_ERROR, 500),
    FakeFault.OVERLOADED: (TroubleKind.OVERLOADED, 529),
    FakeFault.ERROR_IN_200: (TroubleKind.SERVER_ERROR, 502),
    FakeFault.ERROR_AS_TEXT: (TroubleKind.RATE_LIMITED, 429),
    FakeFault.TRUNCATED_JSON: (TroubleKind.MALFORMED, None),
    FakeFault.SLOW_STREAM: (TroubleKind.TIMEOUT, None),
    FakeFault.DROPPED: (TroubleKind.CONNECTION, None),
    FakeFault.QUOTA_EXHAUSTED: (TroubleKind.QUOTA_EXHAUSTED, 429),
    FakeFault.UNAUTHORIZED: (TroubleKind.UNAUTHORIZED, 401),
    FakeFault.UNKNOWN_MODEL: (TroubleKind.UNKNOWN_MODEL, 404),
    FakeFault.TOO_LONG: (TroubleKind.TOO_LONG, 400),
    **dict.fromkeys(REJECTED, (TroubleKind.PARAMETER_REJECTED, 400)),
}


class ScriptedModel:
    """A chat model without a network: every reply depends on request, attempt and seed alone.

    Parameters
    ----------
    seed : int
        Another seed is another rehearsal.
    latency : float
        Seconds that every reply takes.
    faults : FaultPlan, optional
        What goes wrong. The limit on tokens has one name here, which is never rejected.
    learned : Learned, optional
        What the model refuses from the start.
    """

    def __init__(
        self,
        seed: int = 0,
        latency: float = 0.0,
        faults: FaultPlan | None = None,
        learned: Learned | None = None,
    ) -> None:
        self._rehearsal = Rehearsal(seed, faults or FaultPlan())
        self._latency = latency
        self._learned = learned or Learned("")

    async def ask(self, request: ChatRequest, attempt: int) -> Reply:
        """Return the reply to a request, or raise the Trouble that a client would.

        Raises
        ------
        Trouble
            A fault left no reply.
        """
        if self._latency:
            await asyncio.sleep(self._latency)
        refused = self._learned.refused
        has_schema = request.reply_schema is not None
        sent = effective(request.settings, refused, has_schema=has_schema)
        ask = asked_of(request.model_copy(update={"settings": sent}), refused)
        performance = self._rehearsal.perform(ask, attempt)
        if performance.struck is not None and performance.fault in TROUBLES:
            trouble = _trouble(performance.struck)
            if trouble.parameter is not None:
                self.learn(trouble.parameter)
            raise trouble
        filtered = performance.fault is FakeFault.CONTENT_FILTER_400
        return Reply(
            text="" if filtered else performance.text or "",
            finish=Finish.FILTER if filtered else performance.finish,
            usage=Usage() if filtered else performance.usage,
            model="" if filtered else performance.model,
            fingerprint="" if filtered else FINGERPRINT,
            effective=sent,
        )

    def learn(self, parameter: Parameter) -> None:
        """Leave a parameter out of every later request."""
        self._learned.learn(parameter)

    async def close(self) -> None:
        """Release nothing: there is no connection."""


def _trouble(struck: FaultRule) -> Trouble:
    """Return the trouble that a fault makes."""
    kind, status = TROUBLES[struck.kind]
    waits = struck.kind is FakeFault.RATE_LIMITED_WAIT
    return Trouble(
        kind,
        f"{struck.kind.value}, on purpose",
        status=status,
        retry_after=struck.retry_after if waits else None,
        parameter=REJECTED.get(struck.kind),
    )
