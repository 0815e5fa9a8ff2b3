"""What ratings can bear: every table is there, each number the one that its room gives."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from audit.multiverse.choices import Estimator, Experiment
from audit.multiverse.rank_checks import rank_checks
from audit.multiverse.reading import Columns
from audit.multiverse.settings import specification_of
from audit.multiverse.units import Units
from games.words import Game

from .test_multiverse_sweep import told

assert told  # a fixture


@pytest.fixture(scope="module")
def found(told):
    study, corpora = told
    players = tuple(sorted(set(corpora["arbiter"]["seeker"])))
    columns = {"arbiter": Columns.of(corpora["arbiter"])}
    units = Units(columns, study.horizons()[Game.AIDG_II], players)
    base = specification_of(study)
    return units, base, rank_checks(units, base, np.random.default_rng(1), draws=30)


def test_every_rating_stands_beside_both_of_its_spreads(found):
    units, base, checks = found
    table = checks.spread
    for game, part in table.groupby("game"):
        (ratings,) = units.rate([replace(base, experiment=Experiment(game))])
        assert list(part["points"]) == pytest.approx(list(ratings + base.start))
        assert len(part) == 2 * len(units.players)
    assert (table["SD over orders"] >= 0).all()
    assert (table["SD over outcomes"] > 0).all()


def test_the_shape_of_each_game_is_told(found):
    units, base, checks = found
    assert list(checks.shape["game"]) == ["aidg_i", "aidg_ii"]
    for row in checks.shape.to_dict("records"):
        spec = replace(base, experiment=Experiment(row["game"]))
        _, tournaments = units.tournaments(spec)
        wins = ", ".join(f"{int(t.score.sum())}/{len(t)}" for t in tournaments)
        assert row["wins by tournament"] == wins
        assert 0.0 <= row["tournaments alike, p"] <= 1.0
        share = sum(t.score.sum() for t in tournaments) / sum(map(len, tournaments))
        assert row["gap of the win rate"] == pytest.approx(400 * np.log10((1 - share) / share))


def test_every_other_estimator_has_an_order_or_a_reason(found):
    _, _, checks = found
    for _, part in checks.orders.groupby("game"):
        assert set(part["estimator"]) == {e.value for e in Estimator} - {"elo"}
        for _, rows in part.groupby("estimator"):
            failed = (rows["failure"] != "").all()
            assert failed or list(rows["role"]) == ["seeker", "holder"]


def test_the_files_are_the_tables(found):
    _, _, checks = found
    assert set(checks.files()) == {"ranks/spread.csv", "ranks/shape.csv", "ranks/orders.csv"}
