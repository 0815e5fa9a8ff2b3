"""What the times and the order of people's answers say: how long an item takes, and any drift.

Every rater's items come in an order of their own, by chance. Were a rater the same all along, every
order of their labels would be as likely as any other: the share of the first label in the thirds of
the order is held against all tables with the same margins, and nothing is assumed for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from audit.numbers.estimate import PValue
from audit.numbers.homogeneity import enumerated_homogeneity
from audit.verdicts.panel import is_adjudicator
from audit.verdicts.showing import Purpose, showing_of
from games.rules.item import kind_of
from games.rules.rubric import LABELS
from games.rules.verdict import Verdict
from games.words import ItemKind, Label

from .times import Answered

THIRDS = 3


@dataclass(frozen=True, slots=True)
class Pace:
    """One rater's answers to the counted items of one kind.

    Attributes
    ----------
    rater : str
    kind : ItemKind
    answers, untimed : int
        Answers there are, and those left out: without a time, or with one that cannot be one.
    seconds : float or None
        Median of the others; None where there is none.
    by_third : tuple of float or None
        The same in each third of the rater's order.
    """

    rater: str
    kind: ItemKind
    answers: int
    untimed: int
    seconds: float | None
    by_third: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Drift:
    """How often one rater gave the first label of a kind, early and late.

    Attributes
    ----------
    rater : str
    kind : ItemKind
    label : Label
    given, labels : tuple of int
        That label, and all labels, in each third of the rater's order; abstentions aside.
    test : PValue
        That the shares are one, by all tables with the same margins.
    """

    rater: str
    kind: ItemKind
    label: Label
    given: tuple[int, ...]
    labels: tuple[int, ...]
    test: PValue


def paces(times: Iterable[Answered]) -> tuple[Pace, ...]:
    """Return one pace a rater and kind: by kind, then by rater."""
    found = []
    for (rater, kind), order in _orders(times).items():
        timed = _timed(order)
        by_third = tuple(_median(_timed(third)) for third in _thirds(order))
        left_out = len(order) - len(timed)
        found.append(Pace(rater, kind, len(order), left_out, _median(timed), by_third))
    return tuple(found)


def drifts(
    times: Iterable[Answered], verdicts: Mapping[str, Sequence[Verdict]]
) -> tuple[Drift, ...]:
    """Return one drift a rater and kind that has a label: by kind, then by rater.

    Parameters
    ----------
    times : iterable of Answered
    verdicts : mapping
        Rater to verdicts, of every rater that the times name.
    """
    found = []
    for (rater, kind), order in _orders(times).items():
        said = {verdict.item: verdict.label for verdict in verdicts[rater]}
        first = LABELS[kind][0]
        parts = [[said.get(one.item) for one in third] for third in _thirds(order)]
        given = tuple(sum(label is first for label in part) for part in parts)
        labels = tuple(sum(label is not None for label in part) for part in parts)
        held = [(k, n) for k, n in zip(given, labels, strict=True) if n]
        if held:
            test = enumerated_homogeneity(*zip(*held, strict=True))
            found.append(Drift(rater, kind, first, given, labels, test))
    return tuple(found)


def seconds_measured(times: Iterable[Answered]) -> dict[ItemKind, float]:
    """Return the median seconds an item, over all raters, of each kind that has a time."""
    by_kind: dict[ItemKind, list[float]] = {}
    for (_, kind), order in _orders(times).items():
        by_kind.setdefault(kind, []).extend(_timed(order))
    return {kind: median(timed) for kind, timed in by_kind.items() if timed}


def _orders(times: Iterable[Answered]) -> dict[tuple[str, ItemKind], list[Answered]]:
    """Return what each rater answered of each kind, in order: neither practice nor repeats."""
    orders: dict[tuple[str, ItemKind], list[Answered]] = {}
    for one in sorted(times, key=lambda one: (one.place, one.item)):
        if showing_of(one.item).purpose is Purpose.COUNTED and not is_adjudicator(one.rater):
            orders.setdefault((one.rater, ItemKind(kind_of(one.item))), []).append(one)
    kinds = list(ItemKind)
    return dict(sorted(orders.items(), key=lambda pair: (kinds.index(pair[0][1]), pair[0][0])))


def _thirds(order: Sequence[Answered]) -> list[list[Answered]]:
    """Return the thirds of an order, the earlier ones longer where it does not divide."""
    parts: list[list[Answered]] = [[] for _ in range(THIRDS)]
    for place, one in enumerate(order):
        parts[THIRDS * place // len(order)].append(one)
    return parts


def _timed(order: Sequence[Answered]) -> list[float]:
    return [one.seconds for one in order if one.seconds is not None and one.plausible]


def _median(values: Sequence[float]) -> float | None:
    return median(values) if values else None
