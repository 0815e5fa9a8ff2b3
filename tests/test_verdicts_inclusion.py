from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.verdicts.inclusion import (
    Allocation,
    allocate,
    allotted,
    entered_one_a_match,
    entered_plain,
    one_a_match,
)


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
    shares = st.lists(st.floats(0, 1), min_size=len(sizes), max_size=len(sizes))
    counts = allocate(sizes, n, allocation, minimum, np.array(data.draw(shares)))
    assert counts.sum() == n
    assert (counts <= sizes).all()
    assert (counts >= np.minimum(sizes, minimum)).all()


@given(
    st.lists(
        st.tuples(st.integers(1, 9), st.floats(0, 1).map(lambda p: round(p, 2))),
        min_size=1,
        max_size=3,
    ),
    st.data(),
)
def test_neymans_allocation_has_the_least_variance_of_all(strata, data):
    sizes = np.array([size for size, _ in strata])
    chances = np.array([chance for _, chance in strata])
    n = data.draw(st.integers(len(sizes), int(sizes.sum())))
    spread = (sizes * np.sqrt(chances * (1 - chances))) ** 2
    counts = allocate(sizes, n, Allocation.NEYMAN, 1, chances)
    others = [
        float((spread / np.array(other)).sum())
        for other in product(*(range(1, size + 1) for size in sizes))
        if sum(other) == n
    ]
    assert (spread / counts).sum() <= min(others) * (1 + 1e-9) + 1e-12


def test_neymans_allocation_worked_by_hand():
    # N·S: 90·√(.01·.99) = 8.95, 10·√(.5·.5) = 5: about 64 : 36 of 14.
    sizes, chances = np.array([90, 10]), np.array([0.01, 0.5])
    assert list(allocate(sizes, 14, Allocation.NEYMAN, 1, chances)) == [9, 5]


def test_neymans_allocation_is_no_rounding_of_its_shares():
    # N·S 7.5 and 2. 56.25/5 + 4/2 = 13.25 beats 56.25/6 + 4/1 = 13.375; the shares are 5.5 : 1.5.
    sizes, chances = np.array([15, 4]), np.array([0.5, 0.5])
    assert list(allocate(sizes, 7, Allocation.NEYMAN, 1, chances)) == [5, 2]
    assert list(allocate(sizes, 7, Allocation.PROPORTIONAL, 1)) == [6, 1]


def test_strata_that_cannot_vary_are_shared_by_size():
    sizes, chances = np.array([60, 30, 10]), np.array([0.0, 1.0, 0.0])
    assert list(allocate(sizes, 10, Allocation.NEYMAN, 1, chances)) == [6, 3, 1]


@pytest.mark.parametrize(("chances", "minimum"), [(None, 1), (np.array([0.5]), 0)])
def test_neymans_allocation_needs_chances_and_a_minimum(chances, minimum):
    with pytest.raises(ValueError, match="needs `chances` and a `minimum` of at least 1"):
        allocate(np.array([4]), 2, Allocation.NEYMAN, minimum, chances)


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
    entered = entered_one_a_match(plain, match, rng)
    assert sorted(match[entered].tolist()) == list(range(len(matches)))


@given(
    st.lists(st.integers(1, 20), min_size=1, max_size=6),
    st.sampled_from(list(Allocation)),
    st.integers(1, 4),
    st.data(),
)
def test_a_larger_number_takes_no_stratum_anything_away(sizes, allocation, minimum, data):
    sizes = np.array(sizes)
    chances = np.full(len(sizes), 0.3)
    every = allotted(sizes, int(sizes.sum()), allocation, minimum, chances)
    assert list(np.bincount(every, minlength=len(sizes))) == list(sizes)
    n = data.draw(st.integers(int(np.minimum(sizes, minimum).sum()), int(sizes.sum())))
    counts = allocate(sizes, n, allocation, minimum, chances)
    assert list(np.bincount(every[:n], minlength=len(sizes))) == list(counts)


def test_a_plain_order_of_entry_holds_everything_once_and_strata_by_turn():
    strata = [np.array([0, 3, 4]), np.array([1, 2, 5, 6])]
    turns = np.array([0, 1, 1, 0, 1, 0, 1])
    entered = entered_plain(strata, turns, np.random.default_rng(1))
    assert sorted(entered.tolist()) == list(range(7))
    assert [int(place in strata[1]) for place in entered] == turns.tolist()


def test_at_every_size_an_item_is_in_as_often_as_its_probability_says():
    # One match so long that it is certain from three on, one certain at the end alone.
    lengths, draws = [20, 6, 4, 3, 2, 1], 4_000
    plain = np.concatenate([np.linspace(0.1, 0.3, length) for length in lengths])
    match = np.repeat(np.arange(6), lengths)
    seen = np.zeros((6, len(plain)))
    rng = np.random.default_rng(3)
    for _ in range(draws):
        entered = entered_one_a_match(plain, match, rng)
        for n in range(1, 7):
            seen[n - 1, entered[:n]] += 1
    for n in range(1, 7):
        p = one_a_match(plain, match, n)
        slack = 5 * np.sqrt(p * (1 - p) / draws) + 1e-9
        assert (abs(seen[n - 1] / draws - p) <= slack).all(), n


def test_two_matches_of_three_are_drawn_as_worked_by_hand():
    # Sizes 3, 2, 1. Of two: c = 1/3, so P = 1, 2/3, 1/3: the first stays, the others go 1 : 2.
    # Of one: P = 1/2, 1/3, 1/6. So of {0, 1} the first goes by 1/2, of {0, 2} by 1/2 likewise.
    match, draws = np.arange(3), 20_000
    rng = np.random.default_rng(5)
    orders = {}
    for _ in range(draws):
        order = tuple(entered_one_a_match(np.array([0.75, 0.5, 0.25]), match, rng).tolist())
        orders[order] = orders.get(order, 0) + 1
    expected = {(0, 1, 2): 1 / 3, (1, 0, 2): 1 / 3, (0, 2, 1): 1 / 6, (2, 0, 1): 1 / 6}
    assert orders.keys() == expected.keys()
    for order, p in expected.items():
        assert abs(orders[order] / draws - p) < 5 * np.sqrt(p * (1 - p) / draws)
