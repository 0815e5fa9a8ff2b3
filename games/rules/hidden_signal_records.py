"""The records of HIDDEN SIGNAL: what a round is set up with, what is done, what is seen."""

from __future__ import annotations

from enum import StrEnum

from pydantic import model_validator

from ..records import Record, Text
from ..words import Fault
from .hidden_signal_actions import Action
from .hidden_signal_choices import Scoring, SignalChoices
from .hidden_signal_scoring import RoundEnd
from .hidden_signal_world import Agent, Hidden, OwnSet, World


class RoundVoid(StrEnum):
    """Why a round has no outcome: whose fault it was, after every re-ask."""

    FAULT_OF_ONE = "fault_of_one"
    FAULT_OF_TWO = "fault_of_two"


class RoundSetup(Record):
    """Everything about a round that is fixed before its first turn."""

    id: str
    number: int
    world: World
    choices: SignalChoices = SignalChoices()
    scoring: Scoring = Scoring()


class Act(Record):
    """What an agent did on its turn, or the fault for which it did nothing.

    ``text`` is what it said, as it came. The other is not shown it: only an act's action is public.
    """

    agent: Agent
    action: Action | None = None
    fault: Fault | None = None
    text: Text = ""

    @model_validator(mode="after")
    def _action_or_fault(self) -> Act:
        if (self.action is None) == (self.fault is None):
            raise ValueError("`action` or `fault` must be given, and only one of them")
        return self


class RoundOutcome(Record):
    """How a round ended: by an event, with or without a winner, or void with a reason."""

    winner: Agent | None = None
    end: RoundEnd | None = None
    turn: int
    void: RoundVoid | None = None

    @model_validator(mode="after")
    def _coherent(self) -> RoundOutcome:
        if (self.end is None) == (self.void is None):
            raise ValueError("`end` or `void` must be given, and only one of them")
        if self.winner is not None and self.end in (None, RoundEnd.TURNS_USED_UP):
            raise ValueError("`winner` must be left out where nobody guessed")
        return self


class PublicAct(Record):
    """What both agents see of an act."""

    agent: Agent
    action: Action


class PastRound(Record):
    """What an agent is told of an earlier round; of sets its own alone, and only where chosen."""

    number: int
    hidden: Hidden
    opener: Agent
    log: tuple[PublicAct, ...]
    winner: Agent | None
    end: RoundEnd | None
    own: OwnSet | None = None


class Observation(Record):
    """All that an agent may see of the game when it is to move.

    Attributes
    ----------
    turn : int
        From 1, of both agents together.
    own : tuple of two Hidden
        Its set, in alphabetical order.
    recent : tuple of PastRound
        The last rounds of the series, the latest last.
    """

    agent: Agent
    number: int
    turn: int
    turn_limit: int
    opener: Agent
    own: OwnSet
    log: tuple[PublicAct, ...] = ()
    recent: tuple[PastRound, ...] = ()
