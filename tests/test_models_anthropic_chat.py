from __future__ import annotations

import json
from itertools import pairwise
from typing import get_args, get_type_hints

import anthropic
import pytest
from anthropic.types import Message, MessageParam
from anthropic.types.message_create_params import MessageCreateParamsNonStreaming
from anthropic.types.output_config_param import OutputConfigParam
from anthropic.types.stop_reason import StopReason
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from games.models.anthropic_chat import alternating, message_body
from games.models.anthropic_reply import read_finish, read_message
from games.models.chat import (
    ChatMessage,
    ChatRole,
    Effort,
    Finish,
    Reply,
    Settings,
    Usage,
    reply_fault,
)
from games.models.complaint import Complaint
from games.models.trouble import Parameter, TroubleKind
from games.words import Fault

from .mockwire import KEY, SCHEMA, Endpoint, answer, asks, fields, reply_of, trouble_of

MESSAGES = TypeAdapter(list[MessageParam])
CONFIG = TypeAdapter(OutputConfigParam)
SENT = Settings(max_tokens=64)
FULL = {"temperature": 0.7, "seed": 3, "reasoning_effort": Effort.LOW, "structured": True}
SETTINGS = st.builds(
    Settings,
    max_tokens=st.integers(1, 4096),
    temperature=st.none() | st.floats(0, 1),
    seed=st.none() | st.integers(0, 9),
    reasoning_effort=st.none() | st.sampled_from(Effort),
    structured=st.booleans(),
)
ROLES = st.sampled_from([ChatRole.USER, ChatRole.ASSISTANT])
TALK = st.lists(st.builds(ChatMessage, role=ROLES, text=st.sampled_from(["", " \n", "a", " b "])))


def message(*blocks, stop="end_turn", usage=None, **more):
    """A body of status 200."""
    content = [{"type": "text", "text": b} if isinstance(b, str) else b for b in blocks]
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-2026",
        "content": content,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": usage or {"input_tokens": 7, "output_tokens": 5},
        **more,
    }


def error(type_="invalid_request_error", text="no", status=400):
    return answer({"type": "error", "error": {"type": type_, "message": text}}, status)


def check_defined(body):
    """Hold a body to the parameters of the installed client, which no longer names temperature."""
    known = get_type_hints(MessageCreateParamsNonStreaming).keys()
    assert body.keys() - known <= {"temperature"}
    MESSAGES.validate_python(body["messages"])
    CONFIG.validate_python(body.get("output_config", {}))


# ----- what is sent


def test_a_request_holds_what_was_asked():
    endpoint = Endpoint(answer(message("hi")))
    reply = reply_of(endpoint.anthropic(), asks("s", "u", "a", "v", schema=SCHEMA, **FULL), 3)
    (body,) = endpoint.bodies
    assert body == {
        "model": "m",
        "max_tokens": 64,
        "system": "s",
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "u"}]},
            {"role": "assistant", "content": [{"type": "text", "text": "a"}]},
            {"role": "user", "content": [{"type": "text", "text": "v"}]},
        ],
        "temperature": 0.7,
        "output_config": {"effort": "low", "format": {"type": "json_schema", "schema": SCHEMA}},
    }
    check_defined(body)  # Kaggle/kaggle-environments PR#1374
    # There is no seed to be sent: requested 3 beside effective None.
    assert reply.effective == Settings(max_tokens=64, **{**FULL, "seed": None})
    (request,) = endpoint.requests
    assert request.headers["x-attempt"] == "3"
    assert KEY in request.headers["authorization"]
    assert str(request.url) == "http://mock/v1/messages"


def test_nothing_that_was_not_asked_for_is_sent():
    endpoint = Endpoint(answer(message("hi")))
    assert reply_of(endpoint.anthropic(), asks("", "u")).effective == SENT
    assert endpoint.bodies[0].keys() == {"model", "messages", "max_tokens"}


@pytest.mark.parametrize(
    ("effort", "sent", "effective"),
    [
        (Effort.HIGH, {"output_config": {"effort": "high"}}, Effort.HIGH),
        (Effort.NONE, {"thinking": {"type": "disabled"}}, Effort.NONE),
        (Effort.MINIMAL, {}, None),  # no such effort here: left out, and said so
    ],
)
def test_effort(effort, sent, effective):
    endpoint = Endpoint(answer(message("hi")))
    reply = reply_of(endpoint.anthropic(), asks("s", "u", reasoning_effort=effort))
    (body,) = endpoint.bodies
    assert {k: body[k] for k in ("output_config", "thinking") if k in body} == sent
    assert reply.effective.reasoning_effort is effective


def test_newer_models_are_sent_no_temperature():
    # The-PR-Agent/pr-agent#2456
    endpoint = Endpoint(answer(message("hi")))
    chat = endpoint.anthropic("claude-opus-4-7")
    reply = reply_of(chat, asks("s", "u", model="claude-opus-4-7", temperature=0.7))
    assert "temperature" not in endpoint.bodies[0]
    assert reply.effective.temperature is None


def test_lone_surrogates_go_out_as_replacement_characters():
    # inspect_ai PR#2316
    endpoint = Endpoint(answer(message("hi")))
    reply_of(endpoint.anthropic(), asks("s\ud83d", "\udfff"))
    (body,) = endpoint.bodies
    assert body["system"] == "s\ufffd"
    assert body["messages"][0]["content"][0]["text"] == "\ufffd"


@given(TALK)
def test_turns_alternate_and_no_block_is_blank(talk):
    # microsoft/autogen#2884, crewAIInc/crewAI#4427, home-assistant/core#175637
    turns = alternating(talk)
    MESSAGES.validate_python(turns)
    roles = [turn["role"] for turn in turns]
    assert all(one != other for one, other in pairwise(roles))
    blocks = [(turn["role"], b["text"]) for turn in turns for b in turn["content"]]
    assert blocks == [(m.role.value, m.text) for m in talk if m.text.strip()]


def test_a_blank_reply_in_the_history_is_never_sent():
    endpoint = Endpoint(answer(message("hi")))
    reply_of(endpoint.anthropic(), asks("s", "u", " \n", "v"))
    blocks = [{"type": "text", "text": "u"}, {"type": "text", "text": "v"}]
    assert endpoint.bodies[0]["messages"] == [{"role": "user", "content": blocks}]


@given(SETTINGS, st.booleans())
def test_every_body_is_one_that_the_api_defines(settings, folded):
    body = message_body(asks("s", "u", "a", "v", schema=SCHEMA), settings, folded=folded)
    assert ("system" in body) is not folded
    if settings.reasoning_effort is not Effort.MINIMAL:  # never effective here
        check_defined(json.loads(json.dumps(body)))


@pytest.mark.parametrize(
    "wrong",
    [
        {"messages": [{"role": "wizard", "content": "x"}]},
        {"messages": [], "output_config": {"effort": "minimal"}},
        {"messages": [], "seed": 1},
    ],
)
def test_the_definition_refuses_what_it_does_not_know(wrong):
    with pytest.raises((ValidationError, AssertionError)):
        check_defined(wrong)


# ----- what comes back


def test_a_reply_keeps_all_that_the_provider_says():
    usage = {
        "input_tokens": 10,
        "cache_creation_input_tokens": 20,
        "cache_read_input_tokens": 30,
        "output_tokens": 50,
        "output_tokens_details": {"thinking_tokens": 40},
    }
    thinking = {"type": "thinking", "thinking": "The secret is kettle.", "signature": "x"}
    body = message(thinking, "Is it ", "red?", usage=usage)
    assert reply_of(Endpoint(answer(body)).anthropic()) == Reply(
        text="Is it red?",
        finish=Finish.STOP,
        usage=Usage(input=60, output=50, reasoning=40, cached=30),
        model="claude-2026",
        effective=SENT,
    )


def test_what_is_not_said_is_unknown_and_never_zero():
    body = message("hi", usage={"cache_read_input_tokens": 3})
    del body["model"]
    reply = reply_of(Endpoint(answer(body)).anthropic())
    assert reply.usage == Usage(input=None, output=None, reasoning=None, cached=3)
    assert (reply.model, reply.cost) == ("", None)


FINISHES = {
    "end_turn": Finish.STOP,
    "stop_sequence": Finish.STOP,
    "max_tokens": Finish.LENGTH,
    "model_context_window_exceeded": Finish.LENGTH,
    "refusal": Finish.REFUSAL,
    "tool_use": Finish.OTHER,
    "pause_turn": Finish.OTHER,
}


def test_every_reason_that_the_client_defines_is_decided_on():
    assert set(get_args(StopReason)) == set(FINISHES)
    assert {reason: read_finish(reason) for reason in FINISHES} == FINISHES
    assert [read_finish(r) for r in ("new", None, 7, [])] == [Finish.OTHER] * 4


@pytest.mark.parametrize(
    ("blocks", "stop", "text", "fault"),
    [
        (["hi"], "end_turn", "hi", None),
        (["hi"], "max_tokens", "hi", Fault.TRUNCATED),
        ([], "end_turn", "", Fault.EMPTY),
        (["No, I"], "refusal", "No, I", Fault.REFUSED),
        # inspect_ai#5467: thinking that is not counted apart took all of the limit
        ([{"type": "thinking", "thinking": "x"}], "max_tokens", "", Fault.REASONING_EXHAUSTED),
        ([{"type": "redacted_thinking", "data": "x"}], "max_tokens", "",
         Fault.REASONING_EXHAUSTED),
        ([{"type": "tool_use", "name": "x", "input": {}}], "tool_use", "", Fault.EMPTY),
        (["<think>kettle</think>No."], "end_turn", "No.", None),
    ],
)  # fmt: skip
def test_text_and_fault(blocks, stop, text, fault):
    reply = reply_of(Endpoint(answer(message(*blocks, stop=stop))).anthropic())
    assert reply.text == text
    assert reply_fault(reply) is fault


def test_a_refusal_without_words_is_given_its_explanation():
    details = {"type": "refusal", "category": "bio", "explanation": "Declined by policy."}
    body = message(stop="refusal", stop_details=details)
    reply = reply_of(Endpoint(answer(body)).anthropic())
    assert (reply.finish, reply.text) == (Finish.REFUSAL, "Declined by policy.")


def test_lone_surrogates_of_a_reply_are_kept():
    assert reply_of(Endpoint(answer(message("a\ud83d"))).anthropic()).text == "a\ud83d"


# ----- errors


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"type": "error", "error": {"type": "overloaded_error", "message": "x"}},
         TroubleKind.OVERLOADED),
        ({"type": "error", "error": {"type": "api_error", "message": "x"}},
         TroubleKind.SERVER_ERROR),
        ({"error": {"type": "timeout_error", "message": "x"}}, TroubleKind.TIMEOUT),
        (message('{"type": "error", "error": {"type": "rate_limit_error", "message": "x"}}'),
         TroubleKind.RATE_LIMITED),  # gke-labs/kube-agents#1184
        (message(content=None), TroubleKind.MALFORMED),
        ({}, TroubleKind.MALFORMED),
        ([], TroubleKind.MALFORMED),
    ],
)  # fmt: skip
def test_a_success_that_holds_no_reply_is_trouble(body, kind):
    assert trouble_of(Endpoint(answer(body)).anthropic()).kind is kind


def test_a_body_that_ends_in_the_middle_is_malformed():
    raw = json.dumps(message("a long reply")).encode()[:50]
    assert trouble_of(Endpoint(answer(raw)).anthropic()).kind is TroubleKind.MALFORMED


LOW = "Your credit balance is too low to access the Anthropic API."
LIMITS = "You have reached your specified API usage limits. You will regain access on 1 May."


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        (error("rate_limit_error", status=429), ("rate_limited", 429, None)),
        (error("overloaded_error", status=529), ("overloaded", 529, None)),
        (error("api_error", status=500), ("server_error", 500, None)),
        (error("authentication_error", status=401), ("unauthorized", 401, None)),
        (error("permission_error", status=403), ("unauthorized", 403, None)),
        (error("not_found_error", status=404), ("unknown_model", 404, None)),
        (error("request_too_large", status=413), ("too_long", 413, None)),
        (error("billing_error", status=402), ("quota_exhausted", 402, None)),
        (error(text=LOW), ("quota_exhausted", 400, None)),
        (error(text=LIMITS), ("quota_exhausted", 400, None)),
        (error(text="prompt is too long: 9 tokens > 8 maximum"), ("too_long", 400, None)),
        (error(text="messages: roles must alternate"), ("rejected", 400, None)),
        (error(text="temperature: range: 0..1"), ("rejected", 400, None)),
        # The limit has one name here, so that nothing is to be tried in its place.
        (error(text="max_tokens: Extra inputs are not permitted"), ("rejected", 400, None)),
        (error(text="`temperature` is deprecated for this model."),
         ("parameter_rejected", 400, Parameter.TEMPERATURE)),
        (error(text="output_config.format: Extra inputs are not permitted"),
         ("parameter_rejected", 400, Parameter.STRUCTURED)),
        (error(text="This model does not support the effort parameter."),
         ("parameter_rejected", 400, Parameter.REASONING_EFFORT)),
        (error(text="seed: Extra inputs are not permitted"), ("rejected", 400, None)),
    ],
)  # fmt: skip
def test_error_statuses(response, expected):
    request = asks("s", "u", schema=SCHEMA, **FULL)
    endpoint = Endpoint(response)
    assert fields(trouble_of(endpoint.anthropic(), request)) == expected
    assert len(endpoint.requests) == 1, "one send, no retries inside"


def test_a_filter_that_answers_with_an_error_is_a_reply_of_its_own_kind():
    # promptfoo PR#2812
    response = error(text="Output blocked by content filtering policy")
    reply = reply_of(Endpoint(response).anthropic())
    assert (reply.text, reply.finish) == ("", Finish.FILTER)
    assert reply_fault(reply) is Fault.FILTERED


def test_a_rejected_parameter_is_left_out_from_then_on():
    rejection = error(text="`temperature` is deprecated for this model.")
    endpoint = Endpoint(rejection, answer(message("hi")))
    chat, request = endpoint.anthropic(), asks("s", "u", temperature=0.7)
    assert trouble_of(chat, request).parameter is Parameter.TEMPERATURE
    assert reply_of(chat, request).effective == SENT
    assert ["temperature" in body for body in endpoint.bodies] == [True, False]


def test_retry_after_is_heard():
    response = answer({"error": {"type": "rate_limit_error"}}, 429, retry_after="7")
    assert trouble_of(Endpoint(response).anthropic()).retry_after == 7.0


# ----- whatever comes

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)
BLOCK = JSON | st.fixed_dictionaries(
    {"type": st.sampled_from(["text", "thinking", "tool_use"])}, optional={"text": JSON}
)


@given(
    JSON
    | st.fixed_dictionaries(
        {"content": st.lists(BLOCK, max_size=3)},
        optional={"stop_reason": JSON, "usage": JSON, "model": JSON, "stop_details": JSON},
    )
)
def test_any_json_is_a_reply_or_a_complaint(body):
    heard = read_message(body, SENT)
    assert isinstance(heard, Reply | Complaint)


@given(st.text(max_size=20), st.sampled_from(sorted(FINISHES)), st.integers(0, 99),
       st.integers(0, 99))  # fmt: skip
def test_a_sound_message_reads_as_the_official_types_read_it(text, stop, sent, said):
    body = message(text, stop=stop, usage={"input_tokens": sent, "output_tokens": said})
    official = Message.model_validate(body)
    reply = read_message(body, SENT)
    if isinstance(reply, Complaint) or text.lstrip().startswith("<think>"):
        return
    (block,) = official.content
    assert block.type == "text"
    if text.strip():
        assert reply.text == block.text
    assert (reply.usage.input, reply.usage.output) == (
        official.usage.input_tokens,
        official.usage.output_tokens,
    )
    assert reply.model == official.model


def test_the_installed_client_still_takes_what_is_handed_to_it():
    # Kaggle/kaggle-environments PR#1374
    assert int(anthropic.__version__.split(".")[0]) >= 2
    assert {"cast_to", "content", "options"} <= set(anthropic.AsyncAnthropic.post.__annotations__)
