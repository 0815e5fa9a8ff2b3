"""Items cut from traces: what was put to the arbiter, ready to be put to anyone else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from games.rules.game import State, utterances
from games.rules.item import Item
from games.trace import RULES, Trace
from games.words import Role


class LeftOut(StrEnum):
    """Why an item of a trace is put to nobody."""

    ELIDED = "elided"
    UNRULED = "unruled"


@dataclass(frozen=True, slots=True)
class Cut:
    """The items of some traces in order of play, and how many were left out for which reason."""

    items: tuple[Item, ...]
    left_out: dict[LeftOut, int]


def cut_items(traces: Iterable[Trace]) -> Cut:
    """Return every ruled item of some traces, each with the dialogue up to the line asked about.

    Parameters
    ----------
    traces : iterable of Trace

    Returns
    -------
    Cut
        An item is left out as ``elided`` where its publisher shortened any line of its dialogue,
        and as ``unruled`` where the match stopped before the arbiter spoke.
    """
    items: list[Item] = []
    left_out = dict.fromkeys(LeftOut, 0)
    for trace in traces:
        ruled = {ruling.item for ruling in trace.rulings}
        for state, item in asked(trace):
            if _elided(state):
                left_out[LeftOut.ELIDED] += 1
            elif item.id not in ruled:
                left_out[LeftOut.UNRULED] += 1
            else:
                items.append(item)
    return Cut(tuple(items), left_out)


def asked(trace: Trace) -> Iterator[tuple[State, Item]]:
    """Yield each item put to the arbiter with the state that it waits in, in order of play.

    The recorded rulings lead on from one to the next, so an item without a ruling is the last.
    """
    rules = RULES[trace.match.game]
    said = iter(utterances(trace.turns))
    rulings = {ruling.item: ruling for ruling in trace.rulings}
    state = rules.begin(trace.setup)
    while (mover := rules.mover(state)) is not None:
        if mover is not Role.ARBITER:
            utterance = next(said, None)
            if utterance is None:
                return
            state = rules.apply(state, utterance)
        elif (item := rules.pending(state)) is not None:
            yield state, item
            if item.id not in rulings:
                return
            state = rules.apply(state, rulings[item.id])


def _elided(state: State) -> bool:
    return any(utterance.elided for utterance in utterances(state.turns))
