"""What tests come to, in one standing and plain sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from games.rules.hidden_signal_world import Agent

from .findings import (
    Conclusion,
    Detectable,
    PairFindings,
    SeriesFindings,
    ShiftStanding,
    SourceRule,
    Test,
    Tested,
)
from .tested import SeriesTests


def conclusion_of(
    tests: Sequence[Tested],
    replicates: Sequence[SeriesTests],
    *,
    played: int,
    planned: int,
    void: int,
) -> Conclusion:
    """Return what tests show of a series, or of a pair over its replicates.

    Parameters
    ----------
    tests : sequence of Tested
        Corrected.
    replicates : sequence of SeriesTests
        Those of each replicate; of a series its own alone.
    played, planned, void : int
        Rounds.
    """
    shown = [test for test in tests if test.shown]
    standing = _standing(shown, replicates)
    return Conclusion(
        standing=standing,
        says=_says(standing, shown, replicates, played, void),
        reasons=(*_reasons(tests, replicates), *_counts(played, planned, void)),
    )


def _standing(shown: Sequence[Tested], replicates: Sequence[SeriesTests]) -> ShiftStanding:
    if any(test.test is Test.ALTERNATION for test in shown):
        return ShiftStanding.ARMS_RACE
    if shown:
        return ShiftStanding.SHOWN
    if all(one.too_few for one in replicates):
        return ShiftStanding.TOO_FEW
    return ShiftStanding.NOT_SHOWN


def _says(
    standing: ShiftStanding,
    shown: Sequence[Tested],
    replicates: Sequence[SeriesTests],
    played: int,
    void: int,
) -> str:
    if standing is ShiftStanding.TOO_FEW:
        if played == void:
            return _unplayed(played)
        blocks, needed = max(one.blocks for one in replicates), replicates[0].needed
        return (
            f"{_many(played, 'round')} {'is' if played == 1 else 'are'} too few to show anything: "
            f"of a series of "
            f"{_many(blocks, 'block')} no test here can show a shift, of one of {needed} some can."
        )
    if standing is ShiftStanding.NOT_SHOWN:
        return "No shift of either agent's points is shown, and no arms race."
    if standing is ShiftStanding.ARMS_RACE:
        return "An arms race is shown: the advantage changes sides to and fro."
    named = _listed(f"agent {t.agent.value} ({t.test.value})" for t in shown if t.agent)
    return f"A shift of points is shown for {named}; an arms race is not."


def _unplayed(played: int) -> str:
    if not played:
        return "No round has been played."
    return (
        f"All of {_many(played, 'round')} void: in each an agent's reply held no action after "
        "every re-ask, so that nobody has points and nothing can be told."
    )


def _reasons(tests: Sequence[Tested], replicates: Sequence[SeriesTests]) -> list[str]:
    made = [test for test in tests if test.adjusted is not None]
    said = []
    if made:
        least = min(made, key=_first)
        said.append(
            f"The least corrected p is {least.adjusted:.3g}, of {_name(least)}, over "
            f"{_many(len(made), 'test')} here."
        )
    for test in tests:
        if test.shown and test.at:
            where = _listed(str(number) for number in test.at)
            said.append(f"{_name(test)[:1].upper()}{_name(test)[1:]}: after round {where}.")
    lacking = [test for test in tests if test.adjusted is None]
    if lacking:
        why = _listed(sorted({f"{test.test.value} ({test.reason})" for test in lacking}))
        said.append(f"Not tested: {why}.")
    if any(one.too_few for one in replicates) and not all(one.too_few for one in replicates):
        few = sum(one.too_few for one in replicates)
        said.append(f"Of {len(replicates)} replicates {few} could not have shown a shift alone.")
    alone = [one for one in replicates if len(replicates) == 1 and one.blocks > 1]
    return [*said, *(_rule(one.source_rule) for one in alone)]


def _first(test: Tested) -> tuple[float, bool, str, str]:
    """Order tests by p; of equal ones a shift stands before alternation."""
    assert test.adjusted is not None
    race = test.test is Test.ALTERNATION
    return test.adjusted, race, test.test.value, str(test.agent)


def _rule(rule: SourceRule) -> str:
    says = "would call this a race" if rule.detected else "would not call this a race"
    return (
        f"The post's rule {says}: {_many(rule.changes, 'change')} of side; of fair coins it would "
        f"call {rule.by_chance:.1%} one."
    )


def _counts(played: int, planned: int, void: int) -> list[str]:
    said = []
    if played < planned:
        said.append(f"Unfinished: {played} of {planned} rounds have been played.")
    if void:
        said.append(f"{_many(void, 'round')} of them void: left out, and no zeros.")
    return said


def can_show(pairs: Iterable[PairFindings], series: Iterable[SeriesFindings]) -> tuple[str, ...]:
    """Return what so many rounds can and cannot show, from their own noise."""
    by_id = {one.id: one for one in series}
    return tuple(
        line for pair in pairs for line in _pair_can([by_id[name] for name in pair.series], pair)
    )


def _pair_can(series: Sequence[SeriesFindings], pair: PairFindings) -> list[str]:
    first = max(series, key=lambda one: one.played)
    head = f"Condition {pair.condition.value}, {_many(first.played, 'round')} a series: "
    found = {(d.agent, d.what): d for d in first.detectable}
    said = []
    halves = [one for one in found.values() if one.what == "halves" and one.points is not None]
    if pair.conclusion.standing is ShiftStanding.TOO_FEW:
        said.append(
            f"{head}no trend, no change point and no arms race can be shown, whatever happened."
        )
    elif halves:
        said.append(
            f"{head}no test could show in 80 of 100 such series a change between halves below "
            f"{_listed(_could(one) for one in halves)}. The tests made here need more: by "
            "simulation 1.7 times as much of 20 blocks of 50 rounds, and still more of fewer."
        )
    return [*said, *_seen(head, found)]


def _seen(head: str, found: Mapping[Any, Detectable]) -> list[str]:
    """Return what could be seen of means, as far as the noise is known."""
    means = [one for one in found.values() if one.what == "mean" and one.points is not None]
    gap, could = found[Agent.ONE, "agents"], list[str]()
    if means:
        could.append(
            "that mean points are off a known number, such as what guessing at once is worth, by "
            + _listed(_could(one) for one in means)
        )
    if gap.points is not None:
        could.append(f"that the agents' means lie {_points(gap)} apart")
    if not could:
        return [f"{head}of means nothing can be said: {gap.reason}."]
    seen = ", or ".join(could)
    return [f"{head}what could be seen in 80 of 100 such series, by their own noise: {seen}."]


def _could(one: Detectable) -> str:
    return f"{_points(one)} for agent {one.agent.value}"


def _points(one: Detectable) -> str:
    return f"{one.points:.1f} points a round"


def _name(test: Tested) -> str:
    return test.test.value if test.agent is None else f"{test.test.value} of agent {test.agent}"


def _many(count: int, thing: str) -> str:
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def _listed(things: Iterable[str]) -> str:
    *most, last = list(things)
    return f"{', '.join(most)} and {last}" if most else last
