"""What a claim compares: the counts behind its printed rates, and the question put to them.

A claim is taken by its own method and printed counts. One that states the rounding of a count over
a printed number of trials is a share of these. Claims about anything else (ratings, lengths, words)
hold no rates, and claims that nothing would draw anew are no samples; both are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from .claims.claim import Claim
from .claims.file import Claims
from .claims.jointly import system_of
from .claims.region import Region, read_region
from .claims.words import Cluster
from .numbers.estimate import Estimate, PValue
from .numbers.homogeneity import homogeneity, trend
from .numbers.independence import fisher, pooled_z
from .numbers.odds import OddsInterval, odds_ratio, risk_ratio
from .numbers.proportion import difference, proportion
from .printed.counts import count_from_percent
from .printed.inputs import Shape, read_input, values_of
from .printed.method import Method
from .printed.methods import bind
from .printed.rounding import Comparator
from .printed.shares import rows_of
from .printed.system.statement import Printed
from .printed.whatif import WhatIf


class Compared(StrEnum):
    """What is made of the counts: an estimate with its interval, or a test of equal rates."""

    SHARE = "share"
    DIFFERENCE = "difference"
    ODDS_RATIO = "odds ratio"
    RISK_RATIO = "risk ratio"
    FISHER = "Fisher's test"
    POOLED_Z = "chi-square test"
    HOMOGENEITY = "test of several rates"
    TREND = "test of a trend"


METHODS: Mapping[Method, Compared] = {
    Method.PROPORTION: Compared.SHARE,
    Method.PROPORTION_DIFFERENCE: Compared.DIFFERENCE,
    Method.ODDS_RATIO: Compared.ODDS_RATIO,
    Method.RISK_RATIO: Compared.RISK_RATIO,
    Method.FISHER_P: Compared.FISHER,
    Method.CHI_SQUARE: Compared.POOLED_Z,
    Method.CHI_SQUARE_P: Compared.POOLED_Z,
    Method.POOLED_Z: Compared.POOLED_Z,
    Method.POOLED_Z_P: Compared.POOLED_Z,
    Method.HOMOGENEITY: Compared.HOMOGENEITY,
    Method.HOMOGENEITY_P: Compared.HOMOGENEITY,
    Method.TREND_Z: Compared.TREND,
    Method.TREND_P: Compared.TREND,
}

# Of more games Fisher's test takes long, and its power is that of the chi-square test to a point.
MOST_EXACT = 500

Counts = tuple[int, ...]
Positions = tuple[float, ...]


def _table(k: Counts, n: Counts) -> list[list[int]]:
    return [[won, played - won] for won, played in zip(k, n, strict=True)]


# As the audit of a run makes them, so that a plan speaks of the interval that will be seen.
ESTIMATES: Mapping[Compared, Callable[[Counts, Counts, float], Estimate]] = {
    Compared.SHARE: lambda k, n, level: proportion(k[0], n[0], level=level),
    Compared.DIFFERENCE: lambda k, n, level: difference(k[0], n[0], k[1], n[1], level=level),
    Compared.ODDS_RATIO: lambda k, n, level: odds_ratio(
        _table(k, n), interval=OddsInterval.WOOLF, level=level
    ),
    Compared.RISK_RATIO: lambda k, n, level: risk_ratio(_table(k, n), level=level),
}
TESTS: Mapping[Compared, Callable[[Counts, Counts, Positions], PValue]] = {
    Compared.FISHER: lambda k, n, _: (
        fisher(_table(k, n)) if sum(n) <= MOST_EXACT else pooled_z(k[0], n[0], k[1], n[1])
    ),
    Compared.POOLED_Z: lambda k, n, _: pooled_z(k[0], n[0], k[1], n[1]),
    Compared.HOMOGENEITY: lambda k, n, _: homogeneity(k, n),
    Compared.TREND: lambda k, n, positions: trend(k, n, positions or None),
}
# Where a width is one in points of a share; a ratio has none.
IN_POINTS = frozenset({Compared.SHARE, Compared.DIFFERENCE})


@dataclass(frozen=True, slots=True)
class Question:
    """A claim about rates, with the counts that its print holds.

    Attributes
    ----------
    claim : Claim
    compared : Compared
    successes, sizes : tuple of int
        One each a sample.
    positions : tuple of float
        Of the samples along which a trend is sought; empty where they follow one another.
    part : str
        Which of the claim's rates are compared, where it is not the claim's own number.
    """

    claim: Claim
    compared: Compared
    successes: Counts
    sizes: Counts
    positions: Positions = ()
    part: str = ""

    @property
    def rates(self) -> tuple[float, ...]:
        """The printed rates."""
        return tuple(k / n for k, n in zip(self.successes, self.sizes, strict=True))

    @property
    def asks(self) -> bool:
        """Whether a number of games could answer it: a ratio without a region asks nothing."""
        return self.compared in TESTS or self.compared in IN_POINTS or self.region is not None

    @property
    def figures(self) -> tuple[object, ...]:
        """All that its power hangs on."""
        return self.compared, self.successes, self.sizes, self.positions, self.region

    @property
    def region(self) -> Region | None:
        """Where the estimate must lie; None for a test, whose rates must differ, or without one."""
        tests = self.compared in TESTS or self.claim.region is None
        return None if tests else read_region(str(self.claim.region))


def questions(claims: Claims) -> tuple[Question, ...]:
    """Return the questions that a file's claims put to counts, in the order of the file.

    After a claim come its ``rates``: several rates that are said to matter for it, such as those
    of its single cells, and whether they differ; along positions it is a trend, which a claim
    states itself.

    Raises
    ------
    StudyError
        If a `states` or the inputs of a change cannot be read.
    """
    stated = {one.id: one.printed for one in system_of(claims).statements}
    found: list[Question] = []
    for claim in claims.claim:
        question = _question(claim, claims, stated.get(claim.id))
        found += [] if question is None or not question.asks else [question]
        found += _several_rates(claim, claims)
    return tuple(found)


def _several_rates(claim: Claim, claims: Claims) -> list[Question]:
    found = []
    for entry in claims.what_if:
        spec = entry.spec
        if entry.claim != claim.id or spec["change"] != WhatIf.RATES or "positions" in spec:
            continue
        successes, sizes = rows_of(_column(spec["k"], claims), _column(spec["n"], claims))
        kept = tuple(successes), tuple(sizes)
        part = entry.about or f"{len(sizes)} rates"
        found.append(Question(claim, Compared.HOMOGENEITY, *kept, part=part))
    return found


def _column(raw: object, claims: Claims) -> Any:
    return values_of(read_input(Shape.NUMBERS, raw, claims.tables))


def _question(claim: Claim, claims: Claims, stated: Printed | None) -> Question | None:
    if claim.cluster is Cluster.NONE:
        return None
    if claim.recompute is not None and claim.recompute["method"] in METHODS:
        compared = METHODS[Method(claim.recompute["method"])]
        read = bind(claim.recompute, claims.tables).inputs
        return _from_inputs(claim, compared, {name: values_of(one) for name, one in read.items()})
    return None if stated is None else _from_share(claim, stated)


def _from_inputs(claim: Claim, compared: Compared, inputs: Mapping[str, Any]) -> Question:
    if "k" in inputs:
        successes, sizes = _whole(inputs["k"]), _whole(inputs["n"])
    else:
        successes = _whole((inputs["k1"], inputs["k2"]))
        sizes = _whole((inputs["n1"], inputs["n2"]))
    positions = inputs.get("positions", ())
    return Question(claim, compared, successes, sizes, _floats(positions))


def _floats(values: Any) -> Positions:
    return tuple(float(value) for value in values)


def _whole(values: Any) -> Counts:
    return tuple(int(value) for value in (values if isinstance(values, tuple) else (values,)))


def _from_share(claim: Claim, stated: Printed) -> Question | None:
    """Return the question of a printed share whose number of trials is printed too."""
    under, number = stated.ratio.denominator, stated.number
    trials = under.constant
    if under.terms or trials.denominator != 1 or trials < 2:
        return None
    if number.comparator is not Comparator.EQUAL or number.value > 1:
        return None
    try:
        successes = count_from_percent(number, int(trials))
    except ValueError:  # no whole number prints so, or several do
        return None
    return Question(claim, Compared.SHARE, (successes,), (int(trials),))
