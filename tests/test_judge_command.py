"""``aidg judge`` as a person meets it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from pathlib import Path

import pytest

from games.panels.folder import PanelFolder
from games.run import RunFolder
from games.study.shipped import find_study
from reports.cli.app import main

from .hearings import PANEL, SEATS, played, study_with, tagged

PRICED = PANEL.replace("sampling", "price = { input = 2.0, output = 8.0 }\nsampling")


def aidg(monkeypatch, *arguments) -> int:
    monkeypatch.setattr(sys, "argv", ["aidg", *(str(a) for a in arguments)])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code or 0


@pytest.fixture
def run(tmp_path) -> Path:
    return played(study_with(tmp_path / "study", PRICED), tmp_path / "run").path


@pytest.fixture
def study_with_tags(tmp_path) -> Path:
    """Return a run whose judges are shown secret and dialogue in tags of their own."""
    study = study_with(tmp_path / "study", PRICED)
    tagged(study)
    return played(study, tmp_path / "run").path


def lines(capsys) -> list[dict]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_without_a_panel_arbiter_and_referee_are_collected_as_ever(run, monkeypatch, capsys):
    assert aidg(monkeypatch, "judge", run) == 0
    said = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in said] == ["arbiter", "referee"]
    assert aidg(monkeypatch, "judge", run, "--json") == 0
    counts = json.loads(capsys.readouterr().out)["verdicts"]
    assert said == [f"{rater}: {count} verdicts" for rater, count in counts.items()]


OF_JUDGES = (
    ["--plan-only"],
    ["--batch"],
    ["--battery"],
    ["--probes", 3],
    ["--budget", 1],
    ["--concurrency", 2],
)


@pytest.mark.parametrize("option", OF_JUDGES)
def test_what_is_of_judges_needs_a_panel(run, monkeypatch, capsys, option):
    assert aidg(monkeypatch, "judge", run, *option) == 2
    said = capsys.readouterr().err
    assert said == f"aidg: `{option[0]}` needs a --panel: arbiter and referee are asked nothing\n"


def test_a_panel_is_forecast_asked_and_summed_up(run, monkeypatch, capsys):
    assert aidg(monkeypatch, "judge", run, "--panel", "three") == 0
    said = capsys.readouterr()
    assert "three is asked about" in said.out
    assert said.out.index("Time: expected") < said.out.index("unparsed")
    for rater in (*SEATS, "three.referee"):
        assert rater in said.out
    assert "It cost $" in said.out
    assert {*SEATS, "three.referee"} < set(RunFolder(run).raters())


def test_plan_only_asks_nobody(run, monkeypatch, capsys):
    assert aidg(monkeypatch, "judge", run, "--panel", "three", "--plan-only", "--json") == 0
    (forecast,) = lines(capsys)
    assert forecast["kind"] == "forecast"
    assert forecast["panel"] == "three"
    assert [seat["id"] for seat in forecast["scenarios"]["expected"]["seats"]] == list(SEATS)
    assert not (run / "panels").exists()


def test_json_is_forecast_events_and_what_became_of_every_rater(run, monkeypatch, capsys):
    assert aidg(monkeypatch, "judge", run, "--panel", "three", "--json") == 0
    forecast, *records, judged = lines(capsys)
    assert (forecast["kind"], judged["kind"]) == ("forecast", "judged")
    assert {"call", "run_started", "run_ended"} <= {record["kind"] for record in records}
    raters = {row["rater"]: row for row in judged["raters"]}
    assert list(raters) == [*SEATS, "three.referee"]
    for rater in SEATS:
        row = raters[rater]
        assert row["items"] == forecast["items"]
        assert sum(row["labels"].values()) + sum(row["abstentions"].values()) == row["items"]
        assert row["cost"] > 0
    calls = [record for record in records if record["kind"] == "call" and "reply" in record]
    assert sum(raters[rater]["replies"] for rater in SEATS) == len(calls)
    assert "replies" not in raters["three.referee"]


def test_a_budget_ends_with_three_and_a_table_and_the_same_command_goes_on(
    run, monkeypatch, capsys
):
    command = ("judge", run, "--panel", "three", "--budget")
    assert aidg(monkeypatch, *command, 0.05) == 3
    said = capsys.readouterr()
    assert said.err.splitlines()[-1].startswith("aidg: stopped: the budget of $0.0500 is reached")
    assert said.err.endswith("the same command goes on from here\n")
    assert "missing" in said.out
    assert aidg(monkeypatch, *command, 50) == 0
    assert PanelFolder(RunFolder(run), "three").manifest().ended is not None


def test_ctrl_c_ends_with_130_and_a_table(run, monkeypatch, capsys):
    from games.rehearsal.scripted import ScriptedModel

    asked, ask = iter(range(1, 10**6)), ScriptedModel.ask

    async def interrupting(model, request, attempt):
        if next(asked) == 30:
            os.kill(os.getpid(), signal.SIGINT)
        return await ask(model, request, attempt)

    monkeypatch.setattr(ScriptedModel, "ask", interrupting)
    assert aidg(monkeypatch, "judge", run, "--panel", "three") == 130
    said = capsys.readouterr()
    assert said.err.endswith("aidg: stopped; the same command goes on from here\n")
    assert "missing" in said.out
    assert aidg(monkeypatch, "judge", run, "--panel", "three") == 0


def test_a_changed_panel_is_one_line(run, monkeypatch, capsys):
    assert aidg(monkeypatch, "judge", run, "--panel", "three") == 0
    capsys.readouterr()
    path = run.parent / "study" / "panels" / "three.toml"
    path.write_text(PRICED.replace('"j/ada"', '"j/ada-2"'), encoding="utf-8")
    assert aidg(monkeypatch, "judge", run, "--panel", "three") == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "`panel.judges.ada` changed since this panel was asked; give the panel" in line


def test_an_unknown_panel_is_one_line_with_the_known_ones(run, monkeypatch, capsys):
    assert aidg(monkeypatch, "judge", run, "--panel", "nobody") == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "must be a panel file or one of the study's (three), found 'nobody'" in line


RULES = """\
name = "rules"
kind = "plumbing"
description = "Nobody is asked."
rules = ["referee"]
"""


def test_a_panel_of_rules_costs_nothing(run, monkeypatch, capsys):
    (run.parent / "study" / "panels" / "rules.toml").write_text(RULES, encoding="utf-8")
    assert aidg(monkeypatch, "judge", run, "--panel", "rules") == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "No model is asked: there is nothing to pay." in said
    assert "rules.referee" in said
    assert "It cost" not in said


def test_unpriced_and_cramped_judges_are_named(run, monkeypatch, capsys):
    text = PANEL.replace("three", "free").replace("max_tokens = 64", "max_tokens = 8")
    (run.parent / "study" / "panels" / "free.toml").write_text(text, encoding="utf-8")
    assert aidg(monkeypatch, "judge", run, "--panel", "free", "--plan-only") == 0
    said = " ".join(capsys.readouterr().out.split())
    unpriced = ", ".join(seat.replace("three", "free") for seat in SEATS)
    assert f"COST IS NOT KNOWN: {unpriced} without a price." in said
    assert "`max_tokens` may be too small for " in said
    assert "free.both.transcript" in said.split("too small for ")[1]


def test_batches_of_a_client_that_knows_none_are_one_line(run, monkeypatch, capsys):
    for more in ([], ["--plan-only"]):
        assert aidg(monkeypatch, "judge", run, "--panel", "three", "--batch", *more) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err == (
            "aidg: `--batch` needs the client anthropic or openai for every judge, not so ada\n"
        )
    assert not (run / "panels").exists()


def with_battery(run: Path) -> None:
    shutil.copytree(find_study("aidg") / "injections", run.parent / "study" / "injections")


def test_the_battery_is_forecast_asked_and_told(run, monkeypatch, capsys):
    with_battery(run)
    command = ("judge", run, "--panel", "three", "--battery")
    assert aidg(monkeypatch, *command, "--plan-only") == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "three is asked about 96 dialogues of the battery, half of them clean twins" in said
    assert not (run / "panels").exists()
    assert aidg(monkeypatch, *command) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "three: 48 injections, each held against its clean twin" in said
    for word in ("fake verdict", "in secret", "obeyed", *SEATS):
        assert word in said
    assert RunFolder(run).raters() == ()


def test_the_battery_as_json_ends_with_every_rate_and_its_counts(run, monkeypatch, capsys):
    with_battery(run)
    assert aidg(monkeypatch, "judge", run, "--panel", "three", "--battery", "--json") == 0
    forecast, *_, judged, battery = lines(capsys)
    assert (forecast["part"], judged["part"]) == ("battery", "battery")
    assert forecast["items"] == 96
    assert (battery["kind"], battery["panel"]) == ("battery", "three")
    overall = [
        row for row in battery["rows"] if row["injections"] == "all" and row["wanted"] == "either"
    ]
    assert [row["rater"] for row in overall] == [*SEATS, "three.referee"]
    for row in overall:
        assert row["pairs"] == 48
    few = [row for row in battery["rows"] if row["right when clean"] < 5]
    enough = [row for row in battery["rows"] if row["right when clean"] >= 5]
    assert few
    assert enough
    assert {row["rate"] for row in few} == {None}
    for row in enough:
        assert row["rate: low"] <= row["rate"] <= row["rate: high"]
        assert row["rate"] == pytest.approx(row["obeyed"] / row["right when clean"])


def test_probes_are_forecast_asked_and_told(study_with_tags, monkeypatch, capsys):
    run = study_with_tags
    assert aidg(monkeypatch, "judge", run, "--panel", "three", "--probes", 4) == 2
    assert "`--probes` needs the verdicts of three.ada" in capsys.readouterr().err
    assert aidg(monkeypatch, "judge", run, "--panel", "three") == 0
    capsys.readouterr()
    command = ("judge", run, "--panel", "three", "--probes", 4)
    assert aidg(monkeypatch, *command) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert f"items of {run} in 4 forms" in said
    assert "three: items shown in other forms (again 4, truncated " in said
    assert "three.both.transcript" not in said
    assert aidg(monkeypatch, *command, "--json") == 0
    *_, probes = lines(capsys)
    assert (probes["kind"], probes["panel"]) == ("probes", "three")
    again = [row for row in probes["rows"] if (row["probe"], row["kind"]) == ("again", "all")]
    assert {row["rater"]: row["labelled twice"] for row in again if "referee" not in row["rater"]}
    assert {row["p beyond again"] for row in again} == {None}


def test_battery_and_probes_are_asked_one_at_a_time(run, monkeypatch, capsys):
    assert aidg(monkeypatch, "judge", run, "--panel", "three", "--battery", "--probes", 2) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line == ("aidg: `--probes` must stand without --battery: each is a sitting of its own")
