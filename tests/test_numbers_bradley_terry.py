"""Ratings without an order: published coefficients, choix, a general optimiser, the score."""

from __future__ import annotations

import math

import choix
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import expit, log_expit

from audit.numbers.ratings.bradley_terry import bradley_terry, bradley_terry_lanes, firth
from audit.numbers.ratings.graph import Connection
from audit.numbers.ratings.lanes import Played
from audit.numbers.ratings.table import resampled_tables, tables
from audit.numbers.ratings.uncertainty import covariance, gap, robust_covariance

from .test_numbers_win_graph import some_matches

POINTS = 400 / math.log(10)


def from_tables(wins, losses):
    """Return matches with so many wins and losses of Seeker i against Holder j."""
    rows = [
        (i, j, score)
        for score, table in ((1.0, wins), (0.0, losses))
        for i, row in enumerate(table)
        for j, count in enumerate(row)
        for _ in range(count)
    ]
    seeker, holder, score = zip(*rows, strict=True)
    return Played.of(seeker, holder, score, [1.0] * len(rows), len(wins))


def simulated(seed, players=6, n=439, offset=1.0):
    rng = np.random.default_rng(seed)
    seeker = rng.integers(0, players, n)
    holder = (seeker + rng.integers(1, players, n)) % players
    strengths = rng.normal(0, 0.5, 2 * players)
    chance = expit(strengths[seeker] - strengths[players + holder] - offset)
    weight = rng.integers(1, 17, n) / 8
    return Played.of(seeker, holder, rng.random(n) < chance, weight, players)


def likelihood(played, strengths, weight):
    logit = strengths[played.seeker] - strengths[played.players + played.holder]
    terms = played.score * log_expit(logit) + (1 - played.score) * log_expit(-logit)
    return float((weight * terms).sum())


def design(played):
    """One row a match: +1 for the Seeker, -1 for the Holder, the first entrant left out."""
    x = np.zeros((len(played), 2 * played.players))
    x[np.arange(len(played)), played.seeker] = 1
    x[np.arange(len(played)), played.players + played.holder] = -1
    return x[:, 1:]


def best(played, objective):
    """Return where a general optimiser has the maximum, around 0."""
    found = minimize(
        lambda b: -objective(np.append(0.0, b)),
        np.zeros(2 * played.players - 1),
        method="BFGS",
        options={"gtol": 1e-7},
    )
    strengths = np.append(0.0, found.x)
    return strengths - strengths.mean()


def test_a_cycle_of_four_is_the_textbooks():
    # Wikipedia's example: A and C only meet B and D, who are the Holders here.
    played = from_tables([[2, 1], [3, 1]], [[3, 4], [5, 3]])
    found = bradley_terry(played)
    a, c, b, d = np.exp(found.ratings / POINTS)
    assert [a, b, c, d] == pytest.approx([0.640, 1.043, 0.660, 2.270], abs=5e-4)


def test_citations_between_journals_have_the_published_coefficients_and_errors():
    # Stigler's counts; coefficients and errors by the R package BradleyTerry2 (Turner and Firth,
    # doi:10.18637/jss.v048.i09). Every citation is played twice, with the roles exchanged: the
    # likelihood is then alike in both roles, and its maximum gives a journal one strength.
    cites = np.array([[0, 730, 498, 221], [33, 0, 68, 17], [320, 813, 0, 142], [284, 276, 325, 0]])
    played = from_tables(cites, cites.T)
    found = bradley_terry(played)
    assert found.ratings[:4] == pytest.approx(found.ratings[4:], abs=1e-8)
    one = found.ratings[:4] / POINTS
    assert one - one[0] == pytest.approx([0, -2.94907, -0.47957, 0.26895], abs=1e-5)
    half = np.hstack([np.eye(4), np.eye(4)]) / 2
    cover = 2 * half @ covariance(played, found) @ half.T / POINTS**2
    against = np.eye(4) - np.eye(4)[0]
    errors = np.sqrt(np.diag(against @ cover @ against.T))
    assert errors == pytest.approx([0, 0.10255, 0.06059, 0.07083], abs=1e-5)


@pytest.mark.parametrize("seed", range(4))
def test_choix_has_the_same_maximum(seed):
    played = simulated(seed)
    pairs = [
        (i, j + 6) if won else (j + 6, i)
        for i, j, won in zip(played.seeker, played.holder, played.score, strict=True)
    ]
    wanted = choix.ilsr_pairwise(12, pairs, tol=1e-13, max_iter=10_000)
    found = bradley_terry(played)
    assert found.converged
    assert found.ratings / POINTS == pytest.approx(wanted - wanted.mean(), abs=1e-9)


@settings(max_examples=25, deadline=None)
@given(some_matches(), st.booleans())
def test_a_general_optimiser_has_the_same_maximum(played, weighted):
    found = bradley_terry(played, weighted=weighted)
    assume(found.graph.connection is Connection.CONNECTED)
    assert not found.trouble
    weight = played.weight if weighted else np.ones(len(played))
    ours = found.ratings / POINTS
    theirs = best(played, lambda s: likelihood(played, s, weight))
    assert likelihood(played, ours, weight) >= likelihood(played, theirs, weight) - 1e-9
    assert ours == pytest.approx(theirs, abs=1e-3)


@given(some_matches(), st.booleans())
def test_every_entrant_is_expected_to_win_what_it_won(played, weighted):
    found = bradley_terry(played, weighted=weighted)
    assume(found.graph.connection is Connection.CONNECTED)
    assert not found.trouble
    wins, losses = tables(played, weighted=weighted)
    s = found.ratings / POINTS
    half = played.players
    expected = (wins + losses) * expit(s[:half, None] - s[None, half:])
    assert expected.sum(axis=1) == pytest.approx(wins.sum(axis=1), abs=1e-8)
    assert expected.sum(axis=0) == pytest.approx(wins.sum(axis=0), abs=1e-8)
    assert found.ratings.sum() == pytest.approx(0.0, abs=1e-6)


@given(some_matches(), st.permutations(range(4)), st.randoms(use_true_random=False))
def test_names_and_the_order_of_matches_decide_nothing(played, names, chance):
    rows = list(range(len(played)))
    chance.shuffle(rows)
    names = np.array(names)
    other = played.only(np.array(rows, dtype=np.int64))
    renamed = Played(
        names[other.seeker], names[other.holder], other.score, other.weight, played.players
    )
    both = np.concatenate([names, names + 4])
    for fit in (bradley_terry, firth):
        one, two = fit(played), fit(renamed)
        assert one.graph.connection is two.graph.connection
        assert two.ratings[both] == pytest.approx(one.ratings, abs=1e-6, nan_ok=True)


@given(some_matches(), st.integers(2, 4))
def test_a_match_of_weight_n_is_n_matches_and_a_common_factor_is_nothing(played, times):
    whole = Played(played.seeker, played.holder, played.score, np.full(len(played), 1.0 * times), 4)
    again = played.only(np.repeat(np.arange(len(played)), times))
    plain = bradley_terry(played).ratings
    for found in (bradley_terry(whole, weighted=True), bradley_terry(again)):
        assert found.ratings == pytest.approx(plain, abs=1e-6, nan_ok=True)


def test_lanes_are_what_each_table_gives_alone_whatever_stands_beside_it():
    played = simulated(7, n=120, offset=0.2)
    rows = np.random.default_rng(1).integers(0, 120, (200, 120))
    wins, losses = resampled_tables(played, rows)
    for penalised, fit in ((False, bradley_terry), (True, firth)):
        every = bradley_terry_lanes(wins, losses, penalised=penalised)
        some = bradley_terry_lanes(wins[50:60], losses[50:60], penalised=penalised)
        assert np.array_equal(every.ratings[50:60], some.ratings, equal_nan=True)
        assert every.connected.any()
        for lane in range(0, 200, 10):
            alone = fit(played.only(rows[lane]))
            assert every.connected[lane] == (not alone.trouble)
            assert every.converged[lane] == every.connected[lane]
            if every.connected[lane]:
                assert every.ratings[lane] == pytest.approx(alone.ratings, abs=1e-9)
            else:
                assert np.isnan(every.ratings[lane]).all()
    assert not bradley_terry_lanes(wins, losses).connected.all()


def test_without_a_connected_lane_all_is_nan():
    found = bradley_terry_lanes(np.ones((2, 3, 3)), np.zeros((2, 3, 3)))
    assert np.isnan(found.ratings).all()
    assert not found.connected.any()


@pytest.mark.parametrize("shapes", [((2, 3), (2, 3)), ((1, 3, 3), (2, 3, 3)), ((1, 2, 3),) * 2])
def test_tables_of_another_shape_are_refused(shapes):
    with pytest.raises(ValueError, match="wins and losses must have one shape"):
        bradley_terry_lanes(*map(np.ones, shapes))


def test_an_undefeated_player_is_infinitely_far_from_the_others_and_they_are_as_without_it():
    rest = from_tables(
        [[0, 0, 0], [0, 3, 2], [0, 1, 4]],
        [[0, 0, 0], [0, 2, 5], [0, 3, 1]],
    )
    undefeated = Played.of([0, 0], [1, 2], [1.0, 1.0], [1.0, 1.0], 3)
    winless_holder = Played.of([1, 2], [0, 0], [1.0, 1.0], [1.0, 1.0], 3)
    both = [
        np.concatenate([getattr(part, name) for part in (rest, undefeated, winless_holder)])
        for name in ("seeker", "holder", "score", "weight")
    ]
    found = bradley_terry(Played.of(*both, 3))
    assert found.ratings[[0, 3]].tolist() == [np.inf, -np.inf]
    inside = bradley_terry(from_tables([[3, 2], [1, 4]], [[2, 5], [3, 1]])).ratings
    assert found.ratings[[1, 2, 4, 5]] == pytest.approx(inside, abs=1e-9)
    assert found.trouble == "separated, no finite maximum: undefeated seeker 0; winless holder 0"
    penalised = firth(Played.of(*both, 3))
    assert penalised.converged
    assert not penalised.trouble
    assert penalised.ratings.argmax() == 0
    assert penalised.ratings.argmin() == 3


def test_the_maximum_runs_off_as_the_fit_says():
    # The likelihood keeps rising with the undefeated player's strength.
    played = from_tables([[2, 2], [1, 1]], [[0, 0], [1, 1]])
    found = bradley_terry(played)
    assert found.ratings[0] == np.inf
    values = [
        likelihood(played, np.append(s, found.ratings[1:] / POINTS), np.ones(len(played)))
        for s in (2.0, 5.0, 10.0, 20.0)
    ]
    assert values == sorted(values)
    assert values[-1] == pytest.approx(4 * math.log(0.5), abs=1e-6)


def test_a_lone_largest_tier_is_no_anchor():
    found = bradley_terry(from_tables([[1, 0], [0, 1]], [[0, 1], [1, 0]]))
    assert not found.trouble
    chain = bradley_terry(from_tables([[1]], [[0]]))
    assert chain.ratings.tolist() == [np.inf, -np.inf]
    assert not chain.converged


def test_a_fit_that_has_not_settled_says_so():
    found = bradley_terry(simulated(3), limit=1)
    assert found.trouble == "not converged after 1 steps"
    assert bradley_terry(simulated(3)).iterations < 8


@pytest.mark.parametrize(("wins", "losses"), [(3, 5), (1, 0), (0, 7), (10_000, 1)])
def test_firth_of_one_pair_is_half_a_win_and_half_a_loss_more(wins, losses):
    found = firth(from_tables([[wins]], [[losses]]))
    logit = math.log((wins + 0.5) / (losses + 0.5))
    assert (found.ratings[0] - found.ratings[1]) / POINTS == pytest.approx(logit, abs=1e-9)


@settings(max_examples=20, deadline=None)
@given(some_matches(players=2, least=4))
def test_firth_has_the_maximum_of_its_penalised_likelihood(played):
    found = firth(played)
    assume(found.graph.connection is not Connection.DISCONNECTED)
    assert not found.trouble
    x = design(played)

    def objective(strengths):
        chance = expit(strengths[played.seeker] - strengths[played.players + played.holder])
        information = (x.T * (chance * (1 - chance))) @ x
        return (
            likelihood(played, strengths, np.ones(len(played)))
            + np.linalg.slogdet(information)[1] / 2
        )

    assert found.ratings / POINTS == pytest.approx(best(played, objective), abs=1e-4)


def firths_score(wins, losses, ratings):
    """Return Firth's modified score by entrant, from the whole information and its inverse."""
    half = len(wins)
    s, total = ratings / POINTS, wins + losses
    chance = expit(s[:half, None] - s[None, half:])
    x = np.zeros((half, half, 2 * half))
    for i in range(half):
        for j in range(half):
            x[i, j, [i, half + j]] = 1, -1
    x = x.reshape(-1, 2 * half)
    worth = (total * chance * (1 - chance)).ravel()
    leverage = worth * np.einsum("ce,ef,cf->c", x, np.linalg.pinv((x.T * worth) @ x), x)
    return x.T @ ((wins - total * chance).ravel() + leverage * (0.5 - chance.ravel()))


@pytest.mark.parametrize("players", [2, 3, 5])
def test_firth_settles_on_its_score_however_few_the_matches(players):
    rng = np.random.default_rng(players)
    wins, losses = rng.poisson(0.5, (2, 400, players, players)).astype(float)
    found = bradley_terry_lanes(wins, losses, penalised=True)
    assert found.connected.sum() > 50
    assert (found.converged == found.connected).all()
    for lane in np.flatnonzero(found.connected)[:60]:
        score = firths_score(wins[lane], losses[lane], found.ratings[lane])
        assert score == pytest.approx(0.0, abs=1e-7)


def test_plain_fits_settle_however_unlike_the_weights():
    # Newton's whole step would leave a third of these and come back to none of them.
    rng = np.random.default_rng(0)
    wins, losses = np.exp(rng.normal(0, 3, (2, 500, 3, 3))) * (rng.random((2, 500, 3, 3)) < 0.6)
    found = bradley_terry_lanes(wins, losses)
    assert found.connected.sum() > 100
    assert (found.converged == found.connected).all()


def test_firth_of_players_who_never_met_is_nothing():
    found = firth(from_tables([[1, 0], [0, 1]], [[1, 0], [0, 1]]))
    assert np.isnan(found.ratings).all()
    assert found.trouble == (
        "disconnected, never comparable: seeker 0, holder 0 | seeker 1, holder 1"
    )


def test_firth_takes_away_the_first_order_bias_of_a_gap():
    # One pair, 20 matches at 0.8: the mean over the binomial law, without the 0.01 that has none.
    n, p = 20, 0.8
    law = [math.comb(n, w) * p**w * (1 - p) ** (n - w) for w in range(n + 1)]
    truth = math.log(p / (1 - p))
    penalised = sum(law[w] * math.log((w + 0.5) / (n - w + 0.5)) for w in range(n + 1))
    plain = sum(law[w] * math.log(w / (n - w)) for w in range(1, n)) / sum(law[1:n])
    assert abs(penalised - truth) < 0.01 < abs(plain - truth)


def test_errors_are_those_of_the_curvature():
    played = simulated(11)
    found = bradley_terry(played)
    x, s = design(played), found.ratings / POINTS
    chance = expit(s[played.seeker] - s[6 + played.holder])
    inverse = np.linalg.inv((x.T * (chance * (1 - chance))) @ x)
    cover = covariance(played, found)
    contrast = np.zeros(12)
    contrast[[3, 9]] = 1, -1
    wanted = contrast[1:] @ inverse @ contrast[1:] * POINTS**2
    assert contrast @ cover @ contrast == pytest.approx(wanted, rel=1e-9)
    assert cover.sum(axis=1) == pytest.approx(0.0, abs=1e-7)


def test_robust_errors_know_that_a_match_told_twice_is_one():
    played = simulated(12, n=200)
    twice = played.only(np.repeat(np.arange(200), 2))
    one, two = bradley_terry(played), bradley_terry(twice)
    alone = robust_covariance(played, one)
    assert robust_covariance(twice, two, np.repeat(np.arange(200), 2)) == pytest.approx(alone)
    assert robust_covariance(twice, two) == pytest.approx(alone / 2)
    assert covariance(twice, two) == pytest.approx(covariance(played, one) / 2)


def test_robust_errors_of_weights_do_not_hang_on_their_scale():
    played = simulated(13)
    large = Played(played.seeker, played.holder, played.score, 7 * played.weight, 6)
    covers = [
        robust_covariance(each, bradley_terry(each, weighted=True), weighted=True)
        for each in (played, large)
    ]
    assert covers[0] == pytest.approx(covers[1])


def test_robust_errors_of_one_pair_are_the_binomials():
    played = from_tables([[6]], [[14]])
    found = bradley_terry(played)
    contrast = np.array([-1.0, 1.0])
    wanted = POINTS**2 / (20 * 0.3 * 0.7)
    for cover in (covariance(played, found), robust_covariance(played, found)):
        assert contrast @ cover @ contrast == pytest.approx(wanted)


def test_a_cluster_short_is_refused():
    played = simulated(13)
    with pytest.raises(ValueError, match="lengths must agree"):
        robust_covariance(played, bradley_terry(played), [1, 2])


@pytest.mark.slow
def test_robust_errors_are_the_spread_of_refits():
    players, n, refits = 6, 439, 2000
    strengths = np.random.default_rng(5).normal(0, 0.4, 12)
    played = simulated(14, n=n)
    chance = expit(strengths[played.seeker] - strengths[6 + played.holder] - 0.7)
    rng = np.random.default_rng(6)
    wins = np.zeros((refits, players, players))
    losses = np.zeros_like(wins)
    for lane in range(refits):
        won = rng.random(n) < chance
        again = Played(played.seeker, played.holder, won * 1.0, played.weight, players)
        wins[lane], losses[lane] = tables(again)
    found = bradley_terry_lanes(wins, losses)
    ratings = found.ratings[found.connected]
    gaps = ratings[:, 6:].mean(axis=1) - ratings[:, :6].mean(axis=1)
    one = Played(played.seeker, played.holder, (rng.random(n) < chance) * 1.0, played.weight, 6)
    fitted = bradley_terry(one)
    for cover in (covariance(one, fitted), robust_covariance(one, fitted)):
        assert gap(one, fitted, cover).error == pytest.approx(gaps.std(), rel=0.15)


def test_the_gap_of_players_who_are_alike_is_the_logit_of_the_share():
    played = from_tables([[3] * 3] * 3, [[7] * 3] * 3)
    found = bradley_terry(played)
    said = gap(played, found, covariance(played, found))
    assert said.share == pytest.approx(0.3)
    assert said.value == pytest.approx(said.by_share)
    assert said.value == pytest.approx(POINTS * math.log(7 / 3))
    # With all alike the gap is one binomial's logit.
    assert said.error == pytest.approx(POINTS / math.sqrt(90 * 0.3 * 0.7))


def test_the_gap_of_a_separated_fit_has_no_number_but_its_share():
    played = from_tables([[3]], [[0]])
    found = bradley_terry(played)
    said = gap(played, found, covariance(played, found))
    assert math.isnan(said.value)
    assert math.isnan(said.error)
    assert (said.share, said.by_share) == (1.0, -math.inf)
