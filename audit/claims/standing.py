"""What may be said of a claim after a rerun: one written rule.

A rerun gives an interval for the claim's estimand, and a sweep the share of specifications in which
the claim holds. Both have to speak, in the same direction, before the claim is settled.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from games.cohort import Cohort, CohortKind
from games.study.config import ModelConfig

from ..numbers.estimate import Estimate, Interval
from .claim import Claim
from .region import Region, read_region
from .words import Population, Standing

__all__ = [
    "SPEAKS_FOR",
    "Settled",
    "Standing",
    "Support",
    "settle",
    "spoken_for",
    "standing_after",
    "why_not_rerun",
]

_ROUNDING = 1e-12

# Which claims a rerun with a kind of cohort may say anything about.
SPEAKS_FOR: dict[CohortKind, frozenset[Population]] = {
    # Built-in policies are no language models, so they speak for none.
    CohortKind.REFERENCE: frozenset(),
    # Of the models that a study names only where it is they that were asked: see `spoken_for`.
    CohortKind.MODELS: frozenset({Population.MODELS}),
    # It shows that everything works, and nothing about models.
    CohortKind.PLUMBING: frozenset(),
    # Transcripts tell a player's name, which does not say that it is the model of that name.
    CohortKind.IMPORTED: frozenset({Population.MODELS}),
}


@dataclass(frozen=True, slots=True)
class Support:
    """How many specifications agree with a claim.

    Attributes
    ----------
    share : float
        The share of all specifications in which it holds, in [0, 1].
    condition : str
        A set of choices within which it holds more often; blank if none is meant.
    share_under : float
        The share of the specifications under that condition; ignored without one.
    """

    share: float
    condition: str = ""
    share_under: float = 0.0

    def __post_init__(self) -> None:
        for share in (self.share, self.share_under):
            if not 0.0 <= share <= 1.0:
                raise ValueError(f"a share must lie in [0, 1], found {share!r}")


@dataclass(frozen=True, slots=True)
class Settled:
    """A claim after a rerun.

    Attributes
    ----------
    id : str
        Of the claim.
    standing : Standing
    condition : str
        What it holds under; blank otherwise.
    reason : str
        Why it was not rerun, or what kept it undecided; blank otherwise.
    """

    id: str
    standing: Standing
    condition: str
    reason: str


def settle(
    interval: Interval | None, region: Region, margin: float, support: Support, asked: float
) -> Standing:
    """Return what an interval and a sweep say of a claim.

    - *holds*: the whole interval lies in the region, and at least the share asked of all
      specifications agree;
    - *holds under*: the whole interval lies in the region, fewer agree, but under a named condition
      at least the share asked do;
    - *reversed*: the whole interval lies outside the region by more than the margin, and at most
      one minus the share asked agree;
    - *undecided*: anything else, an estimate without an interval among it.

    Parameters
    ----------
    interval : Interval or None
        Of the estimand, in the units of the region.
    region : Region
        Where the estimand lies if the claim is true.
    margin : float
        At least 0.
    support : Support
        How many specifications agree.
    asked : float
        The share asked, in (0.5, 1].

    Raises
    ------
    ValueError
        If the margin or the share asked is out of range.
    """
    if not margin >= 0.0:
        raise ValueError(f"margin must be at least 0, found {margin!r}")
    if not 0.5 < asked <= 1.0:
        raise ValueError(f"asked must lie in (0.5, 1], found {asked!r}")
    if interval is None:
        return Standing.UNDECIDED
    if region.covers(interval.low, interval.high):
        if support.share >= asked:
            return Standing.HOLDS
        if support.condition and support.share_under >= asked:
            return Standing.HOLDS_UNDER
    # 1 - 0.9 is less than 0.1 in floats; the share that disagrees is given that much.
    elif region.gap(interval.low, interval.high) > margin and (
        support.share + asked <= 1.0 + _ROUNDING
    ):
        return Standing.REVERSED
    return Standing.UNDECIDED


def spoken_for(cohort: Cohort, models: Iterable[ModelConfig]) -> frozenset[Population]:
    """Return what a rerun with a cohort says anything about.

    Parameters
    ----------
    cohort : Cohort
    models : iterable of ModelConfig
        Those that the study names.

    Returns
    -------
    frozenset of Population
        Named models are among it only where the ids under which the players were asked are those
        of the study, neither fewer nor more; where a built-in policy plays beside models, nothing.
    """
    spoken = SPEAKS_FOR[cohort.kind]
    if cohort.kind is not CohortKind.MODELS:
        return spoken
    playing = cohort.models()
    if len(playing) < len(cohort.players):
        return frozenset()
    named = {model.api_id for model in models}
    return spoken | {Population.NAMED_MODELS} if {p.model for p in playing} == named else spoken


def standing_after(
    claim: Claim,
    estimate: Estimate | None,
    cohort: CohortKind,
    support: Support | None = None,
    *,
    spoken: frozenset[Population] | None = None,
) -> Settled:
    """Return what a rerun with a kind of cohort says of a claim.

    Parameters
    ----------
    claim : Claim
    estimate : Estimate or None
        Of the claim's estimand; None where the run did not estimate it.
    cohort : CohortKind
        Who played.
    support : Support, optional
        How many specifications agree; without it nothing is settled.
    spoken : frozenset of Population, optional
        What the rerun's own players speak for, as `spoken_for` has it; by default what their kind
        may speak for.
    """
    if reason := why_not_rerun(claim, cohort, spoken):
        return Settled(claim.id, Standing.NOT_RERUN, "", reason)
    if claim.region is None:
        return Settled(claim.id, Standing.UNDECIDED, "", "no region says when it would be true")
    if support is None:
        return Settled(claim.id, Standing.UNDECIDED, "", "no sweep says how many analyses agree")
    region = read_region(claim.region)
    interval = None if estimate is None else estimate.interval
    standing = settle(interval, region, claim.margin, support, claim.share)
    condition = support.condition if standing is Standing.HOLDS_UNDER else ""
    doubt = _doubt(interval, region, support) if standing is Standing.UNDECIDED else ""
    return Settled(claim.id, standing, condition, doubt)


def why_not_rerun(
    claim: Claim, cohort: CohortKind, spoken: frozenset[Population] | None = None
) -> str:
    """Return why a rerun with a kind of cohort says nothing of a claim; blank if it may."""
    if not claim.estimand:
        return "no match can tell: it speaks of the design or of the print itself"
    if claim.population in (SPEAKS_FOR[cohort] if spoken is None else spoken):
        return ""
    if cohort is CohortKind.PLUMBING:
        return "a plumbing cohort shows that everything works, and nothing about models"
    if cohort is CohortKind.MODELS:
        return _OTHER_MODELS[claim.population]
    kind = f"{'an' if cohort is CohortKind.IMPORTED else 'a'} {cohort.value} cohort"
    return {
        Population.NAMED_MODELS: f"it names models, none of which is in {kind}",
        Population.MODELS: f"it is about language models, and {kind} holds none",
    }[claim.population]


_OTHER_MODELS = {
    Population.NAMED_MODELS: "it names models, and the ids that were asked here are not theirs",
    Population.MODELS: "it is about language models, and built-in policies played among them",
}


def _doubt(interval: Interval | None, region: Region, support: Support) -> str:
    if interval is None:
        return "its estimate has no interval"
    found = f"the interval is {interval.low:.4g} to {interval.high:.4g}"
    if region.covers(interval.low, interval.high):
        return f"{found}, inside, but only {support.share:.0%} of specifications agree"
    if region.gap(interval.low, interval.high) > 0.0:
        return f"{found}, outside, with {support.share:.0%} of specifications in agreement"
    return f"{found}, partly inside"
