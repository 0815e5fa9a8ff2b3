"""The worlds of a HIDDEN SIGNAL round: the hidden state, who sees which neighbour, who opens.

Every world of a variant is equally likely. Agents are told apart by id alone, one and two; which
model plays which is no business of the rules.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection
from enum import StrEnum
from functools import lru_cache

import numpy as np

from ..records import Record
from .hidden_signal_choices import Neighbours
from .schedule import seeded


class Hidden(StrEnum):
    """The states on their circle: A follows D."""

    A = "A"
    B = "B"
    C = "C"
    D = "D"


class Agent(StrEnum):
    """The two agents of a round."""

    ONE = "one"
    TWO = "two"

    @property
    def other(self) -> Agent:
        """The agent on the other side."""
        return Agent.TWO if self is Agent.ONE else Agent.ONE


OwnSet = tuple[Hidden, Hidden]

STATES = tuple(Hidden)
AGENTS = tuple(Agent)


def _pair(lower: int) -> OwnSet:
    first, second = sorted((STATES[lower % 4], STATES[(lower + 1) % 4]))
    return first, second


# Neighbours on the circle, by the lower one. Written in the order of the alphabet: the order in
# which a set stands tells nothing of which of its states is hidden.
OWN_SETS: tuple[OwnSet, ...] = tuple(_pair(lower) for lower in range(4))


def upper(own: OwnSet) -> Hidden:
    """Return the state of a set that follows its other one on the circle."""
    return STATES[(OWN_SETS.index(own) + 1) % 4]


class World(Record):
    """What chance decides before a round.

    Attributes
    ----------
    hidden : Hidden
        The state to be found.
    lower : Agent
        Who sees the state below the hidden one; the other sees the one above.
    opener : Agent
        Who moves first.
    """

    hidden: Hidden
    lower: Agent
    opener: Agent

    def own_set(self, agent: Agent) -> OwnSet:
        """Return the two states that an agent is shown, in alphabetical order."""
        at = STATES.index(self.hidden)
        return OWN_SETS[at - 1 if agent is self.lower else at]

    def mover(self, turn: int) -> Agent:
        """Return who moves on a turn, counted from 0."""
        return self.opener if turn % 2 == 0 else self.opener.other


@lru_cache
def worlds(neighbours: Neighbours) -> tuple[World, ...]:
    """Return the equally likely worlds of a variant: 16 swapped, 8 as printed."""
    lowers = (Agent.ONE,) if neighbours is Neighbours.AS_PRINTED else AGENTS
    return tuple(
        World(hidden=hidden, lower=lower, opener=opener)
        for hidden in STATES
        for lower in lowers
        for opener in AGENTS
    )


def draw_world(rng: np.random.Generator, neighbours: Neighbours) -> World:
    """Return a world by chance."""
    options = worlds(neighbours)
    return options[int(rng.integers(len(options)))]


def world_of(
    seed: int, replicate: int, number: int, neighbours: Neighbours, stream: str = "play"
) -> World:
    """Return the world of one round of a series.

    It hangs on these five alone, so that a series can go on from any round and every pair of agents
    meets the same worlds.

    Parameters
    ----------
    seed : int
    replicate, number : int
        Series and round, from 1.
    neighbours : Neighbours
    stream : str
        Another stream has other worlds under the same numbers.
    """
    return draw_world(seeded(seed, "hidden_signal", stream, replicate, number), neighbours)


@lru_cache
def hidden_bits(
    neighbours: Neighbours, agent: Agent, own: OwnSet, excluded: Collection[Hidden] = frozenset()
) -> float:
    """Return the entropy of the hidden state for an agent that knows the rule of the variant.

    Parameters
    ----------
    neighbours : Neighbours
    agent : Agent
    own : tuple of two Hidden
        The agent's own set.
    excluded : frozenset of Hidden
        States that it is also known not to be.

    Returns
    -------
    float
        Bits, by enumeration of the worlds: in [0, 1].

    Raises
    ------
    ValueError
        No world has this set and none of the excluded states.
    """
    left = Counter(
        world.hidden
        for world in worlds(neighbours)
        if world.own_set(agent) == own and world.hidden not in excluded
    )
    if not left:
        raise ValueError(f"no world fits own {own!r} without {sorted(excluded)!r}")
    total = left.total()
    # Written so that a certain state comes to 0.0, never -0.0.
    return sum(n / total * math.log2(total / n) for n in left.values())
