"""The fake server: both dialects answered as the real ones would, faults put into bytes."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import time

import anthropic
import httpx2
import openai
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.models.chat import ChatRole
from games.rehearsal import faults
from games.rehearsal.asked import asked
from games.rehearsal.error_status import ANTHROPIC, OPENAI
from games.rehearsal.faults import REJECTED, FakeFault, FaultPlan, FaultRule
from games.rehearsal.openai_request import read_completion
from games.rehearsal.performance import ERROR_TEXT, Rehearsal
from games.rehearsal.replies import rehearsed
from games.rehearsal.server import fake_app
from games.rehearsal.stage import Stage
from games.rehearsal.wire import PIECES
from reports.cli.app import main

from .servers import address_of, fake_server, started

OPEN, CLAUDE = "/v1/chat/completions", "/v1/messages"
SAID = [{"role": "user", "content": "Is it alive?"}]
SYSTEM = "You are the Holder."
SCHEMA = {
    "type": "object",
    "properties": {"verdict": {"type": "string", "enum": ["leak", "no_leak"]}},
    "required": ["verdict"],
    "additionalProperties": False,
}
FORMAT = {"type": "json_schema", "json_schema": {"name": "r", "schema": SCHEMA, "strict": True}}


def body_of(path: str, **more) -> dict:
    if path == OPEN:
        said = [{"role": "system", "content": SYSTEM}, *SAID]
        return {"model": "m", "messages": said, "max_tokens": 90, **more}
    return {"model": "m", "system": SYSTEM, "messages": SAID, "max_tokens": 90, **more}


def stage(*rules: FaultRule, seed: int = 5, **more) -> Stage:
    return Stage(Rehearsal(seed, FaultPlan(fault=rules)), **more)


def sent(stage: Stage, *posts, method: str = "POST") -> list[httpx2.Response]:
    """Return the answers to requests of (path, body, headers) that are sent one after another."""

    async def all_of_them() -> list[httpx2.Response]:
        transport = httpx2.ASGITransport(app=fake_app(stage))
        async with httpx2.AsyncClient(transport=transport, base_url="http://fake") as client:
            return [await _one(client, method, *post) for post in posts]

    return asyncio.run(all_of_them())


async def _one(client, method, path, body=None, headers=None) -> httpx2.Response:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return await client.request(method, path, content=content, headers=headers or {})


def answer(stage: Stage, path: str, body: object = None, **headers: str) -> httpx2.Response:
    return sent(stage, (path, body_of(path) if body is None else body, headers))[0]


def text_of(path: str, response: httpx2.Response) -> str | None:
    told = response.json()
    if path == OPEN:
        return told["choices"][0]["message"]["content"]
    return told["content"][0]["text"]


# --- replies


@pytest.mark.parametrize("path", [OPEN, CLAUDE])
def test_a_reply_is_the_rehearsed_one_with_usage_and_ids(path) -> None:
    told = answer(stage(), path).json()
    ask = asked("m", [(ChatRole.SYSTEM, SYSTEM), (ChatRole.USER, "Is it alive?")])
    assert text_of(path, answer(stage(), path)) == rehearsed(ask, 5, 1)
    assert told["model"] == "m"
    assert ask.id in told["id"]
    names = {OPEN: ("prompt", "completion"), CLAUDE: ("input", "output")}[path]
    used = [told["usage"][f"{name}_tokens"] for name in names]
    assert used == [ask.tokens, -(-len(rehearsed(ask, 5, 1)) // 4)]


@pytest.mark.parametrize("path", [OPEN, CLAUDE])
def test_the_attempt_in_the_header_brings_another_reply_and_none_means_the_first(path) -> None:
    post = (path, body_of(path))
    found = sent(stage(), post, (*post, {"X-Attempt": "1"}), (*post, {"X-Attempt": "2"}), post)
    first, same, second, again = (response.content for response in found)
    assert first == same == again != second


@pytest.mark.parametrize("said", ["0", "-1", "two", "1.5", "", "²"])
def test_an_attempt_is_a_whole_number_from_1(said) -> None:
    response = sent(stage(), (OPEN, body_of(OPEN), {b"X-Attempt": said.encode()}))[0]
    assert response.status_code == 400
    assert "x-attempt: must be a whole number from 1" in response.json()["error"]["message"]


@pytest.mark.parametrize("path", [OPEN, CLAUDE])
def test_latency_is_waited(path) -> None:
    begun = time.perf_counter()
    answer(stage(latency=0.2), path)
    assert time.perf_counter() - begun >= 0.2


def test_dollars_are_told_where_there_is_a_price() -> None:
    usage = answer(stage(price=2.0), OPEN).json()["usage"]
    assert usage["cost"] == usage["total_tokens"] * 2.0 / 1_000_000
    assert "cost" not in answer(stage(), OPEN).json()["usage"]


def test_a_schema_is_followed_as_format_and_as_a_forced_tool() -> None:
    config = {"format": {"type": "json_schema", "schema": SCHEMA}}
    bodies = {
        OPEN: body_of(OPEN, response_format=FORMAT),
        CLAUDE: body_of(CLAUDE, output_config=config),
    }
    told = [text_of(path, answer(stage(), path, body)) for path, body in bodies.items()]
    tool = {"tools": [{"name": "rule", "input_schema": SCHEMA}]}
    choice = {"tool_choice": {"type": "tool", "name": "rule"}}
    used = answer(stage(), CLAUDE, body_of(CLAUDE, **tool, **choice)).json()
    assert used["stop_reason"] == "tool_use"
    assert used["content"][0]["name"] == "rule"
    assert [json.loads(one) for one in told] == [used["content"][0]["input"]] * 2
    assert used["content"][0]["input"]["verdict"] in ("leak", "no_leak")


@pytest.mark.parametrize("path", [OPEN, CLAUDE])
def test_the_limit_cuts_and_says_so(path) -> None:
    told = answer(stage(), path, body_of(path) | {"max_tokens": 3}).json()
    stopped = told["choices"][0]["finish_reason"] if path == OPEN else told["stop_reason"]
    assert stopped == {OPEN: "length", CLAUDE: "max_tokens"}[path]


# --- strict about bodies


WORDS = {"role": "user", "content": "a"}
REPLY = {"role": "assistant", "content": "b"}
BAD_OPEN = {
    "no messages": ({"messages": []}, "messages: "),
    "unknown role": ({"messages": [{"role": "agent", "content": "a"}]}, "messages.0.role: "),
    "no content": ({"messages": [{"role": "user"}]}, "messages.0.content"),
    "null content": ({"messages": [{"role": "user", "content": None}]}, "messages.0.content"),
    "an image": ({"messages": [{"role": "user", "content": [{"type": "image"}]}]}, "messages.0"),
    "a hot model": ({"temperature": 2.1}, "temperature: "),
    "no tokens": ({"max_tokens": 0}, "max_tokens: "),
    "two limits": ({"max_completion_tokens": 5}, "at the same time is not supported"),
    "unknown effort": ({"reasoning_effort": "huge"}, "reasoning_effort: "),
    "no schema": ({"response_format": {"type": "json_schema"}}, "Missing required parameter"),
    "an odd form": ({"response_format": {"type": "poem"}}, "response_format.type: "),
    "a lone surrogate": ({"messages": [{"role": "user", "content": "\ud83d"}]}, "could not parse"),
}
BAD_CLAUDE = {
    "no limit": ({"max_tokens": None}, "max_tokens: "),
    "no messages": ({"messages": []}, "messages: "),
    "a system role": ({"messages": [{"role": "system", "content": "a"}]}, "messages.0.role: "),
    "user twice": ({"messages": [WORDS, WORDS]}, "roles must alternate"),
    "assistant first": ({"messages": [REPLY, WORDS]}, 'first message must use the "user" role'),
    "empty text": ({"messages": [{"role": "user", "content": ""}]}, "non-empty content"),
    "no blocks": ({"messages": [{"role": "user", "content": []}]}, "non-empty content"),
    "blank text": ({"messages": [{"role": "user", "content": " \n"}]}, "non-whitespace text"),
    "blank prefill": ({"messages": [WORDS, {**REPLY, "content": "b "}]}, "trailing whitespace"),
    "a hot model": ({"temperature": 1.2}, "temperature: "),
    "no such tool": ({"tool_choice": {"type": "tool", "name": "x"}}, "tool 'x' is not among"),
}


@pytest.mark.parametrize(
    ("path", "name"), [*((OPEN, n) for n in BAD_OPEN), *((CLAUDE, n) for n in BAD_CLAUDE)]
)
def test_a_body_that_the_real_endpoint_refuses_is_refused(path, name) -> None:
    changed, said = (BAD_OPEN if path == OPEN else BAD_CLAUDE)[name]
    response = answer(stage(), path, body_of(path) | changed)
    error = response.json()["error"]
    assert response.status_code == 400
    assert error["type"] == "invalid_request_error"
    assert said in error["message"]


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"null", b"\xff", b'"x"', b"{}"])
@pytest.mark.parametrize("path", [OPEN, CLAUDE])
def test_what_is_no_body_is_refused(path, raw) -> None:
    response = answer(stage(), path, raw)
    assert response.status_code == 400
    assert response.json()["error"]["message"]


@pytest.mark.parametrize(
    "loose",
    [
        {**SCHEMA, "additionalProperties": True},
        {**SCHEMA, "required": []},
        {**SCHEMA, "properties": {"verdict": {"type": "array", "items": {"type": "object"}}}},
        {**SCHEMA, "properties": {"verdict": {"anyOf": [{"type": "object"}]}}},
    ],
)
def test_a_strict_schema_must_be_closed_in_every_object(loose) -> None:
    def form(**more):
        return {"type": "json_schema", "json_schema": {"name": "r", "schema": loose, **more}}

    response = answer(stage(), OPEN, body_of(OPEN, response_format=form(strict=True)))
    assert response.status_code == 400
    assert "Invalid schema for 'response_format'" in response.json()["error"]["message"]
    assert answer(stage(), OPEN, body_of(OPEN, response_format=form())).status_code == 200


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=6,
)


@settings(max_examples=60)
@given(st.sampled_from([OPEN, CLAUDE]), st.data())
def test_no_body_is_answered_with_a_crash(path, data) -> None:
    key = data.draw(st.sampled_from(sorted({*body_of(path), "stream", "tools", "output_config"})))
    response = answer(stage(), path, body_of(path) | {key: data.draw(JSON)})
    assert response.status_code in (200, 400)


@pytest.mark.parametrize(
    ("path", "header"),
    [
        (OPEN, {"Authorization": "Bearer {}"}),
        (CLAUDE, {"x-api-key": "{}"}),
        (CLAUDE, {"Authorization": "Bearer {}"}),
    ],
)
def test_another_key_than_the_one_let_in_is_refused(path, header) -> None:
    locked = stage(key="right")

    def status(key: str) -> int:
        named = {name: value.format(key) for name, value in header.items()}
        return sent(locked, (path, body_of(path), named))[0].status_code

    assert (status("right"), status("wrong"), answer(locked, path).status_code) == (200, 401, 401)
    assert answer(stage(), path).status_code == 200


def test_tokens_are_counted_and_models_listed() -> None:
    counted = {"model": "m", "system": SYSTEM, "messages": SAID}
    response = answer(stage(), f"{CLAUDE}/count_tokens", counted)
    used = answer(stage(), CLAUDE).json()["usage"]
    assert response.json() == {"input_tokens": used["input_tokens"]}
    assert answer(stage(), f"{CLAUDE}/count_tokens", {"model": "m"}).status_code == 400
    listed = sent(stage(), ("/v1/models",), method="GET")[0].json()
    assert [one["object"] for one in listed["data"]] == ["model"] * 2


# --- what it was asked


def test_requests_are_counted_by_content_and_attempt() -> None:
    post = (OPEN, body_of(OPEN))
    counted = stage(FaultRule(kind=FakeFault.SERVER_ERROR))
    sent(counted, post, (*post, {"X-Attempt": "2"}), (*post, {"X-Attempt": "2"}), (OPEN, b"{"))
    told = sent(counted, ("/requests",), method="GET")[0].json()
    id = read_completion(body_of(OPEN)).ask.id
    assert told == {
        "total": 3,
        "requests": {id: {"1": 1, "2": 2}},
        "statuses": {"500": 1, "200": 2, "400": 1},
        "faults": {"server_error": 1},
    }
    last = sent(counted, ("/requests/last",), method="GET")[0].json()
    assert [one["attempt"] for one in last] == [1, 2, 2, 1]
    assert json.loads(last[0]["body"]) == body_of(OPEN)
    assert sent(counted, ("/requests",), method="DELETE")[0].json()["total"] == 0
    assert sent(counted, ("/requests/last",), method="GET")[0].json() == []


# --- faults in bytes: status, and a mark of what is told

HTTP = {
    FakeFault.RATE_LIMITED: (429, 429),
    FakeFault.RATE_LIMITED_WAIT: (429, 429),
    FakeFault.SERVER_ERROR: (500, 500),
    FakeFault.OVERLOADED: (529, 529),
    FakeFault.CONTENT_FILTER_400: (400, 400),
    FakeFault.QUOTA_EXHAUSTED: (429, 400),
    FakeFault.UNAUTHORIZED: (401, 401),
    FakeFault.UNKNOWN_MODEL: (404, 404),
    FakeFault.TOO_LONG: (400, 400),
    FakeFault.TEMPERATURE_REJECTED: (400, 400),
    FakeFault.MAX_TOKENS_REJECTED: (400, 400),
    FakeFault.SEED_REJECTED: (400, 200),
    FakeFault.EFFORT_REJECTED: (400, 400),
    FakeFault.STRUCTURED_REJECTED: (400, 400),
    FakeFault.SYSTEM_ROLE_REJECTED: (400, 200),
    FakeFault.DROPPED: (None, None),
}
EVERYTHING = {
    OPEN: {"temperature": 0.7, "seed": 1, "reasoning_effort": "low", "response_format": FORMAT},
    CLAUDE: {
        "temperature": 0.7,
        "output_config": {"effort": "low", "format": {"type": "json_schema", "schema": SCHEMA}},
    },
}


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("kind", list(FakeFault))
def test_every_fault_has_its_status_in_both_dialects(kind, stream) -> None:
    fast = {"lasts": 0.01} if kind is FakeFault.SLOW_STREAM else {}
    struck = stage(FaultRule(kind=kind, **fast))
    for seat, path in enumerate((OPEN, CLAUDE)):
        body = body_of(path, stream=stream, **EVERYTHING[path])
        expected = HTTP[kind][seat] if kind in HTTP else 200
        if expected is None:
            with pytest.raises(ConnectionResetError):
                answer(struck, path, body)
        else:
            assert answer(struck, path, body).status_code == expected


def test_the_table_of_faults_says_what_each_dialect_answers() -> None:
    rule, rows = "=" * 22, faults.__doc__.splitlines()
    bounds = [at for at, row in enumerate(rows) if row.startswith(rule)]
    told = {}
    for row in rows[bounds[1] + 1 : bounds[2]]:
        cells = [cell.split()[0].strip(",;") for cell in (row[:22], row[23:50], row[51:])]
        told[cells[0]] = tuple(cells[1:])
    assert list(told) == [kind.value for kind in FakeFault]
    for kind in FakeFault:
        statuses = HTTP.get(kind, (200, 200))
        assert told[kind.value] == tuple(str(status).lower() for status in statuses)


def test_a_wait_is_told_in_the_header_alone_where_it_is_asked_for() -> None:
    for path in (OPEN, CLAUDE):
        waits = stage(FaultRule(kind=FakeFault.RATE_LIMITED_WAIT, retry_after=2.5))
        silent = stage(FaultRule(kind=FakeFault.RATE_LIMITED))
        assert answer(waits, path).headers["retry-after"] == "2.5"
        assert "retry-after" not in answer(silent, path).headers


def told_of(kind: FakeFault, path: str) -> dict:
    return answer(stage(FaultRule(kind=kind)), path).json()


def test_what_a_fault_tells_in_the_openai_dialect() -> None:
    def choice(kind: FakeFault) -> dict:
        return told_of(kind, OPEN)["choices"][0]

    broken = told_of(FakeFault.ERROR_IN_200, OPEN)
    assert broken["choices"] is None
    assert broken["error"]["code"] == 502
    assert choice(FakeFault.ERROR_AS_TEXT)["message"]["content"] == ERROR_TEXT
    assert choice(FakeFault.NULL_CONTENT)["message"]["content"] is None
    refused = choice(FakeFault.REFUSAL)["message"]
    assert refused["content"] is None
    assert refused["refusal"]
    assert choice(FakeFault.CONTENT_FILTER)["finish_reason"] == "content_filter"
    assert choice(FakeFault.TRUNCATED)["finish_reason"] == "length"
    assert "\ud83d" in choice(FakeFault.LONE_SURROGATE)["message"]["content"]
    assert told_of(FakeFault.WRONG_MODEL, OPEN)["model"] != "m"
    spent = told_of(FakeFault.EMPTY_AFTER_REASONING, OPEN)
    assert spent["choices"][0]["message"]["content"] == ""
    assert spent["usage"]["completion_tokens_details"]["reasoning_tokens"] == 90
    assert told_of(FakeFault.QUOTA_EXHAUSTED, OPEN)["error"]["code"] == "insufficient_quota"
    assert told_of(FakeFault.CONTENT_FILTER_400, OPEN)["error"]["code"] == "content_filter"
    assert told_of(FakeFault.TOO_LONG, OPEN)["error"]["code"] == "context_length_exceeded"


def test_what_a_fault_tells_in_the_anthropic_dialect() -> None:
    assert told_of(FakeFault.ERROR_IN_200, CLAUDE)["type"] == "error"
    assert told_of(FakeFault.NULL_CONTENT, CLAUDE)["content"] == []
    assert told_of(FakeFault.REFUSAL, CLAUDE)["stop_reason"] == "refusal"
    assert told_of(FakeFault.CONTENT_FILTER, CLAUDE)["stop_reason"] == "refusal"
    assert told_of(FakeFault.TRUNCATED, CLAUDE)["stop_reason"] == "max_tokens"
    assert "\ud83d" in told_of(FakeFault.LONE_SURROGATE, CLAUDE)["content"][0]["text"]
    spent = told_of(FakeFault.EMPTY_AFTER_REASONING, CLAUDE)
    assert [block["type"] for block in spent["content"]] == ["thinking"]
    assert spent["usage"]["output_tokens_details"]["thinking_tokens"] == 90
    assert "credit balance" in told_of(FakeFault.QUOTA_EXHAUSTED, CLAUDE)["error"]["message"]


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("path", [OPEN, CLAUDE])
def test_a_body_that_ends_in_the_middle_is_half_of_the_whole_one(path, stream) -> None:
    body = body_of(path, stream=stream)
    whole = answer(stage(), path, body).content
    cut = answer(stage(FaultRule(kind=FakeFault.TRUNCATED_JSON)), path, body).content
    assert whole.startswith(cut)
    assert len(cut) == len(whole) // 2
    with pytest.raises(ValueError, match=r"."):
        json.loads(cut)


@pytest.mark.parametrize("path", [OPEN, CLAUDE])
def test_a_slow_stream_brings_the_whole_body_late(path) -> None:
    begun = time.perf_counter()
    slow = answer(stage(FaultRule(kind=FakeFault.SLOW_STREAM, lasts=0.2)), path)
    assert time.perf_counter() - begun >= 0.2 * (PIECES - 1) / PIECES
    assert slow.content == answer(stage(), path).content


def test_each_rejected_parameter_is_named() -> None:
    for kind, parameter in REJECTED.items():
        assert OPENAI[kind].param is not None
        said = f"{OPENAI[kind].message} {OPENAI[kind].param}"
        spelt = {"structured": "response_format", "system_role": "role"}
        assert spelt.get(parameter.value, parameter.value) in said
        assert kind not in ANTHROPIC or ANTHROPIC[kind].status == 400


# --- the real command and the official clients


@pytest.mark.integration
def test_the_official_clients_are_answered_by_the_real_command() -> None:
    with fake_server(seed=5, key="right", price=1.0) as url:
        client = openai.OpenAI(api_key="right", base_url=f"{url}/v1", max_retries=0)
        asks = body_of(OPEN)
        told = client.chat.completions.create(**asks)
        ask = asked("m", [(ChatRole.SYSTEM, SYSTEM), (ChatRole.USER, "Is it alive?")])
        assert told.choices[0].message.content == rehearsed(ask, 5, 1)
        options = {"include_usage": True}
        chunks = list(client.chat.completions.create(**asks, stream=True, stream_options=options))
        pieces = [c.choices[0].delta.content or "" for c in chunks if c.choices]
        assert "".join(pieces) == rehearsed(ask, 5, 1)
        assert chunks[-1].usage == told.usage
        assert [model.id for model in client.models.list()]
        wrong = client.with_options(api_key="wrong")
        with pytest.raises(openai.AuthenticationError):
            wrong.chat.completions.create(**asks)
        claude = anthropic.Anthropic(api_key="right", base_url=url, max_retries=0)
        said = claude.messages.create(**body_of(CLAUDE))
        assert said.content[0].text == rehearsed(ask, 5, 1)
        with claude.messages.stream(**body_of(CLAUDE)) as stream:
            assert stream.get_final_message().content[0].text == said.content[0].text
        counted = claude.messages.count_tokens(model="m", system=SYSTEM, messages=SAID)
        assert counted.input_tokens == said.usage.input_tokens


@pytest.mark.integration
def test_a_dropped_connection_is_one() -> None:
    with fake_server(faults='[[fault]]\nkind = "dropped"\n') as url:
        client = openai.OpenAI(api_key="k", base_url=f"{url}/v1", max_retries=0)
        with pytest.raises(openai.APIConnectionError) as raised:
            client.chat.completions.create(**body_of(OPEN))
        assert isinstance(raised.value.__cause__, httpx2.RemoteProtocolError | httpx2.ReadError)
        again = {"X-Attempt": "2"}
        assert client.chat.completions.create(**body_of(OPEN), extra_headers=again).choices


@pytest.mark.integration
def test_answers_on_a_kept_connection_are_sent_at_once() -> None:
    def seconds(client: httpx2.Client) -> float:
        begun = time.perf_counter()
        client.post(OPEN, json=body_of(OPEN))
        return time.perf_counter() - begun

    with fake_server() as url, httpx2.Client(base_url=url) as client:
        taken = sorted(seconds(client) for _ in range(40))
    # An answer that waits for its head to be acknowledged takes 40 ms, the machine's load aside.
    assert taken[10] < 0.03


@pytest.mark.integration
def test_a_server_ends_on_a_signal_and_when_its_parent_lets_go() -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        signalled = started(["--port", "0"])
        assert address_of(signalled).startswith("http://127.0.0.1:")
        signalled.send_signal(number)
        _, errors = signalled.communicate(timeout=10)
        assert errors == ""
        assert signalled.returncode == {signal.SIGTERM: -signal.SIGTERM, signal.SIGINT: 0}[number]
    left = started(["--with-parent"])
    assert address_of(left)
    left.communicate(timeout=10)
    assert left.returncode == 0


def test_a_plan_that_cannot_be_read_is_said_in_one_line(tmp_path, monkeypatch, capsys) -> None:
    path = tmp_path / "plan.toml"
    path.write_text('[[fault]]\nkind = "gremlins"\n', encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["aidg", "fake-server", "--faults", str(path)])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert said.startswith(f"aidg: {path}:2: `fault.0.kind` must be one of")
    assert said.count("\n") == 1


@pytest.mark.integration
def test_a_port_that_is_taken_is_said_in_one_line() -> None:
    with fake_server() as url:
        port = url.rsplit(":", 1)[1]
        command = [sys.executable, "-m", "reports.cli", "fake-server", "--port", port]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
        assert "in use" in done.stderr
