"""The benchmark of Bradley–Terry fits, at sizes that say nothing, so that it does not rot."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import bradley_terry as bench
from benchmarks.bradley_terry import Took
from benchmarks.peer import PeerMissingError, peer_python


def test_ours_is_timed_without_libraries():
    found = bench.measured(1, None, resamples=4, repeats=1)
    assert found.keys() == {"ours"}
    assert min(found["ours"].fit, found["ours"].resample) > 0
    assert bench.fast_and_alike(found)
    text = bench.report(found, bench.growth(np.random.default_rng(0), sizes=(100,)))
    assert "ms a resample" in text
    assert "load average" in text


@pytest.mark.parametrize(
    ("theirs", "good"),
    [
        (Took(2.0, 2.0, 1e-7), True),
        (Took(0.5, 2.0, 0.0), False),
        (Took(2.0, 0.5, 0.0), False),
        (Took(2.0, 2.0, 1e-5), False),
    ],
)
def test_a_library_that_is_faster_or_differs_is_a_failure(theirs, good):
    assert bench.fast_and_alike({"ours": Took(1.0, 1.0, 0.0), "other": theirs}) == good


def test_the_largest_difference_is_that_of_the_whole_or_of_any_resample():
    own, wanted = np.array([1.0, -1.0]), np.array([[2.0, -2.0]])
    assert bench.apart([1.0, -1.5], own, [[2.25, -2.0]], wanted) == 0.5
    assert bench.apart([1.0, -1.0], own, [[2.25, -2.0]], wanted) == 0.25
    assert bench.apart([1.0, -1.0], own, [], np.empty((0, 2))) == 0.0


@pytest.mark.integration
def test_libraries_find_what_ours_finds():
    try:
        python = peer_python(packages=bench.PEERS)
    except PeerMissingError as reason:
        pytest.skip(f"evalica cannot be installed: {reason}")
    found = bench.measured(1, python, resamples=6, repeats=2)
    assert found.keys() == {"ours", "evalica", "choix"}
    assert max(each.apart for each in found.values()) <= bench.AGREE


def test_without_libraries_it_says_so_and_goes_on(monkeypatch, capsys):
    def missing(**_):
        raise PeerMissingError("no network")

    monkeypatch.setattr(bench, "peer_python", missing)
    monkeypatch.setattr(bench, "growth", lambda rng: [("1", "0.10")])
    monkeypatch.setattr(bench, "RESAMPLES", 4)
    assert bench.main(1) == 0
    assert "without evalica and choix: no network" in capsys.readouterr().out
