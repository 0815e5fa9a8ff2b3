from __future__ import annotations

import math
import time
from email.utils import formatdate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.models.complaint import Complaint, complaint_as_text, complaint_in, complaint_of
from games.models.parameters import rejected_parameter
from games.models.retry_after import retry_after
from games.models.trouble import RETRIED, Parameter, TroubleKind

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)
FIELDS = ["message", "code", "type", "param", "status", "innererror", "metadata", "detail"]
ERROR = st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=5)
BODY = JSON | ERROR | st.fixed_dictionaries({"error": JSON | ERROR})
SENT = st.frozensets(st.sampled_from(Parameter))
WORDS = {
    Parameter.TEMPERATURE: "temperature",
    Parameter.SEED: "seed",
    Parameter.REASONING_EFFORT: "reasoning_effort",
    Parameter.STRUCTURED: "response_format",
    Parameter.MAX_TOKENS: "max_tokens",
    Parameter.SYSTEM_ROLE: "messages[0].role",
}


@given(st.integers(300, 599), BODY, SENT)
def test_whatever_an_endpoint_says_is_a_filter_or_a_typed_trouble(status, body, sent):
    complaint = complaint_of(status, body)
    trouble = complaint.trouble(sent, "told")
    assert complaint.status == trouble.status == status
    assert (trouble.parameter is not None) is (trouble.kind is TroubleKind.PARAMETER_REJECTED)
    assert trouble.parameter is None or trouble.parameter in sent
    if status >= 500 and not complaint.names:
        assert trouble.kind in RETRIED
        assert not complaint.filtered


@given(BODY)
def test_a_success_is_a_complaint_only_where_it_says_so(body):
    complaint = complaint_in(body)
    if not isinstance(body, dict):
        assert complaint is None
    elif isinstance(body.get("error"), dict) and body["error"]:
        assert complaint is not None
    elif body.keys().isdisjoint({"error", "type", "object"}):
        assert complaint is None


@given(st.text() | BODY.map(str))
def test_any_text_can_be_looked_at(text):
    complaint = complaint_as_text(text)
    assert complaint is None or complaint.kind() in RETRIED


@pytest.mark.parametrize("status", range(300, 600))
def test_every_status_is_decided_on(status):
    stops = {401: "unauthorized", 402: "quota_exhausted", 403: "unauthorized", 404: "unknown_model"}
    passes = {408: "timeout", 409: "server_error", 429: "rate_limited", 503: "overloaded"}
    others = {413: "too_long", 529: "overloaded"}
    others |= dict.fromkeys((301, 302, 303, 307, 308), "unreachable")
    usual = "server_error" if status >= 500 else "rejected"
    expected = {**stops, **passes, **others}.get(status, usual)
    assert Complaint("x", status=status).kind().value == expected


@given(st.sampled_from(Parameter), SENT, st.booleans())
def test_a_rejected_parameter_is_one_that_was_sent(parameter, sent, in_field):
    word = WORDS[parameter]
    param, message = (word, "Unsupported.") if in_field else ("", f"'{word}' is not supported")
    expected = parameter if parameter in sent else None
    assert rejected_parameter(param, message, sent) is expected


def test_of_several_parameters_the_one_named_first_is_rejected():
    sent = frozenset(Parameter)
    message = "seed is not supported together with temperature"
    assert rejected_parameter("", message, sent) is Parameter.SEED
    assert rejected_parameter("temperature", message, sent) is Parameter.TEMPERATURE
    assert rejected_parameter("user", message, sent) is Parameter.SEED


@pytest.mark.parametrize(
    "message",
    [
        "temperatures are not supported",  # whole words only
        "reseeded is not supported",
        "temperature must be at most 1",
        "temperature: Input should be a valid number",
        "",
    ],
)
def test_what_is_no_rejection_of_a_parameter(message):
    assert rejected_parameter("", message, frozenset(Parameter)) is None


@given(
    st.dictionaries(st.sampled_from(["retry-after", "retry-after-ms", "date"]), st.text()),
    st.floats(0, 1e10),
)
def test_a_wait_is_unknown_or_some_seconds(headers, now):
    wait = retry_after(headers, now)
    assert wait is None or (math.isfinite(wait) and wait >= 0)


@given(st.integers(0, 10**9), st.integers(0, 10**6), st.booleans())
def test_a_date_counts_from_the_servers_own_clock(now, wait, has_date):
    headers = {"retry-after": formatdate(now + wait, usegmt=True)}
    if has_date:
        headers["date"] = formatdate(now, usegmt=True)
    assert retry_after(headers, time.time() if has_date else now) == wait
