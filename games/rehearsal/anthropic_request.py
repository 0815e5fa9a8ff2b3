"""A request in the Anthropic dialect, read as strictly as the real endpoint reads it."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from ..models.chat import ChatRole
from ..models.trouble import Parameter
from .asked import Asked, asked
from .error_status import invalid
from .wire import Sent, read_body


class TextBlock(BaseModel):
    """A block of a message; a rehearsal reads text only."""

    type: Literal["text"]
    text: str


Words = str | list[TextBlock]


class Message(BaseModel):
    """A message of a request."""

    role: Literal["user", "assistant"]
    content: Words


class Tool(BaseModel):
    """A tool whose input a model fills in."""

    name: str
    input_schema: dict[str, Any]


class ToolChoice(BaseModel):
    """Which tool a model must use."""

    type: Literal["auto", "any", "tool", "none"]
    name: str | None = None


class Format(BaseModel):
    """The schema that a reply must follow."""

    type: Literal["json_schema"]
    schema_: Annotated[dict[str, Any], Field(alias="schema")]


class OutputConfig(BaseModel):
    """The form of a reply, and how long to think about it."""

    format: Format | None = None
    effort: Literal["low", "medium", "high", "xhigh", "max"] | None = None


class Counted(BaseModel):
    """A body of /v1/messages/count_tokens."""

    model: Annotated[str, Field(min_length=1)]
    messages: Annotated[list[Message], Field(min_length=1)]
    system: Words = ""

    def spoken(self) -> list[tuple[ChatRole, str]]:
        """Return whose words they are, and the words, the system message first."""
        system = _text(self.system)
        head = [(ChatRole.SYSTEM, system)] if system else []
        return [*head, *((ChatRole(one.role), _text(one.content)) for one in self.messages)]


class Request(Counted):
    """A body of /v1/messages; what a rehearsal has no use for is let through unread."""

    max_tokens: Annotated[int, Field(gt=0)]
    temperature: Annotated[float, Field(ge=0, le=1)] | None = None
    stream: bool = False
    tools: list[Tool] = []
    tool_choice: ToolChoice | None = None
    output_config: OutputConfig = OutputConfig()


def read_message(raw: bytes | dict[str, Any]) -> Sent:
    """Return what a body asks, or raise the error status that the real endpoint would."""
    body = read_body(raw, Request)
    messages = body.spoken()
    _check(messages)
    tool, form = _forced_tool(body), body.output_config.format
    held = {
        Parameter.TEMPERATURE: body.temperature is not None,
        Parameter.MAX_TOKENS: True,
        Parameter.REASONING_EFFORT: body.output_config.effort is not None,
        Parameter.STRUCTURED: form is not None,
    }
    ask = asked(
        body.model,
        messages,
        schema=tool.input_schema if tool else form.schema_ if form else None,
        max_tokens=body.max_tokens,
        sent=(parameter for parameter, there in held.items() if there),
    )
    return Sent(ask, stream=body.stream, tool=tool.name if tool else None)


def read_counted(raw: bytes) -> Asked:
    """Return what a body asks whose tokens are counted and which gets no reply."""
    body = read_body(raw, Counted)
    return asked(body.model, body.spoken())


def _text(content: Words) -> str:
    if isinstance(content, str):
        return content
    return "".join(block.text for block in content)


def _check(messages: list[tuple[ChatRole, str]]) -> None:
    """Refuse roles that do not alternate and messages without text."""
    spoken = [message for message in messages if message[0] is not ChatRole.SYSTEM]
    if spoken[0][0] is not ChatRole.USER:
        raise invalid('messages: first message must use the "user" role')
    if any(first[0] is second[0] for first, second in pairwise(spoken)):
        raise invalid('messages: roles must alternate between "user" and "assistant"')
    for index, (_, text) in enumerate(spoken):
        if not text:
            raise invalid(f"messages.{index}: all messages must have non-empty content")
        if not text.strip():
            raise invalid("messages: text content blocks must contain non-whitespace text")
    if spoken[-1][0] is ChatRole.ASSISTANT and spoken[-1][1] != spoken[-1][1].rstrip():
        raise invalid("messages: final assistant content cannot end with trailing whitespace")


def _forced_tool(body: Request) -> Tool | None:
    if body.tool_choice is None or body.tool_choice.type != "tool":
        return None
    for tool in body.tools:
        if tool.name == body.tool_choice.name:
            return tool
    raise invalid(f"tool_choice: tool '{body.tool_choice.name}' is not among the tools")
