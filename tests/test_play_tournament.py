from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from games.cohort import load_cohort
from games.errors import RunError
from games.play.journal import EventKind, read_journal, torn_line
from games.play.lock import held
from games.play.terms import Terms
from games.play.tournament import play
from games.run import RunFolder
from games.study.study import load_study
from games.words import End, Game, Mode, Role

from .conftest import small_study

ROOT = Path(__file__).resolve().parents[1]
MATCHES = 36


def contents(run: RunFolder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in run.traces_folder.iterdir()}


def kinds(run: RunFolder) -> list[EventKind]:
    return [event.kind for event in read_journal(run.journal)]


@pytest.fixture(scope="module")
def done(tmp_path_factory) -> RunFolder:
    """A finished run of the small study, never written to."""
    folder = tmp_path_factory.mktemp("done")
    study = load_study(small_study(folder / "study"))
    return play(study, "small", study.cohort(), folder / "run", seed=1)


def stop_at(count: int):
    """Return a listener that interrupts when a number of matches have ended."""

    def listen(event):
        if event.kind is EventKind.MATCH_ENDED and event.ended == count:
            raise KeyboardInterrupt

    return listen


def test_every_scheduled_match_has_a_trace_that_says_what_was_played(done, study):
    manifest, traces = done.manifest(), done.traces()
    assert [trace.match for trace in traces] == list(manifest.schedule.matches)
    assert len(traces) == MATCHES
    assert {trace.study for trace in traces} == {manifest.study_print} == {study.fingerprint}
    assert {trace.cohort for trace in traces} == {manifest.cohort.fingerprint()}
    assert all(len(trace.shadow) == len(trace.rulings) for trace in traces)
    assert manifest.prompts == study.prompt_prints()
    assert manifest.started <= manifest.ended
    assert not (done.path / "run.lock").exists()


def test_the_journal_tells_of_every_match_with_times_and_traces_tell_none(done):
    events = list(read_journal(done.journal))
    count = Counter(event.kind for event in events)
    assert count == {
        EventKind.RUN_STARTED: 1,
        EventKind.MATCH_STARTED: MATCHES,
        EventKind.MATCH_ENDED: MATCHES,
        EventKind.RUN_ENDED: 1,
    }
    assert [event.at for event in events] == sorted(event.at for event in events)
    ended = {event.match: event for event in events if event.kind is EventKind.MATCH_ENDED}
    for trace in done.traces():
        event = ended[trace.match.id]
        assert (event.winner, event.end) == (trace.outcome.winner, trace.outcome.end)
        assert event.seconds > 0
    assert events[-1].ended == events[-1].total == MATCHES
    year = events[0].at[:4].encode()
    assert not any(b'"at"' in raw or year + b"-" in raw for raw in contents(done).values())


@pytest.mark.parametrize("concurrency", [2, 8])
def test_concurrency_decides_nothing(done, study, tmp_path, concurrency):
    run = play(
        study, "x", study.cohort(), tmp_path / "r", seed=1, terms=Terms(concurrency=concurrency)
    )
    assert contents(run) == contents(done)


def test_the_order_of_a_cohorts_file_decides_nothing(done, study, study_folder, tmp_path):
    path = study_folder / "cohorts/reference.toml"
    head, *players = path.read_text().split("[[players]]")
    path.write_text("[[players]]".join([head, *players[::-1]]))
    cohort = load_cohort(path)
    assert [player.id for player in cohort.players] == ["erratic", "even", "eager"]
    run = play(study, "small", cohort, tmp_path / "run", seed=1)
    assert contents(run) == contents(done)
    assert run.manifest().cohort == done.manifest().cohort


def test_names_of_players_decide_nothing_but_names(done, study, tmp_path):
    renamed = study.cohort().model_copy(
        update={
            "players": tuple(
                player.model_copy(update={"id": f"x_{player.id}/"})
                for player in study.cohort().players
            )
        }
    )
    run = play(study, "small", renamed, tmp_path / "run", seed=1)
    said = [[trace.turns for trace in folder.traces()] for folder in (run, done)]
    assert said[0] == said[1]


def test_another_seed_is_another_run(done, study, tmp_path):
    run = play(study, "small", study.cohort(), tmp_path / "run", seed=2)
    assert contents(run).keys().isdisjoint(contents(done))


SCRIPT = """
import sys
from pathlib import Path
from games.play.terms import Terms
from games.play.tournament import play
from games.study.study import load_study
study = load_study(sys.argv[1])
play(study, "small", study.cohort(), Path(sys.argv[2]), seed=1, terms=Terms(concurrency=3))
"""


@pytest.mark.parametrize("hash_seed", ["1", "20260101"])
def test_the_hash_seed_decides_nothing(done, study_folder, tmp_path, hash_seed):
    out = tmp_path / "elsewhere" / "run"
    subprocess.run(
        [sys.executable, "-c", SCRIPT, str(study_folder), str(out)],
        check=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONHASHSEED": hash_seed},
    )
    assert contents(RunFolder(out)) == contents(done)


@pytest.mark.parametrize("concurrency", [1, 4])
@pytest.mark.parametrize("count", [1, 17, MATCHES])
def test_an_interrupted_run_goes_on_to_equal_bytes(done, study, tmp_path, concurrency, count):
    out, cohort = tmp_path / "run", study.cohort()
    terms = Terms(concurrency=concurrency, on_event=stop_at(count))
    with pytest.raises(KeyboardInterrupt):
        play(study, "small", cohort, out, seed=1, terms=terms)
    run = RunFolder(out)
    assert run.manifest().ended is None
    assert not (out / "run.lock").exists()
    stopped = contents(run)
    assert count <= len(stopped) < count + concurrency
    assert stopped.items() <= contents(done).items()
    assert kinds(run)[-1] is EventKind.RUN_INTERRUPTED

    heard = []
    terms = Terms(concurrency=concurrency, on_event=heard.append)
    play(study, "small", cohort, out, seed=1, terms=terms)
    assert contents(run) == contents(done)
    began = [event for event in heard if event.kind is EventKind.MATCH_STARTED]
    assert len(began) == MATCHES - len(stopped)
    assert run.manifest().ended is not None
    assert EventKind.RUN_RESUMED in kinds(run)


def test_a_failure_of_a_listener_leaves_a_run_that_goes_on(done, study, tmp_path):
    def fail(event):
        if event.ended == 5:
            raise OSError("the screen is gone")

    out, cohort = tmp_path / "run", study.cohort()
    with pytest.raises(OSError, match="the screen is gone"):
        play(study, "small", cohort, out, seed=1, terms=Terms(on_event=fail))
    run = play(study, "small", cohort, out, seed=1)
    assert contents(run) == contents(done)


def test_a_finished_run_is_left_as_it_is(study, tmp_path):
    run = play(study, "small", study.cohort(), tmp_path / "run", seed=1)
    before = {path: path.stat().st_mtime_ns for path in run.path.rglob("*") if path.is_file()}
    heard = []
    play(study, "small", study.cohort(), run.path, seed=1, terms=Terms(on_event=heard.append))
    assert heard == []
    assert before == {path: path.stat().st_mtime_ns for path in before}


def test_a_trace_that_does_not_stand_is_played_again_and_the_journal_says_so(done, study, tmp_path):
    run = play(study, "small", study.cohort(), tmp_path / "run", seed=1)
    path = next(run.traces_folder.iterdir())
    path.write_text("{")
    play(study, "small", study.cohort(), run.path, seed=1)
    assert contents(run) == contents(done)
    (rejected,) = [e for e in read_journal(run.journal) if e.kind == "trace_rejected"]
    assert (rejected.match, rejected.ended) == (path.stem, MATCHES - 1)
    assert "must be JSON" in rejected.note


def test_a_torn_journal_is_mended_and_the_torn_text_kept(study, tmp_path):
    out, cohort = tmp_path / "run", study.cohort()
    with pytest.raises(KeyboardInterrupt):
        play(study, "small", cohort, out, seed=1, terms=Terms(on_event=stop_at(3)))
    run = RunFolder(out)
    run.journal.write_bytes(run.journal.read_bytes()[:-9])
    torn = torn_line(run.journal)
    assert torn
    play(study, "small", cohort, out, seed=1)
    assert torn_line(run.journal) == ""
    assert [e.note for e in read_journal(run.journal) if e.kind is EventKind.LINE_TORN] == [torn]


def test_a_run_in_play_refuses_a_second_process(study, tmp_path):
    out = tmp_path / "run"
    out.mkdir()
    with held(out), pytest.raises(RunError, match="`RUN` is being played by process"):
        play(study, "small", study.cohort(), out, seed=1)
    assert not (out / "manifest.json").exists()


def test_concurrency_below_one_is_refused(study, tmp_path):
    with pytest.raises(RunError, match="`concurrency` must be from 1 to 256, found 0"):
        play(study, "small", study.cohort(), tmp_path / "run", seed=1, terms=Terms(concurrency=0))
    assert not (tmp_path / "run").exists()


def test_no_more_matches_are_in_play_than_allowed(study, tmp_path):
    open_at_once, most = set(), []

    def listen(event):
        if event.kind is EventKind.MATCH_STARTED:
            open_at_once.add(event.match)
        elif event.kind is EventKind.MATCH_ENDED:
            open_at_once.remove(event.match)
        most.append(len(open_at_once))

    play(
        study,
        "x",
        study.cohort(),
        tmp_path / "r",
        seed=1,
        terms=Terms(concurrency=3, on_event=listen),
    )
    assert max(most) == 3


@pytest.mark.slow
def test_the_shipped_study_is_played_in_time_and_shows_variety(tmp_path):
    study = load_study("aidg")
    began = time.perf_counter()
    run = play(study, "aidg", study.cohort(), tmp_path / "run", seed=1, terms=Terms(concurrency=2))
    assert time.perf_counter() - began < 20
    traces = run.traces()
    assert len(traces) == 450
    wins = Counter(trace.match.mode for trace in traces if trace.outcome.winner is Role.SEEKER)
    assert 15 <= wins[Mode.B] < wins[Mode.A] - 15 <= 120
    second = [trace for trace in traces if trace.match.game is Game.AIDG_II]
    ends = Counter(trace.outcome.end for trace in second)
    four = {End.CORRECT_LOCK, End.DISQUALIFIED, End.WRONG_LOCK, End.WRONG_FINAL}
    assert set(ends) == four
    assert min(ends.values()) >= 3
    assert len({trace.outcome.turn for trace in second}) >= 10
    first = {trace.outcome.end for trace in traces if trace.match.game is Game.AIDG_I}
    assert first == {End.LEAK, End.DECLARATION, End.HORIZON}
    differ = [
        (ruling.label, shadow.label)
        for trace in traces
        for ruling, shadow in zip(trace.rulings, trace.shadow, strict=True)
        if ruling.label is not shadow.label
    ]
    assert len(differ) >= 20
