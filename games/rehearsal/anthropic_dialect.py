"""The Anthropic dialect: how replies, streams and errors are put in it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..models.chat import Finish
from .anthropic_request import read_message
from .error_status import ANTHROPIC, ErrorStatus
from .faults import FakeFault
from .performance import Performance
from .wire import Sent, event, pieces

STOP = {
    Finish.STOP: "end_turn",
    Finish.LENGTH: "max_tokens",
    Finish.REFUSAL: "refusal",
    Finish.FILTER: "refusal",
}
THOUGHT = "The question has several sides to it."


class AnthropicDialect:
    """Anthropic's messages."""

    wordings = ANTHROPIC

    def key_of(self, headers: Mapping[str, str]) -> str | None:
        """Return the key that a request carries; clients have sent it in either header."""
        scheme, _, key = headers.get("authorization", "").partition(" ")
        return key if scheme.lower() == "bearer" else headers.get("x-api-key")

    def read(self, raw: bytes | dict[str, Any]) -> Sent:
        """Return what a body asks, or raise the error status that the real endpoint would."""
        return read_message(raw)

    def error(self, failed: ErrorStatus) -> dict[str, Any]:
        """Return the body of an error."""
        said = failed.wording
        return {"type": "error", "error": {"type": said.type, "message": said.message}}

    def body(self, performance: Performance, sent: Sent) -> dict[str, Any]:
        """Return the body of a reply."""
        return {
            **_head(performance),
            "content": _blocks(performance, sent.tool),
            "stop_reason": _stop(performance, sent.tool),
            "stop_sequence": None,
            "usage": _usage(performance),
        }

    def events(self, performance: Performance, sent: Sent) -> list[bytes]:
        """Return a reply as server-sent events."""
        start = {**_head(performance), "content": [], "stop_reason": None, "stop_sequence": None}
        start["usage"] = {**_usage(performance), "output_tokens": 1}
        events: list[dict[str, Any]] = [{"type": "message_start", "message": start}]
        for index, block in enumerate(_blocks(performance, sent.tool)):
            events += _streamed(index, block)
        delta = {"stop_reason": _stop(performance, sent.tool), "stop_sequence": None}
        events += [
            {"type": "message_delta", "delta": delta, "usage": _usage(performance)},
            {"type": "message_stop"},
        ]
        return [event(one, one["type"]) for one in events]


def _head(performance: Performance) -> dict[str, Any]:
    return {
        "id": f"msg_{performance.id}",
        "type": "message",
        "role": "assistant",
        "model": performance.model,
    }


def _stop(performance: Performance, tool: str | None) -> str:
    uses = tool is not None and performance.finish is Finish.STOP
    return "tool_use" if uses else STOP[performance.finish]


def _blocks(performance: Performance, tool: str | None) -> list[dict[str, Any]]:
    """Return the blocks of a reply: none for a null, thinking alone for a spent budget."""
    if performance.fault is FakeFault.EMPTY_AFTER_REASONING:
        return [{"type": "thinking", "thinking": THOUGHT, "signature": performance.id}]
    if not performance.text:
        return []
    filled = None if tool is None else _filled(performance.text)
    if filled is None:
        return [{"type": "text", "text": performance.text}]
    return [{"type": "tool_use", "id": f"toolu_{performance.id}", "name": tool, "input": filled}]


def _filled(text: str) -> dict[str, Any] | None:
    """Return the input of a tool, or None where a fault or the limit left no object."""
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _streamed(index: int, block: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the events of one block."""
    start: dict[str, Any]
    match block["type"]:
        case "tool_use":
            start, kind, part = {**block, "input": {}}, "input_json_delta", "partial_json"
            whole = json.dumps(block["input"])
        case "thinking":
            start, kind, part = {**block, "thinking": ""}, "thinking_delta", "thinking"
            whole = block["thinking"]
        case _:
            start, kind, part = {**block, "text": ""}, "text_delta", "text"
            whole = block["text"]
    head = {"index": index}
    deltas = [{"type": kind, part: piece} for piece in pieces(whole)]
    return [
        {"type": "content_block_start", **head, "content_block": start},
        *({"type": "content_block_delta", **head, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", **head},
    ]


def _usage(performance: Performance) -> dict[str, Any]:
    usage = performance.usage
    return {
        "input_tokens": usage.input,
        "output_tokens": usage.output,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": usage.cached,
        "output_tokens_details": {"thinking_tokens": usage.reasoning},
    }
