"""The joint permutation test of a specification curve.

Specifications are no independent witnesses: they read the same matches. So the whole curve is drawn
again under a null hypothesis, every specification on the same permuted matches, and the curve that
was found is set against those (Simonsohn, Simmons and Nelson, doi:10.1038/s41562-020-0912-z).

Null hypothesis of the ratings: roles are exchangeable. The players of each match, drawn by a coin,
change places and the same player wins; nobody is stronger in one role than in the other, and
neither role differs more between players.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from audit.numbers._check import FloatArray
from audit.numbers.rating import Carry
from audit.numbers.ratings.exchanged import rated_exchanged
from audit.numbers.ratings.table import together
from games.records import digest

from .choices import Estimator
from .quantities import QUANTITIES, Quantity, more_varied_seekers
from .specification import Specification
from .statements import SEEKERS_VARY_MORE
from .support import Bools
from .units import Units, parts_of

TESTED: Mapping[str, Quantity] = {
    "rating.gap": QUANTITIES["rating.gap"],
    "rating.gap.least": QUANTITIES["rating.gap.least"],
    SEEKERS_VARY_MORE: more_varied_seekers,
}
"""What is tested: quantities that lie around or below 0 where roles are exchangeable."""


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve beside those of permuted matches.

    Attributes
    ----------
    quantity : str
    specifications, permutations : int
    median, share : float
        Of the curve as found: its median, and the share of values above 0.
    null_median, null_share : tuple of float
        The middle 95 % of both under the null hypothesis.
    p_median, p_share : float
        How often a permuted curve is as high, the found one counted among them.
    """

    quantity: str
    specifications: int
    permutations: int
    median: float
    share: float
    null_median: tuple[float, float]
    null_share: tuple[float, float]
    p_median: float
    p_share: float


def curves(
    units: Units,
    specs: Sequence[Specification],
    rng: np.random.Generator,
    *,
    permutations: int,
    most: int,
) -> tuple[Curve, ...]:
    """Return the tested quantities' curves over Elo's specifications, beside permuted ones.

    Parameters
    ----------
    units : Units
    specs : sequence of Specification
        Of those by Elo that are carried on, as many as ``most`` are looked at.
    rng : numpy.random.Generator
    permutations : int
        At least 1.
    most : int
        How many specifications to look at; drawn evenly if there are more.
    """
    chosen = _chosen(specs, rng, most)
    if not chosen:
        return ()
    coins = _Coins(int(rng.integers(2**63)), permutations)
    columns = [_permuted(units, spec, coins) for spec in chosen]
    kept = [column for column in columns if column is not None]
    if not kept:
        return ()
    return tuple(
        _curve(name, np.stack([quantity(column.T) for column in kept]))
        for name, quantity in TESTED.items()
    )


def _chosen(
    specs: Sequence[Specification], rng: np.random.Generator, most: int
) -> list[Specification]:
    found = [s for s in specs if s.estimator is Estimator.ELO and s.carry is Carry.CARRIED]
    if len(found) <= most:
        return found
    return [found[int(at)] for at in np.sort(rng.choice(len(found), most, replace=False))]


@dataclass(frozen=True, slots=True)
class _Coins:
    """One coin a match and permutation, the same in every specification that rates the match."""

    seed: int
    permutations: int

    def of(self, match: str) -> Bools:
        """Return whether the players of a match change places; never in the first column."""
        rng = np.random.default_rng(int(digest(f"{self.seed}\x1f{match}")[:16], 16))
        coins = rng.random(self.permutations + 1) < 0.5
        coins[0] = False
        return coins


def _permuted(units: Units, spec: Specification, coins: _Coins) -> FloatArray | None:
    """Return ratings of shape (2 * players, 1 + permutations), as found first."""
    parts = []
    for one in parts_of(spec):
        _, tournaments = units.tournaments(one)
        if any(map(len, tournaments)):
            matches = units.matches(one)
            swaps = np.stack([coins.of(match) for match in matches])
            parts.append(rated_exchanged(together(tournaments), swaps, spec.k))
    return np.asarray(np.mean(parts, axis=0), dtype=np.float64) if parts else None


def _curve(name: str, values: FloatArray) -> Curve:
    """Return a curve from values of shape (specifications, 1 + permutations)."""
    medians, shares = np.median(values, axis=0), (values > 0.0).mean(axis=0)
    low, high = (np.quantile(each[1:], (0.025, 0.975)) for each in (medians, shares))
    return Curve(
        quantity=name,
        specifications=len(values),
        permutations=values.shape[1] - 1,
        median=float(medians[0]),
        share=float(shares[0]),
        null_median=(float(low[0]), float(low[1])),
        null_share=(float(high[0]), float(high[1])),
        p_median=float((medians >= medians[0]).mean()),
        p_share=float((shares >= shares[0]).mean()),
    )
