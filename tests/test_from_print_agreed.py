"""Agreement of specifications over sampled corpora, by hand: one corpus outside is a failure."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from audit.claims.region import read_region
from audit.from_print.agreed import agreed_frame
from audit.from_print.readings import Readings
from audit.multiverse.choices import Experiment
from audit.multiverse.statements import EVERY, Stands, Statement

from .test_multiverse_specification import BASE

SPECS = (BASE, replace(BASE, k=16.0), replace(BASE, k=32.0), replace(BASE, k=48.0))
NOTHING = Readings((BASE,), {}, {})
GAP = Statement("gap", "rating.gap", read_region("> 0"), 0.9, Stands.RATINGS, EVERY)


def ranges(values):
    """Return ranges of shape (ways, samples, specifications)."""
    return SimpleNamespace(specifications=SPECS, values={"rating.gap": np.array(values, float)})


def test_a_specification_agrees_where_every_corpus_of_every_way_does():
    values = [[[5, 1, 3, np.nan], [6, 2, -1, np.nan]], [[7, 3, 4, np.nan], [8, 4, 5, np.nan]]]
    (row,) = agreed_frame([GAP], ranges(values), NOTHING).to_dict("records")
    assert (row["specifications"], row["share"]) == (3, pytest.approx(2 / 3))
    assert row["nearest failure"] == "K=32"
    assert row["median there"] == 3.5
    assert (row["moved by"], row["variance"]) == ("K", pytest.approx(1.0))


def test_where_all_agree_nothing_fails_nearest():
    (row,) = agreed_frame([GAP], ranges(np.ones((1, 2, 4))), NOTHING).to_dict("records")
    assert (row["share"], row["nearest failure"]) == (1.0, "")
    assert np.isnan(row["median there"])


def test_a_statement_of_one_experiment_is_asked_of_its_specifications_alone():
    of_first = replace(GAP, experiments=frozenset({Experiment.AIDG_I}))
    unknown = replace(GAP, quantity="rating.other")
    found = agreed_frame([of_first, unknown], ranges(np.ones((1, 2, 4))), NOTHING)
    (row,) = found.to_dict("records")
    assert (row["specifications"], row["by proof"]) == (0, 0)
