"""The scripted model: a fake server's replies and faults in process, for nothing and at once."""

from __future__ import annotations

import asyncio

from ..models.capabilities import Learned, effective
from ..models.chat import ChatRequest, Finish, Reply
from ..models.trouble import Trouble, TroubleKind
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
    faults : FaultPlan
        What goes wrong. The limit on tokens has one name here, which is never rejected.
    """

    def __init__(
        self, seed: int = 0, latency: float = 0.0, faults: FaultPlan | None = None
    ) -> None:
        self._rehearsal = Rehearsal(seed, faults or FaultPlan())
        self._latency = latency
        self._learned: dict[str, Learned] = {}

    async def ask(self, request: ChatRequest, attempt: int) -> Reply:
        """Return the reply to a request, or raise the Trouble that a client would.

        Raises
        ------
        Trouble
            A fault left no reply.
        """
        if self._latency:
            await asyncio.sleep(self._latency)
        learned = self._learned.setdefault(request.model, Learned(request.model))
        has_schema = request.reply_schema is not None
        sent = effective(request.settings, learned.refused, has_schema=has_schema)
        performance = self._rehearsal.perform(
            asked_of(request.model_copy(update={"settings": sent})), attempt
        )
        if performance.struck is not None and performance.fault in TROUBLES:
            raise _trouble(performance.struck, learned)
        filtered = performance.fault is FakeFault.CONTENT_FILTER_400
        return Reply(
            text="" if filtered else performance.text or "",
            finish=Finish.FILTER if filtered else performance.finish,
            usage=performance.usage,
            model=performance.model,
            fingerprint=FINGERPRINT,
            effective=sent,
        )

    async def close(self) -> None:
        """Release nothing: there is no connection."""


def _trouble(struck: FaultRule, learned: Learned) -> Trouble:
    """Return the trouble that a fault makes; a rejected parameter is left out from then on."""
    kind, status = TROUBLES[struck.kind]
    waits = struck.kind is FakeFault.RATE_LIMITED_WAIT
    parameter = REJECTED.get(struck.kind)
    if parameter is not None:
        learned.learn(parameter)
    return Trouble(
        kind,
        f"{struck.kind.value}, on purpose",
        status=status,
        retry_after=struck.retry_after if waits else None,
        parameter=parameter,
    )
