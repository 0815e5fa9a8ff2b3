"""Samples of corpora under every way to give up printed numbers, each sample checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import pandas as pd

from games.errors import AidgError

from .chain import Chains
from .check import Checker
from .dealt import Dealt, deal
from .diagnosis import mixing
from .drops import Ways, ways_to_drop
from .layout import Ints
from .margins import Margins
from .parts import parts_of
from .start import starts
from .target import Target

CHAINS = 8
"""Ladders of chains that sample one part under one way."""
FEWEST = 4
"""Draws of a chain without which nothing can be said of its mixing."""
_STARTS = 4
# Looks before the first draw; steps between two looks at all ways of a part together, and at one.
BURNT, _EFFORT, _THIN = 6, 2_400, (200, 1_000)


class Unsound(AidgError):  # noqa: N818 — a word for what a corpus is
    """A sampled corpus breaks what it was sampled under: a fault of ours, never a finding."""


@dataclass(frozen=True, slots=True, eq=False)
class Sampled:
    """Corpora that satisfy all margins but those given up.

    Attributes
    ----------
    dropped : tuple of str
        Printed numbers that are given up.
    dealt : Dealt
    checked : int
        How many of them were counted anew and found to satisfy everything kept: all.
    """

    dropped: tuple[str, ...]
    dealt: Dealt
    checked: int

    @property
    def name(self) -> str:
        """The level of the axis: what is given up, joined by plus signs."""
        return " + ".join(self.dropped) or "nothing"


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """Samples under every way.

    Attributes
    ----------
    margins : Margins
    parts : tuple of Margins
    ways : tuple of Ways
        Of each part.
    sampled : tuple of Sampled
        One for every choice of a way in each part.
    chains : int
        Corpora come chain by chain: those of one chain stand together, in the order of drawing.
    mixing : DataFrame
        One row a part, way and count: R-hat and effective sample size.
    """

    margins: Margins
    parts: tuple[Margins, ...]
    ways: tuple[Ways, ...]
    sampled: tuple[Sampled, ...]
    chains: int
    mixing: pd.DataFrame


def sample(
    margins: Margins, samples: int, rng: np.random.Generator, known: Sequence[Ways] | None = None
) -> Samples:
    """Return samples of corpora under every way to give up printed numbers.

    Parameters
    ----------
    margins : Margins
    samples : int
        Corpora a way, rounded up to whole draws of all chains.
    rng : numpy.random.Generator
    known : sequence of Ways, optional
        Those of each part, where they were found before.

    Raises
    ------
    Unsearched
        If a search is given up.
    Unsound
        If a corpus does not satisfy what is kept.
    """
    draws = draws_for(samples)
    parts = parts_of(margins)
    ways = tuple(map(ways_to_drop, parts) if known is None else known)
    drawn: list[dict[tuple[str, ...], Ints]] = []
    rows: list[dict[str, object]] = []
    for number, (part, found) in enumerate(zip(parts, ways, strict=True)):
        drawn.append({})
        for way in found.ways:
            states = _drawn(part, way, draws, strides(len(found.ways)), rng)
            rows += _mixed(number, part, way, states)
            drawn[number][way] = states.reshape(len(states) * draws, -1)
    sampled = []
    for choice in product(*(found.ways for found in ways)):
        endings = whole(margins, parts, [drawn[n][way] for n, way in enumerate(choice)])
        dropped = tuple(id for way in choice for id in way)
        sampled.append(_checked(margins, dropped, deal(margins.layout, endings, rng)))
    return Samples(margins, parts, ways, tuple(sampled), CHAINS, pd.DataFrame(rows))


def draws_for(samples: int) -> int:
    """Return how often each chain is drawn from, so that there are as many samples or more."""
    return max(FEWEST, -(-samples // CHAINS))


def strides(ways: int) -> int:
    """Return the steps between two looks, where a part has so many ways to give up numbers."""
    return min(max(_EFFORT // ways, _THIN[0]), _THIN[1])


def _drawn(
    part: Margins, way: tuple[str, ...], draws: int, thin: int, rng: np.random.Generator
) -> Ints:
    """Return states of shape (chains, draws, matches)."""
    first = starts(part, way, _STARTS, rng)
    chains = Chains(Target.of(part, way), np.repeat(first, CHAINS // _STARTS, axis=0), rng)
    chains.visits(BURNT, thin)
    return chains.visits(draws, thin)


def _mixed(
    number: int, part: Margins, way: tuple[str, ...], states: Ints
) -> list[dict[str, object]]:
    """Return how well every count has mixed that moves at all."""
    layout, rows = part.layout, []
    for name, weight in zip(layout.unknowns, layout.weight, strict=True):
        values = weight[layout.of_class, states].sum(axis=2).astype(np.float64)
        found = mixing(values)
        if np.ptp(values) > 0:
            rows.append(
                {"part": number, "dropped": " + ".join(way) or "nothing", "count": name}
                | {"r_hat": found.r_hat, "ess": found.ess, "poor": found.poor}
                | {"least": int(values.min()), "most": int(values.max())}
            )
    return rows


def whole(margins: Margins, parts: Sequence[Margins], states: Sequence[Ints]) -> Ints:
    """Return the states of all parts as states of the whole."""
    layout = margins.layout
    place = {match.id: at for at, match in enumerate(layout.matches)}
    found = np.empty((len(states[0]), len(layout.matches)), dtype=np.int64)
    for part, own in zip(parts, states, strict=True):
        ends = np.array([layout.endings.index(one) for one in part.layout.endings])
        found[:, [place[match.id] for match in part.layout.matches]] = ends[own]
    return found


def _checked(margins: Margins, dropped: tuple[str, ...], dealt: Dealt) -> Sampled:
    checker = Checker(margins, dropped)
    for row in range(len(dealt)):
        if faults := checker.broken(dealt.frame(row)):
            raise Unsound(f"a sampled corpus breaks {', '.join(faults)}")
    return Sampled(dropped, dealt, len(dealt))
