"""Ratings with roles exchanged: against the lanes when nobody does, against a plain swap else."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.numbers.ratings.exchanged import rated_exchanged
from audit.numbers.ratings.lanes import Played, rated_lanes

from .test_numbers_lanes import matches


@given(matches(), st.floats(0, 100), st.data())
def test_each_lane_is_the_matches_with_some_swapped(played, k, data):
    n = len(played)
    swaps = np.array(
        [data.draw(st.lists(st.booleans(), min_size=3, max_size=3)) for _ in range(n)], dtype=bool
    ).reshape(n, 3)
    swaps[:, 0] = False
    found = rated_exchanged(played, swaps, k)
    for lane in range(3):
        swap = swaps[:, lane]
        changed = Played.of(
            np.where(swap, played.holder, played.seeker),
            np.where(swap, played.seeker, played.holder),
            np.where(swap, 1.0 - played.score, played.score),
            played.weight,
            played.players,
        )
        wanted = rated_lanes(changed, [k], 0.0)[:, 0]
        assert found[:, lane] == pytest.approx(wanted, abs=1e-9)
    assert found.sum(axis=0) == pytest.approx(0.0, abs=1e-8)


def test_a_coin_for_another_number_of_matches_is_refused():
    played = Played.of([0], [1], [1.0], [1.0], 2)
    for shape in ((2, 3), (1,)):
        with pytest.raises(ValueError, match="must have one row a match"):
            rated_exchanged(played, np.zeros(shape, dtype=bool), 24.0)
