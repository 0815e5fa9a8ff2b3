"""What an agent of HIDDEN SIGNAL is told of a series beside its last rounds.

Its own performance history counts what it did and got. The statistics of its opponent count what
anyone could have who saw the public logs and the hidden states as they were revealed: no set, no
point and nothing that hangs on one is in them.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Self

from pydantic import model_validator

from ..records import Record, Text
from .hidden_signal import Round
from .hidden_signal_conduct import Conduct, Performance, conduct_of, performance_of
from .hidden_signal_world import Agent


class Condition(StrEnum):
    """What an agent is told of the past beside the public part of its last rounds.

    ``none`` nothing, and it writes no note; ``self`` its own performance history; ``self+opponent``
    also the statistics that anyone could have kept of its opponent.
    """

    NONE = "none"
    SELF = "self"
    SELF_OPPONENT = "self+opponent"


class PerformanceHistory(Record):
    """An agent's own record: over the whole series, and since its last strategy update."""

    whole: Performance
    latest: Performance


class OpponentStatistics(Record):
    """What the other agent did: over the whole series, and since the last strategy update."""

    whole: Conduct
    latest: Conduct


class SignalPast(Record):
    """All that an agent is told of the past beside its last rounds.

    Attributes
    ----------
    condition : Condition
    history : PerformanceHistory, optional
        None under ``none``, and where a frozen player sees no past.
    opponent : OpponentStatistics, optional
        Under ``self+opponent`` alone, beside a history.
    note : str, optional
        The strategy note in force, empty before the first; None under ``none``.
    """

    condition: Condition
    history: PerformanceHistory | None = None
    opponent: OpponentStatistics | None = None
    note: Text | None = None

    @model_validator(mode="after")
    def _by_condition(self) -> Self:
        if (self.note is None) != (self.condition is Condition.NONE):
            raise ValueError("`note` must be given, but under the condition none")
        if self.history is not None and self.condition is Condition.NONE:
            raise ValueError("`history` must be left out under the condition none")
        both = self.condition is Condition.SELF_OPPONENT and self.history is not None
        if (self.opponent is not None) != both:
            raise ValueError(
                "`opponent` stands beside a history under self+opponent, and only there"
            )
        return self


def performance(series: Sequence[Round], agent: Agent, since: int) -> PerformanceHistory:
    """Return an agent's own record.

    Parameters
    ----------
    series : sequence of Round
        The earlier rounds in order, all of them ended.
    agent : Agent
    since : int
        Number of the last round before the last strategy update; 0 before the first.

    Raises
    ------
    IllegalMove
        A round has not ended, and would show what is still hidden.
    """
    return PerformanceHistory(
        whole=performance_of(series, agent), latest=performance_of(_after(series, since), agent)
    )


def opponent_statistics(
    series: Sequence[Round], agent: Agent, since: int = 0
) -> OpponentStatistics:
    """Return what an agent is told of the other one, from public logs and revealed states alone.

    Parameters
    ----------
    series, since
        As in `performance`.
    agent : Agent
        Who is told.

    Raises
    ------
    IllegalMove
        A round has not ended.
    """
    other = agent.other
    return OpponentStatistics(
        whole=conduct_of(series, other), latest=conduct_of(_after(series, since), other)
    )


def past_of(
    condition: Condition, series: Sequence[Round], agent: Agent, since: int, note: str
) -> SignalPast:
    """Return what a condition lets an agent of an evolving seat know of the past.

    It changes with a series' rounds and notes alone, not within a round.

    Parameters
    ----------
    condition : Condition
    series, agent, since
        As in `performance`.
    note : str
        The note in force; empty before the first. Under ``none`` there is none to be told.
    """
    if condition is Condition.NONE:
        return SignalPast(condition=condition)
    told = condition is Condition.SELF_OPPONENT
    return SignalPast(
        condition=condition,
        history=performance(series, agent, since),
        opponent=opponent_statistics(series, agent, since) if told else None,
        note=note,
    )


def frozen_past(condition: Condition, note: str) -> SignalPast:
    """Return what a frozen player is told: its note, and nothing of any round."""
    return SignalPast(condition=condition, note=None if condition is Condition.NONE else note)


def _after(series: Sequence[Round], since: int) -> list[Round]:
    return [played for played in series if played.setup.number > since]
