"""The driver of one round and of one strategy update. No clock, no file.

What is said in vain is asked for again as often as the choices say of its fault. Trouble on the way
is nobody's act: it is raised, and the round has not ended.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from ..play.speakers import Said
from ..records import digest
from ..rules.hidden_signal import HiddenSignal, Round
from ..rules.hidden_signal_choices import SignalChoices
from ..rules.hidden_signal_records import Act, RoundSetup
from ..rules.hidden_signal_world import Agent
from ..words import Fault
from .records import NoteRecord, ReAskedAct
from .seats import SignalSeat, Standing

RULES = HiddenSignal()

Seated = Mapping[Agent, tuple[SignalSeat, Standing]]
_Read = TypeVar("_Read")


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round that has ended, with what was said in vain, in order."""

    state: Round
    re_asked: tuple[ReAskedAct, ...]


async def play_round(setup: RoundSetup, seated: Seated) -> PlayedRound:
    """Return a round played to its end.

    Raises
    ------
    Trouble, RunStopped
        An agent was not reached.
    """
    state, vain = RULES.begin(setup), list[ReAskedAct]()
    while (mover := RULES.mover(state)) is not None:
        seat, standing = seated[mover]
        seen = RULES.observation(state, mover, standing.rounds)
        place = _Place(setup.choices, mover, seen.turn, vain)
        text, read = await _sound(partial(seat.act, seen, standing), RULES.parse, place)
        done = {"fault": read} if isinstance(read, Fault) else {"action": read}
        state = RULES.apply(state, Act(agent=mover, text=text, **done))
    return PlayedRound(state, tuple(vain))


async def update_note(
    who: tuple[Agent, SignalSeat, Standing], version: int, choices: SignalChoices
) -> NoteRecord:
    """Return the strategy update of one agent: a note in place of the last, or why there is none.

    Parameters
    ----------
    who : tuple of Agent, SignalSeat and Standing
    version : int
        Of the new note.
    choices : SignalChoices

    Raises
    ------
    Trouble, RunStopped
        The agent was not reached.
    """
    agent, seat, standing = who
    vain: list[ReAskedAct] = []
    place = _Place(choices, agent, 0, vain)
    _, found = await _sound(partial(seat.rewrite, version, standing), seat.read, place)
    note, cut = (standing.note, False) if isinstance(found, Fault) else found
    return NoteRecord(
        agent=agent,
        version=version,
        after=len(standing.rounds),
        text=note,
        fingerprint=digest(note),
        fault=found if isinstance(found, Fault) else None,
        cut=cut,
        re_asked=tuple(vain),
    )


@dataclass(frozen=True, slots=True)
class _Place:
    """Where something is asked for, and what was said there and before in vain."""

    choices: SignalChoices
    agent: Agent
    turn: int
    vain: list[ReAskedAct]


async def _sound(
    ask: Callable[[tuple[Fault, ...]], Awaitable[Said]],
    read: Callable[[str], _Read | Fault],
    place: _Place,
) -> tuple[str, _Read | Fault]:
    """Return a text and what it is read as, once it is sound or no re-ask is left for its fault."""
    causes: list[Fault] = []
    while True:
        said = await ask(tuple(causes))
        found = read(said.text) if said.fault is None else said.fault
        if not isinstance(found, Fault):
            return said.text, found
        if place.choices.on_fault(found).re_asks <= len(causes):
            return said.text, found
        causes.append(found)
        again = ReAskedAct(turn=place.turn, agent=place.agent, cause=found, text=said.text)
        place.vain.append(again)
