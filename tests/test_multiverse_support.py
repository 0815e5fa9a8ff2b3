"""How far specifications agree: shares, conditions, drivers and nearest failures by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import spearmanr

from audit.claims.region import read_region
from audit.multiverse import quantities
from audit.multiverse.choices import Order
from audit.multiverse.support import FEWEST, Tried, agreement_on, drivers
from audit.numbers.rating import Carry

from .test_multiverse_specification import BASE

POSITIVE = read_region("> 0")


def tried(*changes):
    return Tried.of([replace(BASE, **change) for change in changes], BASE)


def everything(values):
    return np.ones(len(values), dtype=bool)


def test_a_share_is_of_the_specifications_with_a_value():
    specs = tried({}, {"k": 16.0}, {"k": 32.0}, {"k": 48.0})
    values = np.array([1.0, -1.0, np.nan, 2.0])
    found = agreement_on(POSITIVE, specs, values, everything(values))
    assert (found.tried, found.undefined, found.holds) == (3, 1, 2)
    assert found.share == pytest.approx(2 / 3)
    assert (found.least, found.median, found.most) == (-1.0, 1.0, 2.0)
    assert found.support.share == found.share


def test_what_was_looked_at_besides_is_in_no_share_and_may_fail_nearest():
    specs = tried({"k": 16.0, "carry": Carry.RESET}, {"k": 16.0}, {})
    values = np.array([-1.0, -2.0, 3.0])
    counted = np.array([True, False, True])
    found = agreement_on(POSITIVE, specs, values, counted)
    assert (found.tried, found.holds) == (2, 1)
    assert found.nearest.axes == ("k",)
    assert found.nearest.value == -2.0
    assert found.nearest.specification.k == 16.0


def test_where_nothing_fails_there_is_no_nearest_failure():
    values = np.array([1.0, 2.0])
    found = agreement_on(POSITIVE, tried({}, {"k": 16.0}), values, everything(values))
    assert found.nearest is None
    assert found.share == 1.0


def test_without_a_value_there_is_no_share():
    values = np.full(2, np.nan)
    found = agreement_on(POSITIVE, tried({}, {"k": 16.0}), values, everything(values))
    assert (found.tried, found.undefined) == (0, 2)
    assert math.isnan(found.share)
    assert found.support is None


def test_a_condition_is_one_level_of_one_axis_with_enough_behind_it():
    changes = [
        {"k": float(k), "order": order}
        for order in (Order.SCHEDULED, Order.REVERSED)
        for k in range(1, FEWEST + 1)
    ]
    specs = tried(*changes)
    values = np.array([1.0 if c["order"] is Order.REVERSED else -1.0 for c in changes])
    found = agreement_on(POSITIVE, specs, values, everything(values))
    assert (found.condition, found.share_under) == ("order=reversed", 1.0)
    assert found.drivers[0].axis == "order"
    assert found.drivers[0].share == pytest.approx(1.0)
    few = tried(*changes[1:-1])
    found = agreement_on(POSITIVE, few, values[1:-1], everything(values[1:-1]))
    assert found.condition == ""


@given(arrays(np.float64, 24, elements=st.floats(-100, 100)))
def test_the_share_of_variance_is_that_of_a_one_way_analysis(values):
    specs = tried(*({"k": float(k), "order": order} for k in range(8) for order in list(Order)[:3]))
    found = {d.axis: d.share for d in drivers(specs, values, np.arange(24))}
    assert set(found) == {"k", "order"}
    total = ((values - values.mean()) ** 2).sum()
    for axis, group in (("k", lambda at: at // 3), ("order", lambda at: at % 3)):
        labels = np.array([group(at) for at in range(24)])
        within = sum(
            ((values[labels == one] - values[labels == one].mean()) ** 2).sum()
            for one in set(labels)
        )
        wanted = 1 - within / total if total > 1e-9 else found[axis]
        assert found[axis] == pytest.approx(wanted, abs=1e-6)


def test_infinite_values_are_in_shares_and_in_no_variance():
    specs = tried({"k": 1.0}, {"k": 2.0}, {"k": 3.0})
    values = np.array([math.inf, 1.0, 3.0])
    found = agreement_on(POSITIVE, specs, values, everything(values))
    assert (found.holds, found.most) == (3, math.inf)
    assert found.drivers[0].share == pytest.approx(1.0)


TABLES = arrays(np.float64, (4, 6), elements=st.floats(-300, 300).map(lambda v: round(v, 3)))


@given(TABLES, TABLES)
def test_rank_correlations_are_scipys(first, second):
    found = quantities.rank_correlation(first, second)
    for row, value in enumerate(found):
        if len(set(first[row])) == 1 or len(set(second[row])) == 1:
            assert math.isnan(value)
        else:
            wanted = spearmanr(first[row], second[row]).statistic
            assert value == pytest.approx(wanted, abs=1e-9)


@given(TABLES)
def test_quantities_of_ratings_are_their_definitions(table):
    for row, ratings in enumerate(table):
        c, v = ratings[:3], ratings[3:]
        wanted = {
            "rating.gap": np.mean(v - c),
            "rating.gap.least": np.min(v - c),
            "rating.sd_seeker": np.std(c),
            "rating.sd_holder": np.std(v),
            "rating.range_seeker": c.max() - c.min(),
            "rating.range_holder": v.max() - v.min(),
        }
        for name, value in wanted.items():
            assert quantities.QUANTITIES[name](table)[row] == pytest.approx(value, abs=1e-9)
        assert quantities.more_varied_seekers(table)[row] == pytest.approx(
            np.std(c) - np.std(v), abs=1e-9
        )
        spread = np.std(v - c, ddof=1)
        effect = quantities.paired_effect(table)[row]
        if spread > 1e-6:
            assert effect == pytest.approx(np.mean(v - c) / spread, rel=1e-6)


def test_an_effect_without_spread_is_undefined():
    assert math.isnan(quantities.paired_effect(np.array([[1.0, 1.0, 3.0, 3.0]]))[0])
    assert math.isnan(quantities.paired_effect(np.array([[1.0, 3.0]]))[0])
