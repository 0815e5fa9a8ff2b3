from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.errors import IllegalMove
from games.records import canonical
from games.rules.game import Outcome, Utterance, replay
from games.rules.verdict import Verdict
from games.trace import RULES
from games.words import End, Fault, Game, Label, Mode, MoveKind, Role, Void

from .strategies import NOUNS, SECRETS, moves_of, setups, states

GAMES = st.sampled_from(list(Game))
finished = GAMES.flatmap(lambda game: states(game, finished=True))
ongoing = GAMES.flatmap(states)


@given(finished)
def test_a_finished_match_takes_no_move(state):
    rules = RULES[state.setup.game]
    assert rules.mover(state) is None
    assert rules.pending(state) is None
    utterance = Utterance(text="again?", kind=MoveKind.QUESTION)
    with pytest.raises(IllegalMove, match="has ended and takes no move"):
        rules.apply(state, utterance)


@given(finished)
def test_the_outcome_is_a_function_of_turns_and_rulings(state):
    again = replay(RULES[state.setup.game], state.setup, state.turns, state.rulings)
    assert again == state


@given(finished)
def test_every_match_ends_within_its_horizon(state):
    assert 1 <= state.outcome.turn == len(state.turns) <= state.setup.horizon
    assert (state.outcome.winner is None) == (state.outcome.void is not None)


@given(finished)
def test_a_declaration_or_a_lock_has_no_reply(state):
    for turn in state.turns:
        if turn.message.kind in (MoveKind.DECLARATION, MoveKind.LOCK):
            assert turn.reply is None


@given(ongoing)
def test_only_the_mover_moves(state):
    rules = RULES[state.setup.game]
    mover = rules.mover(state)
    if mover is None:
        return
    verdict = Verdict(item="m0/t99/lock", rater="arbiter", rubric="r", label=Label.MATCH)
    wrong = Utterance(text="x", kind=MoveKind.REPLY) if mover is Role.ARBITER else verdict
    with pytest.raises(IllegalMove, match=f"waits for the {mover.value}"):
        rules.apply(state, wrong)


def test_a_ruling_on_another_item_is_refused():
    rules = RULES[Game.AIDG_II]
    state = next_state(Game.AIDG_II, ["Is it alive?"])
    verdict = Verdict(item="m0/t09/lock", rater="arbiter", rubric="r", label=Label.MATCH)
    with pytest.raises(IllegalMove, match="where `m0/t01/seeker_message` is pending"):
        rules.apply(state, verdict)


def next_state(game, texts, mode=None):
    from games.rules.game import Setup

    rules = RULES[game]
    state = rules.begin(
        Setup(match="m0", game=game, mode=mode, secret=NOUNS[0], horizon=4, vocabulary=NOUNS)
    )
    for text in texts:
        state = rules.apply(state, rules.parse(state, rules.mover(state), text))
    return state


@given(st.data(), st.sampled_from([Game.AIDG_I, Game.AIDG_II]))
def test_non_interference(data, game):
    """Two secrets with the same public dialogue give byte-equal Seeker views."""
    rules = RULES[game]
    mode = Mode.B if game is Game.AIDG_I else None
    pool = NOUNS if game is Game.AIDG_II else SECRETS
    one = rules.begin(data.draw(setups(game, mode, pool[0])))
    two = rules.begin(one.setup.model_copy(update={"secret": pool[1]}))
    while (mover := rules.mover(one)) is not None:
        assert canonical(rules.view(one, Role.SEEKER)) == canonical(rules.view(two, Role.SEEKER))
        move = data.draw(moves_of(one, rules, mover))
        one, two = rules.apply(one, move), rules.apply(two, move)
    assert canonical(rules.view(one, Role.SEEKER)) == canonical(rules.view(two, Role.SEEKER))


@given(ongoing)
def test_the_holder_sees_the_secret_and_a_blind_seeker_never_does(state):
    rules = RULES[state.setup.game]
    assert rules.view(state, Role.HOLDER).secret == state.setup.secret
    informed = state.setup.mode is Mode.A
    assert (rules.view(state, Role.SEEKER).secret is not None) == informed


def test_an_outcome_must_hang_together():
    with pytest.raises(ValueError, match="`end` or `void`"):
        Outcome(turn=1)
    with pytest.raises(ValueError, match="`winner` stands exactly where `end` does"):
        Outcome(winner=Role.SEEKER, void=Void.BUDGET, turn=1)
    with pytest.raises(ValueError, match="seeker or holder"):
        Outcome(winner=Role.ARBITER, end=End.HORIZON, turn=1)
    with pytest.raises(ValueError, match="must be seeker after leak"):
        Outcome(winner=Role.HOLDER, end=End.LEAK, turn=1)


def test_an_utterance_is_a_move_or_a_fault():
    with pytest.raises(ValueError, match="`kind` or `fault`"):
        Utterance(text="x")
    with pytest.raises(ValueError, match="`kind` or `fault`"):
        Utterance(text="x", kind=MoveKind.REPLY, fault=Fault.EMPTY)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "`label` or `abstention`"),
        ({"label": "leak", "abstention": "skipped"}, "`label` or `abstention`"),
        ({"label": "match", "category": "explicit"}, "only beside the label leak"),
        ({"label": "leak", "confidence": 6}, "between 1 and 5"),
        ({"label": "perhaps"}, "Input should be"),
    ],
)
def test_a_verdict_must_hang_together(fields, message):
    with pytest.raises(ValueError, match=message):
        Verdict(item="i", rater="r", rubric="q", **fields)
