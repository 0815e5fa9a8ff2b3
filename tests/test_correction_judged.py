"""Correction of one part and of two modes: identities, undecided numbers, simulated coverage."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.correction.figures import Figure, Scale, figures, figures_of_modes
from audit.correction.judged import Judged, correct
from audit.correction.methods import OUTSIDE, RANDOM, methods
from audit.numbers.estimate import Estimate, Interval, Undefined
from audit.numbers.proportion import proportion
from benchmarks.correction_coverage import (
    GRID,
    MATCHES,
    PAIRS,
    WORST,
    Cell,
    coverage,
    labelled,
    played,
    truth,
)

few = settings(max_examples=25, deadline=None)


def study(cell=WORST, seed=1):
    rng = np.random.default_rng(seed)
    modes = [played(cell, m, n, PAIRS, rng) for m, n in enumerate(MATCHES)]
    return modes, labelled(modes, cell, rng)


def fully(mode, label):
    everything = np.arange(len(mode.yes))
    heavy = np.ones(len(everything))
    return Judged(mode.match, mode.yes, mode.pair, everything, label, heavy)


def test_people_who_agree_with_the_arbiter_change_no_share():
    mode = study()[0][0]
    found = correct(fully(mode, mode.yes))
    assert found.items.value == pytest.approx(found.arbiter.value)
    assert found.matches.least.value == pytest.approx(found.won.value)
    assert found.matches.most.value == pytest.approx(found.won.value)


@few
@given(st.integers(0, 10_000))
def test_labels_of_everything_give_the_truth_of_the_record(seed):
    mode = study(seed=seed)[0][0]
    found = correct(fully(mode, mode.true))
    assert found.items.value == pytest.approx(mode.true.mean())
    assert found.people.value == pytest.approx(mode.true.mean())
    held = (np.bincount(mode.match, weights=mode.true) > 0).mean()
    assert found.matches.least.value <= held + 1e-9
    assert held in found.matches.interval


@few
@given(st.integers(0, 10_000))
def test_weights_undo_the_odds_of_being_drawn(seed):
    """The yes are drawn far more often than the no; their weights say so."""
    modes, parts = study(seed=seed)
    for mode, part in zip(modes, parts, strict=True):
        assert part.weight.sum() == pytest.approx(len(mode.yes))
        yes = part.yes[part.checked]
        assert part.weight[yes].sum() == pytest.approx(mode.yes.sum())


def test_the_order_of_items_and_a_common_weight_decide_nothing():
    part = study()[1][0]
    order = np.random.default_rng(1).permutation(len(part.checked))
    other = replace(
        part, checked=part.checked[order], label=part.label[order], weight=5 * part.weight[order]
    )
    one, two = correct(part), correct(other)
    assert one.items.interval.low == pytest.approx(two.items.interval.low)
    assert one.matches.interval.high == pytest.approx(two.matches.interval.high)


def test_more_labels_that_say_the_same_narrow():
    part = study(Cell(0.03, 50, "equal"))[1][0]
    widths = [correct(part, factor=factor).items.interval.width for factor in (1.0, 2.0, 8.0)]
    assert widths[0] > widths[1] > widths[2]
    assert correct(part, factor=8.0).arbiter == correct(part).arbiter


def test_a_part_without_items_or_labels_is_undefined():
    none = np.zeros(0, dtype=np.int64)
    empty = Judged(none, none.astype(bool), none, none, none.astype(bool), none.astype(float))
    found = correct(empty)
    assert {found.items.reason, found.people.reason, found.won.reason} == {Undefined.EMPTY}
    mode = study()[0][0]
    bare = Judged(mode.match, mode.yes, mode.pair, none, none.astype(bool), none.astype(float))
    found = correct(bare)
    assert found.items.reason is Undefined.TOO_FEW
    assert (found.matches.interval.low, found.matches.interval.high) == (0.0, 1.0)


def figure(low, high, scale, value=0.5, most=None):
    least = Estimate(value, None, 9)
    high_end = least if most is None else Estimate(most, None, 9)
    span = Interval(low, high, 0.95, "y")
    return Figure("x", least, None, least, high_end, span, scale, bound=most is not None)


@pytest.mark.parametrize(
    ("low", "high", "scale", "standing"),
    [
        (0.1, 0.85, Scale.SHARE, "corrected"),
        (0.1, 0.86, Scale.SHARE, "undecided"),
        (-0.7, 0.8, Scale.DIFFERENCE, "corrected"),
        (-0.8, 0.8, Scale.DIFFERENCE, "undecided"),
        (0.01, 100.0, Scale.ODDS_RATIO, "corrected"),
        (0.01, 101.0, Scale.ODDS_RATIO, "undecided"),
        (0.0, 3.0, Scale.ODDS_RATIO, "undecided"),
        (0.5, math.inf, Scale.ODDS_RATIO, "undecided"),
    ],
)
def test_what_is_undecided(low, high, scale, standing):
    assert figure(low, high, scale).standing == standing


def test_a_bound_says_so_and_what_is_undefined_is_undecided():
    assert figure(0.1, 0.5, Scale.SHARE, 0.2, 0.4).standing == "bounded"
    nothing = Estimate.undefined(Undefined.TOO_FEW, 3)
    span = Interval(0.1, 0.2, 0.95, "z")
    assert Figure("x", nothing, None, nothing, nothing, span).standing == "undecided"


def test_an_undecided_number_tells_how_many_labels_would_do():
    cell = Cell(0.01, 50, "equal")
    first, second = study(cell, seed=3)[1]
    everything = together(first, second)
    found = {one.estimand: one for one in figures({"a": first, "b": second, "all": everything})}
    open_one = found["share.seeker.mode_b"]
    assert open_one.standing == "undecided"
    assert 50 < open_one.needed <= 64 * 50
    assert all(one.needed is None for one in found.values() if one.decided)
    assert (
        found["share.leaks.aidg_i"].arbiter.value
        == proportion(int(everything.yes.sum()), len(everything.yes)).value
    )
    # As many labels that say the same decide it; fewer by one step of the forecast do not.
    factor = open_one.needed / 50
    later = figures_of_modes(correct(first, factor=factor), correct(second, factor=factor))
    assert next(f for f in later if f.estimand == open_one.estimand).decided


def test_the_truth_of_the_process_is_what_it_was_set_to():
    """Leaks a reply are the rate of the mode, whatever ends a match."""
    leaks, held = truth(Cell(0.03, 50, "equal"))[0]
    assert leaks == pytest.approx(0.045, abs=0.003)
    assert held < 1 - (1 - 0.045) ** 10


def together(first, second):
    return Judged(
        np.concatenate([first.match, second.match + first.matches]),
        *(
            np.concatenate([getattr(first, name), getattr(second, name)])
            for name in ("yes", "cluster")
        ),
        np.concatenate([first.checked, second.checked + len(first.yes)]),
        *(
            np.concatenate([getattr(first, name), getattr(second, name)])
            for name in ("label", "weight")
        ),
    )


def by_method(first, second):
    parts = {"a": first, "b": second, "all": together(first, second)}
    return {(one.part, one.name): one for one in methods(parts)}


@few
@given(st.integers(0, 10_000))
def test_methods_that_know_the_same_agree(seed):
    """By ruling, weighted rates and weighted predictive values are two ways to one share."""
    found = by_method(*study(seed=seed)[1])
    for part in ("a", "b"):
        two_phase = found[part, "two-phase"].estimate.value
        assert found[part, "rogan-gladen, raw"].estimate.value == pytest.approx(two_phase)
        # Each ruling's weights sum to its size, so the difference estimator is the same too.
        assert found[part, "prediction-powered"].estimate.value == pytest.approx(two_phase)
        assert found[part, "plug-in"].note == RANDOM
    value = found["modes", "odds ratio, errors by mode"].estimate
    a, b = (found[part, "two-phase"].estimate.value for part in ("a", "b"))
    assert value.value == pytest.approx(a * (1 - b) / (b * (1 - a)))


def test_a_random_sample_has_a_plug_in_interval():
    modes = study()[0]
    first, second = (fully(mode, mode.true) for mode in modes)
    found = by_method(first, second)["a", "plug-in"]
    assert found.note == ""
    assert modes[0].true.mean() in found.estimate.interval


def test_methods_without_labels_or_better_than_a_coin_are_undefined():
    mode, none = study()[0][0], np.zeros(0, dtype=np.int64)
    bare = Judged(mode.match, mode.yes, mode.pair, none, none.astype(bool), none.astype(float))
    found = by_method(bare, bare)
    assert found["a", "rogan-gladen, raw"].estimate.reason is Undefined.EMPTY
    assert found["modes", "odds ratio, errors by mode"].estimate.reason is Undefined.EMPTY
    wrong = by_method(fully(mode, ~mode.yes), fully(mode, ~mode.yes))
    assert wrong["a", "rogan-gladen, raw"].estimate.reason is Undefined.ZERO_DENOMINATOR


def test_a_share_outside_is_noted_and_clipped():
    yes = np.isin(np.arange(100), [0, 19])
    part = Judged(
        np.arange(100),
        yes,
        np.arange(100) % 5,
        np.arange(20),
        np.array([False] * 19 + [True]),
        np.ones(20),
    )
    found = by_method(part, part)
    raw = found["a", "rogan-gladen, raw"]
    assert raw.estimate.value < 0
    assert raw.note == OUTSIDE
    assert found["a", "rogan-gladen, clipped"].estimate.value == 0.0


def test_ten_studies_a_cell_are_simulated():
    found = coverage(GRID[0], 10)
    assert set(found.published) == set(found.arbiter) == set(found.undecided)
    assert min(found.published.values()) >= 0.8


def test_an_empty_mode_leaves_its_figures_undecided():
    first = study()[1][0]
    none = np.zeros(0, dtype=np.int64)
    empty = Judged(none, none.astype(bool), none, none, none.astype(bool), none.astype(float))
    found = {one.estimand: one for one in figures({"a": first, "b": empty, "all": first})}
    assert found["share.leaks.mode_a"].standing == "corrected"
    for name in ("share.leaks.mode_b", "share.seeker.mode_b", "odds_ratio.modes"):
        assert (found[name].standing, found[name].needed) == ("undecided", None)


def test_one_reply_a_match_is_labelled_where_asked():
    rng = np.random.default_rng(2)
    cell = replace(WORST, per_match=True)
    modes = [played(cell, m, n, PAIRS, rng) for m, n in enumerate(MATCHES)]
    parts = labelled(modes, cell, rng)
    assert sum(len(part.checked) for part in parts) == cell.labels
    for part in parts:
        assert len(set(part.match[part.checked])) == len(part.checked)


@pytest.mark.slow
@pytest.mark.parametrize("per_match", [False, True])
def test_the_worst_cell_covers_and_the_arbiter_alone_does_not(per_match):
    found = coverage(replace(WORST, per_match=per_match), 200)
    assert min(found.published.values()) >= 0.93
    assert max(found.undecided.values()) == 0.0
    assert found.arbiter["share.leaks.mode_a"] < 0.9
