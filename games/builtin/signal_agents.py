"""Built-in agents of HIDDEN SIGNAL: an observation in, the chance of each action out.

Each is a function of the observation alone, so that the enumeration of a round's tree and a round
that is played meet one and the same policy. They choose among the actions of the rules: none can
say anything else. One of them changes between rounds: its strategy note names the policy it plays.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..cohort.signal import SignalAgent
from ..errors import IllegalMove
from ..rules.hidden_signal_actions import (
    ACTIONS,
    INDEX,
    WITHHOLD,
    Action,
    ActionKind,
    Claim,
    Knowledge,
    guess,
    message,
)
from ..rules.hidden_signal_history import PerformanceHistory
from ..rules.hidden_signal_records import Observation
from ..rules.hidden_signal_world import STATES, Hidden, upper

Weights = NDArray[np.float64]


class SignalPolicy(Protocol):
    """A built-in agent."""

    def weights(self, seen: Observation) -> Weights:
        """Return the probability of every action, shape (13,), in the order of ``ACTIONS``."""


class RandomActions:
    """Any of the thirteen actions alike."""

    def weights(self, seen: Observation) -> Weights:
        """Return one flat distribution."""
        return _evenly(ACTIONS)


class Truthful:
    """Denies one state that it knows is not hidden, takes the other at its word, guesses last."""

    def weights(self, seen: Observation) -> Weights:
        """Return a guess where one state is left or no turn is, else a denial, then silence."""
        left = _left(seen)
        if len(left) == 1 or _last_turn(seen):
            return _evenly(guess(state) for state in left or seen.own)
        if any(act.agent is seen.agent for act in seen.log):
            return _evenly([WITHHOLD])
        return _evenly(
            action
            for action in (message(Claim.IS_NOT, state) for state in STATES)
            if action.known(seen.own) is Knowledge.TRUE
        )


class Bluff:
    """Says of states that it knows are not hidden that they are; believes nothing; guesses last."""

    def weights(self, seen: Observation) -> Weights:
        """Return a guess on the last turn of its own, else a claim that it knows is false."""
        if _last_turn(seen):
            return _evenly(guess(state) for state in seen.own)
        return _evenly(message(Claim.IS, state) for state in STATES if state not in seen.own)


class Cautious:
    """Says nothing, and guesses only where the other's word leaves one state."""

    def weights(self, seen: Observation) -> Weights:
        """Return a guess or silence."""
        left = _left(seen)
        return _evenly([guess(left[0])] if len(left) == 1 else [WITHHOLD])


class RuleLearner:
    """Learns from earlier rounds whether the hidden state is the upper or the lower of its set.

    It holds three rules alike at first: always the upper, always the lower, a fair coin. The state
    that is likelier by them is guessed at once; either alike where they balance. Without its own
    past sets it has nothing to learn from.
    """

    def weights(self, seen: Observation) -> Weights:
        """Return a guess of the likelier state."""
        ups = [past.hidden is upper(past.own) for past in seen.recent if past.own is not None]
        if not ups or (any(ups) and not all(ups)):
            return _evenly(guess(state) for state in seen.own)
        high = upper(seen.own)
        return _evenly(guess(state) for state in seen.own if (state is high) is ups[0])


POLICIES: dict[SignalAgent, SignalPolicy] = {
    SignalAgent.RANDOM: RandomActions(),
    SignalAgent.TRUTHFUL: Truthful(),
    SignalAgent.BLUFF: Bluff(),
    SignalAgent.CAUTIOUS: Cautious(),
    SignalAgent.RULE_LEARNER: RuleLearner(),
}
# What the agent that wins and stays, or loses and shifts, goes to and fro between; it begins with
# the first.
WAYS = (SignalAgent.TRUTHFUL, SignalAgent.BLUFF, SignalAgent.CAUTIOUS)
POLICIES[SignalAgent.WIN_STAY] = POLICIES[WAYS[0]]


def policy_under(agent: SignalAgent, note: str) -> SignalPolicy:
    """Return what an agent plays while a strategy note is in force.

    Raises
    ------
    IllegalMove
        The agent writes no such note.
    """
    if not note:
        return POLICIES[agent]
    if agent is not SignalAgent.WIN_STAY or note not in WAYS:
        raise IllegalMove(f"the agent {agent.value} plays by no note {note!r}")
    return POLICIES[SignalAgent(note)]


def next_note(
    agent: SignalAgent, history: PerformanceHistory, note: str, rng: np.random.Generator
) -> str:
    """Return the note that an agent writes at a strategy update.

    Every agent but one keeps none. That one stays with its way unless it lost more rounds than it
    won since the last update, and then takes one of the other two, either alike: win-stay,
    lose-shift (Robbins 1952, doi:10.1090/S0002-9904-1952-09620-8), a block of rounds a trial.

    Parameters
    ----------
    agent : SignalAgent
    history : PerformanceHistory
    note : str
        The one in force; empty before the first.
    rng : numpy.random.Generator
    """
    if agent is not SignalAgent.WIN_STAY:
        return ""
    way = SignalAgent(note) if note else WAYS[0]
    if history.latest.lost <= history.latest.won:
        return way.value
    others = [other for other in WAYS if other is not way]
    return others[int(rng.integers(len(others)))].value


def drawn(policy: SignalPolicy, seen: Observation, rng: np.random.Generator) -> Action:
    """Return an action by a policy's chances; its ``text()`` is what the agent says."""
    return ACTIONS[int(rng.choice(len(ACTIONS), p=policy.weights(seen)))]


def _evenly(actions: Iterable[Action]) -> Weights:
    chosen = [INDEX[action] for action in actions]
    weights = np.zeros(len(ACTIONS))
    weights[chosen] = 1.0 / len(chosen)
    return weights


def _left(seen: Observation) -> tuple[Hidden, ...]:
    """Return the states of an agent's set that the other's claims, taken as true, leave."""
    claims = [
        act.action
        for act in seen.log
        if act.agent is not seen.agent and act.action.action is ActionKind.MESSAGE
    ]
    return tuple(state for state in seen.own if all(claim.allows(state) for claim in claims))


def _last_turn(seen: Observation) -> bool:
    """Return whether an agent has no turn after this one."""
    return seen.turn + 2 > seen.turn_limit
