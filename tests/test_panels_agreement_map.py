"""The map of who agrees with whom, against another implementation of κ and its interval."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.panels.agreement_map import agreement_map, map_frame
from audit.verdicts.agreement import agreement_of
from games.rules.schedule import seeded
from games.words import Abstention, ItemKind, Label

from .judged import item, simulated
from .played import verdict

REPLY = ItemKind.HOLDER_REPLY
RNG = partial(seeded, 3)
CLUSTERS = {f"m{n:04d}": n % 7 for n in range(60)}
WORDS = st.sampled_from([Label.LEAK, Label.NO_LEAK, Abstention.CANNOT_TELL, None])


def said(rater, words):
    pairs = enumerate(words)
    return tuple(verdict(item(place), word, rater) for place, word in pairs if word is not None)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=40))
def test_a_pair_is_what_two_raters_are_beside_each_other(words):
    one, other = said("a", [w for w, _ in words]), said("b", [w for _, w in words])
    found = agreement_map({"a": one, "b": other}, [REPLY], CLUSTERS, RNG)
    if not one or not other:
        assert found == ()
        return
    (pair,) = found
    expected = agreement_of(one, other, REPLY, CLUSTERS, np.random.default_rng(1))
    assert pair.kappa.counts_in == int(expected.table.sum())
    assert pair.kappa.counts_out == expected.left_out
    assert pair.kappa.value == pytest.approx(expected.kappa.value, nan_ok=True)
    assert pair.agreement.value == pytest.approx(expected.observed.value, nan_ok=True)


def test_a_known_table_and_its_interval():
    words = [(Label.LEAK, Label.LEAK)] * 20 + [(Label.LEAK, Label.NO_LEAK)] * 5
    words += [(Label.NO_LEAK, Label.LEAK)] * 10 + [(Label.NO_LEAK, Label.NO_LEAK)] * 15
    one, other = said("a", [w for w, _ in words]), said("b", [w for _, w in words])
    (pair,) = agreement_map({"a": one, "b": other}, [REPLY], CLUSTERS, RNG)
    assert pair.kappa.value == pytest.approx(0.4)  # 0.7 observed, 0.5 by chance
    assert pair.agreement.value == pytest.approx(0.7)
    expected = agreement_of(one, other, REPLY, CLUSTERS, RNG("map", "holder_reply", "a", "b"))
    assert pair.kappa.interval == expected.kappa.interval


def test_pairs_are_kind_by_kind_and_no_interval_is_made_of_too_many():
    _, judges = simulated(np.random.default_rng(2), 80, dict.fromkeys("abc", (0.8, 0.9)))
    verdicts = {
        rater: tuple(verdict(i, word, rater) for i, word in words.items())
        for rater, words in judges.items()
    }
    verdicts["c"] += (verdict(item(3, "lock"), Label.MATCH, "c"),)
    kinds = [REPLY, ItemKind.LOCK]
    found = agreement_map(verdicts, kinds, CLUSTERS, RNG)
    assert [(p.first, p.second) for p in found] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert all(pair.kappa.interval for pair in found)
    bare = agreement_map(verdicts, kinds, CLUSTERS, RNG, most=2)
    assert not any(pair.kappa.interval for pair in bare)
    assert [pair.kappa.value for pair in bare] == [pair.kappa.value for pair in found]
    assert list(map_frame(found)["items"]) == [80, 80, 80]
