"""Whether the points of a series shift, series by series and over replicates, in one family.

All tests of one kind of series, agents by conditions by tests, are corrected together by Holm:
once series by series, and once with the p-values of independent replicates combined by Fisher's
method, which asks whether any replicate shifts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import chdtrc

from audit.numbers.shifts.blocks import block_means, blocks_of
from audit.numbers.shifts.change_points import change_points, null_penalty
from audit.numbers.shifts.detector import MIN_SIZE, Answer, Detection, Part, Series, detect
from audit.numbers.shifts.detector import Tested as Found
from audit.numbers.shifts.multiplicity import Correction, adjusted
from audit.numbers.shifts.noise import long_run_scale
from audit.numbers.shifts.reach import smallest_shift
from audit.numbers.shifts.signature import source_rule, source_rule_rate
from games.rules.hidden_signal_world import AGENTS, Agent

from .findings import Detectable, SourceRule, Test, Tested
from .played_series import PlayedSeries

LEVEL = 0.05
FEW_ROUNDS = 50  # of fewer the correlation of neighbours is not known well enough to be taken off
_TESTS = {
    Part.CHANGE: Test.CHANGE,
    Part.TREND: Test.TREND,
    Part.HALVES: Test.HALVES,
    Part.SIGNATURE: Test.ALTERNATION,
}


@dataclass(frozen=True, slots=True)
class SeriesTests:
    """What the tests of one series say.

    Attributes
    ----------
    tests : tuple of Tested
        Agent one's, agent two's, and last that of alternation.
    source_rule : SourceRule
    detectable : tuple of Detectable
    blocks, needed : int
        Blocks with a round that is not void, and how many there must be for any test to show
        anything in this family.
    """

    tests: tuple[Tested, ...]
    source_rule: SourceRule
    detectable: tuple[Detectable, ...]
    blocks: int
    needed: int

    @property
    def too_few(self) -> bool:
        """Whether no series of so many blocks could be called shifted."""
        return self.blocks < self.needed


def tests_of(series: Sequence[PlayedSeries]) -> dict[str, SeriesTests]:
    """Return the tests of series that are one family, by id."""
    prepared = [_agents(one) for one in series]
    found = detect([part for parts in prepared for part in parts], level=LEVEL)
    family = sum(not math.isnan(test.test.p) for each in found for test in each.tested)
    return {
        one.series.id: _series_tests(one, prepared[i], found[2 * i : 2 * i + 2], max(1, family))
        for i, one in enumerate(series)
    }


def _agents(one: PlayedSeries) -> tuple[Series, Series]:
    """Return both agents' points; the advantage stands with agent one alone, to be tested once."""
    played = np.array([not row.void for row in one.rows[Agent.ONE]], dtype=np.bool_)
    labels = blocks_of(len(played), one.checkpoint)[played]
    first, second = (
        np.array([float(row.reward) for row in one.rows[agent] if row.reward is not None])
        for agent in AGENTS
    )
    return Series(first, labels, second), Series(second, labels)


def _series_tests(
    one: PlayedSeries, parts: tuple[Series, Series], found: Sequence[Detection], family: int
) -> SeriesTests:
    tests, race = list[Tested](), list[Tested]()
    for agent, detection in zip(AGENTS, found, strict=True):
        for test in detection.tested:
            both = test.part is Part.SIGNATURE
            at = _places(one, detection) if test.part is Part.CHANGE and test.detected else ()
            (race if both else tests).append(_tested(test, None if both else agent, at))
    advantage, against = parts[0].values, parts[0].against
    assert against is not None
    means = block_means(advantage - against, parts[0].blocks).means
    too_few = found[0].answer is Answer.TOO_FEW
    needed = found[0].needed
    return SeriesTests(
        tests=(*tests, *race),
        source_rule=source_rule_of(means.tolist()),
        detectable=_detectable(parts, found, family, needed if too_few else 0),
        blocks=len(means),
        needed=needed,
    )


def _tested(found: Found, agent: Agent | None, at: tuple[int, ...]) -> Tested:
    test = found.test
    known = not math.isnan(test.p)
    return Tested(
        test=_TESTS[found.part],
        agent=agent,
        statistic=None if math.isnan(test.statistic) else test.statistic,
        p=test.p if known else None,
        adjusted=found.adjusted_p if known else None,
        shown=found.detected,
        at=at,
        n=test.counts_in,
        method=test.method,
        reason="" if test.reason is None else test.reason.value,
    )


def _places(one: PlayedSeries, found: Detection) -> tuple[int, ...]:
    """Return the last rounds before the change points of an agent's points."""
    assert found.changes is not None
    places = found.changes.places
    if not places:  # Holm's later steps ask less than the penalty of the whole family does
        penalty = null_penalty(len(found.means), min_size=MIN_SIZE, level=LEVEL)
        places = change_points(found.means.means, penalty=penalty, min_size=MIN_SIZE).places
    numbers = [row.number for row in one.rows[Agent.ONE] if not row.void]
    return tuple(numbers[int(found.means.starts[place])] - 1 for place in places)


def source_rule_of(advantage: Sequence[float]) -> SourceRule:
    """Return what the post's rule says of block means, and how often it would say so of chance.

    Parameters
    ----------
    advantage : sequence of float
        Agent one's mean less agent two's, in order of the blocks.
    """
    rule, n = source_rule(advantage), len(advantage)
    above, below = (sum(sign * one > 0 for one in advantage) for sign in (1, -1))
    # Of all orders of so many signs, two have a single change.
    by_order = 1.0 - 2.0 / math.comb(above + below, above) if above and below else 0.0
    return SourceRule(
        changes=rule.alternations,
        runs=rule.runs,
        detected=rule.fires,
        by_chance=source_rule_rate(n),
        by_order=by_order if n > 1 else None,
    )


def _detectable(
    parts: Sequence[Series], found: Sequence[Detection], family: int, needed: int
) -> tuple[Detectable, ...]:
    size = len(parts[0].values)
    few = f"no test shows anything of fewer than {needed} blocks"
    rows = []
    for agent, detection in zip(AGENTS, found, strict=True):
        halves, reason = _smallest(size, detection.scale, LEVEL / family)
        rows.append(
            Detectable(
                agent=agent,
                what="halves",
                points=None if needed else halves,
                tests=family,
                n=size,
                reason=few if needed else reason,
            )
        )
        scale = _scale(parts[AGENTS.index(agent)].values, detection.scale)
        rows.append(_of_means(agent, "mean", scale, size))
    apart = parts[0].values - parts[1].values
    gap = _scale(apart, long_run_scale(apart))
    return (*rows, _of_means(Agent.ONE, "agents", gap, size))


def _scale(values: npt.NDArray[np.float64], long_run: float) -> float:
    """Return the noise of a round: of few rounds no less than their standard deviation.

    Neighbours of a few independent rounds correlate below zero by chance as often as above; taken
    at its word, that would shrink the noise.
    """
    if not 2 <= len(values) < FEW_ROUNDS:
        return long_run
    return max(long_run, float(np.std(values, ddof=1)))


def _of_means(agent: Agent, what: Literal["mean", "agents"], scale: float, size: int) -> Detectable:
    """Return the least that is shown of a mean, known twice as well as a difference of halves."""
    points, reason = _smallest(size, scale, LEVEL)
    half = None if points is None else points / 2
    return Detectable(agent=agent, what=what, points=half, tests=1, n=size, reason=reason)


def _smallest(size: int, scale: float, level: float) -> tuple[float | None, str]:
    if size < 3:
        return None, "fewer than three rounds are not void"
    if scale == 0.0:
        return None, "no two rounds differ, so that their noise is not known"
    return smallest_shift(size, scale, level=level), ""


def pooled_tests(
    pairs: Mapping[str, Sequence[SeriesTests]],
) -> dict[str, tuple[Tested, ...]]:
    """Return the tests of pairs that are one family, over their replicates.

    Parameters
    ----------
    pairs : mapping of str to sequence of SeriesTests
        A pair's key to its replicates.

    Returns
    -------
    dict
        In the order of each series' own tests.
    """
    combined = {
        key: [_combined(alike) for alike in zip(*(one.tests for one in found), strict=True)]
        for key, found in pairs.items()
    }
    flat = [math.nan if t.p is None else t.p for tests in combined.values() for t in tests]
    corrected = adjusted(flat, Correction.HOLM).p.tolist()
    results = {}
    for key, tests in combined.items():
        own, corrected = corrected[: len(tests)], corrected[len(tests) :]
        results[key] = tuple(_corrected(test, p) for test, p in zip(tests, own, strict=True))
    return results


def _combined(alike: Sequence[Tested]) -> Tested:
    if len(alike) == 1:
        return alike[0]
    known = sorted(test.p for test in alike if test.p is not None)
    first = alike[0]
    return Tested(
        test=first.test,
        agent=first.agent,
        statistic=None,
        p=fisher(known) if known else None,
        n=sum(test.n for test in alike),
        method=f"{first.method}; Fisher over {len(known)} of {len(alike)} replicates",
        reason="" if known else first.reason,
    )


def fisher(p_values: Sequence[float]) -> float:
    """Return Fisher's combined p-value of independent tests; 0 where one of them is.

    References
    ----------
    Fisher, Statistical Methods for Research Workers, 4th edition (1932), 21.1.
    """
    if min(p_values) == 0.0:
        return 0.0
    statistic = -2.0 * math.fsum(math.log(p) for p in p_values)
    return float(chdtrc(2 * len(p_values), statistic))


def _corrected(test: Tested, p: float) -> Tested:
    shown = not math.isnan(p) and p <= LEVEL
    update = {
        "adjusted": None if math.isnan(p) else p,
        "shown": shown,
        "at": test.at if shown else (),
    }
    return test.model_copy(update=update)
