"""Headline numbers, as the arbiter's rulings give them and as people's labels correct them.

A number is undecided where the labels exclude next to nothing; it then has no interval, but the
number of labels that would do.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from audit.numbers.compared import bounds_of, difference_of, odds_ratio_of
from audit.numbers.estimate import Estimate, Interval
from audit.numbers.match_bounds import MatchBounds

from .judged import Corrected, Judged, correct

# An interval wider than three quarters of all that a share or a difference can be says next to
# nothing …
WIDEST = 0.75
# … and so does one of an odds ratio that reaches more than a hundredfold to either side.
FARTHEST = 10_000.0
# How many times the labels a forecast tries, and no more.
FACTORS = (1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0, 48.0, 64.0)


class Scale(StrEnum):
    """What values a number can take: 0 to 1, -1 to 1, or 0 to infinity."""

    SHARE = "share"
    DIFFERENCE = "difference"
    ODDS_RATIO = "odds ratio"


@dataclass(frozen=True, slots=True)
class Figure:
    """One headline number.

    Attributes
    ----------
    estimand : str
    arbiter : Estimate
        As the arbiter ruled.
    people : Estimate or None
        From people's labels alone; None where single items say nothing of it.
    least, most : Estimate
        Corrected, one and the same unless labels of items only bound the number.
    interval : Interval
        Of both, with the error of the arbiter, the labels and the draw of matches.
    scale : Scale
    needed : int or None
        Labels that would decide it, if they said the same; None where it is decided, or where
        64 times as many would not do.
    bound : bool
        Whether labels of items only bound the number.
    """

    estimand: str
    arbiter: Estimate
    people: Estimate | None
    least: Estimate
    most: Estimate
    interval: Interval
    scale: Scale = Scale.SHARE
    needed: int | None = None
    bound: bool = False

    @property
    def decided(self) -> bool:
        """Whether the labels exclude enough for an interval to be shown."""
        low, high = self.interval.low, self.interval.high
        if not (self.least.defined and self.most.defined):
            return False
        if self.scale is Scale.ODDS_RATIO:
            return low > 0.0 and high <= FARTHEST * low
        return high - low <= WIDEST * (2.0 if self.scale is Scale.DIFFERENCE else 1.0)

    @property
    def standing(self) -> str:
        """What the labels come to: ``corrected``, ``bounded``, or ``undecided``."""
        if not self.decided:
            return "undecided"
        return "bounded" if self.bound else "corrected"


def estimands_of(figure: Figure) -> tuple[str, ...]:
    """Return under which names a figure stands among a run's estimates, its bounds last."""
    name = f"corrected.{figure.estimand}"
    return (name, f"{name}.least", f"{name}.most") if figure.bound else (name,)


def figures_of_modes(first: Corrected, second: Corrected) -> tuple[Figure, ...]:
    """Return the figures of two modes and of their comparison, without a forecast of labels.

    Parameters
    ----------
    first, second : Corrected
        Mode A and mode B.
    """
    figures = [*_of_part(first, ".mode_a"), *_of_part(second, ".mode_b")]
    for name, compare, scale in (
        ("risk_difference", difference_of, Scale.DIFFERENCE),
        ("odds_ratio", odds_ratio_of, Scale.ODDS_RATIO),
    ):
        leaks = compare(first.items, second.items)
        figures.append(
            Figure(
                f"{name}.leaks.modes",
                compare(first.arbiter, second.arbiter),
                compare(first.people, second.people),
                leaks,
                leaks,
                leaks.interval or Interval(-math.inf, math.inf, 0.95, "nothing known"),
                scale,
            )
        )
        won = bounds_of(compare, first.matches, second.matches)
        arbiter = compare(first.won, second.won)
        figures.append(bounded_figure(f"{name}.modes", arbiter, won, scale))
    return tuple(figures)


def figures(parts: Mapping[str, Judged]) -> tuple[Figure, ...]:
    """Return every figure of a run's AIDG-I matches, with the labels that each would need.

    Parameters
    ----------
    parts : mapping
        ``a``, ``b`` and ``all`` to the items of mode A, of mode B and of both.
    """
    return forecast(lambda factor: _all_figures(parts, factor), len(parts["all"].checked))


def forecast(make: Callable[[float], tuple[Figure, ...]], labels: int) -> tuple[Figure, ...]:
    """Return figures with the labels that each undecided one would need.

    Parameters
    ----------
    make : callable
        How many times the labels to the figures, if they said the same.
    labels : int
        Items that people labelled.
    """
    found = make(1.0)
    open_ones = {figure.estimand for figure in found if not figure.decided}
    needed = dict[str, int]()
    for factor in FACTORS:
        if not open_ones or not labels:
            break
        later = {figure.estimand: figure for figure in make(factor)}
        for name in [name for name in open_ones if later[name].decided]:
            needed[name] = math.ceil(factor * labels)
            open_ones.discard(name)
    return tuple(_with_need(figure, needed.get(figure.estimand)) for figure in found)


def _all_figures(parts: Mapping[str, Judged], factor: float) -> tuple[Figure, ...]:
    everything, first, second = (correct(parts[name], factor=factor) for name in ("all", "a", "b"))
    return (*_of_part(everything, ".aidg_i"), *figures_of_modes(first, second))


def _of_part(part: Corrected, suffix: str) -> tuple[Figure, ...]:
    items = part.items
    span = items.interval or Interval(0.0, 1.0, 0.95, "nothing known")
    return (
        Figure(f"share.leaks{suffix}", part.arbiter, part.people, items, items, span),
        bounded_figure(f"share.seeker{suffix}", part.won, part.matches),
    )


def bounded_figure(
    name: str, arbiter: Estimate, bounds: MatchBounds, scale: Scale = Scale.SHARE
) -> Figure:
    """Return a figure of matches that labels of items bound."""
    ends = bounds.least, bounds.most, bounds.interval
    return Figure(name, arbiter, None, *ends, scale, bound=True)


def _with_need(figure: Figure, needed: int | None) -> Figure:
    return figure if needed is None else replace(figure, needed=needed)
