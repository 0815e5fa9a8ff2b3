"""``aidg run`` on HIDDEN SIGNAL, as a person types it: what is played, said and refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from games.play.journal import read_journal
from games.series.folder import SeriesFolder
from games.series.records import Condition, SeriesKind

from .series_runs import lines_of, models_text
from .test_cli import aidg, refusal

PRICED = (("ann", "scripted"), ("bob", "scripted"))
SHORT = ("--smoke", "--condition", "self")


@pytest.fixture
def here(tmp_path, monkeypatch) -> Path:
    """An empty folder to work in, with a cohort of scripted models beside nothing else."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cohort.toml").write_text(models_text(*PRICED), encoding="utf-8")
    return tmp_path


def test_a_smoke_run_goes_to_a_folder_of_the_studys_name(here, monkeypatch, capsys) -> None:
    assert aidg(monkeypatch, "run", "play", "hidden_signal", "--smoke") == 0
    run = SeriesFolder(here / "runs" / "hidden_signal")
    plan = run.manifest().plan
    mains = [series for series in plan.series if series.kind is SeriesKind.MAIN]
    assert [series.condition for series in mains] == list(Condition)
    assert {(s.rounds, s.replicate) for s in mains} == {(10, 1)}
    assert plan.checkpoint == 5
    assert {s.rounds for s in plan.series if s not in mains} == {2}
    said = capsys.readouterr().out
    rounds = sum(series.rounds for series in plan.series)
    assert f"series in runs/hidden_signal: {rounds}/{rounds} rounds" in said


def test_the_same_command_leaves_a_complete_run_and_another_plan_is_refused(
    here, monkeypatch, capsys
) -> None:
    command = ("run", "play", "hidden_signal", *SHORT, "--cohort", "cohort.toml", "--out", "r")
    assert aidg(monkeypatch, *command) == 0
    before = lines_of(SeriesFolder(here / "r"))
    assert aidg(monkeypatch, *command) == 0
    assert lines_of(SeriesFolder(here / "r")) == before
    capsys.readouterr()
    said = refusal(monkeypatch, capsys, *command, "--matrix")
    assert "`plan` changed since this run was started; play into another folder" in said
    said = refusal(monkeypatch, capsys, *command, "--seed", 8)
    assert "`seed` must stay 7, with which this run was started" in said
    said = refusal(monkeypatch, capsys, *command[:-4], "--out", "r")
    assert "`cohort." in said


def test_a_matrix_plays_every_condition_pair_and_control(here, monkeypatch) -> None:
    command = ("--games", 2, "--checkpoint", 1, "--replicates", 1, "--matrix", "--out", "r")
    # Rounds of snapshots are as many as the study says: enough of it is read from the plan.
    monkeypatch.setattr("games.series.sitting.Sitting.sit", _nothing)
    assert aidg(monkeypatch, "run", "play", "hidden_signal", *command) == 0
    plan = SeriesFolder(here / "r").manifest().plan
    kinds = {kind: [s for s in plan.series if s.kind is kind] for kind in SeriesKind}
    assert len(kinds[SeriesKind.MAIN]) == 3
    assert len(kinds[SeriesKind.SAME]) == 6
    assert len(kinds[SeriesKind.CONTROL]) == 24


async def _nothing(*_given: object) -> None:
    """Play nothing."""


def test_a_budget_stops_with_code_3_and_a_larger_one_goes_on(here, monkeypatch, capsys) -> None:
    command = ("run", "play", "hidden_signal", "--smoke", "--condition", "self")
    command += ("--cohort", "cohort.toml", "--out", "r")
    assert aidg(monkeypatch, *command, "--budget", 0.02) == 3
    said = capsys.readouterr().err
    assert "aidg: stopped:" in said
    assert "a larger --budget goes on" in said
    assert aidg(monkeypatch, *command, "--budget", 50) == 0
    assert SeriesFolder(here / "r").manifest().ended is not None


def test_every_event_and_line_is_printed_as_json(here, monkeypatch, capsys) -> None:
    command = ("run", "play", "hidden_signal", *SHORT, "--cohort", "cohort.toml", "--out", "r")
    assert aidg(monkeypatch, *command, "--json") == 0
    printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    run = SeriesFolder(here / "r")
    told = [run.told(series) for series in run.manifest().plan.series]
    kinds = [line["kind"] for line in printed]
    assert kinds.count("round") == sum(len(one.rounds) for one in told)
    assert kinds.count("note") == 4
    assert len(kinds) - kinds.count("round") - 4 == len(list(read_journal(run.journal)))
    # What was said stays on disk.
    assert not [line for line in printed if "text" in line or "text" in line.get("reply", {})]
    assert not [act for line in printed for act in line.get("acts", ()) if "text" in act]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--condition", "both"), "`--condition` must be one of none, self, self+opponent"),
        (("--games", 3, "--checkpoint", 4), "`--checkpoint` must not be beyond --games, 3"),
        (("--fork", "r"), "`--fork` must be left out"),
        (("--cohort", "nobody"), "`--cohort` must be a cohort file or one of the study's"),
        (("--budget", 1, "--cohort", "source"), "`budget` needs a price for every model"),
        (("--cohort", "source"), "`HIDDEN_SIGNAL_URL` must be set in the environment"),
    ],
)
def test_what_cannot_be_is_one_line_and_no_folder(
    here, monkeypatch, capsys, options, message
) -> None:
    monkeypatch.delenv("HIDDEN_SIGNAL_URL", raising=False)
    said = refusal(monkeypatch, capsys, "run", "play", "hidden_signal", *options)
    assert message in said
    assert not (here / "runs").exists()


@pytest.mark.parametrize(
    "option",
    [
        ("--games", 4),
        ("--checkpoint", 4),
        ("--replicates", 4),
        ("--condition", "self"),
        ("--matrix",),
        ("--smoke",),
    ],
)
def test_a_study_of_matches_takes_none_of_these(here, monkeypatch, capsys, option) -> None:
    said = refusal(monkeypatch, capsys, "run", "play", "aidg", *option)
    assert f"`{option[0]}` is of a study that plays HIDDEN SIGNAL" in said
    assert not (here / "runs").exists()


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("shown")
    (folder / "cohort.toml").write_text(models_text(*PRICED), encoding="utf-8")
    patch = pytest.MonkeyPatch()
    patch.chdir(folder)
    command = ("run", "play", "hidden_signal", "--smoke", "--condition", "self")
    assert aidg(patch, *command, "--cohort", "cohort.toml", "--out", "r") == 0
    patch.undo()
    return folder / "r"


class TestShown:
    """How far a run is, from disk alone."""

    def test_status_tells_of_series_models_and_cost(self, run, monkeypatch, capsys) -> None:
        assert aidg(monkeypatch, "run", "status", run) == 0
        said = capsys.readouterr().out
        assert "main-self-r1" in said
        assert "10/10" in said
        assert "98 of 98 rounds and 45 of 45 series have ended" in said
        assert "It cost $" in said
        assert "nothing about models" in said

    @pytest.mark.parametrize("columns", [60, 80, 112, 200])
    def test_status_fits_its_terminal(self, run, monkeypatch, capsys, columns) -> None:
        monkeypatch.setenv("COLUMNS", str(columns))
        assert aidg(monkeypatch, "run", "status", run) == 0
        lines = capsys.readouterr().out.splitlines()
        assert max(map(len, lines)) <= max(columns, len(str(run)) + 20)
        assert not [line for line in lines if "…" in line]

    def test_status_as_json_is_all_of_it(self, run, monkeypatch, capsys) -> None:
        assert aidg(monkeypatch, "run", "status", run, "--json") == 0
        said = json.loads(capsys.readouterr().out)
        assert (said["rounds"], said["planned"], said["process"]) == (98, 98, None)
        assert said["series"][0]["players"] == {"one": "ann", "two": "bob"}
        journal = [r for r in read_journal(SeriesFolder(run).journal) if r.kind == "call"]
        calls = sum(one["asked"]["replies"] for one in said["series"])
        assert calls == sum(model["replies"] for model in said["models"]) == len(journal)

    def test_watch_prints_every_act_once_and_every_end(self, run, monkeypatch, capsys) -> None:
        assert aidg(monkeypatch, "run", "watch", run, "--no-follow") == 0
        lines = capsys.readouterr().out.splitlines()
        folder = SeriesFolder(run)
        told = [folder.told(series) for series in folder.manifest().plan.series]
        acts = sum(len(r.acts) + len(r.re_asked) for one in told for r in one.rounds)
        rounds = sum(len(one.rounds) for one in told)
        assert sum("  t0" in line for line in lines) == acts
        assert sum("  hidden " in line for line in lines) == rounds
        assert sum("  note " in line and " after round " in line for line in lines) == 4

    def test_watch_of_one_series_is_in_order_of_play(self, run, monkeypatch, capsys) -> None:
        assert aidg(monkeypatch, "run", "watch", run, "main-self-r1", "--no-follow") == 0
        lines = capsys.readouterr().out.splitlines()
        places = [line.split("  ")[0].removeprefix("main-self-r1") for line in lines]
        order = [place for place in dict.fromkeys(places) if place.startswith("/")]
        assert order == [
            *(f"/{n}" for n in range(1, 6)), "/note-1", *(f"/{n}" for n in range(6, 11)), "/note-2",
        ]  # fmt: skip
        for number in range(1, 11):
            own = [line for line in lines if line.startswith(f"main-self-r1/{number}  ")]
            assert "hidden " in own[-1]
            assert all("  t0" in line for line in own[:-1])

    def test_an_unknown_series_is_refused(self, run, monkeypatch, capsys) -> None:
        said = refusal(monkeypatch, capsys, "run", "watch", run, "main")
        assert "`SERIES` must be a series of this run" in said
