"""Under what a run is played besides study and cohort."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..cohort import Cohort
from .caller import Listener
from .callers import Models, OpenModels, opened
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
        How many matches are in play at a time, at least 1; by default several for each request
        that the cohort's endpoints take at a time, so that none of these places is ever idle.
    budget : float, optional
        Dollars that the whole run may cost, over all its sittings.
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

    def opened(self, cohort: Cohort) -> Models:
        """Return the models of a cohort, opened.

        Raises
        ------
        StudyError
            The environment lacks a key or an address that an endpoint names.
        """
        environ = os.environ if self.environ is None else self.environ
        return opened(cohort, environ, self.open_models)


def at_a_time(cohort: Cohort) -> int:
    """Return how many matches are in play at a time unless a user says otherwise."""
    used = {player.endpoint for player in cohort.models()}
    if not used:
        return BUILT_IN_AT_A_TIME
    requests = sum(cohort.endpoints[name].concurrency for name in used)
    return min(MOST_AT_A_TIME, MATCHES_A_REQUEST * requests)
