"""What the first screen of a HIDDEN SIGNAL page answers, from findings alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from audit.behaviour.findings import (
    AgentFindings,
    Detectable,
    Findings,
    Measure,
    Number,
    PairFindings,
    SeriesFindings,
    ShiftStanding,
    Test,
    Tested,
)
from audit.behaviour.measured import difference, over_replicates
from games.cohort import CohortKind
from games.cohort.signal import SignalCohort, SignalPlayer
from games.rules.hidden_signal_world import AGENTS, Agent
from games.series.records import SeriesKind

from .arms_race_tables import number_text, p_text, points, reason_text
from .numbers import listed
from .players import warning_of

BUILT_IN = (
    "Built-in agents played: programs that follow fixed rules, or change by one. "
    "Nothing on this page is about any language model."
)
SHIFT, ALTERNATION = "a shift: least corrected p", "alternation: corrected p"
_SAYS = {
    ShiftStanding.ARMS_RACE: "an arms race is shown",
    ShiftStanding.SHOWN: "a shift is shown, but no arms race",
    ShiftStanding.NOT_SHOWN: "neither a shift nor an arms race is shown",
    ShiftStanding.TOO_FEW: "neither a shift nor an arms race can be told from so few rounds",
}
_NOUN = {False: "condition", True: "conditions"}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is shown of the pair under one condition.

    Attributes
    ----------
    condition : str
    standing : str
    says : str
    facts : tuple of (str, str)
        Corrected p, effects, and what so many rounds could have shown.
    reasons : tuple of str
    """

    condition: str
    standing: str
    says: str
    facts: tuple[tuple[str, str], ...]
    reasons: tuple[str, ...]


def headline(findings: Findings) -> str:
    """Return in one plain sentence what is shown under which conditions."""
    mains = main_pairs(findings)
    clauses = []
    for standing in ShiftStanding:
        there = [
            f"“{pair.condition.value}”" for pair in mains if pair.conclusion.standing is standing
        ]
        if there:
            clauses.append(f"{_SAYS[standing]} under {_NOUN[len(there) > 1]} {listed(there)}")
    if not clauses:
        return "No main series has been played."
    said = "; ".join(clauses)
    so_far = "So far, in an unfinished run: " if findings.unfinished else ""
    return f"{so_far}{said[0].upper() if not so_far else said[0]}{said[1:]}."


def main_pairs(findings: Findings) -> list[PairFindings]:
    """Return the pair under study under each condition."""
    return [pair for pair in findings.pairs if pair.kind is SeriesKind.MAIN]


def warning_above(cohort: SignalCohort) -> str:
    """Return what must stand above every number of a run; blank where nothing must."""
    return BUILT_IN if cohort.kind is CohortKind.REFERENCE else warning_of(cohort)


def who_played(cohort: SignalCohort) -> str:
    """Return who sat where: the two players under study, and what each of them is."""
    one, two = cohort.players[:2]
    return (
        f"cohort {cohort.name}: {_what(one)} as agent one, {_what(two)} as agent two. "
        f"{cohort.description}"
    )


def _what(player: object) -> str:
    if isinstance(player, SignalPlayer):
        return f"{player.id} (built-in agent {player.agent.value})"
    assert hasattr(player, "id")
    assert hasattr(player, "model")
    return f"{player.id} (model {player.model})"


def verdicts(findings: Findings) -> tuple[Verdict, ...]:
    """Return what is shown under each condition, with what stands behind it."""
    return tuple(_verdict(pair, findings) for pair in main_pairs(findings))


def _verdict(pair: PairFindings, findings: Findings) -> Verdict:
    own = [one for one in findings.series if one.id in pair.series]
    void = sum(pair.void.values())
    counts = f"{pair.played:,} of {pair.planned:,} planned, {void} of them void"
    facts = [("rounds", counts), *_tests(pair)]
    for agent in AGENTS:
        facts += _effects(pair, own, agent)
        facts.append(_could(own, agent, pair))
    return Verdict(
        condition=pair.condition.value,
        standing=pair.conclusion.standing.value,
        says=pair.conclusion.says,
        facts=tuple(facts),
        reasons=pair.conclusion.reasons,
    )


def _tests(pair: PairFindings) -> list[tuple[str, str]]:
    """Return the least corrected p of shifts, and that of alternation."""
    race = [t for t in pair.tests if t.test is Test.ALTERNATION]
    shift = [t for t in pair.tests if t.test is not Test.ALTERNATION]
    found = []
    for name, tests in ((SHIFT, shift), (ALTERNATION, race)):
        made = [t for t in tests if t.adjusted is not None]
        if not made:
            reasons = sorted({reason_text(t.reason) for t in tests if t.reason})
            found.append((name, f"none ({'; '.join(reasons) or 'no test was made'})"))
            continue
        least = min(made, key=lambda t: (t.adjusted, t.test.value))
        whose = "" if least.agent is None else f" ({least.test.value}, {_player(pair, least)})"
        found.append((name, p_text(least.adjusted) + whose))
    return found


def _player(pair: PairFindings, test: Tested) -> str:
    assert test.agent is not None
    return pair.agents[test.agent].player


def _effects(
    pair: PairFindings, own: Sequence[SeriesFindings], agent: Agent
) -> list[tuple[str, str]]:
    """Return an agent's points by half, and by how much they changed."""
    found = pair.agents[agent]
    if len(found.halves) != len(AGENTS):
        return [(f"{found.player}, points a round", "none (fewer than two rounds)")]
    halves = [half.measures[Measure.REWARD] for half in found.halves]
    first, second = (number_text(half, n=False) for half in halves)
    changes = [_change(one.agents[agent]) for one in own if one.agents[agent].halves]
    change = number_text(over_replicates(changes), n=False)
    return [
        (f"{found.player}, change between halves", f"{change} points a round"),
        (f"{found.player}, first half, then second", f"{first}, then {second}"),
    ]


def _change(found: AgentFindings) -> Number:
    first, second = (half.measures[Measure.REWARD] for half in found.halves)
    return difference(second, first)


def _could(series: Sequence[SeriesFindings], agent: Agent, pair: PairFindings) -> tuple[str, str]:
    """Return the change of halves below which no test of one series shows 80 of 100."""
    head = f"{pair.agents[agent].player}, out of reach of any test"
    found = _detectable(series, agent)
    sizes = sorted(d.points for d in found if d.points is not None)
    if not sizes:
        reasons = sorted({d.reason for d in found if d.reason})
        return head, f"none ({'; '.join(reasons) or 'no series was played'})"
    span = points(sizes[0])
    span += f" to {points(sizes[-1])}" if points(sizes[-1]) != span else ""
    return head, f"a change between halves below {span} points a round, in 80 of 100 such series"


def _detectable(series: Iterable[SeriesFindings], agent: Agent) -> list[Detectable]:
    return [d for one in series for d in one.detectable if (d.agent, d.what) == (agent, "halves")]
