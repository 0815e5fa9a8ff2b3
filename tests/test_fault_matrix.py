"""Each fault through each client against a real server: what it comes to, typed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from games.cohort.models import ArbiterModel, Client, Endpoint
from games.models.chat import ChatRequest, Effort, Finish, Reply, Settings, reply_fault
from games.models.open import open_model
from games.models.trouble import Parameter, Trouble, TroubleKind
from games.rehearsal.faults import FakeFault
from games.words import Fault

from .mockwire import KEY, SCHEMA, asks
from .servers import fake_server

pytestmark = pytest.mark.integration
CLIENTS = (Client.OPENAI, Client.ANTHROPIC)
WAIT = 2.5
PATIENCE, IMPATIENCE = 60.0, 2.0
FULL = Settings(
    max_tokens=512, temperature=0.7, seed=3, reasoning_effort=Effort.LOW, structured=True
)
# The Anthropic API has no seed.
SENT = {Client.OPENAI: FULL, Client.ANTHROPIC: FULL.model_copy(update={"seed": None})}


@dataclass(frozen=True, slots=True)
class Comes:
    """What a first asking comes to: a trouble of some kind, or a reply with some finish."""

    kind: TroubleKind | None = None
    parameter: Parameter | None = None
    status: int | None = None
    retry_after: float | None = None
    finish: Finish = Finish.STOP
    fault: Fault | None = None


def rejects(parameter: Parameter) -> Comes:
    return Comes(TroubleKind.PARAMETER_REJECTED, parameter, 400)


# What both clients make of a fault; where the dialects differ it stands in OTHERWISE.
MATRIX: dict[FakeFault, Comes] = {
    FakeFault.RATE_LIMITED: Comes(TroubleKind.RATE_LIMITED, status=429),
    FakeFault.RATE_LIMITED_WAIT: Comes(TroubleKind.RATE_LIMITED, status=429, retry_after=WAIT),
    FakeFault.SERVER_ERROR: Comes(TroubleKind.SERVER_ERROR, status=500),
    FakeFault.OVERLOADED: Comes(TroubleKind.OVERLOADED, status=529),
    FakeFault.ERROR_IN_200: Comes(TroubleKind.SERVER_ERROR, status=502),  # inspect_ai#1534
    FakeFault.ERROR_AS_TEXT: Comes(TroubleKind.RATE_LIMITED, status=429),  # kube-agents#1184
    FakeFault.NULL_CONTENT: Comes(fault=Fault.EMPTY),  # lm-evaluation-harness#3244
    FakeFault.EMPTY_AFTER_REASONING: Comes(  # inspect_ai#5467
        finish=Finish.LENGTH, fault=Fault.REASONING_EXHAUSTED
    ),
    FakeFault.REFUSAL: Comes(finish=Finish.REFUSAL, fault=Fault.REFUSED),
    FakeFault.CONTENT_FILTER: Comes(finish=Finish.FILTER, fault=Fault.FILTERED),
    FakeFault.CONTENT_FILTER_400: Comes(finish=Finish.FILTER, fault=Fault.FILTERED),  # PR#2812
    FakeFault.TRUNCATED: Comes(finish=Finish.LENGTH, fault=Fault.TRUNCATED),
    FakeFault.TRUNCATED_JSON: Comes(TroubleKind.MALFORMED),
    FakeFault.LONE_SURROGATE: Comes(),  # inspect_ai PR#2316
    FakeFault.SLOW_STREAM: Comes(TroubleKind.TIMEOUT),  # inspect_ai#2487
    FakeFault.DROPPED: Comes(TroubleKind.CONNECTION),
    FakeFault.WRONG_MODEL: Comes(),
    FakeFault.TEMPERATURE_REJECTED: rejects(Parameter.TEMPERATURE),  # openlit#1068
    FakeFault.MAX_TOKENS_REJECTED: rejects(Parameter.MAX_TOKENS),
    FakeFault.SEED_REJECTED: rejects(Parameter.SEED),
    FakeFault.EFFORT_REJECTED: rejects(Parameter.REASONING_EFFORT),
    FakeFault.STRUCTURED_REJECTED: rejects(Parameter.STRUCTURED),
    FakeFault.SYSTEM_ROLE_REJECTED: rejects(Parameter.SYSTEM_ROLE),
    FakeFault.QUOTA_EXHAUSTED: Comes(TroubleKind.QUOTA_EXHAUSTED, status=429),  # tracker#547
    FakeFault.UNAUTHORIZED: Comes(TroubleKind.UNAUTHORIZED, status=401),
    FakeFault.UNKNOWN_MODEL: Comes(TroubleKind.UNKNOWN_MODEL, status=404),
    FakeFault.TOO_LONG: Comes(TroubleKind.TOO_LONG, status=400),
    FakeFault.OFF_FORM: Comes(),
}
OTHERWISE: dict[FakeFault, Comes] = {
    # Here the body names no status, only a type of error.
    FakeFault.ERROR_IN_200: Comes(TroubleKind.SERVER_ERROR),
    # Its filter and its model's refusal stop for one reason.
    FakeFault.CONTENT_FILTER: Comes(finish=Finish.REFUSAL, fault=Fault.REFUSED),
    # The limit has one name, is always wanted, and is rejected for its size.
    FakeFault.MAX_TOKENS_REJECTED: Comes(TroubleKind.REJECTED, status=400),
    # There is no seed to be sent, and the system text is no message.
    FakeFault.SEED_REJECTED: Comes(),
    FakeFault.SYSTEM_ROLE_REJECTED: Comes(),
    FakeFault.QUOTA_EXHAUSTED: Comes(TroubleKind.QUOTA_EXHAUSTED, status=400),
}
CELLS = [(fault, client) for fault in FakeFault for client in CLIENTS]


def expected(fault: FakeFault, client: Client) -> Comes:
    apart = client is Client.ANTHROPIC and fault in OTHERWISE
    return OTHERWISE[fault] if apart else MATRIX[fault]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A server at which the name of a model is the fault that strikes it."""
    more = {
        FakeFault.RATE_LIMITED_WAIT: f"retry_after = {WAIT}",
        FakeFault.SLOW_STREAM: "lasts = 60",
    }
    rules = [
        f'[[fault]]\nkind = "{f.value}"\nmodels = ["{f.value}"]\n{more.get(f, "")}\n'
        for f in FakeFault
    ]
    with fake_server(seed=1, faults="\n".join(rules)) as listening:
        yield listening


def request_for(name: str) -> ChatRequest:
    request = asks("You are the Seeker.", "What do you ask?", model=name, schema=SCHEMA)
    return request.model_copy(update={"settings": FULL})


def askings(
    address: str, client: Client, name: str, times: int, key: str | None = None
) -> list[Reply | Trouble]:
    """What one model comes to when asked for the first, second … time."""
    deadline = IMPATIENCE if name == FakeFault.SLOW_STREAM.value else PATIENCE
    key_env = None if key is None else "KEY"
    endpoint = Endpoint(client=client, base_url=address, key_env=key_env, deadline=deadline)
    environ = {} if key is None else {"KEY": key}
    settings = {"id": "p", "vendor": "v", "family": "f", "endpoint": "e", "sampling": FULL}
    model = ArbiterModel(**settings, model=name)

    async def asked() -> list[Reply | Trouble]:
        chat, came = open_model(endpoint, model, environ), []
        for attempt in range(1, times + 1):
            try:
                came.append(await chat.ask(request_for(name), attempt))
            except Trouble as trouble:
                came.append(trouble)
        await chat.close()
        return came

    return asyncio.run(asked())


def test_the_matrix_is_whole():
    assert set(MATRIX) == set(FakeFault)
    assert set(OTHERWISE) <= set(FakeFault)


@pytest.mark.parametrize(("fault", "client"), CELLS)
def test_each_fault_comes_to_what_it_is(address, fault, client):
    wanted = expected(fault, client)
    (came,) = askings(address, client, fault.value, 1)
    if wanted.kind is None:
        assert isinstance(came, Reply)
        assert (came.finish, reply_fault(came)) == (wanted.finish, wanted.fault)
        assert came.effective == SENT[client]
    else:
        assert isinstance(came, Trouble)
        found = Comes(came.kind, came.parameter, came.status, came.retry_after)
        assert found == wanted


PASSING = [
    cell
    for cell in CELLS
    if expected(*cell).kind is not None
    and expected(*cell) != OTHERWISE[FakeFault.MAX_TOKENS_REJECTED]
]


@pytest.mark.parametrize(("fault", "client"), PASSING)
def test_after_a_trouble_the_same_model_is_asked_again_and_replies(address, fault, client):
    trouble, reply = askings(address, client, fault.value, 2)
    assert isinstance(trouble, Trouble)
    assert isinstance(reply, Reply)
    assert reply_fault(reply) is None
    left_out = {
        Parameter.TEMPERATURE: {"temperature": None},
        Parameter.SEED: {"seed": None},
        Parameter.REASONING_EFFORT: {"reasoning_effort": None},
        Parameter.STRUCTURED: {"structured": False},
        Parameter.MAX_TOKENS: {},  # sent by its other name
        Parameter.SYSTEM_ROLE: {},  # folded into the first message
        None: {},
    }
    assert reply.effective == SENT[client].model_copy(update=left_out[trouble.parameter])


@pytest.mark.parametrize("client", CLIENTS)
def test_without_a_fault_the_reply_is_whole_and_the_same_when_asked_again_alike(address, client):
    one, two = (askings(address, client, "sound", 1)[0] for _ in range(2))
    assert isinstance(one, Reply)
    assert one == two
    assert one.model == "sound"
    assert one.usage.input > 0
    assert one.usage.output > 0
    assert askings(address, client, "sound", 2)[0] == one


@pytest.mark.parametrize("client", CLIENTS)
def test_another_returned_model_and_half_a_pair_are_kept(address, client):
    (elsewhere,) = askings(address, client, FakeFault.WRONG_MODEL.value, 1)
    assert isinstance(elsewhere, Reply)
    assert elsewhere.model not in {"", FakeFault.WRONG_MODEL.value}
    (half,) = askings(address, client, FakeFault.LONE_SURROGATE.value, 1)
    assert isinstance(half, Reply)
    assert any("\ud800" <= c <= "\udfff" for c in half.text)


@pytest.mark.parametrize("client", CLIENTS)
def test_a_server_that_is_gone_is_a_connection_trouble(client):
    with fake_server() as listening:
        pass
    (trouble,) = askings(listening, client, "sound", 1)
    assert isinstance(trouble, Trouble)
    assert trouble.kind is TroubleKind.CONNECTION


def test_the_key_opens_and_another_does_not():
    with fake_server(key=KEY) as listening:
        for client in CLIENTS:
            (let_in,) = askings(listening, client, "sound", 1, KEY)
            assert isinstance(let_in, Reply), client
            (kept_out,) = askings(listening, client, "sound", 1, "another")
            assert isinstance(kept_out, Trouble)
            assert kept_out.kind is TroubleKind.UNAUTHORIZED
            (without,) = askings(listening, client, "sound", 1)
            assert isinstance(without, Trouble)
            assert without.kind is TroubleKind.UNAUTHORIZED
