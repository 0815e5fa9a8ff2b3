"""The wire: one connection pool of an official client, over which requests are sent once.

Nothing is retried here, a key is sent and never told, and a trouble carries no exception of the
client's with it: those hold the request with its headers.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from .trouble import Trouble, TroubleKind

MASK = "***"
LONGEST_DETAIL = 200
LARGEST_BODY = 4 * 1024 * 1024
# A batch's results come in one body, a line each.
LARGEST_FILE = 256 * LARGEST_BODY
# Providers echo keys with their middle left out: the first letters are enough to know one by.
_SHORTEST_KEY, _PREFIX = 12, 8
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back over the wire: status, headers by their lower-case names, body."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    def body(self) -> object:
        """Return the body's JSON, or its text where it is none."""
        try:
            return json.loads(self.content)
        except (ValueError, RecursionError):
            return self.content.decode("utf-8", "replace")


class Wire:
    """A connection pool of one endpoint, shared by the models that are asked there.

    Parameters
    ----------
    sdk : module
        ``openai`` or ``anthropic``, which speak of failure in the same way.
    client : openai.AsyncOpenAI or anthropic.AsyncAnthropic
        Built with ``max_retries=0``.
    key : str
        Masked wherever an endpoint echoes it; empty where there is none.
    timeout : float
        Seconds for one request, from its first byte to the last of its answer.
    """

    def __init__(self, sdk: ModuleType, client: Any, *, key: str, timeout: float) -> None:
        self._sdk, self._client, self._timeout = sdk, client, timeout
        self._key = _pattern(key)

    async def post(self, path: str, body: Mapping[str, object] | bytes, attempt: int) -> Answer:
        """Return the answer to a body, or to the bytes of its JSON, whatever its status.

        Raises
        ------
        Trouble
            ``TIMEOUT`` or ``CONNECTION``: there is no answer. ``MALFORMED``: it is too large to be
            one.
        """
        return self._answer(await self._sent(self._post(path, body, attempt)), LARGEST_BODY)

    async def get(self, path: str) -> Answer:
        """Return what stands at a path; raises as ``post`` does."""
        return self._answer(await self._sent(self._get(path)), LARGEST_BODY)

    async def get_lines(self, path: str) -> Answer:
        """Return a file of one JSON object a line; raises as ``post`` does."""
        return self._answer(await self._sent(self._get(path)), LARGEST_FILE)

    async def upload(self, path: str, name: str, content: bytes, purpose: str) -> Answer:
        """Return the answer to a file that is sent as a form; raises as ``post`` does."""
        return self._answer(
            await self._sent(self._upload(path, name, content, purpose)), LARGEST_BODY
        )

    async def _sent(self, sending: Awaitable[Any]) -> Any:
        """Return the client's response to what is sent, whatever its status."""
        try:
            async with asyncio.timeout(self._timeout):
                return await sending
        except (TimeoutError, self._sdk.APITimeoutError):
            trouble = Trouble(TroubleKind.TIMEOUT, f"no answer within {self._timeout:g} s")
        except self._sdk.APIConnectionError as error:
            trouble = Trouble(TroubleKind.CONNECTION, self.told(_cause(error)))
        except self._sdk.APIStatusError as error:
            return error.response
        raise trouble  # outside of the handlers, so that no exception with a header hangs on it

    async def _post(self, path: str, body: Mapping[str, object] | bytes, attempt: int) -> Any:
        import httpx2

        content = body if isinstance(body, bytes) else encoded(body)
        options = self._options({"X-Attempt": str(attempt)})
        # The response itself is asked for: building the client's own types costs more than
        # sending, and checks nothing.
        return await self._client.post(
            path, cast_to=httpx2.Response, content=content, options=options
        )

    async def _get(self, path: str) -> Any:
        import httpx2

        return await self._client.get(path, cast_to=httpx2.Response, options=self._options({}))

    async def _upload(self, path: str, name: str, content: bytes, purpose: str) -> Any:
        import httpx2

        return await self._client.post(
            path,
            cast_to=httpx2.Response,
            body={"purpose": purpose},
            files={"file": (name, content, "application/jsonl")},
            options=self._options({"Content-Type": "multipart/form-data"}),
        )

    def _options(self, headers: dict[str, str]) -> dict[str, object]:
        return {
            "headers": headers,
            "timeout": self._timeout,
            # What a player said goes to the address in the cohort and to no other.
            "follow_redirects": False,
        }

    def _answer(self, response: Any, most: int) -> Answer:
        content: bytes = response.content
        if len(content) > most:
            told = f"a body of {len(content)} bytes, where {most} are more than any reply"
            raise Trouble(TroubleKind.MALFORMED, told, status=response.status_code)
        return Answer(response.status_code, response.headers, self._masked(content))

    def _masked(self, content: bytes) -> bytes:
        """Return a body without the key, before anything is read, so that nothing can hold it."""
        if self._key is None:
            return content
        if b"\n" in content and b"\\" in content:  # maybe an object a line, each with its escapes
            lines = content.split(b"\n")
            content = b"\n".join(_unescaped(line, self._key) for line in lines)
        return self._key.sub(MASK.encode(), _unescaped(content, self._key))

    def told(self, text: str) -> str:
        """Return what may be told of text from outside: one line, 200 characters, no key."""
        if self._key is not None:
            raw = self._key.sub(MASK.encode(), text.encode("utf-8", "surrogatepass"))
            text = raw.decode("utf-8", "surrogatepass")
        line = "".join(c if c.isprintable() else " " for c in text)
        return " ".join(line.split())[:LONGEST_DETAIL]

    async def close(self) -> None:
        """Release the connections; twice is once."""
        await self._client.close()


def encoded(body: Mapping[str, object]) -> bytes:
    """Return a body as JSON in UTF-8, each lone surrogate as U+FFFD, which UTF-8 can hold."""
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return _SURROGATE.sub("\ufffd", text).encode()


def _unescaped(content: bytes, key: re.Pattern[bytes]) -> bytes:
    """Return a body as it is, or with its JSON's escapes undone where they hide a key."""
    if b"\\" not in content:
        return content
    try:
        plain = json.dumps(json.loads(content), ensure_ascii=False)
    except (ValueError, RecursionError):
        return content
    raw = plain.encode("utf-8", "surrogatepass")
    return raw if key.search(raw) else content


def _pattern(key: str) -> re.Pattern[bytes] | None:
    """Return what a key looks like in an answer, whole or with a part left out."""
    if not key:
        return None
    whole = re.escape(key.encode())
    if len(key) < _SHORTEST_KEY:
        return re.compile(whole)
    return re.compile(whole + b"|" + re.escape(key[:_PREFIX].encode()) + rb"[\w*.-]*")


def _cause(error: Exception) -> str:
    """Return why there was no connection, which clients leave to the exception beneath."""
    cause = error.__cause__ or error
    return f"{type(cause).__name__}: {cause}"
