"""Every estimator in one form, their orders of players side by side, and how each is refused."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit
from scipy.stats import kendalltau

from audit.multiverse.choices import Estimator
from audit.multiverse.estimators import ratings_by
from audit.numbers.rating import Carry
from audit.numbers.ratings.compared import ordered_alike
from audit.numbers.ratings.lanes import Played, rated_lanes
from audit.numbers.ratings.table import together

OTHERS = [each for each in Estimator if each is not Estimator.ELO]
FITTED = [
    Estimator.BRADLEY_TERRY,
    Estimator.WEIGHTED_BRADLEY_TERRY,
    Estimator.FIRTH,
    Estimator.DAVIDSON,
]
STRENGTHS = np.array([-1.8, -0.9, 0.0, 0.9, 1.8])


def corpus(seed=0, tournaments=5, each=8, strengths=STRENGTHS):
    """Return tournaments of players who are clearly apart, in both roles."""
    rng, players = np.random.default_rng(seed), len(strengths)
    pairs = [(i, j) for i in range(players) for j in range(players) if i != j] * each
    seeker, holder = np.array(pairs).T
    found = []
    for _ in range(tournaments):
        rows = rng.permutation(len(pairs))
        i, j = seeker[rows], holder[rows]
        won = rng.random(len(pairs)) < expit(strengths[i] - strengths[j] - 0.5)
        found.append(Played.of(i, j, won * 1.0, rng.uniform(0.5, 2, len(pairs)), players))
    return found


@pytest.mark.parametrize("estimator", OTHERS)
@pytest.mark.parametrize("carry", list(Carry))
def test_every_estimator_rates_both_roles_around_0(estimator, carry):
    found = ratings_by(estimator, corpus(), carry)
    assert found.shape == (10,)
    assert found.sum() == pytest.approx(0.0, abs=1e-6)
    assert (found[:5].argsort() == np.arange(5)).all()
    assert (found[5:].argsort() == np.arange(5)).all()
    # Seekers win less than half: Holders stand higher, by hundreds of points at most.
    assert 10 < found[5:].mean() - found[:5].mean() < 300


@pytest.mark.parametrize("estimator", FITTED)
def test_estimators_without_an_order_know_none(estimator):
    parts = corpus(1)
    other = [parts[at].only(np.arange(len(parts[at]))[::-1]) for at in (3, 0, 4, 2, 1)]
    one, two = (
        ratings_by(estimator, parts, Carry.CARRIED),
        ratings_by(estimator, other, Carry.RESET),
    )
    assert one == pytest.approx(two, abs=1e-6)


def test_a_weight_enters_where_the_name_says_so():
    parts = corpus(2)
    even = [Played(p.seeker, p.holder, p.score, np.ones(len(p)), p.players) for p in parts]
    for estimator in OTHERS:
        one, two = (ratings_by(estimator, each, Carry.RESET) for each in (parts, even))
        same = bool(np.abs(one - two).max() < 1e-6)
        assert same == (estimator is not Estimator.WEIGHTED_BRADLEY_TERRY)


def test_with_many_matches_the_estimators_agree_on_gaps():
    parts = corpus(3, tournaments=10, each=30)
    base = ratings_by(Estimator.BRADLEY_TERRY, parts, Carry.CARRIED)
    for estimator in (Estimator.FIRTH, Estimator.DAVIDSON):
        assert ratings_by(estimator, parts, Carry.CARRIED) == pytest.approx(base, abs=5)
    for estimator in (Estimator.GLICKO_2, Estimator.PLACKETT_LUCE, Estimator.TRUE_SKILL):
        found = ratings_by(estimator, parts, Carry.CARRIED)
        assert np.corrcoef(found, base)[0, 1] > 0.97
        assert found.std() == pytest.approx(base.std(), rel=0.35)


UNDEFEATED = [Played.of([0, 0, 1, 1], [0, 1, 0, 1], [1.0, 1.0, 1.0, 0.0], [1.0] * 4, 2)]
APART = [Played.of([0, 0, 1, 1], [0, 0, 1, 1], [1.0, 0.0, 1.0, 0.0], [1.0] * 4, 2)]


@pytest.mark.parametrize("estimator", FITTED)
def test_what_has_no_maximum_is_a_reason(estimator):
    with pytest.raises(ValueError, match="disconnected, never comparable"):
        ratings_by(estimator, APART, Carry.CARRIED)
    if estimator is Estimator.FIRTH:
        assert np.isfinite(ratings_by(estimator, UNDEFEATED, Carry.CARRIED)).all()
    else:
        with pytest.raises(ValueError, match="separated, no finite maximum: undefeated seeker 0"):
            ratings_by(estimator, UNDEFEATED, Carry.CARRIED)


@pytest.mark.parametrize("estimator", [Estimator.TRUE_SKILL, Estimator.PLACKETT_LUCE])
def test_without_its_extra_an_estimator_is_a_reason(estimator, monkeypatch):
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    with pytest.raises(ValueError, match="needs the extra `models`"):
        ratings_by(estimator, corpus(), Carry.RESET)


def test_elo_is_walked_elsewhere():
    with pytest.raises(ValueError, match="elo is walked in lanes"):
        ratings_by(Estimator.ELO, corpus(), Carry.RESET)


def every(parts):
    found = {each.value: ratings_by(each, parts, Carry.CARRIED) for each in OTHERS}
    return found | {Estimator.ELO.value: rated_lanes(together(parts), [24.0], 0.0)[:, 0]}


def test_no_estimator_changes_the_order_of_players_who_are_clearly_apart():
    found = ordered_alike(every(corpus(4, tournaments=5, each=8)), "elo")
    assert len(found) == 2 * len(OTHERS)
    assert all(each.same for each in found)


def test_estimators_do_change_the_order_of_players_who_are_alike():
    changed = [
        each
        for seed in range(5)
        for each in ordered_alike(every(corpus(seed, each=1, strengths=np.zeros(6))), "elo")
        if not each.same
    ]
    assert len(changed) > 10


@given(st.integers(2, 6), st.integers(0, 2**32 - 1))
def test_pairs_in_opposite_order_are_kendalls(players, seed):
    rng = np.random.default_rng(seed)
    one, other = rng.normal(size=(2, 2 * players))
    for found, part in zip(
        ordered_alike({"a": one, "b": other}, "b"),
        (slice(players), slice(players, None)),
        strict=True,
    ):
        assert found.tau == pytest.approx(kendalltau(one[part], other[part]).statistic)
        assert found.same == (not found.swapped)
        for i, j in found.swapped:
            assert (one[part][i] - one[part][j]) * (other[part][i] - other[part][j]) < 0


@settings(max_examples=20)
@given(st.integers(2, 6), st.floats(-100, 100))
def test_a_constant_decides_no_order_and_equals_are_tied(players, more):
    base = np.arange(2.0 * players)
    assert all(each.same for each in ordered_alike({"a": base + more, "b": base}, "b"))
    tied = ordered_alike({"a": np.zeros(2 * players), "b": base}, "b")
    assert all(len(each.tied) == each.pairs and each.tau == 0 for each in tied)


def test_orders_that_cannot_be_compared_are_refused():
    with pytest.raises(ValueError, match="reference must be one of a; found 'b'"):
        ordered_alike({"a": np.zeros(4)}, "b")
    with pytest.raises(ValueError, match="of the same players"):
        ordered_alike({"a": np.zeros(4), "b": np.zeros(6)}, "b")
    assert np.isnan(ordered_alike({"a": np.zeros(2), "b": np.zeros(2)}, "b")[0].tau)
