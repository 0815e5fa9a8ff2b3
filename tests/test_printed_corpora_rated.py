"""Corpora rated side by side, and moves between them, against the walk of one corpus."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.multiverse.choices import Degenerate, Disqualification, Experiment, Scope
from audit.multiverse.reading import Columns
from audit.multiverse.specification import Specification
from audit.multiverse.units import Units
from audit.numbers.multiplier import Multiplier
from audit.numbers.rating import Carry, dual_elo
from audit.printed.corpora.chance import closeness
from audit.printed.corpora.check import Checker
from audit.printed.corpora.course import State
from audit.printed.corpora.dealt import Dealt, deal
from audit.printed.corpora.forward import against
from audit.printed.corpora.layout import layout_of
from audit.printed.corpora.margins import margins_of
from audit.printed.corpora.moves import Ground, Neighbours
from audit.printed.corpora.rated import in_order, rate_dealt, table_of
from audit.printed.corpora.rules import InOrder, Rules, Weighing, weighing_of
from audit.printed.corpora.search import extreme, reach
from audit.printed.corpora.target import Target
from audit.printed.rounding import read_number
from audit.printed.system.language import Names, read_ratio
from audit.printed.system.statement import Printed, Statement, System
from games.words import Game, Mode
from tests.tiny_corpora import FILE, file_of, schedule

PLAYERS = ("x", "y", "z")
HORIZONS = {Game.AIDG_I: 2, Game.AIDG_II: 4}
BOTH = FILE.replace(
    "[[count]]",
    """
[[ending]]
game = "aidg_ii"
end = "correct_lock"
winner = "seeker"
turns = "1..4"
[[ending]]
game = "aidg_ii"
end = "disqualified"
winner = "holder"
turns = "1..4"
[[ending]]
game = "aidg_ii"
end = "wrong_lock"
winner = "holder"
turns = "1..3"
[[count]]
unknown = "locked"
of = { ends = ["correct_lock"] }
[[count]]
unknown = "lock_turns"
adds = "turns"
of = { ends = ["correct_lock", "wrong_lock", "disqualified"] }
[[count]]""",
    1,
)
ROWS = {
    "won": PLAYERS,
    "turns": None,
    "void": PLAYERS,
    "early": None,
    "locked": None,
    "lock_turns": None,
}
BASE = Specification(
    24.0,
    1500.0,
    Multiplier.PRINTED,
    Disqualification.HOLDER_WIN,
    Scope.ALL_OUTCOMES,
    Carry.CARRIED,
    Degenerate.KEPT,
)
RULES = [
    Rules(weighing, carry, 24.0, order)
    for weighing in Weighing
    for carry in Carry
    for order in InOrder
]
hold = settings(deadline=None, max_examples=10)


def told(tournaments=6):
    matches = schedule(tournaments, PLAYERS, ["n"] * 6, (Mode.A, Mode.B))
    layout = layout_of(file_of(BOTH), matches, ROWS)
    names = Names(ROWS, {})
    state = drawn(layout, np.random.default_rng(0))
    statements = tuple(
        Statement(name, Printed(read_ratio(name, names), read_number(str(value))))
        for name, value in counts(layout, state).items()
    )
    ranges = dict.fromkeys(layout.unknowns, (0, 999))
    numbers = {one.id: "1" for one in statements}
    return margins_of(file_of(BOTH), layout, System(ranges, statements), names, numbers), state


def drawn(layout, rng):
    return np.array([rng.choice(np.flatnonzero(layout.allowed[c])) for c in layout.of_class])


def counts(layout, state):
    at = layout.of_class, state
    return {name: int(w[at].sum()) for name, w in zip(layout.unknowns, layout.weight, strict=True)}


MARGINS, STATE = told()
LAYOUT = MARGINS.layout


def dealt(count, seed):
    rng = np.random.default_rng(seed)
    return deal(LAYOUT, np.array([drawn(LAYOUT, rng) for _ in range(count)]), rng)


@pytest.mark.parametrize("game", list(Game))
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_side_by_side_as_by_units_and_by_the_plain_walk(game, rules):
    some = dealt(3, 1)
    found = rate_dealt(some, game, HORIZONS[game], rules, PLAYERS)
    for row in range(3):
        corpus = some.frame(row)
        if rules.order is not InOrder.ALL_A_FIRST:
            spec = replace(BASE, experiment=Experiment(game.value), **rules.choices)
            units = Units({"arbiter": Columns.of(corpus)}, HORIZONS[Game.AIDG_II], PLAYERS)
            assert found[row] == pytest.approx(units.rate([spec])[0], abs=1e-9)
        else:
            assert found[row] == pytest.approx(plainly(corpus, game, rules), abs=1e-9)


def plainly(corpus, game, rules):
    spec = replace(BASE, experiment=Experiment(game.value), **rules.choices)
    columns = Columns.of(corpus.sort_values("mode", kind="stable"))
    own = columns.corpus[(columns.corpus["game"] == game.value) & (columns.corpus["winner"] != "")]
    weight = dict(zip(*weights(columns, spec), strict=True))
    seat = {player: at for at, player in enumerate(PLAYERS)}
    walked = dual_elo(
        own["seeker"].map(seat),
        own["holder"].map(seat),
        own["winner"] == "seeker",
        [weight[match] for match in own["match"]],
        players=3,
        k=rules.k,
        start=0.0,
        carry=rules.carry,
        tournament=own["tournament"],
    )
    return np.concatenate([walked.seeker, walked.holder])


def weights(columns, spec):
    reading = columns.read(spec, HORIZONS[Game.AIDG_II])
    return columns.corpus["match"].iloc[reading.rows], reading.weight


def ground(game, rules):
    table = table_of(LAYOUT, game, HORIZONS[game], rules.weighing, PLAYERS)
    return Ground(table, Neighbours(Target.of(MARGINS, ()), table), rules, len(PLAYERS))


def state_of(on, rules, seed):
    one = deal(LAYOUT, STATE[None], np.random.default_rng(seed))
    order = in_order(on.table, one.position[:, on.table.rows], rules.order)[0]
    return one, State(one.endings[0, on.table.rows], order)


def whole(one, on, endings, order):
    """Return a corpus with the endings and order of one game put in."""
    table = on.table
    found = Dealt(LAYOUT, one.endings.copy(), one.position.copy())
    found.endings[0, table.rows] = endings
    for number in np.unique(table.tournament):
        own = table.rows[order[table.tournament[order] == number]]
        found.position[0, own] = np.sort(found.position[0, own])
    return found.frame(0)


@pytest.mark.parametrize("game", list(Game))
@pytest.mark.parametrize("carry", list(Carry))
def test_moves_keep_every_margin_and_do_what_they_say(game, carry):
    rules = Rules(Weighing.ALL_OUTCOMES, carry, 1.0, InOrder.A_FIRST)
    on = ground(game, rules)
    one, state = state_of(on, rules, 2)
    moves = on.moves(state)
    every = np.arange(len(moves))
    assert moves.placed.any()
    assert not moves.placed.all()
    before = on.rate(state.endings[None], state.order[None])
    endings, orders = moves.after(state, every)
    change = on.rate(endings, orders) - before
    # With a step so small next to nothing is left of what the first order leaves out.
    for placed in (False, True):
        own = moves.placed == placed
        largest = np.abs(change[own]).max()
        assert change[own] == pytest.approx(moves.effect[own], abs=0.02 * largest)
    checker = Checker(MARGINS)
    assert not checker.broken(whole(one, on, state.endings, state.order))
    for at in range(0, len(moves), 7):
        assert not checker.broken(whole(one, on, endings[at], orders[at]))


def test_effects_tell_what_full_steps_do():
    rules = Rules(Weighing.ALL_OUTCOMES, Carry.CARRIED, 24.0, InOrder.EVEN)
    on = ground(Game.AIDG_II, rules)
    _, state = state_of(on, rules, 3)
    moves = on.moves(state)
    rated = on.rate(*moves.after(state, np.arange(len(moves))))
    change = rated - on.rate(state.endings[None], state.order[None])
    for placed in (False, True):
        own = moves.placed == placed
        assert np.corrcoef(change[own].ravel(), moves.effect[own].ravel())[0, 1] > 0.99


@hold
@given(st.integers(0, 999))
def test_pairs_of_moves_apart_touch_four_matches(seed):
    rules = Rules(Weighing.ALL_OUTCOMES, Carry.CARRIED, 24.0, InOrder.EVEN)
    on = ground(Game.AIDG_I, rules)
    _, state = state_of(on, rules, seed)
    moves = on.moves(state)
    rng = np.random.default_rng(seed)
    first, second = rng.integers(len(moves), size=(2, 40))
    apart = set(moves.apart(first, second).tolist())
    for at, (a, b) in enumerate(zip(first, second, strict=True)):
        touched = {moves.one[a], moves.other[a], moves.one[b], moves.other[b]}
        assert (at in apart) == (len(touched) == 4)


def test_a_search_finds_ratings_that_some_corpus_has():
    rules = Rules(Weighing.ALL_OUTCOMES, Carry.CARRIED, 24.0, InOrder.EVEN)
    on = ground(Game.AIDG_II, rules)
    _, planted = state_of(on, rules, 4)
    wanted = on.rate(planted.endings[None], planted.order[None])[0]
    one, begin = state_of(on, rules, 5)
    found = reach(on, begin, wanted, np.random.default_rng(0), steps=60, enough=0.5)
    assert (
        found.value <= 0.5 < np.abs(on.rate(begin.endings[None], begin.order[None]) - wanted).max()
    )
    assert np.abs(found.ratings - wanted).max() == pytest.approx(found.value)
    again = on.rate(found.state.endings[None], found.state.order[None])[0]
    assert again == pytest.approx(found.ratings)
    assert not Checker(MARGINS).broken(whole(one, on, found.state.endings, found.state.order))


def test_a_search_far_from_anything_is_given_up():
    rules = Rules(Weighing.ALL_OUTCOMES, Carry.CARRIED, 24.0, InOrder.EVEN)
    on = ground(Game.AIDG_II, rules)
    _, begin = state_of(on, rules, 5)
    found = reach(on, begin, np.full(6, 1e4), np.random.default_rng(0), steps=1000, enough=0.1)
    assert found.value > 5000
    assert found.steps < 100


def test_an_end_is_further_out_than_any_of_many_samples():
    rules = Rules(Weighing.ALL_OUTCOMES, Carry.CARRIED, 24.0, InOrder.EVEN)
    on = ground(Game.AIDG_II, rules)
    one, begin = state_of(on, rules, 6)

    def gap(ratings):
        return (ratings[:, 3:] - ratings[:, :3]).mean(axis=1)

    found = extreme(on, begin, gap, steps=40)
    many = deal(LAYOUT, np.repeat(STATE[None], 500, axis=0), np.random.default_rng(1))
    sampled = gap(rate_dealt(many, Game.AIDG_II, 4, rules, PLAYERS))
    assert found.value < sampled.min()
    assert found.value == pytest.approx(gap(found.ratings[None])[0])
    assert not Checker(MARGINS).broken(whole(one, on, found.state.endings, found.state.order))


def test_weighing_of_a_specification():
    assert weighing_of(BASE) is Weighing.ALL_OUTCOMES
    for rule in Weighing:
        rules = Rules(rule, Carry.CARRIED, 24.0, InOrder.EVEN)
        assert weighing_of(replace(BASE, **rules.choices)) is rule
    assert weighing_of(replace(BASE, multiplier=Multiplier.REVERSED)) is None


def test_closeness_against_every_pair():
    rng = np.random.default_rng(0)
    first, second = rng.normal(0, 20, (40, 6)), rng.normal(5, 30, (30, 6))
    spreads = np.array([np.std((a + b) / 2) for a in first for b in second])
    found = closeness(first, second, 15.0)
    assert found.share == pytest.approx((spreads <= 15.0).mean())
    assert found.below == (spreads <= 15.0).sum()
    assert found.pairs == 1200
    assert found.least == pytest.approx(spreads.min())
    assert found.median == pytest.approx(np.median(spreads))


def test_the_error_of_closeness_is_that_of_repeated_simulations():
    rng = np.random.default_rng(1)
    found = [
        closeness(rng.normal(0, 20, (60, 6)), rng.normal(0, 20, (60, 6)), 8.0) for _ in range(300)
    ]
    shares = np.array([one.share for one in found])
    error = np.sqrt(np.mean([one.error**2 for one in found]))
    assert error == pytest.approx(shares.std(ddof=1), rel=0.2)


@pytest.mark.parametrize("shapes", [((5, 6), (5, 4)), ((1, 6), (5, 6))])
def test_closeness_of_what_cannot_be_paired(shapes):
    with pytest.raises(ValueError, match="at least two simulations of each, of the same players"):
        closeness(np.zeros(shapes[0]), np.zeros(shapes[1]), 1.0)


def test_printed_ratings_beside_simulated_ones():
    rng = np.random.default_rng(2)
    ratings = [rng.normal([0, 1, 2, 10, 11, 12], 1.0, (4000, 6)) for _ in range(2)]
    printed = np.array([0.0, 1.0, 2.0, 12.0, 13.0, 14.0])
    found = against(printed, ratings)
    assert found.gap == pytest.approx(10.0, abs=0.05)
    assert found.gap_sd == pytest.approx(np.sqrt(2 / 3), rel=0.05)
    assert found.z == pytest.approx(2 / np.sqrt(2 / 3), rel=0.05)
    assert found.z_least <= found.z <= found.z_most
    assert found.distance == pytest.approx(0.0, abs=0.05)
    assert found.simulated == 8000
    printed[:3] += [3.0, 0.0, 0.0]
    assert against(printed, ratings).distance == pytest.approx(9.0, rel=0.1)
