"""Clients over a transport in memory: what is sent is kept, what comes back is made up."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from games.models.anthropic_chat import AnthropicChat, anthropic_wire
from games.models.capabilities import Learned
from games.models.chat import ChatMessage, ChatRequest, ChatRole, Reply, Settings
from games.models.http_chat import HttpChat
from games.models.openai_chat import OpenAIChat, openai_wire
from games.models.trouble import Parameter, Trouble

KEY = "sk-planted-0123456789abcdef"
SCHEMA = {
    "type": "object",
    "properties": {"verdict": {"enum": ["leak", "no leak"]}},
    "required": ["verdict"],
    "additionalProperties": False,
}
Handler = Callable[[httpx2.Request], httpx2.Response]


class Endpoint:
    """An endpoint in memory that gives its answers in order, the last one for ever."""

    def __init__(self, *answers: httpx2.Response | Handler | Exception) -> None:
        self.answers = list(answers)
        self.requests: list[httpx2.Request] = []

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, httpx2.Response) else answer(request)

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [json.loads(request.content) for request in self.requests]

    def _http(self) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(transport=httpx2.MockTransport(self))

    def openai(self, model: str = "m", *, timeout: float = 5.0, **said: Any) -> OpenAIChat:
        wire = openai_wire("http://mock/v1", key=KEY, timeout=timeout, http_client=self._http())
        return OpenAIChat(wire, Learned(model, **said))

    def anthropic(self, model: str = "m", *, timeout: float = 5.0, **said: Any) -> AnthropicChat:
        wire = anthropic_wire("http://mock", key=KEY, timeout=timeout, http_client=self._http())
        return AnthropicChat(wire, Learned(model, **said))


def answer(body: Any, status: int = 200, **headers: str) -> httpx2.Response:
    """An answer of JSON, or of raw bytes."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode("ascii")
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx2.Response(
        status, content=raw, headers={"content-type": "application/json", **named}
    )


def asks(
    *texts: str, model: str = "m", schema: dict[str, Any] | None = None, **settings: Any
) -> ChatRequest:
    """A request: a system text, then user and assistant by turns."""
    said = texts or ("be brief", "hello")
    roles = [ChatRole.SYSTEM, *[ChatRole.USER, ChatRole.ASSISTANT] * len(said)]
    messages = tuple(
        ChatMessage(role=role, text=text) for role, text in zip(roles, said, strict=False)
    )
    return ChatRequest(
        model=model,
        messages=messages,
        settings=Settings(**{"max_tokens": 64, **settings}),
        reply_schema=schema,
    )


def reply_of(chat: HttpChat, request: ChatRequest | None = None, attempt: int = 1) -> Reply:
    """The reply to one asking."""
    return asyncio.run(chat.ask(request or asks(), attempt))


def trouble_of(chat: HttpChat, request: ChatRequest | None = None, attempt: int = 1) -> Trouble:
    """The trouble of one asking."""
    with pytest.raises(Trouble) as caught:
        asyncio.run(chat.ask(request or asks(), attempt))
    return caught.value


def fields(trouble: Trouble) -> tuple[str, int | None, Parameter | None]:
    """What a trouble is, its words apart."""
    return trouble.kind.value, trouble.status, trouble.parameter
