from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.verdicts.items import asked
from audit.verdicts.readjudicate import (
    PLAYERS,
    Change,
    pivots,
    readjudicate,
    readjudicate_all,
    summarise,
)
from games.errors import RunError
from games.rules.choices import Choices, FaultPolicy
from games.rules.rubric import LABELS
from games.words import Abstention, End, Game, Label, Role, Void

from .played import played, ruled, verdict
from .strategies import states
from .test_verdicts_items import as_trace

LEAK, NO_LEAK = Label.LEAK, Label.NO_LEAK
MATCH, NO_MATCH = Label.MATCH, Label.NO_MATCH
GUESS, NO_GUESS = Label.GUESS, Label.NO_GUESS
REPLY, MESSAGE = "holder_reply", "seeker_message"
SEEKER, HOLDER = frozenset({Role.SEEKER}), frozenset({Role.HOLDER})
TALK = ["a?", "b", "c?", "d", "e?", "f"]


def told(result):
    outcome = result.outcome
    return result.change, outcome and (outcome.winner, outcome.end, outcome.turn), result.possible


def first(*rulings, **more):
    return played(TALK, rulings, **more)


def second(lines, rulings, **more):
    return played(lines, rulings, game=Game.AIDG_II, secret="apple", **more)


def replies(*said):
    return ruled("m0", *[(turn, REPLY, word) for turn, word in enumerate(said, start=1) if word])


def test_the_same_verdicts_change_nothing():
    trace = first(NO_LEAK, LEAK)
    result = readjudicate(trace, replies(NO_LEAK, LEAK))
    assert told(result) == (Change.UNCHANGED, (Role.SEEKER, End.LEAK, 2), SEEKER)
    assert result.match == "m0"


def test_an_earlier_leak_cuts_the_match_there():
    result = readjudicate(first(NO_LEAK, NO_LEAK, NO_LEAK), replies(NO_LEAK, LEAK, NO_LEAK))
    assert told(result) == (Change.CUT, (Role.SEEKER, End.LEAK, 2), SEEKER)
    assert result.reason == "m0/t02/holder_reply is leak"


def test_a_cut_needs_no_verdict_beyond_it():
    result = readjudicate(first(NO_LEAK, NO_LEAK, NO_LEAK), replies(LEAK))
    assert told(result) == (Change.CUT, (Role.SEEKER, End.LEAK, 1), SEEKER)


def test_an_overturned_leak_is_censored():
    result = readjudicate(first(NO_LEAK, LEAK), replies(NO_LEAK, NO_LEAK))
    assert told(result) == (Change.CENSORED, None, PLAYERS)
    assert result.reason == "nothing was said after turn 2"


def test_a_leak_overturned_on_the_last_turn_is_a_holder_win():
    result = readjudicate(first(NO_LEAK, NO_LEAK, LEAK), replies(NO_LEAK, NO_LEAK, NO_LEAK))
    assert told(result) == (Change.REDECIDED, (Role.HOLDER, End.HORIZON, 3), HOLDER)


def test_a_horizon_stays_without_an_earlier_positive_and_falls_to_a_leak_on_the_last_turn():
    trace = first(NO_LEAK, NO_LEAK, NO_LEAK)
    same = readjudicate(trace, replies(NO_LEAK, NO_LEAK, NO_LEAK))
    assert told(same) == (Change.UNCHANGED, (Role.HOLDER, End.HORIZON, 3), HOLDER)
    other = readjudicate(trace, replies(NO_LEAK, NO_LEAK, LEAK))
    assert told(other) == (Change.REDECIDED, (Role.SEEKER, End.LEAK, 3), SEEKER)


def test_an_overturned_disqualification_is_censored():
    trace = second(["Is it alive?", "no", "Is it a tiger?"], [NO_GUESS, GUESS])
    assert trace.outcome.end is End.DISQUALIFIED
    verdicts = ruled("m0", (1, MESSAGE, NO_GUESS), (2, MESSAGE, NO_GUESS))
    assert told(readjudicate(trace, verdicts)) == (Change.CENSORED, None, PLAYERS)


def test_an_earlier_guess_cuts_the_match_for_the_holder():
    trace = second(["Is it alive?", "no", "lock: apple"], [NO_GUESS, MATCH])
    result = readjudicate(trace, ruled("m0", (1, MESSAGE, GUESS)))
    assert told(result) == (Change.CUT, (Role.HOLDER, End.DISQUALIFIED, 1), HOLDER)


@pytest.mark.parametrize(
    ("lines", "end"), [(2, End.WRONG_LOCK), (3, End.WRONG_FINAL)], ids=["early", "final"]
)
def test_a_lock_ends_the_match_whichever_way_it_is_ruled(lines, end):
    talk = ["Is it alive?", "no", "Is it red?", "yes"][: 2 * lines - 2]
    trace = second([*talk, "lock: apple"], [NO_GUESS] * (lines - 1) + [MATCH])
    verdicts = ruled(
        "m0",
        *[(turn, MESSAGE, NO_GUESS) for turn in range(1, lines)],
        (lines, "lock", NO_MATCH),
    )
    result = readjudicate(trace, verdicts)
    assert told(result) == (Change.REDECIDED, (Role.HOLDER, end, lines), HOLDER)


def test_a_missing_verdict_on_the_deciding_item_leaves_both_winners():
    result = readjudicate(first(NO_LEAK, LEAK), replies(NO_LEAK))
    assert told(result) == (Change.MISSING, None, PLAYERS)
    assert result.reason == "m0/t02/holder_reply has no verdict"


def test_an_abstention_on_the_deciding_item_is_missing_too():
    result = readjudicate(first(NO_LEAK, LEAK), replies(NO_LEAK, Abstention.TIED))
    assert told(result) == (Change.MISSING, None, PLAYERS)
    assert result.reason == "m0/t02/holder_reply is tied"


def test_a_missing_verdict_before_a_leak_leaves_the_seeker_alone():
    result = readjudicate(first(NO_LEAK, LEAK), replies(None, LEAK))
    assert told(result) == (Change.MISSING, None, SEEKER)


def test_a_missing_verdict_before_a_horizon_leaves_both():
    result = readjudicate(first(NO_LEAK, NO_LEAK, NO_LEAK), replies(NO_LEAK, None, NO_LEAK))
    assert told(result) == (Change.MISSING, None, PLAYERS)


def test_a_missing_verdict_on_a_lock_leaves_both_and_before_a_wrong_lock_the_holder():
    trace = second(["Is it alive?", "no", "lock: chair"], [NO_GUESS, NO_MATCH])
    on_lock = readjudicate(trace, ruled("m0", (1, MESSAGE, NO_GUESS)))
    assert told(on_lock) == (Change.MISSING, None, PLAYERS)
    before = readjudicate(trace, ruled("m0", (2, "lock", NO_MATCH)))
    assert told(before) == (Change.MISSING, None, HOLDER)


def test_a_ruling_that_the_arbiter_never_gave_may_be_filled_in():
    trace = first(NO_LEAK, Abstention.UNPARSABLE)
    assert trace.outcome.void is Void.JUDGE_MISSING
    filled = readjudicate(trace, replies(NO_LEAK, LEAK))
    assert told(filled) == (Change.REDECIDED, (Role.SEEKER, End.LEAK, 2), SEEKER)
    on = readjudicate(trace, replies(NO_LEAK, NO_LEAK))
    assert told(on) == (Change.CENSORED, None, PLAYERS)


@pytest.mark.parametrize("void", [Void.INFRASTRUCTURE, Void.BUDGET])
def test_a_match_that_broke_off_stays_void_unless_it_is_cut(void):
    trace = played(TALK[:4], [NO_LEAK, NO_LEAK], void=void)
    same = readjudicate(trace, replies(NO_LEAK, NO_LEAK))
    assert same.change is Change.UNCHANGED
    assert same.outcome == trace.outcome
    assert same.possible == frozenset()
    cut = readjudicate(trace, replies(LEAK))
    assert told(cut) == (Change.CUT, (Role.SEEKER, End.LEAK, 1), SEEKER)
    assert told(readjudicate(trace, replies(NO_LEAK))) == (Change.MISSING, None, PLAYERS)


def test_a_forfeit_stands_whatever_the_verdicts_but_an_earlier_leak():
    trace = first(NO_LEAK, NO_LEAK)
    setup = trace.setup.model_copy(update={"choices": Choices(fault_empty=FaultPolicy.FORFEIT)})
    raw = trace.model_dump()
    raw["setup"] = setup.model_dump()
    raw["turns"][2]["message"] |= {"kind": None, "fault": "empty", "text": " "}
    raw["turns"][2]["reply"] = None
    raw["outcome"] = {"winner": "holder", "end": "forfeit", "turn": 3}
    forfeited = type(trace).model_validate(raw)
    same = readjudicate(forfeited, replies(NO_LEAK, NO_LEAK))
    assert told(same) == (Change.UNCHANGED, (Role.HOLDER, End.FORFEIT, 3), HOLDER)
    cut = readjudicate(forfeited, replies(NO_LEAK, LEAK))
    assert told(cut) == (Change.CUT, (Role.SEEKER, End.LEAK, 2), SEEKER)
    assert told(readjudicate(forfeited, {})) == (Change.MISSING, None, PLAYERS)


def test_a_player_fault_that_voids_a_match_stands():
    trace = played(["a?", "b", "  "], [NO_LEAK])
    assert trace.outcome.void is Void.SEEKER_FAULT
    result = readjudicate(trace, replies(NO_LEAK))
    assert (result.change, result.outcome) == (Change.UNCHANGED, trace.outcome)


def test_a_label_of_another_question_is_refused():
    message = r"`m0/t01/holder_reply` must be leak or no_leak, found 'match'"
    with pytest.raises(RunError, match=message):
        readjudicate(first(LEAK), replies(MATCH))


def test_the_summary_counts_changes_and_bounds_the_seeker_share():
    horizon = first(NO_LEAK, NO_LEAK, NO_LEAK)
    results = [
        readjudicate(horizon, replies(NO_LEAK, NO_LEAK, NO_LEAK)),
        readjudicate(horizon, replies(LEAK)),
        readjudicate(first(NO_LEAK, LEAK), replies(NO_LEAK, NO_LEAK)),
        readjudicate(first(NO_LEAK, LEAK), replies(None, LEAK)),
        readjudicate(played(TALK[:2], [NO_LEAK]), replies(NO_LEAK)),
    ]
    summary = summarise(results)
    assert summary.counts == {
        Change.UNCHANGED: 2,
        Change.CUT: 1,
        Change.REDECIDED: 0,
        Change.CENSORED: 1,
        Change.MISSING: 1,
    }
    assert (summary.void, summary.matches) == (1, 4)
    assert summary.seeker_share == (2 / 4, 3 / 4)


def test_a_summary_of_nothing_has_no_share():
    assert summarise([]).seeker_share is None


chance_play = st.sampled_from(list(Game)).flatmap(lambda game: states(game, finished=True))


@given(chance_play)
def test_the_arbiter_readjudicates_every_match_to_its_own_outcome(state):
    trace = as_trace(state)
    result = readjudicate(trace, {ruling.item: ruling for ruling in trace.rulings})
    if any(ruling.label is None for ruling in trace.rulings):
        assert result.change is Change.MISSING
    else:
        assert (result.change, result.outcome) == (Change.UNCHANGED, trace.outcome)


@given(chance_play, st.data())
def test_filling_in_missing_verdicts_never_leaves_what_was_possible(state, data):
    trace = as_trace(state)
    full = {}
    for _, item in asked(trace):
        label = LABELS[item.kind][data.draw(st.integers(0, 1))]
        full[item.id] = verdict(item.id, label, "panel")
    known = {item: v for item, v in full.items() if data.draw(st.booleans())}
    part, whole = readjudicate(trace, known), readjudicate(trace, full)
    assert whole.change is not Change.MISSING
    assert whole.possible <= part.possible
    assert (part.outcome is None) == (part.change in {Change.CENSORED, Change.MISSING})


def test_many_raters_are_as_each_by_itself_and_the_item_that_decides_is_named():
    traces = [first(NO_LEAK, LEAK), first(NO_LEAK, NO_LEAK, NO_LEAK)]
    raters = {
        "same": replies(NO_LEAK, LEAK, NO_LEAK),
        "early": replies(LEAK),
        "blind": replies(NO_LEAK, NO_LEAK, NO_LEAK),
        "hole": replies(NO_LEAK, Abstention.CANNOT_TELL, NO_LEAK),
        "empty": {},
    }
    found = readjudicate_all(traces, raters)
    assert list(found) == list(raters)
    for rater, said in raters.items():
        assert found[rater] == tuple(readjudicate(trace, said) for trace in traces)
    deciding = {rater: [result.item for result in results] for rater, results in found.items()}
    turn = "m0/t{:02d}/holder_reply".format
    assert deciding == {
        "same": [turn(2), turn(2)],
        "early": [turn(1), turn(1)],
        "blind": ["", turn(3)],
        "hole": [turn(2), turn(2)],
        "empty": [turn(1), turn(1)],
    }


def test_pivots_say_how_a_match_stands_after_each_label():
    one, last = pivots(first(NO_LEAK, LEAK))
    assert one.item == "m0/t01/holder_reply"
    assert one.after[NO_LEAK] is None
    assert (one.after[LEAK].winner, one.after[LEAK].turn) == (Role.SEEKER, 1)
    assert (last.after[LEAK].turn, last.after[NO_LEAK]) == (2, None)
