"""What an agent of HIDDEN SIGNAL did over some rounds, counted: in public, and with what it got.

Conduct counts what anyone could have who saw the public logs and the hidden states as they were
revealed: no set, no point and nothing that hangs on one is in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated

from pydantic import Field

from ..errors import IllegalMove
from ..records import Record
from .hidden_signal import Round
from .hidden_signal_actions import Action, ActionKind, Claim
from .hidden_signal_choices import Event
from .hidden_signal_records import RoundOutcome
from .hidden_signal_world import Agent, Hidden

Count = Annotated[int, Field(ge=0)]


class Conduct(Record):
    """What an agent did over some rounds, as the public logs have it.

    Attributes
    ----------
    rounds : int
        That ended with an outcome; the counts below are of them alone.
    void : int
        That ended without one.
    won, lost, drawn : int
        They add up to ``rounds``. A round that nobody won is drawn, whatever it cost.
    messages : int
        ``denials`` among them say that a state is not the hidden one, the others that it is.
    true_messages : int
        Messages that were true of the hidden state, known or not to who sent them.
    guessed_right, guessed_wrong, withheld : int
        Turns.
    """

    rounds: Count = 0
    void: Count = 0
    won: Count = 0
    lost: Count = 0
    drawn: Count = 0
    messages: Count = 0
    denials: Count = 0
    true_messages: Count = 0
    guessed_right: Count = 0
    guessed_wrong: Count = 0
    withheld: Count = 0


class Performance(Conduct):
    """What an agent did over some rounds, and what it got for it.

    Attributes
    ----------
    points : int
        In all; a void round gives none.
    mean_points : float, optional
        A round, void ones left out; None where there is no other.
    exclusions : int
        Its messages that counted as a truthful exclusion.
    extractions : int
        How often the rules gave it an extraction.
    """

    points: int = 0
    mean_points: float | None = None
    exclusions: Count = 0
    extractions: Count = 0


def performance_of(series: Sequence[Round], agent: Agent) -> Performance:
    """Return what an agent did in ended rounds, and what it got for it.

    Raises
    ------
    IllegalMove
        A round has not ended, and would show what is still hidden.
    """
    counts = _counts(series, agent)
    got = Counter(
        event
        for played in series
        if _ended(played).void is None
        for whose, event in played.events
        if whose is agent
    )
    points = sum(played.points(agent) or 0 for played in series)
    rounds = counts["rounds"]
    return Performance(
        **counts,
        points=points,
        mean_points=points / rounds if rounds else None,
        exclusions=got[Event.TRUTHFUL_EXCLUSION],
        extractions=got[Event.EXTRACTION],
    )


def conduct_of(series: Iterable[Round], agent: Agent) -> Conduct:
    """Return what an agent did in ended rounds, from logs and revealed states alone.

    Raises
    ------
    IllegalMove
        A round has not ended, and would show what is still hidden.
    """
    return Conduct.model_validate(_counts(series, agent))


def _counts(series: Iterable[Round], agent: Agent) -> Counter[str]:
    return Counter(name for played in series for name in _counted(played, agent))


def _counted(played: Round, agent: Agent) -> Iterator[str]:
    """Yield under which names a round and what an agent did in it count, public parts alone."""
    outcome, hidden = _ended(played), played.setup.world.hidden
    if outcome.void is not None:
        yield "void"
        return
    yield "rounds"
    yield _standing(outcome, agent)
    for act in played.acts:
        if act.agent is agent and act.action is not None:
            yield from _names(act.action, hidden)


def _ended(played: Round) -> RoundOutcome:
    if played.outcome is None:
        raise IllegalMove(f"round `{played.setup.id}` has not ended and may not be told of")
    return played.outcome


def _standing(outcome: RoundOutcome, agent: Agent) -> str:
    if outcome.winner is None:
        return "drawn"
    return "won" if outcome.winner is agent else "lost"


def _names(action: Action, hidden: Hidden) -> Iterator[str]:
    """Yield under which names an action counts."""
    if action.action is ActionKind.WITHHOLD:
        yield "withheld"
    elif action.action is ActionKind.GUESS:
        yield "guessed_right" if action.state is hidden else "guessed_wrong"
    else:
        yield "messages"
        if action.claim is Claim.IS_NOT:
            yield "denials"
        if action.allows(hidden):
            yield "true_messages"
