"""Every headline figure under every judge: what each ruling makes of the matches and the numbers.

A headline figure is one that a claim of the study gives a region. Under each source of rulings (a
judge, a panel without one judge, a consensus) the matches are decided anew; those that are open are
carried as bounds.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
import pandas as pd

from audit.claims.claim import Claim
from audit.claims.region import read_region
from audit.corpus import players_of
from audit.estimates.run import estimator_of
from audit.multiverse.rated import averaged, rate
from audit.multiverse.settings import specification_of
from audit.numbers.estimate import Estimate
from audit.open_ends import Bounds, bounder_of
from audit.verdicts.readjudicate import Change, Readjudicated, Readjudication, summarise
from audit.verdicts.reruled import corpus_under
from games.study.study import Study
from games.trace import Trace
from games.words import Game


class Side(StrEnum):
    """On which side of a claim a figure lies under one source of rulings."""

    INSIDE = "inside"
    OUTSIDE = "outside"
    EITHER = "either"
    """The open matches leave both sides possible."""
    UNDEFINED = "undefined"


@dataclass(frozen=True, slots=True, eq=False)
class Ruled:
    """A run under one source of rulings.

    Attributes
    ----------
    source : str
        The rater, or the consensus.
    matches : Readjudication
        How many matches changed in which way.
    values : dict
        Estimand to estimate, over the matches that are decided.
    bounds : dict
        Estimand to its least and most over what the open matches may come to.
    seekers : dict
        Player to averaged C, best first, those who are equal by name; of decided matches.
    """

    source: str
    matches: Readjudication
    values: dict[str, Estimate]
    bounds: dict[str, Bounds]
    seekers: dict[str, float]

    @property
    def order(self) -> tuple[str, ...]:
        """Return the players by averaged C, best first."""
        return tuple(self.seekers)


@dataclass(frozen=True, slots=True)
class Hinge:
    """Whether a figure hangs on who rules.

    Attributes
    ----------
    claim, estimand, region : str
    sides : dict
        Source to the side on which the figure lies.
    hangs : bool
        Whether two sources disagree, or one leaves both sides possible.
    """

    claim: str
    estimand: str
    region: str
    sides: dict[str, Side]

    @property
    def hangs(self) -> bool:
        """Whether two sources disagree, or one of them leaves both sides possible."""
        found = set(self.sides.values()) - {Side.UNDEFINED}
        return len(found) > 1 or Side.EITHER in found


def headlines(claims: Collection[Claim]) -> tuple[Claim, ...]:
    """Return the claims that say where a figure must lie, the first of each figure and region."""
    kept: dict[tuple[str, str], Claim] = {}
    for claim in claims:
        if claim.estimand and claim.region:
            kept.setdefault((claim.estimand, claim.region), claim)
    return tuple(kept.values())


def ruled_by(
    traces: Sequence[Trace],
    study: Study,
    readjudicated: Mapping[str, Sequence[Readjudicated]],
    wanted: Collection[str],
) -> tuple[Ruled, ...]:
    """Return every headline figure under each source of rulings.

    Parameters
    ----------
    traces : sequence of Trace
    study : Study
    readjudicated : mapping
        Source to what every match comes to, one a trace in the same order.
    wanted : collection of str
        Estimands.
    """
    estimate, bound = estimator_of(study, wanted), bounder_of(study, wanted)
    found: list[Ruled] = []
    known: dict[tuple[Readjudicated, ...], Ruled] = {}
    for source, results in readjudicated.items():
        if tuple(results) in known:  # a rule that sits on a panel too
            found.append(replace(known[tuple(results)], source=source))
            continue
        corpus = corpus_under(traces, results)
        values = {name: one for name, one in estimate(corpus).values.items() if name in wanted}
        matches, seekers = summarise(results), ranking(corpus, study)
        limits = {name: _reaching(one, values[name]) for name, one in bound(corpus).items()}
        known[tuple(results)] = Ruled(source, matches, values, limits, seekers)
        found.append(known[tuple(results)])
    return tuple(found)


def _reaching(limits: Bounds, value: Estimate) -> Bounds:
    """Return bounds that hold the value over decided matches too, which no corner need give."""
    if not value.defined:
        return limits
    least, most = (np.fmin(limits.least, value.value), np.fmax(limits.most, value.value))
    return replace(limits, least=float(least), most=float(most))


def ranking(corpus: pd.DataFrame, study: Study) -> dict[str, float]:
    """Return each player's averaged C, best first; those who are equal by name."""
    players, spec, horizons = players_of(corpus), specification_of(study), study.horizons()
    seeker, _ = averaged(rate(corpus, game, horizons[game], spec, players) for game in Game)
    return {players[at]: float(seeker[at]) for at in np.argsort(-seeker, kind="stable").tolist()}


def sided(ruled: Sequence[Ruled], found: Sequence[Hinge], reference: str) -> pd.DataFrame:
    """Return one row a source: figures on another side than under a reference, and left open.

    Columns ``source``, ``figures`` (those that both define), ``other side`` and ``open``.
    """
    rows = []
    for one in ruled:
        pairs = [(hinge.sides[reference], hinge.sides[one.source]) for hinge in found]
        known = [pair for pair in pairs if Side.UNDEFINED not in pair]
        other = sum(set(pair) == {Side.INSIDE, Side.OUTSIDE} for pair in known)
        left = sum(side is Side.EITHER for _, side in known)
        rows.append((one.source, len(known), other, left))
    return pd.DataFrame(rows, columns=["source", "figures", "other side", "open"])


def hinges(ruled: Sequence[Ruled], claims: Collection[Claim]) -> tuple[Hinge, ...]:
    """Return, for each headline claim, on which side its figure lies under every source."""
    return tuple(
        Hinge(
            claim.id,
            claim.estimand,
            claim.region or "",
            {one.source: side_of(one, claim) for one in ruled},
        )
        for claim in headlines(claims)
    )


def side_of(one: Ruled, claim: Claim) -> Side:
    """Return on which side of a claim its figure lies, open matches taken both ways."""
    region, value = read_region(claim.region or ""), one.values.get(claim.estimand)
    if value is None or not value.defined:
        return Side.UNDEFINED
    limits = one.bounds.get(claim.estimand)
    at = [value.value] if limits is None else [value.value, limits.least, limits.most]
    inside = {number in region for number in at if not np.isnan(number)}
    if len(inside) > 1:
        return Side.EITHER
    return Side.INSIDE if inside == {True} else Side.OUTSIDE


def share_hanging(found: Sequence[Hinge]) -> tuple[int, int]:
    """Return how many figures hang on who rules, of how many that any source defines."""
    defined = [one for one in found if set(one.sides.values()) != {Side.UNDEFINED}]
    return sum(one.hangs for one in defined), len(defined)


def headline_frame(ruled: Sequence[Ruled]) -> pd.DataFrame:
    """Return one row a figure and source."""
    rows = []
    for one in ruled:
        for name, value in one.values.items():
            limits, span = one.bounds.get(name), value.interval
            rows.append(
                {"estimand": name, "source": one.source, "value": value.value}
                | {"low": span.low if span else None, "high": span.high if span else None}
                | {"least": limits.least if limits else None}
                | {"most": limits.most if limits else None}
                | {"n": value.counts_in, "reason": value.reason.value if value.reason else ""}
            )
    return pd.DataFrame(rows)


def matches_frame(ruled: Sequence[Ruled]) -> pd.DataFrame:
    """Return one row a source: what became of the matches, the Seeker's share and the ranking."""
    rows = []
    for one in ruled:
        share = one.matches.seeker_share or (None, None)
        rows.append(
            {"source": one.source}
            | {change.value: one.matches.counts[change] for change in Change}
            | {"void": one.matches.void, "least": share[0], "most": share[1]}
            | {"ranking": " > ".join(one.order)}
        )
    return pd.DataFrame(rows)


def hinge_frame(found: Sequence[Hinge]) -> pd.DataFrame:
    """Return one row a headline claim: on which side each source puts its figure."""
    return pd.DataFrame(
        [
            {"claim": one.claim, "estimand": one.estimand, "region": one.region}
            | {"hangs on the judge": one.hangs}
            | {source: side.value for source, side in one.sides.items()}
            for one in found
        ]
    )
