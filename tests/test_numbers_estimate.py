from __future__ import annotations

import importlib
import math
import pkgutil

import numpy as np
import pytest

import audit.numbers
from audit.numbers import _check
from audit.numbers.estimate import Alternative, Choice, Estimate, Interval, PValue, Undefined

MODULES = [
    importlib.import_module(found.name)
    for found in pkgutil.walk_packages(audit.numbers.__path__, "audit.numbers.")
    if not found.ispkg
]
CHOICES = {
    found
    for module in MODULES
    for found in vars(module).values()
    if isinstance(found, type) and issubclass(found, Choice) and found is not Choice
}


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_every_name_announced_exists_and_is_announced_once(module):
    assert len(set(module.__all__)) == len(module.__all__)
    assert all(hasattr(module, name) for name in module.__all__)


def test_all_closed_sets_are_found():
    assert {"Undefined", "Engine", "Multiplier", "OddsKind", "Disagreement"} <= {
        choice.__name__ for choice in CHOICES
    }


@pytest.mark.parametrize("choice", sorted(CHOICES, key=lambda choice: choice.__name__))
def test_an_unknown_option_is_named_with_the_allowed_ones(choice):
    with pytest.raises(ValueError, match=f"^{choice.__name__} must be one of ") as caught:
        choice("of no kind")
    assert "found 'of no kind'" in str(caught.value)
    assert all(member.value in str(caught.value) for member in choice)


@pytest.mark.parametrize("choice", sorted(CHOICES, key=lambda choice: choice.__name__))
def test_an_option_can_be_given_by_its_text(choice):
    assert all(choice(member.value) is member for member in choice)


def test_an_undefined_estimate_keeps_its_reason_and_counts():
    found = Estimate.undefined(Undefined.EMPTY, 0, 7)
    assert math.isnan(found.value)
    assert (found.defined, found.reason, found.counts_out) == (False, Undefined.EMPTY, 7)


def test_an_undefined_estimate_may_keep_an_interval():
    span = Interval(0.0, math.inf, 0.95, "any")
    assert Estimate.undefined(Undefined.ZERO_DENOMINATOR, 3, interval=span).interval is span


def test_nan_without_a_reason_is_refused():
    with pytest.raises(ValueError, match="an undefined value needs a reason"):
        Estimate(math.nan, None, 3)
    with pytest.raises(ValueError, match="an undefined p-value needs a reason"):
        PValue(0.0, math.nan, Alternative.LESS, "any", 3)


def test_counts_are_not_negative():
    with pytest.raises(ValueError, match="counts must not be negative, found 3 and -1"):
        Estimate(0.5, None, 3, -1)


@pytest.mark.parametrize("limits", [(1.0, 0.0), (math.nan, 1.0), (0.0, math.nan)])
def test_limits_are_in_order(limits):
    with pytest.raises(ValueError, match="low must not exceed high, found"):
        Interval(*limits, 0.95, "any")


@pytest.mark.parametrize("level", [0.0, 1.0, 95.0, math.nan])
def test_a_level_lies_between_0_and_1(level):
    with pytest.raises(ValueError, match="level must lie strictly between 0 and 1, found"):
        Interval(0.0, 1.0, level, "any")
    with pytest.raises(ValueError, match="level must lie strictly between 0 and 1, found"):
        _check.as_level(level)


def test_an_interval_holds_its_limits():
    span = Interval(0.25, 0.75, 0.95, "any")
    assert (0.25 in span, 0.75 in span, 0.8 in span, span.width) == (True, True, False, 0.5)


def test_a_p_value_is_a_probability():
    with pytest.raises(ValueError, match=r"p must lie in \[0, 1\], found 1\.5"):
        PValue(0.0, 1.5, Alternative.LESS, "any", 3)


@pytest.mark.parametrize("value", [1.0, "3", None, True, np.True_])
def test_a_size_is_a_whole_number(value):
    with pytest.raises(ValueError, match="n must be a whole number, found"):
        _check.as_size("n", value)


def test_a_size_may_come_from_numpy_and_is_not_negative():
    assert _check.as_size("n", np.int32(4)) == 4
    with pytest.raises(ValueError, match="n must not be negative, found -1"):
        _check.as_size("n", -1)


def test_a_part_is_no_larger_than_the_whole():
    with pytest.raises(ValueError, match="successes must not exceed total, found 4 of 3"):
        _check.as_share(4, 3)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([], "x must be a filled array of dimension 1, found shape"),
        ([[1]], "x must be a filled array of dimension 1, found shape"),
        (["1"], "x must hold counts, found dtype"),
        ([True], "x must hold counts, found dtype bool"),
        ([1.5], "x must hold whole numbers of at least 0, found 1.5"),
        ([-1], "x must hold whole numbers of at least 0, found -1"),
        ([math.nan], "x must hold whole numbers of at least 0, found nan"),
    ],
)
def test_counts_are_whole_and_not_negative(values, message):
    with pytest.raises(ValueError, match=message):
        _check.as_counts("x", values)


def test_whole_floats_are_counts():
    assert _check.as_counts("x", [2.0, 0.0]).dtype == np.int64


def test_tables_have_their_shape():
    with pytest.raises(ValueError, match=r"table must have shape \(2, 2\), found \(1, 2\)"):
        _check.as_two_by_two([[1, 2]])
    for table in ([[1, 2]], [[1]]):
        with pytest.raises(ValueError, match="table must be square with 2 or more categories"):
            _check.as_square(table)


@pytest.mark.parametrize("values", [[math.nan], [math.inf]])
def test_missing_numbers_are_refused_not_dropped(values):
    with pytest.raises(ValueError, match="x must be finite, found"):
        _check.as_numbers("x", values)


def test_vectors_have_one_axis():
    with pytest.raises(ValueError, match="x must be a vector, found shape"):
        _check.as_numbers("x", [[1.0]])
    with pytest.raises(ValueError, match="x must be a vector, found shape"):
        _check.as_index("x", [[1]], 2)


def test_positions_are_whole_and_in_range():
    with pytest.raises(ValueError, match="x must hold whole numbers, found dtype float64"):
        _check.as_index("x", [1.0], 2)
    for wrong in (2, -1):
        with pytest.raises(ValueError, match=rf"x must lie in \[0, 2\), found {wrong}"):
            _check.as_index("x", [0, wrong], 2)


def test_lengths_agree():
    with pytest.raises(ValueError, match=r"lengths must agree, found \{'a': 2, 'b': 1\}"):
        _check.same_length(a=np.zeros(2), b=np.zeros(1))
