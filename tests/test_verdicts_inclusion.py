from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.verdicts.inclusion import Allocation, allocate, draw_one_a_match, one_a_match


@pytest.mark.parametrize(
    ("sizes", "n", "allocation", "minimum", "expected"),
    [
        ([60, 30, 10], 10, Allocation.PROPORTIONAL, 1, [6, 3, 1]),
        ([90, 9, 1], 10, Allocation.PROPORTIONAL, 1, [8, 1, 1]),
        ([90, 9, 1], 10, Allocation.PROPORTIONAL, 3, [6, 3, 1]),
        ([60, 30, 10], 9, Allocation.EQUAL, 1, [3, 3, 3]),
        ([60, 30, 2], 12, Allocation.EQUAL, 1, [5, 5, 2]),
        ([2, 2], 4, Allocation.EQUAL, 1, [2, 2]),
    ],
)
def test_allocations_worked_by_hand(sizes, n, allocation, minimum, expected):
    assert list(allocate(np.array(sizes), n, allocation, minimum)) == expected


@given(
    st.lists(st.integers(1, 40), min_size=1, max_size=8),
    st.sampled_from(list(Allocation)),
    st.integers(1, 5),
    st.data(),
)
def test_allocations_fill_up_within_bounds(sizes, allocation, minimum, data):
    sizes = np.array(sizes)
    least = int(np.minimum(sizes, minimum).sum())
    n = data.draw(st.integers(least, int(sizes.sum())))
    counts = allocate(sizes, n, allocation, minimum)
    assert counts.sum() == n
    assert (counts <= sizes).all()
    assert (counts >= np.minimum(sizes, minimum)).all()


@given(
    st.lists(st.lists(st.floats(0.01, 1), min_size=1, max_size=6), min_size=1, max_size=12),
    st.data(),
)
def test_probabilities_of_one_a_match_add_up_and_are_drawn_once(matches, data):
    plain = np.array([p for match in matches for p in match])
    match = np.repeat(np.arange(len(matches)), [len(m) for m in matches])
    n = data.draw(st.integers(1, len(matches)))
    probability = one_a_match(plain, match, n)
    sums = np.bincount(match, weights=probability)
    assert probability.sum() == pytest.approx(n)
    assert (probability > 0).all()
    assert (sums <= 1 + 1e-9).all()
    # Ratios stay as they were within a match, and between matches that are not certain.
    ratio = probability / plain
    assert ratio == pytest.approx((sums / np.bincount(match, weights=plain))[match])
    loose = ratio[sums[match] < 1 - 1e-9]
    assert loose.size == 0 or np.ptp(loose) <= 1e-9 * loose.max()
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    drawn = draw_one_a_match(probability, match, rng)
    assert len(set(match[drawn].tolist())) == len(drawn) == n
