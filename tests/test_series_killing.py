"""Series runs killed with SIGKILL at any moment lose nothing, pay nothing twice, end unharmed."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.cohort.signal import load_signal_cohort
from games.play.asking import Call
from games.play.journal import read_journal
from games.play.points import SyncPoint
from games.play.terms import Terms
from games.series.folder import SeriesFolder
from games.series.tournament import play_series

from .killing import ADDRESS, Killer, asked, reaching, replied
from .series_runs import lines_of, models_text, shortened, small_plan
from .servers import fake_server
from .test_killing import FAULTS

POINTS = (
    SyncPoint.BEFORE_SEND,
    SyncPoint.IN_FLIGHT,
    SyncPoint.REPLIED,
    SyncPoint.JOURNALLED,
    SyncPoint.LINE_OVER,
    SyncPoint.LINE_WRITTEN,
    SyncPoint.MATCH_ENDED,
)
KILLS, EACH = 40, 4

pytestmark = pytest.mark.slow


def series_on(
    study: str, cohort: str, out: str, address: str, concurrency: int, shared: Any, pace: float
) -> None:
    """Play or resume a series run; see ``play_on``."""
    terms = Terms(
        concurrency=concurrency, on_point=reaching(shared, pace), environ={ADDRESS: address}
    )
    loaded, who = shortened(1, 1), load_signal_cohort(Path(cohort))
    play_series(loaded, study, who, small_plan(loaded, who), Path(out), terms=terms)


@pytest.fixture(scope="module")
def cohort(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("cohort") / "killed.toml"
    path.write_text(models_text(), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def address():
    with fake_server(seed=5, faults=FAULTS, latency=0.003) as address:
        yield address


@pytest.fixture(scope="module")
def unharmed(cohort, address, tmp_path_factory) -> dict[str, bytes]:
    out = tmp_path_factory.mktemp("unharmed") / "run"
    series_on("hidden_signal", str(cohort), str(out), address, 4, [0, 0, 0], 0.0)
    return lines_of(SeriesFolder(out))


def check_whole(run: SeriesFolder, unharmed: dict[str, bytes]) -> None:
    """Check that a run ended as if nothing had happened to it."""
    assert lines_of(run) == unharmed
    records = list(read_journal(run.journal))
    replies = Counter(
        (r.asking.seat, r.asking.number) for r in records if isinstance(r, Call) and r.reply
    )
    assert set(replies.values()) == {1}
    assert run.manifest().ended is not None
    assert sorted(os.listdir(run.path)) == [
        "journal.jsonl",
        "manifest.json",
        "series",
        "strategies",
    ]
    assert not list(run.path.rglob("*.part"))


def test_killed_at_random_a_run_pays_nothing_twice_and_ends_as_if_unharmed(
    cohort, address, unharmed, tmp_path
):
    killer = Killer(Path("hidden_signal"), cohort, address, pace=0.002, target=series_on)
    rng, runs = Random(20261130), 0
    in_call = POINTS[:4]
    while killer.killed_at.total() < KILLS or min(killer.killed_at[p] for p in in_call) < EACH:
        run = SeriesFolder(tmp_path / f"run{runs}")
        known: dict[tuple[str, int], int] = {}
        while killer.kill_after(run.path, 1 + runs % 4, rng.expovariate(4)):
            # What the journal holds has been asked for as often as it ever will be.
            counts = asked(address)
            known |= {key: counts[key] for key in replied(run) - known.keys()}
        check_whole(run, unharmed)
        counts = asked(address)
        assert {key: counts[key] for key in known} == known
        assert known
        runs += 1


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("visits", [1, 9])
def test_killed_at_a_named_point_a_run_ends_as_if_unharmed(
    cohort, address, unharmed, tmp_path, point, visits
):
    killer = Killer(Path("hidden_signal"), cohort, address, pace=0, target=series_on)
    run = SeriesFolder(tmp_path / "run")
    assert killer.kill_at(run.path, point, visits)
    counts = asked(address)
    known = {key: counts[key] for key in replied(run)}
    killer.finish(run.path)
    check_whole(run, unharmed)
    counts = asked(address)
    assert {key: counts[key] for key in known} == known
