"""Messages over the official ``anthropic`` client.

The API has no seed, so none is sent and none is recorded as effective. It holds a reply to a schema
(``output_config.format``); compatible endpoints may drop that without a word, which is why every
ruling is checked when it is read. Effort goes into ``output_config.effort``, which has no
``minimal``; ``none`` turns thinking off. Not covered: streaming, tools, prompt caching.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from .anthropic_reply import read_message
from .capabilities import effective
from .chat import ChatMessage, ChatRequest, ChatRole, Effort, Reply, Settings
from .complaint import Complaint
from .http_chat import HttpChat
from .openai_chat import NO_KEY, fold_system
from .trouble import Parameter
from .wire import Wire

if TYPE_CHECKING:
    import httpx2

ADDRESS = "https://api.anthropic.com"


def anthropic_wire(
    base_url: str = ADDRESS,
    *,
    key: str = "",
    timeout: float = 600.0,
    http_client: httpx2.AsyncClient | None = None,
) -> Wire:
    """Return a wire to an Anthropic-compatible endpoint; parameters as in ``openai_wire``."""
    import anthropic

    client = anthropic.AsyncAnthropic(
        api_key=key or NO_KEY, base_url=base_url, max_retries=0, http_client=http_client
    )
    return Wire(anthropic, client, key=key, timeout=timeout)


class AnthropicChat(HttpChat):
    """A model behind Messages."""

    path = "/v1/messages"

    def _effective(self, request: ChatRequest) -> Settings:
        refused = self._learned.refused | {Parameter.SEED}
        if request.settings.reasoning_effort is Effort.MINIMAL:
            refused |= {Parameter.REASONING_EFFORT}
        return effective(request.settings, refused, has_schema=request.reply_schema is not None)

    def _sent(self, request: ChatRequest, settings: Settings) -> frozenset[Parameter]:
        # The limit has one name here.
        return super()._sent(request, settings) - {Parameter.MAX_TOKENS}

    def _body(self, request: ChatRequest, settings: Settings) -> dict[str, object]:
        folded = Parameter.SYSTEM_ROLE in self._learned.refused
        return message_body(request, settings, folded=folded)

    def _read(self, body: object, settings: Settings) -> Reply | Complaint:
        return read_message(body, settings)


def message_body(
    request: ChatRequest, settings: Settings, *, folded: bool = False
) -> dict[str, object]:
    """Return a request as the body of a message.

    Parameters
    ----------
    request : ChatRequest
    settings : Settings
        Effective ones.
    folded : bool
        Whether the system text stands before the first user message, in it.
    """
    messages = fold_system(request.messages) if folded else request.messages
    system = [m.text for m in messages if m.role is ChatRole.SYSTEM and m.text.strip()]
    body: dict[str, object] = {
        "model": request.model,
        "max_tokens": settings.max_tokens,
        "messages": alternating(m for m in messages if m.role is not ChatRole.SYSTEM),
        "system": "\n\n".join(system) or None,
        "temperature": settings.temperature,
        "output_config": _output_config(request, settings) or None,
    }
    if settings.reasoning_effort is Effort.NONE:
        body["thinking"] = {"type": "disabled"}
    return {name: value for name, value in body.items() if value is not None}


def _output_config(request: ChatRequest, settings: Settings) -> dict[str, object]:
    config: dict[str, object] = {}
    if settings.reasoning_effort not in {None, Effort.NONE}:
        config["effort"] = settings.reasoning_effort
    if settings.structured:
        config["format"] = {"type": "json_schema", "schema": request.reply_schema}
    return config


def alternating(messages: Iterable[ChatMessage]) -> list[dict[str, object]]:
    """Return messages as turns of alternating roles, each of blocks of text that is not blank.

    The API refuses a blank block. One that is left out brings two messages of one role together:
    they become two blocks of one turn, each with its own words and none put in between.
    """
    turns: list[tuple[str, list[dict[str, str]]]] = []
    for message in messages:
        if not message.text.strip():
            continue
        if not turns or turns[-1][0] != message.role.value:
            turns.append((message.role.value, []))
        turns[-1][1].append({"type": "text", "text": message.text})
    return [{"role": role, "content": blocks} for role, blocks in turns]
