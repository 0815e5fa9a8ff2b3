"""Ratings of many specifications at several workers: on this machine, or on a Dask cluster.

Specifications that share their matches go to one worker, so that these are read once. Workers
decide no digit: the same ratings come back in the same order, however many there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from audit.numbers._check import FloatArray
from games.errors import InputError

from .specification import Specification
from .units import Failed, Units, parts_of

CHUNKS_A_JOB = 4


class Backend(StrEnum):
    """What runs the workers."""

    LOKY = "loky"
    THREADING = "threading"
    DASK = "dask"


def backend_named(name: str) -> Backend:
    """Return the backend of a name.

    Raises
    ------
    InputError
        There is none.
    """
    known = {backend.value: backend for backend in Backend}
    if name not in known:
        raise InputError("--backend", f"must be one of {', '.join(known)}", name)
    return known[name]


@dataclass(frozen=True, slots=True)
class Workers:
    """How many workers there are, and what runs them.

    Attributes
    ----------
    jobs : int
        At least 1; with one, nothing is started.
    backend : Backend
        ``dask`` uses the cluster that the process is a client of.
    """

    jobs: int = 1
    backend: Backend = Backend.LOKY


def rate_all(
    units: Units, specs: Sequence[Specification], workers: Workers
) -> list[FloatArray | Failed]:
    """Return the ratings of each specification, as `Units.rate` does, from several workers.

    Parameters
    ----------
    units : Units
    specs : sequence of Specification
    workers : Workers

    Raises
    ------
    InputError
        There is less than one worker, or no Dask to run them.
    """
    if workers.jobs < 1:
        raise InputError("jobs", "must be at least 1", workers.jobs)
    if workers.jobs == 1 and workers.backend is not Backend.DASK:
        return units.rate(specs)
    from joblib import Parallel, delayed, parallel_config

    if workers.backend is Backend.DASK:
        _need_client()
    order = sorted(range(len(specs)), key=lambda at: _matches_of(specs[at]))
    count = min(len(specs), workers.jobs * CHUNKS_A_JOB) or 1
    chunks = [order[len(order) * n // count : len(order) * (n + 1) // count] for n in range(count)]
    with parallel_config(backend=workers.backend.value, n_jobs=workers.jobs):
        parts = Parallel()(delayed(units.rate)([specs[at] for at in chunk]) for chunk in chunks)
    found: list[FloatArray | Failed] = [Failed("")] * len(specs)
    for chunk, ratings in zip(chunks, parts, strict=True):
        for at, rating in zip(chunk, ratings, strict=True):
            found[at] = rating
    return found


def _matches_of(spec: Specification) -> tuple[str, ...]:
    """Return what a specification's matches hang on, as words to sort by."""
    words = []
    for part in parts_of(spec):
        choices = part.choices()
        words += [choices[name] for name in choices if name not in ("k", "start", "carry")]
    return tuple(words)


def _need_client() -> None:
    """Refuse to use a Dask cluster where there is none."""
    try:
        from distributed import get_client

        get_client()
    except (ImportError, ValueError) as fault:
        rule = f"needs the extra `scale` and a client of a Dask cluster ({fault})"
        raise InputError("--backend", rule, Backend.DASK.value) from None
