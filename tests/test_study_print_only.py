"""Studies of printed claims alone: what they load as, and what refuses them."""

from __future__ import annotations

import sys

import pytest

from games.errors import StudyError
from games.study.config import PrintConfig, StudyConfig, load_config
from games.study.study import PrintStudy, load_print, load_study
from reports.cli.app import main

STUDY = """\
# A paper.

[study]
name = "paper"
title = "A paper"
source = "a journal"
print_only = true
"""

CLAIMS = """\
[defaults]
population = "models"
cluster = "none"

[[claim]]
id = "share"
place = "section 1"
sentence = "Half of them."
printed = "50%"
recompute = { method = "proportion", k = 2, n = 4 }
"""


@pytest.fixture
def folder(tmp_path):
    """Return the folder of a print-only study."""
    path = tmp_path / "paper"
    path.mkdir()
    (path / "study.toml").write_text(STUDY, encoding="utf-8")
    (path / "claims.toml").write_text(CLAIMS, encoding="utf-8")
    return path


def aidg(monkeypatch, *arguments):
    """Run the command line in this process and return its exit code."""
    monkeypatch.setattr(sys, "argv", ["aidg", *(str(a) for a in arguments)])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code or 0


def test_its_head_is_loaded(folder):
    found = load_print(folder)
    assert found == PrintStudy(folder, "paper", "A paper", "a journal", True)
    assert found.claims == folder / "claims.toml"
    assert isinstance(load_config(folder / "study.toml"), PrintConfig)


def test_the_head_of_a_study_with_games_is_loaded_without_its_materials(study_folder):
    (study_folder / "nouns.csv").unlink()
    found = load_print(study_folder)
    assert (found.name, found.print_only) == ("small", False)
    assert isinstance(load_config(study_folder / "study.toml"), StudyConfig)


def test_a_study_with_games_may_say_so(study_folder):
    path = study_folder / "study.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("\n\n[design]", "\nprint_only = false\n\n[design]"), "utf-8")
    assert load_study(study_folder).config.study.print_only is False


def test_it_is_no_study_to_play(folder):
    said = "study.toml:7: `study.print_only` is set: this study holds printed claims, and no games"
    with pytest.raises(StudyError, match=said):
        load_study(folder)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("print_only = true\n", 'print_only = true\ncohort = "x"\n', "8: `study.cohort` is not a"),
        ('title = "A paper"\n', "", "3: `study.title` is missing"),
        ('title = "A paper"', 'title = ""', "5: `study.title` string should have at least 1"),
        ("print_only = true", 'print_only = "often"', "7: `study.print_only` input should be"),
        ("print_only = true\n", "print_only = true\n[design]\n", "8: `design` is not a known key"),
        ("print_only = true\n", "", "3: `study.cohort` is missing"),
        ("[study]\n", "[paper]\n", "`study` is missing"),
    ],
)
def test_its_faults_are_one_line(folder, old, new, said):
    path = folder / "study.toml"
    assert old in STUDY
    path.write_text(STUDY.replace(old, new), encoding="utf-8")
    with pytest.raises(StudyError) as fault:
        load_print(folder)
    assert said in str(fault.value)
    assert "\n" not in str(fault.value)


def test_print_commands_work_on_it(folder, monkeypatch, capsys):
    assert aidg(monkeypatch, "study", "check", folder) == 0
    said = capsys.readouterr().out
    assert said == "paper: 0 printed tables, 1 claim. All files are in order.\n"
    assert aidg(monkeypatch, "study", "paper", folder) == 0
    assert "reproduced" in capsys.readouterr().out
    assert aidg(monkeypatch, "explain", folder, "share") == 0
    assert aidg(monkeypatch, "report", folder, "--out", folder / "page.html") == 0
    assert "A paper" in (folder / "page.html").read_text(encoding="utf-8")


def test_to_play_it_is_refused_in_one_line(folder, tmp_path, monkeypatch, capsys):
    out = tmp_path / "run"
    for command in (["run", "play", folder, "--out", out], ["study", "plan", folder]):
        assert aidg(monkeypatch, *command) == 2
        said = capsys.readouterr()
        assert len(said.err.splitlines()) == 1
        assert "printed claims, and no games to play" in said.err
        assert not said.out
    assert not out.exists()


def test_a_fault_in_its_claims_has_file_and_line(folder, monkeypatch, capsys):
    path = folder / "claims.toml"
    path.write_text(CLAIMS.replace("k = 2", "k = 5"), encoding="utf-8")
    assert aidg(monkeypatch, "study", "check", folder) == 2
    assert "claims.toml:10: `recompute` must hold 0 ≤ k ≤ n" in capsys.readouterr().err


def test_without_claims_it_is_not_whole(folder, monkeypatch, capsys):
    (folder / "claims.toml").unlink()
    assert aidg(monkeypatch, "study", "check", folder) == 2
    assert "`claims.toml` is missing" in capsys.readouterr().err
