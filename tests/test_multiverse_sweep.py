"""A sweep of a small run: claims, our own statements, failures as rows, the same bytes twice."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from audit.claims.file import load_claims
from audit.estimates.run import estimate_corpus
from audit.multiverse.axes import AxesFile, axes_of
from audit.multiverse.frames import agreement_frame, curve_frame, sweep_frame
from audit.multiverse.parallel import Backend, Workers
from audit.multiverse.settings import specification_of
from audit.multiverse.sources import corpora_of
from audit.multiverse.specification import read_signature
from audit.multiverse.statements import OURS, Stands, statements_of
from audit.multiverse.sweep import Effort, sweep_corpora
from audit.verdicts.readjudicate import readjudicate
from games.errors import AidgError
from games.play.tournament import play
from games.study.study import load_study
from games.words import Label

from .conftest import small_study
from .played import played, ruled

FILE = AxesFile(
    verdicts=["all"],
    experiment=["aidg_i", "aidg_ii", "mean_of_ratings", "pooled"],
    k=[16, 24, 32],
    disqualification=["holder_win", "excluded", "tie"],
    declaration=["counts", "after_leak"],
)
CLAIMS = [
    ("gap", "rating.gap", "> 0"),
    ("gap_i", "rating.gap.aidg_i", "> 0"),
    ("seekers", "share.seeker", "< 0.5"),
    ("transfer", "spearman.seeker", "> 0"),
    ("unknown", "share.nothing.at_all", "> 0"),
]


def never_leaks(ruling):
    return ruling.model_copy(
        update={"label": Label.NO_LEAK, "category": None} if ruling.label is Label.LEAK else {}
    )


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    folder = small_study(tmp_path_factory.mktemp("sweep") / "study")
    study = load_study(folder)
    traces = play(study, str(folder), study.cohort(), folder.parent / "run", seed=2).traces()
    rulings = {r.item: never_leaks(r) for trace in traces for r in trace.rulings}
    blind = [readjudicate(trace, rulings) for trace in traces]
    corpora = corpora_of(traces, {"blind": blind}, [[r for t in traces for r in t.rulings]])
    return study, corpora


def claims_like(study):
    (one, *_) = load_claims(study.folder / "claims.toml").claim
    return [
        one.model_copy(update={"id": name, "estimand": estimand, "region": region})
        for name, estimand, region in CLAIMS
    ]


EFFORT = Effort(most=10_000, permutations=19, of_curve=5, draws=9)


def swept(told, file=FILE, effort=EFFORT):
    study, corpora = told
    base = specification_of(study)
    axes = axes_of(file, base, list(corpora))
    rng = np.random.default_rng(1)
    return sweep_corpora(
        corpora, study, claims_like(study), axes, base=base, rng=rng, effort=effort
    )


@pytest.fixture(scope="module")
def found(told):
    return swept(told)


def test_every_claim_that_matches_can_tell_is_asked_and_three_of_ours(found):
    assert [one.id for one in found.statements] == [
        "gap",
        "gap_i",
        "seekers",
        "transfer",
        *(one.id for one in OURS),
    ]
    assert set(found.agreements) == {one.id for one in found.statements}


def test_the_base_is_first_and_its_numbers_are_those_of_the_audit(told, found):
    study, corpora = told
    audited = estimate_corpus(corpora["arbiter"], study).values
    assert found.grid.full
    assert found.ratings.tried.specifications[0] == specification_of(study)
    for name in ("rating.gap", "rating.gap.least", "rating.sd_seeker", "spearman.seeker"):
        wanted = audited[name].value
        assert found.ratings.values[name][0] == pytest.approx(wanted, nan_ok=True), name
    assert found.matches.values["share.seeker"][0] == pytest.approx(audited["share.seeker"].value)


def test_a_claim_of_one_game_is_asked_of_that_game_alone(found):
    specs = found.ratings.tried.specifications
    of_first = sum(
        spec.experiment.value == "aidg_i" and counted
        for spec, counted in zip(specs, found.ratings.counted, strict=True)
    )
    one = found.agreements["gap_i"]
    assert one.tried + one.undefined == of_first


def test_shares_are_asked_of_readings_and_hang_on_the_verdicts(found):
    one = found.agreements["seekers"]
    # Two sources of verdicts, two treatments of rule breaks, two of declarations.
    assert one.tried == 2 * 2 * 2
    values = found.matches.values["share.seeker"]
    verdicts = [spec.verdicts for spec in found.matches.tried.specifications]
    by_source = {v: [x for x, w in zip(values, verdicts, strict=True) if w == v] for v in verdicts}
    assert max(by_source["blind"]) < max(by_source["arbiter"])


def test_the_table_has_a_row_a_specification_that_can_be_made_again(told, found):
    table = sweep_frame(found)
    assert len(table) == len(found.grid.specifications)
    assert table["signature"].is_unique
    base = found.ratings.tried.base
    for line, spec in zip(table["signature"], found.grid.specifications, strict=True):
        assert read_signature(line, base) == spec
    ranked = table[table["failure"] == ""]
    assert (ranked["ranking"] != "").all()
    again = sweep_frame(swept(told))
    pd.testing.assert_frame_equal(table, again)


def test_statements_are_a_table_with_share_driver_and_nearest_failure(found):
    table = agreement_frame(found).set_index("statement")
    for name, one in found.agreements.items():
        row = table.loc[name]
        assert row["holds"] == one.holds
        assert row["tried"] == one.tried
        if one.nearest is None:
            assert row["nearest failure"] == ""
            assert math.isnan(row["value there"])
        else:
            assert row["value there"] == one.nearest.value


def test_the_curve_is_told_beside_its_null(found):
    table = curve_frame(found).set_index("quantity")
    assert set(table.index) == {
        "rating.gap",
        "rating.gap.least",
        "spread.seeker_less_holder",
    }
    assert (table["specifications"] == 5).all()
    assert table["p of the median"].between(1 / 20, 1).all()


def test_workers_change_nothing(told, found):
    for backend in (Backend.THREADING, Backend.LOKY):
        effort = replace(EFFORT, workers=Workers(2, backend))
        pd.testing.assert_frame_equal(sweep_frame(swept(told, effort=effort)), sweep_frame(found))


def test_workers_that_there_are_not_are_refused(told):
    for workers, words in (
        (Workers(0), "`jobs` must be at least 1"),
        (Workers(1, Backend.DASK), "`--backend` needs the extra `scale` and a client of a Dask"),
    ):
        with pytest.raises(AidgError, match=words):
            swept(told, effort=replace(EFFORT, workers=workers))


def test_a_failure_is_a_row(told):
    file = AxesFile(experiment=["aidg_i", "aidg_ii"], estimator=["elo"], carry=["carried"])
    study, corpora = told
    only_first = {name: corpus[corpus["game"] == "aidg_i"] for name, corpus in corpora.items()}
    found = swept((study, only_first), file)
    failures = dict(zip(found.ratings.tried.specifications, found.ratings.failures, strict=True))
    by_game = {spec.experiment.value: why for spec, why in failures.items()}
    assert by_game["aidg_ii"] == "no match is left"
    assert by_game["aidg_i"] == ""


def test_a_claim_without_a_region_or_with_an_estimand_of_none_is_not_asked(told):
    study, _ = told
    asked = statements_of(claims_like(study), ["share.seeker"])
    assert [one.stands for one in asked[:4]] == [
        Stands.RATINGS,
        Stands.RATINGS,
        Stands.MATCHES,
        Stands.BETWEEN_GAMES,
    ]
    bare = [one.model_copy(update={"region": None}) for one in claims_like(study)]
    assert statements_of(bare, ["share.seeker"]) == OURS


def test_a_declaration_after_any_raters_leak_is_earned():
    lines = ["Is it so?", "Perhaps.", "I know the secret: the kettle is full."]
    trace = played(lines, [Label.NO_LEAK, Label.MATCH])
    said = ruled("m0", (1, "holder_reply", Label.LEAK), rater="judge").values()
    for verdicts, earned in (([], False), ([list(said)], True)):
        (row,) = corpora_of([trace], {}, verdicts)["arbiter"].to_dict("records")
        assert row["leaked_before"] == earned
    late = ruled("m0", (2, "holder_reply", Label.LEAK), rater="judge").values()
    (row,) = corpora_of([trace], {}, [list(late)])["arbiter"].to_dict("records")
    assert not row["leaked_before"]


@pytest.mark.slow
def test_a_dask_cluster_gives_the_same_bytes(told, found):
    distributed = pytest.importorskip("distributed")
    options = {"n_workers": 2, "threads_per_worker": 1, "host": "127.0.0.1", "processes": True}
    with (
        distributed.LocalCluster(**options, dashboard_address=None) as cluster,
        distributed.Client(cluster),
    ):
        swept_there = swept(told, effort=replace(EFFORT, workers=Workers(2, Backend.DASK)))
    there = sweep_frame(swept_there).to_csv().encode()
    assert there == sweep_frame(found).to_csv().encode()
