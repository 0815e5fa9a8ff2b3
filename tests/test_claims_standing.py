from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.claims import standing as module
from audit.claims.claim import Claim
from audit.claims.region import read_region
from audit.claims.standing import (
    SPEAKS_FOR,
    Standing,
    Support,
    settle,
    spoken_for,
    standing_after,
)
from audit.claims.words import Population
from audit.numbers.estimate import Estimate, Interval, Undefined
from games.cohort import CohortKind, load_cohort
from games.study.config import ModelConfig
from games.study.study import load_study

from .calls import cohort, model

ABOVE = read_region("> 1")
ALL, NONE = Support(1.0), Support(0.0)


def interval(low, high):
    return Interval(low, high, 0.95, "test")


def claim(**changes):
    facts = {
        "id": "one",
        "place": "5",
        "sentence": "It is above 1.",
        "printed": "7.75",
        "estimand": "odds_ratio.modes",
        "population": "models",
        "cluster": "ordered_pair",
        "region": "> 1",
        "not_checkable": "a test",
    }
    return Claim.model_validate(facts | changes)


@pytest.mark.parametrize(
    ("low", "high", "margin", "support", "expected"),
    [
        (1.1, 3.0, 0.0, ALL, Standing.HOLDS),
        (1.1, math.inf, 0.0, ALL, Standing.HOLDS),
        (1.1, 3.0, 0.0, Support(0.9), Standing.HOLDS),
        (1.1, 3.0, 0.0, Support(0.89), Standing.UNDECIDED),
        (1.1, 3.0, 0.0, NONE, Standing.UNDECIDED),
        (1.1, 3.0, 0.0, Support(0.5, "K = 24", 0.95), Standing.HOLDS_UNDER),
        (1.1, 3.0, 0.0, Support(0.5, "K = 24", 0.85), Standing.UNDECIDED),
        (1.1, 3.0, 0.0, Support(0.5, "", 1.0), Standing.UNDECIDED),
        (0.9, 3.0, 0.0, ALL, Standing.UNDECIDED),
        (0.9, 3.0, 0.0, NONE, Standing.UNDECIDED),
        (1.0, 3.0, 0.0, ALL, Standing.UNDECIDED),
        (0.1, 0.8, 0.0, NONE, Standing.REVERSED),
        (0.1, 0.8, 0.1, Support(0.1), Standing.REVERSED),
        (0.1, 0.8, 0.2, NONE, Standing.UNDECIDED),
        (0.1, 0.8, 0.3, NONE, Standing.UNDECIDED),
        (0.1, 0.8, 0.0, Support(0.11), Standing.UNDECIDED),
        (0.1, 0.8, 0.0, ALL, Standing.UNDECIDED),
        (0.1, 1.0, 0.0, NONE, Standing.UNDECIDED),
    ],
)
def test_the_rule(low, high, margin, support, expected):
    assert settle(interval(low, high), ABOVE, margin, support, 0.9) is expected


def test_no_interval_settles_nothing():
    assert settle(None, ABOVE, 0.0, ALL, 0.9) is Standing.UNDECIDED


def test_equivalence_needs_the_whole_interval_inside():
    region = read_region("[-0.05, 0.05]")
    assert settle(interval(-0.04, 0.03), region, 0.02, ALL, 0.9) is Standing.HOLDS
    assert settle(interval(-0.09, 0.05), region, 0.02, ALL, 0.9) is Standing.UNDECIDED
    assert settle(interval(0.08, 0.20), region, 0.02, NONE, 0.9) is Standing.REVERSED


@given(
    st.floats(-5, 5),
    st.floats(0, 5),
    st.floats(0, 2),
    st.floats(0, 1),
    st.floats(0.51, 1),
)
def test_holds_and_reversed_need_interval_and_sweep(low, width, margin, share, asked):
    found = settle(interval(low, low + width), ABOVE, margin, Support(share), asked)
    if found is Standing.HOLDS:
        assert low > 1
        assert share >= asked
    if found is Standing.REVERSED:
        assert low + width < 1 - margin
        assert share + asked <= 1 + 1e-9
    assert found is not Standing.HOLDS_UNDER


@pytest.mark.parametrize(
    ("margin", "asked", "rule"),
    [(-0.1, 0.9, "margin"), (math.nan, 0.9, "margin"), (0, 0.5, "asked"), (0, 1.1, "asked")],
)
def test_arguments_refused(margin, asked, rule):
    with pytest.raises(ValueError, match=rule):
        settle(interval(2, 3), ABOVE, margin, ALL, asked)


@pytest.mark.parametrize("share", [-0.1, 1.1, math.nan])
def test_shares_refused(share):
    with pytest.raises(ValueError, match=r"a share must lie in \[0, 1\]"):
        Support(share)
    with pytest.raises(ValueError, match=r"a share must lie in \[0, 1\]"):
        Support(1.0, "K = 24", share)


def test_every_kind_of_cohort_speaks_for_something_or_is_said_not_to():
    assert set(SPEAKS_FOR) == set(CohortKind)


@pytest.mark.parametrize("population", Population)
def test_built_in_policies_settle_no_claim_about_models(population):
    estimate = Estimate(2.0, interval(1.5, 3.0), 100)
    one = claim(population=population.value)
    settled = standing_after(one, estimate, CohortKind.REFERENCE, ALL)
    assert settled.standing is Standing.NOT_RERUN
    assert "reference cohort" in settled.reason


def test_a_claim_that_no_match_can_tell():
    settled = standing_after(claim(estimand=""), None, CohortKind.REFERENCE)
    assert settled.standing is Standing.NOT_RERUN
    assert "no match can tell" in settled.reason


@pytest.fixture
def models(monkeypatch):
    """Let the one kind of cohort speak for all models, as a cohort of models would."""
    monkeypatch.setitem(module.SPEAKS_FOR, CohortKind.REFERENCE, frozenset({Population.MODELS}))
    return CohortKind.REFERENCE


@pytest.mark.parametrize(
    ("estimate", "support", "expected", "reason"),
    [
        (Estimate(2.0, interval(1.5, 3.0), 9), ALL, Standing.HOLDS, ""),
        (Estimate(2.0, interval(1.5, 3.0), 9), None, Standing.UNDECIDED, "no sweep says"),
        (Estimate(2.0, interval(1.5, 3.0), 9), NONE, Standing.UNDECIDED, "only 0% of spec"),
        (Estimate(2.0, interval(0.5, 3.0), 9), ALL, Standing.UNDECIDED, "partly inside"),
        (Estimate(0.2, interval(0.1, 0.5), 9), ALL, Standing.UNDECIDED, "outside, with 100%"),
        (Estimate(0.2, interval(0.1, 0.5), 9), NONE, Standing.REVERSED, ""),
        (Estimate(2.0, None, 9), ALL, Standing.UNDECIDED, "no interval"),
        (Estimate.undefined(Undefined.EMPTY, 0), ALL, Standing.UNDECIDED, "no interval"),
        (None, ALL, Standing.UNDECIDED, "no interval"),
    ],
)
def test_a_cohort_that_speaks_for_models(models, estimate, support, expected, reason):
    settled = standing_after(claim(), estimate, models, support)
    assert settled.standing is expected
    assert reason in settled.reason
    assert (settled.reason == "") == (reason == "")
    named = claim(population="named_models")
    assert standing_after(named, estimate, models, support).standing is Standing.NOT_RERUN


def test_condition_is_said(models):
    support = Support(0.5, "disqualified matches left out", 1.0)
    settled = standing_after(claim(), Estimate(2.0, interval(1.5, 3.0), 9), models, support)
    assert settled.standing is Standing.HOLDS_UNDER
    assert settled.condition == "disqualified matches left out"


def test_no_region_is_undecided(models):
    settled = standing_after(claim(region=None), None, models, ALL)
    assert settled.standing is Standing.UNDECIDED
    assert "no region" in settled.reason


def played_by(*ids, kind="models", builtin=False):
    """Return a cohort of models asked under some ids, with a built-in policy among them or not."""
    players = [model(name, model=name) for name in ids]
    if builtin:
        seats = {"seeker_i": "random", "holder_i": "random", "seeker_ii": "random"}
        players.append({"id": "policy", **seats, "holder_ii": "random"})
    return cohort(*players, kind=kind)


NAMED = tuple(
    ModelConfig(id=f"Model {name}", api_id=name, architecture="x", parameters_billion=1)
    for name in ("x/one", "x/two")
)
BOTH = frozenset({Population.MODELS, Population.NAMED_MODELS})


@pytest.mark.parametrize(
    ("cohort_played", "spoken"),
    [
        (played_by("x/one", "x/two"), BOTH),
        (played_by("x/two", "x/one"), BOTH),
        (played_by("x/one", "x/one-2026"), BOTH - {Population.NAMED_MODELS}),
        (played_by("x/one", "x/two", "x/three"), BOTH - {Population.NAMED_MODELS}),
        (played_by("x/one", "X/two"), BOTH - {Population.NAMED_MODELS}),
        (played_by("x/one", "x/two", builtin=True), frozenset()),
        (played_by("x/one", "x/two", kind="plumbing"), frozenset()),
    ],
)
def test_claims_about_named_models_are_spoken_for_by_those_ids_alone(cohort_played, spoken):
    assert spoken_for(cohort_played, NAMED) == spoken
    estimate = Estimate(2.0, interval(1.5, 3.0), 100)
    for population in Population:
        one = claim(population=population.value)
        kind = cohort_played.kind
        settled = standing_after(one, estimate, kind, ALL, spoken=spoken)
        holds = population in spoken
        assert (settled.standing is Standing.HOLDS) == holds
        assert (settled.standing is Standing.NOT_RERUN) != holds
        assert bool(settled.reason) != holds


def test_of_a_cohort_of_models_nothing_is_spoken_for_named_ones_unless_it_is_said():
    estimate = Estimate(2.0, interval(1.5, 3.0), 100)
    named = claim(population="named_models")
    settled = standing_after(named, estimate, CohortKind.MODELS, ALL)
    assert settled.standing is Standing.NOT_RERUN
    assert settled.reason == "it names models, and the ids that were asked here are not theirs"
    assert standing_after(claim(), estimate, CohortKind.MODELS, ALL).standing is Standing.HOLDS


@pytest.mark.parametrize("population", Population)
def test_plumbing_settles_no_claim(population):
    estimate = Estimate(2.0, interval(1.5, 3.0), 100)
    settled = standing_after(claim(population=population.value), estimate, CohortKind.PLUMBING, ALL)
    assert settled.standing is Standing.NOT_RERUN
    assert "nothing about models" in settled.reason


def test_the_shipped_paper_cohort_speaks_for_the_models_that_its_study_names():
    study = load_study("aidg")
    paper = load_cohort(study.folder / "cohorts" / "paper.toml")
    assert spoken_for(paper, study.config.models) == BOTH
    local = load_cohort(study.folder / "cohorts" / "local.toml")
    assert spoken_for(local, study.config.models) == frozenset()
