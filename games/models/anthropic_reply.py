"""What an Anthropic-compatible endpoint sends back, read without trust."""

from __future__ import annotations

from collections.abc import Mapping

from .chat import Finish, Reply, Settings, Usage
from .complaint import Complaint, complaint_as_text, complaint_in
from .reply_parts import read_count, read_mapping, read_name, visible, with_reasoning

_FINISHES: Mapping[str, Finish] = {
    "end_turn": Finish.STOP,
    "stop_sequence": Finish.STOP,
    "max_tokens": Finish.LENGTH,
    "model_context_window_exceeded": Finish.LENGTH,
    "refusal": Finish.REFUSAL,
}
_THINKING = frozenset({"thinking", "redacted_thinking"})


def read_message(body: object, effective: Settings) -> Reply | Complaint:
    """Return the reply in a body of status 200, or the complaint that stands in its place.

    Parameters
    ----------
    body : object
        JSON of a message, or text where it was none.
    effective : Settings
        What was sent.
    """
    complaint = complaint_in(body)
    if complaint is not None:
        return complaint
    message = read_mapping(body)
    content = message.get("content")
    if not isinstance(content, list):
        return Complaint("the body holds no content")
    blocks = [read_mapping(block) for block in content]
    said = "".join(read_name(b.get("text")) for b in blocks if b.get("type") == "text")
    return complaint_as_text(said) or _reply(message, blocks, said, effective)


def _reply(
    message: Mapping[str, object],
    blocks: list[dict[str, object]],
    said: str,
    effective: Settings,
) -> Reply:
    text, thought = visible(said)
    finish = read_finish(message.get("stop_reason"))
    if finish is Finish.REFUSAL and not text.strip():
        text = read_name(read_mapping(message.get("stop_details")).get("explanation"))
    hidden = thought or any(block.get("type") in _THINKING for block in blocks)
    usage = read_usage(read_mapping(message.get("usage")))
    return Reply(
        text=text,
        finish=finish,
        usage=with_reasoning(usage, text=text, hidden=hidden),
        model=read_name(message.get("model")),
        effective=effective,
    )


def read_finish(reason: object) -> Finish:
    """Return why a model stopped; ``OTHER`` of any reason that no fault hangs on."""
    return _FINISHES[reason] if isinstance(reason, str) and reason in _FINISHES else Finish.OTHER


def read_usage(usage: Mapping[str, object]) -> Usage:
    """Return the tokens of a message; input counts what was written to a cache or read from it."""
    cached = read_count(usage.get("cache_read_input_tokens"))
    written = read_count(usage.get("cache_creation_input_tokens"))
    fresh = read_count(usage.get("input_tokens"))
    return Usage(
        input=None if fresh is None else fresh + (cached or 0) + (written or 0),
        output=read_count(usage.get("output_tokens")),
        reasoning=read_count(
            read_mapping(usage.get("output_tokens_details")).get("thinking_tokens")
        ),
        cached=cached,
    )
