"""``aidg label`` as a person meets it, with a server in memory; and how it refuses."""

from __future__ import annotations

import shutil
import sys
from contextlib import contextmanager

import pytest

import annotation.connection
from annotation.exported import Stage
from annotation.raters import by_number
from games.play.tournament import play
from games.run import RunFolder
from games.study.study import load_study
from reports.cli.app import main

from .conftest import small_study
from .studio import FakeStudio

HOME = "http://127.0.0.1:9"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("commands")
    study = load_study(small_study(folder / "study"))
    return play(study, str(folder / "study"), study.cohort(), folder / "run", seed=5)


@pytest.fixture
def aidg(monkeypatch, capsys, tmp_path):
    """Return a way to run a command: what it printed, by lines, if it ended with the code."""
    for name in ("LABEL_STUDIO_URL", "LABEL_STUDIO_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AIDG_DATA_HOME", str(tmp_path / "home"))

    def command(*words, code=0):
        monkeypatch.setattr(sys, "argv", ["aidg", "label", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        assert (ended.value.code or 0) == code, printed.err
        return (printed.err if code else printed.out).splitlines()

    return command


@pytest.fixture
def studio(monkeypatch):
    """Return a server in memory, to which every command is connected."""
    fake = FakeStudio()

    @contextmanager
    def client(to):
        assert to == annotation.connection.Connection(HOME, "token")
        yield fake

    monkeypatch.setenv("LABEL_STUDIO_URL", HOME)
    monkeypatch.setenv("LABEL_STUDIO_API_KEY", "token")
    monkeypatch.setattr(annotation.connection, "client", client)
    return fake


def test_a_round_from_push_to_resolution(run, aidg, studio, monkeypatch):
    monkeypatch.setenv("LABEL_STUDIO_URL", HOME)
    monkeypatch.setenv("LABEL_STUDIO_API_KEY", "token")
    aidg("draw", run.path, "-n", 6, "--minimum", 1, "--kinds", "holder_reply", "--by", "")
    pushed = aidg("push", run.path, "--raters", "ann,bob")
    assert pushed[-2:] == [
        f"ann, holder_reply: {HOME}/projects/1/data/?labeling=1",
        f"bob, holder_reply: {HOME}/projects/2/data/?labeling=1",
    ]
    assert [line.split() for line in pushed if line.strip().startswith(("ann ", "bob "))] == [
        ["ann", "holder_reply", "6", "0", "0"],
        ["bob", "holder_reply", "6", "0", "0"],
    ]
    assert aidg("push", run.path)[-2:] == pushed[-2:]  # those who have projects
    assert aidg("pull", run.path) == [
        f"no answer yet; the export is kept in {run.labels}",
        "unlabelled: 12",
    ]
    for project, user, word in ((1, 5, "no_leak"), (2, 6, "leak")):
        for task in list(studio.in_project(project).values())[user - 5 :]:
            studio.answer(task, user, word)
    progress = [line.split() for line in aidg("status", run.path)]
    assert ["ann", "holder_reply", "6", "6", "0"] in progress
    assert ["bob", "holder_reply", "6", "5", "0"] in progress
    pulled = aidg("pull", run.path)
    counted = sorted([f"{by_number(5)}: 6 verdicts", f"{by_number(6)}: 5 verdicts"])
    assert pulled[:4] == [*counted, "unlabelled: 1", "leak_without_category: 5"]
    assert len([line for line in pulled if line.startswith("note: leak_without_category")]) == 5
    adjudicated = aidg("adjudicate", run.path)
    assert adjudicated[-1] == f"adjudication, holder_reply: {HOME}/projects/3/data/?labeling=1"
    for task in studio.in_project(3).values():
        studio.answer(task, 7, "no_leak")
    assert f"{by_number(7, Stage.ADJUDICATION)}: 5 verdicts" in aidg("pull", run.path)


def test_seconds_and_drift_are_told_and_the_next_plan_uses_them(run, aidg, studio, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    for path in (*run.labels.glob("*"), *(run.path / "verdicts").glob("rater-*")):
        path.unlink()
    shape = ("--minimum", 1, "--kinds", "holder_reply", "--by", "")
    plan = aidg("draw", run.path, "-n", 6, *shape)
    assert not any(line.startswith("at the median") for line in plan)
    aidg("push", run.path, "--raters", "ann")
    assert not any("seconds" in line for line in aidg("status", run.path))
    for place, task in enumerate(studio.in_project(1).values()):
        seconds = [10.0, 20.0, 30.0, 40.0, None, 9_000.0][place]
        studio.answer(task, 5, "leak" if place < 2 else "no_leak", lead_time=seconds)
    rater = by_number(5)
    for command in ("pull", "status"):
        printed = aidg(command, run.path)
        rows = [line.split() for line in printed if line.strip().startswith(rater)]
        assert [rater, "holder_reply", "6", "4", "25", "15", "35", "-"] in rows
        (drift,) = [row for row in rows if "leak" in row]
        assert " ".join(drift[3:]) == "2 of 2 (100%) 0 of 2 (0%) 0 of 2 (0%) 0.200"
        note = "note: 2 of 6 answers are left out of the seconds: no time, or 0, or over 30 minutes"
        assert note in printed
    plan = aidg("draw", run.path, "-n", 9, *shape)
    assert "6 items stay as drawn before, 3 are added" in plan
    assert "9 labels take about 0.1 hours" in plan
    assert "at the median of what was pulled: 25 s a holder_reply" in plan
    (line,) = aidg("draw", run.path, "-n", 5, *shape, code=2)[-1:]
    assert "and only a larger -n of the same design adds to it" in line


@pytest.mark.parametrize("command", ["push", "status", "pull"])
def test_before_a_draw_each_says_to_draw(run, aidg, studio, tmp_path, command):
    copy = RunFolder(shutil.copytree(run.path, tmp_path / "copy"))
    shutil.rmtree(copy.labels, ignore_errors=True)
    (line,) = aidg(command, copy.path, code=2)
    assert "`selection.json` must be drawn first: aidg label draw" in line


def test_nothing_to_adjudicate_is_said(run, aidg, studio):
    for path in (run.path / "verdicts").glob("rater-*"):
        path.unlink()
    line = "aidg: `labels` of two people must be pulled first, found '0'"
    assert aidg("adjudicate", run.path, code=2) == [line]
    for rater in (by_number(5), by_number(6)):
        run.write_verdicts(rater, [])
    assert aidg("adjudicate", run.path) == [
        "nothing to adjudicate: no two labels of an item differ"
    ]


@pytest.mark.parametrize("command", ["push", "status", "pull", "adjudicate"])
def test_without_a_server_each_says_what_to_do(run, aidg, command):
    (line,) = aidg(command, run.path, code=2)
    assert line.startswith("aidg: `Label Studio` must run (aidg label serve), or LABEL_STUDIO_URL")


def test_a_server_that_is_not_installed_says_how_to(aidg, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(annotation.connection, "SDK", "json")
    (line,) = aidg("serve", code=2)
    assert line.startswith("aidg: `label-studio` is not installed: aidg label serve --install")
    monkeypatch.setattr(annotation.connection, "SDK", "no_such_package")
    (line,) = aidg("serve", code=2)
    assert line.startswith("aidg: `label-studio-sdk` is not installed: pip install")


def test_no_command_takes_an_address_or_a_token(aidg):
    for command in ("serve", "push", "status", "pull", "adjudicate"):
        told = " ".join(aidg(command, "--help"))
        assert "--token" not in told
        assert "--url" not in told
