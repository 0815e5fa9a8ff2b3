"""Answers with an error status, as each dialect words them.

A status of 200 is an error in the place of a reply. The table in ``faults`` says which fault has no
counterpart in a dialect, and what is nearest.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from .faults import FakeFault, FaultRule


class Wording(NamedTuple):
    """How a dialect words an error: status, its word for the kind, message, parameter, code."""

    status: int
    type: str
    message: str
    param: str | None = None
    code: str | None = None


class ErrorStatus(Exception):  # noqa: N818 — an answer, not something that went wrong here
    """An answer with an error status.

    Parameters
    ----------
    wording : Wording
    retry_after : float, optional
        Seconds that it asks to wait.
    """

    def __init__(self, wording: Wording, retry_after: float | None = None) -> None:
        self.wording = wording
        self.headers = {} if retry_after is None else {"retry-after": f"{retry_after:g}"}
        super().__init__(wording.message)


INVALID = "invalid_request_error"

OPENAI: Mapping[FakeFault, Wording] = {
    FakeFault.RATE_LIMITED: Wording(
        429, "requests", "Rate limit reached, please slow down.", None, "rate_limit_exceeded"
    ),
    FakeFault.RATE_LIMITED_WAIT: Wording(
        429, "tokens", "Rate limit reached, please wait.", None, "rate_limit_exceeded"
    ),
    FakeFault.SERVER_ERROR: Wording(500, "server_error", "The server had an error."),
    FakeFault.OVERLOADED: Wording(529, "overloaded_error", "The provider is overloaded."),
    FakeFault.ERROR_IN_200: Wording(200, "server_error", "Provider returned error"),
    FakeFault.CONTENT_FILTER_400: Wording(
        400, INVALID, "The content management policy filtered it.", "prompt", "content_filter"
    ),
    FakeFault.TEMPERATURE_REJECTED: Wording(
        400,
        INVALID,
        "Unsupported value: 'temperature' supports only the default (1) with this model.",
        "temperature",
        "unsupported_value",
    ),
    FakeFault.MAX_TOKENS_REJECTED: Wording(
        400,
        INVALID,
        "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' with this model.",
        "max_tokens",
        "unsupported_parameter",
    ),
    FakeFault.SEED_REJECTED: Wording(
        400, INVALID, "Unsupported parameter: 'seed'.", "seed", "unsupported_parameter"
    ),
    FakeFault.EFFORT_REJECTED: Wording(
        400,
        INVALID,
        "Unsupported parameter: 'reasoning_effort'.",
        "reasoning_effort",
        "unsupported_parameter",
    ),
    FakeFault.STRUCTURED_REJECTED: Wording(
        400,
        INVALID,
        "Invalid parameter: 'response_format' json_schema is not supported with this model.",
        "response_format",
    ),
    FakeFault.SYSTEM_ROLE_REJECTED: Wording(
        400,
        INVALID,
        "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
        "messages[0].role",
        "unsupported_value",
    ),
    FakeFault.QUOTA_EXHAUSTED: Wording(
        429, "insufficient_quota", "You exceeded your quota.", None, "insufficient_quota"
    ),
    FakeFault.UNAUTHORIZED: Wording(
        401, INVALID, "Incorrect API key provided.", None, "invalid_api_key"
    ),
    FakeFault.UNKNOWN_MODEL: Wording(
        404, INVALID, "The model does not exist.", None, "model_not_found"
    ),
    FakeFault.TOO_LONG: Wording(
        400,
        INVALID,
        "This model's maximum context length is 8192 tokens.",
        "messages",
        "context_length_exceeded",
    ),
}

_LIMITED = Wording(429, "rate_limit_error", "This request would exceed your rate limit.")

ANTHROPIC: Mapping[FakeFault, Wording] = {
    FakeFault.RATE_LIMITED: _LIMITED,
    FakeFault.RATE_LIMITED_WAIT: _LIMITED,
    FakeFault.SERVER_ERROR: Wording(500, "api_error", "Internal server error"),
    FakeFault.OVERLOADED: Wording(529, "overloaded_error", "Overloaded"),
    FakeFault.ERROR_IN_200: Wording(200, "api_error", "Internal server error"),
    FakeFault.CONTENT_FILTER_400: Wording(
        400, INVALID, "Output blocked by content filtering policy"
    ),
    FakeFault.TEMPERATURE_REJECTED: Wording(
        400, INVALID, "`temperature` is deprecated for this model."
    ),
    FakeFault.MAX_TOKENS_REJECTED: Wording(
        400, INVALID, "max_tokens: above the most output tokens that this model allows"
    ),
    FakeFault.EFFORT_REJECTED: Wording(
        400, INVALID, "output_config.effort: this model does not support an effort"
    ),
    FakeFault.STRUCTURED_REJECTED: Wording(
        400, INVALID, "output_config.format: not supported for this model"
    ),
    FakeFault.QUOTA_EXHAUSTED: Wording(
        400, INVALID, "Your credit balance is too low to access the API."
    ),
    FakeFault.UNAUTHORIZED: Wording(401, "authentication_error", "invalid x-api-key"),
    FakeFault.UNKNOWN_MODEL: Wording(404, "not_found_error", "model: not found"),
    FakeFault.TOO_LONG: Wording(400, INVALID, "prompt is too long: 208310 tokens > 200000 maximum"),
}


def error_status(
    wordings: Mapping[FakeFault, Wording], struck: FaultRule | None
) -> ErrorStatus | None:
    """Return the error status that a fault puts in the place of a reply, or None."""
    if struck is None or struck.kind not in wordings:
        return None
    waits = struck.kind is FakeFault.RATE_LIMITED_WAIT
    return ErrorStatus(wordings[struck.kind], struck.retry_after if waits else None)


def invalid(message: str, param: str | None = None) -> ErrorStatus:
    """Return status 400 about a body."""
    return ErrorStatus(Wording(400, INVALID, message, param))
