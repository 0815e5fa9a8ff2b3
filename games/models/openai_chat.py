"""Chat Completions over the official ``openai`` client, at any compatible address.

Not covered: streaming, tools, images, the Responses API. Reasoning is never sent back: no player
is shown its own or another's.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from .capabilities import effective
from .chat import ChatMessage, ChatRequest, ChatRole, Reply, Settings
from .complaint import Complaint
from .http_chat import HttpChat
from .openai_reply import read_completion
from .trouble import Parameter
from .wire import Wire

if TYPE_CHECKING:
    import httpx2

ADDRESS = "https://api.openai.com/v1"
# The client insists on a key; where an endpoint wants none, this is sent.
NO_KEY = "none"
SCHEMA_NAME = "reply"


def openai_wire(
    base_url: str = ADDRESS,
    *,
    key: str = "",
    timeout: float = 600.0,
    http_client: httpx2.AsyncClient | None = None,
) -> Wire:
    """Return a wire to an OpenAI-compatible endpoint.

    Parameters
    ----------
    base_url : str
    key : str
        Empty where the endpoint wants none; no environment variable is looked at.
    timeout : float
        Seconds for one request.
    http_client : httpx2.AsyncClient, optional
        The client's own where it is left out, which verifies certificates.
    """
    import openai

    client = openai.AsyncOpenAI(
        api_key=key or NO_KEY, base_url=base_url, max_retries=0, http_client=http_client
    )
    return Wire(openai, client, key=key, timeout=timeout)


class OpenAIChat(HttpChat):
    """A model behind Chat Completions."""

    path = "/chat/completions"

    def _effective(self, request: ChatRequest) -> Settings:
        return effective(
            request.settings,
            self._learned.refused,
            has_schema=request.reply_schema is not None,
        )

    def _body(self, request: ChatRequest, settings: Settings) -> dict[str, object]:
        return completion_body(
            request,
            settings,
            completion_tokens=self._learned.completion_tokens,
            folded=Parameter.SYSTEM_ROLE in self._learned.refused,
        )

    def _read(self, body: object, settings: Settings) -> Reply | Complaint:
        return read_completion(body, settings)


def completion_body(
    request: ChatRequest, settings: Settings, *, completion_tokens: bool, folded: bool
) -> dict[str, object]:
    """Return a request as the body of a chat completion.

    Parameters
    ----------
    request : ChatRequest
    settings : Settings
        Effective ones.
    completion_tokens : bool
        Whether the limit is named ``max_completion_tokens``.
    folded : bool
        Whether the system text stands before the first user message, in it.
    """
    messages = fold_system(request.messages) if folded else request.messages
    limit = "max_completion_tokens" if completion_tokens else "max_tokens"
    body: dict[str, object] = {
        "model": request.model,
        "messages": [{"role": m.role.value, "content": m.text} for m in messages],
        limit: settings.max_tokens,
        "temperature": settings.temperature,
        "seed": settings.seed,
        "reasoning_effort": settings.reasoning_effort,
    }
    if settings.structured:
        schema = {"name": SCHEMA_NAME, "strict": True, "schema": request.reply_schema}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    return {name: value for name, value in body.items() if value is not None}


def fold_system(messages: Iterable[ChatMessage]) -> tuple[ChatMessage, ...]:
    """Return messages without a system role: its text goes before that of the first user."""
    system = [m.text for m in messages if m.role is ChatRole.SYSTEM]
    others = [m for m in messages if m.role is not ChatRole.SYSTEM]
    if not system:
        return tuple(others)
    first = others[0].text if others and others[0].role is ChatRole.USER else None
    rest = others if first is None else others[1:]
    text = "\n\n".join(system if first is None else (*system, first))
    return (ChatMessage(role=ChatRole.USER, text=text), *rest)
