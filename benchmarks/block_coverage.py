"""What intervals from five tournaments, or six models, cover when the truth is known.

Tournaments: six players, every ordered pair in every tournament, twice in the first game (weight 1)
and once in the second (weights of turns drawn evenly); Holders alike, Seekers alike or spread, the
order of matches the same in every study. A match is a coin with the odds of the strengths. The
truth of a quantity is its mean over 20,000 studies, which a loop of its own rates; so what is
covered is the figure that reruns of five tournaments come to on average, not the strengths
themselves. Of the spread of Seekers it is also counted how often the interval holds that of the
strengths.

Models: six values from a normal population, known without error; the truth is the population's.

Two shares: no simulation. Every pair of counts with a probability of a millionth of the largest is
gone through, at the sizes of the printed modes.

Run with ``python -m benchmarks.block_coverage [STUDIES]``: 2,000 a cell by default, half as
many of the fits; an hour.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.stats import binom

from audit.multiverse.choices import Estimator
from audit.multiverse.estimators import resampled_by
from audit.multiverse.intervals import ASKED
from audit.numbers.rating import Carry
from audit.numbers.ratings.bradley_terry import FittedLanes, bradley_terry_lanes
from audit.numbers.ratings.davidson import davidson_lanes
from audit.numbers.ratings.lanes import Played
from audit.numbers.ratings.ties import TieTables
from audit.numbers.ratings.tournaments import multisets
from audit.numbers.resampling.asked import found_of
from audit.numbers.resampling.coverage import Method, Scheme
from audit.numbers.resampling.limits import acceleration
from audit.numbers.resampling.many import ManyLaws
from audit.numbers.resampling.rated import Rated, carried, mean_of, reset
from audit.numbers.resampling.reported import reported_difference, reported_odds_ratio

SEED = 20260401
PLAYERS, TOURNAMENTS, K, HORIZON = 6, 5, 24.0, 16
ADVANTAGE = 300.0
STRENGTHS = {"alike": np.zeros(PLAYERS), "spread": np.linspace(-100.0, 100.0, PLAYERS)}
TRUE_STUDIES, AT_ONCE = 20_000, 4_000
TIES = 0.25
SPREAD = "rating.sd_seeker"
MODES = (146, 0.22), (143, 0.035)
FIGURES = ("first game", "second game", "mean of both")
LINEAR = "rating.gap"


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """Who meets whom in which order: five tournaments of one game, alike in all studies."""

    seeker: np.ndarray
    holder: np.ndarray
    second: bool

    @classmethod
    def of(cls, second: bool) -> Design:
        """Return the design of a game."""
        rng = np.random.default_rng([SEED, second])
        pairs = [(i, j) for i in range(PLAYERS) for j in range(PLAYERS) if i != j]
        table = np.array(pairs if second else pairs * 2)
        seats = np.array([rng.permutation(table) for _ in range(TOURNAMENTS)])
        return cls(seats[..., 0], seats[..., 1], second)

    def drawn(
        self, strengths: np.ndarray, studies: int, rng: np.random.Generator, *, ties: bool = False
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return scores and weights of shape (tournaments, matches, studies)."""
        shape = (*self.seeker.shape, studies)
        odds = 1.0 / (1.0 + 10.0 ** ((ADVANTAGE - strengths[self.seeker]) / 400.0))
        score = (rng.random(shape) < odds[..., None]).astype(np.float64)
        turn = rng.integers(1, HORIZON + 1, shape)
        weight = (HORIZON + 1 - turn) / (HORIZON / 2) if self.second else np.ones(shape)
        if ties and self.second:
            score[(score == 0.0) & (rng.random(shape) < TIES)] = 0.5
        return score, weight


Rating = tuple[Estimator, Carry]
RATINGS: Mapping[Rating, Scheme] = {
    (Estimator.ELO, Carry.CARRIED): Scheme.CARRIED,
    (Estimator.ELO, Carry.RESET): Scheme.RESET,
    (Estimator.BRADLEY_TERRY, Carry.RESET): Scheme.FITTED,
    (Estimator.WEIGHTED_BRADLEY_TERRY, Carry.RESET): Scheme.FITTED,
    (Estimator.FIRTH, Carry.RESET): Scheme.FITTED,
    (Estimator.DAVIDSON, Carry.RESET): Scheme.FITTED,
}


def rated_by(rating: Rating, design: Design, score: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Return ratings of shape (studies, 2 * players), NaN where there are none."""
    estimator, carry = rating
    if estimator is Estimator.ELO:
        return rated(design, score, weight, carry)
    cells = np.zeros((3, score.shape[2], PLAYERS, PLAYERS))
    worth = weight if estimator is Estimator.WEIGHTED_BRADLEY_TERRY else np.ones(score.shape)
    for at in np.ndindex(design.seeker.shape):
        i, j = design.seeker[at], design.holder[at]
        for number, value in enumerate((1.0, 0.5, 0.0)):
            cells[number, :, i, j] += worth[at] * (score[at] == value)
    found = _fit(estimator, TieTables(*cells))
    return np.where((found.connected & found.converged)[:, None], found.ratings, np.nan)


def _fit(estimator: Estimator, counts: TieTables) -> FittedLanes:
    if estimator is Estimator.DAVIDSON:
        return davidson_lanes(counts)
    return bradley_terry_lanes(counts.won, counts.lost, penalised=estimator is Estimator.FIRTH)


def rated(design: Design, score: np.ndarray, weight: np.ndarray, carry: Carry) -> np.ndarray:
    """Return ratings of shape (studies, 2 * players), one match after the other."""
    studies = score.shape[2]
    ratings, ends = np.zeros((2 * PLAYERS, studies)), []
    for tournament in range(TOURNAMENTS):
        if carry is Carry.RESET:
            ratings = np.zeros((2 * PLAYERS, studies))
        for match in range(score.shape[1]):
            i = design.seeker[tournament, match]
            j = design.holder[tournament, match] + PLAYERS
            expected = 1.0 / (1.0 + 10.0 ** ((ratings[j] - ratings[i]) / 400.0))
            step = K * weight[tournament, match] * (score[tournament, match] - expected)
            ratings[i] += step
            ratings[j] -= step
        ends.append(ratings.copy())
    return (ends[-1] if carry is Carry.CARRIED else np.mean(ends, axis=0)).T


def truths(
    strengths: np.ndarray, rating: Rating, rng: np.random.Generator, studies: int = TRUE_STUDIES
) -> dict[str, dict[str, float]]:
    """Return for every figure the mean of every quantity over studies that have it."""
    sums: dict[str, dict[str, float]] = {figure: dict.fromkeys(ASKED, 0.0) for figure in FIGURES}
    ties = rating[0] is Estimator.DAVIDSON
    for _ in range(0, studies, AT_ONCE):
        first, second = (
            rated_by(rating, design, *design.drawn(strengths, AT_ONCE, rng, ties=ties))
            for design in DESIGNS
        )
        for figure, ratings in zip(FIGURES, (first, second, (first + second) / 2.0), strict=True):
            for name, quantity in ASKED.items():
                sums[figure][name] += float(np.nanmean(quantity(ratings)))
    parts = len(range(0, studies, AT_ONCE))
    return {f: {name: total / parts for name, total in row.items()} for f, row in sums.items()}


DESIGNS = (Design.of(second=False), Design.of(second=True))
Held = dict[str, dict[str, dict[Method, float]]]


def tournaments_held(
    strengths: np.ndarray, rating: Rating, studies: int, rng: np.random.Generator
) -> Held:
    """Return by figure and quantity how often each interval holds the truth.

    The quantity ``true`` is the spread of Seekers set against that of the strengths.
    """
    known = truths(strengths, rating, rng)
    held: Held = {
        figure: {name: dict.fromkeys(Method, 0.0) for name in (*ASKED, "true")}
        for figure in FIGURES
    }
    counted = dict.fromkeys(FIGURES, 0)
    for _ in range(studies):
        first, second = (_resampled(design, strengths, rating, rng) for design in DESIGNS)
        both = mean_of(first, second, rng)
        for figure, part in zip(FIGURES, (first, second, both), strict=True):
            if np.isfinite(part.whole).all():
                counted[figure] += 1
                _count(held[figure], part, known[figure], float(strengths.std()))
    return {
        figure: {
            name: {method: times / counted[figure] for method, times in row.items()}
            for name, row in by_quantity.items()
        }
        for figure, by_quantity in held.items()
    }


def _count(
    held: dict[str, dict[Method, float]], part: Rated, known: Mapping[str, float], spread: float
) -> None:
    """Add one study to how often each interval has held the truth."""
    for name, quantity in ASKED.items():
        found = found_of(part, quantity, linear=name == LINEAR)
        for method, limits in found.limits.items():
            low, high = float(limits.low[0]), float(limits.high[0])
            held[name][method] += low <= known[name] <= high
            if name == SPREAD:
                held["true"][method] += low <= spread <= high


def _resampled(
    design: Design, strengths: np.ndarray, rating: Rating, rng: np.random.Generator
) -> Rated:
    estimator, carry = rating
    score, weight = design.drawn(strengths, 1, rng, ties=estimator is Estimator.DAVIDSON)
    tournaments = [
        Played.of(
            design.seeker[t], design.holder[t], score[t, :, 0], weight[t, :, 0], players=PLAYERS
        )
        for t in range(TOURNAMENTS)
    ]
    if estimator is not Estimator.ELO:
        return resampled_by(estimator, tournaments, carry)
    return (carried if carry is Carry.CARRIED else reset)(tournaments, np.array([K]))


def models_held(studies: int, rng: np.random.Generator) -> dict[str, dict[Method, float]]:
    """Return how often intervals over six resampled models hold the mean and the deviation."""
    counts, probability = multisets(PLAYERS)
    values, without = rng.standard_normal((studies, PLAYERS)), 1 - np.eye(PLAYERS, dtype=int)
    held = {}
    for name, power in (("rating.gap", 1), (SPREAD, 2)):
        seen = _moment(values, np.ones((1, PLAYERS)), power)[:, 0]
        laws = ManyLaws.of(_moment(values, counts, power), probability)
        left_out = _moment(values, without, power).T
        limits = {
            Method.PERCENTILE: laws.percentile(0.95),
            Method.BASIC: laws.basic(seen, 0.95),
            Method.BCA: laws.bca(seen, acceleration([(left_out, np.ones(PLAYERS))]), 0.95),
            Method.STUDENT: laws.student(seen, PLAYERS, 0.95),
        }
        truth = float(power - 1)
        held[name] = {
            method: float(((each.low <= truth) & (truth <= each.high)).mean())
            for method, each in limits.items()
        }
    return held


def _moment(values: np.ndarray, counts: np.ndarray, power: int) -> np.ndarray:
    """Return means, or deviations (divisor n, as of ratings), of shape (studies, n)."""
    shares = (counts / counts.sum(axis=1, keepdims=True)).T
    mean = values @ shares
    if power == 1:
        return mean
    return np.sqrt(np.maximum(values**2 @ shares - mean**2, 0.0))


def two_shares_held() -> dict[str, float]:
    """Return the probability that intervals of two shares hold the truth."""
    (n, p), (m, q) = MODES
    odds = p / (1.0 - p) / (q / (1.0 - q))
    first, second = binom.pmf(np.arange(n + 1), n, p), binom.pmf(np.arange(m + 1), m, q)
    ways = np.outer(first, second)
    held: dict[str, float] = {}
    for x, y in np.argwhere(ways > 1e-6 * ways.max()).tolist():
        table = [[x, n - x], [y, m - y]]
        difference, ratio = reported_difference(table), reported_odds_ratio(table)
        for name, span, truth in (
            ("newcombe", difference.estimate.interval, p - q),
            ("percentile difference", difference.percentile, p - q),
            ("conditional exact", ratio.estimate.interval, odds),
            ("mid-p", ratio.beside, odds),
            ("percentile odds", ratio.percentile, odds),
        ):
            inside = span is not None and truth in span
            held[name] = held.get(name, 0.0) + float(ways[x, y]) * inside
    return held


def simulated(studies: int) -> tuple[dict[tuple[Scheme, str], Mapping[Method, float]], list[str]]:
    """Return the lowest coverage of every scheme and quantity, and a line for each cell."""
    lowest: dict[tuple[Scheme, str], dict[Method, float]] = {}
    lines = []
    for number, (rating, scheme) in enumerate(RATINGS.items()):
        for kind, (seekers, strengths) in enumerate(STRENGTHS.items()):
            rng = np.random.default_rng([SEED, number, kind])
            # Fits take longer, and there are more of them: half as many studies.
            many = studies // 2 if scheme is Scheme.FITTED else studies
            held = tournaments_held(strengths, rating, many, rng)
            for figure, by_quantity in held.items():
                for name, found in by_quantity.items():
                    cell = f"{scheme}, {rating[0]}, Seekers {seekers}, {figure}"
                    lines.append(_line(cell, name, found))
                    if name != "true":
                        own = lowest.setdefault((scheme, name), dict(found))
                        own |= {m: min(own[m], share) for m, share in found.items()}
    models = models_held(10 * studies, np.random.default_rng([SEED, 9]))
    for name, found in models.items():
        lowest[Scheme.MODELS, name] = found
        lines.append(_line(Scheme.MODELS, name, found))
    return dict(lowest), lines


def _line(cell: str, name: str, found: Mapping[Method, float]) -> str:
    return f"| {cell} | {name} | " + " | ".join(f"{found[m]:.3f}" for m in Method) + " |"


def main(studies: int = 2_000) -> None:
    """Print every cell, then the lowest of each scheme and quantity as `coverage` holds them."""
    lowest, lines = simulated(studies)
    print("| resampled | quantity | " + " | ".join(Method) + " |")
    print("\n".join(["|" + "---|" * (2 + len(Method)), *lines]))
    for (scheme, name), found in lowest.items():
        row = ", ".join(f"{found[method]:.3f}" for method in Method)
        print(f'    (Scheme.{scheme.name}, "{name}"): ({row}),')
    for name, share in two_shares_held().items():
        print(f'    "{name}": {share:.3f},')


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:2]))
