"""The models of a run, opened: one line to each endpoint, one caller to each player."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from random import Random

from ..cohort import ArbiterModel, Cohort, Endpoint
from ..models.chat import ChatModel
from ..models.clock import Clock
from ..models.gate import Gate
from ..models.open import open_models
from ..models.patience import Line
from .caller import Caller, Ledger

OpenModels = Callable[
    [Endpoint, tuple[ArbiterModel, ...], Mapping[str, str]], tuple[ChatModel, ...]
]

# Endpoint to its models, in the order of ``asked_at``.
Models = Mapping[str, tuple[ChatModel, ...]]


@dataclass(frozen=True, slots=True)
class Callers:
    """Whoever can be asked in a run.

    Attributes
    ----------
    players : dict
        Id to caller, of the players that are models.
    arbiter : Caller, optional
        None where a built-in arbiter rules.
    """

    players: dict[str, Caller]
    arbiter: Caller | None


def opened(cohort: Cohort, environ: Mapping[str, str], opener: OpenModels | None = None) -> Models:
    """Return each endpoint's models, in the order of ``asked_at``.

    Raises
    ------
    StudyError
        The environment lacks a key or an address that an endpoint names.
    """
    return {
        name: (opener or open_models)(endpoint, asked_at(cohort, name), environ)
        for name, endpoint in cohort.endpoints.items()
        if asked_at(cohort, name)
    }


def asked_at(cohort: Cohort, endpoint: str) -> tuple[ArbiterModel, ...]:
    """Return the players that are asked at an endpoint, and last the arbiter where it is."""
    return tuple(who for who in cohort.asked() if who.endpoint == endpoint)


@asynccontextmanager
async def calling(cohort: Cohort, models: Models, ledger: Ledger) -> AsyncIterator[Callers]:
    """Put every model behind its endpoint's line for the length of an ``async with`` block."""
    clock = Clock(sleep=ledger.brake.sleep)
    players: dict[str, Caller] = {}
    arbiter: Caller | None = None
    try:
        for name, group in models.items():
            line = _line(cohort.endpoints[name], clock)
            for who, model in zip(asked_at(cohort, name), group, strict=True):
                # A gate of its own inside the endpoint's: a model that is down behind a router
                # that lives must not void its matches one by one.
                own = Gate(cohort.endpoints[name].concurrency, clock=clock, within=line.gate)
                caller = Caller(who, model, replace(line, gate=own), ledger)
                if who is cohort.arbiter:
                    arbiter = caller
                else:
                    players[who.id] = caller
        yield Callers(players, arbiter)
    finally:
        for group in models.values():
            for model in group:
                await model.close()


def _line(endpoint: Endpoint, clock: Clock) -> Line:
    gate = Gate(
        endpoint.concurrency,
        clock=clock,
        requests_per_minute=endpoint.requests_per_minute,
        tokens_per_minute=endpoint.tokens_per_minute,
    )
    # Jitter decides when something is sent and never what comes of it: it needs no seed.
    return Line(gate, endpoint.deadline, Random())
