"""Whether a judge agrees with itself: seats of one judge that differ along one axis only.

Agreement over repeats is how steady one opinion is, not how right. Seats of one judge share its
errors, so that agreeing with oneself says nothing of agreeing with anybody else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

import pandas as pd

from audit.numbers.agreement_raters import Coefficient, raters_agreement, rating_counts
from audit.numbers.estimate import Estimate
from games.panels.panel import Seat
from games.rules.item import kind_of
from games.rules.rubric import LABELS
from games.rules.verdict import Verdict
from games.words import ItemKind

from .sheet import by_item, columns, exact_share, is_missing


class Axis(StrEnum):
    """What a judge is spread over; the values are the names of a seat's fields."""

    WORDING = "wording"
    RUBRIC = "rubric"
    TEMPERATURE = "temperature"
    UNIT = "unit"
    REPEAT = "repeat"


@dataclass(frozen=True, slots=True)
class SeatPair:
    """Two seats of one judge.

    Attributes
    ----------
    first, second : str
        Ids of the seats.
    agreed : Estimate
        Share of items labelled alike, of those that both labelled; exact interval (Clopper and
        Pearson).
    """

    first: str
    second: str
    agreed: Estimate


@dataclass(frozen=True, slots=True)
class Consistency:
    """How a judge agrees with itself along one axis, on one kind of item.

    Attributes
    ----------
    judge : str
    axis : Axis
    seats : tuple of str
        Ids of the seats compared: alike in every axis but this one.
    kind : ItemKind
    agreement : Estimate
        Mean share, over items, of pairs of labels that are equal; without an interval.
        ``counts_in`` are items labelled by two seats or more.
    alpha : Estimate
        Krippendorff's α of the same labels.
    flipped : Estimate
        Share of these items that bear more than one label; exact interval (Clopper and Pearson).
        More seats find more flips: only equal numbers of seats compare.
    halting : int
        Items that one seat labelled and another ruled on without a label.
    missing : int
        Items that some seat never ruled on.
    pairs : tuple of SeatPair
    """

    judge: str
    axis: Axis
    seats: tuple[str, ...]
    kind: ItemKind
    agreement: Estimate
    alpha: Estimate
    flipped: Estimate
    halting: int
    missing: int
    pairs: tuple[SeatPair, ...]


def consistency(
    seats: Iterable[Seat],
    verdicts: Mapping[str, Collection[Verdict]],
    *,
    level: float = 0.95,
) -> tuple[Consistency, ...]:
    """Return how each judge of a panel agrees with itself along each of its axes.

    Parameters
    ----------
    seats : iterable of Seat
        Of one panel.
    verdicts : mapping
        Rater to its verdicts on the items compared, for every seat's rater.
    level : float
        Confidence level, in (0, 1).

    Returns
    -------
    tuple of Consistency
        Nothing of a judge with one seat. A judge spread over several axes is compared along each
        of them at every point of the others.

    Raises
    ------
    RunError
        A rater has two verdicts of one item.
    KeyError
        A seat has no verdicts.
    """
    seats = tuple(seats)
    said = {seat.id: by_item(verdicts[seat.rater]) for seat in seats}
    return tuple(
        found
        for axis in Axis
        for alike in _alike(seats, axis)
        for found in _compared(axis, alike, said, level)
    )


def _alike(seats: Sequence[Seat], axis: Axis) -> Iterator[tuple[Seat, ...]]:
    """Yield the seats, two or more, that are alike in everything but one axis."""
    groups: dict[tuple[object, ...], list[Seat]] = {}
    for seat in seats:
        others = tuple(getattr(seat, other.value) for other in Axis if other is not axis)
        groups.setdefault((seat.judge.id, *others), []).append(seat)
    yield from (tuple(group) for group in groups.values() if len(group) > 1)


def _compared(
    axis: Axis, seats: Sequence[Seat], said: Mapping[str, Mapping[str, Verdict]], level: float
) -> Iterator[Consistency]:
    items = dict.fromkeys(item for seat in seats for item in said[seat.id])
    names = tuple(seat.id for seat in seats)
    for kind in ItemKind:
        table = [
            [said[name].get(item) for name in names]
            for item in items
            if kind_of(item) == kind.value
        ]
        if table:
            yield _consistency((seats[0].judge.id, axis, names, kind), table, level)


def _consistency(
    which: tuple[str, Axis, tuple[str, ...], ItemKind],
    table: Sequence[Sequence[Verdict | None]],
    level: float,
) -> Consistency:
    _, _, names, kind = which
    counts = rating_counts([[_label(v) for v in row] for row in table], LABELS[kind])
    twice = counts[counts.sum(axis=1) > 1]
    flips = int(((twice > 0).sum(axis=1) > 1).sum())
    return Consistency(
        *which,
        agreement=raters_agreement(Coefficient.AGREEMENT, counts),
        alpha=raters_agreement(Coefficient.ALPHA_NOMINAL, counts),
        flipped=exact_share(flips, len(twice), len(table) - len(twice), level),
        halting=sum(_halts(row) for row in table),
        missing=sum(any(is_missing(verdict) for verdict in row) for row in table),
        pairs=tuple(_pairs(names, table, level)),
    )


def _label(verdict: Verdict | None) -> object:
    return None if verdict is None else verdict.label


def _halts(row: Sequence[Verdict | None]) -> bool:
    spoken = [verdict for verdict in row if verdict is not None and not is_missing(verdict)]
    return len({verdict.label is None for verdict in spoken}) > 1


def _pairs(
    names: Sequence[str], table: Sequence[Sequence[Verdict | None]], level: float
) -> Iterator[SeatPair]:
    for one, other in combinations(range(len(names)), 2):
        met = [(_label(row[one]), _label(row[other])) for row in table]
        both = [pair for pair in met if None not in pair]
        agreed = sum(first is second for first, second in both)
        share = exact_share(agreed, len(both), len(met) - len(both), level)
        yield SeatPair(names[one], names[other], share)


def consistency_frame(results: Sequence[Consistency]) -> pd.DataFrame:
    """Return one row for each judge, axis, set of seats and kind of item."""
    rows = []
    for one in results:
        row: dict[str, object] = {
            "judge": one.judge,
            "axis": one.axis.value,
            "seats": ", ".join(one.seats),
            "kind": one.kind.value,
            "labelled twice": one.flipped.counts_in,
            "left out": one.flipped.counts_out,
            "agreement": one.agreement.value,
            "alpha": one.alpha.value,
        }
        row |= columns("flipped", one.flipped)
        rows.append(row | {"halting": one.halting, "missing": one.missing})
    return pd.DataFrame(rows)


def seat_pair_frame(results: Sequence[Consistency]) -> pd.DataFrame:
    """Return one row for each pair of seats of one judge and kind of item."""
    rows: list[dict[str, object]] = []
    for one in results:
        for pair in one.pairs:
            which = {"judge": one.judge, "axis": one.axis.value, "kind": one.kind.value}
            seats = {"first": pair.first, "second": pair.second}
            counts = {"both labelled": pair.agreed.counts_in, "left out": pair.agreed.counts_out}
            rows.append({**which, **seats, **counts, **columns("agreed", pair.agreed)})
    return pd.DataFrame(rows)
