"""How precisely a sample will know the arbiter's quality, simulated before anyone labels it.

In every simulated study each item is positive or not by a coin whose chance is what is anticipated
of it, independently of the others; the design draws its sample; figures are estimated from the
sample with weights, and held against the same figures of the whole population. Where the arbiter
errs alike all through a dialogue, a real sample tells less than that.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from games.rules.item import kind_of
from games.words import ItemKind

from .inclusion import Floats, Ints
from .sampling import Sampling

STUDIES = 400
LEVEL = 0.95
BATCHES = 10


class Figure(StrEnum):
    """What is estimated: the arbiter against people by κ, sensitivity, specificity; match by match.

    ``matches`` is the share of matches that hold a true positive in what was recorded: of Holder
    replies the Seeker's wins by a leak, corrected for what the arbiter gets wrong.
    """

    KAPPA = "kappa"
    SENSITIVITY = "sensitivity"
    SPECIFICITY = "specificity"
    MATCHES = "matches"


@dataclass(frozen=True, slots=True)
class Forecast:
    """How precisely one figure will be known.

    Attributes
    ----------
    value : float
        What it is in the whole population, on average over the simulated studies.
    margin : float
        Half the width of the range that holds 95 % of the errors; NaN where it is never defined.
    margin_error : float
        Monte Carlo standard error of the margin, from ten batches of studies.
    undefined : float
        Share of samples from which the figure cannot be computed.
    """

    value: float
    margin: float
    margin_error: float
    undefined: float


@dataclass(frozen=True, slots=True)
class Precision:
    """What a sample will tell of one kind of item.

    Attributes
    ----------
    kind : ItemKind
    items : int
        Those with a label of the arbiter's.
    drawn : float
        How many of them are drawn, on average.
    figures : dict
    """

    kind: ItemKind
    items: int
    drawn: float
    figures: dict[Figure, Forecast]


def precision(
    sampling: Sampling,
    chances: Floats,
    kind: ItemKind,
    rng: np.random.Generator,
    studies: int = STUDIES,
) -> Precision | None:
    """Return how precisely a sample will know the arbiter's quality on one kind of item.

    Parameters
    ----------
    sampling : Sampling
    chances : ndarray of float, shape (units,)
        Of being positive, in the order of ``sampling.ordered``.
    kind : ItemKind
    rng : numpy.random.Generator
    studies : int
        Simulated, at least ten.

    Returns
    -------
    Precision or None
        None where the arbiter labelled no item of the kind.
    """
    study = _Study.of(sampling, kind)
    if not study.ours.any():
        return None
    pairs = np.array([study.simulated(sampling, chances, rng) for _ in range(studies)])
    figures = {
        figure: _forecast(pairs[:, 0, place], pairs[:, 1, place])
        for place, figure in enumerate(Figure)
    }
    drawn = float(sampling.probability[study.ours].sum())
    return Precision(kind, int(study.ours.sum()), drawn, figures)


@dataclass(frozen=True, slots=True)
class _Study:
    """One kind of item in a population: which units are of it, what the arbiter said, by match."""

    ours: NDArray[np.bool_]
    flagged: NDArray[np.bool_]
    match: Ints

    @classmethod
    def of(cls, sampling: Sampling, kind: ItemKind) -> _Study:
        ours = [u.flagged is not None and kind_of(u.item) == kind for u in sampling.ordered]
        flagged = [bool(unit.flagged) for unit in sampling.ordered]
        return cls(np.array(ours), np.array(flagged), sampling.match)

    def simulated(self, sampling: Sampling, chances: Floats, rng: np.random.Generator) -> Floats:
        """Return every figure of one simulated study: estimated, and of the population."""
        true = rng.random(len(chances)) < chances
        drawn = sampling.draw(rng)
        drawn = drawn[self.ours[drawn]]
        table = self._table(drawn, true, 1 / sampling.probability[drawn])
        whole = self._table(np.flatnonzero(self.ours), true, None)
        return np.array(
            [[*_rates(table), self._expected(table)], [*_rates(whole), self._held(true)]]
        )

    def _table(self, places: Ints, true: NDArray[np.bool_], weights: Floats | None) -> Floats:
        """Return the weights of flagged and true, flagged and not, passed and true, passed."""
        cells = 2 * ~self.flagged[places] + ~true[places]
        return np.bincount(cells, weights, minlength=4).astype(np.float64)

    def _held(self, true: NDArray[np.bool_]) -> float:
        """Return the share of matches that hold a true positive."""
        ours = self.match[self.ours]
        held = np.bincount(ours, true[self.ours])
        return float((held[np.bincount(ours) > 0] > 0).mean())

    def _expected(self, table: Floats) -> float:
        """Return the same share as expected from the rates of positives among both labels."""
        ours, flagged = self.match[self.ours], self.flagged[self.ours]
        each, marked = np.bincount(ours), np.bincount(ours, flagged)
        each, marked = each[each > 0], marked[each > 0]
        right, wrong = _ratio(table[0], table[0] + table[1]), _ratio(table[2], table[2] + table[3])
        # Where no match holds a label, its rate is to the power 0 and may be unknown.
        return float((1 - (1 - right) ** marked * (1 - wrong) ** (each - marked)).mean())


def _rates(table: Floats) -> tuple[float, float, float]:
    """Return κ, sensitivity and specificity of flags against the truth; NaN where undefined."""
    a, b, c, d = table
    chance = (a + b) * (b + d) + (a + c) * (c + d)
    return _ratio(2 * (a * d - b * c), chance), _ratio(a, a + c), _ratio(d, b + d)


def _ratio(part: float, whole: float) -> float:
    return float(part / whole) if whole > 0 else float("nan")


def _forecast(estimated: Floats, true: Floats) -> Forecast:
    errors = estimated - true
    margins = [_margin(batch) for batch in np.array_split(errors, BATCHES)]
    return Forecast(
        value=_mean(true),
        margin=_margin(errors),
        margin_error=float(np.std(margins, ddof=1) / BATCHES**0.5),
        undefined=float(np.isnan(errors).mean()),
    )


def _margin(errors: Floats) -> float:
    defined = errors[~np.isnan(errors)]
    if not len(defined):
        return float("nan")
    low, high = np.quantile(defined, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(high - low) / 2


def _mean(values: Floats) -> float:
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else float("nan")
