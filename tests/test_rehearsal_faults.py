"""Faults on purpose: whom they strike, how often, and what a person may write of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.errors import StudyError
from games.models.chat import ChatRole, Finish
from games.models.trouble import Parameter
from games.rehearsal.asked import Asked, asked
from games.rehearsal.faults import REJECTED, FakeFault, FaultPlan, FaultRule, load_faults
from games.rehearsal.performance import ELSEWHERE, HALF_PAIR, Rehearsal

FAULTS = st.sampled_from(list(FakeFault))
LASTING = [fault for fault in FakeFault if fault not in REJECTED]
SEEDS = st.integers(0, 2**32)


def ask(text: str = "hello", model: str = "m", **more) -> Asked:
    said = [(ChatRole.SYSTEM, "You are the Holder."), (ChatRole.USER, text)]
    return asked(model, said, **more)


def plan(*rules: FaultRule) -> FaultPlan:
    return FaultPlan(fault=rules)


# --- whom they strike


@given(st.sampled_from(LASTING), SEEDS, st.text(), st.integers(1, 4))
def test_a_fault_strikes_the_first_attempts_and_then_lets_through(kind, seed, text, fails) -> None:
    rule = FaultRule(kind=kind, attempts=fails)
    found = [plan(rule).fault_at(ask(text), attempt, seed) for attempt in range(1, fails + 3)]
    assert found == [rule] * fails + [None] * 2


@pytest.mark.parametrize("kind", list(REJECTED))
def test_a_rejected_parameter_is_rejected_for_as_long_as_it_is_sent(kind) -> None:
    rule = FaultRule(kind=kind)
    for attempt in (1, 2, 1000):
        assert plan(rule).fault_at(ask(sent=[REJECTED[kind]]), attempt, 0) == rule
        others = set(Parameter) - {REJECTED[kind]}
        assert plan(rule).fault_at(ask(sent=others), attempt, 0) is None


@given(FAULTS, SEEDS, st.text(), st.floats(0, 1), st.floats(0, 1))
def test_a_larger_share_strikes_all_that_a_smaller_one_does(kind, seed, text, one, other) -> None:
    small, large = sorted((one, other))
    struck = ask(text, sent=list(Parameter))
    if FaultRule(kind=kind, share=small).strikes(struck, 1, seed):
        assert FaultRule(kind=kind, share=large).strikes(struck, 1, seed)
    assert FaultRule(kind=kind, share=1).strikes(struck, 1, seed)
    assert not FaultRule(kind=kind, share=0).strikes(struck, 1, seed)


def test_a_share_is_the_share_of_requests_struck_and_kinds_strike_apart() -> None:
    asks = [ask(str(n)) for n in range(4000)]
    first = {a.id for a in asks if FaultRule(kind=FakeFault.DROPPED, share=0.2).strikes(a, 1, 5)}
    second = {a.id for a in asks if FaultRule(kind=FakeFault.REFUSAL, share=0.2).strikes(a, 1, 5)}
    other = {a.id for a in asks if FaultRule(kind=FakeFault.DROPPED, share=0.2).strikes(a, 1, 6)}
    # 800 ± 25 are struck, and 160 ± 12 by two that do not know of each other.
    for struck in (first, second, other):
        assert abs(len(struck) - 800) < 125
    assert abs(len(first & second) - 160) < 60
    assert abs(len(first & other) - 160) < 60


def test_models_that_are_not_named_are_spared() -> None:
    rule = FaultRule(kind=FakeFault.DROPPED, models=("a/b", "c"))
    found = {model: rule.strikes(ask(model=model), 1, 0) for model in ("a/b", "c", "a", "m")}
    assert found == {"a/b": True, "c": True, "a": False, "m": False}


def test_of_two_faults_the_first_strikes_and_then_the_one_that_lasts_longer() -> None:
    first = FaultRule(kind=FakeFault.REFUSAL)
    second = FaultRule(kind=FakeFault.DROPPED, attempts=2)
    found = [plan(first, second).fault_at(ask(), attempt, 0) for attempt in (1, 2, 3)]
    assert found == [first, second, None]


# --- what they do to a reply


def spoilt(kind: FakeFault, **more):
    return Rehearsal(3, plan(FaultRule(kind=kind))).perform(ask(**more), 1)


PLAIN = Rehearsal(3).perform(ask(), 1)


def test_what_a_fault_does_to_the_words() -> None:
    assert spoilt(FakeFault.NULL_CONTENT).text is None
    assert spoilt(FakeFault.CONTENT_FILTER).text == ""
    assert spoilt(FakeFault.CONTENT_FILTER).finish is Finish.FILTER
    assert spoilt(FakeFault.REFUSAL).finish is Finish.REFUSAL
    assert spoilt(FakeFault.ERROR_AS_TEXT).finish is Finish.STOP
    assert '"code": 429' in spoilt(FakeFault.ERROR_AS_TEXT).text
    assert spoilt(FakeFault.WRONG_MODEL).model == f"m{ELSEWHERE}"
    surrogate = spoilt(FakeFault.LONE_SURROGATE).text
    assert surrogate.replace(HALF_PAIR, "") == PLAIN.text
    with pytest.raises(UnicodeEncodeError):
        surrogate.encode()
    assert spoilt(FakeFault.OFF_FORM).text.endswith(PLAIN.text)


def test_a_cut_text_is_the_beginning_of_the_whole() -> None:
    cut = spoilt(FakeFault.TRUNCATED)
    assert cut.finish is Finish.LENGTH
    assert PLAIN.text.startswith(cut.text)
    assert 0 < len(cut.text) < len(PLAIN.text)


def test_a_spent_budget_is_all_reasoning() -> None:
    spent = spoilt(FakeFault.EMPTY_AFTER_REASONING, max_tokens=77)
    assert (spent.text, spent.finish) == ("", Finish.LENGTH)
    assert (spent.usage.output, spent.usage.reasoning) == (77, 77)


@pytest.mark.parametrize("kind", [None, FakeFault.RATE_LIMITED, FakeFault.DROPPED])
def test_a_fault_of_the_endpoint_leaves_the_words_alone(kind) -> None:
    found = PLAIN if kind is None else spoilt(kind)
    assert (found.text, found.finish, found.model) == (PLAIN.text, Finish.STOP, "m")
    assert found.fault is kind


@given(st.integers(1, 40))
def test_the_limit_on_tokens_holds(limit: int) -> None:
    found = Rehearsal(3).perform(ask(max_tokens=limit), 1)
    assert found.usage.output <= limit
    assert (found.finish is Finish.LENGTH) == (found.text != PLAIN.text)
    assert PLAIN.text.startswith(found.text)


# --- what a person may write


def written(folder: Path, text: str) -> Path:
    path = folder / "faults.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_plan_is_read_from_a_file(tmp_path) -> None:
    text = """
[[fault]]
kind = "rate_limited_wait"
share = 0.05
attempts = 2
models = ["a/b"]
retry_after = 0.5

[[fault]]
kind = "slow_stream"
lasts = 3
"""
    waits = FaultRule(
        kind=FakeFault.RATE_LIMITED_WAIT, share=0.05, attempts=2, models=("a/b",), retry_after=0.5
    )
    slow = FaultRule(kind=FakeFault.SLOW_STREAM, lasts=3)
    assert load_faults(written(tmp_path, text)) == plan(waits, slow)
    assert load_faults(written(tmp_path, "")) == plan()


KIND = '[[fault]]\nkind = "dropped"\n'
WRONG = {
    "[[fault]]\nshare = 0.5\n": ":1: `fault.0.kind` is missing",
    f"{KIND}share = 2\n": ":3: `fault.0.share` input should be less than or equal to 1, found 2",
    f"{KIND}attempts = 0\n": ":3: `fault.0.attempts` input should be greater than or equal to 1",
    f"{KIND}share = nan\n": ":3: `fault.0.share` input should be",
    f"{KIND}odds = 1\n": ":3: `fault.0.odds` is not a known key",
    f"{KIND}\n{KIND}lasts = 3\n": ":6: `fault.1.lasts` stands only beside slow_stream",
    f"{KIND}retry_after = 1\n": ":3: `fault.0.retry_after` stands only beside rate_limited_wait",
    '[[fault]]\nkind = "seed_rejected"\nattempts = 2\n': (
        ":3: `fault.0.attempts` means nothing where a parameter is rejected"
    ),
    '[[fault]]\nkind = "gremlins"\n': ":2: `fault.0.kind` must be one of 'rate_limited'",
    "[fault]\n": ":1: `fault` input should be a valid tuple",
    "[[fault]\n": "must be TOML",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_in_a_plan_is_said_with_its_line(tmp_path, text) -> None:
    with pytest.raises(StudyError) as raised:
        load_faults(written(tmp_path, text))
    found = str(raised.value)
    assert WRONG[text] in found
    assert "\n" not in found


def test_a_missing_plan_is_said(tmp_path) -> None:
    with pytest.raises(StudyError, match=r"`nowhere\.toml` is missing"):
        load_faults(tmp_path / "nowhere.toml")
