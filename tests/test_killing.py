"""Runs killed with SIGKILL at any moment lose nothing, pay nothing twice, end as if unharmed."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from games.cohort import load_cohort
from games.play.asking import Call
from games.play.journal import EventKind, read_journal
from games.play.points import SyncPoint
from games.play.terms import Terms
from games.play.tournament import play
from games.run import RunFolder
from games.study.study import load_study

from .conftest import small_study
from .killing import ADDRESS, OF_MATCHES, Killer, asked, cohort_text, replied
from .servers import fake_server

# Nothing here keeps a call from getting through at its second attempt at the latest, so that what
# is said hangs on no clock; every kind of trouble and of faulty reply is among them.
FAULTS = "".join(
    f'[[fault]]\nkind = "{kind}"\nshare = {share}\n'
    for kind, share in {
        "rate_limited": 0.01,
        "server_error": 0.01,
        "overloaded": 0.01,
        "dropped": 0.01,
        "error_in_200": 0.01,
        "truncated_json": 0.01,
        "null_content": 0.03,
        "empty_after_reasoning": 0.03,
        "truncated": 0.03,
        "refusal": 0.02,
        "content_filter": 0.02,
        "lone_surrogate": 0.03,
        "wrong_model": 0.05,
        "temperature_rejected": 0.2,
    }.items()
)
# What a match can be in when its process dies, and the sync point that it reached last.
PHASES = {
    "before send": {SyncPoint.BEFORE_SEND},
    "in flight": {SyncPoint.IN_FLIGHT},
    "reply not yet journalled": {SyncPoint.REPLIED},
    "journalled but no trace": {SyncPoint.JOURNALLED, SyncPoint.MATCH_OVER},
}
KILLS, EACH = 150, 20


@pytest.fixture(scope="module")
def study(tmp_path_factory) -> Path:
    return small_study(tmp_path_factory.mktemp("study"), tournaments=1)


@pytest.fixture(scope="module")
def cohort(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("cohort") / "killed.toml"
    path.write_text(cohort_text(), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def address():
    with fake_server(seed=5, faults=FAULTS, latency=0.003) as address:
        yield address


def traces(run: RunFolder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in run.traces_folder.iterdir()}


@pytest.fixture(scope="module")
def unharmed(study, cohort, address, tmp_path_factory) -> dict[str, bytes]:
    out = tmp_path_factory.mktemp("unharmed") / "run"
    terms = Terms(environ={ADDRESS: address}, concurrency=4)
    run = play(load_study(study), "small", load_cohort(cohort), out, seed=1, terms=terms)
    return traces(run)


def check_whole(run: RunFolder, unharmed: dict[str, bytes]) -> None:
    """Check that a run ended as if nothing had happened to it."""
    assert traces(run) == unharmed
    records = list(read_journal(run.journal))
    ended = Counter(
        r.match for r in records if not isinstance(r, Call) and r.kind is EventKind.MATCH_ENDED
    )
    assert set(ended.values()) == {1}
    assert {f"{match}.json" for match in ended} == set(unharmed)
    replies = Counter(
        (r.asking.seat, r.asking.number) for r in records if isinstance(r, Call) and r.reply
    )
    assert set(replies.values()) == {1}
    assert run.manifest().ended is not None
    assert sorted(os.listdir(run.path)) == ["journal.jsonl", "manifest.json", "traces"]


@pytest.mark.slow
def test_killed_at_random_a_run_pays_nothing_twice_and_ends_as_if_unharmed(
    study, cohort, address, unharmed, tmp_path
):
    killer, rng = Killer(study, cohort, address), Random(20261130)
    runs = 0
    while killer.killed_at.total() < KILLS or min(by_phase(killer).values()) < EACH:
        run = RunFolder(tmp_path / f"run{runs}")
        concurrency = 1 + runs % 4
        known: dict[tuple[str, int], int] = {}
        while killer.kill_after(run.path, concurrency, rng.expovariate(4)):
            # What the journal holds has been asked for as often as it ever will be.
            counts = asked(address)
            known |= {key: counts[key] for key in replied(run) - known.keys()}
        check_whole(run, unharmed)
        counts = asked(address)
        assert {key: counts[key] for key in known} == known
        assert known
        runs += 1
    print(f"{killer.killed_at.total()} kills over {runs} runs: {by_phase(killer)}")


def by_phase(killer: Killer) -> dict[str, int]:
    return {
        phase: sum(killer.killed_at[point] for point in points) for phase, points in PHASES.items()
    }


@pytest.mark.slow
@pytest.mark.parametrize("point", OF_MATCHES)
@pytest.mark.parametrize("visits", [1, 3])
def test_killed_at_a_named_point_a_run_ends_as_if_unharmed(
    study, cohort, address, unharmed, tmp_path, point, visits
):
    killer, run = Killer(study, cohort, address, pace=0), RunFolder(tmp_path / "run")
    assert killer.kill_at(run.path, point, visits)
    counts = asked(address)
    known = {key: counts[key] for key in replied(run)}
    killer.finish(run.path)
    check_whole(run, unharmed)
    counts = asked(address)
    assert {key: counts[key] for key in known} == known
