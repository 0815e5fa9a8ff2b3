"""Strata: the cells in which items are sampled, by what is known of an item before it is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from games.errors import RunError
from games.rules.item import Item, match_of
from games.rules.referee import NAME as REFEREE
from games.rules.rubric import LABELS
from games.rules.verdict import Verdict
from games.trace import Trace
from games.words import RULED

from .panel import ARBITER

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
    """Whether the machine raters present gave one label or several; fewer than two compare not."""

    AGREE = "agree"
    DISAGREE = "disagree"
    TOO_FEW = "too_few"


Cell = tuple[tuple[StratumKey, str], ...]
Said = Mapping[str, Verdict]


@dataclass(frozen=True, slots=True)
class Unit:
    """One item that may be drawn.

    Attributes
    ----------
    item, match : str
    cell : Cell
        One value a key.
    flagged : bool or None
        Whether the arbiter gave the positive label; None where it gave none, or was not asked.
    disputed : bool
        Whether the machine raters present gave it different labels.
    """

    item: str
    match: str
    cell: Cell
    flagged: bool | None = None
    disputed: bool = False


def units(
    items: Iterable[Item],
    traces: Iterable[Trace],
    by: Sequence[StratumKey],
    within: Mapping[StratumKey, str] | None = None,
    machines: Iterable[Verdict] = (),
) -> tuple[Unit, ...]:
    """Return the items that may be drawn, ordered by id, each with its cell.

    Parameters
    ----------
    items : iterable of Item
        Cut from ``traces``.
    traces : iterable of Trace
        Whose rulings and shadow are two machine raters.
    by : sequence of StratumKey
        Keys that cross to form the strata; none makes one stratum of all.
    within : mapping, optional
        Key to the one value that an item must have to be drawn at all.
    machines : iterable of Verdict
        Of any further machine rater; under a name in the traces it takes the place of theirs.

    Raises
    ------
    RunError
        A value asked for by ``within`` holds no item; the values that do are named.
    """
    by_match = {trace.match.id: trace for trace in traces}
    said = _by_item(by_match.values(), machines)
    known = [
        (item, _values(item, by_match[match_of(item.id)], said.get(item.id, {}))) for item in items
    ]
    for key, value in (within or {}).items():
        found = sorted({values[key] for _, values in known})
        known = [(item, values) for item, values in known if values[key] == value]
        if not known:
            rule = f"must be a stratum that holds an item ({', '.join(found) or 'none does'})"
            raise RunError(key.value, rule, value)
    keys = tuple(dict.fromkeys(by))
    made = (
        Unit(
            item=item.id,
            match=match_of(item.id),
            cell=tuple((key, values[key]) for key in keys),
            flagged=_flagged(item, said.get(item.id, {})),
            disputed=values[StratumKey.DISAGREEMENT] == Disagreement.DISAGREE,
        )
        for item, values in known
    )
    return tuple(sorted(made, key=lambda unit: unit.item))


def _by_item(traces: Iterable[Trace], machines: Iterable[Verdict]) -> dict[str, dict[str, Verdict]]:
    """Return item to machine rater to verdict."""
    said: dict[str, dict[str, Verdict]] = {}
    for trace in traces:
        for ruling in trace.rulings:
            said.setdefault(ruling.item, {})[ARBITER] = ruling
        for ruling in trace.shadow:
            said.setdefault(ruling.item, {})[REFEREE] = ruling
    for verdict in machines:
        said.setdefault(verdict.item, {})[verdict.rater] = verdict
    return said


def _values(item: Item, trace: Trace, said: Said) -> dict[StratumKey, str]:
    match = trace.match
    return {
        StratumKey.GAME: match.game.value,
        StratumKey.MODE: match.mode.value if match.mode else NONE,
        StratumKey.KIND: item.kind.value,
        StratumKey.ARBITER_LABEL: _word(said.get(ARBITER)),
        StratumKey.DISAGREEMENT: _compared(said).value,
        StratumKey.SEEKER: match.seeker,
        StratumKey.HOLDER: match.holder,
        StratumKey.TURN_BAND: turn_band(item.subject.turn, trace.setup.horizon).value,
    }


def turn_band(turn: int, horizon: int) -> TurnBand:
    """Return the third of the horizon in which a turn, counted from 1, falls."""
    if not 1 <= turn <= horizon:
        raise ValueError("`turn` must lie between 1 and the horizon")
    return list(TurnBand)[-(-3 * turn // horizon) - 1]


def _flagged(item: Item, said: Said) -> bool | None:
    verdict = said.get(ARBITER)
    if item.kind not in RULED or verdict is None or verdict.label is None:
        return None
    return verdict.label is LABELS[item.kind][0]


def _word(verdict: Verdict | None) -> str:
    if verdict is None:
        return NONE
    return str(verdict.label or verdict.abstention)


def _compared(said: Said) -> Disagreement:
    labels = [verdict.label for verdict in said.values() if verdict.label is not None]
    if len(labels) < 2:
        return Disagreement.TOO_FEW
    return Disagreement.AGREE if len(set(labels)) == 1 else Disagreement.DISAGREE
