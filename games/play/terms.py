"""Under what a run is played, or a panel asked, besides who plays or judges what."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..cohort import ArbiterModel
from ..errors import RunError
from .caller import Listener
from .callers import Asked, Models, OpenModels, opened
from .points import OnPoint, ignore

MOST_AT_A_TIME = 256
BUILT_IN_AT_A_TIME = 2
MATCHES_A_REQUEST = 4


@dataclass(frozen=True, slots=True)
class Terms:
    """What a run is played under besides study and cohort; nothing here decides how a match goes.

    Attributes
    ----------
    concurrency : int, optional
        How many matches are in play at a time, or put to a judge, at least 1; by default several
        for each request that the endpoints take at a time, so that none of these places is idle.
    budget : float, optional
        Dollars that the whole run, or panel, may cost, over all its sittings.
    fork : Path, optional
        Another run, whose replies are taken over wherever the very same is asked.
    on_event : callable, optional
        Called with every record of the journal after it is on disk, in the caller's thread.
    on_point : callable
        Called at every sync point, with the match that has reached it.
    environ : mapping
        Where keys and addresses are looked up by name.
    open_models : callable, optional
        Opens the models of an endpoint; with the cohort's clients by default.
    """

    concurrency: int | None = None
    budget: float | None = None
    fork: Path | None = None
    on_event: Listener | None = None
    on_point: OnPoint = ignore
    environ: Mapping[str, str] | None = None
    open_models: OpenModels | None = None

    def check(self, whom: Asked) -> None:
        """Refuse terms that are out of range, and a budget by which not every model can be held.

        Raises
        ------
        RunError
        """
        if self.concurrency is not None and not 1 <= self.concurrency <= MOST_AT_A_TIME:
            raise RunError("concurrency", f"must be from 1 to {MOST_AT_A_TIME}", self.concurrency)
        if self.budget is not None and not 0 < self.budget < math.inf:
            raise RunError("budget", "must be finite dollars above 0", self.budget)
        unpriced = [who.id for who in whom.asked() if who.price is None]
        if self.budget is not None and unpriced:
            rule = f"needs a price for every model that is asked; {', '.join(unpriced)} have none"
            raise RunError("budget", rule)

    def opened(self, whom: Asked) -> Models:
        """Return the models that are asked, opened.

        Raises
        ------
        StudyError
            The environment lacks a key or an address that an endpoint names.
        """
        environ = os.environ if self.environ is None else self.environ
        return opened(whom, environ, self.open_models)


def at_a_time(whom: Asked, models: Iterable[ArbiterModel]) -> int:
    """Return how many matches are in play at a time unless a user says otherwise.

    Parameters
    ----------
    whom : Asked
        Whose endpoints these are.
    models : iterable of ArbiterModel
        Those whose places at their endpoints are to be filled.
    """
    used = {model.endpoint for model in models}
    if not used:
        return BUILT_IN_AT_A_TIME
    requests = sum(whom.endpoints[name].concurrency for name in used)
    return min(MOST_AT_A_TIME, MATCHES_A_REQUEST * requests)
