"""Panels killed with SIGKILL at any moment lose nothing, pay nothing twice, end as if unharmed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from audit.panels.run import hearing_of, judge_panel
from games.panels.folder import PanelFolder
from games.play.asking import Call
from games.play.journal import EventKind, read_journal
from games.play.points import SyncPoint
from games.play.terms import Terms
from games.run import RunFolder

from .hearings import played, study_with
from .killing import ADDRESS, Killer, asked, reaching, replied
from .servers import fake_server
from .test_killing import FAULTS

# Three judges behind two clients, one of them twice and one in both units.
PANEL = """\
name = "killed"
kind = "plumbing"
description = "Rehearsed judges for tests."
rules = ["referee"]
endpoints.first = { client = "openai", base_url = "${AIDG_FAKE}" }
endpoints.second = { client = "anthropic", base_url = "${AIDG_FAKE}" }
"""
JUDGE = """
[[judges]]
id = "{id}"
vendor = "none"
family = "{id}"
endpoint = "{endpoint}"
model = "j/{id}"
wordings = ["terse"]
sampling = {{ temperature = 0.1, max_tokens = 300, structured = true, seed = 3 }}
{more}
"""
JUDGES = (
    ("a", "first", "repeats = 2"),
    ("b", "second", ""),
    ("c", "first", ""),
)
POINTS = (
    SyncPoint.BEFORE_SEND,
    SyncPoint.IN_FLIGHT,
    SyncPoint.REPLIED,
    SyncPoint.JOURNALLED,
    SyncPoint.MATCH_ENDED,
    SyncPoint.VERDICTS_WRITTEN,
)
KILLS, EACH = 60, 6

pytestmark = pytest.mark.slow


def judge_on(
    study: str, panel: str, out: str, address: str, concurrency: int, shared: Any, pace: float
) -> None:
    """Put a run to a panel, or go on with that; see ``play_on``."""
    hearing = hearing_of(RunFolder(Path(out)), panel, study)
    reached = reaching(shared, pace)
    judge_panel(
        hearing, Terms(concurrency=concurrency, on_point=reached, environ={ADDRESS: address})
    )


@pytest.fixture(scope="module")
def study(tmp_path_factory) -> Path:
    text = PANEL + "".join(JUDGE.format(id=i, endpoint=e, more=m) for i, e, m in JUDGES)
    return study_with(tmp_path_factory.mktemp("study"), text, "killed")


@pytest.fixture(scope="module")
def panel(study) -> Path:
    return study / "panels" / "killed.toml"


@pytest.fixture(scope="module")
def address():
    with fake_server(seed=5, faults=FAULTS, latency=0.003) as address:
        yield address


@pytest.fixture(scope="module")
def source(study, tmp_path_factory) -> RunFolder:
    """A run of which nobody asked anything yet: six of its matches are enough."""
    run = played(study, tmp_path_factory.mktemp("source") / "run")
    for path in run.trace_paths()[6:]:
        path.unlink()
    return run


def copied(source: RunFolder, out: Path) -> RunFolder:
    out.mkdir()
    (out / "traces").symlink_to(source.traces_folder)
    (out / "manifest.json").write_bytes((source.path / "manifest.json").read_bytes())
    return RunFolder(out)


def files(run: RunFolder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (run.path / "verdicts").iterdir()}


@pytest.fixture(scope="module")
def unharmed(source, panel, address, tmp_path_factory) -> dict[str, bytes]:
    run = copied(source, tmp_path_factory.mktemp("unharmed") / "run")
    terms = Terms(environ={ADDRESS: address}, concurrency=4)
    judge_panel(hearing_of(run, str(panel)), terms)
    return files(run)


def check_whole(run: RunFolder, unharmed: dict[str, bytes]) -> None:
    """Check that a panel ended as if nothing had happened to it."""
    assert files(run) == unharmed
    folder = PanelFolder(run, "killed")
    records = list(read_journal(folder.journal))
    ended = Counter(
        r.match for r in records if not isinstance(r, Call) and r.kind is EventKind.MATCH_ENDED
    )
    assert set(ended.values()) == {1}
    assert len(ended) == len(run.trace_paths())
    replies = Counter(
        (r.asking.seat, r.asking.number) for r in records if isinstance(r, Call) and r.reply
    )
    assert set(replies.values()) == {1}
    assert folder.manifest().ended is not None
    assert sorted(os.listdir(folder.path)) == ["consensus.json", "journal.jsonl", "panel.json"]


def test_killed_at_random_a_panel_pays_nothing_twice_and_ends_as_if_unharmed(
    study, source, panel, address, unharmed, tmp_path
):
    killer = Killer(study, panel, address, pace=0.002, target=judge_on)
    rng, runs = Random(20261130), 0
    in_call = (SyncPoint.BEFORE_SEND, SyncPoint.IN_FLIGHT, SyncPoint.REPLIED, SyncPoint.JOURNALLED)
    while killer.killed_at.total() < KILLS or min(killer.killed_at[p] for p in in_call) < EACH:
        run = copied(source, tmp_path / f"run{runs}")
        folder, known = PanelFolder(run, "killed"), dict[tuple[str, int], int]()
        while killer.kill_after(run.path, 1 + runs % 4, rng.expovariate(4)):
            # What the journal holds has been asked for as often as it ever will be.
            counts = asked(address)
            known |= {key: counts[key] for key in replied(folder) - known.keys()}
        check_whole(run, unharmed)
        counts = asked(address)
        assert {key: counts[key] for key in known} == known
        assert known
        runs += 1
    print(f"{killer.killed_at.total()} kills over {runs} panels: {dict(killer.killed_at)}")


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("visits", [1, 3])
def test_killed_at_a_named_point_a_panel_ends_as_if_unharmed(
    study, source, panel, address, unharmed, tmp_path, point, visits
):
    killer = Killer(study, panel, address, pace=0, target=judge_on)
    run = copied(source, tmp_path / "run")
    # Its files are written once: there is no third time.
    assert killer.kill_at(run.path, point, 1 if point is SyncPoint.VERDICTS_WRITTEN else visits)
    counts = asked(address)
    known = {key: counts[key] for key in replied(PanelFolder(run, "killed"))}
    killer.finish(run.path)
    check_whole(run, unharmed)
    counts = asked(address)
    assert {key: counts[key] for key in known} == known


def test_the_command_killed_again_and_again_writes_the_same_bytes(
    source, panel, address, unharmed, tmp_path
):
    run, rng = copied(source, tmp_path / "run"), Random(7)
    folder, kills = PanelFolder(run, "killed"), 0
    command = [sys.executable, "-m", "reports.cli", "judge", str(run.path), "--panel", str(panel)]
    seeds = iter(range(1000))
    while True:
        environ = {**os.environ, ADDRESS: address, "PYTHONHASHSEED": str(next(seeds))}
        process = subprocess.Popen(
            [*command, "--concurrency", "2"],
            env=environ,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        # After so much that was said: how long that takes hangs on what else the machine does.
        enough = _size(folder) + rng.randint(1, 200_000)
        while process.poll() is None and _size(folder) < enough:
            time.sleep(0.005)
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
        if process.wait() == 0:
            break
        kills += 1
    assert kills > 0
    check_whole(run, unharmed)


def _size(folder: PanelFolder) -> int:
    return folder.journal.stat().st_size if folder.journal.is_file() else 0
