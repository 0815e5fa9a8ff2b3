"""Ratings by other estimators over resampled tournaments: every ordered sequence one by one, other
libraries on single resamples, and separation in a resample."""

from __future__ import annotations

from itertools import product

import choix
import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from audit.multiverse.choices import Estimator
from audit.multiverse.estimators import has_law, ratings_by, resampled_by
from audit.multiverse.quantities import gap, sd_seeker
from audit.numbers.rating import Carry
from audit.numbers.ratings.bradley_terry import bradley_terry_lanes
from audit.numbers.ratings.davidson import davidson, davidson_lanes
from audit.numbers.ratings.glicko import glicko_2
from audit.numbers.ratings.lanes import Played
from audit.numbers.ratings.table import block_tables, tables, together
from audit.numbers.ratings.ties import resampled_ties
from audit.numbers.ratings.tournaments import multisets
from audit.numbers.resampling.asked import found_of
from audit.numbers.resampling.coverage import Method
from audit.numbers.resampling.law import Engine
from audit.numbers.resampling.many import ManyLaws
from audit.numbers.resampling.rated import mean_of
from audit.numbers.resampling.refitted import anew, carried_on, fitted

PLAYERS = 3
POINTS = 400.0 / np.log(10.0)
FITTED = (
    Estimator.BRADLEY_TERRY,
    Estimator.WEIGHTED_BRADLEY_TERRY,
    Estimator.FIRTH,
    Estimator.DAVIDSON,
)
ONLINE = (Estimator.GLICKO_2, Estimator.TRUE_SKILL, Estimator.PLACKETT_LUCE)


def tournaments(count, seed, *, each=10, won=0.4, tied=0.0):
    """Return tournaments in which every ordered pair meets some times."""
    rng = np.random.default_rng(seed)
    pairs = [(i, j) for i in range(PLAYERS) for j in range(PLAYERS) if i != j] * each
    found = []
    for _ in range(count):
        seeker, holder = rng.permutation(pairs).T
        score = (rng.random(len(pairs)) < won) * 1.0
        score[rng.random(len(pairs)) < tied] = 0.5
        found.append(Played.of(seeker, holder, score, rng.uniform(0.2, 2, len(pairs)), PLAYERS))
    return found


def never_won_but_once(count, seed):
    """Return tournaments in which Seeker 0 wins in the last one alone."""
    found = []
    for number, one in enumerate(tournaments(count, seed)):
        score = one.score.copy()
        score[one.seeker == 0] = 0.0
        if number == count - 1:
            score[np.flatnonzero(one.seeker == 0)[0]] = 1.0
        found.append(Played.of(one.seeker, one.holder, score, one.weight, one.players))
    return found


def sequences_of(count):
    """Yield every sequence, with the place of its multiset."""
    counts, _ = multisets(count)
    places = {tuple(row): at for at, row in enumerate(counts.tolist())}
    for sequence in product(range(count), repeat=count):
        yield sequence, places[tuple(np.bincount(sequence, minlength=count))]


@pytest.mark.parametrize("make", [tournaments, never_won_but_once])
def test_bradley_terry_over_multisets_is_every_one_of_3125_sequences(make):
    some = make(5, 3)
    part = resampled_by(Estimator.BRADLEY_TERRY, some, Carry.CARRIED)
    assert (part.engine, part.ratings.shape[1]) == (Engine.ENUMERATED, 126)
    sequences, places = zip(*sequences_of(5), strict=True)
    both = [tables(together([some[t] for t in sequence])) for sequence in sequences]
    every = bradley_terry_lanes(*np.array(both).swapaxes(0, 1)).ratings
    assert every == pytest.approx(part.ratings[:, places, 0].T, rel=1e-12, nan_ok=True)
    met = np.bincount(places) / 3_125
    assert part.probability == pytest.approx(met, abs=1e-12)
    for quantity in (gap, sd_seeker):
        brute = ManyLaws.of(quantity(every)[None])
        told = found_of(part, quantity)
        span = brute.percentile(0.95)
        assert told.limits[Method.PERCENTILE].low == pytest.approx(span.low, rel=1e-12)
        assert told.limits[Method.PERCENTILE].high == pytest.approx(span.high, rel=1e-12)
        assert told.undefined == pytest.approx(1.0 - brute.defined, abs=1e-12)
        half = told.limits[Method.STUDENT].high - told.value
        same = brute.student(told.value, 5, 0.95).high - told.value
        assert half == pytest.approx(same, rel=1e-12)
    missed = (4 / 5) ** 5 if make is never_won_but_once else 0.0
    assert told.undefined[0] == pytest.approx(missed, abs=1e-12)


@pytest.mark.parametrize("estimator", FITTED)
def test_every_multiset_is_a_fit_of_its_matches(estimator):
    some = tournaments(4, 8, tied=0.2 if estimator is Estimator.DAVIDSON else 0.0)
    part = resampled_by(estimator, some, Carry.RESET)
    counts, _ = multisets(4)
    for place, row in enumerate(counts.tolist()):
        drawn = [some[t] for t, times in enumerate(row) for _ in range(times)]
        expected = ratings_by(estimator, drawn, Carry.RESET)
        assert part.ratings[:, place, 0] == pytest.approx(expected, abs=1e-6)
    assert part.whole[:, 0] == pytest.approx(ratings_by(estimator, some, Carry.RESET), abs=1e-6)
    for without, left in enumerate(part.left_out[0]):
        others = [each for t, each in enumerate(some) if t != without]
        assert left[:, 0] == pytest.approx(ratings_by(estimator, others, Carry.RESET), abs=1e-6)


@pytest.mark.parametrize("place", [0, 17, 60, 101, 125])
def test_single_resamples_against_choix_and_statsmodels(place):
    some = tournaments(5, 12)
    counts, _ = multisets(5)
    drawn = together([some[t] for t, n in enumerate(counts[place]) for _ in range(n)])
    won = drawn.score == 1.0
    first, second = drawn.seeker, drawn.holder + PLAYERS
    plain = resampled_by(Estimator.BRADLEY_TERRY, some, Carry.RESET).ratings[:, place, 0]
    pairs = np.where(won[:, None], np.stack([first, second], 1), np.stack([second, first], 1))
    theirs = choix.ilsr_pairwise(2 * PLAYERS, pairs.tolist(), alpha=0.0, tol=1e-10)
    assert plain == pytest.approx((theirs - theirs.mean()) * POINTS, abs=1e-5)
    design = np.zeros((len(won), 2 * PLAYERS))
    design[np.arange(len(won)), first], design[np.arange(len(won)), second] = 1.0, -1.0
    model = sm.GLM(drawn.score, design[:, 1:], sm.families.Binomial(), freq_weights=drawn.weight)
    theirs = np.append(0.0, model.fit(tol=1e-12, maxiter=200).params)
    weighted = resampled_by(Estimator.WEIGHTED_BRADLEY_TERRY, some, Carry.RESET)
    ours = weighted.ratings[:, place, 0]
    assert ours == pytest.approx((theirs - theirs.mean()) * POINTS, abs=1e-5)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.1, 0.6]), st.integers(1, 2))
def test_davidson_side_by_side_is_davidson_one_by_one(seed, tied, each):
    some = tournaments(3, seed, each=each, tied=tied, won=0.3)
    counts, _ = multisets(3)
    lanes = davidson_lanes(resampled_ties(some, counts))
    for place, row in enumerate(counts.tolist()):
        one = davidson(together([some[t] for t, n in enumerate(row) for _ in range(n)]))
        finite = np.isfinite(one.ratings).all()
        assert lanes.connected[place] == finite
        assert lanes.converged[place] == one.converged
        if finite:
            assert lanes.ratings[place] == pytest.approx(one.ratings, abs=1e-7)
        else:
            assert np.isnan(lanes.ratings[place]).all()


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.booleans(), st.lists(st.integers(0, 3), min_size=3, max_size=3))
def test_tables_of_resampled_tournaments_are_those_of_their_matches(seed, weighted, row):
    assume(any(row))
    some = tournaments(3, seed, tied=0.2)
    drawn = together([some[t] for t, n in enumerate(row) for _ in range(n)])
    for found, expected in zip(
        block_tables(some, [row], weighted=weighted), tables(drawn, weighted=weighted), strict=True
    ):
        assert found[0] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("estimator", ONLINE)
def test_what_starts_anew_is_the_mean_over_each_multiset(estimator):
    some = tournaments(3, 5)
    part = resampled_by(estimator, some, Carry.RESET)
    counts, probability = multisets(3)
    assert part.probability == pytest.approx(probability)
    for place, row in enumerate(counts.tolist()):
        drawn = [some[t] for t, n in enumerate(row) for _ in range(n)]
        expected = ratings_by(estimator, drawn, Carry.RESET)
        assert part.ratings[:, place, 0] == pytest.approx(expected, abs=1e-9)


def test_glicko_2_carried_on_is_every_sequence_walked_by_itself():
    some = tournaments(3, 6)
    part = resampled_by(Estimator.GLICKO_2, some, Carry.CARRIED)
    assert (part.engine, part.probability) == (Engine.SEQUENCES, None)
    for place, sequence in enumerate(product(range(3), repeat=3)):
        expected = glicko_2([some[t] for t in sequence], Carry.CARRIED)
        assert part.ratings[:, place, 0] == pytest.approx(expected, abs=1e-6)
    assert part.whole[:, 0] == pytest.approx(glicko_2(some, Carry.CARRIED), abs=1e-6)
    for without, left in enumerate(part.left_out[0]):
        others = [each for t, each in enumerate(some) if t != without]
        assert left[:, 0] == pytest.approx(glicko_2(others, Carry.CARRIED), abs=1e-6)


def test_what_online_updates_carried_on_have_no_law_of():
    lacking = [(one, carry) for one in Estimator for carry in Carry if not has_law(one, carry)]
    assert (Estimator.TRUE_SKILL, Carry.CARRIED) in lacking
    assert (Estimator.PLACKETT_LUCE, Carry.CARRIED) in lacking
    assert not any(carry is Carry.RESET or one in FITTED for one, carry in lacking)
    with pytest.raises(ValueError, match="true_skill carried on has no law of resampled"):
        resampled_by(Estimator.TRUE_SKILL, tournaments(2, 0), Carry.CARRIED)


def test_the_mean_of_two_experiments_is_every_pair_and_multiplies_what_is_defined():
    one = resampled_by(Estimator.BRADLEY_TERRY, never_won_but_once(5, 1), Carry.RESET)
    other = resampled_by(Estimator.BRADLEY_TERRY, never_won_but_once(4, 2), Carry.RESET)
    told = found_of(mean_of(one, other, np.random.default_rng(0)), gap, linear=True)
    assert (told.engine, told.atoms) == (Engine.ENUMERATED, 126 * 35)
    kept = (1 - (4 / 5) ** 5) * (1 - (3 / 4) ** 4)
    assert told.undefined[0] == pytest.approx(1 - kept, abs=1e-12)


def test_what_is_always_defined_has_no_undefined_mass_by_rounding():
    part = resampled_by(Estimator.FIRTH, tournaments(5, 4), Carry.RESET)
    assert found_of(part, gap).undefined[0] == 0.0


@pytest.mark.parametrize("count", [1, 10])
def test_too_few_and_too_many_tournaments(count):
    ends = np.zeros((count, 2 * PLAYERS))
    why = "at least two tournaments, found 1" if count == 1 else "have 92378 resamples, more than"
    with pytest.raises(ValueError, match=why):
        anew(ends)
    with pytest.raises(ValueError, match=why):
        fitted(count, lambda counts: counts @ ends)
    why = why if count == 1 else "have 10000000000 resamples, more than"
    with pytest.raises(ValueError, match=why):
        carried_on(count, ends.T[None, :, :1], lambda state, _: state, lambda state: state[0])
