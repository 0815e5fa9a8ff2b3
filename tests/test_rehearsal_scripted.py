"""The scripted model: the replies and faults of a fake server, without one."""

from __future__ import annotations

import asyncio
import time

import pytest

from games.cohort.models import ArbiterModel, Client, Endpoint
from games.models.capabilities import Learned
from games.models.chat import ChatMessage, ChatModel, ChatRequest, ChatRole, Finish, Reply, Settings
from games.models.open import open_model
from games.models.trouble import RETRIED, Parameter, Trouble, TroubleKind
from games.rehearsal.asked import asked_of
from games.rehearsal.faults import REJECTED, FakeFault, FaultPlan, FaultRule
from games.rehearsal.replies import rehearsed
from games.rehearsal.scripted import TROUBLES, ScriptedModel

from .servers import fake_server

SYSTEM = "You are the Holder."
SCHEMA = {
    "type": "object",
    "properties": {"verdict": {"type": "string", "enum": ["leak", "no_leak"]}},
    "required": ["verdict"],
    "additionalProperties": False,
}


REQUEST = ChatRequest(
    model="m",
    messages=(
        ChatMessage(role=ChatRole.SYSTEM, text=SYSTEM),
        ChatMessage(role=ChatRole.USER, text="Is it alive?"),
    ),
    settings=Settings(max_tokens=90, temperature=0.7, seed=1, structured=True),
    reply_schema=SCHEMA,
)


def heard(model: ChatModel, attempt: int = 1, request: ChatRequest = REQUEST):
    try:
        return asyncio.run(model.ask(request, attempt))
    except Trouble as trouble:
        return trouble


def scripted(*rules: FaultRule, **more) -> ScriptedModel:
    return ScriptedModel(5, faults=FaultPlan(fault=rules), **more)


def test_the_reply_is_the_rehearsed_one() -> None:
    reply, ask = heard(scripted()), asked_of(REQUEST)
    assert reply.text == rehearsed(ask, 5, 1)
    assert reply.usage.input == ask.tokens
    assert (reply.model, reply.finish, reply.effective) == ("m", Finish.STOP, REQUEST.settings)
    assert heard(scripted()) == reply


@pytest.mark.parametrize("kind", list(FakeFault))
def test_every_fault_is_a_trouble_or_a_reply(kind) -> None:
    model = scripted(FaultRule(kind=kind))
    request = REQUEST.model_copy(
        update={"settings": REQUEST.settings.model_copy(update={"reasoning_effort": "low"})}
    )
    found = heard(model, request=request)
    if kind not in TROUBLES or kind is FakeFault.MAX_TOKENS_REJECTED:
        assert isinstance(found, Reply)
        return
    assert isinstance(found, Trouble)
    assert (found.kind, found.status) == TROUBLES[kind]
    assert found.parameter == REJECTED.get(kind)
    if found.kind in RETRIED:
        assert isinstance(heard(model, 2, request), Reply)
    if found.kind is TroubleKind.PARAMETER_REJECTED:
        assert isinstance(heard(model, 1, request), Reply)


def test_a_scripted_fault_keeps_its_wait_and_a_filter_its_silence() -> None:
    waits = FaultRule(kind=FakeFault.RATE_LIMITED_WAIT, retry_after=3.5)
    assert heard(scripted(waits)).retry_after == 3.5
    filtered = heard(scripted(FaultRule(kind=FakeFault.CONTENT_FILTER_400)))
    assert (filtered.text, filtered.finish) == ("", Finish.FILTER)


def test_what_a_scripted_model_learned_is_left_out_and_told() -> None:
    model = scripted(learned=Learned("m", refuses=[Parameter.SEED]))
    assert heard(model).effective.seed is None
    model.learn(Parameter.TEMPERATURE)
    assert heard(model).effective == Settings(max_tokens=90, structured=True)
    asyncio.run(model.close())


def test_scripted_latency_is_waited() -> None:
    begun = time.perf_counter()
    heard(scripted(latency=0.1))
    assert time.perf_counter() - begun >= 0.1


# --- beside a real client at the real command: one request, so one reply

# What a dialect puts as the nearest thing that it has.
CLAUDE, OPEN = Client.ANTHROPIC, Client.OPENAI
APART = {
    (CLAUDE, FakeFault.CONTENT_FILTER): Finish.REFUSAL,
    (CLAUDE, FakeFault.MAX_TOKENS_REJECTED): TroubleKind.REJECTED,
    (OPEN, FakeFault.MAX_TOKENS_REJECTED): TroubleKind.PARAMETER_REJECTED,
    (CLAUDE, FakeFault.SYSTEM_ROLE_REJECTED): Finish.STOP,
}
# Anthropic knows no seed: with one, its request would be another.
COMMON = REQUEST.model_copy(update={"settings": Settings(max_tokens=90, temperature=0.7)})


def kind_of(found: Reply | Trouble) -> Finish | TroubleKind:
    return found.finish if isinstance(found, Reply) else found.kind


@pytest.mark.integration
@pytest.mark.parametrize("kind", [None, *FakeFault])
def test_it_is_heard_as_the_server_is_through_both_clients(kind) -> None:
    lasts = "lasts = 20\n" if kind is FakeFault.SLOW_STREAM else ""
    faults = None if kind is None else f'[[fault]]\nkind = "{kind.value}"\n{lasts}'
    said = {"id": "m", "vendor": "v", "family": "f", "endpoint": "e", "model": "m"}
    model = ArbiterModel(**said, sampling=COMMON.settings)
    rules = () if kind is None else (FaultRule(kind=kind),)
    mine = heard(scripted(*rules), request=COMMON)
    with fake_server(seed=5, faults=faults) as url:
        for client in (OPEN, CLAUDE):
            wait = 1.0 if kind is FakeFault.SLOW_STREAM else 60.0
            endpoint = Endpoint(client=client, base_url=url, deadline=wait)
            theirs = heard(open_model(endpoint, model, {}), request=COMMON)
            if (client, kind) in APART:
                assert kind_of(theirs) is APART[client, kind]
                continue
            assert kind_of(theirs) is kind_of(mine)
            if isinstance(mine, Reply) and kind is not FakeFault.CONTENT_FILTER_400:
                fields = ("text", "usage", "model", "effective")
                assert [getattr(theirs, f) for f in fields] == [getattr(mine, f) for f in fields]
