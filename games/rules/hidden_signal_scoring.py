"""What one action of HIDDEN SIGNAL leads to: events, what has been told, and whether it ends.

The rules and the enumeration of the round's tree both go through `step`: they cannot differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from .hidden_signal_actions import Action, ActionKind, Claim
from .hidden_signal_choices import (
    Event,
    Exclusion,
    ExclusionCost,
    ExclusionRepeated,
    Extraction,
    NobodyGuessed,
    SignalChoices,
    WrongGuess,
)
from .hidden_signal_world import AGENTS, Agent, World

Scored = tuple[Agent, Event]


class RoundEnd(StrEnum):
    """The event that ended a round."""

    RIGHT_GUESS = "right_guess"
    WRONG_GUESS = "wrong_guess"
    TURNS_USED_UP = "turns_used_up"
    FORFEIT = "forfeit"


@dataclass(frozen=True, slots=True)
class Told:
    """Who has made a claim in this round, and who a truthful exclusion."""

    claimed: frozenset[Agent] = frozenset()
    excluded: frozenset[Agent] = frozenset()


NOTHING_TOLD = Told()


@dataclass(frozen=True, slots=True)
class Step:
    """What one action leads to.

    Attributes
    ----------
    events : tuple of (Agent, Event)
        Whose points, and for what.
    told : Told
    end : RoundEnd, optional
        None while the round goes on.
    winner : Agent, optional
    """

    events: tuple[Scored, ...]
    told: Told
    end: RoundEnd | None = None
    winner: Agent | None = None


def excludes(world: World, agent: Agent, action: Action, rule: Exclusion) -> bool:
    """Return whether an action tells the truth and rules out the other's second state."""
    if action.action is not ActionKind.MESSAGE or not action.allows(world.hidden):
        return False
    if rule is Exclusion.BY_DENIAL and action.claim is not Claim.IS_NOT:
        return False
    return not all(action.allows(state) for state in world.own_set(agent.other))


def step(
    world: World, told: Told, agent: Agent, action: Action, choices: SignalChoices, *, last: bool
) -> Step:
    """Return what an action leads to.

    Parameters
    ----------
    world : World
    told : Told
        What had been told before it.
    agent : Agent
        Whose action it is.
    action : Action
    choices : SignalChoices
    last : bool
        Whether it is made on the last turn of the round.
    """
    if action.action is ActionKind.GUESS:
        done = _guess(world, told, agent, action, choices)
    elif action.action is ActionKind.MESSAGE:
        done = _message(world, told, agent, action, choices)
    else:
        done = Step((), told)
    if done.end is not None or not last:
        return done
    lost: tuple[Scored, ...] = ()
    if choices.nobody_guessed is NobodyGuessed.BOTH_LOSE:
        lost = tuple((loser, Event.ROUND_LOST) for loser in AGENTS)
    return Step((*done.events, *lost), done.told, RoundEnd.TURNS_USED_UP)


def decided(winner: Agent) -> tuple[Scored, ...]:
    """Return the events of a round that one agent wins and the other loses."""
    return (winner, Event.ROUND_WON), (winner.other, Event.ROUND_LOST)


def _guess(world: World, told: Told, agent: Agent, action: Action, choices: SignalChoices) -> Step:
    if action.state is not world.hidden:
        return _wrong(told, agent, choices.wrong_guess)
    after = {
        Extraction.GUESS_AFTER_EXCLUSION: told.excluded,
        Extraction.GUESS_AFTER_CLAIM: told.claimed,
        Extraction.ON_EXCLUSION: frozenset[Agent](),
    }[choices.extraction]
    extracted: tuple[Scored, ...] = ((agent, Event.EXTRACTION),) if agent.other in after else ()
    events = ((agent, Event.RIGHT_GUESS), *decided(agent), *extracted)
    return Step(events, told, RoundEnd.RIGHT_GUESS, agent)


def _wrong(told: Told, agent: Agent, rule: WrongGuess) -> Step:
    paid: tuple[Scored, ...] = ((agent, Event.WRONG_GUESS),)
    if rule is WrongGuess.PLAYS_ON:
        return Step(paid, told)
    if rule is WrongGuess.ENDS_DRAWN:
        return Step(paid, told, RoundEnd.WRONG_GUESS)
    return Step((*paid, *decided(agent.other)), told, RoundEnd.WRONG_GUESS, agent.other)


def _message(
    world: World, told: Told, agent: Agent, action: Action, choices: SignalChoices
) -> Step:
    claimed = told.claimed | {agent}
    sent: tuple[Scored, ...] = ((agent, Event.MESSAGE),)
    if not excludes(world, agent, action, choices.exclusion):
        return Step(sent, Told(claimed, told.excluded))
    now = Told(claimed, told.excluded | {agent})
    if agent in told.excluded and choices.exclusion_repeated is ExclusionRepeated.FIRST:
        return Step(sent, now)
    paid: tuple[Scored, ...] = ((agent, Event.TRUTHFUL_EXCLUSION),)
    if choices.exclusion_cost is ExclusionCost.ADDED:
        paid = (*sent, *paid)
    if choices.extraction is Extraction.ON_EXCLUSION and agent not in told.excluded:
        paid = (*paid, (agent.other, Event.EXTRACTION))
    return Step(paid, now)
