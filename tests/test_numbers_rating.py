from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.numbers.orders import final_ratings
from audit.numbers.rating import (
    Carry,
    Multiplier,
    dual_elo,
    expected_win,
    multiplier,
    single_elo,
)

CASES = Path(__file__).parent / "cases" / "known_answers_numbers.json"
KNOWN = {case["id"]: case for case in json.loads(CASES.read_text(encoding="utf-8"))["vectors"]}
# Deadlines depend on the machine's load, which says nothing about the code.
few = settings(max_examples=40, deadline=None)

PLAYERS = 4
match = st.tuples(
    st.integers(0, PLAYERS - 1),
    st.integers(0, PLAYERS - 1),
    st.booleans(),
    st.floats(0.0, 2.0),
    st.integers(0, 2),
)
schedules = st.lists(match, min_size=1, max_size=40)
steps = st.floats(0.0, 64.0)


def columns(schedule):
    return (list(column) for column in zip(*schedule, strict=True))


def rate(schedule, **changes):
    seeker, holder, won, weight, tournament = columns(schedule)
    options = {"players": PLAYERS, "k": 24.0, "start": 1500.0, "tournament": tournament}
    return dual_elo(seeker, holder, won, weight, **(options | changes))


def test_the_worked_example():
    known = KNOWN["dual_elo_worked_example"]
    given_, expected = known["inputs"], known["expected"]
    weight = multiplier(Multiplier.PRINTED, [given_["turn"]], given_["horizon"])
    assert weight == pytest.approx([7 / 8])
    found = dual_elo(
        [0],
        [1],
        [True],
        weight,
        players=2,
        k=given_["K"],
        start=(given_["seeker_rating"], given_["holder_rating"]),
    )
    assert found.seeker[0] == pytest.approx(expected["seeker"], abs=known["abs_tol"])
    assert found.holder[1] == pytest.approx(expected["holder"], abs=known["abs_tol"])
    assert (found.seeker[1], found.holder[0]) == (1400.0, 1600.0)
    assert found.expected == pytest.approx([1 / (1 + 10**0.5)])


def test_the_expected_wins_of_wikipedia():
    known = KNOWN["elo_wikipedia"]
    given_, expected = known["inputs"], known["expected"]
    wins = expected_win(given_["rating"], given_["opponents"]).sum()
    assert wins == pytest.approx(expected["expected_score"], abs=0.005)
    moved = given_["rating"] + given_["K"] * (given_["score"] - wins)
    assert moved == pytest.approx(expected["new_rating"], abs=known["abs_tol"])


@pytest.mark.parametrize("order", ["1", "2"])
def test_the_order_of_a_cycle_matters(order):
    known = KNOWN["elo_order_dependence"]
    winner, loser = zip(*known["inputs"][f"order{order}"], strict=True)
    found = single_elo(
        winner,
        loser,
        [True] * 3,
        [1.0] * 3,
        players=3,
        k=known["inputs"]["K"],
        start=known["inputs"]["init"],
    )
    assert found == pytest.approx(known["expected"][f"order{order}"], abs=known["abs_tol"])


@few
@given(schedules, steps, st.sampled_from(Carry))
def test_no_point_is_made_or_lost(schedule, k, carry):
    found = rate(schedule, k=k, carry=carry, start=([1500, 1400, 1300, 1200], 1600.0))
    assert found.seeker.sum() + found.holder.sum() == pytest.approx(5400 + 6400, abs=1e-7)
    assert found.seeker_after - found.seeker_before == pytest.approx(found.step, abs=1e-9)
    assert found.holder_after - found.holder_before == pytest.approx(-found.step, abs=1e-9)


@few
@given(schedules)
def test_every_step_follows_from_what_stood_before(schedule):
    found = rate(schedule)
    _, _, won, weight, _ = columns(schedule)
    expected = expected_win(found.seeker_before, found.holder_before)
    assert found.expected == pytest.approx(expected, abs=1e-12)
    assert found.step == pytest.approx(24.0 * np.array(weight) * (np.array(won) - expected))


@few
@given(schedules)
def test_a_rating_stands_until_its_owner_plays_the_role_again(schedule):
    found = rate(schedule)
    seeker, holder, *_ = columns(schedule)
    for players, before, after, final in [
        (seeker, found.seeker_before, found.seeker_after, found.seeker),
        (holder, found.holder_before, found.holder_after, found.holder),
    ]:
        standing = [1500.0] * PLAYERS
        for player, earlier, later in zip(players, before, after, strict=True):
            assert earlier == pytest.approx(standing[player])
            standing[player] = later
        assert final == pytest.approx(standing)


@few
@given(schedules)
def test_a_small_step_moves_ratings_by_wins_less_expectation(schedule):
    k = 1e-6
    start = ([1500.0, 1400.0, 1600.0, 1500.0], 1550.0)
    found = rate(schedule, k=k, start=start)
    gained = np.zeros(PLAYERS)
    for seeker, _, won, weight, _ in schedule:
        gained[seeker] += weight * (won - expected_win(start[0][seeker], start[1]))
    # The next term is of order k, about 1e-6 · matches² / 700.
    assert (found.seeker - start[0]) / k == pytest.approx(gained, abs=1e-5)


@few
@given(schedules, st.floats(-500.0, 500.0))
def test_only_differences_of_ratings_matter(schedule, shift):
    found, moved = rate(schedule), rate(schedule, start=1500.0 + shift)
    assert moved.seeker - found.seeker == pytest.approx(np.full(PLAYERS, shift), abs=1e-7)


@few
@given(schedules, st.permutations(range(PLAYERS)))
def test_names_of_players_decide_nothing(schedule, names):
    renamed = [(names[s], names[h], *rest) for s, h, *rest in schedule]
    found, moved = rate(schedule), rate(renamed)
    assert moved.seeker[names] == pytest.approx(found.seeker)
    assert moved.holder_matches[names].tolist() == found.holder_matches.tolist()


@few
@given(schedules)
def test_roles_are_symmetric(schedule):
    turned = [(h, s, not won, *rest) for s, h, won, *rest in schedule]
    found, moved = rate(schedule), rate(turned)
    assert moved.seeker == pytest.approx(found.holder)
    assert moved.holder == pytest.approx(found.seeker)


@few
@given(schedules)
def test_weight_and_step_are_one_product(schedule):
    doubled = [(s, h, won, 2.0 * weight, t) for s, h, won, weight, t in schedule]
    assert rate(doubled, k=12.0).seeker == pytest.approx(rate(schedule, k=24.0).seeker)


@few
@given(schedules)
def test_reset_is_the_mean_of_tournaments_rated_alone(schedule):
    found = rate(schedule, carry=Carry.RESET)
    alone = [
        rate([match for match in schedule if match[4] == tournament])
        for tournament in sorted({match[4] for match in schedule})
    ]
    assert found.seeker == pytest.approx(np.mean([end.seeker for end in alone], axis=0))
    assert found.holder == pytest.approx(np.mean([end.holder for end in alone], axis=0))
    assert len(found.step) == len(schedule)


@few
@given(schedules)
def test_one_tournament_is_the_same_carried_or_reset(schedule):
    single = [(*match[:4], 7) for match in schedule]
    assert (rate(single).seeker == rate(single, carry="reset").seeker).all()


def test_reset_forgets_and_carried_does_not():
    schedule = [(0, 1, True, 1.0, 0), (0, 1, True, 1.0, 1)]
    assert rate(schedule).step[1] < rate(schedule).step[0]
    assert rate(schedule, carry=Carry.RESET).step == pytest.approx([12.0, 12.0])
    assert rate(schedule, carry=Carry.RESET).seeker[0] == pytest.approx(1512.0)


def test_no_matches_leave_the_start():
    for carry in Carry:
        found = dual_elo([], [], [], [], players=2, k=24, start=1500, carry=carry, tournament=[])
        assert found.seeker.tolist() == [1500.0, 1500.0]
        assert found.step.shape == (0,)


def test_ratings_far_apart_do_not_overflow():
    found = dual_elo([0], [0], [True], [1.0], players=1, k=24.0, start=(1e7, 0.0))
    assert found.expected.tolist() == [1.0]
    assert expected_win(0.0, 1e7) == 0.0


@few
@given(schedules, st.integers(0, 2**32 - 1))
def test_orders_side_by_side_agree_with_one_after_another(schedule, seed):
    rng = np.random.default_rng(seed)
    seeker, holder, won, weight, _ = (np.array(column) for column in columns(schedule))
    orders = np.array([rng.permutation(len(won)) for _ in range(5)])
    k = np.array([0.0, 8.0, 16.0, 24.0, 48.0])
    options = {"players": PLAYERS, "start": (1500.0, [1400, 1500, 1600, 1700])}
    many = final_ratings(seeker, holder, won, weight, orders, k=k, **options)
    for row, order in enumerate(orders):
        one = dual_elo(seeker[order], holder[order], won[order], weight[order], k=k[row], **options)
        assert many[0][row] == pytest.approx(one.seeker, abs=1e-9)
        assert many[1][row] == pytest.approx(one.holder, abs=1e-9)


def test_orders_may_leave_matches_out():
    c, v = final_ratings([0, 1], [1, 0], [1, 0], [1, 1], [[0], [1]], players=2, k=24, start=1500.0)
    assert c.tolist() == [[1512.0, 1500.0], [1500.0, 1488.0]]
    assert v.tolist() == [[1500.0, 1488.0], [1512.0, 1500.0]]


def test_orders_are_a_table():
    with pytest.raises(ValueError, match=r"orders must have shape \(orders, length\), found"):
        final_ratings([0], [1], [1], [1], [0], players=2, k=24, start=1500.0)
    with pytest.raises(ValueError, match=r"orders must lie in \[0, 1\), found 1"):
        final_ratings([0], [1], [1], [1], [[1]], players=2, k=24, start=1500.0)


@pytest.mark.parametrize("horizon", [1, 2, 12, 16, 21])
def test_multipliers(horizon):
    turns = np.arange(1, horizon + 1)
    assert multiplier(Multiplier.CONSTANT, turns, horizon).tolist() == [1.0] * horizon
    assert multiplier(Multiplier.MEAN_ONE, turns, horizon).mean() == pytest.approx(1.0)
    printed = multiplier(Multiplier.PRINTED, turns, horizon)
    assert printed.mean() == pytest.approx(1.0 + 1.0 / horizon)
    assert printed[-1] > 0.0
    assert (np.diff(printed) < 0.0).all()


def test_the_printed_multiplier_at_16():
    assert multiplier("printed", [1, 9, 16], 16).tolist() == [2.0, 1.0, 0.125]


@pytest.mark.parametrize(
    ("turns", "horizon", "message"),
    [
        ([0], 16, "turns must be counted from 1, found 0"),
        ([17], 16, r"turns must lie in \[0, 17\), found 17"),
        ([1], 0, "horizon must be at least 1, found 0"),
        ([1], -1, "horizon must not be negative, found -1"),
    ],
)
def test_turns_lie_within_the_horizon(turns, horizon, message):
    with pytest.raises(ValueError, match=message):
        multiplier(Multiplier.PRINTED, turns, horizon)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seeker": [2]}, r"first must lie in \[0, 2\), found 2"),
        ({"holder": [-1]}, r"second must lie in \[0, 2\), found -1"),
        ({"won": [1.5]}, r"won must lie in \[0, 1\] \(void matches are left out\), found 1.5"),
        ({"won": [math.nan]}, "won must be finite, found nan"),
        ({"weight": [-1.0]}, "weight must not be negative, found -1.0"),
        ({"weight": [1.0, 1.0]}, "lengths must agree, found"),
        ({"k": -1.0}, "k must be finite and not negative, found -1.0"),
        ({"k": math.inf}, "k must be finite and not negative, found inf"),
        ({"start": math.nan}, "start must be one finite rating or one for each of 2, found"),
        ({"start": ([1.0] * 3, 1.0)}, "start must be one finite rating or one for each of 2, fou"),
        (
            {"start": (1.0, 2.0, 3.0)},
            "start must be one rating, or a tuple of the Seekers' and the",
        ),
        (
            {"start": [1500.0, 1500.0]},
            "start must be one rating, or a tuple of the Seekers' and the",
        ),
        ({"carry": "reset"}, "carry 'reset' needs the tournament of every match"),
        (
            {"carry": "reset", "tournament": [1, 2]},
            r"tournament must have shape \(1,\), found \(2,\)",
        ),
    ],
)
def test_what_rating_refuses(changes, message):
    options = {"seeker": [0], "holder": [1], "won": [True], "weight": [1.0], "players": 2}
    with pytest.raises(ValueError, match=message):
        dual_elo(**({"k": 24.0, "start": 1500.0} | options | changes))


def test_with_one_rating_nobody_meets_himself():
    with pytest.raises(ValueError, match="with one rating a player must not meet himself"):
        single_elo([0], [0], [True], [1.0], players=2, k=24.0, start=1500.0)
