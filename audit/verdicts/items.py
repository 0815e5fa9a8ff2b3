"""Items cut from traces: what was put to the arbiter, and what can be asked of a record alone.

Matches hang on the kinds that the arbiter rules on; these are cut unless others are asked for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from games.rules.game import State, Turn, Utterance, item_of, utterances
from games.rules.item import Item
from games.trace import RULES, Trace
from games.words import RULED, Game, ItemKind, MoveKind, Role


class LeftOut(StrEnum):
    """Why an item of a trace is put to nobody."""

    ELIDED = "elided"
    UNRULED = "unruled"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Cut:
    """The items of some traces in order of play, and how many were left out for which reason."""

    items: tuple[Item, ...]
    left_out: dict[LeftOut, int]


def cut_items(traces: Iterable[Trace], kinds: Collection[ItemKind] = RULED) -> Cut:
    """Return the items of some traces, each with the dialogue up to the line asked about.

    Parameters
    ----------
    traces : iterable of Trace
    kinds : collection of ItemKind
        Which to cut; those that the arbiter rules on by default.

    Returns
    -------
    Cut
        Within a match, what the arbiter ruled on comes first. An item is left out as ``elided``
        where its publisher shortened any line of its dialogue, as ``unruled`` where the match
        stopped before the arbiter spoke, and as ``fault`` where its line holds no move.
    """
    items: list[Item] = []
    left_out = dict.fromkeys(LeftOut, 0)
    for trace in traces:
        ruled = {ruling.item for ruling in trace.rulings}
        for state, item in asked(trace):
            if item.kind not in kinds:
                continue
            if _elided(state.turns):
                left_out[LeftOut.ELIDED] += 1
            elif item.id not in ruled:
                left_out[LeftOut.UNRULED] += 1
            else:
                items.append(item)
        for item, reason in recorded(trace, kinds):
            if reason is None:
                items.append(item)
            else:
                left_out[reason] += 1
    return Cut(tuple(items), left_out)


def recorded(trace: Trace, kinds: Collection[ItemKind]) -> Iterator[tuple[Item, LeftOut | None]]:
    """Yield each item that can be asked of a record alone, with why it is left out, if it is.

    The form and the aim of every AIDG-I message that is no declaration; every AIDG-II answer.
    """
    for number, turn in enumerate(trace.turns):
        for kind in _kinds_of(trace.match.game, turn):
            if kind in kinds:
                until = turn if kind is ItemKind.ANSWER else turn.model_copy(update={"reply": None})
                said = turn.message if until.reply is None else until.reply
                turns = (*trace.turns[:number], until)
                item = item_of(State(trace.setup, turns), kind)
                yield item.model_copy(update={"claim": said.claim}), _why_out(turns, said)


def _kinds_of(game: Game, turn: Turn) -> tuple[ItemKind, ...]:
    if game is Game.AIDG_II:
        return () if turn.reply is None else (ItemKind.ANSWER,)
    declares = turn.message.kind is MoveKind.DECLARATION
    return () if declares else (ItemKind.MESSAGE_FORM, ItemKind.MESSAGE_AIM)


def _why_out(turns: tuple[Turn, ...], said: Utterance) -> LeftOut | None:
    if said.fault is not None:
        return LeftOut.FAULT
    return LeftOut.ELIDED if _elided(turns) else None


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


def _elided(turns: Iterable[Turn]) -> bool:
    return any(utterance.elided for utterance in utterances(turns))
