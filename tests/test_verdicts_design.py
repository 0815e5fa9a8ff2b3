from __future__ import annotations

import numpy as np
import pytest

from audit.verdicts.anticipated import Anticipated
from audit.verdicts.design import SECONDS, missed, narrowest, shared_otherwise, time_needed
from audit.verdicts.hidden import hidden_at_most
from audit.verdicts.inclusion import Allocation
from audit.verdicts.precision import Figure, Forecast, Precision, precision
from audit.verdicts.sampling import Design, Sampling
from audit.verdicts.strata import Unit
from games.words import ItemKind

from .test_verdicts_precision import LABEL, REPLY, population


def test_every_kind_has_its_seconds():
    assert set(SECONDS) == set(ItemKind)
    assert all(seconds > 0 for seconds in SECONDS.values())


def test_what_a_plain_sample_cannot_exclude():
    # The example: none among 160 still allows dozens in 2,700.
    design = Design(n=170, seed=0, by=(LABEL,), per_match=False)
    units = population(30, 2700)
    sampling = Sampling(units, design)
    one = missed(sampling, REPLY, Anticipated(missed=0.01).chances(sampling.ordered))
    assert (one.passed, one.drawn, one.anticipated) == (2700, 168, pytest.approx(27))
    assert one.none_found == hidden_at_most(0, 168, 2700) == 46
    assert one.one_found == hidden_at_most(1, 168, 2700) > one.none_found
    assert hidden_at_most(0, one.to_exclude, 2700) <= 27
    assert hidden_at_most(0, one.to_exclude - 1, 2700) > 27


def test_where_nothing_is_drawn_everything_may_be_missed():
    units = [*population(3, 0), Unit("z/t01/lock", "z", ((LABEL, "no_match"),), False)]
    design = Design(n=2, seed=0, by=(LABEL,), per_match=False)
    sampling = Sampling(units, design)
    sampling.probability[-1] = 0.4
    one = missed(sampling, ItemKind.LOCK, np.full(4, 0.1))
    assert (one.drawn, one.none_found, one.one_found) == (0, 1, 1)


def test_where_nothing_was_passed_nothing_is_missed():
    sampling = Sampling(population(3, 0), Design(n=2, seed=0, by=(LABEL,)))
    assert missed(sampling, REPLY, np.full(3, 0.8)) is None


def test_time_counts_every_label_that_is_asked():
    units = [
        *population(0, 40),
        *(Unit(f"z{n}/t1/lock", f"z{n}", ((LABEL, "x"),)) for n in range(40)),
    ]
    shape = {"annotators": 3, "overlap": 4, "repeats": 2, "practice": 5}
    design = Design(n=20, seed=0, by=(LABEL,), per_match=False, **shape)
    time = time_needed(Sampling(units, design), design)
    # 16 alone, 4 by three, 2 again by three, 5 for practice by three; half replies, half locks.
    assert time.labels == 16 + 3 * (4 + 2 + 5) == 49
    mean = (SECONDS[REPLY] + SECONDS[ItemKind.LOCK]) / 2
    assert time.hours == pytest.approx(49 * mean / 3600)
    measured = dict.fromkeys(ItemKind, 60.0)
    assert time_needed(Sampling(units, design), design, measured).hours == pytest.approx(49 / 60)


def test_each_other_allocation_is_what_a_design_of_its_own_would_buy():
    units, given = population(20, 180), Anticipated()
    design = Design(n=40, seed=0, by=(LABEL,), anticipated=given, allocation=Allocation.EQUAL)
    found = shared_otherwise(units, design, REPLY, np.random.default_rng(5), 50)
    assert list(found) == [Allocation.PROPORTIONAL, Allocation.NEYMAN]
    rng = np.random.default_rng(5)
    for allocation in found:
        sampling = Sampling(units, design.model_copy(update={"allocation": allocation}))
        alone = precision(sampling, given.chances(sampling.ordered), REPLY, rng, 50)
        assert found[allocation].figures[Figure.KAPPA] == alone.figures[Figure.KAPPA]


def test_nothing_is_compared_where_the_arbiter_gave_no_label():
    units = [Unit("m/t01/holder_reply", "m", ())]
    assert shared_otherwise(units, Design(n=1, seed=0), REPLY, np.random.default_rng(0)) == {}


def precise(margin, error=0.01):
    return Precision(REPLY, 9, 9.0, {Figure.KAPPA: Forecast(0.8, margin, error, 0.0)})


@pytest.mark.parametrize(
    ("margins", "best"),
    [
        ((0.30, 0.20, 0.10), Allocation.NEYMAN),
        ((0.30, 0.10, 0.20), Allocation.EQUAL),
        ((0.10, 0.20, 0.20), None),
        # Twice the error of the difference, 2·√2·0.01, is more than what is gained.
        ((0.12, 0.10, 0.10), None),
        ((0.20, float("nan"), float("nan")), None),
    ],
)
def test_another_allocation_is_better_only_beyond_the_simulations_error(margins, best):
    asked, equal, neyman = map(precise, margins)
    others = {Allocation.EQUAL: equal, Allocation.NEYMAN: neyman}
    assert narrowest(asked, others, Figure.KAPPA) is best
