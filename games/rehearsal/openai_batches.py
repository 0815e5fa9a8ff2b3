"""OpenAI's batches: a file of requests goes up, files of replies and of errors come down."""

from __future__ import annotations

from collections.abc import Mapping
from email import message_from_bytes
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from .batches import Batch, Done, done, shuffled
from .error_status import INVALID, ErrorStatus, Wording, invalid
from .openai_dialect import CREATED, OpenAIDialect
from .stage import Handler, Stage, attempt_of
from .wire import json_response, read_body

STATUSES = ("validating", "in_progress", "finalizing", "completed")
DAY = 86_400
LINES = "application/x-ndjson"


class Line(BaseModel):
    """One request in an input file."""

    custom_id: Annotated[str, Field(min_length=1)]
    method: Literal["POST"]
    url: Literal["/v1/chat/completions"]
    body: dict[str, Any]


class NewBatch(BaseModel):
    """A body of /v1/batches."""

    input_file_id: str
    endpoint: Literal["/v1/chat/completions"]
    completion_window: Literal["24h"]
    metadata: dict[str, str] | None = None


class OpenAIBatches:
    """The files and batches of one fake server."""

    def __init__(self, stage: Stage, dialect: OpenAIDialect) -> None:
        self._stage, self._dialect = stage, dialect
        self._files: dict[str, tuple[dict[str, Any], bytes]] = {}
        self._batches: dict[str, Batch] = {}

    def routes(self) -> list[Route]:
        """Return the routes of files and batches."""

        def admitted(handler: Handler) -> Any:
            return self._stage.admitted(self._dialect, handler)

        return [
            Route("/v1/files", admitted(self._upload), methods=["POST"]),
            Route("/v1/files/{id}", admitted(self._file)),
            Route("/v1/files/{id}/content", admitted(self._content)),
            Route("/v1/batches", admitted(self._create), methods=["POST"]),
            Route("/v1/batches", admitted(self._list)),
            Route("/v1/batches/{id}", admitted(self._retrieve)),
            Route("/v1/batches/{id}/cancel", admitted(self._cancel), methods=["POST"]),
        ]

    def _upload(self, request: Request, raw: bytes) -> Response:
        purpose, name, content = _form(request.headers.get("content-type", ""), raw)
        if purpose != "batch":
            raise invalid("purpose: must be 'batch'", "purpose")
        return json_response(self._store(content, name, purpose))

    def _store(self, content: bytes, name: str, purpose: str) -> dict[str, Any]:
        told = {
            "id": f"file-{len(self._files) + 1}",
            "object": "file",
            "bytes": len(content),
            "created_at": CREATED,
            "filename": name,
            "purpose": purpose,
            "status": "processed",
        }
        self._files[str(told["id"])] = told, content
        return told

    def _file(self, request: Request, raw: bytes) -> Response:
        return json_response(self._found(self._files, request)[0])

    def _content(self, request: Request, raw: bytes) -> Response:
        return Response(self._found(self._files, request)[1], media_type=LINES)

    def _found(self, shelf: Mapping[str, Any], request: Request) -> Any:
        return _held(shelf, request.path_params["id"])

    def _create(self, request: Request, raw: bytes) -> Response:
        new = read_body(raw, NewBatch)
        content = _held(self._files, new.input_file_id)[1]
        lines, faults = _lines(content)
        attempt, seed = attempt_of(request), self._stage.rehearsal.seed
        work = [
            done(self._stage, self._dialect, line.custom_id, line.body, attempt)
            for line in ([] if faults else lines)
        ]
        told = {**new.model_dump(), "faults": faults}
        batch = Batch(f"batch_{len(self._batches) + 1}", shuffled(work, seed), told=told)
        self._batches[batch.id] = batch
        return json_response(self._told(batch))

    def _retrieve(self, request: Request, raw: bytes) -> Response:
        batch = self._found(self._batches, request)
        batch.look()
        return json_response(self._told(batch))

    def _cancel(self, request: Request, raw: bytes) -> Response:
        batch = self._found(self._batches, request)
        batch.cancel()
        return json_response(self._told(batch))

    def _list(self, request: Request, raw: bytes) -> Response:
        for batch in self._batches.values():
            batch.look()
        held = [self._told(batch) for batch in reversed(self._batches.values())]
        return json_response({"object": "list", "data": held, "has_more": False})

    def _told(self, batch: Batch) -> dict[str, Any]:
        """Return a batch as the dialect tells of it."""
        finished, told = batch.finished, batch.told
        failed = [one for one in finished if not _succeeded(one)]
        status = _status(batch)
        if batch.over and "output_file_id" not in told:
            told["output_file_id"] = self._written(batch, [d for d in finished if _succeeded(d)])
            told["error_file_id"] = self._written(batch, failed)
        return {
            "id": batch.id,
            "object": "batch",
            "status": status,
            "endpoint": told["endpoint"],
            "input_file_id": told["input_file_id"],
            "completion_window": told["completion_window"],
            "metadata": told["metadata"],
            "created_at": int(batch.created),
            "expires_at": int(batch.created) + DAY,
            "output_file_id": told.get("output_file_id"),
            "error_file_id": told.get("error_file_id"),
            "errors": {"object": "list", "data": told["faults"]} if status == "failed" else None,
            "request_counts": {
                "total": len(batch.work),
                "completed": len(finished) - len(failed),
                "failed": len(failed),
            },
        }

    def _written(self, batch: Batch, results: list[Done]) -> str | None:
        """Return the id of a new file of results, or None where there are none."""
        if not results:
            return None
        content = b"".join(one.line(_result(one, batch.id)) for one in results)
        return str(self._store(content, f"{batch.id}.jsonl", "batch_output")["id"])


def _held(shelf: Mapping[str, Any], id: str) -> Any:
    if id not in shelf:
        raise ErrorStatus(Wording(404, INVALID, f"No such object: {id}", "id"))
    return shelf[id]


def _succeeded(one: Done) -> bool:
    return one.status == 200 and not one.expired


def _status(batch: Batch) -> str:
    if batch.told["faults"]:
        return "failed" if batch.looks else "validating"
    if batch.cancelled is not None:
        return "cancelled" if batch.over else "cancelling"
    if batch.over and any(one.expired for one in batch.work):
        return "expired"
    return STATUSES[batch.looks]


def _result(one: Done, batch: str) -> dict[str, Any]:
    told: dict[str, Any] = {"id": f"batch_req_{batch}_{one.custom_id}", "error": None}
    if one.expired:
        message = "This request could not be executed before the completion window expired."
        return {**told, "response": None, "error": {"code": "batch_expired", "message": message}}
    request = f"req_{one.custom_id}"
    response = {"status_code": one.status, "request_id": request, "body": one.body}
    return {**told, "response": response}


def _form(kind: str, raw: bytes) -> tuple[str, str, bytes]:
    """Return purpose, name and content out of a multipart form."""
    form = message_from_bytes(f"Content-Type: {kind}\r\n\r\n".encode("latin-1") + raw)
    if not form.is_multipart():
        raise invalid("body: must be a multipart form")
    parts = {}
    for part in form.get_payload():
        name = part.get_param("name", header="content-disposition")  # type: ignore[union-attr]
        parts[name] = part
    if "file" not in parts or "purpose" not in parts:
        raise invalid("body: must hold file and purpose")
    content = parts["file"].get_payload(decode=True)  # type: ignore[union-attr]
    purpose = parts["purpose"].get_payload(decode=True).decode()  # type: ignore[union-attr]
    return purpose, parts["file"].get_filename() or "file", content  # type: ignore


def _lines(content: bytes) -> tuple[list[Line], list[dict[str, Any]]]:
    """Return the requests of an input file, or what is wrong with it, line by line."""
    lines: list[Line] = []
    faults: list[dict[str, Any]] = []
    seen: set[str] = set()

    def wrong(number: int, code: str, message: str) -> None:
        faults.append({"code": code, "line": number, "message": message, "param": None})

    for number, raw in enumerate(content.splitlines(), start=1):
        try:
            line = read_body(raw, Line)
        except ErrorStatus as failed:
            wrong(number, "invalid_json_line", failed.wording.message)
            continue
        if line.custom_id in seen:
            wrong(number, "duplicate_custom_id", f"custom_id {line.custom_id} is used twice")
        if lines and line.body.get("model") != lines[0].body.get("model"):
            wrong(number, "mismatched_model", "a batch must ask one model only")
        seen.add(line.custom_id)
        lines.append(line)
    if not lines and not faults:
        wrong(1, "empty_file", "the input file is empty")
    return lines, faults
