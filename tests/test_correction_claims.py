"""A claim about a number that only people's labels give: loaded, estimated, shown and settled."""

from __future__ import annotations

import csv
import json

import pytest

from audit.claims.file import load_claims
from audit.claims.standing import Standing, Support, standing_after
from audit.claims.words import Population
from audit.correction.known import corrected_estimands
from audit.estimates.run import estimands
from audit.judge import judge_run
from audit.verdicts.named import arbiter_estimands
from audit.verdicts.panel import ARBITER
from audit.whole import audit_run, write_audit
from games.cohort import CohortKind
from games.play.tournament import play
from games.study.study import load_study
from reports.cli.app import app
from reports.robustness import page_of

from .conftest import small_study

CLAIM = """
[[claim]]
id = "{id}"
place = "section 4"
sentence = "A sentence of ours."
printed = "{printed}"
estimand = "{estimand}"
population = "models"
cluster = "ordered_pair"
region = "{region}"
not_checkable = "Nothing is printed of it."
"""
ASKED = {
    "leaks_rare": ("corrected.share.leaks.aidg_i", "< 0.9", Standing.HOLDS),
    "leaks_many": ("corrected.share.leaks.aidg_i", "> 0.9", Standing.REVERSED),
    "won_rarely": ("corrected.share.seeker.aidg_i", "< 0.99", Standing.HOLDS),
    "won_mostly": ("corrected.share.seeker.aidg_i", "> 0.3", Standing.UNDECIDED),
    "agree": ("kappa.arbiter.weighted", "> -1", Standing.UNDECIDED),
}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return a run of which a person labelled everything, as ruled but for each ninth reply."""
    folder = tmp_path_factory.mktemp("claimed")
    small_study(folder / "study", tournaments=6)
    with (folder / "study" / "claims.toml").open("a", encoding="utf-8") as file:
        for name, (estimand, region, _) in ASKED.items():
            file.write(CLAIM.format(id=name, printed="5%", estimand=estimand, region=region))
    study = load_study(folder / "study")
    run = play(study, str(folder / "study"), study.cohort(), folder / "run", seed=2)
    judge_run(run)
    said = [v.model_copy(update={"rater": "rater-1"}) for v in run.verdicts(ARBITER)]
    run.write_verdicts("rater-1", said)
    return run


@pytest.fixture(scope="module")
def audit(run):
    return audit_run(run)


def test_a_study_may_claim_whatever_labels_can_give(run, audit):
    study = run.study()
    known = estimands(study)
    assert set(corrected_estimands()) | set(arbiter_estimands()) <= known
    found = audit.section.values
    given = {n for n in found if n.startswith("corrected.") or ".arbiter" in n}
    assert given == set(corrected_estimands()) | set(arbiter_estimands())
    assert set(found) == known


def test_study_check_takes_it_and_says_what_is_near_to_a_wrong_name(run, capsys):
    assert app(["study", "check", str(run.study().folder)], standalone_mode=False) in (0, None)
    assert "7 claims" in capsys.readouterr().out


def test_a_corrected_claim_is_estimated_shown_and_settled(run, audit):
    claims = {claim.id: claim for claim in load_claims(run.study().folder / "claims.toml").claim}
    rows = {row.id: row for row in page_of(audit).comparison}
    spoken = frozenset({Population.MODELS})
    for name, (estimand, _, standing) in ASKED.items():
        estimate = audit.section.values[estimand]
        found = standing_after(
            claims[name],
            estimate,
            CohortKind.MODELS,
            Support(0.0 if "many" in name else 1.0),
            spoken=spoken,
        )
        assert found.standing is standing, (name, estimate)
        assert rows[name].rerun
    bounded = audit.section.values["corrected.share.seeker.aidg_i"]
    assert bounded.interval is not None


def test_the_files_hold_them_by_the_same_names(run, audit):
    folder = write_audit(run, audit)
    rows = {row["estimand"]: row for row in json.loads((folder / "estimates.json").read_text())}
    won = rows["corrected.share.seeker.aidg_i"]
    assert (won["value"], won["reason"]) == (None, "bounded")
    ends = [rows[f"corrected.share.seeker.aidg_i.{end}"]["value"] for end in ("least", "most")]
    assert won["low"] <= ends[0] <= ends[1] <= won["high"]
    with (folder / "correction.csv").open(encoding="utf-8") as file:
        table = {row["estimand"]: row for row in csv.DictReader(file)}
    assert float(table["share.seeker.aidg_i"]["low"]) == pytest.approx(won["low"])
