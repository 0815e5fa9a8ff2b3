"""What one match alone does to the headline figures of a run."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from audit.claims.claim import Claim
from audit.estimates.run import estimator_of
from audit.verdicts.readjudicate import Readjudicated, summarise
from audit.verdicts.reruled import corpus_under
from games.study.study import Study
from games.trace import Trace

from .headline import Ruled, Side, headlines, side_of


def moved_alone(
    traces: Sequence[Trace],
    study: Study,
    base: Sequence[Readjudicated],
    instead: Mapping[str, Readjudicated],
    claims: Collection[Claim],
) -> dict[str, tuple[str, ...]]:
    """Return which headline claims change sides where one match alone is ruled on otherwise.

    Parameters
    ----------
    traces : sequence of Trace
    study : Study
    base : sequence of Readjudicated
        What every match comes to, one a trace in the same order.
    instead : mapping
        Match to what it comes to otherwise, each tried by itself.
    claims : collection of Claim

    Returns
    -------
    dict
        Match to ids of claims, by the figures over decided matches.
    """
    kept = headlines(claims)
    estimate = estimator_of(study, {claim.estimand for claim in kept})
    place = {result.match: at for at, result in enumerate(base)}

    def sides(results: Sequence[Readjudicated]) -> dict[str, Side]:
        values = dict(estimate(corpus_under(traces, results)).values)
        one = Ruled("", summarise(results), values, {}, {})
        return {claim.id: side_of(one, claim) for claim in kept}

    before, found = sides(base), {}
    for match, result in instead.items():
        results = list(base)
        results[place[match]] = result
        after = sides(results)
        found[match] = tuple(name for name in before if before[name] is not after[name])
    return found
