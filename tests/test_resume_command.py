"""``aidg run resume-from`` as a person meets it."""

from __future__ import annotations

import json
import shutil

import pytest

from audit.judge import judge_run
from games.play.tournament import play
from games.run import RunFolder
from games.study.study import load_study

from .conftest import small_study
from .runs import faulty_run, scripted
from .test_cli import aidg, refusal


@pytest.fixture(scope="module")
def parent(tmp_path_factory) -> RunFolder:
    folder = tmp_path_factory.mktemp("resume")
    study = load_study(small_study(folder / "study"))
    run = play(study, str(folder / "study"), study.cohort(), folder / "run", seed=3)
    judge_run(run)
    return run


def test_counts_are_said_before_and_after(parent, tmp_path, monkeypatch, capsys):
    out = tmp_path / "on"
    given = ("run", "resume-from", parent.path, "--verdicts", "referee", "--out", out)
    assert aidg(monkeypatch, *given, "--plan-only") == 0
    planned = " ".join(capsys.readouterr().out.split())
    for fate in ("unchanged", "cut", "redecided", "censored", "missing", "broken off"):
        assert f" {fate} " in planned
    assert "matches are played on with the players of RUN; the built-in arbiter rules" in planned
    assert "No model is asked: there is nothing to pay." in planned
    assert not out.exists()
    assert aidg(monkeypatch, *given) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "seeker wins holder wins void to be played" in said
    assert f"continued from {parent.path} under referee" in said.replace("- ", "-")
    assert "censored and broken off are played on" in said
    assert aidg(monkeypatch, "run", "status", out) == 0
    assert "continued from" in capsys.readouterr().out


def test_json_is_plan_events_and_counts(parent, tmp_path, monkeypatch, capsys):
    given = ("run", "resume-from", parent.path, "--verdicts", "referee", "--out", tmp_path / "on")
    assert aidg(monkeypatch, *given, "--json") == 0
    plan, *events, counts = map(json.loads, capsys.readouterr().out.splitlines())
    assert (plan["kind"], counts["kind"]) == ("plan", "continued")
    assert plan["fates"] == {row["fate"]: row["matches"] for row in counts["fates"]}
    assert plan["calls_at_most"] == 0
    assert [one["kind"] for one in events][-1] == "run_ended"
    assert sum(one["kind"] == "match_ended" for one in events) == sum(plan["fates"].values())


def test_the_most_calls_are_said_model_by_model(tmp_path, monkeypatch, capsys):
    run = faulty_run(tmp_path, scripted())
    judge_run(run)
    given = ("run", "resume-from", run.path, "--verdicts", "referee", "--out", tmp_path / "on")
    assert aidg(monkeypatch, *given, "--plan-only", "--json") == 0
    plan = json.loads(capsys.readouterr().out)
    assert plan["calls_at_most"] == sum(one["calls"] for one in plan["asked"]) > 0
    assert [one["arbiter"] for one in plan["asked"]].count(True) == 1
    assert aidg(monkeypatch, *given, "--plan-only") == 0
    said = " ".join(capsys.readouterr().out.split())
    assert f"At most {plan['calls_at_most']} calls, if every one goes to its horizon:" in said
    assert "judge (arbiter) " in said


def test_refusals_are_one_line(parent, tmp_path, monkeypatch, capsys):
    given = ("run", "resume-from", parent.path, "--out", tmp_path / "on", "--verdicts")
    said = refusal(monkeypatch, capsys, *given, "nobody")
    assert said.endswith("`rater` must be one of arbiter, referee, found 'nobody'")
    assert aidg(monkeypatch, *given, "referee") == 0
    capsys.readouterr()
    again = ("run", "play", parent.manifest().study, "--out", tmp_path / "on", "--seed", 3)
    said = refusal(monkeypatch, capsys, *again)
    assert "`aidg run resume-from` goes on with it" in said
    said = refusal(monkeypatch, capsys, *given, "arbiter")
    assert "`--verdicts` must stay referee" in said


def test_a_study_that_moved_is_named(parent, tmp_path, monkeypatch, capsys):
    run = RunFolder(tmp_path / "run")
    shutil.copytree(parent.path, run.path)
    study = run.manifest().study
    run.write_manifest(run.manifest().model_copy(update={"study": str(tmp_path / "gone")}))
    given = ("run", "resume-from", run.path, "--verdicts", "referee", "--out", tmp_path / "on")
    refusal(monkeypatch, capsys, *given)
    assert aidg(monkeypatch, *given, "--study", study) == 0
    assert RunFolder(tmp_path / "on").manifest().study == study
