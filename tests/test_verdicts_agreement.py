from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from audit.numbers.estimate import Undefined
from audit.verdicts.agreement import agreement_of
from games.rules.verdict import Verdict
from games.words import Abstention, ItemKind, Label

KIND = ItemKind.HOLDER_REPLY
PAIRS = {f"m{i}": ("a", "b") if i % 2 else ("b", "a") for i in range(60)}


def verdict(item, label, rater="one"):
    if isinstance(label, Abstention):
        return Verdict(item=item, rater=rater, rubric="r", abstention=label)
    return Verdict(item=item, rater=rater, rubric="r", label=label)


def verdicts(labels, rater="one", kind=KIND):
    return [verdict(f"m{i}/t01/{kind}", label, rater) for i, label in enumerate(labels)]


def agreement(first, second, **known):
    return agreement_of(
        verdicts(first), verdicts(second, "two"), KIND, PAIRS, np.random.default_rng(1), **known
    )


labels = st.sampled_from([Label.LEAK, Label.NO_LEAK])


@given(st.lists(st.tuples(labels, labels), min_size=2, max_size=60))
def test_kappa_is_that_of_another_library(pairs):
    first, second = (list(side) for side in zip(*pairs, strict=True))
    found = agreement(first, second, draws=10)
    if found.kappa.defined:
        assert found.kappa.value == pytest.approx(cohen_kappa_score(first, second))
    else:
        assert found.kappa.reason is Undefined.ONE_LABEL
        assert found.kappa.interval is None
    assert found.table.sum() == len(pairs)


def test_rows_are_the_first_rater_and_the_positive_label_comes_first():
    found = agreement([Label.LEAK] * 3 + [Label.NO_LEAK], [Label.LEAK, Label.NO_LEAK] * 2)
    assert found.domain == (Label.LEAK, Label.NO_LEAK)
    assert found.table.tolist() == [[2, 1], [0, 1]]
    assert (found.first, found.second) == ("one", "two")
    assert found.sensitivity.value == pytest.approx(2 / 3)
    assert found.specificity.value == 1


def test_an_abstention_is_left_out_and_counted():
    found = agreement([Label.LEAK, Abstention.SKIPPED, Label.NO_LEAK], [Label.LEAK, Label.LEAK])
    assert (found.table.sum(), found.left_out) == (1, 2)
    assert found.kappa.counts_out == 2


def test_other_kinds_are_passed_over():
    locks = verdicts([Label.MATCH] * 4, kind=ItemKind.LOCK)
    found = agreement_of(locks, locks, KIND, PAIRS, np.random.default_rng(1))
    assert (found.table.sum(), found.first) == (0, "")
    assert found.kappa.reason is Undefined.EMPTY


def test_the_interval_resamples_clusters_not_items():
    """Thirty copies of one match's items say no more than one of them."""
    rng = np.random.default_rng(3)
    first = [Label.LEAK if rng.random() < 0.4 else Label.NO_LEAK for _ in range(12)]
    second = [one if rng.random() < 0.8 else Label.LEAK for one in first]
    ones = [verdict(f"m{i}/t{t:02d}/{KIND}", first[i]) for i in range(12) for t in range(1, 31)]
    twos = [
        verdict(f"m{i}/t{t:02d}/{KIND}", second[i], "two") for i in range(12) for t in range(1, 31)
    ]
    single = {f"m{i}": i for i in range(12)}
    many = agreement_of(ones, twos, KIND, single, np.random.default_rng(1))
    few = agreement_of(ones[::30], twos[::30], KIND, single, np.random.default_rng(1))
    assert many.kappa.value == pytest.approx(few.kappa.value)
    assert many.clusters == few.clusters == 12
    assert many.kappa.interval.low == pytest.approx(few.kappa.interval.low)
    assert many.enumerated.width < 0.5 * few.enumerated.width


def test_one_cluster_has_no_interval():
    one = dict.fromkeys(PAIRS, "same")
    first = [Label.LEAK, Label.NO_LEAK, Label.LEAK, Label.NO_LEAK]
    second = [Label.LEAK, Label.NO_LEAK, Label.NO_LEAK, Label.NO_LEAK]
    found = agreement_of(
        verdicts(first), verdicts(second, "two"), KIND, one, np.random.default_rng(1)
    )
    assert found.kappa.defined
    assert found.kappa.interval is None


def test_the_order_of_verdicts_decides_nothing():
    first = [Label.LEAK, Label.NO_LEAK, Label.LEAK, Label.NO_LEAK, Label.LEAK]
    second = [Label.LEAK, Label.NO_LEAK, Label.NO_LEAK, Label.NO_LEAK, Label.LEAK]
    one = agreement(first, second)
    two = agreement_of(
        verdicts(first)[::-1], verdicts(second, "two"), KIND, PAIRS, np.random.default_rng(1)
    )
    assert one.kappa == two.kappa
