"""What a person is told while a run is played, of what its own files held."""

from __future__ import annotations

import json

import pytest

from games.cohort import load_cohort
from games.panels.batch_records import Collected, Dropped, Intended, Submitted
from games.panels.batch_sitting import BatchPoint, BatchTerms
from games.play.terms import Terms
from games.run import RunFolder
from games.study.study import load_study
from reports.cli.progress import Show, batches_told, played, watching
from reports.cli.tally import Looked, Tally

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


MARK = {"mark": "0" * 16, "at": "2026-01-01T00:00:00Z"}
INTENDED = Intended(
    **MARK, endpoint="here", model="m", attempt=1, requests={"x-1": "p", "x-2": "q"}
)
TOLD = (INTENDED, Submitted(**MARK, id="batch_1"), Looked("0" * 16), Looked("0" * 16))


def test_batches_are_told_as_they_are_handed_in_looked_at_and_collected():
    tally = Tally()
    assert "batches" not in tally.line()
    for record in TOLD:
        tally.take(record)
    way = "batches: 1 handed in, 0 collected, 1 of 2 requests under way, looked at 2 times"
    assert way in tally.line()
    tally.take(Collected(**MARK, replies=2))
    assert "batches: 1 handed in, 1 collected, looked at 2 times" in tally.line()


@pytest.mark.parametrize("show", [Show.LINES, Show.BAR])
def test_a_batch_that_was_not_taken_is_said_at_once(show, capsys):
    with watching(show) as (tally, listen):
        for record in (*TOLD, Dropped(**MARK, reason="too many")):
            listen(record)
    assert "1 handed in, 0 collected, 1 dropped, looked" in tally.line()
    said = " ".join(capsys.readouterr().err.split())
    assert f"batch {'0' * 16} is dropped: too many" in said


def test_as_json_a_batch_is_its_record_with_the_number_of_its_requests(capsys):
    with watching(Show.JSON) as (_, listen):
        for record in TOLD[:3]:
            listen(record)
    intended, submitted, looked = map(json.loads, capsys.readouterr().out.splitlines())
    assert (intended["kind"], intended["requests"]) == ("intended", 2)
    assert (submitted["kind"], submitted["id"]) == ("submitted", "batch_1")
    assert looked == {"kind": "looked", "mark": "0" * 16}


def test_terms_of_batches_tell_of_records_and_looks_and_nothing_else():
    told, points = [], []
    terms = batches_told(BatchTerms(on_point=lambda at, mark: points.append(at)), told.append)
    terms.on_record(INTENDED)
    terms.on_point(BatchPoint.PREPARED, "m")
    terms.on_point(BatchPoint.LOOKED, "m")
    assert told == [INTENDED, Looked("m")]
    assert points == [BatchPoint.PREPARED, BatchPoint.LOOKED]
