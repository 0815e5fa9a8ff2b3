"""Specifications that are resampled together, and the ratings that they need, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from audit.numbers._check import FloatArray
from audit.numbers.rating import Carry
from audit.numbers.ratings.lanes import Played
from audit.numbers.resampling.rated import ATOMS, Rated, carried, resamples, reset

from .choices import Estimator
from .estimators import has_law, resampled_by
from .grid import ORDER_FREE
from .specification import Specification
from .units import Failed, Units, parts_of

__all__ = ["Key", "Task", "chunks_of", "parts_of_chunk", "tasks_of"]

_BYTES = 256 * 2**20
_LANES = 64
_NO_LAW = "no law of resampled tournaments: online updates carried on are walked one by one"

Key = tuple[str, Estimator, Carry]
"""Matches by their digest, what rates them, and whether the order of tournaments decides."""
Together = tuple[Key, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """Specifications that read the same matches of the same experiments.

    Attributes
    ----------
    keys : tuple of Key
        One for each experiment that was played.
    ks : ndarray of float64, shape (lanes,)
        Ascending and distinct.
    rows, lanes : tuple of int
        Where each specification stands, and its step.
    """

    keys: Together
    ks: FloatArray
    rows: tuple[int, ...]
    lanes: tuple[int, ...]


def tasks_of(
    units: Units, specs: Sequence[Specification], played: dict[Key, tuple[Played, ...]]
) -> tuple[list[Task], dict[int, str]]:
    """Return what is resampled together, and for every other specification why it is not.

    Parameters
    ----------
    units : Units
    specs : sequence of Specification
    played : dict
        Filled with the tournaments of every key that hold a match.
    """
    together: dict[Together, list[int]] = {}
    failures: dict[int, str] = {}
    for row, spec in enumerate(specs):
        keys = []
        for part in parts_of(spec):
            digest, tournaments = units.tournaments(part)
            kept = tuple(each for each in tournaments if len(each))
            if kept:
                keys.append((digest, spec.estimator, counted(spec)))
                played[keys[-1]] = kept
        why = _why_not(spec, [played[key] for key in keys]) or _unrated(units, spec)
        if why:
            failures[row] = why
        else:
            together.setdefault(tuple(keys), []).append(row)
    tasks = [
        task for keys, rows in sorted(together.items()) for task in _steps_apart(keys, rows, specs)
    ]
    return tasks, failures


def counted(spec: Specification) -> Carry:
    """Return how resamples are counted: as sequences, or where the order decides nothing, anew."""
    return Carry.RESET if spec.estimator in ORDER_FREE else spec.carry


def _unrated(units: Units, spec: Specification) -> str:
    """Return why the matches as they were have no ratings; blank if they have."""
    if spec.estimator is Estimator.ELO:
        return ""
    (found,) = units.rate([spec])
    return found.reason if isinstance(found, Failed) else ""


def _why_not(spec: Specification, parts: Sequence[tuple[Played, ...]]) -> str:
    carry = counted(spec)
    if not parts:
        return "no match is left"
    if spec.estimator is not Estimator.ELO and not has_law(spec.estimator, carry):
        return _NO_LAW
    fewest, most = min(map(len, parts)), max(map(len, parts))
    if fewest < 2:
        return "one tournament cannot be resampled"
    if resamples(most, carry) > ATOMS:
        return f"{most} tournaments have more than {ATOMS:,} resamples"
    return ""


def _steps_apart(
    keys: Together, rows: Sequence[int], specs: Sequence[Specification]
) -> Iterator[Task]:
    """Yield the same matches with as many steps at a time as fit in memory."""
    steps = {row: _step(specs[row]) for row in rows}
    ks = np.unique(list(steps.values()))
    for low in range(0, len(ks), _LANES):
        own = ks[low : low + _LANES]
        kept = [row for row in rows if own[0] <= steps[row] <= own[-1]]
        lanes = np.searchsorted(own, [steps[row] for row in kept])
        yield Task(keys, own, tuple(kept), tuple(lanes.tolist()))


def _step(spec: Specification) -> float:
    """Return the step; what has none has one of 0, as of a unit."""
    return spec.k if spec.estimator is Estimator.ELO else 0.0


def chunks_of(
    tasks: Sequence[Task], played: Mapping[Key, tuple[Played, ...]]
) -> Iterator[list[Task]]:
    """Yield tasks whose ratings are in memory together."""
    chunk: list[Task] = []
    held: set[tuple[Key, float]] = set()
    size = 0
    for task in tasks:
        wanted = {(key, k) for key in task.keys for k in task.ks.tolist()}
        more = sum(_bytes(played[key], key[2]) for key, _ in wanted - held)
        if chunk and size + more > _BYTES:
            yield chunk
            chunk, held, size = [], set(), 0
            more = sum(_bytes(played[key], key[2]) for key, _ in wanted)
        chunk.append(task)
        held |= wanted
        size += more
    if chunk:
        yield chunk


def _bytes(tournaments: tuple[Played, ...], carry: Carry) -> int:
    return 16 * tournaments[0].players * resamples(len(tournaments), carry)


def parts_of_chunk(
    chunk: Sequence[Task], played: Mapping[Key, tuple[Played, ...]], pool: ThreadPoolExecutor
) -> dict[Key, tuple[list[float], Rated]]:
    """Return the ratings of every experiment that a chunk needs, with their steps."""
    steps: dict[Key, set[float]] = {}
    for task in chunk:
        for key in task.keys:
            steps.setdefault(key, set()).update(task.ks.tolist())
    walked = pool.map(lambda key: _rated(key, played[key], np.array(sorted(steps[key]))), steps)
    return {key: (sorted(steps[key]), part) for key, part in zip(steps, walked, strict=True)}


def _rated(key: Key, tournaments: tuple[Played, ...], ks: FloatArray) -> Rated:
    _, estimator, carry = key
    if estimator is not Estimator.ELO:
        return resampled_by(estimator, tournaments, carry)
    return (carried if carry is Carry.CARRIED else reset)(tournaments, ks)
