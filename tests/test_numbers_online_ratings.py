"""Glicko-2 against its published example; openskill's ratings against the formulas written out."""

from __future__ import annotations

import math
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.stats import norm

from audit.numbers.rating import Carry
from audit.numbers.ratings.glicko import SCALE, Strength, glicko_2, period
from audit.numbers.ratings.lanes import Played
from audit.numbers.ratings.weng_lin import Likelihood, weng_lin

from .test_numbers_win_graph import some_matches


def ints(*values):
    return np.array(values, dtype=np.int64)


def in_one_lane(*believed):
    return Strength(*(np.array(part, dtype=float)[:, None] for part in believed))


def test_the_published_example_of_glicko_2():
    # Glickman, "Example of the Glicko-2 system": 1500 against 1400, 1550 and 1700.
    before = in_one_lane([0, -100, 50, 200], [200, 30, 100, 300], [0.06] * 4)
    after = period(before, ints(0, 0, 0), ints(1, 2, 3), np.array([1.0, 0.0, 0.0]), tau=0.5)
    assert after.rating[0] == pytest.approx(1464.06 - 1500, abs=0.01)
    assert after.deviation[0] == pytest.approx(151.52, abs=0.01)
    assert after.volatility[0] == pytest.approx(0.05999, abs=1e-5)


def test_who_does_not_play_is_less_certain_and_otherwise_as_before():
    before = in_one_lane([5, 1, 2], [100, 50, 60], [0.06] * 3)
    after = period(before, ints(1), ints(2), np.array([1.0]), tau=0.5)
    assert after.rating[0] == 5.0
    assert after.deviation[0] == pytest.approx(math.hypot(100.0, 0.06 * SCALE))
    assert after.volatility[0] == 0.06


@given(
    st.lists(st.tuples(st.floats(-600, 600), st.floats(30, 350), st.floats(0.03, 0.2)),
             min_size=4, max_size=4),
    st.lists(st.tuples(st.integers(0, 3), st.integers(1, 3), st.sampled_from([0.0, 0.5, 1.0])),
             min_size=1, max_size=12),
    st.floats(0.3, 1.2),
)  # fmt: skip
def test_volatility_is_the_root_that_another_solver_finds(beliefs, met, tau):
    rating, deviation, volatility = map(np.array, zip(*beliefs, strict=True))
    before = in_one_lane(rating, deviation, volatility)
    first = ints(*(i for i, _, _ in met))
    second = ints(*((i + step) % 4 for i, step, _ in met))
    score = np.array([s for _, _, s in met])
    after = period(before, first, second, score, tau=tau)
    for who in set(first) | set(second):
        mu, phi = rating[who] / SCALE, deviation[who] / SCALE
        known = pull = 0.0
        for i, j, s in zip(first, second, score, strict=True):
            for own, other, got in ((i, j, s), (j, i, 1 - s)):
                if own == who:
                    g = 1 / math.sqrt(1 + 3 * (deviation[other] / SCALE / math.pi) ** 2)
                    e = 1 / (1 + math.exp(-g * (mu - rating[other] / SCALE)))
                    known, pull = known + g * g * e * (1 - e), pull + g * (got - e)
        v, a = 1 / known, math.log(volatility[who] ** 2)

        def slope(x, phi=phi, v=v, a=a, delta=pull / known):
            spread = phi**2 + v + math.exp(x)
            return math.exp(x) * (delta**2 - spread) / (2 * spread**2) - (x - a) / tau**2

        sigma = math.exp(brentq(slope, a - 40, a + 40, xtol=1e-13) / 2)
        assert after.volatility[who] == pytest.approx(sigma, rel=1e-5)
        wide = 1 / math.sqrt(1 / (phi**2 + sigma**2) + known)
        assert after.deviation[who] == pytest.approx(wide * SCALE, rel=1e-5)
        assert after.rating[who] == pytest.approx((mu + wide**2 * pull) * SCALE, abs=0.01)


def tournaments_of(played, parts=3):
    return [played.only(rows) for rows in np.array_split(np.arange(len(played)), parts)]


@given(some_matches(least=6, scores=(0.0, 0.5, 1.0)), st.randoms(use_true_random=False))
def test_glicko_2_knows_no_order_within_a_tournament(played, chance):
    shuffled = []
    for each in tournaments_of(played):
        rows = list(range(len(each)))
        chance.shuffle(rows)
        shuffled.append(each.only(ints(*rows)))
    for carry in Carry:
        one, two = (glicko_2(each, carry) for each in (tournaments_of(played), shuffled))
        assert one == pytest.approx(two, abs=1e-6)
        assert one.sum() == pytest.approx(0.0, abs=1e-6)


def walked(name):
    if name == "glicko":
        return glicko_2
    return lambda tournaments, carry: weng_lin(Likelihood(name), tournaments, carry)


NAMES = ["glicko", *(each.value for each in Likelihood)]


@pytest.mark.parametrize("name", NAMES)
def test_ratings_started_anew_are_the_mean_over_tournaments(name):
    rng = np.random.default_rng(3)
    played = Played.of(
        *rng.integers(0, 4, (2, 60)), rng.choice([0.0, 0.5, 1.0], 60), rng.random(60), 4
    )
    rate, parts = walked(name), tournaments_of(played)
    empty = played.only(ints())
    alone = [rate([each], Carry.CARRIED) for each in parts]
    found = rate([*parts, empty], Carry.RESET)
    assert found == pytest.approx(np.mean(alone, axis=0), abs=1e-9)
    assert np.abs(rate(parts, Carry.CARRIED) - found).max() > 1.0
    assert (rate([empty], Carry.RESET) == 0).all()
    assert (rate([empty], Carry.CARRIED) == 0).all()


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=10, deadline=None)
@given(played=some_matches(least=6), names=st.permutations(range(4)))
def test_names_and_weights_decide_nothing(name, played, names):
    names = np.array(names)
    other = Played(names[played.seeker], names[played.holder], played.score, played.weight * 2, 4)
    both = np.concatenate([names, names + 4])
    one, two = (walked(name)(tournaments_of(each), Carry.CARRIED) for each in (played, other))
    assert two[both] == pytest.approx(one, abs=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_who_wins_everything_is_first_and_who_loses_everything_last(name):
    played = Played.of([0, 1, 1, 0] * 5, [1, 0, 1, 0] * 5, [1.0, 0.0, 0.0, 1.0] * 5, [1.0] * 20, 2)
    found = walked(name)([played], Carry.CARRIED)
    assert found[0] > 0 > found[1]
    assert found[0] == found.max()


def by_hand(likelihood, first, second, score):
    """Weng and Lin's update of single players, by the defaults of the library."""
    mu, sigma2 = 25.0 * np.ones(4), (25.0 / 3) ** 2 * np.ones(4)
    beta2, tau2, epsilon = (25.0 / 6) ** 2, (25.0 / 300) ** 2, 0.1
    for i, j, s in zip(first, second, score, strict=True):
        sigma2[[i, j]] += tau2
        c = math.sqrt(sigma2[i] + sigma2[j] + 2 * beta2)
        moves = []
        for own, other, got in ((i, j, s), (j, i, 1 - s)):
            t = (mu[own] - mu[other]) / c
            if likelihood is Likelihood.PLACKETT_LUCE:
                p = 1 / (1 + math.exp(-t))
                gain, loss = got - p, p * (1 - p)
            else:
                sign = 1.0 if got else -1.0
                x = sign * t - epsilon / c
                v = norm.pdf(x) / norm.cdf(x)
                gain, loss = sign * v, v * (v + x)
            gamma = math.sqrt(sigma2[own]) / c
            omega, delta = sigma2[own] / c * gain, gamma * sigma2[own] / c**2 * loss
            moves.append((own, omega, max(1 - delta, 0.0001)))
        for own, omega, shrink in moves:
            mu[own] += omega
            sigma2[own] *= shrink
    return mu - mu.mean()


@pytest.mark.parametrize("likelihood", list(Likelihood))
def test_the_librarys_ratings_are_the_formulas_written_out(likelihood):
    rng = np.random.default_rng(4)
    seeker, holder = rng.integers(0, 2, (2, 40))
    score = rng.integers(0, 2, 40) * 1.0
    found = weng_lin(likelihood, [Played.of(seeker, holder, score, np.ones(40), 2)], Carry.CARRIED)
    mu = by_hand(likelihood, seeker, holder + 2, score)
    # The scale: strengths that are known win as Elo says. Checked by the win at a small gap.
    spread = math.sqrt(2) * 25 / 6
    small = 1e-6
    win = {
        Likelihood.PLACKETT_LUCE: lambda d: 1 / (1 + math.exp(-d / spread)),
        Likelihood.THURSTONE_MOSTELLER: lambda d: norm.cdf(d / spread),
    }[likelihood]
    log_odds = math.log(win(small) / (1 - win(small))) / small
    assert found == pytest.approx(mu * log_odds * 400 / math.log(10), rel=1e-5, abs=1e-6)


def test_a_tie_draws_unequal_players_together():
    for likelihood in Likelihood:
        won = Played.of([0], [0], [1.0], [1.0], 1)
        tied = Played.of([0] * 4, [0] * 4, [1.0, 0.5, 0.5, 0.5], [1.0] * 4, 1)
        gaps = [np.ptp(weng_lin(likelihood, [each], Carry.CARRIED)) for each in (won, tied)]
        assert gaps[1] < gaps[0]


def test_without_the_library_it_is_said_which_extra_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    played = Played.of([0], [0], [1.0], [1.0], 1)
    with pytest.raises(ValueError, match=r"needs the extra `models` \(openskill\), which is not"):
        weng_lin(Likelihood.PLACKETT_LUCE, [played], Carry.CARRIED)


def test_a_score_that_is_no_outcome_and_no_tournament_are_refused():
    played = Played.of([0], [0], [0.3], [1.0], 1)
    for call, words in (
        (lambda: weng_lin(Likelihood.PLACKETT_LUCE, [played], Carry.RESET), r"found 0\.3"),
        (lambda: weng_lin("elo", [played], Carry.RESET), "score must be"),
        (lambda: glicko_2([], Carry.RESET), "tournaments must hold at least one"),
    ):
        with pytest.raises(ValueError, match=words):
            call()
    with pytest.raises(ValueError, match="Likelihood must be one of"):
        weng_lin("elo", [Played.of([0], [0], [1.0], [1.0], 1)], Carry.RESET)
