"""What the dialects share: bodies read strictly, and bytes that break on purpose."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel, ValidationError
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from .asked import Asked
from .error_status import ErrorStatus, Wording, error_status, invalid
from .faults import FakeFault
from .performance import Performance

Body = TypeVar("Body", bound=BaseModel)

EVENTS = "text/event-stream"
JSON = "application/json"
# The key of an ASGI scope under which a server offers to break the connection.
BREAK = "break_connection"
# Bytes that trickle in come in so many pieces.
PIECES = 20


@dataclass(frozen=True, slots=True)
class Sent:
    """One request as read: what it asks, and how the answer is to be put.

    Attributes
    ----------
    ask : Asked
    stream : bool
        As server-sent events.
    usage : bool
        Whether a stream ends with its usage.
    tool : str, optional
        The tool whose input the reply is.
    """

    ask: Asked
    stream: bool = False
    usage: bool = True
    tool: str | None = None


class Dialect(Protocol):
    """A way in which requests and answers are put into bytes."""

    @property
    def wordings(self) -> Mapping[FakeFault, Wording]:
        """How errors are worded."""

    def key_of(self, headers: Mapping[str, str]) -> str | None:
        """Return the key that a request carries."""

    def read(self, raw: bytes | dict[str, Any]) -> Sent:
        """Return what a body asks, or raise the error status that the real endpoint would."""

    def error(self, failed: ErrorStatus) -> dict[str, Any]:
        """Return the body of an error."""

    def body(self, performance: Performance, sent: Sent) -> dict[str, Any]:
        """Return the body of a reply."""

    def events(self, performance: Performance, sent: Sent) -> list[bytes]:
        """Return a reply as server-sent events."""


def read_body(raw: bytes | dict[str, Any], model: type[Body]) -> Body:
    """Return a body as a record, or raise status 400 about the first thing wrong in it."""
    try:
        tree = _parsed(raw) if isinstance(raw, bytes) else raw
    except (ValueError, RecursionError):
        raise invalid("We could not parse the JSON body of your request.") from None
    try:
        return model.model_validate(tree)
    except ValidationError as fault:
        first = fault.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"])) or "body"
        raise invalid(f"{where}: {first['msg']}", where) from None


def _parsed(raw: bytes) -> Any:
    """Return the JSON of a body; half of a surrogate pair is no text, though JSON can spell it."""
    tree = json.loads(raw)
    if b"\\u" in raw:
        json.dumps(tree, ensure_ascii=False).encode()
    return tree


def event(payload: dict[str, Any] | str, name: str | None = None) -> bytes:
    """Return one server-sent event."""
    head = "" if name is None else f"event: {name}\n"
    data = payload if isinstance(payload, str) else json.dumps(payload)
    return f"{head}data: {data}\n\n".encode("ascii")


def pieces(text: str, width: int = 12) -> list[str]:
    """Return a text cut into the pieces in which it is streamed; an empty text has none."""
    return [text[at : at + width] for at in range(0, len(text), width)]


def json_response(body: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Return a response of ASCII JSON, in which a lone surrogate can be written."""
    return Response(json.dumps(body).encode("ascii"), status, headers, media_type=JSON)


def error_response(dialect: Dialect, failed: ErrorStatus) -> Response:
    """Return an error status as a response."""
    return json_response(dialect.error(failed), failed.wording.status, failed.headers)


async def respond(
    request: Request, dialect: Dialect, performance: Performance, sent: Sent
) -> Response:
    """Return a performance as the answer to a request, with the fault that it was struck by."""
    failed = error_status(dialect.wordings, performance.struck)
    if failed is not None and performance.fault is not FakeFault.ERROR_IN_200:
        return error_response(dialect, failed)
    if performance.fault is FakeFault.DROPPED:
        return await _broken(request)
    raw = _whole(dialect, performance, sent, failed)
    media = EVENTS if sent.stream else JSON
    if performance.fault is FakeFault.TRUNCATED_JSON:
        return Response(raw[: len(raw) // 2], media_type=media)
    if performance.struck is not None and performance.fault is FakeFault.SLOW_STREAM:
        return StreamingResponse(_trickle(raw, performance.struck.lasts), media_type=media)
    return Response(raw, media_type=media)


def _whole(
    dialect: Dialect, performance: Performance, sent: Sent, failed: ErrorStatus | None
) -> bytes:
    """Return the bytes of a reply, or of the error in its place."""
    if failed is not None:
        error = dialect.error(failed)
        return event(error, "error") if sent.stream else json.dumps(error).encode("ascii")
    if sent.stream:
        return b"".join(dialect.events(performance, sent))
    return json.dumps(dialect.body(performance, sent)).encode("ascii")


async def _broken(request: Request) -> Response:
    """Break the connection before a byte is sent; without a server to do so, raise."""
    breaks: Callable[[], None] | None = request.scope.get(BREAK)
    if breaks is None:
        raise ConnectionResetError("connection dropped on purpose")
    breaks()
    # The server notices at its next step, after which nothing that is returned reaches anybody.
    await asyncio.sleep(0.01)
    return Response()


async def _trickle(raw: bytes, lasts: float) -> AsyncIterator[bytes]:
    """Yield bytes in pieces spread evenly over some seconds."""
    width = -(-len(raw) // PIECES)
    for at in range(0, len(raw), width):
        yield raw[at : at + width]
        await asyncio.sleep(lasts / PIECES)
