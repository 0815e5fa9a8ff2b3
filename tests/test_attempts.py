"""First attempts alone: matches cut where something was said or ruled in vain."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.attempts import first_attempts
from games.rules.choices import Choices, FaultPolicy
from games.rules.game import ReAsked
from games.trace import Trace
from games.words import Abstention, End, Fault, Game, Label, Role, Void

from .played import played

QUIET = Label.NO_LEAK
WHOLE = played(["One?", "No.", "Two?", "No.", "Three?", "No."], [QUIET] * 3)
WORD = played(
    ["Is it alive?", "no", "LOCK: chair"], [Label.NO_GUESS, Label.MATCH], game=Game.AIDG_II
)
FORFEITS = Choices(fault_refused=FaultPolicy.RE_ASK_1_FORFEIT)


def vain(turn, role, cause=Fault.REFUSED, text="in vain"):
    return ReAsked(turn=turn, role=role, cause=cause, text=text)


def again(trace, *re_asked):
    return trace.model_copy(update={"re_asked": re_asked})


def test_a_match_in_which_nothing_was_asked_again_is_as_it_was():
    assert first_attempts([WHOLE, WORD]) == (WHOLE, WORD)
    assert WHOLE.outcome.end is End.HORIZON


@pytest.mark.parametrize(
    ("trace", "role", "turn", "void", "turns", "rulings"),
    [
        (WHOLE, Role.SEEKER, 1, Void.SEEKER_FAULT, 1, 0),
        (WHOLE, Role.SEEKER, 3, Void.SEEKER_FAULT, 3, 2),
        (WHOLE, Role.HOLDER, 2, Void.HOLDER_FAULT, 2, 1),
        (WHOLE, Role.ARBITER, 2, Void.JUDGE_MISSING, 2, 2),
        (WORD, Role.HOLDER, 1, Void.HOLDER_FAULT, 1, 1),
        (WORD, Role.ARBITER, 1, Void.JUDGE_MISSING, 1, 1),
        (WORD, Role.ARBITER, 2, Void.JUDGE_MISSING, 2, 2),
        (WORD, Role.SEEKER, 2, Void.SEEKER_FAULT, 2, 1),
    ],
)
def test_a_match_is_void_from_what_was_in_vain(trace, role, turn, void, turns, rulings):
    (cut,) = first_attempts([again(trace, vain(turn, role), vain(3, Role.SEEKER))])
    assert (cut.outcome.void, cut.outcome.winner) == (void, None)
    assert (len(cut.turns), len(cut.rulings), cut.re_asked) == (turns, rulings, ())
    last = cut.turns[-1]
    if role is Role.ARBITER:
        assert cut.rulings[-1].abstention is Abstention.UNPARSABLE
        assert cut.rulings[-1].reason == "in vain"
    else:
        said = last.message if role is Role.SEEKER else last.reply
        assert (said.text, said.fault, said.kind) == ("in vain", Fault.REFUSED, None)
    assert cut.match == trace.match


def test_a_forfeit_after_re_asks_is_void_on_first_attempts():
    setup = WHOLE.setup.model_copy(update={"choices": FORFEITS})
    trace = WHOLE.model_copy(update={"setup": setup})
    (cut,) = first_attempts([again(trace, vain(1, Role.HOLDER))])
    assert cut.outcome.void is Void.HOLDER_FAULT


def test_the_shadow_is_cut_with_the_rulings():
    shadowed = played(["One?", "No.", "Two?", "No."], [QUIET] * 2, horizon=2, shadow=[QUIET] * 2)
    (cut,) = first_attempts([again(shadowed, vain(2, Role.SEEKER))])
    assert len(cut.shadow) == len(cut.rulings) == 1


def test_a_re_asking_of_a_place_that_never_came_is_refused():
    with pytest.raises(ValueError, match="match m0 never came to holder, turn 9"):
        first_attempts([again(WHOLE, vain(9, Role.HOLDER))])


@given(st.sampled_from([WHOLE, WORD]), st.data())
def test_what_is_cut_is_a_sound_trace_and_a_beginning_of_the_match(trace, data):
    turn = data.draw(st.integers(1, len(trace.turns)))
    locked = trace is WORD and turn == len(trace.turns)
    roles = [Role.SEEKER, Role.ARBITER] + ([] if locked else [Role.HOLDER])
    role = data.draw(st.sampled_from(roles))
    cause = data.draw(st.sampled_from(Fault))
    (cut,) = first_attempts([again(trace, vain(turn, role, cause))])
    assert Trace.model_validate(cut.model_dump()) == cut
    assert cut.outcome.void is not None
    assert len(cut.turns) == turn
    assert cut.turns[: turn - 1] == trace.turns[: turn - 1]
