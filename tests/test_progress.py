"""What a person is told while a run is played, of what its own files held."""

from __future__ import annotations

import pytest

from games.cohort import load_cohort
from games.play.terms import Terms
from games.run import RunFolder
from games.study.study import load_study
from reports.cli.progress import Show, played

from .conftest import small_study


@pytest.mark.parametrize("show", [Show.LINES, Show.BAR])
def test_a_torn_line_and_a_rejected_trace_are_said(show, tmp_path, capsys):
    folder = small_study(tmp_path / "study", tournaments=1)
    study, cohort = load_study(folder), load_cohort(folder / "cohorts" / "reference.toml")
    out = tmp_path / "run"

    def sitting() -> str:
        played(study, str(folder), cohort, out, seed=1, terms=Terms(), show=show)
        return " ".join(capsys.readouterr().err.split())

    assert "torn" not in sitting()
    run = RunFolder(out)
    with run.journal.open("ab") as journal:
        journal.write(b'{"kind": "ca')
    trace, *_ = run.trace_paths()
    whole = trace.read_bytes()
    trace.write_bytes(b"{}")
    said = sitting()
    assert "journal.jsonl: its last line was torn and is dropped" in said
    assert f"{trace.stem}: its trace does not stand and is played again:" in said
    assert trace.read_bytes() == whole
