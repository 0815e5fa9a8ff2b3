"""Batches as both official clients carry them: what is sent, what is read, what is refused."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.models.anthropic_batches import AnthropicBatches
from games.models.anthropic_chat import anthropic_wire
from games.models.batches import (
    MOST_PAGES,
    BatchStage,
    Result,
    Results,
    Seen,
    pages,
    read_results,
    read_time,
)
from games.models.capabilities import Learned
from games.models.open_batches import batches_of
from games.models.openai_batches import OpenAIBatches
from games.models.openai_chat import openai_wire
from games.models.trouble import Trouble, TroubleKind
from games.rehearsal.faults import FakeFault, FaultPlan, FaultRule
from games.rehearsal.performance import Rehearsal
from games.rehearsal.scripted import ScriptedModel
from games.rehearsal.server import fake_app
from games.rehearsal.stage import Stage

from .mockwire import KEY, Endpoint, answer, asks

BOTH = ["openai", "anthropic"]
LOST = {"openai": "batch_expired", "anthropic": "expired"}


def mocked(client: str, *answers: Any) -> tuple[Any, Endpoint]:
    endpoint = Endpoint(*answers)
    road = batches_of(getattr(endpoint, client)())
    assert road is not None
    return road[1], endpoint


def faked(client: str, stage: Stage) -> Any:
    http = httpx2.AsyncClient(transport=httpx2.ASGITransport(app=fake_app(stage)))
    if client == "openai":
        return OpenAIBatches(openai_wire("http://fake/v1", key="", http_client=http))
    return AnthropicBatches(anthropic_wire("http://fake", key="", http_client=http))


def trouble_of(sending: Any) -> Trouble:
    with pytest.raises(Trouble) as caught:
        asyncio.run(sending)
    return caught.value


def body(number: int) -> dict[str, Any]:
    said = [{"role": "user", "content": f"Is it {number}? é \ud83d"}]
    return {"model": "m", "messages": said, "max_tokens": 9}


async def through(batches: Any, numbers: range, looks: int = 3) -> tuple[Seen, Results]:
    lines = [batches.line(f"mark-{n}", body(n)) for n in numbers]
    seen = await batches.submit(await batches.prepare(lines, "mark"), 1)
    assert [one.id for one in await batches.listed(0.0)] == [seen.id]
    for _ in range(looks):
        seen = await batches.look(seen.id)
    return seen, await batches.results(seen)


# --- against the fake server's dialects


@pytest.mark.parametrize("client", BOTH)
def test_what_goes_up_comes_down_under_its_id(client):
    rules = (FaultRule(kind=FakeFault.SERVER_ERROR, share=0.3),)
    stage = Stage(Rehearsal(5, FaultPlan(fault=rules)))
    seen, results = asyncio.run(through(faked(client, stage), range(12)))
    assert (seen.stage, seen.size, seen.code) == (BatchStage.ENDED, 12, "")
    assert seen.mark == ("mark" if client == "openai" else None)
    assert {one.custom_id for one in results.found} == {f"mark-{n}" for n in range(12)}
    assert results.torn == ()
    failed = [one for one in results.found if one.status >= 300 or "error" in one.body]
    assert 0 < len(failed) < 12
    assert stage.ledger.counts()["total"] == 12


@pytest.mark.parametrize("client", BOTH)
def test_a_torn_line_is_kept_and_an_expired_request_was_never_answered(client):
    rules = (
        FaultRule(kind=FakeFault.TRUNCATED_JSON, share=0.3),
        FaultRule(kind=FakeFault.DROPPED, share=0.3),
    )
    stage = Stage(Rehearsal(5, FaultPlan(fault=rules)))
    _, results = asyncio.run(through(faked(client, stage), range(20)))
    lost = [one.lost for one in results.found if one.lost]
    assert len(results.found) + len(results.torn) == 20
    assert results.torn
    assert {word.split(":")[0] for word in lost} == {LOST[client]}


@pytest.mark.parametrize("client", BOTH)
def test_a_cancelled_batch_keeps_what_was_done(client):
    async def use() -> tuple[Seen, Results]:
        batches = faked(client, Stage())
        lines = [batches.line(f"mark-{n}", body(n)) for n in range(9)]
        seen = await batches.submit(await batches.prepare(lines, "mark"), 1)
        await batches.look(seen.id)
        await batches.cancel(seen.id)
        seen = await batches.look(seen.id)
        return seen, await batches.results(seen)

    seen, results = asyncio.run(use())
    assert seen.stage is BatchStage.ENDED
    assert sum(not one.lost for one in results.found) == 3


def test_a_file_that_is_refused_fails_with_the_reason():
    async def use() -> Seen:
        batches = faked("openai", Stage())
        lines = [batches.line("mark-1", body(1)), batches.line("mark-1", body(1))]
        seen = await batches.submit(await batches.prepare(lines, "mark"), 1)
        return await batches.look(seen.id)

    seen = asyncio.run(use())
    assert (seen.stage, seen.code) == (BatchStage.FAILED, "duplicate_custom_id")
    assert seen.problem == "custom_id mark-1 is used twice"


@pytest.mark.parametrize("client", BOTH)
def test_a_batch_that_is_not_there_is_404(client):
    trouble = trouble_of(faked(client, Stage()).look("b1"))
    assert trouble.status == 404


# --- what is sent


def test_openai_is_sent_a_file_and_then_what_names_it():
    batches, endpoint = mocked("openai", answer({"id": "file-1"}), answer(BATCH["openai"]))
    prepared = asyncio.run(batches.prepare([batches.line("m-1", {"model": "x"})], "m"))
    asyncio.run(batches.submit(prepared, 3))
    up, made = endpoint.requests
    assert up.url.path == "/v1/files"
    line = (
        b'{"custom_id":"m-1","method":"POST","url":"/v1/chat/completions","body":{"model":"x"}}\n'
    )
    assert line in up.content
    assert b'name="purpose"\r\n\r\nbatch' in up.content
    assert json.loads(made.content) == {
        "input_file_id": "file-1",
        "endpoint": "/v1/chat/completions",
        "completion_window": "24h",
        "metadata": {"aidg": "m"},
    }
    assert made.headers["x-attempt"] == "3"


def test_anthropic_is_sent_all_in_one_body():
    batches, endpoint = mocked("anthropic", answer(BATCH["anthropic"]))
    lines = [batches.line(f"m-{n}", {"model": "x"}) for n in range(2)]
    asyncio.run(batches.submit(asyncio.run(batches.prepare(lines, "m")), 1))
    assert endpoint.requests[0].url.path == "/v1/messages/batches"
    assert endpoint.bodies == [
        {"requests": [{"custom_id": f"m-{n}", "params": {"model": "x"}} for n in range(2)]}
    ]


def test_only_models_of_the_two_clients_are_asked_in_batches():
    assert batches_of(ScriptedModel(learned=Learned("m"))) is None
    chat = Endpoint(answer({})).openai()
    assert batches_of(chat)[0] is chat


# --- what is read, without trust

BATCH: dict[str, dict[str, Any]] = {
    "openai": {
        "id": "batch_1",
        "status": "in_progress",
        "created_at": 1_700_000_000,
        "metadata": {"aidg": "m"},
        "request_counts": {"total": 0, "completed": 0, "failed": 0},
    },
    "anthropic": {
        "id": "msgbatch_1",
        "processing_status": "in_progress",
        "created_at": "2023-11-14T22:13:20Z",
        "request_counts": {"processing": 3, "succeeded": 2, "errored": 1},
    },
}


@pytest.mark.parametrize("client", BOTH)
def test_a_batch_is_told_of(client):
    batches, _ = mocked(client, answer(BATCH[client]))
    seen = asyncio.run(batches.look("x"))
    size, mark = (None, "m") if client == "openai" else (6, None)
    assert (seen.size, seen.mark, seen.created) == (size, mark, 1_700_000_000.0)
    assert seen.stage is BatchStage.UNDER_WAY


@pytest.mark.parametrize("client", BOTH)
@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"id": "../../keys"}, "what it tells of holds no id"),
        ({"id": None}, "what it tells of holds no id"),
        ({"status": "lost", "processing_status": "lost"}, "'lost' is no stage of a batch"),
        ({"status": 3, "processing_status": 3}, "'' is no stage of a batch"),
    ],
)
def test_what_is_no_batch_is_malformed(client, change, rule):
    batches, _ = mocked(client, answer(BATCH[client] | change))
    trouble = trouble_of(batches.look("x"))
    assert (trouble.kind, trouble.detail) == (TroubleKind.MALFORMED, rule)


@pytest.mark.parametrize("client", BOTH)
@pytest.mark.parametrize(
    ("given_back", "kind"),
    [
        (answer(b"<html>Bad gateway</html>", 502), TroubleKind.SERVER_ERROR),
        (answer(b"<html>Hello</html>"), TroubleKind.MALFORMED),
        (answer(b"[]"), TroubleKind.MALFORMED),
        (answer({"error": {"type": "overloaded_error", "message": "x"}}), TroubleKind.OVERLOADED),
        (answer({"error": {"message": "x"}}, 401), TroubleKind.UNAUTHORIZED),
        (answer({"error": {"message": "x", "code": "insufficient_quota"}}, 429),
         TroubleKind.QUOTA_EXHAUSTED),
        (httpx2.ConnectError("no route"), TroubleKind.CONNECTION),
        (httpx2.ReadTimeout("late"), TroubleKind.TIMEOUT),
    ],
)  # fmt: skip
def test_every_step_has_the_troubles_of_a_live_asking(client, given_back, kind):
    for use in (
        lambda b: b.submit(b"{}", 1),
        lambda b: b.look("x"),
        lambda b: b.listed(0.0),
        lambda b: b.cancel("x"),
    ):
        assert trouble_of(use(mocked(client, given_back)[0])).kind is kind
    ended = Seen("x", BatchStage.ENDED, "ended", files=("f",))
    # An error under 200 is a line like any other, of which nobody can read a result.
    told = TroubleKind.MALFORMED if kind is TroubleKind.OVERLOADED else kind
    assert trouble_of(mocked(client, given_back)[0].results(ended)).kind is told


@pytest.mark.parametrize("client", BOTH)
def test_no_result_shows_the_key_however_it_is_written(client):
    hidden = "".join(f"\\u{ord(letter):04x}" for letter in KEY)
    shown = f'{{"custom_id": "a", "response": {{"status_code": 200, "body": "{hidden}"}},'
    line = shown + f'"result": {{"type": "succeeded", "message": "{hidden}"}}}}'
    batches, _ = mocked(client, answer(f"{line}\n{line}\n".encode()))
    found = asyncio.run(batches.results(Seen("x", BatchStage.ENDED, "ended", files=("f",)))).found
    assert [one.body for one in found] == ["***", "***"]


LINES = {
    "openai": [
        {"custom_id": "a", "response": {"status_code": 200, "body": 1}},
        {"custom_id": "a", "response": {"status_code": "200", "body": 1}},
        {"custom_id": "a", "error": {"code": "batch_expired"}},
        {"custom_id": "a", "error": {}},
        {"custom_id": "a"},
        {"custom_id": 7, "response": {"status_code": 200}},
    ],
    "anthropic": [
        {"custom_id": "a", "result": {"type": "succeeded", "message": 1}},
        {"custom_id": "a", "result": {"type": "else", "message": 1}},
        {"custom_id": "a", "result": {"type": "expired"}},
        {"custom_id": "a", "result": {"type": "canceled"}},
        {"custom_id": "a"},
        {"custom_id": None, "result": {"type": "succeeded", "message": 1}},
    ],
}
READ = {
    "openai": [Result("a", 200, 1), Result("a", lost="batch_expired"),
               Result("a", lost="no reason given")],
    "anthropic": [Result("a", 200, 1), Result("a", lost="expired"), Result("a", lost="canceled")],
}  # fmt: skip


@pytest.mark.parametrize("client", BOTH)
def test_a_line_is_read_or_kept_as_torn(client):
    content = "\n\n".join(json.dumps(line) for line in LINES[client])
    batches, _ = mocked(client, answer(content.encode()))
    results = asyncio.run(batches.results(Seen("x", BatchStage.ENDED, "ended", files=("f",))))
    assert list(results.found) == READ[client]
    assert len(results.torn) == 3


@given(st.lists(st.binary(max_size=20)))
def test_whatever_stands_in_a_file_no_line_is_lost(lines):
    content = b"\n".join([b'{"custom_id": "a"}', *lines])
    wanted = sum(bool(line.strip()) for line in content.split(b"\n"))
    results = read_results(content, lambda id, _line: Result(id))
    assert len(results.found) + len(results.torn) == wanted


@pytest.mark.parametrize(
    ("value", "seconds"),
    [(3, 3.0), (True, None), ("2023-11-14T22:13:20+00:00", 1.7e9), ("2023-11-14T22:13:20", None),
     ("soon", None), (None, None)],
)  # fmt: skip
def test_a_time_has_a_zone_or_is_unknown(value, seconds):
    assert read_time(value) == seconds


# --- lists of several pages


def listed(sizes: list[int], since: float = 0.0) -> tuple[list[str], int]:
    asked: list[str] = []

    async def page(after: str) -> dict[str, Any]:
        asked.append(after)
        at = len(asked) - 1
        data = [{"id": f"b{at}.{n}", "age": at} for n in range(sizes[at])]
        return {"data": data, "has_more": at + 1 < len(sizes)}

    def read(told: Any) -> Seen:
        return Seen(told["id"], BatchStage.ENDED, "ended", created=100.0 - told["age"])

    seen = asyncio.run(pages(page, read, since))
    assert asked[1:] == [f"b{at}.{sizes[at] - 1}" for at in range(len(asked) - 1)]
    return [one.id for one in seen], len(asked)


@given(st.lists(st.integers(1, 4), min_size=1, max_size=6))
def test_every_page_is_read(sizes):
    found, asked = listed(sizes)
    assert found == [f"b{at}.{n}" for at, size in enumerate(sizes) for n in range(size)]
    assert asked == len(sizes)


def test_no_page_is_fetched_after_one_that_is_older():
    assert listed([1] * 9, since=97.5)[1] == 4


def test_a_list_without_an_end_and_one_that_is_none_are_trouble():
    with pytest.raises(Trouble, match=f"its list of batches passes {MOST_PAGES} pages"):
        listed([1] * (MOST_PAGES + 1))
    batches, _ = mocked("openai", answer({"data": "none"}))
    assert "its list of batches holds none" in str(trouble_of(batches.listed(0.0)))


@pytest.mark.parametrize("client", BOTH)
def test_the_next_page_is_asked_for_by_the_last_id(client):
    first = answer({"data": [BATCH[client]], "has_more": True})
    batches, endpoint = mocked(client, first, answer({"data": [], "has_more": False}))
    assert len(asyncio.run(batches.listed(0.0))) == 1
    query = dict(endpoint.requests[1].url.params)
    name = "after" if client == "openai" else "after_id"
    assert query[name] == BATCH[client]["id"]


def test_a_result_is_heard_as_the_answer_to_a_live_asking_is():
    chat = Endpoint(answer({})).openai()
    spelt = chat.spell(asks())
    said = {"choices": [{"message": {"content": "hi"}, "finish_reason": "stop"}]}
    live = asyncio.run(Endpoint(answer(said)).openai().ask(asks(), 1))
    assert chat.hear(spelt, 200, said) == live
