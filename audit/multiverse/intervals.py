"""Intervals of a sweep: what every specification's figures could have been with other tournaments.

Tournaments are resampled whole: in every sequence where ratings are carried on, else in every
multiset. Elo of the same matches is walked together, all steps side by side; what is fitted to all
matches at once is fitted to all resamples side by side. Specifications that average two experiments
resample each by itself. A resample that leaves ratings undefined, as of a Seeker who then never
won, is in the share undefined; the limits are those of the others. Five tournaments are few, and no
interval from them covers what its level says: each stands with what it covers in simulation, and
the one that covers best stands first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pandas as pd

from audit.numbers.rating import Carry
from audit.numbers.ratings.lanes import Played
from audit.numbers.resampling.asked import Found, Quantity, found_of
from audit.numbers.resampling.coverage import Method, Scheme, coverage_of, primary_of
from audit.numbers.resampling.law import QUANTILE_RULE
from audit.numbers.resampling.rated import Rated, mean_of

from .choices import Estimator
from .grid import ORDER_FREE
from .interval_tasks import Key, Task, chunks_of, parts_of_chunk, tasks_of
from .quantities import QUANTITIES, more_varied_seekers
from .specification import Specification
from .statements import SEEKERS_VARY_MORE
from .units import Units

__all__ = ["ASKED", "COLUMNS", "intervals_of", "scheme_of"]

COLUMNS = (
    *("row", "signature", "quantity", "value", "low", "high", "method", "coverage"),
    *(f"{method}_{part}" for method in Method for part in ("low", "high", "coverage")),
    *("band", "rule", "engine", "atoms", "total", "undefined", "failure"),
)

ASKED: Mapping[str, Quantity] = QUANTITIES | {SEEKERS_VARY_MORE: more_varied_seekers}

# The quantity of a mean of ratings is the mean of the quantity.
_LINEAR = frozenset({"rating.gap"})
_SEED = 20260101


def intervals_of(
    units: Units,
    specs: Sequence[Specification],
    quantities: Mapping[str, Quantity] = ASKED,
    *,
    level: float = 0.95,
    threads: int = 1,
) -> pd.DataFrame:
    """Return every quantity of every specification with its intervals over resampled tournaments.

    Parameters
    ----------
    units : Units
    specs : sequence of Specification
    quantities : mapping
        Name to function of ratings.
    level : float
        Confidence level, in (0, 1).
    threads : int
        Units that are worked on at a time; it decides no digit.

    Returns
    -------
    DataFrame
        A row a specification and quantity, in that order: ``row`` (the place of the specification),
        ``signature``, ``quantity``, ``value``; ``low``, ``high``, ``method`` and ``coverage`` of
        the interval that stands first; ``percentile_low``, ``percentile_high`` and so on for
        ``basic``, ``bca`` and ``student``, each with its coverage in simulation (NaN at another
        level, or of what was not simulated); ``band``, the width of the wider band in which a
        percentile limit of all resamples lies at 99 %; ``rule``, of quantiles; ``engine``;
        ``atoms``; their ``total`` probability; the share ``undefined``; and ``failure``, why there
        is no interval.
    """
    played: dict[Key, tuple[Played, ...]] = {}
    tasks, failures = tasks_of(units, specs, played)
    found: dict[int, tuple[dict[str, Found], int, int]] = {}
    with ThreadPoolExecutor(threads) as pool:
        for chunk in chunks_of(tasks, played):
            parts = parts_of_chunk(chunk, played, pool)
            work = partial(_answer, parts=parts, quantities=quantities, level=level)
            answers = pool.map(work, chunk)
            for task, (answer, blocks) in zip(chunk, answers, strict=True):
                for row, lane in zip(task.rows, task.lanes, strict=True):
                    found[row] = answer, lane, blocks
    return _frame(specs, quantities, found, failures, level)


def scheme_of(spec: Specification) -> Scheme:
    """Return what is resampled of a specification, by which its coverage was simulated."""
    if spec.estimator in ORDER_FREE:
        return Scheme.FITTED
    if spec.estimator is not Estimator.ELO:
        return Scheme.BELIEVED
    return Scheme.CARRIED if spec.carry is Carry.CARRIED else Scheme.RESET


def _answer(
    task: Task,
    parts: Mapping[Key, tuple[list[float], Rated]],
    quantities: Mapping[str, Quantity],
    level: float,
) -> tuple[dict[str, Found], int]:
    """Return every quantity of a task, and on how many tournaments it stands."""
    own = []
    for key in task.keys:
        steps, part = parts[key]
        own.append(part.only([steps.index(k) for k in task.ks.tolist()]))
    # Seeded alike for every task: the order of the work decides nothing.
    part = own[0] if len(own) == 1 else mean_of(own[0], own[1], np.random.default_rng(_SEED))
    found = {
        name: found_of(part, quantity, linear=name in _LINEAR, level=level)
        for name, quantity in quantities.items()
    }
    return found, part.blocks


def _frame(
    specs: Sequence[Specification],
    quantities: Mapping[str, Quantity],
    found: Mapping[int, tuple[dict[str, Found], int, int]],
    failures: Mapping[int, str],
    level: float,
) -> pd.DataFrame:
    rows = []
    for row, spec in enumerate(specs):
        for name in quantities:
            head = {"row": row, "signature": spec.signature, "quantity": name}
            if row in failures:
                rows.append(head | {"failure": failures[row]})
            else:
                answers, lane, blocks = found[row]
                scheme = scheme_of(spec)
                covers = {
                    method: coverage_of(scheme, name, method, blocks, level) for method in Method
                }
                first = primary_of(scheme, name)
                rows.append(head | _cells(answers[name], lane, first, covers))
    return pd.DataFrame(rows).reindex(columns=COLUMNS).fillna({"failure": ""})


def _cells(
    answer: Found, lane: int, first: Method, covers: Mapping[Method, float]
) -> dict[str, object]:
    """Return one answer as the cells of a row."""
    cells: dict[str, object] = {
        "value": answer.value[lane],
        "low": answer.limits[first].low[lane],
        "high": answer.limits[first].high[lane],
        "method": first.value,
        "coverage": covers[first],
    }
    for method, limits in answer.limits.items():
        cells[f"{method}_low"], cells[f"{method}_high"] = limits.low[lane], limits.high[lane]
        cells[f"{method}_coverage"] = covers[method]
    widths = [float(band.high[lane] - band.low[lane]) for band in answer.bands]
    return cells | {
        "band": max(widths),
        "rule": QUANTILE_RULE,
        "engine": answer.engine.value,
        "atoms": answer.atoms,
        "total": answer.total,
        "undefined": answer.undefined[lane],
    }
