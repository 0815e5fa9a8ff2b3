"""Statements: what is asked of every specification, and where its answer must lie.

Each headline claim is one, as far as matches tell it. Three more are asked of any tournament of two
roles: that every player defends better than it attacks, that Seekers differ more than Holders, and
that the order of players is the one that the study's own specification gives.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from audit.claims.claim import Claim
from audit.claims.region import Region, read_region
from games.words import Game

from .choices import Experiment
from .quantities import QUANTITIES

SHARE = 0.9


class Stands(StrEnum):
    """On what a statement stands: on ratings of one set, of both games, or on the matches."""

    RATINGS = "ratings"
    BETWEEN_GAMES = "between games"
    MATCHES = "matches"


@dataclass(frozen=True, slots=True)
class Statement:
    """A quantity with the region in which it must lie.

    Attributes
    ----------
    id : str
        Of the claim, or one of our own.
    quantity : str
        The estimand, or one of our own.
    region : Region
    share : float
        The share of specifications that has to agree.
    stands : Stands
    experiments : frozenset of Experiment
        Which specifications speak of it, where it stands on ratings.
    """

    id: str
    quantity: str
    region: Region
    share: float
    stands: Stands
    experiments: frozenset[Experiment]


_BOTH = frozenset({Experiment.MEAN, Experiment.POOLED})
_OF_GAME = {
    Game.AIDG_I.value: frozenset({Experiment.AIDG_I}),
    Game.AIDG_II.value: frozenset({Experiment.AIDG_II}),
}
_POSITIVE, _SAME = "> 0", "[1, 1]"
SEEKERS_VARY_MORE, ORDER = "spread.seeker_less_holder", "order.as_in_the_base"
EVERY = frozenset(Experiment)

OURS: tuple[Statement, ...] = (
    Statement(
        "every_gap_positive",
        "rating.gap.least",
        read_region(_POSITIVE),
        SHARE,
        Stands.RATINGS,
        EVERY,
    ),
    Statement(
        "seekers_vary_more",
        SEEKERS_VARY_MORE,
        read_region(_POSITIVE),
        SHARE,
        Stands.RATINGS,
        EVERY,
    ),
    Statement("order_of_seekers", ORDER, read_region(_SAME), SHARE, Stands.RATINGS, EVERY),
)


def statements_of(claims: Collection[Claim], estimands: Collection[str]) -> tuple[Statement, ...]:
    """Return what a sweep asks: the claims with a region that it can answer, then our own.

    Parameters
    ----------
    claims : collection of Claim
    estimands : collection of str
        Those that matches alone give, without a rating.
    """
    found = [
        statement
        for claim in claims
        if claim.region is not None and (statement := _of_claim(claim, estimands)) is not None
    ]
    return (*found, *OURS)


def _of_claim(claim: Claim, estimands: Collection[str]) -> Statement | None:
    region = read_region(claim.region or "")
    name, _, game = claim.estimand.rpartition(".")
    if game in _OF_GAME and name in QUANTITIES:
        return Statement(claim.id, name, region, claim.share, Stands.RATINGS, _OF_GAME[game])
    if claim.estimand in QUANTITIES:
        return Statement(claim.id, claim.estimand, region, claim.share, Stands.RATINGS, _BOTH)
    if claim.estimand in ("spearman.seeker", "spearman.holder"):
        mean = frozenset({Experiment.MEAN})
        return Statement(claim.id, claim.estimand, region, claim.share, Stands.BETWEEN_GAMES, mean)
    if claim.estimand in estimands:
        return Statement(claim.id, claim.estimand, region, claim.share, Stands.MATCHES, frozenset())
    return None
