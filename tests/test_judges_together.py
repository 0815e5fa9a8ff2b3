"""The simulation of judges who err together, at a size that says little."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.judges_together import HEAD, SHARED, main, together


def test_a_consensus_of_judges_who_err_as_one_is_as_good_as_one_of_them():
    found = together(1.0, 500, np.random.default_rng(0))
    assert (found.majority, found.fitted) == pytest.approx((found.best_judge,) * 2)
    assert (found.worth, found.phi) == (pytest.approx(1), pytest.approx(1))
    assert found.if_apart < found.majority / 2
    assert found.claims < 0.01


def test_the_table_has_a_row_a_share():
    lines = main(200).splitlines()
    assert len(lines) == len(SHARED) + 1
    assert all(word in lines[0] for word in HEAD)
