"""The commands that write what a series run shows; the demo's series, and how long they may be."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from audit.behaviour.findings import Findings, ShiftStanding
from games.cohort.signal import SignalAgent, load_signal_cohort
from games.series.folder import SeriesFolder, is_series_run
from games.series.records import Condition, SeriesKind
from games.series.tournament import play_series
from games.study.signal import load_signal_study
from reports.cli.app import app
from reports.cli.demo_command import CHECKPOINT, GAMES, SERIES_COHORT, _series_plan, _shortened
from reports.cli.findings_tables import print_findings

from .signal_found import findings, pair_found
from .signal_page import short_run

ASK = CliRunner()


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("series") / "run"
    return short_run(folder, games=4, checkpoint=2, conditions=(Condition.SELF,))


def test_audit_of_a_series_run_writes_findings_and_says_what_is_shown(run):
    done = ASK.invoke(app, ["audit", str(run.path)])
    assert done.exit_code == 0, done.output
    assert "Neither a shift nor an arms race can be told from so few rounds" in " ".join(
        done.output.split()
    )
    written = json.loads((run.path / "findings.json").read_text())
    found = Findings.model_validate(written)
    assert found.pairs[0].conclusion.standing is ShiftStanding.TOO_FEW
    as_json = ASK.invoke(app, ["audit", str(run.path), "--json"])
    assert json.loads(as_json.output) == written


@pytest.mark.parametrize(
    ("option", "named"),
    [(["--first-attempts"], "`--first-attempts`"), (["--study", "aidg"], "`--study`")],
)
def test_what_an_audit_of_series_does_not_know_is_refused(run, option, named):
    done = ASK.invoke(app, ["audit", str(run.path), *option])
    assert done.exit_code
    assert str(done.exception).startswith(f"{named} must be left out: the run is one of series")


@pytest.mark.slow
def test_report_of_a_series_run_writes_the_page(run, tmp_path):
    done = ASK.invoke(app, ["report", str(run.path), "--out", str(tmp_path / "page.html")])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "page.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert (run.path / "figures").is_dir()


def test_findings_are_printed_for_every_condition(capsys):
    pairs = (pair_found(condition=Condition.NONE), pair_found(p=0.01))
    print_findings(findings(*pairs))
    said = capsys.readouterr().out
    assert "So many rounds show so much." in said
    assert "0.010 (change" in said
    assert "0.500 (change" in said
    print_findings(findings())
    assert "No main series has been played." in capsys.readouterr().out


@pytest.fixture(scope="module")
def demo():
    study = _shortened(load_signal_study("hidden_signal"))
    cohort = load_signal_cohort(study.folder / "cohorts" / f"{SERIES_COHORT}.toml")
    return study, cohort, _series_plan(study, cohort, 7)


def test_the_demo_plays_a_pair_that_changes_and_controls_that_never_do(demo):
    _, cohort, plan = demo
    assert {player.agent for player in cohort.players[:2]} == {SignalAgent.WIN_STAY}
    kinds = {kind: [one for one in plan.series if one.kind is kind] for kind in SeriesKind}
    assert len(kinds[SeriesKind.MAIN]) == 6
    assert {one.rounds for one in kinds[SeriesKind.MAIN]} == {GAMES}
    against = sorted(one.two.player for one in kinds[SeriesKind.CONTROL])
    assert against == ["bluff", "cautious", "random", "truthful"]
    assert kinds[SeriesKind.SAME] == []
    assert all(kinds[kind] for kind in (SeriesKind.PROBE, SeriesKind.FRESH, SeriesKind.CROSS))
    assert sum(one.rounds for one in plan.series) < 4_000


@pytest.mark.slow
def test_the_demos_series_are_long_enough_to_be_tested(demo, tmp_path):
    study, cohort, plan = demo
    mains = tuple(one for one in plan.series if one.kind is SeriesKind.MAIN)
    alone = plan.model_copy(update={"series": mains})
    made = play_series(study, "hidden_signal", cohort, alone, tmp_path / "run")
    assert is_series_run(made.path)
    done = ASK.invoke(app, ["audit", str(made.path), "--json"])
    found = Findings.model_validate(json.loads(done.output))
    for pair in found.pairs:
        assert pair.conclusion.standing is not ShiftStanding.TOO_FEW
        assert len(pair.advantage) == GAMES // CHECKPOINT
    assert SeriesFolder(made.path).manifest().choices.turn_limit.turns == 4
