"""Batches of both dialects: what goes up comes down, later, out of order, faults included."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Callable
from typing import Any

import anthropic
import httpx2
import openai
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rehearsal.anthropic_request import read_message
from games.rehearsal.batches import LOOKS, Batch, Done, shuffled
from games.rehearsal.faults import FakeFault, FaultPlan, FaultRule
from games.rehearsal.openai_request import read_completion
from games.rehearsal.performance import Rehearsal
from games.rehearsal.replies import rehearsed
from games.rehearsal.server import fake_app
from games.rehearsal.stage import Stage

from .servers import fake_server

CHAT = "/v1/chat/completions"


def stage(*rules: FaultRule) -> Stage:
    return Stage(Rehearsal(5, FaultPlan(fault=rules)))


def body(number: int, **more) -> dict[str, Any]:
    said = [{"role": "user", "content": f"Is it number {number}?"}]
    return {"model": "m", "messages": said, "max_tokens": 90, **more}


def line(number: int, **more) -> dict[str, Any]:
    named = {"custom_id": f"r{number}", "method": "POST", "url": CHAT}
    return {**named, "body": body(number), **more}


def through(stage: Stage, use: Callable[[Any], Any], client: type, **given) -> Any:
    """Return what a use of an official client comes to, in process."""

    async def run() -> Any:
        http = httpx2.AsyncClient(transport=httpx2.ASGITransport(app=fake_app(stage)))
        async with client(api_key="k", http_client=http, max_retries=0, **given) as official:
            return await use(official)

    return asyncio.run(run())


# --- OpenAI


def up_and_down(stage: Stage, lines: list[Any], looks: int = LOOKS, *, cancel_after=None):
    """Return a batch as last seen, its statuses, and the lines of its two files."""

    async def use(client: openai.AsyncOpenAI):
        raw = "\n".join(one if isinstance(one, str) else json.dumps(one) for one in lines)
        file = await client.files.create(file=("in.jsonl", raw.encode()), purpose="batch")
        batch = await client.batches.create(
            input_file_id=file.id,
            endpoint=CHAT,
            completion_window="24h",
            metadata={"run": "a"},
        )
        statuses = [batch.status]
        for look in range(looks):
            if look == cancel_after:
                statuses.append((await client.batches.cancel(batch.id)).status)
            batch = await client.batches.retrieve(batch.id)
            statuses.append(batch.status)
        files = [await _lines(client, id) for id in (batch.output_file_id, batch.error_file_id)]
        assert [one.id async for one in client.batches.list()] == [batch.id]
        return batch, statuses, *files

    return through(stage, use, openai.AsyncOpenAI, base_url="http://fake/v1")


async def _lines(client: openai.AsyncOpenAI, id: str | None) -> list[str]:
    if id is None:
        return []
    told = await client.files.retrieve(id)
    content = (await client.files.content(id)).content
    assert told.bytes == len(content)
    assert told.purpose == "batch_output"
    return content.decode().splitlines()


def test_an_openai_batch_brings_every_reply_under_its_name() -> None:
    batch, statuses, out, wrong = up_and_down(stage(), [line(n) for n in range(12)])
    assert statuses == ["validating", "in_progress", "finalizing", "completed"]
    counts = batch.request_counts
    assert (counts.total, counts.completed, counts.failed) == (12, 12, 0)
    assert batch.metadata == {"run": "a"}
    assert wrong == []
    results = {told["custom_id"]: told for told in map(json.loads, out)}
    assert len(results) == 12
    assert list(results) != [f"r{n}" for n in range(12)]
    for n in range(12):
        told = results[f"r{n}"]["response"]
        assert told["status_code"] == 200
        said = told["body"]["choices"][0]["message"]["content"]
        assert said == rehearsed(read_completion(body(n)).ask, 5, 1)


STRUCK = {
    FakeFault.RATE_LIMITED: 429,
    FakeFault.SERVER_ERROR: 500,
    FakeFault.CONTENT_FILTER_400: 400,
    FakeFault.QUOTA_EXHAUSTED: 429,
}


@pytest.mark.parametrize("kind", list(STRUCK))
def test_a_fault_with_a_status_goes_into_the_file_of_errors(kind) -> None:
    faulty = stage(FaultRule(kind=kind, models=("m",)))
    batch, statuses, out, wrong = up_and_down(faulty, [line(0)])
    assert statuses[-1] == "completed"
    assert (batch.request_counts.failed, out) == (1, [])
    told = json.loads(wrong[0])
    assert told["response"]["status_code"] == STRUCK[kind]
    assert told["response"]["body"]["error"]["message"]


@pytest.mark.parametrize("kind", [FakeFault.DROPPED, FakeFault.SLOW_STREAM])
def test_what_is_never_answered_expires(kind) -> None:
    _, statuses, out, wrong = up_and_down(stage(FaultRule(kind=kind)), [line(0)])
    assert statuses[-1] == "expired"
    told = json.loads(wrong[0])
    assert (told["response"], told["error"]["code"], out) == (None, "batch_expired", [])


def test_a_broken_body_is_a_broken_line() -> None:
    rule = FaultRule(kind=FakeFault.TRUNCATED_JSON)
    _, _, out, _ = up_and_down(stage(rule), [line(0)])
    with pytest.raises(ValueError, match="line 1"):
        json.loads(out[0])


def test_a_body_that_would_be_refused_is_refused_in_its_line() -> None:
    bad = line(1, body={"model": "m", "messages": []})
    _, _, out, wrong = up_and_down(stage(), [line(0), bad])
    assert json.loads(out[0])["custom_id"] == "r0"
    assert json.loads(wrong[0])["response"]["status_code"] == 400


FILES = {
    "a torn line": ([line(0), '{"custom_id":'], 2, "invalid_json_line"),
    "another endpoint": ([line(0, url="/v1/embeddings")], 1, "invalid_json_line"),
    "a name twice": ([line(0), line(0)], 2, "duplicate_custom_id"),
    "two models": ([line(0), line(1, body=body(1, model="n"))], 2, "mismatched_model"),
    "nothing": ([], 1, "empty_file"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_cannot_be_used_fails_the_whole_batch_by_line(name) -> None:
    lines, number, code = FILES[name]
    asked = stage()
    batch, statuses, out, wrong = up_and_down(asked, lines, looks=2)
    assert statuses == ["validating", "failed", "failed"]
    assert (out, wrong) == ([], [])
    (fault,) = batch.errors.data
    assert (fault.line, fault.code) == (number, code)
    assert asked.ledger.counts()["total"] == 0


def test_a_cancelled_batch_keeps_what_was_done() -> None:
    batch, statuses, out, _ = up_and_down(
        stage(), [line(n) for n in range(9)], looks=3, cancel_after=1
    )
    assert statuses == ["validating", "in_progress", "cancelling", "cancelled", "cancelled"]
    assert len(out) == batch.request_counts.completed == 3


def test_what_is_not_there_is_404_and_what_is_no_batch_file_400() -> None:
    async def use(client: openai.AsyncOpenAI):
        for call in (client.files.retrieve, client.files.content, client.batches.retrieve):
            with pytest.raises(openai.NotFoundError, match="No such object"):
                await call("nothing")
        with pytest.raises(openai.NotFoundError):
            await client.batches.create(
                input_file_id="nothing", endpoint=CHAT, completion_window="24h"
            )
        with pytest.raises(openai.BadRequestError, match="purpose"):
            await client.files.create(file=io.BytesIO(b"x"), purpose="vision")
        with pytest.raises(openai.BadRequestError, match="multipart"):
            await client.post("/files", body={}, cast_to=object)

    through(stage(), use, openai.AsyncOpenAI, base_url="http://fake/v1")


# --- Anthropic


def asked_of_claude(stage: Stage, requests: list[Any], *, cancel_after=None):
    """Return a batch as last seen, its statuses, and its results by name."""

    async def use(client: anthropic.AsyncAnthropic):
        batch = await client.messages.batches.create(requests=requests)
        statuses = [batch.processing_status]
        with pytest.raises(anthropic.BadRequestError, match="only when"):
            await client.get(f"/v1/messages/batches/{batch.id}/results", cast_to=object)
        for look in range(LOOKS):
            if look == cancel_after:
                statuses.append((await client.messages.batches.cancel(batch.id)).processing_status)
            batch = await client.messages.batches.retrieve(batch.id)
            statuses.append(batch.processing_status)
        results = await client.messages.batches.results(batch.id)
        listed = [one.id async for one in client.messages.batches.list()]
        assert listed == [batch.id]
        return batch, statuses, {one.custom_id: one.result async for one in results}

    return through(stage, use, anthropic.AsyncAnthropic, base_url="http://fake")


def named(number: int, **more) -> dict[str, Any]:
    return {"custom_id": f"r{number}", "params": body(number, **more)}


def test_an_anthropic_batch_brings_every_reply_under_its_name() -> None:
    batch, statuses, results = asked_of_claude(stage(), [named(n) for n in range(12)])
    assert statuses == ["in_progress"] * 3 + ["ended"]
    assert batch.request_counts.succeeded == 12
    assert list(results) != [f"r{n}" for n in range(12)]
    for n in range(12):
        said = results[f"r{n}"].message.content[0].text
        assert said == rehearsed(read_message(body(n)).ask, 5, 1)


ENDED = {
    FakeFault.SERVER_ERROR: "errored",
    FakeFault.OVERLOADED: "errored",
    FakeFault.ERROR_IN_200: "errored",
    FakeFault.DROPPED: "expired",
    FakeFault.SLOW_STREAM: "expired",
    FakeFault.REFUSAL: "succeeded",
}


@pytest.mark.parametrize("kind", list(ENDED))
def test_a_fault_shows_in_its_result_and_in_the_counts(kind) -> None:
    batch, _, results = asked_of_claude(stage(FaultRule(kind=kind)), [named(0)])
    assert results["r0"].type == ENDED[kind]
    counts = batch.request_counts.model_dump()
    assert counts == dict.fromkeys(counts, 0) | {ENDED[kind]: 1}


def test_wrong_params_are_an_errored_result_and_a_cancelled_batch_keeps_what_was_done() -> None:
    _, _, results = asked_of_claude(stage(), [named(0), named(1, max_tokens=None)])
    assert results["r0"].type == "succeeded"
    assert results["r1"].error.error.type == "invalid_request_error"
    batch, statuses, results = asked_of_claude(
        stage(), [named(n) for n in range(9)], cancel_after=1
    )
    assert statuses == ["in_progress", "in_progress", "canceling", "ended", "ended"]
    kinds = [result.type for result in results.values()]
    assert (kinds.count("succeeded"), kinds.count("canceled")) == (3, 6)
    assert batch.request_counts.canceled == 6


def test_what_is_wrong_in_a_new_batch_is_said() -> None:
    async def use(client: anthropic.AsyncAnthropic):
        batches = client.messages.batches
        with pytest.raises(anthropic.BadRequestError, match="must be unique"):
            await batches.create(requests=[named(0), named(0)])
        with pytest.raises(anthropic.BadRequestError, match="custom_id"):
            await batches.create(requests=[{"custom_id": "a b", "params": {}}])
        with pytest.raises(anthropic.BadRequestError, match="requests"):
            await batches.create(requests=[])
        with pytest.raises(anthropic.NotFoundError):
            await batches.retrieve("nothing")

    through(stage(), use, anthropic.AsyncAnthropic, base_url="http://fake")


# --- the state of a batch


@given(st.integers(0, 20), st.integers(0, 6), st.none() | st.integers(0, 6))
def test_a_batch_only_moves_on(size, looks, cancel_after) -> None:
    batch = Batch("b", [Done(f"r{n}", 200, {}) for n in range(size)])
    seen = []
    for look in range(looks):
        if look == cancel_after:
            batch.cancel()
        batch.look()
        seen.append((batch.over, len(batch.finished)))
    assert seen == sorted(seen)
    if looks >= LOOKS and (cancel_after is None or cancel_after >= LOOKS):
        assert seen[-1] == (True, size)
    if cancel_after is not None and cancel_after < min(looks, LOOKS):
        assert batch.over
        assert len(batch.finished) == size * cancel_after // LOOKS


@given(st.lists(st.text(), unique=True), st.integers())
def test_the_order_depends_on_names_and_seed_alone(names, seed) -> None:
    work = [Done(name, 200, {}) for name in names]
    assert shuffled(work, seed) == shuffled(reversed(work), seed)
    assert sorted(one.custom_id for one in shuffled(work, seed)) == sorted(names)


@pytest.mark.integration
def test_both_batches_work_through_the_real_command() -> None:
    with fake_server(seed=5) as url:
        client = openai.OpenAI(api_key="k", base_url=f"{url}/v1", max_retries=0)
        raw = json.dumps(line(0)).encode()
        file = client.files.create(file=("in.jsonl", raw), purpose="batch")
        batch = client.batches.create(input_file_id=file.id, endpoint=CHAT, completion_window="24h")
        while batch.status != "completed":
            batch = client.batches.retrieve(batch.id)
        told = json.loads(client.files.content(batch.output_file_id).content)
        said = rehearsed(read_completion(body(0)).ask, 5, 1)
        assert told["response"]["body"]["choices"][0]["message"]["content"] == said
        claude = anthropic.Anthropic(api_key="k", base_url=url, max_retries=0)
        other = claude.messages.batches.create(requests=[named(0)])
        while other.processing_status != "ended":
            other = claude.messages.batches.retrieve(other.id)
        (result,) = claude.messages.batches.results(other.id)
        assert result.result.message.content[0].text == said
