"""Measures of raters on labels: another library's values, weights, items of no label, clusters."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from audit.numbers.estimate import Undefined
from audit.verdicts.measures import OF_MANY, OF_TWO, Frame, compared, labels_of, together
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
