from __future__ import annotations

import asyncio
import json
from email.utils import formatdate
from typing import get_type_hints

import httpx2
import openai
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openai.types.chat import ChatCompletion, ChatCompletionMessageParam
from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming
from pydantic import TypeAdapter, ValidationError

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
from games.models.openai_chat import completion_body, fold_system
from games.models.openai_reply import read_completion
from games.models.trouble import RETRIED, Parameter, TroubleKind
from games.words import Fault

from .mockwire import KEY, SCHEMA, Endpoint, answer, asks, fields, reply_of, trouble_of

PARAMS = TypeAdapter(CompletionCreateParamsNonStreaming)
MESSAGES = TypeAdapter(list[ChatCompletionMessageParam])
SENT = Settings(max_tokens=64)
FULL = {"temperature": 0.7, "seed": 3, "reasoning_effort": Effort.LOW, "structured": True}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)


def completion(content="hi", finish="stop", usage=None, message=None, **more):
    """A body of status 200."""
    said = {"role": "assistant", "content": content, **(message or {})}
    choice = {"index": 0, "message": said, "finish_reason": finish}
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "m-2026",
        "choices": [choice],
        "usage": usage or {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12},
        **more,
    }


def error(message="no", status=400, **names):
    return answer({"error": {"message": message, **names}}, status)


def check_defined(body):
    """Hold a body to the parameters of the installed client."""
    assert body.keys() <= get_type_hints(CompletionCreateParamsNonStreaming).keys()
    PARAMS.validate_python(body)
    MESSAGES.validate_python(body["messages"])  # the client's type checks an iterable only if read


# ----- what is sent


def test_a_request_holds_what_was_asked_and_is_one_that_the_api_defines():
    endpoint = Endpoint(answer(completion()))
    reply = reply_of(endpoint.openai(), asks("s", "u", "a", "v", schema=SCHEMA, **FULL), 3)
    (body,) = endpoint.bodies
    assert body == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "s"},
            {"role": "user", "content": "u"},
            {"role": "assistant", "content": "a"},
            {"role": "user", "content": "v"},
        ],
        "max_tokens": 64,
        "temperature": 0.7,
        "seed": 3,
        "reasoning_effort": "low",
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "reply", "strict": True, "schema": SCHEMA},
        },
    }
    check_defined(body)  # Kaggle/kaggle-environments PR#1374
    assert reply.effective == Settings(max_tokens=64, **FULL)
    (request,) = endpoint.requests
    assert request.headers["x-attempt"] == "3"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.headers["content-type"] == "application/json"
    assert str(request.url) == "http://mock/v1/chat/completions"


def test_nothing_that_was_not_asked_for_is_sent():
    endpoint = Endpoint(answer(completion()))
    reply = reply_of(endpoint.openai(), asks("s", "u"))
    assert endpoint.bodies[0].keys() == {"model", "messages", "max_tokens"}
    assert reply.effective == SENT


def test_no_schema_no_structure():
    endpoint = Endpoint(answer(completion()))
    reply = reply_of(endpoint.openai(), asks("s", "u", structured=True))
    assert "response_format" not in endpoint.bodies[0]
    assert reply.effective.structured is False


def test_a_reasoning_model_is_sent_no_temperature_and_the_limit_by_its_other_name():
    # openlit/openlit#1068, groq/openbench#50, stanfordnlp/dspy#8642, johny-b/llmcomp#69
    endpoint = Endpoint(answer(completion()))
    reply = reply_of(endpoint.openai("gpt-5"), asks("s", "u", temperature=0.7, model="gpt-5"))
    assert endpoint.bodies[0].keys() == {"model", "messages", "max_completion_tokens"}
    assert endpoint.bodies[0]["max_completion_tokens"] == 64
    assert reply.effective.temperature is None  # requested beside effective: 0.7 beside None


def test_a_chat_model_of_a_like_name_keeps_its_temperature():
    # confident-ai/deepeval PR#2121
    endpoint = Endpoint(answer(completion()))
    chat = endpoint.openai("gpt-5-chat-latest")
    reply = reply_of(chat, asks("s", "u", temperature=0.7, model="gpt-5-chat-latest"))
    assert endpoint.bodies[0]["temperature"] == 0.7
    assert reply.effective.temperature == 0.7


def test_a_cohort_overrides_what_is_known():
    endpoint = Endpoint(answer(completion()))
    chat = endpoint.openai("gpt-5", bears=[Parameter.TEMPERATURE], refuses=[Parameter.SEED])
    reply_of(chat, asks("s", "u", model="gpt-5", temperature=0.7, seed=1))
    assert endpoint.bodies[0]["temperature"] == 0.7
    assert "seed" not in endpoint.bodies[0]


def test_lone_surrogates_go_out_as_replacement_characters():
    # inspect_ai PR#2316, #3802; strands-rl/strands-env PR#211
    endpoint = Endpoint(answer(completion()))
    schema = {**SCHEMA, "title": "\udc00"}
    request = asks("s\ud83d", "\ud83d\ude00 é \udfff", schema=schema, structured=True)
    reply_of(endpoint.openai(), request)
    body = endpoint.bodies[0]
    assert [m["content"] for m in body["messages"]] == ["s\ufffd", "\ufffd\ufffd é \ufffd"]
    assert body["response_format"]["json_schema"]["schema"]["title"] == "\ufffd"


@given(st.text(st.characters() | st.characters(categories=["Cs"])))
def test_any_text_can_be_sent(text):
    endpoint = Endpoint(answer(completion()))
    reply_of(endpoint.openai(), asks(text, text))
    expected = "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)
    assert [m["content"] for m in endpoint.bodies[0]["messages"]] == [expected, expected]


SETTINGS = st.builds(
    Settings,
    max_tokens=st.integers(1, 4096),
    temperature=st.none() | st.floats(0, 2),
    seed=st.none() | st.integers(0, 9),
    reasoning_effort=st.none() | st.sampled_from(Effort),
    structured=st.booleans(),
)
TEXTS = st.lists(st.text(min_size=1, max_size=5), min_size=1, max_size=6)


@given(TEXTS, st.booleans())
def test_folding_keeps_every_word_and_the_alternation(texts, with_system):
    messages = asks(*texts).messages if with_system else asks("", *texts).messages[1:]
    folded = fold_system(messages)
    assert all(m.role is not ChatRole.SYSTEM for m in folded)
    assert [m.role for m in folded] == [ChatRole.USER, ChatRole.ASSISTANT] * (len(folded) // 2) + [
        ChatRole.USER
    ] * (len(folded) % 2)
    plain = [m.text for m in messages]
    if with_system and len(plain) > 1:
        plain[:2] = [f"{plain[0]}\n\n{plain[1]}"]
    assert [m.text for m in folded] == plain


def test_a_folded_request_has_no_system_role():
    request = asks("s", "u", "a", "v")
    body = completion_body(request, SENT, completion_tokens=False, folded=True)
    assert body["messages"] == [
        {"role": "user", "content": "s\n\nu"},
        {"role": "assistant", "content": "a"},
        {"role": "user", "content": "v"},
    ]
    only = (ChatMessage(role=ChatRole.SYSTEM, text="s"),)
    assert fold_system(only) == (ChatMessage(role=ChatRole.USER, text="s"),)


# ----- what comes back


def test_a_reply_keeps_all_that_the_provider_says():
    usage = {
        "prompt_tokens": 70,
        "completion_tokens": 50,
        "total_tokens": 120,
        "completion_tokens_details": {"reasoning_tokens": 20},
        "prompt_tokens_details": {"cached_tokens": 30},
        "cost": 0.00125,  # inspect_ai#4739
    }
    body = completion(" Is it red?\n", usage=usage, system_fingerprint="fp_1")
    assert reply_of(Endpoint(answer(body)).openai()) == Reply(
        text=" Is it red?\n",
        finish=Finish.STOP,
        usage=Usage(input=70, output=50, reasoning=20, cached=30),
        model="m-2026",
        fingerprint="fp_1",
        cost=0.00125,
        effective=SENT,
    )


def test_what_is_not_said_is_unknown_and_never_zero():
    body = completion()
    del body["usage"], body["model"]
    reply = reply_of(Endpoint(answer(body)).openai())
    assert reply.usage == Usage(input=None, output=None, reasoning=None, cached=None)
    assert (reply.cost, reply.model, reply.fingerprint) == (None, "", "")


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({"prompt_tokens": "7", "completion_tokens": -1}, Usage()),
        ({"prompt_tokens": True, "completion_tokens": 2.5}, Usage()),
        ({"prompt_tokens": 7.0, "completion_tokens": 0}, Usage(input=7, output=0)),
        # Where the total shows that reasoning stands beside the output, the two are added up.
        (
            {
                "prompt_tokens": 7,
                "completion_tokens": 5,
                "total_tokens": 32,
                "completion_tokens_details": {"reasoning_tokens": 20},
            },
            Usage(input=7, output=25, reasoning=20),
        ),
        (
            {
                "prompt_tokens": 7,
                "completion_tokens": 25,
                "total_tokens": 32,
                "completion_tokens_details": {"reasoning_tokens": 20},
            },
            Usage(input=7, output=25, reasoning=20),
        ),
    ],
)
def test_usage(told, expected):
    assert reply_of(Endpoint(answer(completion(usage=told))).openai()).usage == expected


@pytest.mark.parametrize("count", [2**53 + 2, 10**400, 1e308, float("inf"), -1, 0.5, True])
def test_a_count_that_is_none_is_unknown(count):
    body = completion(usage={"prompt_tokens": count, "completion_tokens": 2**53})
    usage = reply_of(Endpoint(answer(json.dumps(body).encode())).openai()).usage
    assert (usage.input, usage.output) == (None, 2**53)


@pytest.mark.parametrize("cost", ["0.1", True, -1, None, float("inf"), 2**53 + 1, 10**400])
def test_a_cost_that_is_none_is_unknown(cost):
    body = completion(usage={"prompt_tokens": 1, "cost": cost})
    raw = json.dumps(body).encode()
    assert reply_of(Endpoint(answer(raw)).openai()).cost is None


@pytest.mark.parametrize(
    ("said", "finish", "fault"),
    [
        ("stop", Finish.STOP, None),
        ("length", Finish.LENGTH, Fault.TRUNCATED),
        ("content_filter", Finish.FILTER, Fault.FILTERED),
        ("tool_calls", Finish.OTHER, None),
        ("function_call", Finish.OTHER, None),
        ("something new", Finish.OTHER, None),
        (None, Finish.OTHER, None),
        (7, Finish.OTHER, None),
    ],
)
def test_finish(said, finish, fault):
    reply = reply_of(Endpoint(answer(completion(finish=said))).openai())
    assert reply.finish is finish
    assert reply_fault(reply) is fault


def test_null_content_is_an_empty_text():
    # EleutherAI/lm-evaluation-harness#3244
    reply = reply_of(Endpoint(answer(completion(None))).openai())
    assert reply.text == ""
    assert reply_fault(reply) is Fault.EMPTY


def test_reasoning_that_eats_the_limit_is_a_fault_of_its_own():
    # inspect_ai#5467
    usage = {"completion_tokens": 64, "completion_tokens_details": {"reasoning_tokens": 64}}
    reply = reply_of(Endpoint(answer(completion("", "length", usage))).openai())
    assert reply.usage.reasoning == 64
    assert reply_fault(reply) is Fault.REASONING_EXHAUSTED


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, {"reasoning_content": "Hm, what could it be"}),
        ("", {"reasoning": "Hm, what could it be"}),
        ("<think>Hm, what could it be", {}),
    ],
)
def test_uncounted_reasoning_that_eats_the_limit_is_known_by_what_is_left(content, message):
    # inspect_ai#5467, of servers that count no reasoning apart
    body = completion(content, "length", {"completion_tokens": 64}, message)
    reply = reply_of(Endpoint(answer(body)).openai())
    assert (reply.text, reply.usage.reasoning) == ("", 64)
    assert reply_fault(reply) is Fault.REASONING_EXHAUSTED


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("<think>The secret is kettle.</think>\n\nNo.", "No."),
        ("\n<think>\nx</think>No.", "No."),
        ("<think></think>No.", "No."),
        ("No. <think>x</think>", "No. <think>x</think>"),  # only what stands first is hidden
        ([{"type": "thinking", "thinking": "kettle"}, {"type": "text", "text": "No."}], "No."),
        ([{"type": "text", "text": "N"}, {"type": "text", "text": "o."}, 7], "No."),
    ],
)
def test_hidden_reasoning_is_no_part_of_the_text(content, text):
    # inspect_ai#4320, tidyverse/ellmer PR#972
    body = completion(content, message={"reasoning_content": "The secret is kettle."})
    reply = reply_of(Endpoint(answer(body)).openai())
    assert reply.text == text
    assert "kettle" not in reply.model_dump_json()


def test_a_count_of_reasoning_goes_before_what_can_be_inferred():
    usage = {"completion_tokens": 64, "completion_tokens_details": {"reasoning_tokens": 60}}
    body = completion("", "length", usage, {"reasoning": "Hm"})
    assert reply_of(Endpoint(answer(body)).openai()).usage.reasoning == 60


@pytest.mark.parametrize("content", [None, "", "Let me see."])
def test_a_refusal_is_told_apart_from_silence(content):
    body = completion(content, message={"refusal": "I can't help with that."})
    reply = reply_of(Endpoint(answer(body)).openai())
    assert (reply.finish, reply.text) == (Finish.REFUSAL, "I can't help with that.")
    assert reply_fault(reply) is Fault.REFUSED


def test_lone_surrogates_of_a_reply_are_kept():
    # inspect_ai PR#2316, #3802
    reply = reply_of(Endpoint(answer(completion("a\ud83d"))).openai())
    assert reply.text == "a\ud83d"
    assert Reply.model_validate(reply.model_dump()) == reply


# ----- errors in the place of a reply


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        # inspect_ai#1534: status 200, choices null
        ({"error": {"code": 502, "message": "down"}, "choices": None}, TroubleKind.SERVER_ERROR),
        ({"error": {"code": 429, "message": "slow"}}, TroubleKind.RATE_LIMITED),
        ({"error": {"code": "503", "message": "busy"}}, TroubleKind.OVERLOADED),
        ({"error": {"code": 402, "message": "credits"}}, TroubleKind.QUOTA_EXHAUSTED),
        ({"error": {"type": "insufficient_quota", "message": "x"}}, TroubleKind.QUOTA_EXHAUSTED),
        ({"error": {"type": "rate_limit_error", "message": "x"}}, TroubleKind.RATE_LIMITED),
        ({"error": {"type": "authentication_error", "message": "x"}}, TroubleKind.UNAUTHORIZED),
        ({"error": {"message": "who knows"}}, TroubleKind.MALFORMED),
        ({"error": "who knows"}, TroubleKind.MALFORMED),
        ({"object": "error", "message": "x", "code": 404}, TroubleKind.UNKNOWN_MODEL),
        ({"choices": None}, TroubleKind.MALFORMED),
        ({"choices": []}, TroubleKind.MALFORMED),
        ({"choices": "x"}, TroubleKind.MALFORMED),
        ({"choices": [None]}, TroubleKind.MALFORMED),
        ({"choices": [{"message": None}]}, TroubleKind.MALFORMED),
        ({"choices": [{"message": {"content": 7}}]}, TroubleKind.MALFORMED),
        ({"choices": [{"error": {"code": 502, "message": "x"}}]}, TroubleKind.SERVER_ERROR),
        (completion("par", "error"), TroubleKind.MALFORMED),
        ({}, TroubleKind.MALFORMED),
        ([], TroubleKind.MALFORMED),
        ("text", TroubleKind.MALFORMED),
        (None, TroubleKind.MALFORMED),
    ],
)
def test_a_success_that_holds_no_reply_is_trouble(body, kind):
    assert trouble_of(Endpoint(answer(body)).openai()).kind is kind


@pytest.mark.parametrize(
    "raw",
    [
        json.dumps(completion("a long reply")).encode()[:60],
        b"",
        b"<html>502 Bad Gateway</html>",
        b"\xff\xfe\x00",
        b"[" * 100_000,
    ],
)
def test_a_body_that_is_no_whole_json_is_malformed(raw):
    assert trouble_of(Endpoint(answer(raw)).openai()).kind is TroubleKind.MALFORMED


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('{"error": {"message": "Rate limit", "code": 429}}', TroubleKind.RATE_LIMITED),
        (' {"error": {"message": "x", "type": "overloaded_error"}}\n', TroubleKind.OVERLOADED),
        ('{"type": "error", "error": {"message": "x", "code": "q"}}', TroubleKind.MALFORMED),
        # A model may write anything: no text stops a run.
        ('{"error": {"message": "x", "code": "insufficient_quota"}}', TroubleKind.MALFORMED),
        ('{"error": {"message": "x", "code": 401}}', TroubleKind.MALFORMED),
        ('{"error": {"message": "x", "code": "content_filter"}}', TroubleKind.MALFORMED),
    ],
)
def test_an_error_in_the_place_of_a_text_is_no_reply(text, kind):
    # gke-labs/kube-agents#1184
    trouble = trouble_of(Endpoint(answer(completion(text))).openai())
    assert trouble.kind is kind
    assert trouble.kind in RETRIED


@pytest.mark.parametrize(
    "text",
    [
        '{"verdict": "leak"}',
        '{"error": "none"}',
        '{"error": {"message": "x"}}',
        '{"error": {"code": 429}}',
        '{"error": {"message": "x", "code": 429}} and so on',
        'He said {"error": {"message": "x", "code": 429}}',
        "{",
        "{" * 50_000,
        "429 Too Many Requests",
    ],
)
def test_what_only_looks_like_an_error_is_a_reply(text):
    assert reply_of(Endpoint(answer(completion(text))).openai()).text == text


# ----- error statuses

UNSUPPORTED = "Unsupported value: '{}' does not support this with this model."


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        (error("slow down", 429, code="rate_limit_exceeded"), ("rate_limited", 429, None)),
        # 2389-research/tracker#547: not a rate limit, and no retry helps
        (error("quota", 429, code="insufficient_quota"), ("quota_exhausted", 429, None)),
        (error("q", 429, type="insufficient_quota", code=None), ("quota_exhausted", 429, None)),
        (error("b", 429, code="billing_hard_limit_reached"), ("quota_exhausted", 429, None)),
        (error("credits", 402), ("quota_exhausted", 402, None)),
        (error("who", 401, code="invalid_api_key"), ("unauthorized", 401, None)),
        (error("no", 403), ("unauthorized", 403, None)),
        (error("no model", 404, code="model_not_found"), ("unknown_model", 404, None)),
        (error("m is not a valid model ID"), ("unknown_model", 400, None)),
        (error("long", code="context_length_exceeded"), ("too_long", 400, None)),
        (error("long", type="exceed_context_size_error"), ("too_long", 400, None)),
        (error("This model's maximum context length is 8"), ("too_long", 400, None)),
        (error("big", 413), ("too_long", 413, None)),
        (error("late", 408), ("timeout", 408, None)),
        (error("locked", 409), ("server_error", 409, None)),
        (error("gone", 410), ("rejected", 410, None)),
        (error("oops", 500), ("server_error", 500, None)),
        (error("oops", 502), ("server_error", 502, None)),
        (error("oops", 503), ("overloaded", 503, None)),
        (error("oops", 504), ("server_error", 504, None)),
        (error("oops", 529), ("overloaded", 529, None)),
        (error("nonsense"), ("rejected", 400, None)),
        (answer(b"<html>Bad gateway</html>", 502), ("server_error", 502, None)),
        (answer({"error": "model not found"}, 404), ("unknown_model", 404, None)),
        (answer([{"error": {"code": 429, "message": "x"}}], 429), ("rate_limited", 429, None)),
        (answer({"detail": "no"}, 422), ("rejected", 422, None)),
        (answer(b"", 500), ("server_error", 500, None)),
        # A value out of range is a mistake to be seen, not a parameter to be left out.
        (error("Invalid 'temperature': above the maximum", param="temperature", code="x"),
         ("rejected", 400, None)),
        (error("max_tokens is too large: this model supports at most 9", param="max_tokens"),
         ("rejected", 400, None)),
        (error(UNSUPPORTED.format("temperature"), param="temperature"),
         ("parameter_rejected", 400, Parameter.TEMPERATURE)),
        # The-PR-Agent/pr-agent#2456, RooCode#12162: also behind compatible gateways
        (error("BedrockException - {\"message\":\"`temperature` is deprecated for this model.\"}"),
         ("parameter_rejected", 400, Parameter.TEMPERATURE)),
        (error("Provider returned error",
               metadata={"raw": "{\"message\":\"`temperature` is deprecated for this model\"}"}),
         ("parameter_rejected", 400, Parameter.TEMPERATURE)),
        (error("Unsupported parameter: 'max_tokens' is not supported with this model. Use "
               "'max_completion_tokens' instead.", param="max_tokens"),
         ("parameter_rejected", 400, Parameter.MAX_TOKENS)),
        (error("Unsupported value: 'minimal' is not supported", param="reasoning.effort"),
         ("parameter_rejected", 400, Parameter.REASONING_EFFORT)),
        (answer({"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]},
                422), ("parameter_rejected", 422, Parameter.SEED)),
        (error("This model does not support response_format of type json_schema"),
         ("parameter_rejected", 400, Parameter.STRUCTURED)),
        (error("Unsupported value: 'messages[0].role' does not support 'system' with this model.",
               param="messages[0].role"), ("parameter_rejected", 400, Parameter.SYSTEM_ROLE)),
        (error("System role not supported"), ("parameter_rejected", 400, Parameter.SYSTEM_ROLE)),
        (error("Developer instruction is not enabled for models/gemma"),
         ("parameter_rejected", 400, Parameter.SYSTEM_ROLE)),
    ],
)  # fmt: skip
def test_error_statuses(response, expected):
    request = asks("s", "u", schema=SCHEMA, **FULL)
    assert fields(trouble_of(Endpoint(response).openai(), request)) == expected


def test_what_was_not_sent_cannot_have_been_rejected():
    response = error(UNSUPPORTED.format("temperature"), param="temperature")
    assert trouble_of(Endpoint(response).openai(), asks("s", "u")).kind is TroubleKind.REJECTED


def test_a_rejected_parameter_is_left_out_from_then_on():
    rejection = error(UNSUPPORTED.format("temperature"), param="temperature")
    endpoint = Endpoint(rejection, answer(completion()))
    chat, request = endpoint.openai(), asks("s", "u", temperature=0.7, seed=1)
    assert trouble_of(chat, request).parameter is Parameter.TEMPERATURE
    assert reply_of(chat, request).effective == Settings(max_tokens=64, seed=1)
    assert reply_of(chat, request).effective.temperature is None
    assert ["temperature" in body for body in endpoint.bodies] == [True, False, False]
    assert chat.learned == {Parameter.TEMPERATURE}


def test_what_a_journal_remembers_can_be_taught():
    endpoint = Endpoint(answer(completion()))
    chat = endpoint.openai()
    chat.learn(Parameter.TEMPERATURE)
    assert reply_of(chat, asks("s", "u", temperature=0.7)).effective.temperature is None


@pytest.mark.parametrize(
    ("model", "names"),
    [
        ("m", ["max_tokens", "max_completion_tokens"]),
        ("gpt-5", ["max_completion_tokens", "max_tokens"]),
    ],
)
def test_a_rejected_limit_is_sent_by_its_other_name_and_only_once(model, names):
    rejections = [error(f"Unsupported parameter: '{name}'") for name in names]
    endpoint = Endpoint(*rejections)
    chat = endpoint.openai(model)
    first, second = trouble_of(chat), trouble_of(chat)
    assert (first.kind, first.parameter) == (TroubleKind.PARAMETER_REJECTED, Parameter.MAX_TOKENS)
    assert second.kind is TroubleKind.REJECTED
    assert [next(iter(body.keys() & set(names))) for body in endpoint.bodies] == names


def test_a_rejected_system_role_is_folded():
    endpoint = Endpoint(error("System role not supported"), answer(completion()))
    chat = endpoint.openai()
    assert trouble_of(chat).parameter is Parameter.SYSTEM_ROLE
    reply_of(chat)
    assert endpoint.bodies[1]["messages"] == [{"role": "user", "content": "be brief\n\nhello"}]


@pytest.mark.parametrize(
    "response",
    [
        # promptfoo PR#2812; tatsu-lab/alpaca_eval#227, #162: no rate limit, not to be retried
        error("filtered", code="content_filter", param="prompt"),
        error("filtered", code="400", innererror={"code": "ResponsibleAIPolicyViolation"}),
        error("triggering Azure OpenAI's content management policy", code="400"),
        error("flagged", code="invalid_prompt"),
        error("flagged", 403, code=403, metadata={"reasons": ["x"], "flagged_input": "y"}),
        answer({"error": {"message": "x", "code": "content_filter"}}),
    ],
)
def test_a_filter_that_answers_with_an_error_is_a_reply_of_its_own_kind(response):
    reply = reply_of(Endpoint(response).openai())
    assert (reply.text, reply.finish, reply.effective) == ("", Finish.FILTER, SENT)
    assert reply_fault(reply) is Fault.FILTERED


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry_after": "7"}, 7.0),
        ({"retry_after": "0.5"}, 0.5),
        ({"retry_after_ms": "1500", "retry_after": "7"}, 1.5),
        ({"retry_after": formatdate(1_000_060, usegmt=True),
          "date": formatdate(1_000_000, usegmt=True)}, 60.0),
        ({"retry_after": formatdate(1_000_000, usegmt=True),
          "date": formatdate(1_000_060, usegmt=True)}, 0.0),
        ({"retry_after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"retry_after": "soon"}, None),
        ({"retry_after": "-1"}, None),
        ({"retry_after": "nan"}, None),
        ({"retry_after": "inf"}, None),
        ({}, None),
    ],
)  # fmt: skip
def test_retry_after(headers, seconds):
    trouble = trouble_of(Endpoint(answer({"error": {"message": "x"}}, 429, **headers)).openai())
    assert trouble.retry_after == seconds


# ----- no answer


@pytest.mark.parametrize(
    ("failure", "kind"),
    [
        (httpx2.ConnectError("refused"), TroubleKind.CONNECTION),
        (httpx2.RemoteProtocolError("closed without an answer"), TroubleKind.CONNECTION),
        (httpx2.ReadError("reset"), TroubleKind.CONNECTION),
        (httpx2.ReadTimeout("late"), TroubleKind.TIMEOUT),
        (httpx2.ConnectTimeout("late"), TroubleKind.TIMEOUT),
        (httpx2.PoolTimeout("late"), TroubleKind.TIMEOUT),
    ],
)
def test_no_answer(failure, kind):
    endpoint = Endpoint(failure)
    trouble = trouble_of(endpoint.openai())
    assert fields(trouble) == (kind.value, None, None)
    assert len(endpoint.requests) == 1, "one send, no retries inside"


def test_an_answer_that_trickles_in_is_given_up():
    class Trickle(httpx2.AsyncByteStream):
        async def __aiter__(self):
            while True:  # each byte comes in time for a timeout of reading
                yield b" "
                await asyncio.sleep(0.01)

    endpoint = Endpoint(lambda _: httpx2.Response(200, stream=Trickle()))
    trouble = trouble_of(endpoint.openai(timeout=0.1))
    assert trouble.kind is TroubleKind.TIMEOUT
    assert trouble.detail == "no answer within 0.1 s"


@pytest.mark.parametrize("status", [408, 409, 429, 500, 503])
def test_an_error_that_the_client_would_retry_is_sent_once(status):
    endpoint = Endpoint(error("x", status))
    trouble_of(endpoint.openai())
    assert len(endpoint.requests) == 1


# ----- whatever comes


@given(JSON)
def test_any_json_is_a_reply_or_a_complaint(body):
    assert isinstance(read_completion(body, SENT), Reply | Complaint)


@given(
    st.fixed_dictionaries(
        {"choices": st.lists(st.fixed_dictionaries({}, optional={
            "message": JSON | st.fixed_dictionaries({}, optional={
                "content": JSON, "refusal": JSON, "reasoning": JSON}),
            "finish_reason": JSON, "error": JSON}), max_size=2)},
        optional={"usage": JSON | st.dictionaries(st.sampled_from(
            ["prompt_tokens", "completion_tokens", "total_tokens", "cost",
             "completion_tokens_details"]), JSON), "model": JSON, "error": JSON},
    )
)  # fmt: skip
def test_anything_like_a_completion_is_a_reply_or_a_complaint(body):
    heard = read_completion(body, SENT)
    assert isinstance(heard, Reply | Complaint)
    if isinstance(heard, Complaint):
        assert isinstance(heard.kind(), TroubleKind)


@given(st.text(max_size=20), st.sampled_from(["stop", "length", "content_filter"]),
       st.integers(0, 99), st.integers(0, 99))  # fmt: skip
def test_a_sound_completion_reads_as_the_official_types_read_it(text, finish, sent, said):
    usage = {"prompt_tokens": sent, "completion_tokens": said, "total_tokens": sent + said}
    body = completion(text, finish, usage)
    official = ChatCompletion.model_validate(body)
    reply = read_completion(body, SENT)
    if isinstance(reply, Complaint) or text.lstrip().startswith("<think>"):
        return
    assert official.usage is not None
    assert reply.text == official.choices[0].message.content
    assert (reply.usage.input, reply.usage.output) == (
        official.usage.prompt_tokens,
        official.usage.completion_tokens,
    )
    assert reply.model == official.model


@given(SETTINGS, st.booleans(), st.booleans())
def test_every_body_is_one_that_the_api_defines(settings, other, folded):
    request = asks("s", "u", "a", "v", schema=SCHEMA)
    body = completion_body(request, settings, completion_tokens=other, folded=folded)
    check_defined(json.loads(json.dumps(body)))


@pytest.mark.parametrize(
    "wrong",
    [
        {"messages": [{"role": "wizard", "content": "x"}]},
        {"messages": [], "temperature": "warm"},
        {"messages": [], "reasoning_effort": 7},
        {"messages": [], "patience": 1},
    ],
)
def test_the_definition_refuses_what_it_does_not_know(wrong):
    with pytest.raises((ValidationError, AssertionError)):
        check_defined({"model": "m", **wrong})


def test_the_installed_client_still_takes_what_is_handed_to_it():
    # Kaggle/kaggle-environments PR#1374
    assert int(openai.__version__.split(".")[0]) >= 3
    assert {"cast_to", "content", "options"} <= set(openai.AsyncOpenAI.post.__annotations__)
