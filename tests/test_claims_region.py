from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.claims.region import Region, read_region

NUMBERS = st.floats(-100, 100, allow_nan=False)


@pytest.mark.parametrize(
    ("text", "region"),
    [
        ("> 0.5", Region(0.5, math.inf, False, False)),
        (">=24", Region(24, math.inf, True, False)),
        ("≤ 7", Region(-math.inf, 7, False, True)),
        ("< -1e-3", Region(-math.inf, -0.001, False, False)),
        ("[1, inf)", Region(1, math.inf, True, False)),
        (" (0.5,1] ", Region(0.5, 1, False, True)),
        ("[2, 2]", Region(2, 2, True, True)),
        ("(-inf, inf)", Region(-math.inf, math.inf, False, False)),
    ],
)
def test_reading(text, region):
    assert read_region(text) == region


@pytest.mark.parametrize("text", ["", "0.5", ">", "= 1", "[1 2]", "[1, 2", "[a, b]", "> 1 or < 0"])
def test_what_is_no_region(text):
    with pytest.raises(ValueError, match="must be a region such as"):
        read_region(text)


@pytest.mark.parametrize("text", ["[2, 1]", "(1, 1)", "[1, 1)", "> inf"])
def test_empty_regions(text):
    with pytest.raises(ValueError, match="must not be an empty region"):
        read_region(text)


@pytest.mark.parametrize("text", ["[1, inf]", "[-inf, 0]", "<= inf"])
def test_infinite_ends(text):
    with pytest.raises(ValueError, match="must not hold an infinite end"):
        read_region(text)


def test_ends():
    region = read_region("(0, 1]")
    assert 0 not in region
    assert 1 in region
    assert not region.covers(0.0, 0.5)
    assert region.covers(0.1, 1.0)
    assert region.gap(-2.0, -0.5) == 0.5
    assert region.gap(1.25, 9.0) == 0.25
    assert region.gap(-1.0, 0.0) == 0.0


def test_an_endless_interval_lies_in_an_endless_region_only():
    assert read_region("> 1").covers(2.0, math.inf)
    assert not read_region("[1, 5]").covers(2.0, math.inf)


@given(NUMBERS, NUMBERS, NUMBERS, NUMBERS)
def test_covered_and_apart_exclude_each_other(low, high, left, right):
    low, high = min(low, high), max(low, high)
    left, right = min(left, right), max(left, right)
    region = Region(low, high, True, True)
    assert not (region.covers(left, right) and region.gap(left, right) > 0)
    assert region.covers(left, right) == (left in region and right in region)
