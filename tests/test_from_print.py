"""From print alone: what a study's folder lacks, what its print leaves open, and the known rows."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

from audit.from_print.asked import Found
from audit.from_print.loaded import Lacking, Print, load_corpora
from audit.from_print.plan import plan_print
from audit.from_print.sweep import sweep_print
from audit.multiverse.choices import Experiment
from games.errors import StudyError
from games.study.shipped import find_study


@pytest.mark.parametrize(
    ("study", "why"),
    [
        ("tutorial", "the study tutorial holds print alone: no design of matches to sample"),
    ],
)
def test_what_a_study_lacks_in_one_line(study, why):
    found = load_corpora(study, 0)
    assert isinstance(found, Lacking)
    assert found.reason == why


@pytest.fixture(name="folder")
def _folder(tmp_path):
    return shutil.copytree(find_study("aidg"), tmp_path / "aidg")


def test_a_study_without_margins_or_claims(folder):
    (folder / "margins.toml").unlink()
    found = load_corpora(folder, 0)
    assert isinstance(found, Lacking)
    assert "has no margins.toml" in found.reason
    (folder / "claims.toml").unlink()
    found = load_corpora(folder, 0)
    assert isinstance(found, Lacking)
    assert "has no claims" in found.reason


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('players = "table_12"', 'players = "table_99"', "`players` must name a printed table"),
        ('seeker = "table_12.C"', 'seeker = "table_12.Z"', "`ratings` must name one printed"),
        ('unknown = "won_i"', 'unknown = "turns_won"', "`count.unknown` must be counted once"),
        ('claim = "horizon_share_i"', 'claim = "nothing"', "`margin.claim` must name a claim"),
        ("reply = true", "answered = true", "is not a known key"),
    ],
)
def test_faults_of_margins_name_the_file(folder, old, new, why):
    path = folder / "margins.toml"
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(StudyError, match=why) as fault:
        load_corpora(folder, 0)
    assert "margins.toml" in str(fault.value)


def test_what_the_paper_prints():
    told = load_corpora("aidg", 0)
    assert isinstance(told, Print)
    assert set(told.margins.left_out) == {
        "audit_agreement",
        *(f"answers_{word}_{end}" for word in ("yes", "no", "maybe") for end in ("won", "lost")),
    }
    for ratings in told.ratings.values():
        assert ratings.sum() == pytest.approx(0.0, abs=0.1)  # nothing is made or lost
    averaged = (told.ratings[Experiment.AIDG_I] + told.ratings[Experiment.AIDG_II]) / 2
    assert averaged == pytest.approx(told.ratings[Experiment.MEAN], abs=0.0051)


@pytest.fixture(name="swept", scope="module")
def _swept():
    told = load_corpora("aidg", 0)
    plan = plan_print(told, samples=32)
    return told, plan, sweep_print(told, 0, samples=32, ways=plan.ways)


@pytest.mark.slow
def test_ways_and_conflicts_of_the_paper(swept):
    _, plan, found = swept
    rows = {"qwen3_235b", "gpt_5", "llama_4_maverick", "deepseek_v3_1", "granite_3_3_8b"}
    rows |= {"gemini_2_5_flash"}
    turns = ("turns_total_i", "win_turn_mean_i")
    wanted = {f"seeker_mode_a_{row} + {turn}" for row in rows for turn in turns}
    assert set(found.ways["dropped"]) == wanted
    assert found.ways["all ways"].all()
    assert (found.ways["checked"] == found.ways["corpora"]).all()
    assert plan.corpora == found.ways["corpora"].sum()
    assert plan.seconds > 1.0


@pytest.mark.slow
def test_answers_of_the_paper(swept):
    answers = swept[2].answers.set_index("statement")
    assert answers.loc["modes_odds_ratio", "fails"] is Found.EXCLUDED
    assert answers.loc["modes_odds_ratio", "least"] == pytest.approx(7.7474, abs=1e-4)
    assert answers.loc["early_end_lower", "holds"] is Found.EXCLUDED
    assert answers.loc["gap", "fails"] is Found.NOT_FOUND
    assert answers.loc["seekers_vary_more", "fails"] is Found.SAMPLE
    assert answers.loc["gap_of_every_model", "fails"] is Found.SEARCH
    assert answers.loc["transfer_holder", "fails"] is Found.SAMPLE


@pytest.mark.slow
def test_claims_on_matches_have_a_share_a_failure_and_a_driver(swept):
    agreed = swept[2].agreed.set_index("statement")
    assert agreed.loc["modes_odds_ratio", "share"] > 0.8
    assert agreed.loc["seeker_share_ii", "by proof"] == agreed.loc["seeker_share_ii"].specifications
    formats = agreed.loc["formats_difference"]
    assert 0.0 < formats["share"] < 1.0
    assert (formats["nearest failure"], formats["moved by"]) == ("DQ=excluded", "DQ")
    assert agreed.loc["gap", "by proof"] == 0


# Gap by chance, and distance of the printed gap, as an independent simulation gave them: Holders
# alike, published counts of each Seeker, order even within tournaments unless said.
KNOWN = [
    ("aidg_i", "1", "carried", 24.0, "even within tournaments", 291, 12, 5.1),
    ("aidg_i", "1", "carried", 24.0, "mode A first within tournaments", 301, 10.5, 4.5),
    ("aidg_i", "1", "carried", 24.0, "all of mode A first", 341, 4.8, 1.9),
    ("aidg_i", "1", "reset", 24.0, "even within tournaments", 130, 1.2, None),
    ("aidg_ii", "M(t) of the last turn, whoever wins", "carried", 24.0, None, 170.3, 4.6, -1.9),
    ("aidg_ii", "M(t) for Seeker wins, 1 for Holder wins", "carried", 24.0, None, 247, 5.4, -15.9),
    ("aidg_ii", "M(t), but 1 for rule breaks", "carried", 24.0, None, 182, 4.6, -4.4),
    ("aidg_ii", "1", "carried", 24.0, None, 217, 7.7, -7.2),
    ("aidg_ii", "M(t), Holder wins at the horizon", "carried", 24.0, None, 13, 1.9, 79),
    ("aidg_ii", "M(t) of the last turn, whoever wins", "reset", 24.0, None, 50.3, 0.7, None),
]


@pytest.mark.slow
@pytest.mark.parametrize("row", KNOWN)
def test_rules_beside_chance_as_known(swept, row):
    game, weighing, carry, k, order, gap, spread, z = row
    trials = swept[2].trials
    own = (trials["game"] == game) & (trials["weighing"] == weighing) & (trials["k"] == k)
    own &= trials["carry"] == carry
    own &= trials["order"] == (order or "even within tournaments")
    (found,) = trials[own].itertuples()
    assert found.gap == pytest.approx(gap, abs=max(3.0, 0.02 * gap))
    assert found.gap_sd == pytest.approx(spread, rel=0.5)
    if z is not None:
        assert found.z == pytest.approx(z, rel=0.35, abs=0.4)
    assert found.reached == (carry == "carried" and found.error <= 0.05)


@pytest.mark.slow
def test_printed_ratings_are_reached_under_some_rules_and_under_no_reset(swept):
    trials = swept[2].trials
    base = (trials["k"] == 24.0) & (trials["carry"] == "carried")
    own = base & (trials["weighing"] == "M(t) of the last turn, whoever wins")
    assert trials[own]["reached"].all()
    first = base & (trials["game"] == "aidg_i") & (trials["order"] == "even within tournaments")
    (found,) = trials[first].itertuples()
    assert found.reached
    assert found.wins_at < 0.35
    assert (trials[trials["carry"] == "reset"]["error"] > 50).all()


@pytest.mark.slow
def test_holders_by_chance_are_seldom_so_close(swept):
    (found,) = swept[2].close.itertuples()
    assert found.bound == pytest.approx(1.853, abs=0.002)
    assert 0.0 < found.share < 1e-4
    assert found.error < found.share
    assert 17 < found.median < 22
    assert 6 < found.first_percentile < 8


@pytest.mark.slow
def test_a_seed_decides_every_table():
    told = load_corpora("aidg", 0)
    one, other = (sweep_print(told, 1, samples=1, steps=1) for _ in range(2))
    for name in ("ways", "mixing", "ranges", "ranks", "answers", "trials", "close"):
        assert getattr(one, name).equals(getattr(other, name)), name
    assert np.isfinite(one.ranges["median"]).all()
