"""The account of a run: every count against calls made by hand."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.cohort import HolderI, HolderII, SeekerI, SeekerII
from games.errors import RunError
from games.models.chat import Finish, Usage, reply_fault
from games.models.trouble import Parameter, TroubleKind
from games.play.accounting import account_of
from games.play.journal import Event, EventKind
from games.play.sampled import LeftOut, Sampled, Why
from games.rules.game import Outcome, ReAsked
from games.words import Abstention, Fault, Label, Role, Void

from .calls import call, cohort, lost, model
from .played import played, verdict

JUDGE = model("judge")


def event(kind, match=None, **said):
    return Event(kind=kind, at="2026-01-01", ended=0, total=2, match=match, **said)


def test_tokens_dollars_and_seconds_are_summed_by_player():
    found = account_of([call(), call(cost=0.25), call("bob", cost=1.0)], cohort())
    ann, bob = found.players
    assert (ann.replies, ann.tokens_in, ann.tokens_out, ann.tokens_reasoning) == (2, 20, 10, 4)
    assert (ann.spent.known, ann.spent.at_most, ann.spent.unpriced) == (0.75, 0.75, 0)
    assert (bob.replies, bob.spent.known, ann.seconds) == (1, 1.0, 3.0)
    assert found.arbiter is None
    assert found.models == (ann, bob)


def test_a_cost_that_is_not_known_is_no_zero():
    records = [
        call(cost=None, at_most=0.75),
        lost(trouble=TroubleKind.TIMEOUT, at_most=0.25),
        lost(trouble=TroubleKind.RATE_LIMITED),
        call(),
    ]
    spent = account_of(records, cohort()).players[0].spent
    assert (spent.known, spent.at_most, spent.unpriced) == (0.5, 1.5, 0)
    for more in (call(cost=None), lost(trouble=TroubleKind.CONNECTION)):
        spent = account_of([*records, more], cohort()).players[0].spent
        assert (spent.known, spent.at_most, spent.unpriced) == (0.5, None, 1)


def test_tokens_that_nobody_told_are_counted_as_untold():
    ann = account_of([call(usage=Usage(output=7)), call()], cohort()).players[0]
    assert (ann.tokens_in, ann.tokens_out, ann.untold) == (10, 12, 1)


def test_faults_troubles_and_re_asks_by_kind():
    records = [
        call(text="", finish=Finish.LENGTH, usage=Usage(reasoning=100)),
        call(number=2, finish=Finish.LENGTH),
        call(number=3),
        lost(trouble=TroubleKind.RATE_LIMITED),
        lost(trouble=TroubleKind.RATE_LIMITED),
        lost(trouble=TroubleKind.PARAMETER_REJECTED, parameter=Parameter.TEMPERATURE),
    ]
    ann = account_of(records, cohort()).players[0]
    assert ann.faults == {Fault.TRUNCATED: 1, Fault.REASONING_EXHAUSTED: 1}
    assert ann.troubles == {TroubleKind.RATE_LIMITED: 2, TroubleKind.PARAMETER_REJECTED: 1}
    assert (ann.replies, ann.re_asks) == (3, 2)
    assert ann.exhausted_share == pytest.approx(1 / 3)
    assert account_of([], cohort()).players[0].exhausted_share is None


def test_what_was_taken_over_costs_nothing_and_is_a_reply_all_the_same():
    ann = account_of([call(from_run="/elsewhere", cost=None), call()], cohort()).players[0]
    assert (ann.replies, ann.taken_over, ann.tokens_in, ann.seconds) == (2, 1, 10, 1.5)
    assert (ann.spent.known, ann.spent.at_most, ann.spent.unpriced) == (0.5, 0.5, 0)
    assert ann.epochs[0].replies == 2


@pytest.mark.parametrize(
    ("asked", "records", "expected"),
    [
        # A name that the table of known refusals holds whole.
        ({"model": "gpt-5"}, [], Why.KNOWN),
        ({"capabilities": {"refuses": ["temperature"]}}, [], Why.STATED),
        (
            {"model": "gpt-5", "capabilities": {"refuses": ["temperature"]}},
            [lost(trouble=TroubleKind.PARAMETER_REJECTED, parameter=Parameter.TEMPERATURE)],
            Why.REJECTED,
        ),
        ({"model": "gpt-5-like"}, [], Why.NOT_CARRIED),
    ],
)
def test_a_setting_that_was_not_sent_has_its_reason(asked, records, expected):
    who = cohort(model("ann", **asked), model("bob"))
    ann = account_of([*records, call(), call(sent={"temperature": None})], who).players[0]
    assert ann.not_sent == {Parameter.TEMPERATURE: LeftOut(expected, 1)}
    assert ann.sampled == {
        Sampled(0.7, None, False, False): 1,
        Sampled(None, None, False, False): 1,
    }


def test_every_setting_counts_and_a_seed_of_each_asking_is_no_way_of_its_own():
    full = {"seed": 1, "reasoning_effort": "low", "structured": True, "temperature": 0.0}
    bare = {"seed": None, "reasoning_effort": None, "structured": False, "temperature": None}
    records = [
        call("judge", role=Role.ARBITER, asked=full | {"seed": seed}, sent=sent)
        for seed, sent in ((1, None), (2, None), (3, bare))
    ]
    judge = account_of(records, cohort(arbiter=JUDGE)).arbiter
    assert set(judge.not_sent) == {
        Parameter.TEMPERATURE,
        Parameter.SEED,
        Parameter.REASONING_EFFORT,
        Parameter.STRUCTURED,
    }
    assert list(judge.sampled.values()) == [2, 1]


def test_a_player_without_a_schema_is_held_to_none_and_nothing_is_left_out():
    ann = account_of([call(asked={"structured": True}, sent={"structured": False})], cohort())
    assert ann.players[0].not_sent == {}


def test_the_limit_of_first_askings_is_told_apart_from_those_that_were_doubled():
    records = [call(), call(number=2, asked={"max_tokens": 200})]
    assert account_of(records, cohort()).players[0].first_tokens == (100,)


@pytest.mark.parametrize("parameter", [Parameter.MAX_TOKENS, Parameter.SYSTEM_ROLE])
def test_what_is_sent_in_another_place_is_said(parameter):
    refused = lost(trouble=TroubleKind.PARAMETER_REJECTED, parameter=parameter)
    ann = account_of([refused, call()], cohort()).players[0]
    assert ann.not_sent == {parameter: LeftOut(Why.REJECTED, 0)}


def test_epochs_stand_in_order_with_their_matches():
    records = [
        call(second=1, fingerprint="a"),
        call(second=2, fingerprint="b"),
        call(second=3, fingerprint="a", match="m1"),
        call(second=4, model="m/ann-2026", fingerprint="b", match="m2"),
    ]
    ann = account_of(records, cohort()).players[0]
    assert [(e.number, e.model, e.fingerprint, e.replies) for e in ann.epochs] == [
        (1, "m/ann", "a", 2),
        (2, "m/ann", "b", 1),
        (3, "m/ann-2026", "b", 1),
    ]
    assert (ann.epochs[0].first[17:19], ann.epochs[0].last[17:19]) == ("01", "03")
    assert ann.epochs_of == {"m0": {1, 2}, "m1": {1}, "m2": {3}}
    assert ann.drifted
    assert not account_of([call(), call()], cohort()).players[0].drifted


@pytest.mark.parametrize("silent", [{"model": ""}, {"model": "", "fingerprint": "a"}, {}])
def test_a_reply_that_bears_no_id_or_fingerprint_is_no_drift(silent):
    records = [call(fingerprint="a"), call(**silent), call(fingerprint="a")]
    ann = account_of(records, cohort()).players[0]
    assert not ann.drifted
    assert sum(epoch.replies for epoch in ann.epochs) == (2 if silent == {"model": ""} else 3)
    assert account_of([*records, call(fingerprint="b")], cohort()).players[0].drifted


def test_an_arbiter_of_a_players_name_has_an_account_of_its_own():
    who = cohort(arbiter=model("ann"))
    found = account_of([call("ann"), call("ann", role=Role.ARBITER), call("ann")], who)
    assert (found.players[0].replies, found.arbiter.replies) == (2, 1)
    assert [one.arbiter for one in found.models] == [False, False, True]


def test_a_call_of_a_stranger_is_refused():
    rule = "`journal.jsonl` must hold calls of this run's cohort alone, found 'eve'"
    for who in (call("eve"), call("eve", role=Role.ARBITER)):
        with pytest.raises(RunError, match=rule):
            account_of([who], cohort())


def test_what_is_in_play_and_what_came_last():
    records = [
        event(EventKind.RUN_STARTED),
        event(EventKind.MATCH_STARTED, "m0"),
        event(EventKind.MATCH_STARTED, "m1"),
        event(EventKind.MATCH_ENDED, "m0"),
        call(match="m1"),
    ]
    found = account_of(records, cohort())
    assert (found.in_play, found.last.kind) == ({"m1"}, EventKind.MATCH_ENDED)
    reopened = [event(EventKind.MATCH_REOPENED, "m0"), event(EventKind.MATCH_STARTED, "m0")]
    assert account_of([*records, *reopened], cohort()).in_play == {"m0", "m1"}
    assert account_of([], cohort()).last is None


def test_faults_of_the_rules_are_told_by_traces_once_each():
    trace = played(["So?", "No.", ""], [Label.NO_LEAK])
    assert trace.outcome.void is Void.SEEKER_FAULT
    vain = (
        ReAsked(turn=1, role=Role.HOLDER, cause=Fault.UNPARSABLE, text="hm"),
        ReAsked(turn=2, role=Role.SEEKER, cause=Fault.EMPTY, text=""),
        ReAsked(turn=1, role=Role.ARBITER, cause=Fault.UNPARSABLE, text="?"),
        ReAsked(turn=1, role=Role.ARBITER, cause=Fault.REFUSED, text="no"),
    )
    trace = trace.model_copy(update={"re_asked": vain})
    found = account_of([], cohort(arbiter=JUDGE), [trace])
    # What a reply bears itself is counted where the reply is: EMPTY and REFUSED are not here.
    assert [one.faults for one in found.players] == [{}, {Fault.UNPARSABLE: 1}]
    assert found.arbiter.faults == {Fault.UNPARSABLE: 1}


def test_a_player_that_is_no_model_has_its_faults_from_traces_alone():
    facts = {"seeker_i": SeekerI.RANDOM, "holder_i": HolderI.RANDOM}
    builtin = {"id": "ann", **facts, "seeker_ii": SeekerII.RANDOM, "holder_ii": HolderII.RANDOM}
    found = account_of([], cohort(builtin, model("bob")), [played([""], [])])
    assert found.players[0].faults == {Fault.EMPTY: 1}
    assert found.models == (found.players[1],)


@pytest.mark.parametrize(
    ("reply", "faults"),
    [
        ({"text": "off form"}, {Fault.UNPARSABLE: 1}),
        ({"text": "no", "finish": Finish.REFUSAL}, {Fault.REFUSED: 1}),
    ],
)
def test_a_ruling_that_was_missing_at_last_is_one_fault(reply, faults):
    trace = played(["So?", "No."], [Abstention.UNPARSABLE], match="m0")
    assert trace.outcome == Outcome(turn=1, void=Void.JUDGE_MISSING)
    assert trace.rulings[-1] == verdict("m0/t01/holder_reply", Abstention.UNPARSABLE)
    records = [call("judge", role=Role.ARBITER, **reply)]
    found = account_of(records, cohort(arbiter=JUDGE), [trace])
    assert found.arbiter.faults == faults


CALLS = st.lists(
    st.one_of(
        st.builds(
            call,
            st.sampled_from(["ann", "bob"]),
            number=st.integers(1, 3),
            finish=st.sampled_from(Finish),
            text=st.sampled_from(["", "words"]),
            fingerprint=st.sampled_from(["", "a", "b"]),
            match=st.sampled_from(["m0", "m1"]),
        ),
        st.builds(lost, st.sampled_from(["ann", "bob"]), trouble=st.sampled_from(TroubleKind)),
    ),
    max_size=12,
)


@given(CALLS)
def test_every_call_is_counted_once_and_nowhere_else(records):
    found = account_of(records, cohort())
    replied = [one for one in records if one.reply is not None]
    assert sum(one.replies for one in found.players) == len(replied)
    assert sum(sum(one.troubles.values()) for one in found.players) == len(records) - len(replied)
    for one in found.players:
        own = [r for r in replied if r.player == one.id]
        faults = Counter(fault for r in own if (fault := reply_fault(r.reply)) is not None)
        assert one.faults == faults
        assert sum(epoch.replies for epoch in one.epochs) == len(own) == sum(one.sampled.values())
        assert {e.number for e in one.epochs} == set().union(*one.epochs_of.values(), set())
