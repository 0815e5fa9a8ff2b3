"""Batches: many requests handed to a provider at a time, answered within a day, out of order.

Handing in is two steps, so that between what can be repeated and what cannot nothing is unclear:
``prepare`` costs nothing and may be done again; ``submit`` is one request, and once it is sent only
the provider's own list says for certain whether it was taken.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from .complaint import complaint_in, complaint_of
from .reply_parts import read_mapping, read_name
from .retry_after import retry_after
from .trouble import Trouble, TroubleKind
from .wire import Answer, Wire

# Ids go into paths: what could change the path is no id.
_ID = re.compile(r"\w[\w.:~-]{0,255}", re.ASCII)
MOST_PAGES = 100


class BatchStage(StrEnum):
    """How far a batch has come."""

    UNDER_WAY = "under_way"
    ENDED = "ended"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Seen:
    """A batch as its provider tells of it.

    Attributes
    ----------
    id : str
        The provider's.
    stage : BatchStage
        ``FAILED`` where it was refused as a whole: nothing in it was asked or paid for.
    said : str
        The provider's own word for the stage.
    mark : str, optional
        What ``prepare`` was told to call it; None where the provider keeps no such name.
    size : int, optional
        Requests in it, where that is told.
    created : float, optional
        Seconds since 1970, by the provider's clock.
    code, problem : str
        Why it failed.
    files : tuple of str
        Where its results are, of a provider that keeps them as files.
    """

    id: str
    stage: BatchStage
    said: str
    mark: str | None = None
    size: int | None = None
    created: float | None = None
    code: str = ""
    problem: str = ""
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one request.

    Attributes
    ----------
    custom_id : str
    status : int
        HTTP status that it would have got by itself.
    body : object
        JSON of the answer.
    lost : str
        Why it was never answered, and so never paid for; empty where it was.
    """

    custom_id: str
    status: int = 200
    body: object = None
    lost: str = ""


@dataclass(frozen=True, slots=True)
class Results:
    """What became of a batch's requests, in no order, and the lines that nobody can read."""

    found: tuple[Result, ...]
    torn: tuple[str, ...]


class Batches(Protocol):
    """The batches of one endpoint; everything here raises ``Trouble`` where there is no answer.

    Attributes
    ----------
    most_requests, most_bytes : int
        What one batch may hold.
    """

    most_requests: int
    most_bytes: int

    def line(self, custom_id: str, body: Mapping[str, object]) -> bytes:
        """Return one request of a batch, as it is sent and counted."""

    async def prepare(self, lines: Sequence[bytes], mark: str) -> bytes:
        """Return what ``submit`` sends; until that is sent, nothing is asked or paid for."""

    async def submit(self, prepared: bytes, attempt: int) -> Seen:
        """Hand in a batch, once."""

    async def look(self, id: str) -> Seen:
        """Return how far a batch has come."""

    async def listed(self, since: float) -> tuple[Seen, ...]:
        """Return the endpoint's batches, newest first: all that were made since, and maybe more."""

    async def results(self, seen: Seen) -> Results:
        """Return the results of a batch that has ended."""

    async def cancel(self, id: str) -> Seen:
        """Ask that nothing more of a batch be begun; what is done by then keeps its result."""


def read_told(answer: Answer, wire: Wire) -> dict[str, object]:
    """Return what an endpoint tells of its batches.

    Raises
    ------
    Trouble
        It complains instead, or what it says is no JSON object.
    """
    body = answer.body()
    complaint = complaint_of(answer.status, body) if answer.status >= 300 else complaint_in(body)
    if complaint is not None:
        wait = retry_after(answer.headers, time.time())
        raise complaint.trouble(frozenset(), wire.told(complaint.message), wait)
    if not isinstance(body, dict):
        raise Trouble(TroubleKind.MALFORMED, wire.told(str(body)), status=answer.status)
    return body


def read_id(told: Mapping[str, object]) -> str:
    """Return the id of a batch or file; what cannot be one is trouble."""
    id = read_name(told.get("id"))
    if not _ID.fullmatch(id):
        raise Trouble(TroubleKind.MALFORMED, "what it tells of holds no id")
    return id


def read_stage(said: object, stages: Mapping[str, BatchStage]) -> tuple[BatchStage, str]:
    """Return the stage that a provider's word stands for, and the word; another is trouble."""
    word = read_name(said)
    if word not in stages:
        shown = word[:40] if word.isprintable() else ""
        raise Trouble(TroubleKind.MALFORMED, f"{shown!r} is no stage of a batch")
    return stages[word], word


def read_time(value: object) -> float | None:
    """Return seconds since 1970, of a number or of an ISO 8601 text with its zone."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    try:
        moment = datetime.fromisoformat(read_name(value))
    except ValueError:
        return None
    return None if moment.tzinfo is None else moment.timestamp()


def read_results(
    content: bytes, read: Callable[[str, Mapping[str, object]], Result | None]
) -> Results:
    """Return the results in a file of one JSON object a line.

    Parameters
    ----------
    content : bytes
    read : callable
        Returns the result that a line's object holds under a ``custom_id``, or None.

    Raises
    ------
    Trouble
        ``MALFORMED``: no line can be read, so that it is no such file.
    """
    found: list[Result] = []
    torn: list[str] = []
    for line in content.split(b"\n"):
        if not line.strip():
            continue
        result = _result(line, read)
        if result is None:
            torn.append(line.decode("utf-8", "backslashreplace"))
        else:
            found.append(result)
    if torn and not found:
        raise Trouble(TroubleKind.MALFORMED, "no line of the results can be read")
    return Results(tuple(found), tuple(torn))


def _result(
    line: bytes, read: Callable[[str, Mapping[str, object]], Result | None]
) -> Result | None:
    try:
        tree = read_mapping(json.loads(line))
    except (ValueError, RecursionError):
        return None
    custom_id = tree.get("custom_id")
    return read(custom_id, tree) if isinstance(custom_id, str) else None


async def pages(
    page: Callable[[str], Awaitable[Mapping[str, object]]],
    read: Callable[[Mapping[str, object]], Seen],
    since: float,
) -> tuple[Seen, ...]:
    """Return what a list of several pages holds, newest first.

    Parameters
    ----------
    page : callable
        Returns the page after the batch of an id; the first after none.
    read : callable
        Returns a batch as the page tells of it.
    since : float
        Seconds since 1970: no page is fetched once all of one is older.

    Raises
    ------
    Trouble
        The list cannot be read to its end.
    """
    seen: list[Seen] = []
    after = ""
    for _ in range(MOST_PAGES):
        told = await page(after)
        data = told.get("data")
        if not isinstance(data, list):
            raise Trouble(TroubleKind.MALFORMED, "its list of batches holds none")
        batches = [read(read_mapping(each)) for each in data]
        seen += batches
        old = all(batch.created is not None and batch.created < since for batch in batches)
        if not told.get("has_more") or old:
            return tuple(seen)
        after = batches[-1].id
    raise Trouble(TroubleKind.MALFORMED, f"its list of batches passes {MOST_PAGES} pages")
