"""The rounds of a series run as the page's browser reads them: a few characters each.

A round is ``<world><acts>.<end><winner><points>,<points>``: single characters that stand for places
in the tables beside them, the winner 1, 2 or 0 for nobody. What the rules say of an act is read
from a table too, so that the browser knows no rule.
"""

from __future__ import annotations

import string
from collections.abc import Iterable
from typing import Any

from games.rules.hidden_signal_actions import ACTIONS, INDEX, Action, ActionKind, Claim, Knowledge
from games.rules.hidden_signal_choices import SignalChoices
from games.rules.hidden_signal_records import RoundVoid
from games.rules.hidden_signal_scoring import RoundEnd, excludes
from games.rules.hidden_signal_world import AGENTS, Agent, World, worlds
from games.series.folder import SeriesManifest, Told
from games.series.records import NoteRecord, RoundRecord, Series
from games.words import Fault

_DIGITS = string.digits + string.ascii_lowercase
_FAULTS = tuple(Fault)
_ENDS: tuple[RoundEnd | RoundVoid, ...] = (*RoundEnd, *RoundVoid)


def browsable_rounds(manifest: SeriesManifest, told: Iterable[Told]) -> dict[str, Any]:
    """Return every round of a run as plain data, with the tables by which it is read.

    Returns
    -------
    dict
        ``worlds``, ``acts``, ``faults`` and ``ends`` in words; ``marks``, by world and agent, one
        letter an action: ``l`` a lie, ``x`` a truthful exclusion, ``o`` what its speaker cannot
        know, ``t`` any other true claim, ``-`` no claim; ``series``.
    """
    choices = manifest.choices
    every = worlds(choices.neighbours)
    place = {world: _DIGITS[index] for index, world in enumerate(every)}
    return {
        "worlds": [_world(world) for world in every],
        "marks": [[_marks(world, agent, choices) for agent in AGENTS] for world in every],
        "acts": [_words(action) for action in ACTIONS],
        "faults": [fault.value.replace("_", " ") for fault in _FAULTS],
        "ends": [end.value.replace("_", " ") for end in _ENDS],
        "void": [isinstance(end, RoundVoid) for end in _ENDS],
        "series": [_series(one, place) for one in told if one.rounds],
    }


def series_title(series: Series) -> str:
    """Return a series in words: what for, under which condition, who against whom."""
    return (
        f"{series.kind.value}, {series.condition.value}, replicate {series.replicate}: "
        f"{_seat(series, Agent.ONE)} and {_seat(series, Agent.TWO)}"
    )


def _seat(series: Series, agent: Agent) -> str:
    seat = series.seat(agent)
    return seat.player if seat.snapshot is None else f"{seat.player} v{seat.snapshot.version}"


def _world(world: World) -> dict[str, str]:
    own = {agent.value: " ".join(world.own_set(agent)) for agent in AGENTS}
    return {"hidden": world.hidden.value, "opener": world.opener.value, **own}


def _marks(world: World, agent: Agent, choices: SignalChoices) -> str:
    return "".join(_mark(world, agent, action, choices) for action in ACTIONS)


def _mark(world: World, agent: Agent, action: Action, choices: SignalChoices) -> str:
    if action.action is not ActionKind.MESSAGE:
        return "-"
    if excludes(world, agent, action, choices.exclusion):
        return "x"
    return {Knowledge.FALSE: "l", Knowledge.OPEN: "o", Knowledge.TRUE: "t"}[
        action.known(world.own_set(agent))
    ]


def _words(action: Action) -> str:
    if action.state is None:
        return "withholds"
    if action.action is ActionKind.GUESS:
        return f"guesses {action.state.value}"
    claim = {Claim.IS: "is", Claim.IS_NOT: "is not"}[action.claim] if action.claim else ""
    return f"“{claim} {action.state.value}”"


def _series(told: Told, place: dict[World, str]) -> dict[str, Any]:
    series = told.series
    return {
        "id": series.id,
        "title": series_title(series),
        "one": _seat(series, Agent.ONE),
        "two": _seat(series, Agent.TWO),
        "rounds": [_round(record, place) for record in told.rounds],
        "said": {str(record.number): said for record in told.rounds if (said := _said(record))},
        "notes": [_note(note) for note in told.notes],
    }


def _round(record: RoundRecord, place: dict[World, str]) -> str:
    acts = "".join(
        _DIGITS[INDEX[act.action]]
        if act.action is not None
        else _DIGITS[len(ACTIONS) + _FAULTS.index(_fault(act.fault))]
        for act in record.acts
    )
    ended = record.outcome.end or record.outcome.void
    assert ended is not None
    winner = 0 if record.outcome.winner is None else 1 + AGENTS.index(record.outcome.winner)
    points = ",".join(str(record.points[agent]) for agent in AGENTS if record.points)
    return f"{place[record.world]}{acts}.{_DIGITS[_ENDS.index(ended)]}{winner}{points}"


def _fault(fault: Fault | None) -> Fault:
    assert fault is not None
    return fault


def _said(record: RoundRecord) -> list[list[str]]:
    """Return what was said in a round without being an action: by whom, its fault, its words."""
    in_vain = [[one.agent.value, one.cause.value, one.text] for one in record.re_asked]
    last = [
        [act.agent.value, act.fault.value, act.text] for act in record.acts if act.fault is not None
    ]
    return [[agent, fault.replace("_", " "), text] for agent, fault, text in (*in_vain, *last)]


def _note(note: NoteRecord) -> list[Any]:
    return [note.after, note.agent.value, note.version]
