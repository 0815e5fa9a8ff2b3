"""Specifications, their signatures and the axes that they are drawn from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.multiverse.axes import AxesFile, axes_of, load_axes
from audit.multiverse.choices import Disqualification, Estimator, Experiment, Order
from audit.multiverse.grid import Rule, canonical, grid_of, near, rule_against
from audit.multiverse.settings import specification_of
from audit.multiverse.specification import SHORT, WORDS, level_of, read_signature, word_of
from audit.numbers.multiplier import Multiplier
from games.errors import AidgError
from games.study.study import load_study

BASE = specification_of(load_study("aidg"))
SHIPPED = axes_of(load_axes(), BASE, ["arbiter", "referee"])


@st.composite
def specifications(draw):
    chosen = {
        name: draw(st.sampled_from(levels)) for name, levels in SHIPPED.levels.items() if levels
    }
    return replace(BASE, **chosen)


@given(specifications())
def test_a_signature_can_be_read_back(spec):
    assert read_signature(spec.signature, BASE) == spec
    assert len(spec.signature.split()) == len(SHORT)


def test_what_a_signature_leaves_out_is_as_in_the_base():
    found = read_signature("K=16 DQ=tie", BASE)
    assert found == replace(BASE, k=16.0, disqualification=Disqualification.TIE)
    assert read_signature("", BASE) == BASE


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("K", "`signature` must be name=level with verdicts"),
        ("Q=1", "`signature` must be name=level"),
        ("DQ=perhaps", "`disqualification` must be one of holder_win, excluded, tie, unweighted"),
        ("K=fast", "`k` must be a number, found"),
        ("K=-1", "`k` must be a number above 0"),
    ],
)
def test_a_signature_that_says_nothing_known_is_refused(line, words):
    with pytest.raises(AidgError, match=words):
        read_signature(line, BASE)


def test_every_axis_of_words_has_its_levels_in_the_shipped_file():
    for name, kind in WORDS.items():
        assert {word_of(level) for level in SHIPPED.levels[name]} == {
            word_of(level) for level in kind
        }
    assert SHIPPED.levels["verdicts"] == ("arbiter", "referee")
    assert len(SHIPPED.turned) == len(SHORT)


def test_every_number_below_the_size_is_one_specification():
    file = AxesFile(verdicts=["all"], k=[16, 24], order=["scheduled", "reversed", "shuffled"])
    few = axes_of(file, BASE, ["arbiter", "x"])
    found = {tuple(map(str, few.at(number).values())) for number in range(few.size)}
    assert len(found) == few.size == 2 * 3 * 2
    assert few.turned == ("verdicts", "k", "order")


@pytest.mark.parametrize(
    ("given_", "words"),
    [
        ({"k": [1, 1]}, "must not repeat a level"),
        ({"k": []}, "with a level or more"),
        ({"nonsense": [1]}, "nonsense"),
    ],
)
def test_a_file_of_axes_that_breaks_a_rule_is_refused(tmp_path, given_, words):
    path = tmp_path / "axes.toml"
    path.write_text("".join(f"{name} = {levels}\n" for name, levels in given_.items()))
    with pytest.raises(AidgError, match=words) as fault:
        load_axes(path)
    assert "axes.toml" in str(fault.value)


def test_verdicts_that_the_run_does_not_hold_are_refused():
    with pytest.raises(AidgError, match="`verdicts` must be all, or some of arbiter"):
        axes_of(AxesFile(verdicts=["judge"]), BASE, ["arbiter"])
    with pytest.raises(AidgError, match="`order` must be one of"):
        axes_of(AxesFile(order=["backwards"]), BASE, ["arbiter"])


@given(specifications())
def test_the_canonical_form_is_one_of_its_own_and_never_against_the_rules_alone(spec):
    found = canonical(spec, BASE)
    assert canonical(found, BASE) == found
    if rule_against(spec) is None:
        assert rule_against(found) is None


@pytest.mark.parametrize(
    ("change", "same"),
    [
        ({"start": 1000.0}, {}),
        (
            {"experiment": Experiment.AIDG_I, "multiplier": Multiplier.REVERSED},
            {"experiment": Experiment.AIDG_I},
        ),
        (
            {"experiment": Experiment.AIDG_II, "order": Order.MODE_A_FIRST},
            {"experiment": Experiment.AIDG_II},
        ),
        (
            {"estimator": Estimator.BRADLEY_TERRY, "k": 8.0, "order": Order.REVERSED},
            {"estimator": Estimator.BRADLEY_TERRY},
        ),
    ],
)
def test_an_axis_without_effect_stands_at_the_base(change, same):
    assert canonical(replace(BASE, **change), BASE) == replace(BASE, **same)


def test_what_is_no_analysis_is_left_out_by_a_named_rule_and_counted():
    axes = axes_of(
        AxesFile(
            estimator=["elo", "bradley_terry", "davidson"],
            disqualification=["holder_win", "tie", "unweighted"],
        ),
        BASE,
        ["arbiter"],
    )
    grid = grid_of(axes, BASE, np.random.default_rng(1))
    assert grid.full
    assert grid.size == grid.drawn == 9
    assert grid.excluded == {
        Rule.TIE_UNKNOWN: 1,
        Rule.NEEDS_TIE: 2,
        Rule.UNWEIGHTED_UNKNOWN: 1,
    }
    kept = {(spec.estimator, spec.disqualification) for spec in grid.specifications}
    assert len(kept) == len(grid.specifications) == 5
    assert sum(grid.weights) + sum(grid.excluded.values()) == grid.drawn
    assert grid.specifications[0] == BASE


def test_a_fraction_is_drawn_evenly_and_the_near_ones_are_added():
    grid = grid_of(SHIPPED, BASE, np.random.default_rng(1), most=500)
    assert not grid.full
    assert grid.drawn == 500
    assert sum(grid.weights) + sum(grid.excluded.values()) == 500
    assert len(set(grid.specifications)) == len(grid.specifications)
    beside = {
        spec for spec, count in zip(grid.specifications, grid.weights, strict=True) if not count
    }
    assert beside <= {canonical(spec, BASE) for spec in near(SHIPPED, BASE)}
    again = grid_of(SHIPPED, BASE, np.random.default_rng(1), most=500)
    assert again == grid


def test_a_level_is_what_its_word_says():
    for name, kind in WORDS.items():
        for level in kind:
            assert level_of(name, word_of(level)) is level
    assert level_of("k", "24") == 24.0
