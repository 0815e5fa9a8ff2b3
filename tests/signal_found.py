"""Findings of HIDDEN SIGNAL runs made by hand, for tests of what is said of them."""

from __future__ import annotations

from collections.abc import Sequence

from audit.behaviour.findings import (
    AgentFindings,
    Cell,
    Conclusion,
    Detectable,
    Exploited,
    Findings,
    Frozen,
    KnownAnswer,
    Measure,
    Number,
    OwnSets,
    PairFindings,
    Probed,
    SeriesFindings,
    ShiftStanding,
    SourceRule,
    Stretch,
    Test,
    Tested,
)
from games.rules.hidden_signal_choices import Neighbours
from games.rules.hidden_signal_world import AGENTS, Agent
from games.series.records import Condition, SeriesKind

ROUNDS = 50  # of a block


def number(value: float | None, half: float | None = 1.0, reason: str = "") -> Number:
    """Return a number with an interval of a half-width; none without one."""
    if value is None:
        return Number(value=None, n=0, reason=reason or "nothing was there")
    if half is None:
        return Number(value=value, n=ROUNDS, reason=reason or "one block")
    low, high = value - half, value + half
    return Number(value=value, low=low, high=high, n=ROUNDS, units=4, method="t over blocks")


def measured(reward: float | None) -> dict[Measure, Number]:
    """Return all measures, of which the reward is given."""
    shares = {measure: number(0.25, 0.05) for measure in Measure}
    return {**shares, Measure.REWARD: number(reward)}


def agent_found(player: str, blocks: Sequence[float | None]) -> AgentFindings:
    """Return an agent by its points a round in each block."""
    stretches = tuple(
        Stretch(
            first=at * ROUNDS + 1,
            last=(at + 1) * ROUNDS,
            version=at,
            measures=measured(value),
        )
        for at, value in enumerate(blocks)
    )
    halves: tuple[Stretch, ...] = ()
    if len(blocks) > 1:
        ends = (blocks[0], blocks[-1])
        halves = tuple(Stretch(first=1, last=2, measures=measured(value)) for value in ends)
    return AgentFindings(
        player=player,
        whole=measured(blocks[0] if blocks else None),
        blocks=stretches,
        halves=halves,
        faults={},
        re_asked={},
        notes=0,
        notes_failed=0,
        notes_cut=0,
    )


def a_test(what: Test, agent: Agent | None, p: float | None, *at: int) -> Tested:
    """Return a test, shown where its corrected p is at most 0.05."""
    return Tested(
        test=what,
        agent=agent,
        statistic=None if p is None else 1.5,
        p=p,
        adjusted=p,
        shown=p is not None and p <= 0.05,
        at=at,
        n=8,
        method="of tests",
        reason="too few blocks" if p is None else "",
    )


Blocks = Sequence[float | None]


def pair_found(
    one: Blocks = (1.0, 2.0, 3.0, 4.0),
    two: Blocks = (4.0, 3.0, 2.0, 1.0),
    *,
    condition: Condition = Condition.SELF,
    kind: SeriesKind = SeriesKind.MAIN,
    standing: ShiftStanding = ShiftStanding.NOT_SHOWN,
    p: float | None = 0.5,
    replicates: int = 1,
) -> tuple[PairFindings, tuple[SeriesFindings, ...]]:
    """Return a pair and its series, all replicates alike."""
    agents = {Agent.ONE: agent_found("ada", one), Agent.TWO: agent_found("ben", two)}
    ahead = tuple(None if a is None or b is None else a - b for a, b in zip(one, two, strict=True))
    tests = (
        a_test(Test.CHANGE, Agent.ONE, p, *([ROUNDS] if p is not None and p <= 0.05 else [])),
        a_test(Test.HALVES, Agent.TWO, p),
        a_test(Test.ALTERNATION, None, p),
    )
    says = Conclusion(standing=standing, says="A sentence.", reasons=("A reason.",))
    names = tuple(f"{kind.value}-{condition.name.lower()}-r{n + 1}" for n in range(replicates))
    counts = {"planned": ROUNDS * len(one), "played": ROUNDS * len(one), "void": {}}
    series = tuple(
        SeriesFindings(
            id=name,
            kind=kind,
            condition=condition,
            replicate=at + 1,
            **counts,
            drawn=0,
            agents=agents,
            advantage=ahead,
            tests=tests,
            source_rule=SourceRule(
                changes=2, runs=3, detected=True, by_chance=0.5, by_order=0.4 if one else None
            ),
            detectable=tuple(
                Detectable(agent=agent, what="halves", points=8.0 + at, tests=4, n=8)
                for agent in AGENTS
            ),
            conclusion=says,
        )
        for at, name in enumerate(names)
    )
    pair = PairFindings(
        kind=kind,
        condition=condition,
        series=names,
        **counts,
        agents=agents,
        advantage=ahead,
        tests=tests,
        conclusion=says,
    )
    return pair, series


def cell_found(one: Frozen, two: Frozen, kind: SeriesKind = SeriesKind.CROSS) -> Cell:
    """Return the rounds between two seats."""
    return Cell(
        kind=kind,
        condition=Condition.SELF,
        one=one,
        two=two,
        series=("a",),
        planned=ROUNDS,
        played=ROUNDS,
        void={},
        measures={Agent.ONE: measured(5.0), Agent.TWO: measured(2.0)},
    )


def snapshot(player: str, version: int) -> Frozen:
    """Return a snapshot of the main series."""
    return Frozen(player=player, series="main-self-r1", version=version, condition=Condition.SELF)


def exploited(agent: Agent, block: int, split: float | None, series: str) -> Exploited:
    """Return what could be gained on an agent in one block."""
    there = split is not None
    return Exploited(
        series=series,
        agent=agent,
        player="ada" if agent is Agent.ONE else "ben",
        first=block * ROUNDS + 1,
        last=(block + 1) * ROUNDS,
        versions=(block,),
        plug_in=split + 10 if split is not None else None,
        split=split,
        floor=split - 10 if split is not None else None,
        earned=1.0 if there else None,
        n=ROUNDS if there else 0,
        left_out=0,
        reason="" if there else "Fewer than two rounds have an outcome.",
    )


def findings(
    *pairs: tuple[PairFindings, tuple[SeriesFindings, ...]],
    unfinished: tuple[str, ...] = (),
    bare: bool = False,
) -> Findings:
    """Return findings of some pairs; bare without anything beside them."""
    own = tuple(one for _, series in pairs for one in series)
    gains = tuple(
        exploited(agent, block, 5.0 - block, one.id)
        for one in own
        for agent in AGENTS
        for block in range(len(one.advantage))
    )
    v0, v1 = snapshot("ada", 0), snapshot("ben", 1)
    random = Frozen(player="random")
    probe = Probed(
        who=v0,
        real=number(3.0),
        random=number(9.0),
        difference=number(-6.0),
        exploited=exploited(Agent.ONE, 0, None, "probe"),
    )
    known = KnownAnswer(
        series="main-self-r1",
        agent=Agent.ONE,
        players=("ada", "ben"),
        expected=2.0,
        observed=2.5,
        error=0.5,
        z=1.0,
        n=200,
    )
    return Findings(
        study="hidden_signal",
        cohort="by hand",
        seed=1,
        checkpoint=ROUNDS,
        unfinished=unfinished,
        said=("So many rounds show so much.",),
        pairs=tuple(pair for pair, _ in pairs),
        series=own,
        exploited=() if bare else gains,
        probed=() if bare else (probe,),
        fresh=() if bare else (cell_found(v0, random, SeriesKind.FRESH),),
        cross=() if bare else (cell_found(v0, v1), cell_found(v0, random)),
        known=() if bare else (known,),
        own_sets=OwnSets(
            neighbours=Neighbours.SWAPPED,
            hidden_bits=1.0,
            printed_bits=0.0,
            knows_the_rule=35.0,
            against={} if bare else {"main-self-r1": {Agent.ONE: 30.0, Agent.TWO: 31.0}},
            earned={} if bare else {"main-self-r1": {Agent.ONE: 5.0}},
            says="What a set tells.",
        ),
        account=(),
    )
