"""Whether matches determine ratings: against scipy's components and linear programming."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.sparse.csgraph import connected_components

from audit.numbers.ratings.graph import Connection, connected_lanes, win_graph
from audit.numbers.ratings.lanes import Played
from audit.numbers.ratings.table import entrants, resampled_tables, tables, together


@st.composite
def some_matches(draw, players=4, least=1, most=60, scores=(0.0, 1.0), weight=(0.25, 3.0)):
    """Return matches, dense and sparse ones alike."""
    n = draw(st.integers(least, most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    seeker, holder = rng.integers(0, players, (2, n))
    share = rng.dirichlet(np.ones(len(scores)))
    score = rng.choice(scores, n, p=share)
    return Played.of(seeker, holder, score, rng.uniform(*weight, n), players)


def arrows(played):
    size = 2 * played.players
    found = np.zeros((size, size), dtype=int)
    for i, j, score in zip(*entrants(played), played.score, strict=True):
        found[i, j] |= score > 0
        found[j, i] |= score < 1
    return found


def classes(labels):
    return {frozenset(np.flatnonzero(labels == one).tolist()) for one in np.unique(labels)}


@given(some_matches(most=25, scores=(0.0, 0.5, 1.0)))
def test_components_and_tiers_are_scipys(played):
    graph = win_graph(*tables(played))
    matrix = arrows(played)
    weak = connected_components(matrix, connection="weak")[1]
    strong = connected_components(matrix, connection="strong")[1]
    assert set(map(frozenset, graph.components)) == classes(weak)
    assert set(map(frozenset, graph.tiers)) == classes(strong)
    wanted = Connection.CONNECTED
    if len(classes(strong)) > 1:
        wanted = Connection.SEPARATED if len(classes(weak)) == 1 else Connection.DISCONNECTED
    assert graph.connection is wanted


@given(some_matches(most=25))
def test_no_tier_lost_to_a_later_one(played):
    graph, matrix = win_graph(*tables(played)), arrows(played)
    for at, tier in enumerate(graph.tiers):
        for later in graph.tiers[at + 1 :]:
            assert not matrix[np.ix_(later, tier)].any()


@given(some_matches(most=25))
def test_undefeated_and_winless_are_who_never_lost_and_who_never_won(played):
    graph, matrix = win_graph(*tables(played)), arrows(played)
    for entrant in range(8):
        won, lost = matrix[entrant].any(), matrix[:, entrant].any()
        assert (entrant in graph.undefeated) == (won and not lost)
        assert (entrant in graph.winless) == (lost and not won)


@settings(max_examples=60)
@given(some_matches(players=3, most=14))
def test_a_maximum_exists_where_linear_programming_finds_no_way_to_infinity(played):
    # A direction in which no match loses likelihood and some gain: then there is no maximum.
    first, second = entrants(played)
    sign = np.where(played.score == 1, 1.0, -1.0)
    gains = np.zeros((len(played), 6))
    gains[np.arange(len(played)), first] += sign
    gains[np.arange(len(played)), second] -= sign
    found = linprog(-gains.sum(axis=0), -gains, np.zeros(len(played)), bounds=[(-1, 1)] * 6)
    graph = win_graph(*tables(played))
    if graph.connection is not Connection.DISCONNECTED:
        assert (found.fun < -1e-9) == (graph.connection is Connection.SEPARATED)


@given(some_matches(players=3, most=20), st.integers(0, 2**32 - 1))
def test_lanes_are_connected_as_each_graph_says(played, seed):
    rows = np.random.default_rng(seed).integers(0, len(played), (8, len(played)))
    wins, losses = resampled_tables(played, rows)
    both, met = connected_lanes(wins, losses), connected_lanes(wins, losses, both_ways=False)
    for lane, drawn in enumerate(rows):
        one, other = tables(played.only(drawn))
        assert (wins[lane] == one).all()
        assert (losses[lane] == other).all()
        graph = win_graph(one, other)
        assert both[lane] == (graph.connection is Connection.CONNECTED)
        assert met[lane] == (graph.connection is not Connection.DISCONNECTED)


def test_limits_are_said_only_relative_to_one_largest_tier():
    # Seeker 0 beats all; Seeker 1 and Holder 0 beat each other; Holder 1 loses to all.
    graph = win_graph(np.array([[1, 1], [1, 1]]), np.array([[0, 0], [1, 0]]))
    assert graph.tiers == ((0,), (1, 2), (3,))
    assert graph.limits.tolist() == [np.inf, 0.0, 0.0, -np.inf]
    assert graph.words == ("separated, no finite maximum: undefeated seeker 0; winless holder 1")
    # Two pairs, each even within itself, one above the other: nothing is the measure.
    above = win_graph(np.array([[1, 1], [0, 1]]), np.array([[1, 0], [0, 1]]))
    assert above.connection is Connection.SEPARATED
    assert np.isnan(above.limits).all()
    assert above.words == "separated, no finite maximum: 2 tiers"


def test_no_match_at_all_is_disconnected():
    graph = win_graph(*tables(Played.of([], [], [], [], 2)))
    assert graph.connection is Connection.DISCONNECTED
    assert len(graph.components) == 4


def test_tournaments_are_joined_or_refused():
    one, other = (Played.of([0], [1], [1.0], [2.0], players) for players in (2, 3))
    whole = together([one, one])
    assert (len(whole), whole.weight.tolist()) == (2, [2.0, 2.0])
    with pytest.raises(ValueError, match="tournaments must hold at least one"):
        together([])
    with pytest.raises(ValueError, match="tournaments must all be of the same players"):
        together([one, other])


@given(some_matches(scores=(0.0, 0.5, 1.0)))
def test_tables_hold_every_match_once(played):
    wins, losses = tables(played)
    assert wins.sum() == pytest.approx(played.score.sum())
    assert (wins + losses).sum() == pytest.approx(len(played))
    heavy, light = tables(played, weighted=True)
    assert (heavy + light).sum() == pytest.approx(played.weight.sum())
