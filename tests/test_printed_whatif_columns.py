"""Pairs with their signs turned, ratings from shares alone: brute force, scipy, every message."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, product
from statistics import pstdev, stdev

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from audit.numbers.rating import expected_win
from audit.printed.methods_values import rating_of
from audit.printed.tables import read_table
from audit.printed.whatif import run_whatif
from audit.printed.whatif_columns import rating_spreads, sign_flips
from games.errors import StudyError

few = settings(max_examples=40, deadline=None)
columns = st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=2, max_size=6)
shares = st.lists(
    st.integers(2, 40).flatmap(lambda n: st.tuples(st.integers(1, n - 1), st.just(n))),
    min_size=2,
    max_size=7,
)
TABLES = {
    "r": read_table(
        """
        Model    | C1      | V1      | C2      | V2
        Qwen     | 1384.82 | 1653.20 | 1502.37 | 1601.07
        GPT      | 1382.35 | 1648.93 | 1437.54 | 1603.24
        Gemini   | 1285.66 | 1670.56 | 1458.63 | 1582.05
        DeepSeek | 1302.96 | 1701.77 | 1416.99 | 1557.72
        Llama    | 1315.71 | 1710.23 | 1383.38 | 1551.64
        Granite  | 1279.64 | 1664.18 | 1316.24 | 1589.10
        """
    )
}


def exact(values):
    return [Fraction(value) for value in values]


@few
@given(columns)
def test_arrangements_by_brute_force(pairs):
    one, other = (np.array(side) for side in zip(*pairs, strict=True))
    found, gaps = sign_flips(exact(map(int, one)), exact(map(int, other))), one - other
    sums = [abs(int(np.dot(signs, gaps))) for signs in product((-1, 1), repeat=len(gaps))]
    assert found.flips.p == pytest.approx(np.mean([total >= abs(gaps.sum()) for total in sums]))
    both = np.concatenate([one, other])
    splits = [abs(2 * both[list(rows)].sum() - both.sum()) for rows in _halves(len(both))]
    seen = abs(2 * one.sum() - both.sum())
    assert found.splits.p == pytest.approx(np.mean([split >= seen for split in splits]))
    assert math.isnan(found.flips.p) or found.flips.p >= found.smallest_p - 1e-12


def _halves(size):
    return combinations(range(size), size // 2)


@few
@given(columns)
def test_ranks_as_scipy_has_them(pairs):
    one, other = (np.array(side) for side in zip(*pairs, strict=True))
    gaps = one - other
    assume(0 not in gaps and len(set(np.abs(gaps).tolist())) == len(gaps))
    found = sign_flips(exact(map(int, one)), exact(map(int, other)))
    assert found.ranks.p == pytest.approx(stats.wilcoxon(gaps, method="exact").pvalue)


def test_six_pairs_on_one_side_have_the_least_that_six_can_have():
    found = sign_flips(exact(range(7, 13)), exact(range(6)))
    assert found.smallest_p == 1 / 32
    assert found.flips.p == found.ranks.p == pytest.approx(1 / 32)
    assert found.splits.p == pytest.approx(2 / math.comb(12, 6))


@given(st.integers(1, 500), st.integers(1, 500))
def test_a_rating_expects_its_share(wins, losses):
    gap = rating_of(Fraction(wins), Fraction(losses))
    assert float(expected_win(1500.0 + gap, 1500.0)) == pytest.approx(wins / (wins + losses))


def test_a_rating_without_odds():
    assert rating_of(Fraction(0), Fraction(3)) == -math.inf
    assert rating_of(Fraction(3), Fraction(0)) == math.inf


@few
@given(shares)
def test_spreads_by_the_definition(rows):
    k, n = ([row[place] for row in rows] for place in (0, 1))
    plain, haldane = rating_spreads(k, n)
    for found, added in ((plain, 0.0), (haldane, 0.5)):
        points = [
            400 / math.log(10) * math.log((a + added) / (b - a + added))
            for a, b in zip(k, n, strict=True)
        ]
        assert found.sample == pytest.approx(stdev(points), abs=1e-6)
        assert found.population == pytest.approx(pstdev(points), abs=1e-6)


def test_a_row_that_wins_nothing_has_odds_only_with_halves():
    plain, haldane, printed = rating_spreads([0, 5], [10, 10], exact([1400, 1500]))
    assert math.isnan(plain.sample)
    assert math.isnan(plain.population)
    assert haldane.population == pytest.approx(200 * math.log10(21))
    assert (printed.sample, printed.population) == pytest.approx((math.sqrt(5000), 50.0))


@pytest.mark.parametrize(
    ("spec", "lines"),
    [
        (
            {"change": "sign_flips", "first": "r.V1", "second": "r.C1"},
            (
                "all turns of the signs of 6 pairs: p 0.0312, "
                "where no 6 pairs can have less than 0.0312",
                "Wilcoxon's signed ranks: p 0.0312",
                "all splits of both columns' values in two samples: p 0.00216",
            ),
        ),
        (
            {"change": "direct_ratings", "k": [7, 8, 3, 2, 1, 1], "n": 25, "ratings": "r.C2"},
            (
                "by the shares of wins alone: SD 183.8 points (167.8 with ddof 0)",
                "by half a win and half a loss more in each row: "
                "SD 157.2 points (143.5 with ddof 0)",
                "by the ratings as printed: SD 64.3 points (58.7 with ddof 0)",
            ),
        ),
        (
            {"change": "direct_ratings", "k": [0, 2], "n": 5},
            (
                "by the shares of wins alone: SD undefined, a row has won nothing or everything",
                "by half a win and half a loss more in each row: "
                "SD 253.2 points (179.1 with ddof 0)",
            ),
        ),
    ],
)
def test_lines(spec, lines):
    assert run_whatif(spec, TABLES) == lines


def test_several_experiments_are_averaged_row_by_row():
    means = {"first": [3, 5, 9], "second": [1, 6, 2]}
    apart = {"first": [[2, 4, 10], [4, 6, 8]], "second": [[0, 5, 3], [2, 7, 1]]}
    one, other = (run_whatif({"change": "sign_flips", **spec}, {}) for spec in (means, apart))
    assert one == other


@pytest.mark.parametrize(
    ("call", "rule"),
    [
        (lambda: sign_flips([], []), "one length of at least 1, found 0 and 0"),
        (lambda: sign_flips(exact([1]), exact([1, 2])), "one length of at least 1, found 1 and 2"),
        (lambda: rating_spreads([1], [2]), "at least 2 rows with one n each, found 1 and 1"),
        (lambda: rating_spreads([1, 1], [2]), "at least 2 rows with one n each, found 2 and 1"),
        (lambda: rating_spreads([1, 3], [2, 2]), "must hold 0 ≤ k ≤ n and n above 0, found 3 of 2"),
    ],
)
def test_refused(call, rule):
    with pytest.raises(ValueError, match=rule):
        call()


def test_columns_that_do_not_join():
    with pytest.raises(StudyError, match="must join as many columns on both sides"):
        run_whatif({"change": "sign_flips", "first": [1, 2], "second": [1]}, {})
