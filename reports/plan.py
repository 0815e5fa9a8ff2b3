"""What a plan says of a run before it is played: matches, calls, cost, time, power."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

from audit.claims.file import Claims
from audit.power import Asked, ClaimPower, claim_powers
from audit.power_claims import questions
from audit.printed.rounding import Comparator, read_number
from games.cohort import Cohort
from games.plan.assumed import Assumed, Length
from games.plan.forecast import Forecast, Tally, forecast
from games.plan.pace import paces
from games.plan.warnings import plan_warnings
from games.rules.schedule import Schedule, seeded
from games.study.study import Study
from games.words import Game


@dataclass(frozen=True, slots=True)
class PrintedLength:
    """How long the matches of a game last by print, and the claims that say so."""

    length: Length
    claims: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """A run that has not been played.

    Attributes
    ----------
    study : Study
    cohort : Cohort
    schedule : Schedule
    lengths : dict
        Game to its printed length; a game without one is taken to its horizon.
    assumed : Assumed
    forecasts : tuple of Forecast
        One a scenario.
    warnings : tuple of str
    """

    study: Study
    cohort: Cohort
    schedule: Schedule
    lengths: dict[Game, PrintedLength]
    assumed: Assumed
    forecasts: tuple[Forecast, ...]
    warnings: tuple[str, ...]

    def cells(self) -> list[dict[str, Any]]:
        """Return the number of matches by game and mode."""
        matches = self.schedule.matches
        count = Counter((m.game.value, m.mode.value if m.mode else None) for m in matches)
        found = sorted(count.items(), key=lambda one: (one[0][0], one[0][1] or ""))
        return [{"game": game, "mode": mode, "matches": n} for (game, mode), n in found]

    def payload(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        lengths = {
            game.value: {**one.length.model_dump(), "claims": list(one.claims)}
            for game, one in self.lengths.items()
        }
        return {
            "study": self.study.config.study.name,
            "cohort": self.cohort.name,
            "kind": self.cohort.kind.value,
            "seed": self.schedule.seed,
            "schedule": self.schedule.fingerprint(),
            "cells": self.cells(),
            "matches": self.schedule.model_dump(mode="json")["matches"],
            "scenarios": {one.scenario.name.lower(): self._scenario(one) for one in self.forecasts},
            "assumed": {**self.assumed.model_dump(mode="json"), "lengths": lengths},
            "warnings": list(self.warnings),
        }

    def _scenario(self, one: Forecast) -> dict[str, Any]:
        cost = one.cost
        return {
            "models": [tally_row(tally) for tally in one.tallies],
            "calls": sum(tally.calls for tally in one.tallies),
            "tokens_in": sum(tally.tokens_in for tally in one.tallies),
            "tokens_out": sum(tally.tokens_out for tally in one.tallies),
            "cost": None if cost.unpriced else cost.known,
            "cost_at_least": cost.known,
            "unpriced": list(cost.unpriced),
            "times": [asdict(pace) for pace in paces(one, self.cohort.endpoints)],
        }


def tally_row(tally: Tally) -> dict[str, Any]:
    """Return what one model is asked as plain values; an unknown cost is None."""
    return {
        "id": tally.model.id,
        "seat": "arbiter" if tally.arbiter else "player",
        "model": tally.model.model,
        "endpoint": tally.model.endpoint,
        "calls": tally.calls,
        "tokens_in": tally.tokens_in,
        "tokens_out": tally.tokens_out,
        "largest": tally.largest,
        "cost": tally.cost,
    }


def make_plan(study: Study, cohort: Cohort, claims: Claims, seed: int) -> Plan:
    """Return what a study played by a cohort will come to.

    Parameters
    ----------
    study : Study
    cohort : Cohort
    claims : Claims
        The study's: they print how long matches last.
    seed : int
        Of the schedule.
    """
    schedule, lengths, assumed = study.schedule(cohort, seed), printed_lengths(claims), Assumed()
    expected = {game: one.length for game, one in lengths.items()}
    return Plan(
        study=study,
        cohort=cohort,
        schedule=schedule,
        lengths=lengths,
        assumed=assumed,
        forecasts=forecast(study, cohort, schedule, expected, assumed),
        warnings=plan_warnings(cohort, study.config.sampling, study.config.design),
    )


def printed_lengths(claims: Claims) -> dict[Game, PrintedLength]:
    """Return how long matches last by print, where the claims say it.

    The mean is the claim whose estimand is ``depth.<game>``, the share that reaches the horizon
    that of ``share.horizon.<game>``; of several claims the first counts.
    """
    found = {}
    for game in Game:
        mean = _printed(claims, f"depth.{game.value}")
        if mean is None:
            continue
        share = _printed(claims, f"share.horizon.{game.value}")
        length = Length(mean=mean[1], at_horizon=None if share is None else share[1])
        found[game] = PrintedLength(length, (mean[0], *(() if share is None else (share[0],))))
    return found


def _printed(claims: Claims, estimand: str) -> tuple[str, float] | None:
    for claim in claims.claim:
        if claim.estimand == estimand:
            number = read_number(claim.printed)
            if number.comparator is Comparator.EQUAL:
                return claim.id, float(number.value)
    return None


def plan_power(claims: Claims, asked: Asked, seed: int) -> tuple[ClaimPower, ...]:
    """Return what the printed games can show of each claim about rates, and how many are needed."""
    return claim_powers(questions(claims), asked, seeded(seed, "power"))


def power_payload(claims: Claims, asked: Asked, powers: tuple[ClaimPower, ...]) -> dict[str, Any]:
    """Return what `plan_power` found as plain values."""
    return {
        **asdict(asked),
        "claims": [one.row() for one in powers],
        "left_out": left_out(claims, powers),
    }


def left_out(claims: Claims, powers: tuple[ClaimPower, ...]) -> int:
    """Return how many claims are about no rates of a printed number of games."""
    return len({claim.id for claim in claims.claim} - {one.question.claim.id for one in powers})
