"""The command line as a person meets it: what it prints, and how it refuses."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from reports.cli.app import ORDER, main

FAULTS = json.loads((Path(__file__).parent / "cases" / "study_faults.json").read_text("utf-8"))
HEAVY = {
    "anthropic",
    "jinja2",
    "label_studio_sdk",
    "matplotlib",
    "numpy",
    "openai",
    "pandas",
    "pydantic",
    "scipy",
    "sklearn",
    "statsmodels",
}


def aidg(monkeypatch, *arguments):
    """Run the command line in this process and return its exit code."""
    monkeypatch.setattr(sys, "argv", ["aidg", *(str(a) for a in arguments)])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code or 0


@pytest.fixture(scope="module")
def played(tmp_path_factory, request):
    """Return a run of the small study, judged."""
    folder = tmp_path_factory.mktemp("cli")
    from .conftest import small_study

    study = small_study(folder / "study")
    run = folder / "run"
    patch = pytest.MonkeyPatch()
    assert aidg(patch, "run", "play", study, "--out", run, "--seed", 3) == 0
    assert aidg(patch, "judge", run) == 0
    patch.undo()
    return run


def test_help_imports_nothing_heavy():
    code = (
        "import sys; from reports.cli.app import main; sys.argv = ['aidg', '--help']\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print('LOADED', *sorted({name.split('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split("LOADED", 1)[1].split())
    assert "typer" in loaded
    assert not HEAVY & loaded


def test_help_lists_the_commands_in_the_order_of_the_flow(monkeypatch, capsys):
    assert aidg(monkeypatch, "--help") == 0
    said = capsys.readouterr().out
    places = [said.index(f"\n  {name} ") for name in ORDER]
    assert places == sorted(places)


def test_a_shipped_study_is_in_order(monkeypatch, capsys):
    assert aidg(monkeypatch, "study", "check", "aidg") == 0
    said = capsys.readouterr().out
    assert "20 secrets, 100 nouns" in said
    assert said.endswith("All files are in order.\n")
    assert "mean 4.84, worst 7; no strategy needs fewer at worst than 5 (yes, no, maybe)" in said
    methods = (Path(__file__).parents[1] / "METHODS.md").read_text(encoding="utf-8")
    assert "needs 4.84 questions on average and 7 at worst" in methods


def test_the_plan_says_what_will_be_played(monkeypatch, capsys):
    assert aidg(monkeypatch, "study", "plan", "aidg", "--seed", 7) == 0
    said = capsys.readouterr().out
    assert "450 matches" in said
    assert aidg(monkeypatch, "study", "plan", "aidg", "--json") == 0
    assert len(json.loads(capsys.readouterr().out)["matches"]) == 450


def refusal(monkeypatch, capsys, *arguments):
    """Return the one line on stderr with which a command refuses, after checking its form."""
    assert aidg(monkeypatch, *arguments) == 2
    said = capsys.readouterr()
    lines = said.err.splitlines()
    assert len(lines) == 1
    assert "Traceback" not in said.err
    return lines[0]


@pytest.mark.parametrize("case", FAULTS, ids=[case["desc"] for case in FAULTS])
def test_a_fault_in_a_study_is_one_line(study_folder, monkeypatch, capsys, case):
    path = study_folder / case["file"]
    text = path.read_text(encoding="utf-8")
    assert case["old"] in text
    path.write_text(text.replace(case["old"], case["new"], 1), encoding="utf-8")
    assert case["said"] in refusal(monkeypatch, capsys, "study", "check", study_folder)


def test_a_missing_file_is_one_line(study_folder, monkeypatch, capsys):
    (study_folder / "nouns.csv").unlink()
    assert "`nouns.csv` is missing" in refusal(monkeypatch, capsys, "study", "check", study_folder)


def test_an_unknown_study_is_one_line_with_the_shipped_ones(monkeypatch, capsys):
    assert "a shipped study (aidg" in refusal(monkeypatch, capsys, "study", "check", "nothing")


def test_a_folder_that_is_no_run_is_one_line(tmp_path, monkeypatch, capsys):
    for command in (["run", "status"], ["judge"], ["audit"], ["sweep"]):
        assert "must be a run's folder" in refusal(monkeypatch, capsys, *command, tmp_path)


def test_nothing_half_written_after_a_refusal(study_folder, tmp_path, monkeypatch, capsys):
    (study_folder / "secrets.csv").write_text("id,text\n", encoding="utf-8")
    out = tmp_path / "out"
    refusal(monkeypatch, capsys, "run", "play", study_folder, "--out", out)
    assert not out.exists()


def test_status_counts_what_was_played(played, monkeypatch, capsys):
    assert aidg(monkeypatch, "run", "status", played, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert sum(row["played"] for row in found["matches"]) == 36
    assert (found["traces"], found["process"], found["models"]) == (36, None, [])
    assert aidg(monkeypatch, "run", "status", played) == 0
    assert "ended 20" in capsys.readouterr().out


def test_label_draw_and_an_unknown_stratum(played, monkeypatch, capsys):
    assert aidg(monkeypatch, "label", "draw", played, "-n", 12, "--minimum", 1) == 0
    assert "12 tasks with interface" in capsys.readouterr().out
    said = refusal(monkeypatch, capsys, "label", "draw", played, "--by", "colour")
    assert "`by` must be of game, mode" in said


def test_audit_and_sweep_speak_json(played, monkeypatch, capsys):
    assert aidg(monkeypatch, "audit", played, "--json") == 0
    rows = {row["estimand"]: row for row in json.loads(capsys.readouterr().out)}
    assert rows["games"]["value"] == 36
    assert rows["spearman.size_disqualified"]["reason"] == "too few"
    assert aidg(monkeypatch, "sweep", played, "--most", 40, "--json") == 0
    swept = json.loads(capsys.readouterr().out)
    tables = {"statements", "curves", "specifications", "intervals", "about"}
    assert set(swept) == tables | {"open_choices", "corrected"}
    axes = {one["choice"]: one["axis"] for one in swept["open_choices"]}
    assert axes == {"declarations": "", "guess_detection": "verdicts"}
    about = {row["what"]: row["value"] for row in swept["about"]}
    assert about["looked at"] == 40
    with (played / "audit" / "sweep" / "specifications.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == len(swept["specifications"])
    stored = json.loads((played / "audit" / "estimates.json").read_text())
    assert {row["estimand"] for row in stored} == set(rows)


def test_a_sweep_is_told_and_one_of_its_rows_made_again(played, monkeypatch, capsys):
    assert aidg(monkeypatch, "sweep", played, "--most", 40) == 0
    told = capsys.readouterr().out
    for words in ("every_gap_positive", "combinations of choices", "roles exchanged", "in "):
        assert words in told
    assert aidg(monkeypatch, "sweep", played, "--only", "K=16 DQ=tie", "--json") == 0
    one = json.loads(capsys.readouterr().out)
    assert " K=16 " in one["signature"]
    assert {row["player"] for row in one["ratings"]} == {"even", "eager", "erratic"}
    assert aidg(monkeypatch, "sweep", played, "--only", "K=16 DQ=tie") == 0
    assert f"{one['values']['rating.gap']:.2f}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--only", "K"), "`signature` must be name=level"),
        (("--backend", "fax"), "`--backend` must be one of loky, threading, dask"),
        (("--axes", "none.toml"), "none.toml"),
    ],
)
def test_a_sweep_of_nothing_known_is_one_line(played, monkeypatch, capsys, options, words):
    assert words in refusal(monkeypatch, capsys, "sweep", played, *options)


def test_a_table_on_the_terminal_fits_and_is_whole(played):
    done = subprocess.run(
        [sys.executable, "-m", "reports.cli", "audit", str(played)],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"COLUMNS": "80"},
    )
    assert max(map(len, done.stdout.splitlines()[:-1])) <= 80
    assert "difference.formats.without_disqualified" in done.stdout


def test_an_unknown_rater_is_refused_with_the_list(played):
    from games.errors import RunError
    from games.run import RunFolder

    with pytest.raises(RunError, match="must be one of arbiter, referee, found 'nobody'"):
        RunFolder(played).verdicts("nobody")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("sweep", "hidden_signal"), "the study hidden_signal plays rounds, no matches"),
        (("sweep", "tutorial"), "`STUDY` must be a run, or print that tells of matches"),
        (("sweep", "nowhere"), "must be a run's folder, which holds manifest.json, or a study"),
    ],
)
def test_print_that_tells_of_no_matches_is_not_swept(monkeypatch, capsys, words, said):
    assert said in refusal(monkeypatch, capsys, *words)


@pytest.mark.parametrize("option", ["--samples", "--seed"])
def test_a_run_is_no_print(played, monkeypatch, capsys, option):
    said = refusal(monkeypatch, capsys, "sweep", played, option, 3)
    assert f"`{option}` is for a study's print" in said


@pytest.mark.slow
def test_print_alone_is_swept(monkeypatch, capsys):
    assert aidg(monkeypatch, "sweep", "aidg", "--samples", 32, "--json") == 0
    told = capsys.readouterr()
    found = json.loads(told.out)
    assert "corpora of matches, about" in told.err
    answers = {row["statement"]: row for row in found["answers"]}
    assert answers["holder_share"]["holds"] == "by sample"
    assert answers["holder_share"]["fails"] == "excluded by proof"
    agreed = {row["statement"]: row for row in found["agreed"]}
    assert agreed["gap"]["share"] == 1.0
    assert agreed["seekers_vary_more"]["share"] < 1.0
    assert agreed["seekers_vary_more"]["moved by"]
    assert all(row["checked"] == row["corpora"] for row in found["ways"])
