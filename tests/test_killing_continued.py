"""A continued run killed with SIGKILL pays nothing twice and ends as if unharmed."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.continuing import Fate, continuation
from audit.judge import judge_run
from games.cohort import load_cohort
from games.play.terms import Terms
from games.play.tournament import play
from games.run import RunFolder
from games.study.study import load_study

from .conftest import small_study
from .killing import ADDRESS, OF_MATCHES, Killer, asked, cohort_text, replied
from .servers import fake_server
from .test_killing import FAULTS, check_whole, traces

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def study(tmp_path_factory) -> Path:
    return small_study(tmp_path_factory.mktemp("study"))


@pytest.fixture(scope="module")
def address():
    with fake_server(seed=5, faults=FAULTS, latency=0.003) as address:
        yield address


@pytest.fixture(scope="module")
def parent(study, address, tmp_path_factory) -> RunFolder:
    folder = tmp_path_factory.mktemp("parent")
    (folder / "killed.toml").write_text(cohort_text(), encoding="utf-8")
    cohort, terms = load_cohort(folder / "killed.toml"), Terms(environ={ADDRESS: address})
    run = play(load_study(study), str(study), cohort, folder / "run", seed=1, terms=terms)
    judge_run(run)
    return run


@pytest.fixture(scope="module")
def unharmed(parent, address, tmp_path_factory) -> dict[str, bytes]:
    found = continuation(parent, "referee")
    assert found.played_on >= 4
    assert {Fate(one.fate) for one in found.carried.values()} >= {Fate.CENSORED, Fate.UNCHANGED}
    out = tmp_path_factory.mktemp("unharmed") / "run"
    return traces(found.into(out, Terms(environ={ADDRESS: address}, concurrency=4)))


@pytest.mark.parametrize("point", OF_MATCHES)
@pytest.mark.parametrize("visits", [1, 4])
def test_killed_at_a_named_point_it_ends_as_if_unharmed(
    study, parent, address, unharmed, tmp_path, point, visits
):
    killer, run = Killer(study, parent.path, address, pace=0), RunFolder(tmp_path / "run")
    assert killer.kill_at(run.path, point, visits)
    counts = asked(address)
    known = {key: counts[key] for key in replied(run)}
    killer.finish(run.path)
    check_whole(run, unharmed)
    counts = asked(address)
    assert {key: counts[key] for key in known} == known


def test_killed_again_and_again_it_ends_as_if_unharmed(study, parent, address, unharmed, tmp_path):
    killer, run = Killer(study, parent.path, address, pace=0.003), RunFolder(tmp_path / "run")
    kills = 0
    while kills < 12 and killer.kill_after(run.path, 2, 0.25):
        kills += 1
    killer.finish(run.path)
    assert kills >= 3
    check_whole(run, unharmed)
