"""Whether a judge is kinder to its own family than the other judges of its panel are.

A label of an item that a match hangs on favours the Seeker or the Holder. Where a judge's label and
that of the consensus without it differ, the judge departs in favour of a side or against it. It is
asked whether departures favour a player who is the judge's kin more often than they favour a player
in the same role who is not. The others' consensus is no truth: a panel that is kin of the same
player throughout cannot show that anybody prefers it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from audit.numbers._check import FloatArray
from audit.numbers.clustered import clustered_interval
from audit.numbers.estimate import Estimate, PValue, Undefined
from audit.numbers.independence import fisher
from audit.numbers.mcnemar import mcnemar
from games.asking.kinship import kin
from games.cohort import ArbiterModel, ModelPlayer
from games.rules.item import kind_of, match_of
from games.rules.verdict import Verdict
from games.run import Manifest
from games.words import RULED, ItemKind, Label, Role

from .sheet import by_item, columns

FAVOURS_SEEKER: Mapping[ItemKind, Label] = {
    ItemKind.HOLDER_REPLY: Label.LEAK,
    ItemKind.DECLARATION: Label.MATCH,
    ItemKind.LOCK: Label.MATCH,
    # A direct guess disqualifies who makes it.
    ItemKind.SEEKER_MESSAGE: Label.NO_GUESS,
}
"""The label of each kind of item by which a match goes to the Seeker, or at least goes on."""

_SIDES = (Role.SEEKER, Role.HOLDER)


@dataclass(frozen=True, slots=True)
class KinPreference:
    """One judge and the players of one role.

    Attributes
    ----------
    rater : str
    role : Role
        Of the players.
    kind : ItemKind or None
        Of the items; None for all on which matches hang.
    favoured, disfavoured : tuple of int
        Departures in favour of the player and against, where he is kin, and where he is not.
    items : tuple of int
        Items that judge and others both labelled, where the player is kin, and where he is not.
    difference : Estimate
        Departures in favour less those against, as a share of the items: of kin less of others.
        The interval resamples ordered pairs of players. ``counts_out`` are the items that one of
        the two did not label, and those where the other player is kin.
    alone : PValue
        Whether departures on kin favour it as often as not, by McNemar's exact test.
    test : PValue
        Whether departures go the same way for kin as for others, by Fisher's exact test. It says
        nothing where no departure goes against anybody. Both take items as independent.
    """

    rater: str
    role: Role
    kind: ItemKind | None
    favoured: tuple[int, int]
    disfavoured: tuple[int, int]
    items: tuple[int, int]
    difference: Estimate
    alone: PValue
    test: PValue


@dataclass(frozen=True, slots=True)
class _Met:
    """An item that judge and others labelled: 1 where the judge departs in favour, -1 against."""

    match: str
    kind: ItemKind
    kin: bool
    departs: int


def kin_preferences(
    judges: Mapping[str, ArbiterModel],
    verdicts: Mapping[str, Sequence[Verdict]],
    others: Mapping[str, Sequence[Verdict]],
    manifest: Manifest,
    rng: Callable[..., np.random.Generator],
) -> tuple[KinPreference, ...]:
    """Return how each judge departs from the others on its own kin.

    Parameters
    ----------
    judges : mapping
        Rater to the model behind it.
    verdicts, others : mapping
        Rater to its verdicts, and to those of the consensus without it.
    manifest : Manifest
        Of the run that was played.
    rng : callable
        Words to a generator.

    Returns
    -------
    tuple of KinPreference
        Nothing of a judge that has no kin among the players, or of which all players in the role
        are kin, or that has nobody to be held against.

    Raises
    ------
    RunError
        A rater has two verdicts of one item.
    """
    players = {p.id: p for p in manifest.cohort.players if isinstance(p, ModelPlayer)}
    seats = {match.id: (match.seeker, match.holder) for match in manifest.schedule.matches}
    found: list[KinPreference] = []
    for rater, judge in judges.items():
        near = {name for name, player in players.items() if kin(judge, player) is not None}
        if near and rater in others:
            said, rest = by_item(verdicts[rater]), by_item(others[rater])
            for role in _SIDES:
                words = partial(rng, "kin", rater, role.value)
                found += _of_role((rater, role), (said, rest), near, seats, words)
    return tuple(found)


def _of_role(
    who: tuple[str, Role],
    both: tuple[Mapping[str, Verdict], Mapping[str, Verdict]],
    near: set[str],
    seats: Mapping[str, tuple[str, str]],
    rng: Callable[..., np.random.Generator],
) -> Iterator[KinPreference]:
    met, out = _met(who[1], both, near, seats)
    for kind in (None, *RULED):
        some = [one for one in met if kind is None or one.kind is kind]
        left = sum(out[one] for one in out if kind is None or one is kind)
        if len({one.kin for one in some}) == 2:
            label = "all" if kind is None else kind.value
            yield _preference((*who, kind), some, left, seats, rng(label))


def _met(
    role: Role,
    both: tuple[Mapping[str, Verdict], Mapping[str, Verdict]],
    near: set[str],
    seats: Mapping[str, tuple[str, str]],
) -> tuple[list[_Met], dict[ItemKind, int]]:
    """Return the items that both labelled, and of each kind how many are left out."""
    said, rest = both
    met, out = [], dict.fromkeys(RULED, 0)
    for item, verdict in said.items():
        kind, match = ItemKind(kind_of(item)), match_of(item)
        if kind not in FAVOURS_SEEKER:
            continue
        own, other = seats[match][_SIDES.index(role)], seats[match][1 - _SIDES.index(role)]
        against = rest.get(item)
        if verdict.label is None or against is None or against.label is None or other in near:
            out[kind] += 1
            continue
        departs = _favours(role, kind, verdict.label) - _favours(role, kind, against.label)
        met.append(_Met(match, kind, own in near, departs))
    return met, out


def _favours(role: Role, kind: ItemKind, label: Label) -> int:
    return int((label is FAVOURS_SEEKER[kind]) is (role is Role.SEEKER))


def _preference(
    which: tuple[str, Role, ItemKind | None],
    met: Sequence[_Met],
    out: int,
    seats: Mapping[str, tuple[str, str]],
    rng: np.random.Generator,
) -> KinPreference:
    counts = {
        (near, way): sum(one.kin is near and one.departs == way for one in met)
        for near in (True, False)
        for way in (1, 0, -1)
    }
    favoured, disfavoured = (tuple(counts[near, way] for near in (True, False)) for way in (1, -1))
    items = tuple(sum(counts[near, way] for way in (1, 0, -1)) for near in (True, False))
    return KinPreference(
        *which,
        favoured=(favoured[0], favoured[1]),
        disfavoured=(disfavoured[0], disfavoured[1]),
        items=(items[0], items[1]),
        difference=_difference(met, out, seats, rng),
        alone=mcnemar(favoured[0], disfavoured[0]),
        test=fisher([favoured, disfavoured]),
    )


def _difference(
    met: Sequence[_Met],
    out: int,
    seats: Mapping[str, Hashable],
    rng: np.random.Generator,
) -> Estimate:
    sums = np.array(
        [[one.kin, one.kin * one.departs, not one.kin, (not one.kin) * one.departs] for one in met],
        dtype=np.float64,
    )
    place = {pair: at for at, pair in enumerate(dict.fromkeys(seats[one.match] for one in met))}
    cluster = [place[seats[one.match]] for one in met]
    value = float(_gap(sums.sum(axis=0)[None])[0])
    span = clustered_interval(_gap, sums, cluster, rng).interval
    return Estimate(value, span, len(met), out, None if span else Undefined.NO_SPREAD)


def _gap(sums: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore", invalid="ignore"):
        gap: FloatArray = sums[:, 1] / sums[:, 0] - sums[:, 3] / sums[:, 2]
    return gap


def kin_frame(found: Sequence[KinPreference]) -> pd.DataFrame:
    """Return one row a judge, role and kind of item: departures, their difference, the test."""
    rows = []
    for one in found:
        row: dict[str, object] = {
            "rater": one.rater,
            "role of kin": one.role.value,
            "kind": one.kind.value if one.kind else "all",
            "items of kin": one.items[0],
            "for kin": one.favoured[0],
            "against kin": one.disfavoured[0],
            "items of others": one.items[1],
            "for others": one.favoured[1],
            "against others": one.disfavoured[1],
            "left out": one.difference.counts_out,
        }
        row |= columns("difference", one.difference)
        rows.append(row | {"p of kin alone": one.alone.p, "p of kin and others": one.test.p})
    return pd.DataFrame(rows)
