from __future__ import annotations

import json

import pytest

from games.errors import RunError
from games.play.tournament import play
from games.records import canonical
from games.trace import Trace, read_trace, write_atomically, write_trace
from games.words import Abstention, Label, Void

from .played import played, verdict


@pytest.fixture
def trace(study, study_folder, tmp_path):
    run = play(study, str(study_folder), study.cohort(), tmp_path / "run", seed=1)
    return run.traces()[0]


def altered(trace, tmp_path, **changes):
    path = tmp_path / f"{trace.match.id}.json"
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


def test_a_file_named_otherwise_is_refused(trace, tmp_path):
    path = write_trace(tmp_path, trace).rename(tmp_path / "other.json")
    rule = rf"other\.json: `match\.id` must be the name of its file, found '{trace.match.id}'$"
    with pytest.raises(RunError, match=rule):
        read_trace(path)


def test_another_format_is_refused(trace, tmp_path):
    with pytest.raises(RunError, match=r"`format` .*1"):
        read_trace(altered(trace, tmp_path, format=2))


@pytest.mark.parametrize(
    ("name", "value"), [("match", "m1"), ("game", "aidg_ii"), ("mode", "A"), ("mode", None)]
)
def test_a_set_up_of_another_match_is_refused(tmp_path, name, value):
    trace = played(TALK, [Label.LEAK])
    setup = json.loads(canonical(trace))["setup"] | {name: value}
    with pytest.raises(RunError, match=rf"`setup\.{name}` must be that of `match`$"):
        read_trace(altered(trace, tmp_path, setup=setup))


TALK = ("What is it?", "A full kettle.")


def changed(trace, **changes):
    return Trace.model_validate(json.loads(canonical(trace)) | changes)


def test_turns_after_the_deciding_one_are_refused():
    trace = played(TALK, [Label.LEAK])
    turns = json.loads(canonical(trace))["turns"]
    with pytest.raises(ValueError, match="`turns` must be those that the rules lead through"):
        changed(trace, turns=[*turns, turns[0] | {"number": 2}])


def test_a_turn_with_another_number_is_refused():
    trace = played(TALK, [Label.LEAK])
    turns = json.loads(canonical(trace))["turns"]
    with pytest.raises(ValueError, match="`turns` must be those"):
        changed(trace, turns=[turns[0] | {"number": 2}])


@pytest.mark.parametrize("item", ["m0/t02/holder_reply", "m0/t01/holder_reply"])
def test_rulings_that_nothing_asks_for_are_refused(item):
    trace = played(TALK, [Label.LEAK])
    more = [*trace.rulings, verdict(item, Label.LEAK)]
    with pytest.raises(ValueError, match="`rulings` must be those that the rules ask for"):
        changed(trace, rulings=[ruling.model_dump() for ruling in more])


@pytest.mark.parametrize("void", list(Void))
def test_no_decided_match_is_void(void):
    trace = played(TALK, [Label.LEAK])
    with pytest.raises(ValueError, match="`outcome` must follow"):
        changed(trace, outcome={"turn": 1, "void": void})


@pytest.mark.parametrize("void", [Void.INFRASTRUCTURE, Void.BUDGET])
@pytest.mark.parametrize(("said", "rulings"), [(0, []), (1, []), (2, []), (2, [Label.NO_LEAK])])
def test_a_match_may_be_stopped_from_outside_at_any_point(void, said, rulings):
    trace = played(TALK[:said], rulings, void=void)
    assert changed(trace) == trace
    with pytest.raises(ValueError, match="`outcome` must follow"):
        changed(trace, outcome={"turn": 2, "void": void})


@pytest.mark.parametrize("void", [Void.JUDGE_MISSING, Void.SEEKER_FAULT, Void.HOLDER_FAULT])
def test_a_void_that_the_rules_make_must_follow(void):
    trace = played(TALK, [Label.NO_LEAK])
    with pytest.raises(ValueError, match="`outcome` must follow"):
        changed(trace, outcome={"turn": 1, "void": void})


@pytest.mark.parametrize(
    ("lines", "rulings", "void"),
    [
        (TALK, [Abstention.MISSING], Void.JUDGE_MISSING),
        ([" "], [], Void.SEEKER_FAULT),
        (["What is it?", ""], [], Void.HOLDER_FAULT),
    ],
)
def test_a_void_that_follows_stands(lines, rulings, void):
    trace = played(lines, rulings)
    assert trace.outcome.void is void
    assert changed(trace) == trace


def test_a_write_that_fails_leaves_what_was_there(tmp_path, monkeypatch):
    path = tmp_path / "a.json"
    write_atomically(path, b"old")
    monkeypatch.setattr("os.fsync", lambda _: (_ for _ in ()).throw(OSError("full")))
    with pytest.raises(OSError, match="full"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
