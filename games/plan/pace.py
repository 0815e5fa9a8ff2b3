"""How long a run takes at the limits of its endpoints; the slowest of them decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from ..cohort.models import Endpoint
from .forecast import Forecast

_MINUTE = 60.0


class Limit(StrEnum):
    """What an endpoint's time comes of."""

    CONCURRENCY = "requests in flight"
    REQUESTS = "requests a minute"
    TOKENS = "tokens a minute"
    LONGEST_MATCH = "the longest match"


@dataclass(frozen=True, slots=True)
class Pace:
    """The least time that one endpoint needs.

    Attributes
    ----------
    endpoint : str
        Its name; blank for the longest match, whose calls wait for one another.
    seconds : float
    by : Limit
        What it comes of.
    """

    endpoint: str
    seconds: float
    by: Limit


def paces(forecast: Forecast, endpoints: Mapping[str, Endpoint]) -> tuple[Pace, ...]:
    """Return the least time of every endpoint asked, and of the longest match, the longest first.

    As many matches are taken to be under way as keep an endpoint's requests in flight, and tokens
    a minute to count prompt and reply.

    Parameters
    ----------
    forecast : Forecast
    endpoints : mapping
        The cohort's, by name.
    """
    if not forecast.tallies:
        return ()
    found = [Pace("", forecast.longest, Limit.LONGEST_MATCH)]
    found += [
        _pace(name, endpoint, forecast)
        for name, endpoint in endpoints.items()
        if any(tally.model.endpoint == name for tally in forecast.tallies)
    ]
    return tuple(sorted(found, key=lambda pace: (-pace.seconds, pace.endpoint)))


def _pace(name: str, endpoint: Endpoint, forecast: Forecast) -> Pace:
    here = [tally for tally in forecast.tallies if tally.model.endpoint == name]
    tokens = sum(tally.tokens_in + tally.tokens_out for tally in here)
    bounds = {Limit.CONCURRENCY: sum(tally.seconds for tally in here) / endpoint.concurrency}
    if endpoint.requests_per_minute is not None:
        calls = sum(tally.calls for tally in here)
        bounds[Limit.REQUESTS] = calls * _MINUTE / endpoint.requests_per_minute
    if endpoint.tokens_per_minute is not None:
        bounds[Limit.TOKENS] = tokens * _MINUTE / endpoint.tokens_per_minute
    by = max(bounds, key=lambda limit: bounds[limit])
    return Pace(name, bounds[by], by)
