"""Trouble: why a request got no reply. It is nobody's move and never an outcome.

``RETRIED`` may pass by itself, ``STOPPING`` passes only when a person does something, so that the
run stops and waits; anything else makes its match void.
"""

from __future__ import annotations

from enum import StrEnum

from ..errors import AidgError


class TroubleKind(StrEnum):
    """Why there is no reply."""

    RATE_LIMITED = "rate_limited"
    OVERLOADED = "overloaded"
    SERVER_ERROR = "server_error"
    TIMEOUT = "timeout"
    CONNECTION = "connection"
    MALFORMED = "malformed"
    PARAMETER_REJECTED = "parameter_rejected"
    TOO_LONG = "too_long"
    REJECTED = "rejected"
    QUOTA_EXHAUSTED = "quota_exhausted"
    UNAUTHORIZED = "unauthorized"
    UNKNOWN_MODEL = "unknown_model"
    UNREACHABLE = "unreachable"


RETRIED = frozenset(
    {
        TroubleKind.RATE_LIMITED,
        TroubleKind.OVERLOADED,
        TroubleKind.SERVER_ERROR,
        TroubleKind.TIMEOUT,
        TroubleKind.CONNECTION,
        TroubleKind.MALFORMED,
    }
)
STOPPING = frozenset(
    {
        TroubleKind.QUOTA_EXHAUSTED,
        TroubleKind.UNAUTHORIZED,
        TroubleKind.UNKNOWN_MODEL,
        TroubleKind.UNREACHABLE,
    }
)


class Parameter(StrEnum):
    """A part of a request that an endpoint may refuse."""

    TEMPERATURE = "temperature"
    SEED = "seed"
    REASONING_EFFORT = "reasoning_effort"
    STRUCTURED = "structured"
    MAX_TOKENS = "max_tokens"
    SYSTEM_ROLE = "system_role"


class Trouble(AidgError):  # noqa: N818 — the house's word
    """A request got no reply.

    Parameters
    ----------
    kind : TroubleKind
    detail : str
        What the endpoint said, shortened; never a header, so never a key.
    status : int, optional
        HTTP status.
    retry_after : float, optional
        Seconds that the endpoint asks to wait.
    parameter : Parameter, optional
        What was refused, of ``PARAMETER_REJECTED``.
    """

    def __init__(
        self,
        kind: TroubleKind,
        detail: str = "",
        *,
        status: int | None = None,
        retry_after: float | None = None,
        parameter: Parameter | None = None,
    ) -> None:
        self.kind, self.detail, self.status = kind, detail, status
        self.retry_after, self.parameter = retry_after, parameter
        super().__init__(f"{kind.value}: {detail}" if detail else kind.value)

    @property
    def stops(self) -> bool:
        """Whether it passes only when a person does something, so that the run stops and waits."""
        return self.kind in STOPPING
