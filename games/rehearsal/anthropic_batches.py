"""Anthropic's batches: requests go up in one body, results come down a line each."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from .anthropic_dialect import AnthropicDialect
from .batches import Batch, Done, done, shuffled
from .error_status import ErrorStatus, Wording, invalid
from .stage import Handler, Stage, attempt_of
from .wire import json_response, read_body

PATH = "/v1/messages/batches"
DAY = 86_400
LINES = "application/x-jsonl"


class Params(BaseModel):
    """One request of a batch; what is wrong in its params shows in its result."""

    custom_id: Annotated[str, Field(pattern=r"^[a-zA-Z0-9_-]{1,64}$")]
    params: dict[str, Any]


class NewBatch(BaseModel):
    """A body of /v1/messages/batches."""

    requests: Annotated[list[Params], Field(min_length=1)]


class AnthropicBatches:
    """The batches of one fake server."""

    def __init__(self, stage: Stage, dialect: AnthropicDialect) -> None:
        self._stage, self._dialect = stage, dialect
        self._batches: dict[str, Batch] = {}

    def routes(self) -> list[Route]:
        """Return the routes of batches."""

        def admitted(handler: Handler) -> Any:
            return self._stage.admitted(self._dialect, handler)

        return [
            Route(PATH, admitted(self._create), methods=["POST"]),
            Route(PATH, admitted(self._list)),
            Route(PATH + "/{id}", admitted(self._retrieve)),
            Route(PATH + "/{id}/results", admitted(self._results)),
            Route(PATH + "/{id}/cancel", admitted(self._cancel), methods=["POST"]),
        ]

    def _create(self, request: Request, raw: bytes) -> Response:
        new = read_body(raw, NewBatch)
        names = [one.custom_id for one in new.requests]
        if len(set(names)) < len(names):
            raise invalid("requests: custom_id must be unique")
        attempt, seed = attempt_of(request), self._stage.rehearsal.seed
        work = [
            done(self._stage, self._dialect, one.custom_id, one.params, attempt)
            for one in new.requests
        ]
        batch = Batch(f"msgbatch_{len(self._batches) + 1}", shuffled(work, seed))
        self._batches[batch.id] = batch
        return json_response(_told(batch, request))

    def _retrieve(self, request: Request, raw: bytes) -> Response:
        batch = self._found(request)
        batch.look()
        return json_response(_told(batch, request))

    def _cancel(self, request: Request, raw: bytes) -> Response:
        batch = self._found(request)
        batch.cancel()
        return json_response(_told(batch, request))

    def _list(self, request: Request, raw: bytes) -> Response:
        for batch in self._batches.values():
            batch.look()
        held = [_told(batch, request) for batch in reversed(self._batches.values())]
        return json_response({"data": held, "has_more": False, "first_id": None, "last_id": None})

    def _results(self, request: Request, raw: bytes) -> Response:
        batch = self._found(request)
        if not batch.over:
            raise invalid("batch: results are there only when processing has ended")
        finished, work = len(batch.finished), enumerate(batch.work)
        lines = [one.line({"result": _result(one, at < finished)}) for at, one in work]
        return Response(b"".join(lines), media_type=LINES)

    def _found(self, request: Request) -> Batch:
        id = request.path_params["id"]
        if id not in self._batches:
            raise ErrorStatus(Wording(404, "not_found_error", f"batch: {id} not found"))
        return self._batches[id]


def _told(batch: Batch, request: Request) -> dict[str, Any]:
    """Return a batch as the dialect tells of it."""
    going = "in_progress" if batch.cancelled is None else "canceling"
    created = _moment(batch.created)
    results = f"{str(request.base_url).rstrip('/')}{PATH}/{batch.id}/results"
    return {
        "id": batch.id,
        "type": "message_batch",
        "processing_status": "ended" if batch.over else going,
        "request_counts": _counts(batch),
        "created_at": created,
        "expires_at": _moment(batch.created + DAY),
        "ended_at": created if batch.over else None,
        "cancel_initiated_at": None if batch.cancelled is None else created,
        "archived_at": None,
        "results_url": results if batch.over else None,
    }


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")


def _counts(batch: Batch) -> dict[str, int]:
    """Return how many requests are in which state; all are being processed until the batch ends."""
    counts = dict.fromkeys(("processing", "succeeded", "errored", "canceled", "expired"), 0)
    if not batch.over:
        counts["processing"] = len(batch.work)
        return counts
    for at, one in enumerate(batch.work):
        counts[_kind(one, at < len(batch.finished))] += 1
    return counts


def _kind(one: Done, finished: bool) -> str:
    if not finished:
        return "canceled"
    if one.expired:
        return "expired"
    return "errored" if one.body["type"] == "error" else "succeeded"


def _result(one: Done, finished: bool) -> dict[str, Any]:
    kind = _kind(one, finished)
    if kind == "errored":
        return {"type": kind, "error": one.body}
    return {"type": kind, "message": one.body} if kind == "succeeded" else {"type": kind}
