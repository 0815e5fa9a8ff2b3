"""Labels drawn where people gave none: posteriors, draws, and what matches and ratings come to."""

from __future__ import annotations

import csv
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.corpus import corpus_of
from audit.correction.completed import Labelled, completed, posterior
from audit.correction.imputed import IMPUTATIONS, completions
from audit.correction.imputed_ratings import (
    BOTH,
    EVERYONE,
    Scheme,
    ended,
    imputed_ratings,
    pulls_of,
)
from audit.judge import judge_run
from audit.multiverse.rated import rate
from audit.multiverse.settings import specification_of
from audit.numbers.rating import Carry
from audit.verdicts.panel import ARBITER, PEOPLE, panel_of
from audit.verdicts.readjudicate import readjudicate
from audit.whole import audit_run, write_audit
from benchmarks.imputation_coverage import GRID, coverage, study, truth, world
from games.play.tournament import play
from games.rules.rubric import LABELS
from games.study.study import load_study
from games.words import Game, ItemKind, Role

from .conftest import small_study

few = settings(max_examples=25, deadline=None)


def items(seed=1, labels=40, cells=4):
    rng = np.random.default_rng(seed)
    cell = rng.integers(cells, size=400)
    checked = rng.choice(400, labels, replace=False)
    checked = checked[cell[checked] != cells - 1]
    return Labelled(
        cell, rng.random(400) < 0.3, checked, rng.random(len(checked)) < 0.4, np.ones(len(checked))
    )


@few
@given(st.integers(0, 10_000))
def test_the_posterior_counts_labels_and_half_a_yes_and_half_a_no(seed):
    some = items(seed)
    found = posterior(some)
    for cell in range(4):
        inside = some.cell[some.checked] == cell
        yes = some.label[inside].sum()
        assert found[cell] == pytest.approx([yes + 0.5, inside.sum() - yes + 0.5])
    heavy = replace(some, weight=7.0 * some.weight)
    assert posterior(heavy) == pytest.approx(found)


@few
@given(st.integers(0, 10_000))
def test_labels_of_people_and_cells_without_any_stay(seed):
    some = items(seed)
    drawn = completed(some, posterior(some), np.random.default_rng(seed))
    assert (drawn[some.checked] == some.label).all()
    unknown = some.cell == 3
    assert (drawn[unknown] == some.yes[unknown]).all()


def test_draws_have_the_posteriors_mean_and_both_its_spreads():
    """A share of many items varies as beta, since every item of a set has the same rate."""
    some = items(labels=60)
    rates, rng = posterior(some), np.random.default_rng(4)
    free = (some.cell == 0) & ~np.isin(np.arange(400), some.checked)
    shares = np.array([completed(some, rates, rng)[free].mean() for _ in range(4_000)])
    a, b = rates[0]
    mean, n = a / (a + b), free.sum()
    between = a * b / ((a + b) ** 2 * (a + b + 1))
    within = (mean * (1 - mean) - between) / n
    assert shares.mean() == pytest.approx(mean, abs=0.01)
    assert shares.var() == pytest.approx(between + within, rel=0.1)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("imputed")
    study = load_study(small_study(folder / "study"))
    run = play(study, str(folder / "study"), study.cohort(), folder / "run", seed=2)
    judge_run(run)
    return run


def scheme_of(run):
    study = run.study()
    return Scheme(study.horizons(), specification_of(study))


def completed_of(run, every, kept=1):
    """Return completions where people labelled each ``kept``-th item, and turned some of these."""
    panel, said = panel_of(run), []
    for place, verdict in enumerate(panel[ARBITER]):
        if place % kept == 0:
            yes, no = LABELS[ItemKind(verdict.item.rsplit("/", 1)[1])]
            other = no if verdict.label is yes else yes
            label = other if every and place % every == 0 else verdict.label
            said.append(verdict.model_copy(update={"rater": PEOPLE, "label": label}))
    panel[PEOPLE] = tuple(said)
    rng = np.random.default_rng(1)
    return panel, completions(panel, run.traces(), None, rng)


def test_people_who_agree_leave_every_rating_as_the_audit_has_it(run):
    _, found = completed_of(run, 0)
    ratings = {(r.game, r.player, r.rating): r for r in imputed_ratings(found, scheme_of(run))}
    table = {t.id: t.frame for t in audit_run(run).section.tables}["ratings"]
    columns = {"aidg_i": "({}) (I)", "aidg_ii": "({}) (II)", BOTH: "({})"}
    for row in table.to_dict("records"):
        for game, name in columns.items():
            for rating in ("C", "V"):
                one = ratings[game, row["player"], rating]
                expected = row[name.format(rating).replace("(", "", 1).replace(")", "", 1)]
                assert one.arbiter == pytest.approx(expected)
                assert one.to_holder.value == one.to_seeker.value == pytest.approx(expected)
    gap = ratings[BOTH, EVERYONE, "V - C"]
    assert gap.arbiter == pytest.approx(table["gap"].mean())
    assert gap.interval.low < gap.arbiter < gap.interval.high


def test_labels_of_everything_rate_the_matches_as_the_rules_have_them(run):
    panel, found = completed_of(run, 6)
    said = {v.item: v for v in panel[PEOPLE]}
    corpus, scheme = corpus_of(run.traces()), scheme_of(run)
    corpus = corpus[corpus["winner"] != ""].reset_index(drop=True)
    results = {t.match.id: readjudicate(t, said) for t in run.traces() if t.outcome.winner}
    for role, name in ((Role.HOLDER, "to_holder"), (Role.SEEKER, "to_seeker")):
        frame = ended(corpus, results, role)
        for result in results.values():
            winner = frame.set_index("match").loc[result.match, "winner"]
            open_to = role if role in result.possible else next(iter(result.possible))
            assert winner == (result.outcome.winner if result.outcome else open_to)
        for game in Game:
            players = tuple(sorted(set(corpus["seeker"])))
            rated = rate(frame, game, scheme.horizons[game], scheme.spec, players)
            got = {
                (one.player, one.rating): getattr(one, name).value
                for one in imputed_ratings(found, scheme)
                if one.game == game.value
            }
            for seat, player in enumerate(players):
                assert got[player, "C"] == pytest.approx(rated.seeker[seat])
                assert got[player, "V"] == pytest.approx(rated.holder[seat])


def test_ratings_vary_more_where_labels_are_few(run):
    scheme = scheme_of(run)
    _, every = completed_of(run, 5)
    _, some = completed_of(run, 5, kept=3)
    assert len(some.results) == IMPUTATIONS
    widths = [
        next(r for r in imputed_ratings(found, scheme) if r.player == EVERYONE).interval.width
        for found in (every, some)
    ]
    assert widths[0] < widths[1]


@pytest.mark.parametrize("carry", list(Carry))
def test_pulls_follow_the_schemes_own_seasons(run, carry):
    corpus, scheme = corpus_of(run.traces()), scheme_of(run)
    spec = replace(scheme.spec, carry=carry)
    players = tuple(sorted(set(corpus["seeker"])))
    rated = rate(corpus, Game.AIDG_II, scheme.horizons[Game.AIDG_II], spec, players)
    moved = pulls_of(rated, carry)
    row = len(rated.history) // 2
    match = rated.history["match"].iloc[row]
    won = rated.history["winner"].iloc[row] == "seeker"
    # Turned altogether, with the same weight: nearly linear.
    other = corpus.copy()
    other.loc[other["match"] == match, "winner"] = "holder" if won else "seeker"
    again = rate(other, Game.AIDG_II, scheme.horizons[Game.AIDG_II], spec, players)
    change = (rated.seeker - again.seeker) * (1 if won else -1)
    assert moved.seeker[:, row] == pytest.approx(change, abs=0.5)


def test_the_audit_writes_imputed_ratings(run):
    said = [v.model_copy(update={"rater": "rater-1"}) for v in panel_of(run)[ARBITER][::2]]
    run.write_verdicts("rater-1", said)
    folder = write_audit(run, audit_run(run))
    (run.path / "verdicts" / "rater-1.jsonl").unlink()
    with (folder / "imputed_ratings.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {row["game"] for row in rows} == {"aidg_i", "aidg_ii", BOTH}
    assert len(rows) == 3 * (2 * 3 + 1)
    assert all(float(row["low"]) <= float(row["high"]) for row in rows)


def test_one_simulated_study_is_told_whole():
    cell = GRID[3]
    known = world(cell)
    shares, held, widths = study(cell, known, truth(known, 20), np.random.default_rng(3))
    assert (len(shares), len(held), len(widths)) == (2, 13, 13)
    assert min(widths) > 0


@pytest.mark.slow
def test_imputed_intervals_cover_in_simulation():
    found = coverage(GRID[3], 40)
    assert min(found.shares, found.ratings, found.gap) >= 0.87
