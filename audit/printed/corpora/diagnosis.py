"""Whether chains have mixed: split R-hat on ranks, and how many independent draws they are worth.

Few draws a chain leave R-hat and the effective sample size noisy, whatever was drawn. What counts
as poor is therefore what as many independent draws would show once in a hundred times.

References
----------
Vehtari, Gelman, Simpson, Carpenter and Bürkner, doi:10.1214/20-BA1221.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.special import ndtri
from scipy.stats import rankdata

from audit.numbers._check import FloatArray

# Simulated sets of independent draws from which limits are read, and the share beyond these.
_SIMULATED, _BEYOND = 400, 0.01


@dataclass(frozen=True, slots=True)
class Mixing:
    """How well chains have mixed by one quantity.

    Attributes
    ----------
    r_hat : float
        Split R-hat of normal scores of ranks, the larger of that of the quantity and of its
        distance from its median; NaN where the quantity never moves in any chain.
    ess : float
        Effective number of independent draws for the mean.
    poor : bool
        Whether either is worse than in 99 of 100 sets of as many independent draws.
    """

    r_hat: float
    ess: float
    poor: bool


def mixing(values: FloatArray) -> Mixing:
    """Return how well chains have mixed.

    Parameters
    ----------
    values : ndarray of float64, shape (chains, draws)
        At least 4 draws.

    Raises
    ------
    ValueError
        If there are fewer.
    """
    if values.ndim != 2 or values.shape[1] < 4:
        raise ValueError(f"values must have shape (chains, 4 or more), found {values.shape}")
    if np.ptp(values) == 0.0:
        return Mixing(math.nan, math.nan, poor=False)
    r_hat, ess = _measured(values)
    most, least = limits(*values.shape)
    return Mixing(r_hat, ess, r_hat > most or ess < least)


@lru_cache(maxsize=32)
def limits(chains: int, draws: int) -> tuple[float, float]:
    """Return the R-hat above and the effective size below which draws count as poorly mixed."""
    rng = np.random.default_rng([chains, draws])
    found = np.array([_measured(rng.normal(size=(chains, draws))) for _ in range(_SIMULATED)])
    most, least = np.quantile(found[:, 0], 1.0 - _BEYOND), np.quantile(found[:, 1], _BEYOND)
    return float(most), float(least)


def _measured(values: FloatArray) -> tuple[float, float]:
    """Return R-hat and effective sample size."""
    halves = _split(values)
    folded = np.abs(halves - np.median(halves))
    scores = _scores(halves)
    return max(_r_hat(scores), _r_hat(_scores(folded))), _ess(scores)


def _split(values: FloatArray) -> FloatArray:
    """Return every chain as two of half its length."""
    half = values.shape[1] // 2
    return np.concatenate([values[:, :half], values[:, -half:]])


def _scores(values: FloatArray) -> FloatArray:
    ranks = rankdata(values).reshape(values.shape)
    return np.asarray(ndtri((ranks - 0.375) / (values.size + 0.25)), dtype=np.float64)


def _variances(values: FloatArray) -> tuple[float, float]:
    """Return the mean variance within chains and the estimate of that of the target."""
    draws = values.shape[1]
    within = float(values.var(axis=1, ddof=1).mean())
    between = float(values.mean(axis=1).var(ddof=1)) if len(values) > 1 else 0.0
    return within, within * (draws - 1) / draws + between


def _r_hat(values: FloatArray) -> float:
    within, total = _variances(values)
    if total == 0.0:
        return 1.0
    return math.sqrt(total / within) if within > 0.0 else math.inf


def _ess(values: FloatArray) -> float:
    """Return the effective sample size by Geyer's initial monotone sequence over all chains."""
    draws = values.shape[1]
    within, total = _variances(values)
    if within == 0.0:
        return 1.0 if total > 0.0 else math.nan
    covariance = np.mean([_autocovariance(chain) for chain in values], axis=0)
    rho = 1.0 - (within - covariance * draws / (draws - 1)) / total
    rho[0] = 1.0
    pairs = rho[: draws // 2 * 2].reshape(-1, 2).sum(axis=1)
    end = int(np.argmax(pairs <= 0.0)) if (pairs <= 0.0).any() else len(pairs)
    falling = np.minimum.accumulate(pairs[:end])
    tau = max(2.0 * float(falling.sum()) - 1.0, 1.0 / math.log10(values.size))
    return values.size / tau


def _autocovariance(chain: FloatArray) -> FloatArray:
    centred = chain - chain.mean()
    size = 2 ** math.ceil(math.log2(2 * len(chain)))
    power = np.abs(np.fft.rfft(centred, size)) ** 2
    return np.asarray(np.fft.irfft(power, size)[: len(chain)] / len(chain), dtype=np.float64)
