"""How often the detector of shifts sees one where there is none, and where there is one.

Points of scripted agents are those of rounds played by the rules, by fixed policies that look at
nothing but the round: some thousand rounds are played in every world and drawn from. Series without
a shift: the pairs as they are; an agent that switches between two policies by a coin of its own;
the opener alternating; the worlds going round; autoregressions; heavy tails; few rounds; three
replicates that are one family. A series counts as shifted where any test rejects at the familywise
5 % or where any change point is shown.

Series with a shift: the points of a scripted pair, and added to them a step at half time, a line,
or an advantage that changes sides every so many blocks.

Intervals: how often they hold the mean that the series was drawn from, a difference of halves of 0,
a slope of 0.

Run with ``python -m benchmarks.arms_race [--kinds all|worst|NAME ...] [--runs 1000]
[--processes 1]``: twenty minutes on one processor. Ends with 1 where a kind is beyond
what 65 of 1,000 allow, or where a planted shift is seen less often than 80 in 100.
"""

from __future__ import annotations

import argparse
import gc
import math
import multiprocessing
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from audit.numbers.shifts.blocks import blocks_of
from audit.numbers.shifts.detector import Answer, Detection, Part, Series, detect
from audit.numbers.shifts.intervals import replicate_mean, series_mean
from audit.numbers.shifts.orders import ALLOWED
from audit.numbers.shifts.signature import source_rule_rate
from games.builtin.signal_agents import POLICIES, drawn
from games.cohort.signal import SignalAgent
from games.rules.hidden_signal import HiddenSignal
from games.rules.hidden_signal_choices import Neighbours, Scoring, SignalChoices
from games.rules.hidden_signal_records import Act, RoundSetup
from games.rules.hidden_signal_world import Agent, World, worlds
from games.rules.schedule import seeded

from .table import table

SEED = 20261130
ALLOWED_OF_1000, POWER = 65, 0.8
RUNS, WORST_RUNS = 1_000, 100
PLAYED = 150
"""Rounds of each pair in each of the sixteen worlds that points are drawn from."""
WORLDS = worlds(Neighbours.SWAPPED)
LONG, SHORT, TEN = (1_000, 50), (200, 20), (10, 5)
"""Rounds and rounds a block."""
HONEST, BLUFF = SignalAgent.TRUTHFUL, SignalAgent.BLUFF
Drawn = tuple[np.ndarray, np.ndarray]
"""The two agents' points, shape (rounds,) each."""


@lru_cache
def points(one: SignalAgent, two: SignalAgent) -> np.ndarray:
    """Return points of rounds that two policies play, shape (worlds, rounds, agents)."""
    rng = seeded(SEED, "arms race", one.value, two.value)
    return np.array([[_round(one, two, world, rng) for _ in range(PLAYED)] for world in WORLDS])


def _round(
    one: SignalAgent, two: SignalAgent, world: World, rng: np.random.Generator
) -> tuple[int, int]:
    rules, policies = HiddenSignal(), {Agent.ONE: POLICIES[one], Agent.TWO: POLICIES[two]}
    setup = RoundSetup(id="r1", number=1, world=world, choices=SignalChoices(), scoring=Scoring())
    state = rules.begin(setup)
    while (mover := rules.mover(state)) is not None:
        action = drawn(policies[mover], rules.observation(state, mover), rng)
        state = rules.apply(state, Act(agent=mover, action=action))
    gained = state.points(Agent.ONE), state.points(Agent.TWO)
    assert gained[0] is not None
    assert gained[1] is not None
    return gained[0], gained[1]


def scripted(
    rounds: int,
    rng: np.random.Generator,
    one: np.ndarray,
    two: np.ndarray | None = None,
    *,
    stay: float = 1.0,
    world: np.ndarray | None = None,
) -> Drawn:
    """Return points of a pair, or of two between which a coin switches, in worlds by chance."""
    at = rng.integers(len(WORLDS), size=rounds) if world is None else world
    which = rng.integers(PLAYED, size=rounds)
    found = one[at, which]
    if two is not None:
        turns = np.cumsum(rng.random(rounds) >= stay) + rng.integers(2)
        found = np.where((turns % 2 == 1)[:, None], two[at, which], found)
    return found[:, 0].astype(np.float64), found[:, 1].astype(np.float64)


def autoregressive(rounds: int, rng: np.random.Generator, slope: float) -> Drawn:
    """Return two series with a deviation of 60 points and a mean of 0."""
    fresh = rng.standard_normal((2, rounds + 200)) * 60.0 * math.sqrt(1.0 - slope**2)
    for at in range(1, fresh.shape[1]):
        fresh[:, at] += slope * fresh[:, at - 1]
    return fresh[0, 200:], fresh[1, 200:]


def opening(rounds: int, rng: np.random.Generator) -> np.ndarray:
    """Return worlds whose opener alternates."""
    by_opener = [
        [at for at, world in enumerate(WORLDS) if world.opener is agent] for agent in Agent
    ]
    return np.array([rng.choice(by_opener[number % 2]) for number in range(rounds)])


@dataclass(frozen=True, slots=True)
class Kind:
    """Series of one kind without a shift."""

    draw: Callable[[int, np.random.Generator], Drawn]
    size: tuple[int, int] = LONG
    replicates: int = 1
    mean: Callable[[], float] | None = None
    """What agent one earns a round in the long run; None where it is not known."""


def _honest() -> np.ndarray:
    return points(HONEST, HONEST)


def _led() -> np.ndarray:
    return points(HONEST, BLUFF)


def _mean(*pairs: Callable[[], np.ndarray]) -> Callable[[], float]:
    return lambda: float(np.mean([pair()[..., 0].mean() for pair in pairs]))


def _pair(pair: Callable[[], np.ndarray]) -> Callable[[int, np.random.Generator], Drawn]:
    return lambda rounds, rng: scripted(rounds, rng, pair())


def _switching(stay: float) -> Callable[[int, np.random.Generator], Drawn]:
    return lambda rounds, rng: scripted(rounds, rng, _honest(), _bluffing(), stay=stay)


def _chance() -> np.ndarray:
    return points(SignalAgent.RANDOM, SignalAgent.CAUTIOUS)


def _bluffing() -> np.ndarray:
    return points(BLUFF, HONEST)


def _smooth(slope: float) -> Callable[[int, np.random.Generator], Drawn]:
    return lambda rounds, rng: autoregressive(rounds, rng, slope)


def _heavy(rounds: int, rng: np.random.Generator) -> Drawn:
    one, two = rng.standard_t(2.5, (2, rounds)) * 30.0
    return one, two


def _edge(rounds: int, rng: np.random.Generator) -> Drawn:
    """Return rounds whose block means correlate as much as the tests allow for, and no more."""
    blocks = blocks_of(rounds, LONG[1])
    one, two = autoregressive(int(blocks[-1]) + 1, rng, max(ALLOWED))
    return one[blocks], two[blocks]


def _zero() -> float:
    return 0.0


KINDS: Mapping[str, Kind] = {
    "truthful v truthful": Kind(_pair(_honest), mean=_mean(_honest)),
    "truthful v bluff": Kind(_pair(_led), mean=_mean(_led)),
    "random v cautious": Kind(_pair(_chance), mean=_mean(_chance)),
    "switching, 10 rounds on average": Kind(_switching(0.9), mean=_mean(_honest, _bluffing)),
    "switching, 25 rounds on average": Kind(_switching(0.96), mean=_mean(_honest, _bluffing)),
    "opener alternates": Kind(
        lambda rounds, rng: scripted(rounds, rng, _honest(), world=opening(rounds, rng)),
        mean=_mean(_honest),
    ),
    "worlds go round": Kind(
        lambda rounds, rng: scripted(rounds, rng, _honest(), world=np.arange(rounds) % 16),
        mean=_mean(_honest),
    ),
    "autoregression 0.3": Kind(_smooth(0.3), mean=_zero),
    "autoregression 0.6": Kind(_smooth(0.6), mean=_zero),
    "block means correlate by 0.2": Kind(_edge, mean=_zero),
    "Student's t, 2.5 degrees": Kind(_heavy, mean=_zero),
    "truthful v truthful, 200 rounds": Kind(_pair(_honest), SHORT, mean=_mean(_honest)),
    "autoregression 0.6, 200 rounds": Kind(_smooth(0.6), SHORT, mean=_zero),
    "truthful v truthful, 3 replicates": Kind(_pair(_honest), replicates=3, mean=_mean(_honest)),
    "autoregression 0.6, 3 replicates": Kind(_smooth(0.6), replicates=3, mean=_zero),
    "truthful v truthful, 10 rounds": Kind(_pair(_honest), TEN, mean=_mean(_honest)),
}
WORST = ("block means correlate by 0.2", "autoregression 0.6, 200 rounds")
BEYOND: Mapping[str, Kind] = {
    "switching, 50 rounds on average": Kind(_switching(0.98)),
    "switching, 200 rounds on average": Kind(_switching(0.995)),
}
"""Dependence that outlasts a block: nothing is promised."""


@dataclass(frozen=True, slots=True)
class Planted:
    """A shift in points a round, and by which part it is to be seen."""

    added: Callable[[np.ndarray], np.ndarray]
    """From the places of rounds, in [0, 1), to what is added to agent one's points, or where sides
    change to the advantage: to one agent by half and taken from the other by half."""
    effect: float
    part: Part


def _side(length: int) -> Callable[[np.ndarray], np.ndarray]:
    """Return 1 and -1 in turn, changing every so many of twenty blocks."""
    return lambda place: 1.0 - 2.0 * (np.floor(place * 20.0 + 1e-9) // length % 2.0)


PLANTED: Mapping[str, Planted] = {
    "step at half time": Planted(lambda place: (place >= 0.5).astype(float), 26.0, Part.HALVES),
    "step after three quarters": Planted(
        lambda place: (place >= 0.75).astype(float), 36.0, Part.CHANGE
    ),
    "line from first to last": Planted(lambda place: place, 48.0, Part.TREND),
    "sides change every block": Planted(_side(1), 32.0, Part.SIGNATURE),
    "sides change every 4 blocks": Planted(_side(4), 32.0, Part.SIGNATURE),
}


def planted(shift: Planted, effect: float, rng: np.random.Generator) -> Series:
    """Return a scripted pair's points with a shift of agent one, or of both where sides change."""
    rounds, size = LONG
    one, two = scripted(rounds, rng, _honest())
    extra = effect * shift.added(np.arange(rounds) / rounds)
    if shift.part is Part.SIGNATURE:
        return Series(one + extra / 2.0, blocks_of(rounds, size), two - extra / 2.0)
    return Series(one + extra, blocks_of(rounds, size), two)


@dataclass(frozen=True, slots=True)
class Run:
    """What came of one run; coverage is None where there is no interval or no known truth."""

    shifted: bool
    changed: bool
    parts: tuple[bool, ...]
    source: bool
    naive: bool
    held: Mapping[str, bool]


def null_run(kind: Kind, rng: np.random.Generator) -> Run:
    """Return what came of one run without a shift."""
    rounds, size = kind.size
    blocks = blocks_of(rounds, size)
    drawn_series = [kind.draw(rounds, rng) for _ in range(kind.replicates)]
    found = detect([Series(one, blocks, two) for one, two in drawn_series])
    held: dict[str, bool] = {}
    if kind.mean is not None:
        truth = kind.mean()
        means = {
            "mean of a series": series_mean(drawn_series[0][0], blocks),
            "difference of halves": found[0].halves.difference,
            "slope": found[0].trend.slope,
        }
        if kind.replicates > 1:
            means["mean of replicates"] = replicate_mean([(one, blocks) for one, _ in drawn_series])
        for name, estimate in means.items():
            if estimate.interval is not None:
                held[name] = (truth if name.startswith("mean") else 0.0) in estimate.interval
    return _run(found, held)


def _run(found: Sequence[Detection], held: Mapping[str, bool]) -> Run:
    shifted = any(each.answer is Answer.DETECTED for each in found)
    changed = any(each.changes is not None and each.changes.places for each in found)
    parts = tuple(
        any(test.detected for each in found for test in each.tested if test.part is part)
        for part in Part
    )
    signatures = [each.signature for each in found if each.signature is not None]
    return Run(
        shifted or changed,
        changed,
        parts,
        any(each.source.fires for each in signatures),
        any(min(each.trend.naive_p, each.halves.naive_p) <= 0.05 for each in found),
        held,
    )


def runs_of(name: str, runs: int, processes: int) -> list[Run]:
    """Return the runs of a kind, or of a planted shift; as many processes give the same ones."""
    _warm()
    tasks = ((name, number) for number in range(runs))
    if processes == 1:
        return [_one(task) for task in tasks]
    with multiprocessing.get_context("fork").Pool(processes) as pool:
        return pool.map(_one, tasks, chunksize=10)


def _one(task: tuple[str, int]) -> Run:
    name, number = task
    rng = seeded(SEED, "arms race", name, number)
    if name in PLANTED:
        shift = PLANTED[name]
        return _run(detect([planted(shift, shift.effect, rng)]), {})
    return null_run({**KINDS, **BEYOND}[name], rng)


@lru_cache
def _warm() -> None:
    """Play the rounds that points are drawn from, and spare the collector of what stays."""
    for pair in (_honest, _led, _bluffing, _chance):
        pair()
    gc.freeze()  # Holm's correction calls the collector each time


def most(runs: int) -> int:
    """Return how many of so many runs may be called shifted: 65 of 1,000, in proportion."""
    return ALLOWED_OF_1000 * runs // 1_000


def null_rows(names: Sequence[str], runs: int, processes: int) -> Iterator[tuple[list[str], bool]]:
    """Return a row of figures for each kind, and whether it is within what is allowed."""
    for name in names:
        done = runs_of(name, runs, processes)
        counted = [
            sum(each.shifted for each in done),
            sum(each.changed for each in done),
            *(sum(each.parts[at] for each in done) for at in range(len(Part))),
            sum(each.naive for each in done),
            sum(each.source for each in done),
        ]
        held = [
            _share([each.held[what] for each in done if what in each.held]) for what in INTERVALS
        ]
        within = counted[0] <= most(runs) or name in BEYOND
        yield [name, *map(str, counted), *held], within


INTERVALS = ("mean of a series", "mean of replicates", "difference of halves", "slope")
NULL_COLUMNS = (
    "without a shift", "shifted", "change shown", *(part.value for part in Part),
    "naive tests", "source's rule", *INTERVALS,
)  # fmt: skip


def _share(held: Sequence[bool]) -> str:
    return f"{100.0 * sum(held) / len(held):.1f} %" if held else "-"


def power_rows(runs: int, processes: int) -> Iterator[tuple[list[str], bool]]:
    """Return a row of figures for each planted shift, and whether it is seen often enough."""
    for name, shift in PLANTED.items():
        done = runs_of(name, runs, processes)
        seen = sum(each.shifted for each in done)
        parts = [sum(each.parts[at] for each in done) for at in range(len(Part))]
        source = sum(each.source for each in done)
        row = [name, f"{shift.effect:g}", *map(str, (seen, *parts, source))]
        yield row, seen >= POWER * runs


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables; return 1 where a figure is not as promised."""
    parser = argparse.ArgumentParser(prog="benchmarks.arms_race")
    parser.add_argument("--kinds", nargs="+", default=["all"])
    parser.add_argument("--runs", type=int)
    parser.add_argument("--processes", type=int, default=1)
    asked = parser.parse_args(arguments)
    every, worst = asked.kinds == ["all"], asked.kinds == ["worst"]
    names = [*KINDS, *BEYOND] if every else list(WORST) if worst else asked.kinds
    runs = asked.runs or (WORST_RUNS if worst else RUNS)
    rows = list(null_rows(names, runs, asked.processes))
    print(table(NULL_COLUMNS, [tuple(row) for row, _ in rows]))
    kept = all(within for _, within in rows)
    if every:
        seen = list(power_rows(runs, asked.processes))
        head = (
            "planted",
            "points a round",
            "seen",
            *(part.value for part in Part),
            "source's rule",
        )
        print(table(head, [tuple(row) for row, _ in seen]))
        for blocks in (4, 10, 20):
            print(f"source's rule on {blocks} blocks of noise: {source_rule_rate(blocks):.5f}")
        kept = kept and all(within for _, within in seen)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
