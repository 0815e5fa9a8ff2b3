"""Shares corrected for a rater's errors: printed examples, identities, every message."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.numbers.estimate import Undefined
from audit.numbers.misclassified import corrected_share, reweighted_share, rogan_gladen
from audit.numbers.proportion import ProportionMethod, proportion_limits

CASES = Path(__file__).parent / "cases" / "known_answers_print.json"
KNOWN = {case["id"]: case for case in json.loads(CASES.read_text("utf-8"))["vectors"]}
few = settings(max_examples=30, deadline=None)


@pytest.mark.parametrize("case", ["epir_rogan_gladen_1", "epir_rogan_gladen_negative"])
def test_printed_examples(case):
    known, slack = KNOWN[case]["inputs"], KNOWN[case]["abs_tol"]
    rates = known["se"], known["sp"]
    found = rogan_gladen(known["pos"] / known["n"], *rates)
    assert 100 * found == pytest.approx(KNOWN[case]["expected"]["tp_percent"], abs=slack)
    if "cp_ci_percent" in KNOWN[case]["expected"]:
        limits = proportion_limits(
            known["pos"], known["n"], method=ProportionMethod.CLOPPER_PEARSON
        )
        ends = [100 * rogan_gladen(limit, *rates) for limit in limits]
        assert ends == pytest.approx(KNOWN[case]["expected"]["cp_ci_percent"], abs=slack)


@given(st.floats(0, 1))
def test_a_perfect_rater_changes_nothing(share):
    assert rogan_gladen(share, 1.0, 1.0) == pytest.approx(share)


@given(st.floats(0, 1), st.floats(0.51, 1), st.floats(0.51, 1))
def test_the_correction_undoes_the_errors(share, sensitivity, specificity):
    seen = share * sensitivity + (1 - share) * (1 - specificity)
    assert rogan_gladen(seen, sensitivity, specificity) == pytest.approx(share, abs=1e-9)


@pytest.mark.parametrize(
    ("arguments", "rule"),
    [
        ((1.2, 0.9, 0.9), r"share must lie in \[0, 1\], found 1.2"),
        ((0.2, -0.1, 0.9), "sensitivity must lie"),
        ((0.2, 0.9, math.nan), "specificity must lie"),
        ((0.2, 0.5, 0.5), r"sensitivity \+ specificity must be above 1, found 1.0"),
    ],
)
def test_refused(arguments, rule):
    with pytest.raises(ValueError, match=rule):
        rogan_gladen(*arguments)


checks = st.fixed_dictionaries(
    {
        "hits": st.integers(5, 40),
        "misses": st.integers(0, 3),
        "rejections": st.integers(5, 40),
        "false_alarms": st.integers(0, 3),
    }
)


@few
@given(checks, st.integers(1, 99))
def test_corrected_shares_are_the_plug_in(checked, positive):
    found = corrected_share(positive, 100, **checked)
    sensitivity = checked["hits"] / (checked["hits"] + checked["misses"])
    specificity = checked["rejections"] / (checked["rejections"] + checked["false_alarms"])
    assert found.value == pytest.approx(rogan_gladen(positive / 100, sensitivity, specificity))
    right = checked["hits"] / (checked["hits"] + checked["false_alarms"])
    wrong = checked["misses"] / (checked["misses"] + checked["rejections"])
    weighted = reweighted_share(positive, 100, **checked)
    assert weighted.value == pytest.approx(positive / 100 * right + (1 - positive / 100) * wrong)
    assert 0.0 <= weighted.interval.low <= weighted.interval.high <= 1.0


def test_the_grid_of_quantiles_gives_what_draws_give():
    checked = {"hits": 13, "misses": 2, "rejections": 33, "false_alarms": 2}
    rng = np.random.default_rng(5)
    share = rng.beta(59.5, 380.5, 400_000)
    sensitivity, specificity = rng.beta(13.5, 2.5, 400_000), rng.beta(33.5, 2.5, 400_000)
    drawn = (share + specificity - 1) / (sensitivity + specificity - 1)
    span = corrected_share(59, 439, **checked).interval
    assert (span.low, span.high) == pytest.approx(np.quantile(drawn, [0.025, 0.975]), abs=3e-3)


@pytest.mark.parametrize("share", [corrected_share, reweighted_share])
def test_nothing_checked(share):
    found = share(5, 10, hits=0, misses=0, rejections=0, false_alarms=0)
    assert (found.reason, found.interval) == (Undefined.EMPTY, None)


def test_a_rater_no_better_than_a_coin():
    found = corrected_share(5, 10, hits=1, misses=1, rejections=1, false_alarms=1)
    assert found.reason is Undefined.ZERO_DENOMINATOR
    # Where it said something is informative all the same.
    assert reweighted_share(5, 10, hits=1, misses=1, rejections=1, false_alarms=1).value == 0.5
