"""Batches over the official ``openai`` client: a file of requests up, files of results down.

Providers that serve the same API are asked the same. Those that keep no metadata are still told
apart, by what their batches hold. Not covered: other endpoints than Chat Completions.
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
from .reply_parts import read_count, read_mapping, read_name
from .wire import Wire, encoded

ENDPOINT = "/v1/chat/completions"
MARK = "aidg"
_STAGES: Mapping[str, BatchStage] = {
    **dict.fromkeys(
        ("validating", "in_progress", "finalizing", "cancelling"), BatchStage.UNDER_WAY
    ),
    **dict.fromkeys(("completed", "expired", "cancelled"), BatchStage.ENDED),
    "failed": BatchStage.FAILED,
}


class OpenAIBatches:
    """The batches of an OpenAI-compatible endpoint."""

    # developers.openai.com/api/docs/guides/batch
    most_requests, most_bytes = 50_000, 200 * 10**6

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    def line(self, custom_id: str, body: Mapping[str, object]) -> bytes:
        """Return a line of an input file."""
        named = {"custom_id": custom_id, "method": "POST", "url": ENDPOINT}
        return encoded({**named, "body": body}) + b"\n"

    async def prepare(self, lines: Sequence[bytes], mark: str) -> bytes:
        """Upload an input file and return the body that makes a batch of it."""
        answer = await self._wire.upload("/files", f"{mark}.jsonl", b"".join(lines), "batch")
        return encoded(
            {
                "input_file_id": read_id(read_told(answer, self._wire)),
                "endpoint": ENDPOINT,
                "completion_window": "24h",
                "metadata": {MARK: mark},
            }
        )

    async def submit(self, prepared: bytes, attempt: int) -> Seen:
        """Make the batch of an uploaded file."""
        return _seen(read_told(await self._wire.post("/batches", prepared, attempt), self._wire))

    async def look(self, id: str) -> Seen:
        """Return how far a batch has come."""
        return _seen(read_told(await self._wire.get(f"/batches/{id}"), self._wire))

    async def listed(self, since: float) -> tuple[Seen, ...]:
        """Return the batches of the key's project, newest first."""

        async def page(after: str) -> dict[str, object]:
            query = f"?limit=100&after={after}" if after else "?limit=100"
            return read_told(await self._wire.get(f"/batches{query}"), self._wire)

        return await pages(page, _seen, since)

    async def results(self, seen: Seen) -> Results:
        """Return what stands in the files of replies and of errors, those that there are."""
        found: list[Result] = []
        torn: list[str] = []
        for file in seen.files:
            answer = await self._wire.get_lines(f"/files/{file}/content")
            if answer.status >= 300:
                read_told(answer, self._wire)
            read = read_results(answer.content, _result)
            found += read.found
            torn += read.torn
        return Results(tuple(found), tuple(torn))

    async def cancel(self, id: str) -> Seen:
        """Ask that nothing more of a batch be begun."""
        return _seen(read_told(await self._wire.post(f"/batches/{id}/cancel", {}, 1), self._wire))


def _seen(told: Mapping[str, object]) -> Seen:
    stage, said = read_stage(told.get("status"), _STAGES)
    errors = read_mapping(told.get("errors")).get("data")
    first = read_mapping(errors[0]) if isinstance(errors, list) and errors else {}
    files = [told.get(name) for name in ("output_file_id", "error_file_id")]
    return Seen(
        id=read_id(told),
        stage=stage,
        said=said,
        mark=read_name(read_mapping(told.get("metadata")).get(MARK)) or None,
        # Nothing is counted before the file is read.
        size=read_count(read_mapping(told.get("request_counts")).get("total")) or None,
        created=read_time(told.get("created_at")),
        code=read_name(first.get("code")),
        problem=read_name(first.get("message")),
        files=tuple(read_id({"id": file}) for file in files if file is not None),
    )


def _result(custom_id: str, line: Mapping[str, object]) -> Result | None:
    """Return what a line of either file says; None where it says nothing."""
    response, error = line.get("response"), line.get("error")
    if isinstance(response, dict):
        status = read_count(response.get("status_code"))
        return None if status is None else Result(custom_id, status, response.get("body"))
    if not isinstance(error, dict):
        return None
    said = [read_name(error.get(name)) for name in ("code", "message")]
    return Result(custom_id, lost=": ".join(word for word in said if word) or "no reason given")
