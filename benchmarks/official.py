"""The bare official client, and whole matches replayed over it: the same calls without a run."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence

import openai

from .rehearsed import DEADLINE, Body


def official(address: str) -> openai.AsyncOpenAI:
    """Return the official client as it comes, but for retries, at a server's address."""
    return openai.AsyncOpenAI(
        api_key="none", base_url=f"{address}/v1", max_retries=0, timeout=DEADLINE
    )


async def replay(address: str, matches: Sequence[Sequence[Body]], in_play: int, slots: int) -> None:
    """Send every match's bodies one after the other, in order.

    Parameters
    ----------
    address : str
    matches : sequence of sequence of dict
        The parameters of each match's calls.
    in_play, slots : int
        Matches and requests at a time.
    """
    waiting, free = iter(matches), asyncio.Semaphore(slots)
    async with official(address) as client:
        await asyncio.gather(*(_table(client, waiting, free) for _ in range(in_play)))


async def _table(
    client: openai.AsyncOpenAI, waiting: Iterator[Sequence[Body]], free: asyncio.Semaphore
) -> None:
    for bodies in waiting:
        for body in bodies:
            async with free:
                await client.chat.completions.create(**body)
