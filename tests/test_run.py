"""A run folder over its life: moved, resumed, with its study changed, interrupted, exported."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time

import pytest

from audit.frames import csv_text
from audit.judge import is_judged, judge_run
from audit.whole import audit_run, write_audit
from games.errors import RunError
from games.play.tournament import play
from games.run import RunFolder, changed_files
from games.study.study import load_study

from .conftest import small_study


@pytest.fixture
def run(study_folder, tmp_path):
    study = load_study(study_folder)
    return play(study, str(study_folder), study.cohort(), tmp_path / "run", seed=4)


def aidg(*arguments, cwd=None):
    return subprocess.run(
        [sys.executable, "-m", "reports.cli", *(str(a) for a in arguments)],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("study.toml", "horizon = 6", "horizon = 5"),
        ("rubrics/lock.toml", "An alias", "Any alias"),
        ("properties.csv", "tiger,yes", "tiger,maybe"),
    ],
)
def test_nothing_is_estimated_under_a_study_that_changed(run, study_folder, name, old, new):
    path = study_folder / name
    path.write_text(path.read_text().replace(old, new, 1))
    said = f"`{name}` has changed in the study since this run was played"
    for use in (audit_run, judge_run, lambda r: r.study()):
        with pytest.raises(RunError, match=said):
            use(run)


def test_a_study_that_moved_is_named_again(run, study_folder, tmp_path):
    moved = tmp_path / "elsewhere"
    study_folder.rename(moved)
    assert aidg("audit", run.path).returncode == 2
    assert aidg("audit", run.path, "--study", moved).returncode == 0


def test_a_study_given_by_a_relative_path_is_found_from_anywhere(tmp_path):
    small_study(tmp_path / "study")
    assert aidg("run", "play", "study", "--out", "run", cwd=tmp_path).returncode == 0
    away = tmp_path / "away"
    away.mkdir()
    assert aidg("audit", tmp_path / "run", cwd=away).returncode == 0


def test_verdicts_that_do_not_cover_the_traces_are_collected_again(run):
    judge_run(run)
    traces = run.traces()
    assert is_judged(run, traces)
    half = run.verdicts("arbiter")[::2]
    run.write_verdicts("arbiter", half)
    assert not is_judged(run, traces)
    audit = audit_run(run)
    assert is_judged(run, traces)
    assert all(result.change != "missing" for result in audit.readjudicated["referee"])


def test_ctrl_c_says_so_and_the_run_goes_on(tmp_path):
    whole = tmp_path / "whole"
    assert aidg("run", "play", "aidg", "--out", whole, "--seed", 3).returncode == 0
    run = tmp_path / "run"
    command = [sys.executable, "-m", "reports.cli", "run", "play", "aidg", "--out", str(run)]
    process = subprocess.Popen(
        [*command, "--seed", "3"], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    while not list((run / "traces").glob("*.json")):
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said == "aidg: stopped; the same command goes on from here\n"
    stopped = len(list((run / "traces").glob("*.json")))
    assert 0 < stopped < 450
    assert json.loads((run / "manifest.json").read_text())["ended"] is None
    assert aidg("run", "play", "aidg", "--out", run, "--seed", 3).returncode == 0
    for path in sorted((whole / "traces").iterdir()):
        assert (run / "traces" / path.name).read_bytes() == path.read_bytes()


def test_text_in_files_is_no_formula(study_folder, tmp_path):
    cohort = study_folder / "cohorts" / "reference.toml"
    cohort.write_text(cohort.read_text().replace('"even"', "\"=cmd|'/C calc'!A0\""))
    study = load_study(study_folder)
    run = play(study, str(study_folder), study.cohort(), tmp_path / "run", seed=4)
    folder = write_audit(run, audit_run(run))
    cells = [
        cell
        for path in folder.rglob("*.csv")
        for row in csv.reader(path.read_text().splitlines())
        for cell in row
    ]
    assert any(cell.startswith("'=cmd|") for cell in cells)
    assert not [cell for cell in cells if cell[:1] in "=+@" and cell]
    numbers = [cell for cell in cells if cell.startswith("-")]
    assert all(float(cell) < 0 for cell in numbers)


def test_csv_text_keeps_numbers_and_defuses_names():
    import pandas as pd

    frame = pd.DataFrame({"=a": ["+1", "x", None], "b": [-1.5, 2.0, float("nan")]})
    assert csv_text(frame) == "'=a,b\n'+1,-1.5\nx,2.0\n,\n"


def test_agreement_and_readjudication_stand_in_files(run):
    folder = write_audit(run, audit_run(run))
    with (folder / "agreement.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["second"] for row in rows} == {"referee"}
    assert all(row["interval"] for row in rows)
    with (folder / "readjudication.csv").open(newline="") as file:
        changed = next(csv.DictReader(file))
    total = sum(int(changed[k]) for k in ("unchanged", "cut", "redecided", "censored", "missing"))
    assert total == 36


def test_a_file_that_cannot_be_written_is_one_line(run, tmp_path):
    blocker = tmp_path / "file"
    blocker.write_text("")
    for arguments in (
        ["report", run.path, "--out", tmp_path],
        ["run", "play", "aidg", "--out", blocker / "x"],
    ):
        done = aidg(*arguments)
        assert done.returncode == 2
        assert len(done.stderr.splitlines()) == 1
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize("arguments", [["nonsense"], ["sweep", "--bad", "x"], ["audit"]])
def test_a_command_that_is_none_is_one_line(arguments):
    done = aidg(*arguments)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "--help" in done.stderr


def test_changed_files_are_named():
    assert changed_files({"a": "1", "b": "2"}, {"a": "1", "b": "3", "c": "4"}) == ("b", "c")


def test_labels_go_out_and_come_back(run, study_folder, tmp_path):
    """Draw, label every task as a person would through an export, pull, audit."""
    assert aidg("label", "draw", run.path, "-n", 20, "--by", "kind").returncode == 0
    tasks = json.loads((run.labels / "tasks.json").read_text())
    positive = {"holder_reply": "no_leak", "lock": "match", "declaration": "no_match"}
    export = [
        {
            "id": number,
            "data": task["data"],
            "annotations": [
                {
                    "id": number,
                    "completed_by": 7,
                    "was_cancelled": False,
                    "updated_at": "2026-11-30T10:43:57.630441Z",
                    "result": [
                        {
                            "from_name": "label",
                            "to_name": "dialogue",
                            "type": "choices",
                            "value": {"choices": [positive.get(task["data"]["kind"], "no_guess")]},
                        }
                    ],
                }
            ],
        }
        for number, task in enumerate(tasks, start=1)
    ]
    file = tmp_path / "export.json"
    file.write_text(json.dumps(export))
    done = aidg("label", "pull", run.path, "--file", file)
    assert done.returncode == 0, done.stderr
    (rater,) = [name for name in RunFolder(run.path).raters() if name.startswith("rater-")]
    assert f"{rater}: 20 verdicts" in done.stdout
    found = audit_run(run)
    assert {one.second for one in found.agreement} == {"referee", rater, "people"}
    assert "kappa.arbiter" in found.section.values
    assert study_folder.is_dir()
