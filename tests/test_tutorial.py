"""The tutorial: its planted errors are found, nothing else is, and what it shows is true."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path

import pytest

from audit.claims.check import check_print
from audit.claims.file import load_claims
from audit.claims.words import PrintStanding
from games.study.shipped import data_folder, shipped_studies
from reports.cli.app import main

FOLDER = data_folder() / "tutorial"
PLANTED = json.loads((Path(__file__).parent / "cases" / "tutorial.json").read_text("utf-8"))
FALLEN = (PrintStanding.CONFLICTS, PrintStanding.NOT_REPRODUCED)


@pytest.fixture(scope="module")
def checks():
    """Return what print says of each claim of the tutorial."""
    return {check.id: check for check in check_print(load_claims(FOLDER / "claims.toml"))}


def aidg(monkeypatch, *arguments):
    """Run the command line in this process and return its exit code."""
    monkeypatch.setattr(sys, "argv", ["aidg", *(str(a) for a in arguments)])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code or 0


def tutorial():
    return (FOLDER / "tutorial.md").read_text(encoding="utf-8")


def paper():
    return (FOLDER / "paper.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("case", PLANTED, ids=[case["desc"] for case in PLANTED])
def test_every_planted_error_is_found(checks, case):
    assert {checks[id].standing.value for id in case["input"]} == {case["expected"]}


def test_nothing_else_is(checks):
    planted = {id for case in PLANTED for id in case["input"]}
    assert {id for id, check in checks.items() if check.standing in FALLEN} == planted


def test_the_partner_of_a_mismatch_stands_and_names_it(checks):
    assert checks["alive_reminder"].standing is PrintStanding.REPRODUCED
    assert checks["alive_reminder"].conflicts_with == ("abstract_alive_reminder",)
    assert checks["abstract_alive_reminder"].conflicts_with == ("alive_reminder",)


def test_the_floors_have_one_table_of_counts(checks):
    floors = [check for id, check in checks.items() if id.startswith("floor")]
    assert len(floors) == 5
    stand = {PrintStanding.REPRODUCED, PrintStanding.REPRODUCED_UNDER}
    assert {check.standing for check in floors} <= stand
    assert checks["floors_together"].standing is PrintStanding.REPRODUCED


def test_the_paper_is_one_page():
    assert len(paper().split()) < 600


def test_the_file_prints_what_the_paper_prints():
    claims = load_claims(FOLDER / "claims.toml")
    digits = set(re.findall(r"\d+(?:\.\d+)?", paper()))
    for claim in claims.claim:
        assert not claim.printed or claim.printed.rstrip("%p") in digits, claim.id
    rows = [re.split(r"\s*\|\s*", line.strip("| ")) for line in paper().splitlines()]
    for name in ("table_1", "table_2", "table_3"):
        table = claims.tables[name]
        assert any(row[1:] == list(table.columns) for row in rows)
        for row in next(iter(table.columns.values())):
            assert [row, *(column[row].text for column in table.columns.values())] in rows


def test_every_command_of_the_tutorial_runs(tmp_path, monkeypatch, capsys):
    (tmp_path / "data").symlink_to(data_folder())
    monkeypatch.chdir(tmp_path)
    commands = re.findall(r"^\$ aidg (.+)$", tutorial(), re.MULTILINE)
    assert len(commands) >= 7
    for command in commands:
        assert aidg(monkeypatch, *shlex.split(command)) == 0, command
        capsys.readouterr()


def test_what_it_shows_of_the_file_stands_in_the_file():
    file = (FOLDER / "claims.toml").read_text(encoding="utf-8")
    shown = re.findall(r"^```toml\n(.*?)^```$", tutorial(), re.MULTILINE | re.DOTALL)
    assert len(shown) == 4
    for block in shown:
        for part in block.strip().split("\n\n"):
            for line in part.splitlines():
                assert f"{line}\n" in file


def test_the_rows_that_it_shows_are_those_said(checks):
    lines = [line for line in tutorial().splitlines() if line.startswith("| `")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert len(rows) == len(PLANTED)
    for name, printed, recomputed, standing in rows:
        found = [checks[id] for id in re.findall(r"`(\w+)`", name)]
        assert {check.printed for check in found} == {printed}
        assert {check.recomputed for check in found} == {recomputed}
        assert all(standing.split(" ", 1)[0].rstrip("s") in check.standing for check in found)


def test_it_ships_and_is_found_by_name():
    assert "tutorial" in shipped_studies()


def test_one_played_by_nobody_is_refused_in_one_line(tmp_path, monkeypatch, capsys):
    assert aidg(monkeypatch, "run", "play", "tutorial", "--out", tmp_path / "run") == 2
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1
    assert "no games to play" in said
