"""Agreement of many raters: printed values, brute force, other libraries, every message."""

from __future__ import annotations

import json
import math
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import fleiss_kappa

from audit.numbers.agreement_raters import (
    Coefficient,
    item_sums,
    raters_agreement,
    rating_counts,
)
from audit.numbers.estimate import Undefined

CASES = Path(__file__).parent / "cases" / "known_answers_raters.json"
KNOWN = {case["id"]: case for case in json.loads(CASES.read_text("utf-8"))["vectors"]}
few = settings(max_examples=60, deadline=None)
ALPHAS = (Coefficient.ALPHA_NOMINAL, Coefficient.ALPHA_ORDINAL)
BY_CHANCE = [kind for kind in Coefficient if kind is not Coefficient.AGREEMENT]
cells = st.sampled_from([None, 0, 1, 2])
ratings = st.lists(st.lists(cells, min_size=3, max_size=3), min_size=1, max_size=12)


def value(kind, rows, domain=(0, 1, 2), **known):
    return raters_agreement(kind, rating_counts(rows, domain), **known).value


def same(found, expected):
    assert found == pytest.approx(expected, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize(
    ("case", "name", "kind", "domain"),
    [
        ("fleiss_1971", "kappa", Coefficient.FLEISS, range(1, 6)),
        ("irrcac_raw4raters_ac1", "ac1", Coefficient.AC1, range(1, 6)),
        ("irrcac_raw4raters_ac1", "pa", Coefficient.AGREEMENT, range(1, 6)),
        ("irrcac_raw4raters_others", "fleiss", Coefficient.FLEISS, range(1, 6)),
        ("irrcac_raw4raters_others", "bp", Coefficient.BRENNAN_PREDIGER, range(1, 6)),
        ("irrcac_raw4raters_others", "krippendorff", Coefficient.ALPHA_NOMINAL, range(1, 6)),
        ("krippendorff_wikipedia", "nominal", Coefficient.ALPHA_NOMINAL, range(1, 5)),
        ("krippendorff_tiny", "nominal", Coefficient.ALPHA_NOMINAL, range(1, 5)),
        ("krippendorff_2011_ordinal", "ordinal", Coefficient.ALPHA_ORDINAL, range(1, 6)),
    ],
)
def test_printed_values(case, name, kind, domain):
    known = KNOWN[case]
    rows = known["inputs"].get("raw") or known["inputs"]["raw_units_x_raters"]
    found = value(kind, rows, list(domain))
    assert found == pytest.approx(known["expected"][name], abs=known["abs_tol"])


@pytest.mark.parametrize("case", ["fleiss_randolph_a", "fleiss_randolph_b"])
def test_printed_values_from_counts(case):
    known = KNOWN[case]
    counts, slack = known["inputs"]["counts"], known["abs_tol"]
    fleiss = raters_agreement(Coefficient.FLEISS, counts).value
    free = raters_agreement(Coefficient.BRENNAN_PREDIGER, counts).value
    assert fleiss == pytest.approx(known["expected"]["fleiss"], abs=slack)
    assert free == pytest.approx(known["expected"]["randolph"], abs=slack)


@few
@given(st.lists(st.lists(st.integers(0, 2), min_size=4, max_size=4), min_size=2, max_size=12))
def test_fleiss_is_that_of_another_library(rows):
    found = value(Coefficient.FLEISS, rows)
    if not math.isnan(found):
        same(found, fleiss_kappa(rating_counts(rows, (0, 1, 2))))


def brute_alpha(rows, kind):
    """Return Krippendorff's α pair by pair over labels, nothing summed up."""
    paired = [[x for x in row if x is not None] for row in rows]
    paired = [row for row in paired if len(row) > 1]
    every = [x for row in paired for x in row]
    size = {x: every.count(x) for x in (0, 1, 2)}

    def distance(x, y):
        if kind is Coefficient.ALPHA_NOMINAL:
            return float(x != y)
        low, high = min(x, y), max(x, y)
        between = sum(size[g] for g in range(low, high + 1)) - (size[low] + size[high]) / 2
        return between**2

    seen = sum(distance(x, y) / (len(row) - 1) for row in paired for x, y in permutations(row, 2))
    chance = sum(distance(x, y) for x, y in permutations(every, 2))
    return 1 - (len(every) - 1) * seen / chance if chance else math.nan


@few
@given(ratings)
@pytest.mark.parametrize("kind", ALPHAS)
def test_alpha_is_that_of_pairs(kind, rows):
    same(value(kind, rows), brute_alpha(rows, kind))


@few
@given(ratings, st.permutations(range(3)), st.randoms(use_true_random=False))
@pytest.mark.parametrize("kind", Coefficient)
def test_order_of_items_and_raters_decides_nothing(kind, rows, order, random):
    shuffled = [[row[i] for i in order] for row in rows]
    random.shuffle(shuffled)
    same(value(kind, shuffled), value(kind, rows))


@few
@given(ratings, st.permutations(range(3)))
def test_renaming_decides_nothing_but_reversal_does_not_matter_to_order(rows, names):
    renamed = [[None if x is None else names[x] for x in row] for row in rows]
    turned = [[None if x is None else 2 - x for x in row] for row in rows]
    for kind in Coefficient:
        if kind is not Coefficient.ALPHA_ORDINAL:
            same(value(kind, renamed), value(kind, rows))
        same(value(kind, turned), value(kind, rows))


@few
@given(ratings)
def test_duplicated_items_change_only_alphas_small_sample_term(rows):
    for kind in Coefficient:
        once, twice = value(kind, rows), value(kind, rows + rows)
        if kind in ALPHAS and not math.isnan(once):
            labels = sum(len(paired) for row in rows if len(paired := _said(row)) > 1)
            # α is 1 - (n - 1) · ratio of sums; doubled, n - 1 becomes 2n - 1 and the ratio halves.
            same(1 - twice, (1 - once) * (2 * labels - 1) / (2 * labels - 2))
        else:
            same(twice, once)


def _said(row):
    return [x for x in row if x is not None]


@few
@given(st.lists(st.tuples(st.lists(cells, min_size=3, max_size=3), st.integers(1, 4)), min_size=1))
def test_a_weight_of_n_is_n_copies(rows):
    plain, heavy = [row for row, _ in rows], [n for _, n in rows]
    copies = [row for row, n in rows for _ in range(n)]
    for kind in Coefficient:
        if kind not in ALPHAS:
            same(value(kind, plain, weights=heavy), value(kind, copies))


@pytest.mark.parametrize("kind", BY_CHANCE)
@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([[1, 1], [1, 1]], Undefined.ONE_LABEL),
        ([[1, None], [None, 2]], Undefined.NO_OVERLAP),
        ([[1], [2], [1]], Undefined.NO_OVERLAP),
        ([[None, None], [None, None]], Undefined.EMPTY),
        ([], Undefined.EMPTY),
    ],
)
def test_undefined_with_a_reason(kind, rows, reason):
    counts = rating_counts(rows, (0, 1, 2))
    found = raters_agreement(kind, counts, counts_out=3)
    assert math.isnan(found.value)
    assert found.reason is reason
    assert found.counts_in + found.counts_out == len(rows) + 3


@pytest.mark.parametrize("domain", [[1], [1, 1], [1, 2, 2]])
def test_refused_domains(domain):
    with pytest.raises(ValueError, match="domain must hold 2 or more distinct categories"):
        rating_counts([[1, 1]], domain)


def test_refused_labels_and_weights():
    with pytest.raises(ValueError, match=r"label must be one of \[0, 1\], found 7"):
        rating_counts([[0, 7]], [0, 1])
    counts = rating_counts([[0, 1], [1, 1]], [0, 1])
    with pytest.raises(ValueError, match="weights must be one an item, found 1 for 2 items"):
        item_sums(counts, [1.0])
    with pytest.raises(ValueError, match=r"weights must be above 0, found -1.0"):
        item_sums(counts, [1.0, -1.0])
    with pytest.raises(ValueError, match="Coefficient must be one of"):
        raters_agreement("agree", counts)
