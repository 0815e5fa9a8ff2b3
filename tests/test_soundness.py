"""Studies without a fault raise no alarm; studies with one altered digit mostly do."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.simulated import percent, rounded, simulated_study
from benchmarks.soundness import altered, falls


def test_a_simulated_study_stands():
    assert falls(simulated_study(np.random.default_rng(1)).text) == []


@pytest.mark.slow
def test_twenty_studies_give_no_false_alarm_and_altered_ones_are_noticed():
    rng = np.random.default_rng(2)
    noticed = 0
    for number in range(20):
        study = simulated_study(rng)
        assert falls(study.text) == [], number
        table = list(study.tables)[number % len(study.tables)]
        noticed += bool(falls(altered(study, table, rng)))
    assert noticed >= 15


def test_one_digit_is_altered_and_its_claim_follows():
    study = simulated_study(np.random.default_rng(3))
    for table in study.tables:
        text = altered(study, table, np.random.default_rng(4))
        assert text != study.text
        assert len(text) == len(study.text)


@pytest.mark.parametrize(
    ("k", "n", "text"), [(1, 8, "12.5%"), (5, 1000, "0.5%"), (1, 2000, "0.1%"), (0, 7, "0.0%")]
)
def test_shares_are_rounded_from_the_fraction(k, n, text):
    assert percent(k, n) == text


def test_half_goes_up():
    assert (rounded(0.125, 2), rounded(2.5, 0), rounded(-1.25, 1)) == ("0.13", "3", "-1.3")
