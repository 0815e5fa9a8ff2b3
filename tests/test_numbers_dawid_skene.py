"""Dawid and Skene: the published answer, brute force, laws of the algorithm, every message."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import minimize
from scipy.special import logsumexp

from audit.numbers._climb import Rows, climbed, followed
from audit.numbers.dawid_skene import dawid_skene, parameters
from audit.numbers.votes import ABSENT

CASE = json.loads((Path(__file__).parent / "cases" / "anaesthetists.json").read_text("utf-8"))
VOTES = np.array(CASE["input"]["votes"]) - 1
OBSERVER = np.array(CASE["input"]["columns"]) - 1
EXPECTED = CASE["expected"]
few = settings(max_examples=40, deadline=None)
tables = st.integers(2, 3).flatmap(
    lambda k: st.tuples(
        st.just(k),
        arrays(
            np.int64,
            st.tuples(st.integers(1, 9), st.integers(1, 4)),
            elements=st.integers(ABSENT, k - 1),
        ),
        st.sampled_from([0.0, 0.5, 2.0]),
    )
)


def anaesthetists(**how):
    return dawid_skene(VOTES, 4, rater=OBSERVER, **how)


def drawn(rng, items, share, matrices):
    """Return what is true of simulated items, and what raters of known confusion say of them."""
    truth = (rng.random(items) < share).astype(int)
    rows = [np.array(matrix)[truth, 1] for matrix in matrices]
    return truth, np.stack([(rng.random(items) < row).astype(int) for row in rows], axis=1)


def test_the_anaesthetists_come_out_as_printed_from_the_start_of_the_source():
    found = anaesthetists(several=False)
    assert found.converged
    assert found.shares == pytest.approx(EXPECTED["converged"]["shares"], abs=6e-7)
    assert found.log_likelihood == pytest.approx(EXPECTED["converged"]["log_likelihood"], abs=6e-7)
    assert found.shares == pytest.approx(EXPECTED["printed"]["shares"], abs=0.006)
    assert found.confusion[0] == pytest.approx(
        np.array(EXPECTED["printed"]["observer 1"]), abs=0.006
    )


def test_a_library_that_stops_after_four_iterations_is_off_in_the_fourth_decimal():
    early, late = (anaesthetists(several=False, limit=limit) for limit in (4, 1_000))
    assert early.shares == pytest.approx(EXPECTED["library"]["shares"], abs=6e-7)
    assert not early.converged
    assert late.iterations > 4 * 5
    assert abs(early.shares - late.shares).max() == pytest.approx(5.8e-4, abs=1e-5)
    assert late.log_likelihood - early.log_likelihood == pytest.approx(0.0184, abs=1e-4)


def test_the_published_fit_of_the_anaesthetists_is_not_the_most_likely_one():
    published = anaesthetists(several=False)
    best = anaesthetists(draws=10, rng=np.random.default_rng(0))
    assert best.objectives["vote shares"] == pytest.approx(published.log_likelihood)
    assert best.log_likelihood > published.log_likelihood + 1
    assert best.log_likelihood == pytest.approx(max(best.objectives.values()))
    assert best.start.startswith("draw")


def _log_likelihood(counts, shares, confusion):
    joint = np.log(shares) + np.einsum("irl,rcl->ic", counts, np.log(confusion))
    return logsumexp(joint, axis=1).sum()


def _unpacked(free, raters, classes):
    """Return class shares and matrices from unbounded numbers, by soft maxima."""
    rows = np.concatenate([free.reshape(-1, classes - 1), np.zeros((1 + raters * classes, 1))], 1)
    odds = np.exp(rows - logsumexp(rows, axis=1, keepdims=True))
    return odds[0], odds[1:].reshape(raters, classes, classes)


@pytest.mark.parametrize(
    ("seed", "raters", "classes", "smoothing"), [(0, 3, 2, 0.3), (1, 4, 2, 1.0), (2, 3, 3, 0.5)]
)
def test_no_other_parameters_are_likelier_by_a_general_optimiser(seed, raters, classes, smoothing):
    rng = np.random.default_rng(seed)
    votes = rng.integers(0, classes, (9, raters))
    votes[0, 0] = ABSENT
    counts = (votes[:, :, None] == np.arange(classes)).astype(float)

    def loss(free):
        shares, confusion = _unpacked(free, raters, classes)
        prior = smoothing * (np.log(shares).sum() + np.log(confusion).sum())
        return -(_log_likelihood(counts, shares, confusion) + prior)

    size = parameters(raters, classes)
    found = dawid_skene(votes, classes, smoothing=smoothing, draws=12, rng=rng)
    best = min(minimize(loss, rng.normal(size=size) * 2).fun for _ in range(8))
    assert found.trace[-1] >= -best - 1e-6
    again = _log_likelihood(counts, found.shares, found.confusion)
    assert found.log_likelihood == pytest.approx(again)


def test_of_one_rater_twice_and_two_items_every_grid_point_is_less_likely():
    votes = np.array([[0, 0, 0], [1, 1, 1], [0, 0, 1], [1, 1, 1]])
    found = dawid_skene(votes, 2, rater=[0, 0, 1], draws=4, rng=np.random.default_rng(3))
    grid = np.linspace(0.01, 0.99, 15)
    mesh = np.stack(np.meshgrid(*[grid] * 5, indexing="ij"), axis=-1).reshape(-1, 5)
    share, one, other = mesh[:, :1], mesh[:, 1:3], mesh[:, 3:5]  # chances to say 1, by class
    logs = np.zeros((len(mesh), len(votes), 2))
    for item, row in enumerate(votes):
        chance = np.where(row[0] == 1, one, 1 - one) * np.where(row[1] == 1, one, 1 - one)
        chance = chance * np.where(row[2] == 1, other, 1 - other)
        logs[:, item] = np.log(chance * np.concatenate([1 - share, share], axis=1))
    assert found.log_likelihood >= logsumexp(logs, axis=2).sum(axis=1).max() - 1e-9


@few
@given(tables)
def test_every_iteration_climbs_and_every_row_is_a_distribution(drawn):
    classes, votes, smoothing = drawn
    found = dawid_skene(votes, classes, smoothing=smoothing, limit=500)
    assert (np.diff(found.trace) >= -1e-9 * (1 + np.abs(found.trace[:-1]))).all()
    for rows in (found.posterior, found.confusion, found.shares):
        assert rows.sum(axis=-1) == pytest.approx(np.ones(rows.shape[:-1]))
    assert found.iterations == len(found.trace) - 1


@few
@given(tables, st.randoms(use_true_random=False))
def test_the_order_of_items_and_of_raters_decides_nothing(drawn, random):
    classes, votes, smoothing = drawn
    rows, columns = list(range(votes.shape[0])), list(range(votes.shape[1]))
    random.shuffle(rows)
    random.shuffle(columns)
    how = {"smoothing": smoothing, "several": False, "limit": 300}
    found = dawid_skene(votes, classes, **how)
    moved = dawid_skene(votes[np.ix_(rows, columns)], classes, **how)
    assert moved.trace[-1] == pytest.approx(found.trace[-1], abs=1e-6)
    if found.converged and moved.converged and smoothing:
        assert np.sort(moved.shares) == pytest.approx(np.sort(found.shares), abs=1e-4)


@pytest.mark.parametrize("order", [[1, 0], [0, 1]])
def test_other_names_of_the_classes_give_the_same_fit_under_those_names(order):
    matrices = [[[0.9, 0.1], [0.2, 0.8]], [[0.8, 0.2], [0.1, 0.9]], [[0.95, 0.05], [0.3, 0.7]]]
    _, votes = drawn(np.random.default_rng(5), 300, 0.3, matrices)
    found, named = dawid_skene(votes, 2), dawid_skene(np.array(order)[votes], 2)
    assert named.shares[order] == pytest.approx(found.shares, abs=1e-8)
    assert named.posterior[:, order] == pytest.approx(found.posterior, abs=1e-8)
    assert named.confusion[:, order][:, :, order] == pytest.approx(found.confusion, abs=1e-8)


def test_confusion_matrices_of_independent_raters_are_recovered():
    matrices = [
        [[0.98, 0.02], [0.30, 0.70]],
        [[0.90, 0.10], [0.10, 0.90]],
        [[0.95, 0.05], [0.20, 0.80]],
        [[0.85, 0.15], [0.40, 0.60]],
        [[0.97, 0.03], [0.15, 0.85]],
    ]
    _, votes = drawn(np.random.default_rng(1), 20_000, 0.2, matrices)
    found = dawid_skene(votes, 2)
    assert found.confusion == pytest.approx(np.array(matrices), abs=0.02)
    assert found.shares[1] == pytest.approx(0.2, abs=0.01)


def test_without_a_prior_a_rater_who_never_erred_cannot():
    votes = np.array([[0, 0, 0], [0, 0, 1], [1, 1, 1], [1, 1, 1], [0, 0, 0]])
    assert dawid_skene(votes, 2).confusion[0, 0, 1] == pytest.approx(0.0, abs=1e-9)
    assert dawid_skene(votes, 2, smoothing=0.5).confusion[0, 0, 1] > 0.05


def test_parameters_are_counted():
    assert parameters(3, 2) == 7
    assert parameters(5, 4) == 3 + 5 * 12


@pytest.mark.parametrize(
    ("votes", "how", "message"),
    [
        ([[0, 2]], {}, r"votes must lie in \[0, 2\), or be -1; found 2"),
        ([[0, -2]], {}, r"votes must lie in \[0, 2\), or be -1; found -2"),
        ([[0.0, 1.0]], {}, "votes must hold whole numbers, found dtype float64"),
        ([], {}, r"votes must be a filled table, found shape \(0,\)"),
        ([[0, 1]], {"classes": 1}, "classes must be at least 2, found 1"),
        ([[0, 1]], {"smoothing": -1.0}, "smoothing must be finite and at least 0, found -1.0"),
        ([[0, 1]], {"limit": 0}, "limit must be at least 1, found 0"),
        ([[0, 1]], {"draws": 2}, "draws need `rng`"),
        ([[0, 1]], {"rater": [0]}, "rater must name one rater a column, counted from 0"),
        ([[0, 1]], {"rater": [1, 1]}, "rater must name one rater a column, counted from 0"),
    ],
)
def test_what_cannot_be_fitted_is_refused(votes, how, message):
    with pytest.raises(ValueError, match=message):
        dawid_skene(votes, how.pop("classes", 2), **how)


def begun(votes, classes, smoothing):
    """Return distinct rows of votes, and a climb that has taken one iteration."""
    table, often = np.unique(votes, axis=0, return_counts=True)
    counts = (table[:, :, None] == np.arange(classes)).astype(float)
    rows = Rows(counts, often.astype(float), smoothing)
    said = counts.sum(axis=1) + np.arange(1, classes + 1) / classes
    return rows, climbed(rows, said / said.sum(axis=1, keepdims=True), 1e-10, 1)


@few
@given(tables)
def test_leaps_never_lead_down_and_end_where_a_single_iteration_moves_nothing(drawn):
    classes, votes, smoothing = drawn
    rows, start = begun(votes, classes, smoothing)
    found = followed(rows, start, 1e-10, 2_000)
    assert (np.diff(found.trace) >= -1e-12 * (1 + np.abs(found.trace[1:]))).all()
    assert found.posterior.sum(axis=1) == pytest.approx(np.ones(len(found.posterior)))
    once = len(found.trace)
    more = followed(rows, replace(found, converged=False), 0.0, once, leaps=False)
    assert len(more.trace) == once + 1
    if found.converged:
        assert more.shares == pytest.approx(found.shares, abs=1e-9)
        assert more.confusion == pytest.approx(found.confusion, abs=1e-9)
        assert more.trace[-1] == pytest.approx(found.trace[-1], rel=1e-9, abs=1e-9)


@few
@given(tables)
def test_with_a_prior_leaps_end_no_lower_than_single_iterations(drawn):
    classes, votes, _ = drawn
    rows, start = begun(votes, classes, 1.0)
    leaping = followed(rows, start, 1e-10, 5_000)
    step_by_step = followed(rows, start, 1e-10, 5_000, leaps=False)
    assert leaping.converged
    assert leaping.trace[-1] >= step_by_step.trace[-1] - 1e-6


def test_leaps_end_on_a_ridge_where_single_iterations_crawl_for_ever():
    votes = (np.random.default_rng(11).random((2_000, 5)) < [0.2, 0.3, 0.25, 0.2, 0.4]).astype(int)
    rows, start = begun(votes, 2, 0.5)
    step_by_step = followed(rows, start, 1e-10, 5_000, leaps=False)
    leaping = followed(rows, start, 1e-10, 5_000)
    assert not step_by_step.converged
    assert leaping.converged
    assert len(leaping.trace) < len(step_by_step.trace) / 4
    assert leaping.trace[-1] > step_by_step.trace[-1]
