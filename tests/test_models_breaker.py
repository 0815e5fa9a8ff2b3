from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.models.breaker import Breaker
from games.models.trouble import RETRIED, STOPPING, Trouble, TroubleKind

OUTAGES = (TroubleKind.CONNECTION, TroubleKind.RATE_LIMITED, TroubleKind.OVERLOADED)
OWN_FAULT_PERHAPS = sorted(RETRIED - set(OUTAGES))


def fail(breaker, times, kind=TroubleKind.CONNECTION, calls="a", at=0.0):
    for index in range(times):
        breaker.failed(calls[index % len(calls)], kind, at, at)


@pytest.mark.parametrize("kind", OUTAGES)
def test_what_no_request_can_cause_opens_it_though_one_call_alone_failed(kind):
    breaker = Breaker(failures=3)
    fail(breaker, 2, kind)
    assert not breaker.is_open
    fail(breaker, 1, kind)
    assert breaker.is_open


@pytest.mark.parametrize("kind", OWN_FAULT_PERHAPS)
def test_what_a_request_can_cause_opens_it_only_where_two_calls_failed(kind):
    alone, shared = Breaker(failures=3), Breaker(failures=3)
    fail(alone, 100, kind)
    fail(shared, 3, kind, calls="ab")
    assert not alone.is_open
    assert shared.is_open


tries = st.lists(
    st.one_of(
        st.just("answer"),
        st.tuples(st.sampled_from("abc"), st.sampled_from(sorted(RETRIED))),
    ),
    max_size=30,
)


@given(tries, st.integers(1, 6))
def test_it_opens_just_when_the_tries_since_the_last_answer_say_so(tries, allowed):
    breaker, since = Breaker(failures=allowed), []
    for tried in tries:
        if tried == "answer":
            breaker.answered(0.0)
            since = []
        else:
            breaker.failed(*tried, 0.0, 0.0)
            since.append(tried)
        outages = [kind for _, kind in since if kind in OUTAGES]
        dead = len(outages) >= allowed or (
            len(since) >= allowed and len({call for call, _ in since}) >= 2
        )
        assert breaker.is_open == dead


def test_each_failed_probe_doubles_the_pause_and_the_last_gives_up():
    breaker = Breaker(failures=1, pauses=(15.0, 30.0))
    breaker.failed("a", TroubleKind.CONNECTION, 0.0, 1.0)
    assert breaker.probe_at == 16.0
    breaker.failed("a", TroubleKind.TIMEOUT, 16.0, 20.0)
    assert breaker.probe_at == 50.0
    assert not breaker.gave_up
    breaker.failed("b", TroubleKind.TIMEOUT, 50.0, 51.0)
    assert breaker.gave_up == "3 tries in a row got no answer, 2 probes last"


def test_what_was_sent_before_it_opened_is_no_probe():
    breaker = Breaker(failures=1, pauses=(15.0,))
    fail(breaker, 1)
    breaker.failed("b", TroubleKind.TIMEOUT, began=0.0, now=300.0)
    assert (breaker.probe_at, breaker.gave_up) == (15.0, "")


def test_an_answer_closes_it_and_the_pauses_begin_again():
    breaker = Breaker(failures=1, pauses=(15.0, 30.0))
    fail(breaker, 1)
    fail(breaker, 1, at=15.0)
    breaker.answered(50.0)
    assert not breaker.is_open
    fail(breaker, 1, at=60.0)
    assert breaker.probe_at == 75.0


def test_what_gave_up_stays_so_and_the_first_reason_stands():
    breaker = Breaker()
    breaker.give_up("asks to wait a day")
    breaker.give_up("something else")
    breaker.answered(1.0)
    assert breaker.gave_up == "asks to wait a day"


def test_a_deadline_is_the_endpoints_doing_only_where_others_failed_and_nobody_was_answered():
    alone, silent, lively = Breaker(), Breaker(), Breaker()
    fail(alone, 2, TroubleKind.TIMEOUT, calls="a")
    fail(silent, 2, TroubleKind.TIMEOUT, calls="ab")
    lively.answered(7.0)
    fail(lively, 2, TroubleKind.TIMEOUT, calls="ab")
    assert not alone.overdue(since=5.0, now=9.0)
    assert silent.overdue(since=5.0, now=9.0)
    assert silent.probe_at == 24.0
    assert not lively.overdue(since=5.0, now=9.0)
    assert lively.overdue(since=8.0, now=9.0)


def test_an_unreachable_endpoint_stops_the_run():
    assert TroubleKind.UNREACHABLE in STOPPING
    assert not STOPPING & RETRIED
    assert Trouble(TroubleKind.UNREACHABLE).stops
