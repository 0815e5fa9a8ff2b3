"""How often the intervals of imputed shares and ratings hold the truth, over simulated studies.

A study is that of `benchmarks.correction_coverage`, but for its 30 ordered pairs: they are those of
six players, with leak rates drawn once for all studies, since ratings are of these players. The
truth is what the same matches come to on average where the arbiter never errs, so that each goes on
until a true leak or the last turn. An interval goes from the lower limit with every open match
given to the Holder to the upper one with every open match given to the Seeker.

Run with ``python -m benchmarks.imputation_coverage [STUDIES]``: 300 a cell by default.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass

import numpy as np
import pandas as pd

from audit.corpus import COLUMNS
from audit.correction.completed import Labelled, completed, posterior
from audit.correction.imputed import IMPUTATIONS, Completions, imputed
from audit.correction.imputed_ratings import EVERYONE, Scheme, imputed_ratings
from audit.correction.judged import Bools, Floats, Ints
from audit.multiverse.choices import Degenerate, Disqualification, Scope
from audit.multiverse.rated import rate
from audit.multiverse.specification import Specification
from audit.numbers.multiplier import Multiplier
from audit.numbers.rating import Carry
from audit.verdicts.readjudicate import Change, Readjudicated
from games.words import Game, Mode, Role

from .correction_coverage import (
    BY_MODE,
    ERRORS,
    LABELS,
    MATCHES,
    PREVALENCES,
    SEED,
    SHAPE,
    TURNS,
    Cell,
    labelled,
)
from .correction_coverage import Mode as Played

PLAYERS = tuple(f"p{i}" for i in range(6))
ORDERED = [(one, other) for one in PLAYERS for other in PLAYERS if one != other]
GRID = tuple(Cell(p, n, "differing") for p in PREVALENCES for n in LABELS)
TRUTH = 400
SPEC = Specification(
    k=24.0,
    start=1500.0,
    multiplier=Multiplier.CONSTANT,
    disqualification=Disqualification.HOLDER_WIN,
    scope=Scope.ALL_OUTCOMES,
    carry=Carry.CARRIED,
    degenerate=Degenerate.KEPT,
)
SCHEME = Scheme({Game.AIDG_I: TURNS, Game.AIDG_II: 16}, SPEC)


@dataclass(frozen=True, slots=True, eq=False)
class World:
    """What stays the same over the studies of a cell.

    Attributes
    ----------
    rates : tuple of ndarray, each of shape (matches,)
        Leaks a reply of each match, by mode.
    order : ndarray of int64, shape (matches of both modes,)
        In which the matches are played.
    """

    rates: tuple[Floats, ...]
    order: Ints


def world(cell: Cell) -> World:
    rng = np.random.default_rng([SEED, 7])
    own = rng.gamma(SHAPE, 1.0 / SHAPE, len(ORDERED))
    rates = tuple(
        np.minimum(cell.prevalence * by * own[np.arange(n) % len(ORDERED)], 0.9)
        for by, n in zip(BY_MODE, MATCHES, strict=True)
    )
    return World(rates, rng.permutation(sum(MATCHES)))


def corpus_where(won: Bools, order: Ints) -> pd.DataFrame:
    """Return the corpus of both modes' matches, numbered mode by mode, with who won each."""
    frame = pd.DataFrame("", index=range(len(won)), columns=COLUMNS)
    pairs = [ORDERED[i % len(ORDERED)] for n in MATCHES for i in range(n)]
    position = np.empty(len(won), dtype=np.int64)
    position[order] = np.arange(len(won))
    return frame.assign(
        match=[f"m{i}" for i in range(len(won))],
        game=Game.AIDG_I.value,
        mode=[mode.value for mode, n in zip(Mode, MATCHES, strict=True) for _ in range(n)],
        tournament=1,
        position=position,
        seeker=[pair[0] for pair in pairs],
        holder=[pair[1] for pair in pairs],
        winner=np.where(won, Role.SEEKER.value, Role.HOLDER.value),
        end="horizon",
        turn=TURNS,
        repetition=0.0,
    )


def truth(known: World, replays: int = TRUTH) -> tuple[Floats, Floats]:
    """Return both modes' shares of won matches, and C, V and the mean gap, on average."""
    rng = np.random.default_rng([SEED, 8])
    chance = [1.0 - (1.0 - rate) ** TURNS for rate in known.rates]
    every = np.concatenate(chance)
    total = np.zeros(2 * len(PLAYERS))
    frame = corpus_where(every > 1.0, known.order)
    for _ in range(replays):
        won = rng.random(len(every)) < every
        side = np.where(won, Role.SEEKER.value, Role.HOLDER.value)
        rated = rate(frame.assign(winner=side), Game.AIDG_I, TURNS, SPEC, PLAYERS)
        total += np.concatenate([rated.seeker, rated.holder])
    ratings = total / replays
    gap = ratings[len(PLAYERS) :].mean() - ratings[: len(PLAYERS)].mean()
    return np.array([part.mean() for part in chance]), np.append(ratings, gap)


def played(known: World, cell: Cell, mode: int, rng: np.random.Generator) -> Played:
    sensitivity, specificity = ERRORS[cell.errors][mode]
    rate = known.rates[mode]
    true = rng.random((len(rate), TURNS)) < rate[:, None]
    yes = rng.random(true.shape) < np.where(true, sensitivity, 1.0 - specificity)
    said: Bools = np.cumsum(yes, axis=1) - yes == 0
    match = np.repeat(np.arange(len(rate)), TURNS).reshape(said.shape)
    return Played(match[said], yes[said], true[said], np.arange(len(rate)) % len(ORDERED))


def completions_of(
    modes: list[Played], cell: Cell, known: World, rng: np.random.Generator
) -> Completions:
    """Return a study's matches under completed labels, as the rules of AIDG-I have them."""
    parts = labelled(modes, cell, rng)
    match = np.concatenate([modes[0].match, modes[1].match + MATCHES[0]])
    yes = np.concatenate([mode.yes for mode in modes])
    second = np.arange(len(yes)) >= len(modes[0].yes)
    items = Labelled(
        cell=2 * second.astype(np.int64) + yes,
        yes=yes,
        checked=np.concatenate([parts[0].checked, parts[1].checked + len(modes[0].yes)]),
        label=np.concatenate([part.label for part in parts]),
        weight=np.concatenate([part.weight for part in parts]),
    )
    total = sum(MATCHES)
    ruled = np.bincount(match, weights=yes, minlength=total) > 0
    rates = posterior(items)
    results = []
    for _ in range(IMPUTATIONS):
        found = np.bincount(match, weights=completed(items, rates, rng), minlength=total) > 0
        results.append({f"m{i}": _result(i, found[i]) for i in np.flatnonzero(found | ruled)})
    return Completions(corpus_where(ruled, known.order), tuple(results), {})


def _result(match: int, won: bool) -> Readjudicated:
    """Return a match that a leak ends, or one whose leak was none: nobody knows how it went on."""
    possible = {Role.SEEKER} if won else {Role.SEEKER, Role.HOLDER}
    return Readjudicated(f"m{match}", Change.CENSORED, None, frozenset(possible), "")


def study(
    cell: Cell, known: World, true: tuple[Floats, Floats], rng: np.random.Generator
) -> tuple[list[bool], list[bool], list[float]]:
    """Return what holds the truth: shares of both modes; C and V of all, the gap; their widths."""
    modes = [played(known, cell, mode, rng) for mode in range(2)]
    found = completions_of(modes, cell, known, rng)
    shares = [
        one.interval is not None and value in one.interval
        for one, value in zip(imputed(found), true[0], strict=True)
    ]
    ratings = imputed_ratings(found, SCHEME)
    order = sorted(ratings, key=lambda one: (one.player == EVERYONE, one.rating, one.player))
    spans = [one.interval for one in order]
    held = [span is not None and value in span for span, value in zip(spans, true[1], strict=True)]
    return shares, held, [span.width if span else np.inf for span in spans]


@dataclass(frozen=True, slots=True)
class Coverage:
    """How one cell went: the lower of both modes, the lowest rating, the gap; median widths."""

    shares: float
    ratings: float
    gap: float
    rating_width: float
    gap_width: float


def coverage(cell: Cell, studies: int) -> Coverage:
    """Return how often the intervals of simulated studies hold the truth."""
    known = world(cell)
    true, rng = truth(known), np.random.default_rng([SEED, 9, GRID.index(cell)])
    rows = [study(cell, known, true, rng) for _ in range(studies)]
    shares, held, widths = (np.array([row[i] for row in rows]) for i in range(3))
    single, wide = held.mean(axis=0), np.median(widths, axis=0)
    return Coverage(
        shares=float(shares.mean(axis=0).min()),
        ratings=float(single[:-1].min()),
        gap=float(single[-1]),
        rating_width=float(np.median(wide[:-1])),
        gap_width=float(wide[-1]),
    )


def main(studies: int = 300) -> None:
    """Print a table, a row a cell of the grid."""
    print("| leaks | labels | matches won | C or V | mean gap | width of C or V | width of gap |")
    print("|---|---|---|---|---|---|---|")
    for cell in GRID:
        began = time.perf_counter()
        found = coverage(cell, studies)
        shares = (f"{100 * share:.1f}" for share in (found.shares, found.ratings, found.gap))
        widths = f"{found.rating_width:.0f}", f"{found.gap_width:.0f}"
        cells = [f"{cell.prevalence:.0%}", str(cell.labels), *shares, *widths]
        print("| " + " | ".join(cells) + " |", flush=True)
        print(f"{time.perf_counter() - began:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
