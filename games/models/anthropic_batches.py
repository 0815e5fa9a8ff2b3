"""Message Batches over the official ``anthropic`` client: one body up, a line a result down.

A batch bears no name of ours: which one is ours is known by the ids in its results.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .batches import (
    BatchStage,
    Result,
    Results,
    Seen,
    pages,
    read_id,
    read_results,
    read_stage,
    read_time,
    read_told,
)
from .reply_parts import read_count, read_mapping
from .wire import Wire, encoded

PATH = "/v1/messages/batches"
_STAGES: Mapping[str, BatchStage] = {
    "in_progress": BatchStage.UNDER_WAY,
    "canceling": BatchStage.UNDER_WAY,
    "ended": BatchStage.ENDED,
}
_LOST = frozenset({"canceled", "expired"})


class AnthropicBatches:
    """The batches of an Anthropic-compatible endpoint."""

    # platform.claude.com/docs/en/build-with-claude/batch-processing
    most_requests, most_bytes = 100_000, 256 * 10**6

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    def line(self, custom_id: str, body: Mapping[str, object]) -> bytes:
        """Return one request of a batch's body, with the comma after it."""
        return encoded({"custom_id": custom_id, "params": body}) + b","

    async def prepare(self, lines: Sequence[bytes], mark: str) -> bytes:
        """Return the body of a batch, which has no place for a mark."""
        return b'{"requests":[' + b"".join(lines)[:-1] + b"]}"

    async def submit(self, prepared: bytes, attempt: int) -> Seen:
        """Hand in a batch."""
        return _seen(read_told(await self._wire.post(PATH, prepared, attempt), self._wire))

    async def look(self, id: str) -> Seen:
        """Return how far a batch has come."""
        return _seen(read_told(await self._wire.get(f"{PATH}/{id}"), self._wire))

    async def listed(self, since: float) -> tuple[Seen, ...]:
        """Return the batches of the key's workspace, newest first."""

        async def page(after: str) -> dict[str, object]:
            query = f"?limit=1000&after_id={after}" if after else "?limit=1000"
            return read_told(await self._wire.get(PATH + query), self._wire)

        return await pages(page, _seen, since)

    async def results(self, seen: Seen) -> Results:
        """Return a batch's results, from its own path and no other that is told."""
        answer = await self._wire.get_lines(f"{PATH}/{seen.id}/results")
        if answer.status >= 300:
            read_told(answer, self._wire)
        return read_results(answer.content, _result)

    async def cancel(self, id: str) -> Seen:
        """Ask that nothing more of a batch be begun."""
        return _seen(read_told(await self._wire.post(f"{PATH}/{id}/cancel", {}, 1), self._wire))


def _seen(told: Mapping[str, object]) -> Seen:
    stage, said = read_stage(told.get("processing_status"), _STAGES)
    counts = [read_count(count) for count in read_mapping(told.get("request_counts")).values()]
    return Seen(
        id=read_id(told),
        stage=stage,
        said=said,
        size=sum(count or 0 for count in counts) or None,
        created=read_time(told.get("created_at")),
    )


def _result(custom_id: str, line: Mapping[str, object]) -> Result | None:
    """Return what a line says; None where it says nothing."""
    result = read_mapping(line.get("result"))
    kind = result.get("type")
    if kind == "succeeded":
        return Result(custom_id, body=result.get("message"))
    if kind == "errored":
        # An error in its own words, whose name stands for its status.
        return Result(custom_id, body=result.get("error"))
    return Result(custom_id, lost=str(kind)) if kind in _LOST else None
