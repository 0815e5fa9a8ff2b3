"""The fake server: both dialects on a loopback port, seeded replies, faults on purpose."""

from __future__ import annotations

import os
import socket
import sys
import threading
from contextlib import suppress
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from uvicorn.protocols.http.h11_impl import H11Protocol

from .anthropic_batches import AnthropicBatches
from .anthropic_dialect import AnthropicDialect
from .anthropic_request import read_counted
from .openai_batches import OpenAIBatches
from .openai_dialect import CREATED, OpenAIDialect
from .stage import Stage
from .wire import BREAK, json_response

# What the list of models names; every other id is answered too.
MODELS = ("rehearsal-large", "rehearsal-small")
LOOPBACK = "127.0.0.1"


def fake_app(stage: Stage) -> Starlette:
    """Return the application: both dialects, and at ``/requests`` what it was asked."""
    openai, anthropic = OpenAIDialect(stage.price), AnthropicDialect()

    async def completions(request: Request) -> Response:
        return await stage.take(request, openai)

    async def messages(request: Request) -> Response:
        return await stage.take(request, anthropic)

    return Starlette(
        routes=[
            Route("/v1/chat/completions", completions, methods=["POST"]),
            Route("/v1/messages", messages, methods=["POST"]),
            Route("/v1/messages/count_tokens", stage.admitted(anthropic, _count), methods=["POST"]),
            Route("/v1/models", stage.admitted(openai, _models)),
            *_kept(stage),
            *OpenAIBatches(stage, openai).routes(),
            *AnthropicBatches(stage, anthropic).routes(),
        ]
    )


def _count(request: Request, raw: bytes) -> Response:
    return json_response({"input_tokens": read_counted(raw).tokens})


def _models(request: Request, raw: bytes) -> Response:
    head = {"object": "model", "created": CREATED, "owned_by": "rehearsal"}
    return json_response({"object": "list", "data": [{"id": id, **head} for id in MODELS]})


def _kept(stage: Stage) -> list[Route]:
    """Return the routes on which the server tells of itself."""

    async def requests(request: Request) -> Response:
        if request.method == "DELETE":
            stage.ledger.clear()
        return json_response(stage.ledger.counts())

    async def last(request: Request) -> Response:
        return json_response(stage.ledger.last())

    async def health(request: Request) -> Response:
        return json_response({"status": "ok"})

    return [
        Route("/requests", requests, methods=["GET", "DELETE"]),
        Route("/requests/last", last),
        Route("/health", health),
    ]


class Breakable(H11Protocol):
    """Lets the application break its connection, which ASGI has no word for."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        inner: Any = self.app

        async def app(scope: Any, receive: Any, send: Any) -> None:
            scope[BREAK] = self.transport.abort
            await inner(scope, receive, send)

        self.app = app


OPTIONS: dict[str, Any] = {
    "http": Breakable,
    "lifespan": "off",
    "log_config": None,
    "log_level": "critical",
    "access_log": False,
    "timeout_graceful_shutdown": 1,
    "timeout_keep_alive": 75,
}


class _Server(uvicorn.Server):
    """Says where it listens as soon as it does."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for listener in sockets or ():
            host, port = listener.getsockname()
            print(f"LISTENING http://{host}:{port}", flush=True)


def serve(stage: Stage, port: int, *, with_parent: bool = False) -> None:
    """Serve on the loopback interface until SIGTERM or SIGINT.

    Parameters
    ----------
    stage : Stage
    port : int
        0 takes a free one; ``LISTENING http://127.0.0.1:PORT`` on stdout says which.
    with_parent : bool
        End also when stdin ends, as a parent's pipe does when the parent goes away.

    Raises
    ------
    OSError
        The port is taken.
    """
    listener = _listener(port)
    server = _Server(uvicorn.Config(fake_app(stage), **OPTIONS))
    if with_parent:
        threading.Thread(target=_end_with_stdin, args=(server,), daemon=True).start()
    with suppress(KeyboardInterrupt):  # raised again when everything has ended, and then no news
        server.run([listener])


def _listener(port: int) -> socket.socket:
    """Return a socket bound to a loopback port.

    Its protocol is named, since only then are small writes of its connections sent at once: with a
    protocol left open each answer waits 40 ms for the client to acknowledge its head.
    """
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((LOOPBACK, port))
    except OSError:
        listener.close()
        raise
    return listener


def _end_with_stdin(server: uvicorn.Server) -> None:
    """Let a server end when nobody holds the other end of stdin any more."""
    while os.read(sys.stdin.fileno(), 4096):
        pass
    server.should_exit = True
