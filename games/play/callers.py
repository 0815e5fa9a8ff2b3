"""The models of a run or panel, opened: one line to each endpoint, one caller to each model."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from random import Random
from typing import Protocol

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


class Asked(Protocol):
    """Whoever is asked at endpoints: the models of a cohort, the seats of a panel."""

    @property
    def endpoints(self) -> Mapping[str, Endpoint]:
        """Return the endpoints by name."""

    def asked(self) -> tuple[ArbiterModel, ...]:
        """Return every model that is asked."""


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


def opened(whom: Asked, environ: Mapping[str, str], opener: OpenModels | None = None) -> Models:
    """Return each endpoint's models, in the order of ``asked_at``.

    Raises
    ------
    StudyError
        The environment lacks a key or an address that an endpoint names.
    """
    return {
        name: (opener or open_models)(endpoint, asked_at(whom, name), environ)
        for name, endpoint in whom.endpoints.items()
        if asked_at(whom, name)
    }


def asked_at(whom: Asked, endpoint: str) -> tuple[ArbiterModel, ...]:
    """Return the models that are asked at an endpoint, in order, a cohort's arbiter last."""
    return tuple(who for who in whom.asked() if who.endpoint == endpoint)


@asynccontextmanager
async def calling(cohort: Cohort, models: Models, ledger: Ledger) -> AsyncIterator[Callers]:
    """Yield a cohort's callers for the length of an ``async with`` block."""
    async with in_line(cohort, models, ledger) as callers:
        players = {c.who.id: c for c in callers if c.who is not cohort.arbiter}
        rules = [c for c in callers if c.who is cohort.arbiter]
        yield Callers(players, rules[0] if rules else None)


@asynccontextmanager
async def in_line(whom: Asked, models: Models, ledger: Ledger) -> AsyncIterator[tuple[Caller, ...]]:
    """Put every model behind its endpoint's line for the length of an ``async with`` block."""
    clock = Clock(sleep=ledger.brake.sleep)
    callers: list[Caller] = []
    try:
        for name, group in models.items():
            endpoint = whom.endpoints[name]
            line = _line(endpoint, clock)
            for who, model in zip(asked_at(whom, name), group, strict=True):
                # A gate of its own inside the endpoint's: a model that is down behind a router
                # that lives must not void its matches one by one.
                own = Gate(endpoint.concurrency, clock=clock, within=line.gate)
                callers.append(Caller(who, model, replace(line, gate=own), ledger))
        yield tuple(callers)
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
