"""The OpenAI dialect: how replies, streams and errors are put in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..models.chat import Finish
from .error_status import OPENAI, ErrorStatus
from .openai_request import read_completion
from .performance import FINGERPRINT, Performance
from .wire import Sent, event, pieces

FINISH = {
    Finish.STOP: "stop",
    Finish.LENGTH: "length",
    Finish.REFUSAL: "stop",
    Finish.FILTER: "content_filter",
}
# A rehearsal happens outside of time: everything has this date.
CREATED = 1_700_000_000
# What a router says that the provider behind it answered.
BEHIND = 502


class OpenAIDialect:
    """OpenAI's chat completions, with OpenRouter's ``usage.cost`` where a price is given.

    Parameters
    ----------
    price : float, optional
        Dollars a million tokens.
    """

    wordings = OPENAI

    def __init__(self, price: float | None = None) -> None:
        self._price = price

    def key_of(self, headers: Mapping[str, str]) -> str | None:
        """Return the key that a request carries."""
        scheme, _, key = headers.get("authorization", "").partition(" ")
        return key if scheme.lower() == "bearer" else None

    def read(self, raw: bytes | dict[str, Any]) -> Sent:
        """Return what a body asks, or raise the error status that the real endpoint would."""
        return read_completion(raw)

    def error(self, failed: ErrorStatus) -> dict[str, Any]:
        """Return the body of an error; in the place of a reply it stands as a router puts it."""
        said = failed.wording
        if said.status == 200:
            return {"error": {"code": BEHIND, "message": said.message}, "choices": None}
        words = {"message": said.message, "type": said.type}
        return {"error": {**words, "param": said.param, "code": said.code}}

    def body(self, performance: Performance, sent: Sent) -> dict[str, Any]:
        """Return the body of a reply."""
        refused = performance.finish is Finish.REFUSAL
        message = {
            "role": "assistant",
            "content": None if refused else performance.text,
            "refusal": performance.text if refused else None,
        }
        finish = FINISH[performance.finish]
        choice = {"index": 0, "message": message, "finish_reason": finish, "logprobs": None}
        head = _head(performance, "chat.completion")
        return {**head, "choices": [choice], "usage": self._usage(performance)}

    def events(self, performance: Performance, sent: Sent) -> list[bytes]:
        """Return a reply as server-sent events."""
        field = "refusal" if performance.finish is Finish.REFUSAL else "content"
        deltas: list[dict[str, Any]] = [{"role": "assistant", "content": "", "refusal": None}]
        deltas += [{field: piece} for piece in pieces(performance.text or "")]
        choices: list[dict[str, Any]] = [
            {"index": 0, "delta": delta, "finish_reason": None} for delta in deltas
        ]
        choices.append({"index": 0, "delta": {}, "finish_reason": FINISH[performance.finish]})
        head = _head(performance, "chat.completion.chunk")
        events = [event({**head, "choices": [choice], "usage": None}) for choice in choices]
        if sent.usage:
            events.append(event({**head, "choices": [], "usage": self._usage(performance)}))
        return [*events, event("[DONE]")]

    def _usage(self, performance: Performance) -> dict[str, Any]:
        usage = performance.usage
        total = (usage.input or 0) + (usage.output or 0)
        told: dict[str, Any] = {
            "prompt_tokens": usage.input,
            "completion_tokens": usage.output,
            "total_tokens": total,
            "prompt_tokens_details": {"cached_tokens": usage.cached},
            "completion_tokens_details": {"reasoning_tokens": usage.reasoning},
        }
        return told if self._price is None else {**told, "cost": total * self._price / 1e6}


def _head(performance: Performance, kind: str) -> dict[str, Any]:
    return {
        "id": f"chatcmpl-{performance.id}",
        "object": kind,
        "created": CREATED,
        "model": performance.model,
        "system_fingerprint": FINGERPRINT,
    }
