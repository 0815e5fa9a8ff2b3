"""Strata: the cells in which items are sampled, by what is known of an item before it is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from games.errors import RunError
from games.rules.item import Item
from games.rules.verdict import Verdict
from games.trace import Trace

NONE = "none"


class StratumKey(StrEnum):
    """What a stratum may be made of."""

    GAME = "game"
    MODE = "mode"
    KIND = "kind"
    ARBITER_LABEL = "arbiter_label"
    DISAGREEMENT = "disagreement"
    SEEKER = "seeker"
    HOLDER = "holder"
    TURN_BAND = "turn_band"


class TurnBand(StrEnum):
    """Thirds of the horizon."""

    EARLY = "early"
    MIDDLE = "middle"
    LATE = "late"


class Disagreement(StrEnum):
    """Whether arbiter and referee gave one label, two, or not both of them any."""

    AGREE = "agree"
    DISAGREE = "disagree"
    NOT_BOTH = "not_both"


Cell = tuple[tuple[StratumKey, str], ...]


@dataclass(frozen=True, slots=True)
class Unit:
    """One item that may be drawn: its id, its match, and its cell, one value a key."""

    item: str
    match: str
    cell: Cell


def units(
    items: Iterable[Item],
    traces: Iterable[Trace],
    by: Sequence[StratumKey],
    within: Mapping[StratumKey, str] | None = None,
) -> tuple[Unit, ...]:
    """Return the items that may be drawn, ordered by id, each with its cell.

    Parameters
    ----------
    items : iterable of Item
        Cut from ``traces``.
    traces : iterable of Trace
    by : sequence of StratumKey
        Keys that cross to form the strata; none makes one stratum of all.
    within : mapping, optional
        Key to the one value that an item must have to be drawn at all.

    Raises
    ------
    RunError
        A value asked for by ``within`` holds no item; the values that do are named.
    """
    by_match = {trace.match.id: trace for trace in traces}
    known = [(item, _values(item, by_match[item.id.split("/")[0]])) for item in items]
    for key, value in (within or {}).items():
        found = sorted({values[key] for _, values in known})
        known = [(item, values) for item, values in known if values[key] == value]
        if not known:
            rule = f"must be a stratum that holds an item ({', '.join(found) or 'none does'})"
            raise RunError(key.value, rule, value)
    keys = tuple(dict.fromkeys(by))
    made = (
        Unit(item.id, item.id.split("/")[0], tuple((key, values[key]) for key in keys))
        for item, values in known
    )
    return tuple(sorted(made, key=lambda unit: unit.item))


def _values(item: Item, trace: Trace) -> dict[StratumKey, str]:
    match = trace.match
    arbiter = _by(trace.rulings, item)
    return {
        StratumKey.GAME: match.game.value,
        StratumKey.MODE: match.mode.value if match.mode else NONE,
        StratumKey.KIND: item.kind.value,
        StratumKey.ARBITER_LABEL: _word(arbiter),
        StratumKey.DISAGREEMENT: _compared(arbiter, _by(trace.shadow, item)).value,
        StratumKey.SEEKER: match.seeker,
        StratumKey.HOLDER: match.holder,
        StratumKey.TURN_BAND: turn_band(item.subject.turn, trace.setup.horizon).value,
    }


def turn_band(turn: int, horizon: int) -> TurnBand:
    """Return the third of the horizon in which a turn, counted from 1, falls."""
    if not 1 <= turn <= horizon:
        raise ValueError("`turn` must lie between 1 and the horizon")
    return list(TurnBand)[-(-3 * turn // horizon) - 1]


def _by(verdicts: Iterable[Verdict], item: Item) -> Verdict | None:
    return next((verdict for verdict in verdicts if verdict.item == item.id), None)


def _word(verdict: Verdict | None) -> str:
    if verdict is None:
        return NONE
    return str(verdict.label or verdict.abstention)


def _compared(arbiter: Verdict | None, referee: Verdict | None) -> Disagreement:
    labels = [verdict.label for verdict in (arbiter, referee) if verdict is not None]
    if len(labels) < 2 or None in labels:
        return Disagreement.NOT_BOTH
    return Disagreement.AGREE if labels[0] is labels[1] else Disagreement.DISAGREE
