"""Bounds of matches that a lock or a first guess ends: closed forms, couplings, brute force."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.numbers.estimate import Undefined
from audit.numbers.locked_bounds import PASSED, Ending, Locked, locked_right, locked_won, stopped
from audit.numbers.recovery import CellLimits
from audit.numbers.two_phase import Checked

few = settings(max_examples=60, deadline=None)
LIMITS = {"level": 0.95, "method": CellLimits.JEFFREYS}
RIGHT, WRONG, STOPPED, GIVEN = (PASSED.index(ending) for ending in Ending)
share = st.floats(0.0, 1.0)


def locked(ending, passed, won=None):
    ending = np.array(ending)
    no = np.zeros(len(ending), dtype=bool)
    return Locked(
        ending,
        np.array(passed),
        no if won is None else np.array(won),
        np.arange(len(ending)),
    )


def known(shares, size=1e12):
    return Checked(np.array(shares, dtype=float), np.full(len(shares), size))


def three(matches, right, guess):
    return (
        locked_won(matches, right, guess, **LIMITS),
        locked_right(matches, right, guess, **LIMITS),
        stopped(matches, guess, **LIMITS),
    )


MIXED = locked(
    [RIGHT, RIGHT, WRONG, STOPPED, STOPPED, GIVEN, GIVEN],
    [3, 5, 2, 1, 4, 2, 0],
    won=[False] * 5 + [True, False],
)
AS_RULED = known([1, 0]), known([1, 0, 0, 0, 0])


def test_people_who_agree_with_the_arbiter_leave_every_share():
    for found, ruled in zip(three(MIXED, *AS_RULED), (3, 2, 2), strict=True):
        assert found.least.value == found.most.value == pytest.approx(ruled / 7)


def test_a_wrong_stop_opens_its_match_to_both_sides():
    won, right, stop = three(MIXED, known([1, 0]), known([0, 0, 0, 0, 0]))
    assert (won.least.value, won.most.value) == pytest.approx((3 / 7, 5 / 7))
    assert (right.least.value, right.most.value) == pytest.approx((2 / 7, 4 / 7))
    assert (stop.least.value, stop.most.value) == pytest.approx((0.0, 2 / 7))


def test_an_overturned_lock_gives_its_match_to_the_other_side():
    won, _, stop = three(MIXED, known([0.5, 1.0]), AS_RULED[1])
    assert won.least.value == won.most.value == pytest.approx((1 + 2 * 0.5 + 1) / 7)
    assert stop.most.value == pytest.approx(2 / 7)


@few
@given(share, share, st.integers(1, 4), st.integers(2, 5))
def test_no_coupling_of_right_locks_and_missed_guesses_lies_outside(right, missed, turns, matches):
    """Misses of one message do not hang on those of another; locks may hang on misses anyhow."""
    held = 1 - (1 - missed) ** turns
    same = locked([RIGHT] * matches, [turns] * matches)
    won, _, stop = three(same, known([right, 0]), known([1, missed, 0, 0, 0]))
    for both in (max(0.0, right - held), right * (1 - held), min(right, 1 - held)):
        assert won.least.value - 1e-9 <= both <= won.most.value + 1e-9
    assert won.least.value == pytest.approx(max(0.0, right - held), abs=1e-9)
    assert stop.most.value == pytest.approx(held, abs=1e-9)
    assert stop.least.value <= held + 1e-9


RECORD = locked([RIGHT, WRONG, STOPPED, STOPPED], [2, 1, 1, 1])
EITHER = (False, True)


def truths():
    """Yield all ways in which locks, guesses and messages passed may truly be."""
    for locks, guess in product(product(EITHER, repeat=2), repeat=2):
        for missed in product(*(product(EITHER, repeat=int(n)) for n in RECORD.passed)):
            yield locks, guess, missed


def by_the_rules(locks, guess, missed, later):
    """Return how many are won and stopped; what is open goes the way that ``later`` says."""
    won = stops = 0
    for place, before in enumerate(missed):
        if any(before):
            stops += 1
        elif place < 2:
            won += locks[place]
        elif guess[place - 2]:
            stops += 1
        else:
            won += later == "won"
            stops += later == "stopped"
    return won / 4, stops / 4


def test_whatever_is_true_the_least_and_most_of_the_rules_lie_within():
    """Misses that repel one another are supposed away: more matches would then hold one."""
    looked_at = 0
    for locks, guess, missed in truths():
        groups = [(0,), (1,), (2, 3)]
        rates = [np.mean([one for i in group for one in missed[i]]) for group in groups]
        right, all_guesses = known(locks), known([np.mean(guess), *rates, 0.0])
        won = locked_won(RECORD, right, all_guesses, **LIMITS)
        stop = stopped(RECORD, all_guesses, **LIMITS)
        assert won.most.value >= by_the_rules(locks, guess, missed, "won")[0] - 1e-9
        least = by_the_rules(locks, guess, missed, "lost")
        assert stop.least.value <= least[1] + 1e-9
        held = [sum(any(missed[i]) for i in group) for group in groups]
        spread = [
            sum(1 - (1 - rate) ** RECORD.passed[i] for i in group)
            for rate, group in zip(rates, groups, strict=True)
        ]
        if all(one <= other + 1e-9 for one, other in zip(held, spread, strict=True)):
            looked_at += 1
            assert won.least.value <= least[0] + 1e-9
            most = by_the_rules(locks, guess, missed, "stopped")[1]
            assert stop.most.value >= most - 1e-9
    assert looked_at > 200


@few
@given(st.lists(share, min_size=7, max_size=7), st.integers(0, 6), share)
def test_bounds_are_in_order_and_fall_in_no_cell_that_helps(shares, cell, other):
    won, right, stop = three(MIXED, known(shares[:2]), known(shares[2:]))
    for found in (won, right, stop):
        assert -1e-9 <= found.least.value <= found.most.value + 1e-9
        assert found.most.value <= 1 + 1e-9
        assert found.interval.low <= found.least.value + 1e-6
    assert right.least.value <= won.least.value + 1e-9
    moved = list(shares)
    moved[cell] = max(shares[cell], other) if cell < 2 else min(shares[cell], other)
    again, _, fewer = three(MIXED, known(moved[:2]), known(moved[2:]))
    for name in ("least", "most"):
        assert getattr(again, name).value >= getattr(won, name).value - 1e-9
        assert getattr(fewer, name).value <= getattr(stop, name).value + 1e-9


def test_a_cell_without_labels_is_taken_at_its_worst():
    nothing = Checked(np.full(2, np.nan), np.zeros(2)), Checked(np.full(5, np.nan), np.zeros(5))
    for found in three(MIXED, *nothing):
        assert found.interval.low == pytest.approx(0.0)
        assert found.interval.high > 0.7
    won = locked_won(MIXED, nothing[0], AS_RULED[1], **LIMITS)
    assert (won.least.value, won.most.value) == pytest.approx((1 / 7, 4 / 7))


@pytest.mark.parametrize(("size", "reason"), [(0, Undefined.EMPTY), (1, Undefined.TOO_FEW)])
def test_fewer_than_two_matches_are_undefined(size, reason):
    none = locked(np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64))
    for found in three(none, *AS_RULED):
        assert found.least.reason is reason
        assert (found.interval.low, found.interval.high) == (0.0, 1.0)
