"""Faults on purpose: what a fake endpoint does wrong, to which share of requests, by seed.

What a dialect has no such thing for is the nearest that it has (marked ~), or never strikes there.

====================== =========================== ================================
fault                  OpenAI                      Anthropic
====================== =========================== ================================
rate_limited           429                         429
rate_limited_wait      429 with Retry-After        429 with Retry-After
server_error           500                         500
overloaded             529 ~ as a router passes it 529
error_in_200           200, error, choices null    200, error
error_as_text          200, text of an error       200, text of an error
null_content           200, content null           200, no block
empty_after_reasoning  200, length, empty          200, max_tokens, thinking alone
refusal                200, message.refusal        200, stop reason refusal
content_filter         200, content_filter         200 ~ refusal, no block
content_filter_400     400, content_filter         400, by its words
truncated              200, length                 200, max_tokens
truncated_json         200, half of the body       200, half of the body
lone_surrogate         200, half of a pair in it   200, half of a pair in it
slow_stream            200, late; batch: expired   200, late; batch: expired
dropped                none; batch: expired        none; batch: expired
wrong_model            200, another id             200, another id
temperature_rejected   400                         400
max_tokens_rejected    400                         400 ~ too large: it is demanded
seed_rejected          400                         200, never: there is no seed
effort_rejected        400                         400
structured_rejected    400                         400
system_role_rejected   400                         200, never: there is no such role
quota_exhausted        429, insufficient_quota     400 ~ by its words
unauthorized           401                         401
unknown_model          404                         404
too_long               400, by its code            400, by its words
off_form               200, words off the form     200, words off the form
====================== =========================== ================================
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

from pydantic import Field, model_validator

from ..models.trouble import Parameter
from ..places import load_toml
from ..records import Record
from .asked import Asked
from .draws import share


class FakeFault(StrEnum):
    """One way in which an endpoint fails."""

    RATE_LIMITED = "rate_limited"  # 429 without Retry-After
    RATE_LIMITED_WAIT = "rate_limited_wait"  # 429 with Retry-After
    SERVER_ERROR = "server_error"  # 500
    OVERLOADED = "overloaded"  # 529
    ERROR_IN_200 = "error_in_200"  # 200 whose body is an error, choices null
    ERROR_AS_TEXT = "error_as_text"  # 200 whose text is an error body
    NULL_CONTENT = "null_content"
    EMPTY_AFTER_REASONING = "empty_after_reasoning"
    REFUSAL = "refusal"
    CONTENT_FILTER = "content_filter"  # finish reason
    CONTENT_FILTER_400 = "content_filter_400"  # status 400
    TRUNCATED = "truncated"  # text cut at the token limit
    TRUNCATED_JSON = "truncated_json"  # a body that ends in the middle
    LONE_SURROGATE = "lone_surrogate"
    SLOW_STREAM = "slow_stream"  # bytes trickle in past any patience
    DROPPED = "dropped"  # the connection closes without an answer
    WRONG_MODEL = "wrong_model"  # another model id is returned
    TEMPERATURE_REJECTED = "temperature_rejected"  # 400 for as long as temperature is sent
    MAX_TOKENS_REJECTED = "max_tokens_rejected"  # … max_tokens …
    SEED_REJECTED = "seed_rejected"  # … a seed …
    EFFORT_REJECTED = "effort_rejected"  # … a reasoning effort …
    STRUCTURED_REJECTED = "structured_rejected"  # … a schema …
    SYSTEM_ROLE_REJECTED = "system_role_rejected"  # … a system message is sent
    QUOTA_EXHAUSTED = "quota_exhausted"  # 429 insufficient_quota
    UNAUTHORIZED = "unauthorized"  # 401
    UNKNOWN_MODEL = "unknown_model"  # 404
    TOO_LONG = "too_long"  # 400, context length exceeded
    OFF_FORM = "off_form"  # words in no form that was asked for


# What is refused for as long as it is sent, whatever the attempt.
REJECTED: dict[FakeFault, Parameter] = {
    FakeFault.TEMPERATURE_REJECTED: Parameter.TEMPERATURE,
    FakeFault.MAX_TOKENS_REJECTED: Parameter.MAX_TOKENS,
    FakeFault.SEED_REJECTED: Parameter.SEED,
    FakeFault.EFFORT_REJECTED: Parameter.REASONING_EFFORT,
    FakeFault.STRUCTURED_REJECTED: Parameter.STRUCTURED,
    FakeFault.SYSTEM_ROLE_REJECTED: Parameter.SYSTEM_ROLE,
}


class FaultRule(Record):
    """One fault and what it strikes.

    Attributes
    ----------
    kind : FakeFault
    share : float
        Share of requests that it strikes.
    attempts : int
        How many attempts at a request that it strikes fail; the next one gets through.
    models : tuple of str
        Model ids that it is limited to; none means all.
    retry_after : float
        Seconds to wait, of ``rate_limited_wait``.
    lasts : float
        Seconds over which the body trickles in, of ``slow_stream``.
    """

    kind: FakeFault
    share: Annotated[float, Field(ge=0, le=1)] = 1.0
    attempts: Annotated[int, Field(ge=1)] = 1
    models: tuple[str, ...] = ()
    retry_after: Annotated[float, Field(ge=0, le=86400)] = 1.0
    lasts: Annotated[float, Field(gt=0, le=86400)] = 60.0

    @model_validator(mode="after")
    def _in_place(self) -> FaultRule:
        given = self.model_fields_set
        if "retry_after" in given and self.kind is not FakeFault.RATE_LIMITED_WAIT:
            raise ValueError("`retry_after` stands only beside rate_limited_wait")
        if "lasts" in given and self.kind is not FakeFault.SLOW_STREAM:
            raise ValueError("`lasts` stands only beside slow_stream")
        if "attempts" in given and self.kind in REJECTED:
            raise ValueError("`attempts` means nothing where a parameter is rejected")
        return self

    def strikes(self, ask: Asked, attempt: int, seed: int) -> bool:
        """Return whether this fault strikes an attempt at a request."""
        if self.models and ask.model not in self.models:
            return False
        parameter = REJECTED.get(self.kind)
        open_to_it = attempt <= self.attempts if parameter is None else parameter in ask.sent
        # A share of requests, so that attempts at one request fare alike.
        return open_to_it and share(seed, self.kind.value, ask.id) < self.share


class FaultPlan(Record):
    """The faults of a fake endpoint; of several that strike a request, the first in order does.

    Attributes
    ----------
    fault : tuple of FaultRule
    """

    fault: tuple[FaultRule, ...] = ()

    def fault_at(self, ask: Asked, attempt: int, seed: int) -> FaultRule | None:
        """Return the fault that strikes an attempt at a request, or None.

        Parameters
        ----------
        ask : Asked
        attempt : int
            From 1.
        seed : int
            Decides which requests are struck.
        """
        for rule in self.fault:
            if rule.strikes(ask, attempt, seed):
                return rule
        return None


def load_faults(path: Path) -> FaultPlan:
    """Return the fault plan that a TOML file of ``[[fault]]`` tables describes."""
    return load_toml(path, FaultPlan)
