"""One call for a bootstrap: enumerated if it can be, with every interval off one law.

What is resampled is a `Counts` (a lattice), `Clusters` (sums, by convolution) or `Blocks` (drawn in
order). Beyond the limit resamples are drawn, and then each percentile limit has a certified band.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from audit.numbers._check import as_level, as_size
from audit.numbers.estimate import Interval

from ._engines import How, Read, read
from .law import QUANTILE_RULE, Law
from .limits import bca_interval, t_interval
from .samples import Sample, SampleStatistic

__all__ = ["DRAWS", "Resampled", "enumerated_bootstrap"]

DRAWS = 10_000
"""Resamples drawn where they are too many to list."""


@dataclass(frozen=True, slots=True, eq=False)
class Resampled:
    """A statistic, its bootstrap law, and the intervals read off it.

    Attributes
    ----------
    value : float
        On the data; NaN where it is not defined.
    law : Law
        With its engine, atoms, total, undefined mass and degenerate groups.
    percentile, basic, bca, inverted, student : Interval or None
        None where there is none: nothing defined, one value in every resample, an infinite
        estimate, too many count vectors to tilt, or nothing to count degrees of freedom by.
    low_band, high_band : Interval or None
        Where the percentile limits of all resamples lie, at 99 %; points if all were counted.
    """

    value: float
    law: Law
    percentile: Interval | None
    basic: Interval | None
    bca: Interval | None
    inverted: Interval | None
    student: Interval | None
    low_band: Interval | None
    high_band: Interval | None

    @property
    def told(self) -> str:
        """One line that says how the law was computed."""
        law = self.law
        found = f"{law.engine}: {law.atoms:,} atoms, total {law.total:.12g}"
        found += f", undefined {law.undefined_mass:.3g}, quantiles by {QUANTILE_RULE}"
        if law.degenerate:
            found += f"; groups {', '.join(map(str, law.degenerate_groups))} lie in one cell each"
        return found


def enumerated_bootstrap(
    sample: Sample,
    statistic: SampleStatistic,
    *,
    level: float = 0.95,
    limit: int | None = None,
    draws: int = DRAWS,
    rng: np.random.Generator | None = None,
) -> Resampled:
    """Return the bootstrap law of a statistic, enumerated where it can be, and its intervals.

    Parameters
    ----------
    sample : Counts, Clusters or Blocks
    statistic : callable
        What the sample says it takes, to one value a resample, NaN where undefined.
    level : float
        Confidence level, in (0, 1). What enumeration buys is freedom from Monte Carlo error; what
        the intervals cover is another matter.
    limit : int, optional
        The largest number of atoms to enumerate: two million, or eight million classes of κ.
    draws, rng
        How many resamples to draw where there are more, and the source of randomness.

    Raises
    ------
    AtomLimitError
        If there are more atoms than the limit and no generator was given.
    ValueError
        If the sample or an argument is not allowed.

    References
    ----------
    Efron, doi:10.1214/aos/1176344552 and doi:10.1080/01621459.1987.10478410.
    """
    if as_size("draws", draws) == 0:
        raise ValueError("draws must be at least 1, found 0")
    return _intervals(read(sample, statistic, How(as_level(level), limit, draws, rng)), level)


def _intervals(found: Read, level: float) -> Resampled:
    law, value, tail = found.law, found.value, (1.0 - level) / 2.0
    if law.values.size < 2:
        return Resampled(value, law, None, None, None, None, None, None, None)
    finite, blocks = bool(np.isfinite(value)), found.blocks or 0
    span, bands = found.percentile, [law.quantile_band(q) for q in (tail, 1.0 - tail)]
    if span is not None:
        bands = [Interval(end, end, 0.99, span.method) for end in (span.low, span.high)]
    return Resampled(
        value,
        law,
        span or law.percentile_interval(level),
        law.basic_interval(level, value) if finite else None,
        bca_interval(law, value, found.accelerated, level) if finite else None,
        found.inverted,
        t_interval(law, value, blocks, level) if finite and blocks >= 2 else None,
        bands[0],
        bands[1],
    )
