"""Measures of raters on labels: another library's values, weights, items of no label, clusters."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from audit.numbers.clustered import clustered_interval
from audit.numbers.estimate import Undefined
from audit.verdicts.measures import (
    OF_MANY,
    OF_ORDERED,
    OF_TWO,
    Frame,
    compared,
    labels_of,
    together,
)
from audit.verdicts.nested import FEWEST_CLUSTERS
from audit.verdicts.showing import Purpose
from games.rules.verdict import Verdict
from games.words import Abstention, ItemKind, Label

few = settings(max_examples=25, deadline=None)
FORMS = (Label.GUESS, Label.PRESUPPOSING, Label.NARROWING, Label.OPEN)
YES_NO = (Label.LEAK, Label.NO_LEAK)
ITEMS = [f"m{i}/t01/holder_reply" for i in range(40)]


def frame(domain, weights=None):
    clusters = {f"m{i}": i % 7 for i in range(40)}
    return Frame(domain, clusters, weights or {}, lambda *words: np.random.default_rng(1))


def said(labels):
    return dict(zip(ITEMS, labels, strict=False))


def value(found, name):
    return next(one for one in found.measures if one.name == name)


rows = st.lists(
    st.tuples(st.sampled_from(YES_NO), st.sampled_from(YES_NO), st.integers(1, 9)),
    min_size=4,
    max_size=40,
)


# The other library says so where one label is all there is, and gives NaN as we do.
@pytest.mark.filterwarnings("ignore::UserWarning")
@few
@given(rows)
def test_kappa_of_sample_and_population_are_another_librarys(given_rows):
    first, second, heavy = zip(*given_rows, strict=True)
    weights = dict(zip(ITEMS, map(float, heavy), strict=False))
    found = compared(("one", "two"), said(first), said(second), frame(YES_NO, weights))
    kappa = value(found, "kappa")
    known = {"labels": list(YES_NO)}
    plain = cohen_kappa_score(first, second, **known)
    weighted = cohen_kappa_score(first, second, sample_weight=heavy, **known)
    assert kappa.sample.value == pytest.approx(plain, nan_ok=True)
    assert kappa.population.value == pytest.approx(weighted, nan_ok=True)
    assert [one.name for one in found.measures] == [measure.value for measure in OF_TWO]
    assert found.weighted.sum() == pytest.approx(sum(heavy))


def test_four_labels_have_no_positive_one():
    first = said([*FORMS, *FORMS])
    second = said([*FORMS, *FORMS[::-1]])
    found = compared(("one", "two"), first, second, frame(FORMS))
    assert found.table.shape == (4, 4)
    assert [one.name for one in found.measures] == [measure.value for measure in OF_MANY]
    assert value(found, "agreement").sample.value == pytest.approx(4 / 8)


def test_without_odds_of_having_been_drawn_there_is_no_population():
    found = compared(("a", "b"), said(YES_NO), said(YES_NO), frame(YES_NO, {ITEMS[0]: 3.0}))
    assert found.weighted is None
    assert value(found, "kappa").population.reason is Undefined.EMPTY


def test_an_item_of_no_label_is_left_out_and_counted():
    first = said([Label.LEAK, None, Label.NO_LEAK])
    second = said([Label.LEAK, Label.LEAK])
    found = compared(("a", "b"), first, second, frame(YES_NO))
    assert (found.table.sum(), found.left_out) == (1, 2)
    assert value(found, "kappa").sample.reason is Undefined.ONE_LABEL
    assert value(found, "agreement").sample.reason is Undefined.NO_SPREAD


@pytest.mark.parametrize("names", [[], ["one"]])
def test_nobody_and_one_rater_have_no_agreement(names):
    raters = [said(YES_NO) for _ in names]
    reasons = {one.sample.reason for one in together(raters, frame(YES_NO))}
    assert reasons == {Undefined.NO_OVERLAP if names else Undefined.EMPTY}


def test_intervals_resample_clusters_and_stand_beside_those_of_matches():
    rng = np.random.default_rng(5)
    first = [YES_NO[int(rng.random() < 0.6)] for _ in ITEMS]
    second = [label if rng.random() < 0.8 else YES_NO[0] for label in first]
    kappa = value(compared(("a", "b"), said(first), said(second), frame(YES_NO)), "kappa")
    assert kappa.clustered.clusters == 7
    assert kappa.sample.interval.method.endswith("7 clusters")
    assert kappa.by_match.method.endswith("40 clusters")


def test_labels_are_read_by_purpose():
    def verdict(item, **known):
        return Verdict(item=item, rater="rater-1", rubric="r", **known)

    verdicts = [
        verdict("m1/t01/holder_reply", label=Label.LEAK),
        verdict("m1/t01/again/holder_reply", label=Label.NO_LEAK),
        verdict("m2/t01/practice/holder_reply", label=Label.NO_LEAK),
        verdict("m2/t02/holder_reply", abstention=Abstention.CANNOT_TELL),
        verdict("m3/t01/lock", label=Label.MATCH),
    ]
    kind = ItemKind.HOLDER_REPLY
    assert labels_of(verdicts, kind) == {
        "m1/t01/holder_reply": Label.LEAK,
        "m2/t02/holder_reply": None,
    }
    assert labels_of(verdicts, kind, Purpose.AGAIN) == {"m1/t01/holder_reply": Label.NO_LEAK}


fewer = settings(max_examples=6, deadline=None)
forms = st.lists(st.tuples(st.sampled_from(FORMS), st.sampled_from(FORMS)), min_size=6, max_size=40)


@pytest.mark.filterwarnings("ignore::UserWarning")
@fewer
@given(forms)
def test_forms_of_a_message_have_an_order_that_counts(pairs):
    first, second = zip(*pairs, strict=True)
    ordered = replace(frame(FORMS), ordered=True)
    found = compared(("one", "two"), said(first), said(second), ordered)
    assert [one.name for one in found.measures] == [measure.value for measure in OF_ORDERED]
    for name, weights in (("linear kappa", "linear"), ("quadratic kappa", "quadratic")):
        other = cohen_kappa_score(first, second, labels=list(FORMS), weights=weights)
        assert value(found, name).sample.value == pytest.approx(other, nan_ok=True)
    names = [one.name for one in together([said(first), said(second)], ordered)]
    assert "alpha, ordinal" in names
    plain = together([said(first), said(second)], frame(FORMS))
    assert [name for name in names if name != "alpha, ordinal"] == [one.name for one in plain]


@fewer
@given(forms)
def test_ordinal_alpha_goes_by_the_ranks_between_labels(pairs):
    """Two raters, no label missing: disagreement of pairs against that of any two labels."""
    first, second = zip(*pairs, strict=True)
    used = Counter((*first, *second))
    if len(used) < 2:
        return
    place = {label: i for i, label in enumerate(FORMS)}

    def apart(one, other):
        low, high = sorted((place[one], place[other]))
        between = sum(used[FORMS[i]] for i in range(low, high + 1))
        return (between - (used[one] + used[other]) / 2) ** 2

    seen = sum(apart(a, b) for a, b in pairs) / len(pairs)
    total = sum(used.values())
    chance = sum(used[a] * used[b] * apart(a, b) for a, b in product(used, repeat=2))
    ordered = replace(frame(FORMS), ordered=True)
    found = together([said(first), said(second)], ordered)
    alpha = next(one for one in found if one.name == "alpha, ordinal")
    expected = 1 - seen / (chance / (total * (total - 1)))
    assert alpha.sample.value == pytest.approx(expected)


def stratified(strata):
    rng = np.random.default_rng(5)
    first = [YES_NO[int(rng.random() < 0.5)] for _ in ITEMS]
    second = [label if i < 15 else YES_NO[int(rng.random() < 0.5)] for i, label in enumerate(first)]
    own = replace(frame(YES_NO), stratum_of=dict(zip(ITEMS, strata, strict=True)))
    return first, second, compared(("a", "b"), said(first), said(second), own)


def test_clusters_are_resampled_within_the_strata_that_hold_them_whole():
    modes = [("A" if i < 15 else "B",) for i in range(40)]
    first, second, found = stratified(modes)
    cell = [2 * YES_NO.index(a) + YES_NO.index(b) for a, b in zip(first, second, strict=True)]
    within = clustered_interval(
        lambda tables: (tables[:, 0] + tables[:, 3]) / tables.sum(axis=1),
        np.eye(4)[cell],
        np.arange(40),
        np.random.default_rng(1),
        stratum=[int(i >= 15) for i in range(40)],
    ).interval
    assert value(found, "agreement").by_match == within
    # A pair plays in both modes: no stratum holds it whole, and all pairs are drawn from at once.
    plain = compared(("a", "b"), said(first), said(second), frame(YES_NO))
    assert value(found, "agreement").sample == value(plain, "agreement").sample
    assert value(found, "agreement").by_match != value(plain, "agreement").by_match


@pytest.mark.parametrize(
    "strata",
    [
        [(label.value,) for label in (*YES_NO * 20,)][:40],
        [("A" if i < FEWEST_CLUSTERS - 1 else "B",) for i in range(40)],
        [("all",)] * 40,
    ],
)
def test_small_strata_and_one_of_all_change_nothing(strata):
    first, second, found = stratified(strata)
    plain = compared(("a", "b"), said(first), said(second), frame(YES_NO))
    nested = strata[0] != strata[1]  # by label every other match is of another stratum
    same = value(found, "agreement").by_match == value(plain, "agreement").by_match
    assert same != nested


def test_a_key_that_clusters_straddle_is_passed_over_and_the_others_count():
    straddled = [("A" if i < 15 else "B", str(i % 2)) for i in range(40)]
    twice = [*ITEMS, *(item.replace("t01", "t02") for item in ITEMS)]
    keys = {item: straddled[i % 40] for i, item in enumerate(twice)}
    keys |= {item: (keys[item][0], "other") for item in twice[40:]}
    rng = np.random.default_rng(3)
    first = {item: YES_NO[int(rng.random() < 0.5)] for item in twice}
    second = {item: YES_NO[int(rng.random() < 0.5)] for item in twice}
    both = compared(("a", "b"), first, second, replace(frame(YES_NO), stratum_of=keys))
    modes = {item: (key[0],) for item, key in keys.items()}
    by_mode = compared(("a", "b"), first, second, replace(frame(YES_NO), stratum_of=modes))
    assert value(both, "kappa").by_match == value(by_mode, "kappa").by_match
