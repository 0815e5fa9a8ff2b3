"""Printed ratings beside those of corpora that chance alone would make.

In a sampled corpus who held in a match is even over all ways to choose, so that Holders are
identical but for whom they met; order is even within tournaments unless said. Rated under many
rules, such corpora say how far printed ratings lie from what each rule would make of the counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from audit.numbers._check import FloatArray
from games.words import Game

from .dealt import deal
from .rated import rate_dealt
from .rules import Rules
from .sampled import Samples


@dataclass(frozen=True, slots=True, eq=False)
class Against:
    """Printed ratings of one game beside simulated ones under one set of rules.

    Attributes
    ----------
    gap, gap_sd : float
        Mean and standard deviation over simulations of the mean of V less C, in rating points.
    z : float
        The printed gap's distance from that mean in standard deviations.
    z_least, z_most : float
        The same under each way to give up printed numbers.
    sd_seeker, sd_holder : float
        Mean standard deviation of C and V over players (ddof 0).
    distance : float
        Squared Mahalanobis distance of the printed C's from the simulated ones.
    simulated : int
    """

    gap: float
    gap_sd: float
    z: float
    z_least: float
    z_most: float
    sd_seeker: float
    sd_holder: float
    distance: float
    simulated: int


def simulated(
    samples: Samples,
    game: Game,
    horizon: int,
    rules: Rules,
    players: tuple[str, ...],
    *,
    times: int,
    rng: np.random.Generator,
) -> list[FloatArray]:
    """Return ratings of simulated corpora under every way to give up printed numbers.

    Parameters
    ----------
    samples : Samples
    game : Game
    horizon : int
        Of that game.
    rules : Rules
    players : tuple of str
    times : int
        How often every sampled corpus is dealt anew.
    rng : numpy.random.Generator

    Returns
    -------
    list of ndarray of float64, shape (corpora, 2 * players)
        Around a start of 0.
    """
    found = []
    for one in samples.sampled:
        endings = np.repeat(one.dealt.endings, times, axis=0)
        dealt = deal(samples.margins.layout, endings, rng)
        found.append(rate_dealt(dealt, game, horizon, rules, players))
    return found


def against(printed: FloatArray, ratings: Sequence[FloatArray]) -> Against:
    """Return printed ratings beside simulated ones.

    Parameters
    ----------
    printed : ndarray of float64, shape (2 * players,)
        Around a start of 0.
    ratings : sequence of ndarray of float64, shape (corpora, 2 * players)
        Under each way to give up printed numbers.
    """
    every = np.concatenate(list(ratings))
    half = every.shape[1] // 2
    seeker, holder = every[:, :half], every[:, half:]
    zs = [_z(printed, one) for one in ratings]
    gaps = _gaps(every)
    off = printed[:half] - seeker.mean(axis=0)
    spread = np.linalg.pinv(np.atleast_2d(np.cov(seeker, rowvar=False)))
    return Against(
        float(gaps.mean()),
        float(gaps.std(ddof=1)),
        _z(printed, every),
        min(zs),
        max(zs),
        float(seeker.std(axis=1).mean()),
        float(holder.std(axis=1).mean()),
        float(off @ spread @ off),
        len(every),
    )


def _gaps(ratings: FloatArray) -> FloatArray:
    half = ratings.shape[1] // 2
    return np.asarray((ratings[:, half:] - ratings[:, :half]).mean(axis=1), dtype=np.float64)


def _z(printed: FloatArray, ratings: FloatArray) -> float:
    gaps = _gaps(ratings)
    spread = float(gaps.std(ddof=1))
    off = float(_gaps(printed[None])[0] - gaps.mean())
    return off / spread if spread > 0.0 else float(np.copysign(np.inf, off)) if off else 0.0


def pooled(ratings: Iterable[FloatArray]) -> FloatArray:
    """Return ratings under all ways as one table."""
    return np.concatenate(list(ratings))
