from __future__ import annotations

import json

import pytest

from games.errors import RunError
from games.play.tournament import play
from games.records import canonical
from games.trace import read_trace, read_traces, write_atomically, write_trace


@pytest.fixture
def trace(study, study_folder, tmp_path):
    run = play(study, str(study_folder), study.cohort(), tmp_path / "run", seed=1)
    return run.traces()[0]


def altered(trace, tmp_path, **changes):
    path = tmp_path / "x.json"
    path.write_bytes(canonical(json.loads(canonical(trace)) | changes))
    return path


def test_a_trace_reads_back_as_it_was_written(trace, tmp_path):
    path = write_trace(tmp_path / "a", trace)
    assert read_trace(path) == trace
    assert path.read_bytes() == canonical(trace)


def test_an_outcome_that_does_not_follow_is_refused(trace, tmp_path):
    outcome = trace.outcome.model_dump() | {"turn": trace.outcome.turn + 1}
    path = altered(trace, tmp_path, outcome=outcome)
    with pytest.raises(RunError, match="`outcome` must follow from the turns and rulings"):
        read_trace(path)


def test_a_trace_without_its_last_ruling_is_refused(trace, tmp_path):
    rulings = json.loads(canonical(trace))["rulings"][:-1]
    with pytest.raises(RunError, match="must follow"):
        read_trace(altered(trace, tmp_path, rulings=rulings))


def test_a_torn_trace_is_one_line(trace, tmp_path):
    path = tmp_path / "x.json"
    path.write_bytes(canonical(trace)[:200])
    with pytest.raises(RunError, match=r"x\.json:\d+: `x\.json` must be JSON"):
        read_trace(path)


def test_traces_are_read_in_order_of_play(trace, tmp_path):
    later = trace.model_copy(
        update={"match": trace.match.model_copy(update={"tournament": 2, "id": "0"})}
    )
    first = trace.model_copy(update={"match": trace.match.model_copy(update={"id": "z"})})
    for one in (later, first):
        write_trace(tmp_path / "a", one)
    assert [t.match.id for t in read_traces(tmp_path / "a")] == ["z", "0"]


def test_a_write_that_fails_leaves_what_was_there(tmp_path, monkeypatch):
    path = tmp_path / "a.json"
    write_atomically(path, b"old")
    monkeypatch.setattr("os.fsync", lambda _: (_ for _ in ()).throw(OSError("full")))
    with pytest.raises(OSError, match="full"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
