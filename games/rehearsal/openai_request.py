"""A request in the OpenAI dialect, read as strictly as the real endpoint reads it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from ..models.chat import ChatRole, Effort
from ..models.trouble import Parameter
from .asked import asked, has_system
from .error_status import invalid
from .wire import Sent, read_body

_ROLES = {
    "system": ChatRole.SYSTEM,
    "developer": ChatRole.SYSTEM,
    "user": ChatRole.USER,
    "assistant": ChatRole.ASSISTANT,
}
Tokens = Annotated[int, Field(gt=0)] | None


class TextPart(BaseModel):
    """A part of a message; a rehearsal reads text only."""

    type: Literal["text"]
    text: str


class Message(BaseModel):
    """A message of a request."""

    role: Literal["system", "developer", "user", "assistant"]
    content: str | list[TextPart]

    def spoken(self) -> tuple[ChatRole, str]:
        """Return whose words they are, and the words."""
        if isinstance(self.content, str):
            return _ROLES[self.role], self.content
        return _ROLES[self.role], "".join(part.text for part in self.content)


class JsonSchema(BaseModel):
    """The schema that a reply must follow."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
    schema_: Annotated[dict[str, Any], Field(alias="schema")]
    strict: bool | None = False


class ResponseFormat(BaseModel):
    """The form of a reply."""

    type: Literal["text", "json_schema"]
    json_schema: JsonSchema | None = None


class StreamOptions(BaseModel):
    """What a stream ends with."""

    include_usage: bool = False


class Completion(BaseModel):
    """A body of /v1/chat/completions; what a rehearsal has no use for is let through unread."""

    model: Annotated[str, Field(min_length=1)]
    messages: Annotated[list[Message], Field(min_length=1)]
    max_tokens: Tokens = None
    max_completion_tokens: Tokens = None
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    seed: int | None = None
    reasoning_effort: Effort | None = None
    response_format: ResponseFormat | None = None
    stream: bool | None = False
    stream_options: StreamOptions = StreamOptions()


def read_completion(raw: bytes | dict[str, Any]) -> Sent:
    """Return what a body asks, or raise the error status that the real endpoint would."""
    body = read_body(raw, Completion)
    if body.max_tokens is not None and body.max_completion_tokens is not None:
        rule = "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported."
        raise invalid(rule, "max_tokens")
    messages = [message.spoken() for message in body.messages]
    schema = _schema(body.response_format)
    held = {
        Parameter.TEMPERATURE: body.temperature is not None,
        Parameter.MAX_TOKENS: body.max_tokens is not None,
        Parameter.SEED: body.seed is not None,
        Parameter.REASONING_EFFORT: body.reasoning_effort is not None,
        Parameter.STRUCTURED: schema is not None,
        Parameter.SYSTEM_ROLE: has_system(messages),
    }
    ask = asked(
        body.model,
        messages,
        schema=schema,
        seed=body.seed,
        max_tokens=body.max_tokens or body.max_completion_tokens,
        sent=(parameter for parameter, there in held.items() if there),
    )
    return Sent(ask, stream=bool(body.stream), usage=body.stream_options.include_usage)


def _schema(form: ResponseFormat | None) -> dict[str, Any] | None:
    """Return the schema of a reply; a strict one must be closed, as the real endpoint demands."""
    if form is None or form.type == "text":
        return None
    if form.json_schema is None:
        where = "response_format.json_schema"
        raise invalid(f"Missing required parameter: '{where}'.", where)
    schema = form.json_schema.schema_
    if form.json_schema.strict and (open_at := _open(schema, ())) is not None:
        rule = "an object must require all its properties and set 'additionalProperties' to false"
        where = "response_format"
        raise invalid(f"Invalid schema for '{where}': in context={open_at}, {rule}.", where)
    return schema


def _open(schema: Any, at: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return where the first object that strictness forbids stands in a schema, or None."""
    if not isinstance(schema, dict):
        return None
    properties = schema.get("properties", {})
    if schema.get("type") == "object" and (
        schema.get("additionalProperties") is not False
        or set(schema.get("required", ())) != set(properties)
    ):
        return at
    inner: list[tuple[tuple[str, ...], Any]] = [(("items",), schema.get("items"))]
    inner += [(("properties", key), part) for key, part in properties.items()]
    inner += [(("anyOf", str(n)), part) for n, part in enumerate(schema.get("anyOf", ()))]
    return next((f for path, part in inner if (f := _open(part, (*at, *path))) is not None), None)
