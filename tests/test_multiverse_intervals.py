"""Intervals of a sweep: joined to its rows, free of the order of work, with what they cover."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from audit.multiverse import interval_tasks
from audit.multiverse.axes import axes_of, load_axes
from audit.multiverse.by_ratings import by_ratings
from audit.multiverse.choices import Estimator, Experiment
from audit.multiverse.grid import grid_of
from audit.multiverse.intervals import ASKED, COLUMNS, intervals_of
from audit.multiverse.quantities import QUANTITIES
from audit.multiverse.reading import BY_ALIAS, LEAKED_BEFORE, STATED, Columns
from audit.multiverse.settings import specification_of
from audit.multiverse.units import Failed, Units
from audit.numbers.rating import Carry
from audit.numbers.resampling.coverage import Method, Scheme, coverage_of, primary_of
from games.study.study import load_study

from .corpora import PLAYERS, frame, printed_corpus, row

BASE = specification_of(load_study("aidg"))
AXES = axes_of(load_axes(), BASE, ["arbiter"])
CORPUS = printed_corpus().assign(**{LEAKED_BEFORE: False, STATED: False, BY_ALIAS: False})


def units_of(corpus):
    return Units({"arbiter": Columns.of(corpus)}, 16, PLAYERS)


def some_specs(**fixed):
    """Return some dozens of Elo specifications of all experiments and steps."""
    levels = dict(AXES.levels) | {name: (level,) for name, level in fixed.items()}
    axes = replace(AXES, levels=levels | {"estimator": (Estimator.ELO,), "k": (16.0, 24.0)})
    return grid_of(axes, replace(BASE, **fixed), np.random.default_rng(6), most=30)


@pytest.mark.parametrize("carry", Carry)
def test_values_are_those_of_the_sweep_and_lie_in_order(carry):
    grid, units = some_specs(carry=carry), units_of(CORPUS)
    found = intervals_of(units, grid.specifications[:40])
    assert tuple(found.columns) == COLUMNS
    assert (found["failure"] == "").all()
    swept = by_ratings(units_of(CORPUS), grid, grid.specifications[0])
    for name in QUANTITIES:
        own = found[found["quantity"] == name]
        assert own["value"].to_numpy() == pytest.approx(swept.values[name][:40], abs=1e-9)
        assert (own["row"].to_numpy() == np.arange(len(own))).all()
        assert (own["percentile_low"] <= own["percentile_high"]).all()
        assert (own["low"] <= own["high"]).all()


def test_what_stands_first_covers_best_and_says_so():
    specs = [replace(BASE, carry=carry) for carry in Carry]
    found = intervals_of(units_of(CORPUS), specs)
    for spec, (_, own) in zip(specs, found.groupby("row"), strict=True):
        scheme = Scheme[spec.carry.name]
        for line in own.to_dict("records"):
            first = primary_of(scheme, line["quantity"])
            assert line["method"] == first.value
            assert (line["low"], line["high"]) == (line[f"{first}_low"], line[f"{first}_high"])
            for method in Method:
                said = coverage_of(scheme, line["quantity"], method, 5, 0.95)
                assert line[f"{method}_coverage"] == said
                assert said <= line["coverage"]


def test_engines_are_named():
    cells = {
        (Experiment.AIDG_I, Carry.CARRIED): ("enumerated, blocks in order", 3_125),
        (Experiment.AIDG_II, Carry.RESET): ("enumerated", 126),
        (Experiment.POOLED, Carry.CARRIED): ("enumerated, blocks in order", 3_125),
        (Experiment.MEAN, Carry.RESET): ("enumerated", 126**2),
        (Experiment.MEAN, Carry.CARRIED): ("monte carlo", 4_000),
    }
    specs = [replace(BASE, experiment=game, carry=carry) for game, carry in cells]
    found = intervals_of(units_of(CORPUS), specs)
    for name in ASKED:
        own = found[found["quantity"] == name]
        for (engine, atoms), line in zip(cells.values(), own.to_dict("records"), strict=True):
            drawn = engine == "monte carlo" and name != "rating.gap"
            if engine == "monte carlo" and not drawn:
                assert line["engine"] == "enumerated, blocks in order"
                assert line["atoms"] == 3_125**2
            else:
                assert (line["engine"], line["atoms"]) == (engine, atoms)
            assert (line["band"] > 0.0) == drawn


FITTED = (Estimator.WEIGHTED_BRADLEY_TERRY, Estimator.BRADLEY_TERRY, Estimator.FIRTH)


def test_what_is_fitted_to_all_matches_is_resampled_without_order():
    specs = [
        replace(BASE, estimator=estimator, experiment=experiment)
        for estimator in FITTED
        for experiment in (Experiment.AIDG_I, Experiment.POOLED, Experiment.MEAN)
    ]
    units = units_of(CORPUS)
    found = intervals_of(units, specs)
    rated = units.rate(specs)
    gaps = found[found["quantity"] == "rating.gap"]
    for spec, ratings, line in zip(specs, rated, gaps.to_dict("records"), strict=True):
        if isinstance(ratings, Failed):
            assert line["failure"] == ratings.reason
            assert np.isnan(line["value"])
            continue
        assert line["failure"] == ""
        assert line["value"] == pytest.approx(QUANTITIES["rating.gap"](ratings[None])[0], abs=1e-9)
        pairs = 126**2 if spec.experiment is Experiment.MEAN else 126
        assert (line["engine"], line["atoms"]) == ("enumerated", pairs)
        assert (line["method"], line["band"]) == ("student", 0.0)
        assert line["coverage"] == coverage_of(Scheme.FITTED, "rating.gap", Method.STUDENT, 5, 0.95)
        assert 0.0 <= line["undefined"] < 1.0
        assert line["total"] == pytest.approx(1.0, abs=1e-12)
        assert line["rule"] == "inverse cdf"
    assert (gaps["failure"] == "").sum() >= 4


def test_online_estimators_are_resampled_where_it_can_be_done_in_time():
    specs = [
        replace(BASE, estimator=estimator, carry=carry, experiment=Experiment.AIDG_II)
        for estimator in (Estimator.GLICKO_2, Estimator.TRUE_SKILL)
        for carry in Carry
    ]
    found = intervals_of(units_of(CORPUS), specs, {"rating.gap": QUANTITIES["rating.gap"]})
    keys = [(spec.estimator, spec.carry) for spec in specs]
    lines = dict(zip(keys, found.to_dict("records"), strict=True))
    engines = {
        (Estimator.GLICKO_2, Carry.CARRIED): ("enumerated, blocks in order", 3_125),
        (Estimator.GLICKO_2, Carry.RESET): ("enumerated", 126),
        (Estimator.TRUE_SKILL, Carry.RESET): ("enumerated", 126),
    }
    for key, expected in engines.items():
        assert (lines[key]["engine"], lines[key]["atoms"]) == expected
        assert lines[key]["method"] == "student"
        assert np.isnan(lines[key]["coverage"])
    assert "walked one by one" in lines[Estimator.TRUE_SKILL, Carry.CARRIED]["failure"]


def test_matches_without_a_maximum_are_said_and_not_resampled():
    lost = CORPUS.assign(winner=np.where(CORPUS["winner"] == "", "", "holder"))
    spec = replace(BASE, estimator=Estimator.BRADLEY_TERRY)
    found = intervals_of(units_of(lost), [spec])
    assert found["failure"].str.startswith("separated, no finite maximum").all()
    assert found["low"].isna().all()


def test_threads_the_order_of_work_and_memory_decide_no_digit(monkeypatch):
    specs = list(some_specs().specifications[:30])
    found = intervals_of(units_of(CORPUS), specs)
    assert found.equals(intervals_of(units_of(CORPUS), specs, threads=2))
    assert found.equals(_turned(intervals_of(units_of(CORPUS), specs[::-1])))
    monkeypatch.setattr(interval_tasks, "_BYTES", 1)
    monkeypatch.setattr(interval_tasks, "_LANES", 1)
    # One step at a time sums in another order: the last digit may differ.
    apart = intervals_of(units_of(CORPUS), specs)
    pd.testing.assert_frame_equal(found, apart, rtol=1e-9, atol=1e-9)


def _turned(found):
    turned = found.assign(row=found["row"].max() - found["row"])
    return turned.sort_values("row", kind="stable").reset_index(drop=True)


def test_another_level_has_no_coverage():
    found = intervals_of(units_of(CORPUS), [BASE], level=0.9)
    assert found["coverage"].isna().all()
    wide = intervals_of(units_of(CORPUS), [BASE])
    assert (wide["high"] - wide["low"] > found["high"] - found["low"]).all()


def test_where_nothing_can_be_resampled_it_is_said():
    estimators = (Estimator.BRADLEY_TERRY, Estimator.PLACKETT_LUCE, Estimator.ELO)
    specs = [replace(BASE, estimator=estimator) for estimator in estimators]
    one = CORPUS.assign(tournament=1)
    found = intervals_of(units_of(one), specs, {"rating.gap": QUANTITIES["rating.gap"]})
    assert found["failure"].tolist() == [
        "one tournament cannot be resampled",
        "no law of resampled tournaments: online updates carried on are walked one by one",
        "one tournament cannot be resampled",
    ]
    assert found["low"].isna().all()
    many = CORPUS.assign(tournament=np.arange(len(CORPUS)) % 7)
    (why,) = intervals_of(units_of(many), [BASE], {"rating.gap": QUANTITIES["rating.gap"]})[
        "failure"
    ]
    assert why == "7 tournaments have more than 50,000 resamples"
    void = frame([row(game="aidg_i", seeker=PLAYERS[0], holder=PLAYERS[1])])
    empty = intervals_of(units_of(void.assign(**{LEAKED_BEFORE: False})), [BASE])
    assert set(empty["failure"]) == {"no match is left"}
