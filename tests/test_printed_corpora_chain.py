"""Chains over corpora, against every corpus listed; and what tells whether they have mixed."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.signal import lfilter
from scipy.stats import chisquare

from audit.printed.corpora.chain import Chains
from audit.printed.corpora.diagnosis import limits, mixing
from audit.printed.corpora.start import starts
from audit.printed.corpora.target import Target
from tests.tiny_corpora import every_state, fits, margins

# Each with what is by design; the last two have corpora that no two matches alone can join.
CASES = [
    ([("won[x] + won[y]", "2"), ("turns", "3")], []),
    ([("turns / (won[x] + won[y])", "1.5")], ["void[x] = 0"]),
    ([], ["won[x] = 2 * void[x]", "won[y] = 2 * void[y]", "early = won[x] + won[y]"]),
    ([("won[x] + won[y] + void[x] + void[y]", "4")], ["won[x] = void[y]", "won[y] = void[x]"]),
]


@pytest.mark.parametrize("case", range(len(CASES)))
def test_every_corpus_is_visited_as_often_as_any_other(case):
    told, rng = margins(*CASES[case]), np.random.default_rng(case)
    corpora = [tuple(s) for s in every_state(told.layout) if fits(told, s)]
    assert len(corpora) > 3
    first = starts(told, (), 1, rng)  # all begin in one place
    chains = Chains(Target.of(told, ()), np.repeat(first, 300, axis=0), rng)
    seen = chains.visits(6, 600)[:, -1]
    counts = [int((seen == corpus).all(axis=1).sum()) for corpus in corpora]
    assert sum(counts) == len(seen)  # nothing else is taken
    assert chisquare(counts).pvalue > 1e-3


def test_the_breach_is_zero_where_everything_kept_holds_and_nowhere_else():
    told = margins(*CASES[0])
    target, states = Target.of(told, ()), every_state(told.layout)
    breach = target.breach(target.sums(states))
    assert ((breach == 0.0) == [fits(told, state) for state in states]).all()
    target = Target.of(told, ("p1",))
    breach = target.breach(target.sums(states))
    assert ((breach == 0.0) == [fits(told, state, ("p1",)) for state in states]).all()


def test_sums_are_kept_up_to_date():
    told, rng = margins(*CASES[0]), np.random.default_rng(0)
    chains = Chains(Target.of(told, ()), np.repeat(starts(told, (), 2, rng), 3, axis=0), rng)
    for _ in range(20):
        chains.walk(30)
        chains.pool()
        chains.exchange()
    own = chains.target.breach(chains.target.sums(chains.endings))
    assert (chains.fits == (own[: chains.chains] == 0.0)).all()


def test_a_chain_that_nothing_holds_says_so():
    told = margins([("won[x]", "1"), ("won[x]", "2")])
    states = every_state(told.layout)[:2]
    chains = Chains(Target.of(told, ()), states, np.random.default_rng(0))
    with pytest.raises(ValueError, match="must return to the margins kept, a chain was there at 0"):
        chains.visits(1, 20)


def test_a_seed_decides_a_chain():
    told = margins(*CASES[0])

    def drawn():
        rng = np.random.default_rng(3)
        chains = Chains(Target.of(told, ()), np.repeat(starts(told, (), 1, rng), 2, axis=0), rng)
        return chains.visits(3, 20)

    assert (drawn() == drawn()).all()


def test_independent_draws_are_worth_their_number():
    rng = np.random.default_rng(0)
    found = mixing(rng.normal(size=(4, 500)))
    assert abs(found.r_hat - 1.0) < 0.01
    assert not found.poor
    assert 0.8 * 2000 < found.ess < 1.25 * 2000


@pytest.mark.parametrize("rho", [0.5, 0.9])
def test_the_effective_size_of_an_autoregression(rho):
    rng = np.random.default_rng(1)
    steps = rng.normal(size=(8, 2000)) * math.sqrt(1 - rho**2)
    steps[:, 0] = rng.normal(size=8)
    values = lfilter([1.0], [1.0, -rho], steps, axis=1)
    found = mixing(values)
    assert found.ess == pytest.approx(values.size * (1 - rho) / (1 + rho), rel=0.2)
    assert found.poor  # independent draws would be worth more


def test_chains_apart_are_told():
    rng = np.random.default_rng(2)
    found = mixing(rng.normal(size=(4, 50)) + np.arange(4)[:, None])
    assert found.r_hat > 1.4
    assert found.poor
    spread = mixing(rng.normal(size=(4, 50)) * np.array([[1], [1], [1], [10]]))
    assert spread.r_hat > 1.1
    assert spread.poor


def test_what_never_moves_is_not_judged():
    found = mixing(np.ones((3, 8)))
    assert math.isnan(found.r_hat)
    assert not found.poor
    assert math.isinf(mixing(np.repeat([[0.0], [1.0]], 8, axis=1)).r_hat)


def test_limits_are_passed_once_in_a_hundred():
    rng = np.random.default_rng(5)
    most, least = limits(8, 6)
    found = [mixing(rng.normal(size=(8, 6))) for _ in range(400)]
    assert np.mean([one.r_hat > most for one in found]) < 0.03
    assert np.mean([one.ess < least for one in found]) < 0.03


def test_too_few_draws():
    with pytest.raises(ValueError, match=r"must have shape \(chains, 4 or more\)"):
        mixing(np.zeros((3, 3)))
