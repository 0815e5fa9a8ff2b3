"""A study begun: in order as it stands, never over something else."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from audit.claims.check import check_print
from audit.claims.file import load_claims
from audit.claims.words import Kind, PrintStanding
from games.errors import StudyError
from games.study.scaffold import scaffold
from games.study.study import load_print
from reports.cli.app import main


def aidg(monkeypatch, *arguments):
    """Run the command line in this process and return its exit code."""
    monkeypatch.setattr(sys, "argv", ["aidg", *(str(a) for a in arguments)])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code or 0


def test_what_is_written_passes_its_check(tmp_path, monkeypatch, capsys):
    folder = tmp_path / "new" / "my paper"
    assert aidg(monkeypatch, "study", "new", folder) == 0
    said = capsys.readouterr().out
    assert f"aidg study check '{folder}'" in said
    assert sorted(path.name for path in folder.iterdir()) == ["claims.toml", "study.toml"]
    assert aidg(monkeypatch, "study", "check", folder) == 0
    assert capsys.readouterr().out.startswith("my_paper: 1 printed table, 10 claims.")
    for line in said.splitlines():
        if line.startswith("  aidg explain "):
            claim = line.split("   ")[0].split()[-1]
            assert aidg(monkeypatch, "explain", folder, claim) == 0


def test_its_examples_are_of_every_part_and_sound(tmp_path):
    claims = load_claims(scaffold(tmp_path)[1])
    text = (tmp_path / "claims.toml").read_text(encoding="utf-8")
    parts = ("[defaults]", "[print]", "[unknown]", "[[given]]", "[[cells]]", "[[claim]]")
    parts += ("recompute", "states", "same_as", "not_checkable", "contradicts")
    assert all(f"\n{part}" in text for part in parts)
    assert {claim.kind for claim in claims.claim} == {Kind.NUMBER, Kind.READING, Kind.CITED}
    checks = {check.id: check for check in check_print(claims)}
    fallen = {PrintStanding.CONFLICTS, PrintStanding.NOT_REPRODUCED}
    assert {id for id, check in checks.items() if check.standing in fallen} == {"blind", "told"}
    assert checks["odds_ratio"].standing is PrintStanding.REPRODUCED


def test_it_can_be_played_by_nobody(tmp_path):
    scaffold(tmp_path)
    assert load_print(tmp_path).print_only


@pytest.mark.parametrize(
    ("name", "called"),
    [("Smith 2024", "smith_2024"), ('a"b\n[study]', "a_b_study"), ("論文", "paper")],
)
def test_a_folder_of_any_name_gives_a_sound_one(tmp_path, name, called):
    scaffold(tmp_path / name)
    assert load_print(tmp_path / name).name == called


def test_a_relative_folder_has_its_name_from_where_it_stands(tmp_path, monkeypatch):
    (tmp_path / "trial").mkdir()
    monkeypatch.chdir(tmp_path / "trial")
    scaffold(Path())
    assert load_print(tmp_path / "trial").name == "trial"


def test_nothing_is_written_over(tmp_path, monkeypatch, capsys):
    (tmp_path / ".hidden").write_text("mine", encoding="utf-8")
    with pytest.raises(StudyError, match="`FOLDER` must be empty or not there yet"):
        scaffold(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [".hidden"]
    assert aidg(monkeypatch, "study", "new", tmp_path) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_file_is_no_folder(tmp_path):
    path = tmp_path / "file"
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(StudyError, match="must be a folder, not a file"):
        scaffold(path)
    with pytest.raises(StudyError, match=r"`study\.toml` cannot be written"):
        scaffold(path / "below")
    assert path.read_text(encoding="utf-8") == "mine"
