"""What a sweep of print will be, said beforehand: the ways to give up numbers, and the time.

The time comes from trials of each dear part on this machine: some steps of the chains, some corpora
rated, some steps of a search. Each is tried three times by two clocks: what else a machine does
lengthens the time on the wall, and less that of the processor.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
import numpy.typing as npt
import pandas as pd

from audit.multiverse.choices import Experiment
from audit.multiverse.settings import specification_of
from audit.printed.corpora.chain import Chains
from audit.printed.corpora.check import Checker
from audit.printed.corpora.course import State
from audit.printed.corpora.dealt import deal
from audit.printed.corpora.drops import Ways, ways_to_drop
from audit.printed.corpora.margins import Margins
from audit.printed.corpora.moves import Ground
from audit.printed.corpora.parts import parts_of
from audit.printed.corpora.ranges import ranges_of
from audit.printed.corpora.sampled import BURNT, CHAINS, Sampled, Samples, draws_for, strides, whole
from audit.printed.corpora.search import reach
from audit.printed.corpora.start import starts
from audit.printed.corpora.target import Target
from audit.printed.corpora.trials import Trial, grounds, rules_for
from games.rules.schedule import seeded
from games.words import Game

from .loaded import Print
from .specs import EXPERIMENTS, specifications
from .sweep import K_FACTORS, RATED, SAMPLES, STEPS

Clock = Callable[[], float]
# The least, the middle and the most of a few trials by the first clock; the middle by the second.
Seconds = npt.NDArray[np.float64]
_TRIALS = 3
# Steps of chains in a trial; how much chains are elsewhere when looked at; starts, by one of them.
_STEPS, _AWAY, _STARTS = 100, 1.4, 4.0
# What a search takes of the steps that it may, and the searches for ends beside those for ratings.
_TAKEN, _ENDS = 0.45, 10


@dataclass(frozen=True, slots=True)
class Plan:
    """What a sweep of print will be.

    Attributes
    ----------
    ways : tuple of Ways
        Of each part of the margins.
    corpora : int
        That will be sampled, over all ways.
    least, seconds, most : float
        About how long it will take: by the fastest, the middle and the slowest trials.
    processor : float
        Seconds of one processor that it takes of this, by the middle trials.
    """

    ways: tuple[Ways, ...]
    corpora: int
    least: float
    seconds: float
    most: float
    processor: float


def plan_print(
    told: Print,
    *,
    samples: int = SAMPLES,
    steps: int = STEPS,
    clock: Clock = time.perf_counter,
    processor: Clock = time.process_time,
) -> Plan:
    """Return how conflicting numbers may be given up, and about how long a sweep will take.

    Parameters
    ----------
    told : Print
    samples, steps : int
        As for `sweep_print`.
    clock, processor : callable
        Return seconds: on the wall, and of this process on processors.

    Raises
    ------
    Unsearched
        If a search for whole numbers is given up.
    """
    parts = parts_of(told.margins)
    ways = tuple(map(ways_to_drop, parts))
    clocks, total = (clock, processor), np.zeros(4)
    for part, found in zip(parts, ways, strict=True):
        total += _chains(part, found, samples, clocks)
    few, joint = _few(told, parts, ways), prod(len(found.ways) for found in ways)
    corpora = draws_for(samples) * CHAINS * joint
    total += _rating(told, few, corpora, joint, clocks) + _searching(told, few, steps, clocks)
    # A difference of two trials may turn the order of the sums about.
    least, middle, most = sorted(total[:3].tolist())
    return Plan(ways, corpora, least, middle, most, float(total[3]))


def _tried(work: Callable[[], object], clocks: tuple[Clock, Clock]) -> Seconds:
    """Return what a piece of work takes, by a few trials."""
    took = []
    for _ in range(_TRIALS):
        begun = [clock() for clock in clocks]
        work()
        took.append([clock() - at for clock, at in zip(clocks, begun, strict=True)])
    wall, processor = np.sort(np.array(took), axis=0).T
    return np.array([wall[0], np.median(wall), wall[-1], np.median(processor)])


def _chains(part: Margins, found: Ways, samples: int, clocks: tuple[Clock, Clock]) -> Seconds:
    """Return the time that sampling one part takes under all its ways."""
    rng, way = seeded("plan", "chains"), found.ways[0]
    begin = _tried(lambda: starts(part, way, 1, rng), clocks)
    first = np.repeat(starts(part, way, 1, rng), CHAINS, axis=0)
    chains = Chains(Target.of(part, way), first, rng)
    step = _tried(lambda: chains.walk(_STEPS), clocks) / _STEPS
    looks = (draws_for(samples) + BURNT) * _AWAY
    return len(found.ways) * (_STARTS * begin + step * strides(len(found.ways)) * looks)


def _few(told: Print, parts: Sequence[Margins], ways: Sequence[Ways]) -> Samples:
    """Return two corpora that fit under one way."""
    rng, states = seeded("plan", "few"), []
    for part, found in zip(parts, ways, strict=True):
        states.append(starts(part, found.ways[0], 2, rng))
    dealt = deal(told.margins.layout, whole(told.margins, parts, states), rng)
    one = Sampled(tuple(id for found in ways for id in found.ways[0]), dealt, 0)
    return Samples(told.margins, tuple(parts), tuple(ways), (one,), 1, pd.DataFrame())


def _rating(
    told: Print, few: Samples, corpora: int, ways: int, clocks: tuple[Clock, Clock]
) -> Seconds:
    """Return the time that checking and rating take."""
    specs = specifications(specification_of(told.study))
    horizon, own = told.study.horizons()[Game.AIDG_II], len(EXPERIMENTS)
    checker, dealt = Checker(few.margins, few.sampled[0].dropped), few.sampled[0].dealt
    check = _tried(lambda: checker.broken(dealt.frame(0)), clocks)

    def rate(every: int) -> None:
        chosen = specs if every else specs[:own]
        ranges_of(few, chosen, horizon, told.players, None, first=own, every=every)

    base, every = _tried(lambda: rate(0), clocks), _tried(lambda: rate(len(dealt)), clocks)
    each = check + base / len(dealt)
    # All specifications take longer than the study's own, whatever one trial of each says.
    return each * corpora + np.maximum(every - base, 0.0) / len(dealt) * ways * RATED


def _searching(told: Print, few: Samples, steps: int, clocks: tuple[Clock, Clock]) -> Seconds:
    """Return the time that searches take: for printed ratings, and for ends."""
    base, total = specification_of(told.study), np.zeros(4)
    wanted = np.zeros(2 * len(told.players))
    modes, horizons = len(told.study.config.games.aidg_i.modes), told.study.horizons()
    for game in Game if steps else ():
        rules = rules_for(game, (base.k,), modes)
        trial = Trial(game, horizons[game], told.players, wanted, rules)
        ground, states = grounds(few, 0, trial, rules[0], seeded("plan", "search"))
        state, taken = next(states), _STEPS // 25

        def look(ground: Ground = ground, state: State = state, taken: int = taken) -> None:
            reach(ground, state, wanted, seeded("plan"), steps=taken, enough=0.0)

        each = _tried(look, clocks) / taken
        printed = Experiment(game.value) in told.ratings
        searches = len(rules) * len(K_FACTORS) * printed + _ENDS / len(Game)
        total += each * steps * _TAKEN * searches
    return total
