"""Specifications to be tried: which are possible, which cannot differ, and how many are tried.

A full factorial counts the same analysis many times over: a start moves no gap, a multiplier no
rating of AIDG-I. Each specification is therefore brought to one canonical form in which an axis
without effect stands at the base's level; what is no analysis at all is left out by a named rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations, product

import numpy as np

from audit.numbers.multiplier import Multiplier
from games.records import digest

from .axes import Axes
from .choices import Disqualification, Estimator, Experiment, Order
from .specification import CORRECTED, Specification

LIMIT = 100_000
"""Specifications up to which all are tried unless a number is given."""

# Fitted to all matches at once: no step, no start, no order, nothing to carry.
ORDER_FREE = frozenset(
    {
        Estimator.BRADLEY_TERRY,
        Estimator.WEIGHTED_BRADLEY_TERRY,
        Estimator.FIRTH,
        Estimator.DAVIDSON,
    }
)
# Those that know ties; the others would have to invent what one is.
WITH_TIES = frozenset({Estimator.ELO, Estimator.DAVIDSON, Estimator.GLICKO_2, Estimator.TRUE_SKILL})
# Those in which a match can count more or less than another.
WEIGHTED = frozenset({Estimator.ELO, Estimator.WEIGHTED_BRADLEY_TERRY})


class Rule(StrEnum):
    """Why a combination of choices is no analysis."""

    TIE_UNKNOWN = "the estimator knows no ties"
    NEEDS_TIE = "Davidson without ties is Bradley-Terry"
    UNWEIGHTED_UNKNOWN = "the estimator weighs no match, so that none can be unweighted"


@dataclass(frozen=True, slots=True)
class Grid:
    """What is tried, and what was left out on the way.

    Attributes
    ----------
    specifications : tuple of Specification
        Canonical and distinct, in a fixed order.
    weights : tuple of int
        How many combinations came to each; 0 for those that were added to look near the base.
    size : int
        Of the full factorial.
    drawn : int
        How many combinations were looked at.
    excluded : dict
        Rule to combinations that it left out.
    """

    specifications: tuple[Specification, ...]
    weights: tuple[int, ...]
    size: int
    drawn: int
    excluded: dict[Rule, int]

    @property
    def full(self) -> bool:
        """Whether every combination was looked at."""
        return self.drawn == self.size


def rule_against(spec: Specification) -> Rule | None:
    """Return why a combination is no analysis, or None if it is one."""
    tie = spec.disqualification is Disqualification.TIE
    if tie and spec.estimator not in WITH_TIES:
        return Rule.TIE_UNKNOWN
    if spec.estimator is Estimator.DAVIDSON and not tie:
        return Rule.NEEDS_TIE
    unweighted = spec.disqualification is Disqualification.UNWEIGHTED
    if unweighted and spec.estimator not in WEIGHTED:
        return Rule.UNWEIGHTED_UNKNOWN
    return None


def canonical(spec: Specification, base: Specification) -> Specification:
    """Return a specification with every axis that has no effect in it at the base's level."""
    still: set[str] = {"start"}  # everyone starts alike: no difference of ratings hangs on where
    first, second = _games(spec.experiment)
    if not second:
        # Davidson is there for ties: without any it is Bradley-Terry, and stays as it was asked.
        ties = spec.estimator is Estimator.DAVIDSON
        still |= {"multiplier", "scope", "clock", "lock_words"} | (
            set() if ties else {"disqualification"}
        )
    if not first:
        still |= {"declaration", "stating"}
    if not first and spec.order in (Order.MODE_A_FIRST, Order.MODE_B_FIRST):
        still.add("order")
    if spec.estimator in ORDER_FREE:
        still |= {"k", "order", "carry"}
    elif spec.estimator is not Estimator.ELO:
        still.add("k")
    if spec.estimator not in WEIGHTED or spec.multiplier is Multiplier.CONSTANT:
        still |= {"scope", "clock"}
    if spec.estimator not in WEIGHTED:
        still.add("multiplier")
    found = replace(spec, **{name: getattr(base, name) for name in still})
    unweighted = found.disqualification is Disqualification.UNWEIGHTED
    if unweighted and found.multiplier is Multiplier.CONSTANT:
        return replace(found, disqualification=Disqualification.HOLDER_WIN)
    return found


def _games(experiment: Experiment) -> tuple[bool, bool]:
    """Return whether AIDG-I and whether AIDG-II make the ratings."""
    return experiment is not Experiment.AIDG_II, experiment is not Experiment.AIDG_I


def grid_of(
    axes: Axes,
    base: Specification,
    rng: np.random.Generator,
    *,
    most: int | None = None,
    steps: int = 2,
) -> Grid:
    """Return what to try: every combination, or a number of them drawn evenly, and the base's near.

    Parameters
    ----------
    axes : Axes
    base : Specification
        One of them.
    rng : numpy.random.Generator
        Draws combinations where not all are tried.
    most : int, optional
        How many combinations to look at; all if they are no more than this, by default 100,000.
    steps : int
        On how many axes those may differ from the base that are looked at besides.
    """
    size, wanted = axes.size, LIMIT if most is None else most
    numbers: Iterable[int] = range(size)
    if size > wanted:
        numbers = rng.choice(size, size=wanted, replace=False).tolist()
    counts: Counter[Specification] = Counter()
    excluded: Counter[Rule] = Counter()
    drawn = 0
    for number in numbers:
        drawn += 1
        spec = Specification(**axes.at(number))
        rule = rule_against(spec)
        if rule is None:
            counts[with_draw(canonical(spec, base), axes.draws)] += 1
        else:
            excluded[rule] += 1
    for spec in near(axes, base, steps):
        counts.setdefault(canonical(spec, base), 0)
    ordered = sorted(counts, key=lambda spec: (spec != base, spec.signature))
    weights = tuple(counts[spec] for spec in ordered)
    return Grid(tuple(ordered), weights, size, drawn, {rule: excluded[rule] for rule in Rule})


def with_draw(spec: Specification, draws: Sequence[str]) -> Specification:
    """Return a specification under corrected labels with the one draw that falls to it.

    Its other choices decide which, by a digest: specifications are shared out among the draws, so
    that all draws together are as many as any one source, and each share sees them all.
    """
    if spec.verdicts != CORRECTED:
        return spec
    return replace(spec, verdicts=draws[int(digest(spec.signature)[:16], 16) % len(draws)])


def near(axes: Axes, base: Specification, steps: int = 2) -> Iterator[Specification]:
    """Yield the base and every possible specification that differs from it on few axes.

    The verdicts are turned alone, lest a run with many judges be little else.
    """
    yield base
    for count in range(1, steps + 1):
        for names in combinations(axes.turned, count):
            if count > 1 and "verdicts" in names:
                continue
            others = [[v for v in axes.single(n) if v != getattr(base, n)] for n in names]
            for levels in product(*others):
                spec = replace(base, **dict(zip(names, levels, strict=True)))
                if rule_against(spec) is None:
                    yield spec
