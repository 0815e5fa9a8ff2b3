"""``aidg label`` as a person meets it, with a server in memory; and how it refuses."""

from __future__ import annotations

import sys
from contextlib import contextmanager

import pytest

import annotation.connection
from annotation.exchange import adjudicator, pseudonym
from games.play.tournament import play
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
    counted = sorted([f"{pseudonym(5)}: 6 verdicts", f"{pseudonym(6)}: 5 verdicts"])
    assert pulled[:4] == [*counted, "unlabelled: 1", "leak_without_category: 5"]
    assert len([line for line in pulled if line.startswith("note: leak_without_category")]) == 5
    adjudicated = aidg("adjudicate", run.path)
    assert adjudicated[-1] == f"adjudication, holder_reply: {HOME}/projects/3/data/?labeling=1"
    for task in studio.in_project(3).values():
        studio.answer(task, 7, "no_leak")
    assert f"{adjudicator(7)}: 5 verdicts" in aidg("pull", run.path)


def test_nothing_to_adjudicate_is_said(run, aidg, studio):
    for path in (run.path / "verdicts").glob("rater-*"):
        path.unlink()
    line = "aidg: `labels` of two people must be pulled first, found '0'"
    assert aidg("adjudicate", run.path, code=2) == [line]
    for rater in (pseudonym(5), pseudonym(6)):
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
