"""What an OpenAI-compatible endpoint sends back, read without trust.

A success may hold an error, no choices or no text; a text may be an error; what is missing is
unknown and never 0.
"""

from __future__ import annotations

from collections.abc import Mapping

from .chat import Finish, Reply, Settings, Usage
from .complaint import Complaint, complaint_as_text, complaint_in, read_error
from .reply_parts import (
    read_count,
    read_dollars,
    read_mapping,
    read_name,
    visible,
    with_reasoning,
)

_FINISHES: Mapping[str, Finish] = {
    "stop": Finish.STOP,
    "length": Finish.LENGTH,
    "content_filter": Finish.FILTER,
}


def read_completion(body: object, effective: Settings) -> Reply | Complaint:
    """Return the reply in a body of status 200, or the complaint that stands in its place.

    Parameters
    ----------
    body : object
        JSON of a chat completion, or text where it was none.
    effective : Settings
        What was sent.
    """
    complaint = complaint_in(body)
    if complaint is not None:
        return complaint
    completion = read_mapping(body)
    choices = completion.get("choices")
    if not isinstance(choices, list) or not choices:
        return Complaint("the body holds no choices")
    choice = read_mapping(choices[0])
    if choice.get("error") or choice.get("finish_reason") == "error":
        return read_error(choice) or Complaint("the choice is an error")
    message = choice.get("message")
    if not isinstance(message, dict):
        return Complaint("the choice holds no message")
    said = _said(message)
    if said is None:
        return Complaint("the message holds no text")
    return complaint_as_text(said) or _reply(completion, choice, said, effective)


def _said(message: Mapping[str, object]) -> str | None:
    """Return a message's text; None where what stands in its place cannot be one."""
    content = message.get("content")
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, list):
        return None
    parts = [read_mapping(part) for part in content]
    return "".join(read_name(p.get("text")) for p in parts if p.get("type") == "text")


def _reply(
    completion: Mapping[str, object], choice: Mapping[str, object], said: str, effective: Settings
) -> Reply:
    message = read_mapping(choice.get("message"))
    text, thought = visible(said)
    refusal = read_name(message.get("refusal"))
    hidden = thought or bool(message.get("reasoning_content") or message.get("reasoning"))
    usage = read_mapping(completion.get("usage"))
    text = refusal or text
    return Reply(
        text=text,
        finish=Finish.REFUSAL if refusal else read_finish(choice.get("finish_reason")),
        usage=with_reasoning(read_usage(usage), text=text, hidden=hidden),
        model=read_name(completion.get("model")),
        fingerprint=read_name(completion.get("system_fingerprint")),
        cost=read_dollars(usage.get("cost")),
        effective=effective,
    )


def read_finish(reason: object) -> Finish:
    """Return why a model stopped; ``OTHER`` of any reason that no fault hangs on."""
    return _FINISHES[reason] if isinstance(reason, str) and reason in _FINISHES else Finish.OTHER


def read_usage(usage: Mapping[str, object]) -> Usage:
    """Return the tokens of a completion.

    Output counts reasoning. Where the provider's own total shows that its output does not, the
    two are added up.
    """
    sent, said = read_count(usage.get("prompt_tokens")), read_count(usage.get("completion_tokens"))
    reasoning = read_count(
        read_mapping(usage.get("completion_tokens_details")).get("reasoning_tokens")
    )
    cached = read_count(read_mapping(usage.get("prompt_tokens_details")).get("cached_tokens"))
    total = read_count(usage.get("total_tokens"))
    if sent is not None and said is not None and reasoning and total == sent + said + reasoning:
        said += reasoning
    return Usage(input=sent, output=said, reasoning=reasoning, cached=cached)
