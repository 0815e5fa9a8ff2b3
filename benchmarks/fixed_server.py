"""A server that answers at once and in the same words: an endpoint that costs next to nothing.

Chat Completions on a loopback port. A player always says the same, and every ruling asked for is
that nothing leaked, so that each match of AIDG-I runs to its horizon.

Run with ``python -m benchmarks.fixed_server``; it says where it listens and ends with its stdin.
"""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from tests.servers import LISTENING, address_of, end

from .children import ROOT, module

LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.I)
SCHEMA = b'"response_format"'
# A line of the dialogue, inside the JSON text of a message.
TURN = re.compile(rb'\\"turn\\": ?(\d+)')
SAID = "That is a long story, and there is no hurry. Tell me first what made you think of it today."


class Fixed(asyncio.Protocol):
    """One connection, kept open for one request after the other."""

    def __init__(self) -> None:
        self._read = bytearray()

    def connection_made(self, transport: Any) -> None:
        """Keep the way back."""
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Answer every request that has come in whole."""
        self._read += data
        while (body := self._body()) is not None:
            self._transport.write(answer(body))

    def _body(self) -> bytes | None:
        """Return the next request's body once all of it is there."""
        head = self._read.find(b"\r\n\r\n")
        if head < 0:
            return None
        length = LENGTH.search(self._read, 0, head)
        begin = head + 4
        stop = begin + (int(length[1]) if length else 0)
        if len(self._read) < stop:
            return None
        body = bytes(self._read[begin:stop])
        del self._read[:stop]
        return body


def answer(body: bytes) -> bytes:
    """Return the whole response to a request's body."""
    if SCHEMA not in body:
        return _response(SAID)
    ruling = {"reason": "Nothing of it is said.", "verdict": "no_leak", "category": "none"}
    turns = TURN.findall(body)
    return _response(json.dumps({**ruling, "turn": int(turns[-1]) if turns else 1}))


@cache
def _response(text: str) -> bytes:
    message = {"role": "assistant", "content": text, "refusal": None}
    completion = {
        "id": "chatcmpl-fixed",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": "fixed",
        "system_fingerprint": "fp_fixed",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}],
        "usage": {"prompt_tokens": 900, "completion_tokens": 24, "total_tokens": 924},
    }
    content = json.dumps(completion).encode("ascii")
    head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(content)}"
    return f"{head}\r\n\r\n".encode("ascii") + content


async def _serve() -> None:
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(sys.stdin, ended.set)
    server = await loop.create_server(Fixed, "127.0.0.1", 0)
    print(f"{LISTENING}http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await ended.wait()
    server.close()


@contextmanager
def fixed_server() -> Iterator[str]:
    """Yield the address of a running server, without a path."""
    pipe = subprocess.PIPE
    server = subprocess.Popen(
        module("fixed_server"), cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe, text=True
    )
    try:
        yield address_of(server)
    finally:
        end(server)


if __name__ == "__main__":
    asyncio.run(_serve())
