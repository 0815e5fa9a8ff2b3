"""HIDDEN SIGNAL, one round: two agents in turn say, guess or withhold until one has guessed.

A round is one state and six verbs, like a match: ``begin``, ``mover``, ``observation``, ``parse``,
``apply``, ``outcome``. It has no Seeker and no Holder: both agents look for the hidden state and
both know half of where it is. The rules alone own state and points.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ..errors import IllegalMove
from ..words import Fault
from .hidden_signal_actions import Action, parse
from .hidden_signal_choices import OwnPastSets, SignalChoices
from .hidden_signal_records import (
    Act,
    Observation,
    PastRound,
    PublicAct,
    RoundOutcome,
    RoundSetup,
    RoundVoid,
)
from .hidden_signal_scoring import NOTHING_TOLD, RoundEnd, Scored, Told, decided, step
from .hidden_signal_world import Agent


@dataclass(frozen=True, slots=True)
class Round:
    """A round as far as it has gone."""

    setup: RoundSetup
    acts: tuple[Act, ...] = ()
    events: tuple[Scored, ...] = ()
    told: Told = NOTHING_TOLD
    outcome: RoundOutcome | None = None

    def log(self) -> tuple[PublicAct, ...]:
        """Return every action so far; a fault is none."""
        return tuple(
            PublicAct(agent=act.agent, action=act.action)
            for act in self.acts
            if act.action is not None
        )

    def points(self, agent: Agent) -> int | None:
        """Return an agent's points so far; None of a void round, which gives nobody any."""
        if self.outcome is not None and self.outcome.void is not None:
            return None
        scoring = self.setup.scoring
        return sum(scoring.points(event) for whose, event in self.events if whose is agent)

    def voided(self, reason: RoundVoid) -> Round:
        """Return the round ended without an outcome, for a fault."""
        if self.outcome is not None:
            raise IllegalMove(f"round `{self.setup.id}` has ended and cannot become void")
        outcome = RoundOutcome(turn=len(self.acts), void=reason)
        return replace(self, outcome=outcome)


class HiddenSignal:
    """The rules of one round."""

    def begin(self, setup: RoundSetup) -> Round:
        """Return the round before its first turn."""
        return Round(setup)

    def mover(self, state: Round) -> Agent | None:
        """Return whose turn it is, or None once the round has ended."""
        return None if state.outcome is not None else state.setup.world.mover(len(state.acts))

    def observation(self, state: Round, agent: Agent, series: Sequence[Round] = ()) -> Observation:
        """Return what an agent may see.

        Parameters
        ----------
        state : Round
        agent : Agent
        series : sequence of Round
            The earlier rounds of the series in order, all of them ended; as many of the last as the
            choices say are shown.

        Raises
        ------
        IllegalMove
            An earlier round has not ended, and would show what is still hidden.
        """
        setup = state.setup
        return Observation(
            agent=agent,
            number=setup.number,
            turn=len(state.acts) + 1,
            turn_limit=setup.choices.turn_limit.turns,
            opener=setup.world.opener,
            own=setup.world.own_set(agent),
            log=state.log(),
            recent=recent_rounds(series, agent, setup.choices),
        )

    def parse(self, text: str) -> Action | Fault:
        """Return the one action in a text, or the fault for which there is none."""
        return parse(text)

    def apply(self, state: Round, act: Act) -> Round:
        """Return the round after an act; one with a fault ends it as the choices say.

        Raises
        ------
        IllegalMove
            The round has ended, or it is the other's turn.
        """
        mover = self.mover(state)
        if mover is None:
            raise IllegalMove(f"round `{state.setup.id}` has ended and takes no act")
        if act.agent is not mover:
            raise IllegalMove(f"round `{state.setup.id}` waits for agent {mover.value}")
        acts = (*state.acts, act)
        if act.action is None:
            return _faulted(replace(state, acts=acts), act)
        setup = state.setup
        last = len(acts) == setup.choices.turn_limit.turns
        done = step(setup.world, state.told, mover, act.action, setup.choices, last=last)
        outcome = None
        if done.end is not None:
            outcome = RoundOutcome(winner=done.winner, end=done.end, turn=len(acts))
        return Round(setup, acts, (*state.events, *done.events), done.told, outcome)

    def outcome(self, state: Round) -> RoundOutcome | None:
        """Return how the round ended, or None while it goes on."""
        return state.outcome


def replay(setup: RoundSetup, acts: Iterable[Act]) -> Round:
    """Return the round that recorded acts lead to; a recorded outcome is not looked at."""
    rules = HiddenSignal()
    state = rules.begin(setup)
    for act in acts:
        state = rules.apply(state, act)
    return state


def recent_rounds(
    series: Sequence[Round], agent: Agent, choices: SignalChoices
) -> tuple[PastRound, ...]:
    """Return what an agent is told of the last rounds of a series, as many as the choices say.

    Raises
    ------
    IllegalMove
        One of them has not ended, and would show what is still hidden.
    """
    shown = series[max(0, len(series) - choices.recent_rounds.rounds) :]
    return tuple(_past(past, agent, choices.own_past_sets) for past in shown)


def _faulted(state: Round, act: Act) -> Round:
    assert act.fault is not None
    if not state.setup.choices.on_fault(act.fault).forfeits:
        one = act.agent is Agent.ONE
        return state.voided(RoundVoid.FAULT_OF_ONE if one else RoundVoid.FAULT_OF_TWO)
    winner = act.agent.other
    outcome = RoundOutcome(winner=winner, end=RoundEnd.FORFEIT, turn=len(state.acts))
    return replace(state, events=(*state.events, *decided(winner)), outcome=outcome)


def _past(past: Round, agent: Agent, own: OwnPastSets) -> PastRound:
    if past.outcome is None:
        raise IllegalMove(f"round `{past.setup.id}` has not ended and may not be shown")
    world = past.setup.world
    return PastRound(
        number=past.setup.number,
        hidden=world.hidden,
        opener=world.opener,
        log=past.log(),
        winner=past.outcome.winner,
        end=past.outcome.end,
        own=world.own_set(agent) if own is OwnPastSets.SHOWN else None,
    )
