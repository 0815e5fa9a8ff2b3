from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.stats import binom

from audit.verdicts.anticipated import Anticipated
from audit.verdicts.inclusion import Allocation
from audit.verdicts.precision import Figure, precision
from audit.verdicts.sampling import Design, Sampling
from audit.verdicts.strata import StratumKey, Unit
from games.words import ItemKind

LABEL = StratumKey.ARBITER_LABEL
REPLY = ItemKind.HOLDER_REPLY


def population(flagged, passed, in_a_match=1):
    """Return units of Holder replies, so many flagged and passed, so many of each a match."""
    flags = [True] * flagged + [False] * passed
    return [
        Unit(f"m{n // in_a_match:04d}/t{n:04d}/holder_reply", f"m{n // in_a_match:04d}", cell, flag)
        for n, flag in enumerate(flags)
        for cell in [((LABEL, "leak" if flag else "no_leak"),)]
    ]


def told(units, n, given, *, seed=0, studies=400, **shape):
    design = Design(n=n, seed=0, by=(LABEL,), anticipated=given, **shape)
    sampling = Sampling(units, design)
    chances = given.chances(sampling.ordered)
    return precision(sampling, chances, REPLY, np.random.default_rng(seed), studies)


def law(sizes, drawn, chances):
    """Return every outcome of a plain draw from two strata, one item a match: errors and odds.

    Positives among the drawn and the undrawn of each stratum are four independent binomials.
    """
    parts = [(drawn[0], chances[0]), (sizes[0] - drawn[0], chances[0])]
    parts += [(drawn[1], chances[1]), (sizes[1] - drawn[1], chances[1])]
    errors, truths, odds = [], [], []
    for seen in product(*(range(n + 1) for n, _ in parts)):
        odds.append(np.prod([binom.pmf(k, n, p) for k, (n, p) in zip(seen, parts, strict=True)]))
        shares = (seen[0] / drawn[0], seen[2] / drawn[1])
        estimate = rates(sizes, shares)
        true = rates(sizes, ((seen[0] + seen[1]) / sizes[0], (seen[2] + seen[3]) / sizes[1]))
        errors.append(np.array(estimate) - np.array(true))
        truths.append(true)
    return np.array(errors), np.array(truths), np.array(odds)


def rates(sizes, shares):
    a, c = sizes[0] * shares[0], sizes[1] * shares[1]
    b, d, n = sizes[0] - a, sizes[1] - c, sum(sizes)
    seen, chance = (a + d) / n, ((a + b) * (a + c) + (c + d) * (b + d)) / n**2
    kappa = (seen - chance) / (1 - chance) if chance < 1 else np.nan
    return (
        kappa,
        a / (a + c) if a + c else np.nan,
        d / (b + d) if b + d else np.nan,
        (a + c) / n,
    )


def quantile(values, odds, share):
    order = np.argsort(values)
    reached = np.cumsum(odds[order]) / odds.sum()
    return values[order][np.searchsorted(reached, share)]


def test_margins_are_those_of_the_enumerated_law():
    sizes, n, given = (8, 12), 9, Anticipated(right=0.7, missed=0.2)
    found = told(
        population(*sizes), n, given, studies=8_000, allocation=Allocation.EQUAL, per_match=False
    )
    errors, truths, odds = law(sizes, (5, 4), (0.7, 0.2))
    assert found.drawn == n
    for place, figure in enumerate(Figure):
        forecast, undefined = found.figures[figure], np.isnan(errors[:, place])
        p = odds[undefined].sum()
        assert abs(forecast.undefined - p) <= 5 * np.sqrt(p * (1 - p) / 8_000) + 1e-12
        kept, weight = errors[~undefined, place], odds[~undefined]
        half = (quantile(kept, weight, 0.975) - quantile(kept, weight, 0.025)) / 2
        assert forecast.margin == pytest.approx(half, abs=0.03)
        known = ~np.isnan(truths[:, place])
        mean = (truths[known, place] * odds[known]).sum() / odds[known].sum()
        assert forecast.value == pytest.approx(mean, abs=0.01)


def test_a_census_has_no_margin():
    given = Anticipated(right=0.7, missed=0.2)
    found = told(population(8, 12), 20, given, per_match=False)
    for figure in (Figure.KAPPA, Figure.SENSITIVITY, Figure.SPECIFICITY, Figure.MATCHES):
        assert found.figures[figure].margin == pytest.approx(0, abs=1e-12)
        assert found.figures[figure].margin_error == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("per_match", [True, False])
def test_an_arbiter_that_never_errs_is_known_at_once(per_match):
    given = Anticipated(right=1, missed=0)
    units = population(10, 30, in_a_match=4)
    found = told(units, 8, given, allocation=Allocation.EQUAL, per_match=per_match)
    assert found.figures[Figure.KAPPA].value == 1
    assert found.figures[Figure.MATCHES].value == pytest.approx(0.3)
    for figure in Figure:
        assert found.figures[figure].margin == pytest.approx(0, abs=1e-12)


def test_matches_with_a_true_one_are_those_that_chance_says():
    given = Anticipated(right=0.6, missed=0.1)
    units = [
        Unit(f"m{n:03d}/t{turn}/holder_reply", f"m{n:03d}", ((LABEL, str(flag)),), flag)
        for n in range(60)
        for turn, flag in enumerate([False] * (n % 5) + [n % 2 == 0])
    ]
    found = told(units, 60, given, studies=1_000)
    by_hand = np.mean([1 - (1 - (0.6 if n % 2 == 0 else 0.1)) * 0.9 ** (n % 5) for n in range(60)])
    assert found.figures[Figure.MATCHES].value == pytest.approx(by_hand, abs=0.01)


def test_more_items_make_every_margin_smaller():
    given, units = Anticipated(), population(100, 900)
    few, many = told(units, 50, given), told(units, 500, given)
    for figure in Figure:
        assert many.figures[figure].margin < few.figures[figure].margin


def test_an_enriched_sample_knows_kappa_better():
    given, units = Anticipated(), population(30, 970)
    plain = told(units, 100, given).figures[Figure.KAPPA]
    enriched = told(units, 100, given, allocation=Allocation.NEYMAN).figures[Figure.KAPPA]
    assert enriched.margin < plain.margin - 2 * (plain.margin_error + enriched.margin_error)


def test_the_margins_own_error_is_its_spread_over_studies():
    given, units = Anticipated(right=0.7, missed=0.2), population(40, 60)
    margins, errors = [], []
    for seed in range(20):
        figure = told(units, 30, given, seed=seed, per_match=False).figures[Figure.MATCHES]
        margins.append(figure.margin)
        errors.append(figure.margin_error)
    # Small batches overstate the error somewhat, and never by an order of magnitude.
    assert 0.5 < np.mean(errors) / np.std(margins, ddof=1) < 3


def test_other_kinds_are_drawn_and_not_counted():
    units = population(5, 5)
    others = [Unit(f"n{n}/t01/lock", f"n{n}", ((LABEL, "match"),), True) for n in range(5)]
    design = Design(n=6, seed=0, by=(LABEL,), per_match=False)
    sampling = Sampling([*units, *others], design)
    chances = design.anticipated.chances(sampling.ordered)
    found = precision(sampling, chances, REPLY, np.random.default_rng(0))
    assert (found.items, found.drawn) == (10, pytest.approx(4))


def test_without_a_label_of_the_arbiters_there_is_nothing_to_know():
    units = [Unit("m/t01/holder_reply", "m", ())]
    sampling = Sampling(units, Design(n=1, seed=0))
    assert precision(sampling, np.array([0.5]), REPLY, np.random.default_rng(0)) is None


def test_what_no_sample_can_give_has_no_margin():
    found = told(population(0, 20), 5, Anticipated(missed=0))
    kappa = found.figures[Figure.KAPPA]
    assert np.isnan([kappa.value, kappa.margin, found.figures[Figure.SENSITIVITY].margin]).all()
    assert kappa.undefined == 1
    assert found.figures[Figure.SPECIFICITY].value == 1
