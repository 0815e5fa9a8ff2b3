from __future__ import annotations

import math

import pandas as pd
import pytest

from audit.numbers.estimate import Estimate, Interval, Undefined
from reports.numbers import NARROW, cell_text, estimate_text, fixed, frame_of, listed, significant


def plain(text):
    return text.replace(NARROW, " ")


@pytest.mark.parametrize(
    ("column", "cell", "text"),
    [
        ("share", 0.125, "12.5 %"),
        ("win rate", 1.0, "100.0 %"),
        ("difference", -0.0186, "−1.9 %"),
        ("C (I)", 1384.82, "1384.8"),
        ("sd_holder.aidg_i", 23.34, "23.3"),
        ("games", 1234, "1 234"),
        ("p (Fisher)", 0.0000019, "1.9e−06"),
        ("p (Fisher)", 0.04321, "0.04321"),
        ("x", float("nan"), "–"),
        ("x", None, "–"),
        ("width of people alone", math.inf, "unbounded"),
        ("share", -math.inf, "unbounded"),
        ("rank", pd.NA, "–"),
        ("x", "", "–"),
        ("x", True, "yes"),
        ("share", "3/4", "3/4"),
        ("matches", -3, "−3"),
    ],
)
def test_a_cell_is_shown_by_what_it_is(column, cell, text):
    assert plain(cell_text(column, cell)) == text


def test_a_share_never_gains_or_loses_by_rounding_before_the_percent():
    assert plain(cell_text("share", 0.025)) == "2.5 %"


def test_whole_numbers_stay_whole():
    assert plain(significant(1500.0)) == "1 500"
    assert significant(0) == "0"
    assert fixed(-0.25, 1) in {"−0.2", "−0.3"}


def test_an_estimate_shows_interval_and_counts():
    made = Estimate(0.5, Interval(0.4, 0.6, 0.95, "wilson"), 96)
    assert plain(estimate_text("share.seeker", made)) == "50.0 % [40.0 %, 60.0 %], n = 96"
    assert estimate_text("rating.gap", Estimate(12.5, None, 6)) == "12.5, n = 6"


def test_an_undefined_estimate_shows_its_reason():
    made = Estimate(math.nan, None, 0, reason=Undefined.EMPTY)
    assert estimate_text("share.seeker", made) == "undefined (empty), n = 0"


def test_a_frame_keeps_its_order_and_names_its_number_columns():
    frame = frame_of(pd.DataFrame({"b": [1, 2], "a": ["x", "y"], "c": [True, False]}), {"b": "n"})
    assert frame.columns == ("n", "a", "c")
    assert frame.numeric == {"n"}
    assert frame.rows == (("1", "x", "yes"), ("2", "y", "no"))


@pytest.mark.parametrize(
    ("parts", "text"),
    [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (list("abc"), "a, b and c")],
)
def test_listed(parts, text):
    assert listed(parts) == text
