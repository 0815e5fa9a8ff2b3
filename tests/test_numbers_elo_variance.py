"""How outcomes move ratings: a numerical derivative, single outcomes turned, simulated variance."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.numbers.elo_variance import pulls
from audit.numbers.rating import Carry, dual_elo

few = settings(max_examples=25, deadline=None)
PLAYERS, MATCHES = 3, 24


def study(seed, k=24.0):
    rng = np.random.default_rng(seed)
    seeker = rng.integers(PLAYERS, size=MATCHES)
    holder = (seeker + rng.integers(1, PLAYERS, size=MATCHES)) % PLAYERS
    return seeker, holder, rng.random(MATCHES) < 0.4, k * rng.uniform(0.2, 2.0, MATCHES)


def walked(seeker, holder, won, pace, rows):
    """Return final ratings by a walk of its own, in which an outcome may be anything."""
    c, v = np.full(PLAYERS, 1500.0), np.full(PLAYERS, 1500.0)
    for row in rows:
        i, j = seeker[row], holder[row]
        step = pace[row] * (won[row] - 1 / (1 + 10 ** ((v[j] - c[i]) / 400)))
        c[i] += step
        v[j] -= step
    return np.concatenate([c, v])


def found(seeker, holder, won, pace, seasons=None):
    played = dual_elo(
        seeker, holder, won, pace, players=PLAYERS, k=1.0, start=1500.0, carry=Carry.CARRIED
    )
    every = [np.arange(MATCHES)] if seasons is None else seasons
    return pulls(seeker, holder, played.expected, pace, players=PLAYERS, seasons=every)


@few
@given(st.integers(0, 10_000), st.integers(0, MATCHES - 1))
def test_pulls_are_the_derivative_of_the_walk(seed, row):
    seeker, holder, won, pace = study(seed)
    moved = found(seeker, holder, won, pace)
    up, down = won.astype(float), won.astype(float)
    up[row] += 1e-4
    down[row] -= 1e-4
    every = range(MATCHES)
    slope = walked(seeker, holder, up, pace, every) - walked(seeker, holder, down, pace, every)
    assert np.concatenate([moved.seeker[:, row], moved.holder[:, row]]) == pytest.approx(
        slope / 2e-4, abs=1e-5
    )


@few
@given(st.integers(0, 10_000))
def test_what_one_role_gains_the_other_loses(seed):
    moved = found(*study(seed))
    assert moved.seeker.sum(axis=0) == pytest.approx(-moved.holder.sum(axis=0))


def test_seasons_start_anew_and_are_averaged():
    seeker, holder, won, pace = study(3)
    halves = [np.arange(0, MATCHES, 2), np.arange(1, MATCHES, 2)]
    played = dual_elo(
        seeker,
        holder,
        won,
        pace,
        players=PLAYERS,
        k=1.0,
        start=1500.0,
        carry=Carry.RESET,
        tournament=np.arange(MATCHES) % 2,
    )
    moved = pulls(seeker, holder, played.expected, pace, players=PLAYERS, seasons=halves)
    up = won.astype(float)
    up[5] += 1e-4
    before, after = (
        np.mean([walked(seeker, holder, w, pace, rows) for rows in halves], axis=0)
        for w in (won.astype(float), up)
    )
    got = np.concatenate([moved.seeker[:, 5], moved.holder[:, 5]])
    assert got == pytest.approx((after - before) / 1e-4, abs=1e-2)


@pytest.mark.parametrize("chance", [0.1, 0.5])
def test_the_variance_is_that_of_matches_played_again(chance):
    """Within what 4,000 replays can tell and what linearity leaves out: a tenth."""
    seeker, holder, _, pace = study(1)
    rng = np.random.default_rng(2)
    replayed = rng.random((4_000, MATCHES)) < chance
    ends = np.array([walked(seeker, holder, won, pace, range(MATCHES)) for won in replayed])
    gap = np.repeat([[-1 / PLAYERS], [1 / PLAYERS]], PLAYERS, axis=1)
    outcome = np.full(MATCHES, chance * (1 - chance))
    varied = np.mean(
        [found(seeker, holder, won, pace).variance(gap, outcome) for won in replayed[:50]]
    )
    assert varied == pytest.approx((ends @ gap.ravel()).var(), rel=0.1)
    first = np.zeros((2, PLAYERS))
    first[0, 0] = 1.0
    own = found(seeker, holder, replayed[0], pace).variance(first, outcome)
    assert own == pytest.approx(ends[:, 0].var(), rel=0.1)


def test_what_is_not_allowed_is_refused():
    with pytest.raises(ValueError, match="lengths must agree"):
        pulls([0, 1], [1, 0], [0.5], [24.0, 24.0], players=2, seasons=[])
    with pytest.raises(ValueError, match=r"seeker must lie in \[0, 2\), found 2"):
        pulls([2], [0], [0.5], [24.0], players=2, seasons=[])
